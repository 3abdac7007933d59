// The Connect Four engine: the best moves of a position on a board of any shape.
//
//     Engine<Shape> engine(shape, 64, weights);
//     const Analysis found = engine.analyse(board, {.limits = {.seconds = 1}, .threads = 2});
//
// Principal variation searches go deeper ply by ply (search.hpp). Between two depths the solver tries to prove the
// outcome of single moves, the best first, each time with twice the nodes. Whether a proof is in reach is not known
// beforehand: on large boards positions with 60 empty cells may take 10 ms or days. So attempts begin with a small
// share of the work, and the share doubles with each move that is decided. What the attempts leave in the solver's
// table is of use to later ones, also of later moves of the game.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/connect4/board.hpp"
#include "kernel/engine/connect4/search.hpp"
#include "kernel/parallel.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/settings.hpp"
#include "kernel/search/transposition_table.hpp"
#include "kernel/solver/connect4/solver.hpp"

namespace flipdrop::connect4::engine {

struct Settings {
    search::Limits limits{};
    int threads = 1;
    bool all_moves = false;     ///< a value of every move, not only of the best
    double proof_share = 0.03;  ///< nodes of proofs for one node of the search, at first; 0 for no proofs
    double solve_share = 0;     ///< of the limits, to solve the position as a whole before it is searched
};

/// Throws Error unless an analysis with these settings can be run.
inline void check(const Settings& settings) {
    search::check(settings.limits);
    check_range("threads", settings.threads, 1, search::kMaxThreads);
    check_range("proof_share", settings.proof_share, 0.0, 1e6);
    check_range("solve_share", settings.solve_share, 0.0, 1.0);
}

/// A root move. Scores are those of the solver, for the side that plays it.
struct RankedMove {
    int move = -1;
    int lower = 0, upper = 0;  ///< proven bounds of its score
    int value = 0;             ///< of the search: hundredths of a logit; a bound beyond +-kMaxEvaluation is proven
    bool exact = false;        ///< false: `value` is an upper bound, which was enough to discard the move

    bool won() const { return lower > 0; }
    bool lost() const { return upper < 0; }
    bool decided() const { return won() || lost() || lower == upper; }
};

struct Analysis {
    std::vector<RankedMove> moves;  ///< best first
    std::vector<int> line;          ///< begins with the best move
    int depth = 0;                  ///< plies with a choice
    bool proven = false;            ///< the outcome of the position is proven, and the best move keeps it
    std::uint64_t nodes = 0;        ///< of search and proofs
    std::uint64_t proof_nodes = 0;
    double seconds = 0;
};

/// Called on the calling thread about every 50 ms and after every depth. Its exceptions end the work and pass through.
using Watch = std::function<void(const Analysis& so_far)>;

template <class Shape>
class Engine {
public:
    using Word = typename Shape::Word;
    using Weights = typename Evaluator<Shape>::Weights;

    /// Search and solver each get half of the memory.
    Engine(const Shape& shape, std::size_t megabytes, const Weights& weights)
        : geometry_(shape),
          evaluator_(geometry_, weights),
          table_(std::max<std::size_t>(megabytes / 2, 1), search::TranspositionTable::FullSize{}),
          solver_(shape, std::max<std::size_t>(megabytes / 2, 1), Pages::Huge) {}

    const Shape& shape() const { return geometry_.shape(); }

    void clear() {
        table_.clear();
        solver_.clear();
    }

    /// The moves of a position that is not over, best first.
    Analysis analyse(const Board<Shape>& board, const Settings& settings, const Watch& watch = {}) {
        check(settings);
        FLIPDROP_ASSERT(board.shape == geometry_.shape() && board.moves().size() > 0);
        table_.new_search();
        search::Limits limits = settings.limits;
        limits.depth = 0;  // iterative deepening sees to it
        Analysis found;
        search::SearchControl control(limits, [&] {
            found.nodes = control.nodes();
            found.seconds = control.seconds();
            if (watch) watch(found);
        });
        Run(*this, board, settings, control, found, watch).analyse();
        found.nodes = control.nodes();
        found.seconds = control.seconds();
        return found;
    }

private:
    class Run;

