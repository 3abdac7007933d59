// The Othello endgame solver: the exact final score of a position, or who wins.
//
//    Solver<8> solver(256);                               // a table of 256 MB, kept from call to call
//    const Result result = solver.solve(board, {.threads = 2, .limits = {.seconds = 10}});
//    if (result.exact()) ...                              // else result.lower .. result.upper is what is proven
//
// The score is found by asking, again and again, whether it is above some bar (search.hpp), starting from the guess of
// selective searches, which also leave good moves in the table (memory-enhanced test, A. Plaat 1996). Each answer
// narrows the bounds, so there is something to say whenever time runs out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "kernel/othello/board.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/report.hpp"
#include "kernel/solver/othello/crew.hpp"
#include "kernel/solver/othello/judge.hpp"
#include "kernel/solver/othello/search.hpp"
#include "kernel/solver/othello/stability.hpp"
#include "kernel/solver/othello/table.hpp"

namespace flipdrop::othello::endgame {

/// How far a solve has come.
struct Progress {
    int lower = 0, upper = 0;       ///< proven
    int guess = 0;                  ///< of the latest selective search
    int level = 0;                  ///< of the search under way: kProven is the last
    int bar = 0;                    ///< the question under way: is the score above it?
    int best = kNoMove;             ///< the best move so far
    int moves_done = 0, moves = 0;  ///< root moves answered for this bar
    std::uint64_t nodes = 0;
    double seconds = 0;
};

struct Settings {
    int threads = 1;
    search::Limits limits{};    ///< seconds and nodes; the depth is always the end of the game
    bool outcome_only = false;  ///< only who wins: the bounds are then on one side of zero, or both zero
    bool line = true;           ///< also find the principal variation
    std::function<void(const Progress&)> progress{};  ///< called on the calling thread, about every 50 ms
};

/// What is known of a position, or of a move, for the side to move at the root.
struct Result {
    int lower = 0, upper = 0;  ///< proven bounds of the score
    int guess = 0;             ///< the score when exact, else the best guess within the bounds
    int level = 0;             ///< of the search that made the guess; kProven: the bounds are all there is to know
    int best = kNoMove;        ///< kPass for a pass, kNoMove when the game is over
    std::vector<int> line;     ///< best play to the end, as far as time allowed
    std::uint64_t nodes = 0;
    double seconds = 0;

    bool exact() const { return lower == upper; }
    /// Whether it is proven who wins.
    bool decided() const { return lower > 0 || upper < 0 || exact(); }
};

struct MoveResult {
    int move = kNoMove;
    int lower = 0, upper = 0;  ///< proven bounds of the score
    bool exact() const { return lower == upper; }
};

template <int Size, class Judge = HandMadeJudge<Size>>
class Solver {
public:
    using B = Board<Size>;
    using Watch = std::function<void()>;

    explicit Solver(std::size_t megabytes, Judge judge = {}) : table_(megabytes), judge_(std::move(judge)) {}

    void clear() { table_.clear(); }

    /// `watch` is called on the calling thread about every 50 ms; what it throws ends the solve and is passed on.
    Result solve(const B& board, const Settings& settings, Watch watch = {}) {
        Result result;
        run(board, settings, watch, [&](Run& run) { result = run.solve(); });
        return result;
    }

    /// The score of every move, best first (with equal bounds: of what could be best first).
    std::vector<MoveResult> solve_moves(const B& board, const Settings& settings, Watch watch = {}) {
        std::vector<MoveResult> results;
        run(board, settings, watch, [&](Run& run) { results = run.solve_moves(); });
        return results;
    }

private:
    using Worker = Search<Size, Judge>;

    struct Bounds {
        int lower = -kArea<Size>, upper = kArea<Size>;
    };

    /// One call of the solver, on the calling thread.
    class Run {
    public:
        Run(const B& board, const Settings& settings, search::Control& control, Worker& worker, Progress& progress)
            : board_(board), settings_(settings), control_(control), worker_(worker), progress_(progress) {
            board.moves().for_each([&](int move) { moves_.push_back({move, played(board, move)}); });
            progress_.moves = static_cast<int>(moves_.size());
            progress_.lower = -kArea<Size>;
            progress_.upper = kArea<Size>;
        }

