// The Othello engine: the value of a position by iterative deepening, to a depth and then to the end of the game.
//
//    Engine<8, PatternEvaluator<8>> engine(256, evaluator);
//    const Analysis found = engine.analyse(board, {.limits = {.seconds = 1}, .threads = 2});
//
// While many squares are empty, principal variation searches go deeper ply by ply, with ProbCut at one selectivity.
// When few are left beyond the depth reached, the search goes to the end, first with ProbCut at rising selectivities,
// then without: the value is exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "kernel/othello/board.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/settings.hpp"
#include "kernel/solver/othello/pattern_evaluator.hpp"
#include "kernel/solver/othello/run_search.hpp"
#include "kernel/solver/othello/search.hpp"

namespace flipdrop::othello::engine {

using endgame::kArea;
using endgame::kExact;
using endgame::kNoMove;

struct Settings {
    search::Limits limits{};
    int selectivity = 0;           ///< of searches to a depth
    int end_selectivity = kExact;  ///< highest selectivity of searches to the end
    int threads = 1;
    int lines = 1;       ///< how many of the best moves get a value
    int solve_from = 0;  ///< with a depth limit: searches to the end from this many empty squares on
};

/// Throws Error unless a search with these settings can be run.
inline void check(const Settings& settings) {
    search::check(settings.limits);
    check_range("selectivity", settings.selectivity, 0, kExact);
    check_range("end_selectivity", settings.end_selectivity, 0, kExact);
    check_range("threads", settings.threads, 1, search::kMaxThreads);
}

struct RankedMove {
    int move = -1;
    int value = 0;  ///< in discs, for the side to move at the root
    std::vector<int> line;
};

struct Analysis {
    std::vector<RankedMove> moves;  ///< the best first, as many as asked for
    int depth = 0;                  ///< of the search; the empty squares if it went to the end
    int selectivity = 0;
    bool exact = false;  ///< the values are results of the game under best play
    std::uint64_t nodes = 0;
    double seconds = 0;
};

/// Called on the calling thread about every 50 ms and after every depth. Its exceptions end the work and pass through.
using Watch = std::function<void(const Analysis& so_far)>;

template <int Size, class Evaluator>
class Engine {
public:
    using B = Board<Size>;

    Engine(std::size_t megabytes, Evaluator evaluator) : tables_(megabytes), evaluator_(std::move(evaluator)) {}

    void clear() { tables_.clear(); }

    /// The best moves of a position in which the side to move has one.
    Analysis analyse(const B& board, const Settings& settings, const Watch& watch = {});

private:
    using Worker = endgame::Search<Size, Evaluator>;

    struct RootMove {
        int move;
        B child;
        int value;  ///< of the latest search that ranked it
    };

    /// One call, on the calling thread.
    class Run {
    public:
        Run(const B& board, const Settings& settings, search::SearchControl& control, Worker& worker, Analysis& found,
            const Watch& watch)
            : board_(board), settings_(settings), control_(control), worker_(worker), found_(found), watch_(watch) {
            board.moves().for_each([&](int move) {
                B child = board;
                child.play(move);
                moves_.push_back(
                    {move, child, -worker_.shallow_search(child, 0, -100 * kArea<Size>, 100 * kArea<Size>)});
            });
            std::stable_sort(moves_.begin(), moves_.end(), [](auto& a, auto& b) { return a.value > b.value; });
            lines_ = std::min(static_cast<std::size_t>(std::max(settings.lines, 1)), moves_.size());
            for (std::size_t i = 0; i < lines_; ++i)
                found_.moves.push_back(
                    {moves_[i].move, std::clamp(moves_[i].value / 100, -kArea<Size>, kArea<Size>), {moves_[i].move}});
        }

        void analyse() {
            const int empties = count(board_.empties());
            const int last = last_depth(empties);
            worker_.set_selectivity(settings_.selectivity);
            for (int depth = 1; depth <= last && !control_.stopped(); ++depth) {
                for (std::size_t line = 0; line < lines_ && !control_.stopped(); ++line) search_line(line, depth);
                if (!report(depth, settings_.selectivity)) return;
            }
            if (!to_end(empties)) return;
            for (int selectivity = first_end_selectivity(empties);
                 selectivity <= settings_.end_selectivity && !control_.stopped(); ++selectivity) {
                worker_.set_selectivity(selectivity);
                for (std::size_t line = 0; line < lines_ && !control_.stopped(); ++line) solve_line(line);
                if (!report(empties, selectivity)) return;
            }
        }

    private:
        static constexpr int kJump = 8;  ///< plies beyond the last depth at which a search goes to the end instead

        bool to_end(int empties) const {
            return settings_.limits.depth == 0 || empties <= std::max(settings_.limits.depth, settings_.solve_from);
        }
        int last_depth(int empties) const {
            if (!to_end(empties)) return std::min(settings_.limits.depth, empties - 1);
            return std::max(empties - kJump, 0);
        }
        /// Near the end, an exact search takes no longer than a selective one.
        int first_end_selectivity(int empties) const { return empties >= 16 ? 0 : settings_.end_selectivity; }