    Geometry<Shape> geometry_;
    Evaluator<Shape> evaluator_;
    search::TranspositionTable table_;
    exact::Solver<Shape> solver_;
};

/// One analysis.
template <class Shape>
class Engine<Shape>::Run {
public:
    Run(Engine& engine, const Board<Shape>& board, const Settings& settings, search::SearchControl& control,
        Analysis& found, const Watch& watch)
        : engine_(engine),
          board_(board),
          settings_(settings),
          control_(control),
          found_(found),
          watch_(watch),
          shared_{engine.geometry_, engine.evaluator_, engine.table_, control,
                  search::AbdadaMarks(settings.threads > 1)},
          team_(settings.threads),
          histories_(static_cast<std::size_t>(settings.threads)),
          share_(settings.limits.depth > 0 ? 0 : settings.proof_share) {
        node_ = exact::node_of(geometry(), board.own, board.occupied);
        board.moves().for_each([&](int column) { roots_.push_back(root_of(column)); });
        sort();
    }

    void analyse() {
        report(0);
        const bool by_depth = settings_.limits.depth > 0;
        const int last = by_depth ? settings_.limits.depth : node_.left;
        bool tried = by_depth || settings_.proof_share <= 0;
        for (int depth = 1; depth <= last && !is_finished(); ++depth) {
            if (!search(depth)) break;
            report(depth);
            prove();
            // Once the outcome is known, its distance is in reach.
            const double share = is_proven() ? kDistanceShare : depth >= kFirstDepth ? settings_.solve_share : 0;
            if (share > 0 && !tried && !control_.stopped()) {
                tried = true;
                if (solve_position(share)) break;
            }
        }
        // A search to the end of the game does not prove draws.
        if (!tried && !is_finished()) solve_position(1);
        report(found_.depth);
    }

private:
    struct Root {
        RankedMove found;
        Child<Word> child;
        bool searched;               ///< the child is open
        std::uint64_t budget = 500;  ///< nodes of the next attempt of a proof
    };

    const Geometry<Shape>& geometry() const { return engine_.geometry_; }

    Root root_of(int column) const {
        const Word cell = board_.landings() & board_.column(column);
        const auto decided = [&](int score) {
            return Root{{column, score, score, value_of_score(score), true}, {}, false};
        };
        if (static_cast<bool>(node_.own_wins & cell)) return decided(exact::win_now(node_.left));
        Node<Word> next = node_;
        exact::play(geometry(), next, cell);
        if (static_cast<bool>(next.own_wins & geometry().landings(next.occupied)))
            return decided(-exact::win_now(next.left));
        const Child<Word> child = child_of(geometry(), node_, cell);
        if (child.decided != kInfinity) {
            const int score = child.decided > 0 ? child.decided - kWon : child.decided < 0 ? child.decided + kWon : 0;
            return decided(score);
        }
        const exact::Bounds bounds = exact::open_bounds(child.node.left);
        const int off_centre = std::abs(2 * column + 1 - geometry().shape().columns());
        const RankedMove found{column, child.ours ? bounds.lower : -bounds.upper,
                               child.ours ? bounds.upper : -bounds.lower, -off_centre, false};
        return {found, child, true};
    }

    /// By which moves are ranked: proven results by their distance, other moves by the search.
    static int rank(const RankedMove& move) {
        if (move.won()) return kWon + move.lower;
        if (move.lower == move.upper) return value_of_score(move.lower);
        if (move.lost()) return std::min(move.value, -kWon + move.upper);
        return move.value;
    }
    void sort() {
        std::stable_sort(roots_.begin(), roots_.end(), [](const Root& a, const Root& b) {
            const int of_a = rank(a.found), of_b = rank(b.found);
            return of_a != of_b ? of_a > of_b : a.found.exact && !b.found.exact;
        });
    }