        Result solve() {
            Result result;
            if (moves_.empty()) {
                result.lower = result.upper = result.guess = board_.final_margin();
                result.level = kProven;
                return result;
            }
            sort_moves();
            int guess = progress_.guess;
            for (int level = first_level(); level <= kProven && !control_.stopped(); ++level) {
                worker_.set_level(level);
                progress_.level = level;
                Bounds bounds;
                narrow(bounds, guess, settings_.outcome_only, level == kProven,
                       [&](int bar) { return above_at_root(bar); });
                if (control_.stopped() && level < kProven) break;
                guess = std::clamp(guess, bounds.lower, bounds.upper);
                result.level = control_.stopped() ? level - 1 : level;
                progress_.guess = guess;
            }
            result.lower = progress_.lower;
            result.upper = progress_.upper;
            result.guess = std::clamp(guess, result.lower, result.upper);
            if (result.exact() || (settings_.outcome_only && result.decided())) result.level = kProven;
            result.best = moves_.front().move;
            if (settings_.line) find_line(result);
            worker_.settle();
            result.nodes = control_.nodes();
            result.seconds = control_.seconds();
            return result;
        }

        std::vector<MoveResult> solve_moves() {
            std::vector<MoveResult> results;
            const Result best = solve();
            for (const auto& [move, child] : moves_) {
                Bounds bounds;
                if (results.empty()) {
                    bounds = {best.lower, best.upper};
                } else {
                    bounds.upper = best.upper;
                    if (!control_.stopped()) {
                        worker_.set_level(kProven);
                        int guess = best.guess - 2;
                        narrow(bounds, guess, settings_.outcome_only, false,
                               [&, &child = child](int bar) { return -worker_.above(child, -bar); });
                    }
                }
                results.push_back({move, bounds.lower, bounds.upper});
            }
            std::stable_sort(results.begin(), results.end(), [](const MoveResult& a, const MoveResult& b) {
                return std::pair(a.lower, a.upper) > std::pair(b.lower, b.upper);
            });
            return results;
        }

    private:
        struct Move {
            int move;
            B child;
        };

        static B played(B board, int move) {
            board.play(move);
            return board;
        }

        /// Positions near the end are solved before a selective search would have told anything.
        int first_level() const { return count(board_.empties()) >= kSelective ? 1 : kProven; }

        /// Asks questions until the bounds meet (or lie on one side of zero): first around the guess, then on from
        /// the answer.
        template <class Ask>
        void narrow(Bounds& bounds, int& guess, bool outcome_only, bool proven, Ask&& ask) {
            const auto decided = [&] {
                return bounds.lower == bounds.upper || (outcome_only && (bounds.lower > 0 || bounds.upper < 0));
            };
            while (!decided()) {
                int bar = guess > bounds.lower ? std::min(guess, bounds.upper) - 1 : bounds.lower + 1;
                if (outcome_only) bar = bar > 0 ? 1 : -1;
                if (outcome_only && (bar < bounds.lower || bar > bounds.upper)) bar = -bar;
                progress_.bar = bar;
                const int score = ask(bar);
                if (control_.stopped()) return;
                if (score > bar)
                    bounds.lower = std::max(bounds.lower, score);
                else
                    bounds.upper = std::min(bounds.upper, score);
                // Selective answers may contradict each other: the later one counts.
                if (bounds.lower > bounds.upper) (score > bar ? bounds.upper : bounds.lower) = score;
                guess = score;
                if (proven) {
                    progress_.lower = bounds.lower;
                    progress_.upper = bounds.upper;
                }
            }
        }