        /// Finds the best of the moves from index `line` on and moves it there.
        void search_line(std::size_t line, int depth) {
            const int guess = found_.moves[line].value;
            int reach = kWindow, alpha = guess - reach, beta = guess + reach;
            for (;;) {
                alpha = std::max(alpha, -kArea<Size> - 1);
                beta = std::min(beta, kArea<Size> + 1);
                const int value = search_root(line, alpha, beta, depth);
                if (control_.stopped()) return;
                reach *= 2;
                if (value <= alpha && alpha >= -kArea<Size>)
                    alpha = value - reach;
                else if (value >= beta && beta <= kArea<Size>)
                    beta = value + reach;
                else
                    break;
            }
        }

        int search_root(std::size_t line, int alpha, int beta, int depth) {
            endgame::Children<Size> children = children_from(line);
            bool first = true;
            return worker_.pvs(board_, children, alpha, beta, depth, [&](int move, int value) {
                if (value > alpha || first) promote(move, line, value);
                first = false;
            });
        }

        /// The moves from index `line` on, in their order.
        endgame::Children<Size> children_from(std::size_t line) const {
            endgame::Children<Size> children;
            for (std::size_t i = line; i < moves_.size(); ++i) {
                const B& child = moves_[i].child;
                children.add({child.own, child.other, child.legal_squares(), 0, moves_[i].move, -static_cast<int>(i)});
            }
            return children;
        }

        /// Memory-enhanced tests of the score under best play, as in the solver.
        void solve_line(std::size_t line) {
            int lower = -kArea<Size>, upper = kArea<Size>;
            int guess = found_.moves[line].value;
            guess -= guess % 2;
            while (lower < upper) {
                const int threshold = guess > lower ? std::min(guess, upper) - 1 : lower + 1;
                endgame::Children<Size> children = children_from(line);
                const auto found = worker_.exceeds(board_, children, threshold);
                if (control_.stopped()) return;
                const int best = found.best;
                if (best > threshold) promote(found.move, line, best);
                if (best > threshold)
                    lower = std::max(lower, best);
                else
                    upper = std::min(upper, best);
                if (lower > upper) (best > threshold ? upper : lower) = best;
                guess = best;
            }
            moves_[line].value = lower;
        }

        void promote(int move, std::size_t line, int value) {
            const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(line);
            const auto at = std::find_if(begin, moves_.end(), [&](const RootMove& root) { return root.move == move; });
            at->value = value;
            std::rotate(begin, at, at + 1);
        }

        /// Takes over the ranking of a finished search. Of a stopped one only a move that has beaten the best move of
        /// before: that one was searched first. False: the analysis ends.
        bool report(int depth, int selectivity) {
            if (control_.stopped()) {
                const RootMove& best = moves_.front();
                if (lines_ == 1 && best.move != found_.moves.front().move)
                    found_.moves.front() = {best.move, best.value, line_of(best, depth)};
                return false;
            }
            found_.moves.clear();
            for (std::size_t i = 0; i < lines_; ++i)
                found_.moves.push_back({moves_[i].move, moves_[i].value, line_of(moves_[i], depth)});
            std::stable_sort(found_.moves.begin(), found_.moves.end(),
                             [](auto& a, auto& b) { return a.value > b.value; });
            found_.depth = depth;
            found_.selectivity = selectivity;
            found_.exact = selectivity == kExact && depth == count(board_.empties());
            worker_.report_nodes();
            found_.nodes = control_.nodes();
            found_.seconds = control_.seconds();
            if (watch_) watch_(found_);
            return !control_.stopped();
        }

        std::vector<int> line_of(const RootMove& root, int depth) const {
            std::vector<int> line{root.move};
            B board = root.child;
            while (static_cast<int>(line.size()) < depth) {
                const MoveSet moves = board.moves();
                const int move = moves.pass ? kPass : worker_.remembered(board);
                if (moves.size() == 0 || (!moves.pass && (move >= 64 || (moves.squares >> move & 1) == 0))) break;
                line.push_back(move);
                board.play(move);
            }
            return line;
        }

        static constexpr int kWindow = 3;

        const B board_;
        const Settings& settings_;
        search::SearchControl& control_;
        Worker& worker_;
        Analysis& found_;
        const Watch& watch_;
        std::vector<RootMove> moves_;
        std::size_t lines_ = 1;
    };

    endgame::Tables<Size> tables_;
    Evaluator evaluator_;
};

template <int Size, class Evaluator>
Analysis Engine<Size, Evaluator>::analyse(const B& board, const Settings& settings, const Watch& watch) {
    check(settings);
    search::Limits limits = settings.limits;
    limits.depth = 0;  // iterative deepening sees to it
    Analysis so_far;
    const auto account = [&](const search::SearchControl& control) {
        so_far.nodes = control.nodes();
        so_far.seconds = control.seconds();
    };
    endgame::run_search(
        tables_, evaluator_, limits, settings.threads,
        [&](const search::SearchControl& control) {
            account(control);
            if (watch) watch(so_far);
        },
        [&](search::SearchControl& control, Worker& worker) {
            Run(board, settings, control, worker, so_far, watch).analyse();
            account(control);
        });
    return so_far;
}

}  // namespace flipdrop::othello::engine