    bool all_lost() const {
        return std::all_of(roots_.begin(), roots_.end(), [](const Root& root) { return root.found.lost(); });
    }
    bool is_proven() const {
        const RankedMove& best = roots_.front().found;
        if (best.lower == best.upper && solved()) return true;
        return best.won() || std::all_of(roots_.begin(), roots_.end(), [&](const Root& root) {
                   return root.found.decided() && root.found.upper <= std::max(best.lower, -1);
               });
    }
    /// Whether no other move can be better than the best.
    bool solved() const {
        return std::all_of(roots_.begin(), roots_.end(),
                           [&](const Root& root) { return root.found.upper <= roots_.front().found.lower; });
    }
    /// Whether more search would not change the move.
    bool is_finished() const {
        if (control_.stopped()) return true;
        if (settings_.all_moves)
            return std::all_of(roots_.begin(), roots_.end(),
                               [](const Root& root) { return root.found.lower == root.found.upper; });
        return roots_.front().found.won() || roots_.size() == 1 ||
               std::none_of(roots_.begin(), roots_.end(), [&](const Root& root) { return is_searched(root); });
    }
    /// A lost move is searched only when all are: for the longest resistance.
    bool is_searched(const Root& root) const {
        return root.searched && (!root.found.decided() || settings_.all_moves || all_lost());
    }

    /// Searches all moves to a depth. False if it was stopped; then only a move that has beaten the best of before
    /// counts, which was searched first.
    bool search(int depth) {
        StopFlag iteration;
        std::mutex mutex;
        std::optional<std::vector<Root>> result, unfinished;
        team_.run(
            [&](int member) {
                Searcher<Shape> searcher(shared_, histories_[static_cast<std::size_t>(member)], iteration, member == 0);
                std::vector<Root> roots = roots_;
                search_moves(searcher, depth, roots);
                const std::lock_guard lock(mutex);
                if (searcher.stopped()) {
                    if (member == 0) unfinished = std::move(roots);
                    return;
                }
                iteration.request();
                result = std::move(roots);
            },
            [&] { control_.stop(); });
        if (!result) {
            if (unfinished && !settings_.all_moves && unfinished->front().found.move != roots_.front().found.move)
                roots_ = std::move(*unfinished);
            return false;
        }
        roots_ = std::move(*result);
        sort();
        return true;
    }

    void search_moves(Searcher<Shape>& searcher, int depth, std::vector<Root>& roots) const {
        int best = -kInfinity;
        for (std::size_t i = 0; i < roots.size(); ++i) {
            Root& root = roots[i];
            if (!is_searched(root)) {
                best = std::max(best, rank(root.found));
                continue;
            }
            const int bound = settings_.all_moves ? -kInfinity : best;
            int value;
            if (bound == -kInfinity) {
                value = searcher.search_child(root.child, depth - 1, -kInfinity, kInfinity);
            } else {
                value = searcher.search_child(root.child, depth - 1, bound, bound + 1);
                if (value > bound && !searcher.stopped())
                    value = searcher.search_child(root.child, depth - 1, bound, kInfinity);
            }
            if (searcher.stopped()) return;
            root.found.value = value;
            root.found.exact = value > bound;
            // Of a move that was discarded the value is an upper bound: it proves no win.
            if (root.found.exact && value > kMaxEvaluation) root.found.lower = std::max(root.found.lower, value - kWon);
            if (value < -kMaxEvaluation) root.found.upper = std::min(root.found.upper, value + kWon);
            if (value > best) {
                best = value;
                const auto at = roots.begin() + static_cast<std::ptrdiff_t>(i);
                std::rotate(roots.begin(), at, at + 1);
            }
        }
    }

    exact::Request request(std::uint64_t nodes, double share_of_time) const {
        exact::Request request;
        const std::uint64_t left = control_.node_limit() - std::min(control_.node_limit(), control_.nodes());
        request.limits.nodes = std::max<std::uint64_t>(1, std::min(nodes, left));
        if (settings_.limits.seconds > 0)
            request.limits.seconds = std::max(1e-6, share_of_time * (settings_.limits.seconds - control_.seconds()));
        request.threads = settings_.threads;
        request.best = request.line = false;
        return request;
    }
    exact::Solution solve(const Board<Shape>& board, const exact::Request& request) {
        const exact::Solution solution = engine_.solver_.solve(board, request, [&](const exact::Solution&) {
            if (watch_) watch_(found_);
        });
        found_.proof_nodes += solution.nodes;
        control_.add_nodes(solution.nodes, true);
        return solution;
    }