        /// The root's answer. The move that passes the bar, or else the best of those that do not, goes to the front.
        int above_at_root(int bar) {
            int best = kNone;
            progress_.moves_done = 0;
            for (std::size_t i = 0; i < moves_.size(); ++i, ++progress_.moves_done) {
                const int score = -worker_.above(moves_[i].child, -bar);
                if (control_.stopped()) return 0;
                best = std::max(best, score);
                if (score > bar) {
                    const auto at = moves_.begin() + static_cast<std::ptrdiff_t>(i);
                    std::rotate(moves_.begin(), at, at + 1);
                    progress_.best = moves_.front().move;
                    break;
                }
            }
            return best;
        }

        void sort_moves() {
            constexpr int kMost = 100 * kArea<Size>;
            const int depth = std::clamp(count(board_.empties()) / 4 - 1, 0, 6);
            std::vector<std::pair<int, Move>> judged;
            for (const auto& move : moves_) judged.push_back({-worker_.look(move.child, depth, -kMost, kMost), move});
            std::stable_sort(judged.begin(), judged.end(), [](auto& a, auto& b) { return a.first > b.first; });
            for (std::size_t i = 0; i < moves_.size(); ++i) moves_[i] = judged[i].second;
            progress_.best = moves_.front().move;
            progress_.guess = std::clamp(judged.front().first / 200 * 2, -kArea<Size>, kArea<Size>);
        }

        /// Follows moves that keep the score, asking again where the table has forgotten.
        void find_line(Result& result) {
            worker_.set_level(kProven);
            B board = board_;
            Bounds bounds{result.lower, result.upper};
            int move = result.best;
            if (!result.exact() && !(settings_.outcome_only && result.decided())) {
                result.line.push_back(move);
                return;
            }
            while (move != kNoMove) {
                result.line.push_back(move);
                board.play(move);
                bounds = {-bounds.upper, -bounds.lower};
                move = move_worth(board, bounds.lower);
                if (control_.stopped()) return;
            }
        }

        /// A move that scores at least `score`; there is one.
        int move_worth(const B& board, int score) {
            const MoveSet moves = board.moves();
            if (moves.size() == 0) return kNoMove;
            int found = kNoMove;
            const auto is_worth = [&](int move) {
                return score <= -kArea<Size> || -worker_.above(played(board, move), 1 - score) >= score;
            };
            if (moves.pass) return kPass;
            const int hint = worker_.remembered(board);
            if (hint < 64 && (moves.squares >> hint & 1) != 0 && is_worth(hint)) return hint;
            moves.for_each([&](int move) {
                if (found == kNoMove && move != hint && !control_.stopped() && is_worth(move)) found = move;
            });
            return found;
        }

        static constexpr int kSelective = 18;

        const B board_;
        const Settings& settings_;
        search::Control& control_;
        Worker& worker_;
        Progress& progress_;
        std::vector<Move> moves_;
    };

    /// Sets up limits, threads and watching around a job.
    template <class Job>
    void run(const B& board, const Settings& settings, const Watch& watch, Job&& job) {
        table_.grow_old();
        Progress progress;
        std::exception_ptr thrown;
        search::Control* told = nullptr;
        search::Control control(settings.limits, [&] {
            // Thrown through a search that other threads take part in, it would leave them behind: it is kept till the
            // end.
            try {
                if (thrown) return;
                progress.nodes = told->nodes();
                progress.seconds = told->seconds();
                if (settings.progress) settings.progress(progress);
                if (watch) watch();
            } catch (...) {
                thrown = std::current_exception();
                told->stop();
            }
        });
        told = &control;
        const int threads = std::max(settings.threads, 1);
        Crew<Size> crew(threads);
        Shared<Size> shared{control, table_, stability_, crew};
        {
            std::vector<std::jthread> helpers;
            for (int seat = 1; seat < threads; ++seat)
                helpers.emplace_back([&shared, seat, this] { Worker(shared, judge_, seat).help(); });
            Worker worker(shared, judge_, 0);
            Run run(board, settings, control, worker, progress);
            job(run);
            worker.settle();
            crew.dismiss();
        }
        if (thrown) std::rethrow_exception(thrown);
    }

    Table table_;
    Judge judge_;
    Stability<Size> stability_;
};

}  // namespace flipdrop::othello::endgame