    /// Attempts to solve the position with a share of what is left of the limits. True if its score and a move that
    /// keeps it are found, and the scores of all moves if they are asked for.
    bool solve_position(double share) {
        const auto nodes = static_cast<double>(control_.node_limit() - control_.nodes()) * share;
        exact::Request of_score = request(static_cast<std::uint64_t>(nodes), share);
        of_score.best = of_score.line = true;
        of_score.moves = settings_.all_moves;
        const exact::Solution solution = solve(board_, of_score);
        if (!solution.exact() || !solution.best_proven) return false;
        for (Root& root : roots_) {
            root.found.upper = std::min(root.found.upper, solution.upper);
            if (root.found.move == solution.best) root.found.lower = solution.lower;
            for (const solver::SolvedMove& move : solution.moves)
                if (move.move == root.found.move) {
                    root.found.lower = std::max(root.found.lower, move.lower);
                    root.found.upper = std::min(root.found.upper, move.upper);
                }
            root.found.exact = root.found.lower == root.found.upper;
            if (!root.found.exact) root.found.value = std::min(root.found.value, value_of_score(root.found.upper));
        }
        sort();
        const auto best = std::find_if(roots_.begin(), roots_.end(),
                                       [&](const Root& root) { return root.found.move == solution.best; });
        std::rotate(roots_.begin(), best, best + 1);  // before others of the same score
        if (!solution.proven && settings_.all_moves) return false;
        solved_line_ = solution.line;
        return true;
    }

    /// Attempts to prove the outcome of moves, with a share of the work so far.
    void prove() {
        while (!is_finished() && !is_proven()) {
            const auto of_search = static_cast<double>(control_.nodes() - found_.proof_nodes);
            if (static_cast<double>(found_.proof_nodes) >= share_ * of_search) return;
            Root* chosen = nullptr;  // of the moves with the fewest attempts the best
            for (Root& root : roots_)
                if (root.searched && !root.found.decided() && (chosen == nullptr || root.budget < chosen->budget))
                    chosen = &root;
            if (chosen == nullptr) return;
            exact::Request of_outcome = request(chosen->budget, 1);
            of_outcome.outcome_only = true;
            chosen->budget *= 2;
            Board<Shape> next = board_;
            next.play(chosen->found.move);
            const exact::Solution solution = solve(next, of_outcome);
            chosen->found.lower = std::max(chosen->found.lower, -solution.upper);
            chosen->found.upper = std::min(chosen->found.upper, -solution.lower);
            if (!chosen->found.decided()) continue;
            share_ = std::min(2 * share_, kMaxShare);
            sort();
        }
    }

    void report(int depth) {
        found_.moves.clear();
        for (const Root& root : roots_) found_.moves.push_back(root.found);
        found_.depth = depth;
        found_.proven = is_proven();
        found_.line = solved_line_.empty() ? line() : solved_line_;
        found_.nodes = control_.nodes();
        found_.seconds = control_.seconds();
        if (watch_ && depth > 0) watch_(found_);
    }

    /// The best move and what the table says comes after it.
    std::vector<int> line() const {
        std::vector<int> line{roots_.front().found.move};
        Board<Shape> board = board_;
        for (board.play(line.back()); board.moves().size() > 0; board.play(line.back())) {
            const MoveSet<Word> moves = board.decisive_moves();
            int column = moves.nth(0);
            if (moves.size() > 1) {
                const Key key = key_of(geometry(), exact::node_of(geometry(), board.own, board.occupied));
                search::TTData stored;
                if (!engine_.table_.probe(key.hash, stored) || stored.move == kNoColumn) return line;
                column = key.mirrored ? geometry().shape().columns() - 1 - stored.move : stored.move;
                if (!static_cast<bool>(board.landings() & board.column(column))) return line;
            }
            line.push_back(column);
        }
        return line;
    }

    static constexpr double kMaxShare = 1, kDistanceShare = 0.5;
    static constexpr int kFirstDepth =
        6;  ///< before the position is solved as a whole, so that there is a first result

    Engine& engine_;
    const Board<Shape> board_;
    const Settings& settings_;
    search::SearchControl& control_;
    Analysis& found_;
    const Watch& watch_;
    Shared<Shape> shared_;
    ThreadTeam team_;
    std::vector<History> histories_;  ///< of each thread
    double share_;
    Node<Word> node_;
    std::vector<Root> roots_;  ///< best first
    std::vector<int> solved_line_;
};

}  // namespace flipdrop::connect4::engine
