// The Othello endgame solver: the exact final score of a position, or who wins.
//
//    Solver<8> solver(256);                               // a table of 256 MB, kept from call to call
//    const Solution found = solver.solve(board, {.limits = {.seconds = 10}, .threads = 2});
//    if (found.exact()) ...                               // else the score is in found.lower .. found.upper
//
// The score is found by a sequence of null-window tests "does it exceed a threshold?" (search.hpp), starting from the
// result of selective searches, which also leave good moves in the table (memory-enhanced test, A. Plaat 1996). Each
// test narrows the bounds, so there is a result whenever time runs out.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "kernel/othello/board.hpp"
#include "kernel/search/control.hpp"
#include "kernel/solver/othello/handcrafted_evaluator.hpp"
#include "kernel/solver/othello/pattern_evaluator.hpp"
#include "kernel/solver/othello/run_search.hpp"
#include "kernel/solver/othello/search.hpp"
#include "kernel/solver/solution.hpp"

namespace flipdrop::othello::endgame {

using solver::Request;
using solver::Solution;
using solver::Watch;

template <int Size, OrderingEvaluator<Size> Evaluator = HandcraftedEvaluator<Size>>
class Solver {
public:
    using B = Board<Size>;

    explicit Solver(std::size_t megabytes, Evaluator evaluator = {})
        : tables_(megabytes), evaluator_(std::move(evaluator)) {}

    void clear() { tables_.clear(); }

    /// Answers the request as far as the limits allow.
    Solution solve(const B& board, const Request& request = {}, const Watch& watch = {});

private:
    using Worker = Search<Size, Evaluator>;

    struct Bounds {
        int lower = -kArea<Size>, upper = kArea<Size>;
    };

    /// One call of the solver, on the calling thread.
    class Run {
    public:
        Run(const B& board, const Request& request, search::SearchControl& control, Worker& worker, Solution& found)
            : board_(board), request_(request), control_(control), worker_(worker), found_(found) {
            board.moves().for_each([&](int move) { moves_.push_back({move, played(board, move)}); });
            found_.lower = -kArea<Size>;
            found_.upper = kArea<Size>;
        }

        void solve() {
            if (moves_.empty()) {
                found_.lower = found_.upper = found_.guess = board_.final_margin();
                found_.proven = found_.best_proven = true;
                return;
            }
            sort_moves();
            int guess = found_.guess;
            for (const int selectivity : kSelectivities) {
                if (control_.stopped()) break;
                if (selectivity < first_selectivity()) continue;
                worker_.set_selectivity(selectivity);
                Bounds bounds;
                narrow(bounds, guess, selectivity == kExact, [&](int threshold) { return exceeds_at_root(threshold); });
                if (control_.stopped() && selectivity < kExact) break;
                guess = std::clamp(guess, bounds.lower, bounds.upper);
                found_.guess = guess;
            }
            found_.guess = std::clamp(guess, found_.lower, found_.upper);
            found_.proven = found_.best_proven = found_.answers(request_);
            found_.best = moves_.front().move;
            if (request_.line) find_line();
            if (request_.moves) solve_moves();
            worker_.report_nodes();
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

        /// The score of every move; of the best it is known.
        void solve_moves() {
            worker_.set_selectivity(kExact);
            for (const auto& [move, child] : moves_) {
                Bounds bounds{-kArea<Size>, found_.upper};
                if (move == found_.best && found_.proven) {
                    bounds.lower = found_.lower;
                } else if (!control_.stopped()) {
                    int guess = found_.guess - 2;
                    narrow(bounds, guess, false,
                           [&, &child = child](int threshold) { return -worker_.exceeds(child, -threshold); });
                }
                found_.moves.push_back({{bounds.lower, bounds.upper}, move});
            }
            for (const auto& move : found_.moves) found_.proven = found_.proven && move.answers(request_);
            sort_best_first(found_);
        }

        /// Near the end, an exact search takes no longer than a selective one.
        int first_selectivity() const { return count(board_.empties()) >= kSelective ? 0 : kExact; }

        /// Asks questions until the bounds meet (or lie on one side of zero): first around the guess, then on from
        /// the answer.
        template <class Ask>
        void narrow(Bounds& bounds, int& guess, bool proven, Ask&& ask) {
            const bool outcome_only = request_.outcome_only;
            const auto decided = [&] { return solver::Proof{bounds.lower, bounds.upper}.answers(request_); };
            while (!decided()) {
                int threshold = guess > bounds.lower ? std::min(guess, bounds.upper) - 1 : bounds.lower + 1;
                if (outcome_only) threshold = threshold > 0 ? 1 : -1;
                if (outcome_only && (threshold < bounds.lower || threshold > bounds.upper)) threshold = -threshold;
                const int score = ask(threshold);
                if (control_.stopped()) return;
                if (score > threshold)
                    bounds.lower = std::max(bounds.lower, score);
                else
                    bounds.upper = std::min(bounds.upper, score);
                // Selective answers may contradict each other: the later one counts.
                if (bounds.lower > bounds.upper) (score > threshold ? bounds.upper : bounds.lower) = score;
                guess = score;
                if (proven) {
                    found_.lower = bounds.lower;
                    found_.upper = bounds.upper;
                }
            }
        }

        /// The root's answer. A move that exceeds the threshold goes to the front.
        int exceeds_at_root(int threshold) {
            Children<Size> children;
            for (std::size_t i = 0; i < moves_.size(); ++i) {
                const auto& [move, child] = moves_[i];
                children.add({child.own, child.other, child.legal_squares(), 0, move, -static_cast<int>(i)});
            }
            const Searched found = worker_.exceeds(board_, children, threshold);
            if (control_.stopped() || found.best <= threshold) return found.best;
            const auto at = std::find_if(moves_.begin(), moves_.end(), [&](auto& m) { return m.move == found.move; });
            std::rotate(moves_.begin(), at, at + 1);
            found_.best = moves_.front().move;
            return found.best;
        }

        void sort_moves() {
            constexpr int kMax = 100 * kArea<Size>;
            const int depth = std::clamp(count(board_.empties()) / 4 - 1, 0, 6);
            std::vector<std::pair<int, Move>> scored;
            for (const auto& move : moves_)
                scored.push_back({-worker_.shallow_search(move.child, depth, -kMax, kMax), move});
            std::stable_sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.first > b.first; });
            for (std::size_t i = 0; i < moves_.size(); ++i) moves_[i] = scored[i].second;
            found_.best = moves_.front().move;
            found_.guess = std::clamp(scored.front().first / 200 * 2, -kArea<Size>, kArea<Size>);
        }

        /// Follows moves that keep the score, asking again where the table has forgotten.
        void find_line() {
            worker_.set_selectivity(kExact);
            B board = board_;
            Bounds bounds{found_.lower, found_.upper};
            int move = found_.best;
            if (!found_.proven) {
                found_.line.push_back(move);
                return;
            }
            while (move != kNoMove) {
                found_.line.push_back(move);
                board.play(move);
                bounds = {-bounds.upper, -bounds.lower};
                move = move_scoring(board, bounds.lower);
                if (control_.stopped()) return;
            }
        }

        /// A move that scores at least `score`; there is one.
        int move_scoring(const B& board, int score) {
            const MoveSet moves = board.moves();
            if (moves.size() == 0) return kNoMove;
            int found = kNoMove;
            const auto reaches_score = [&](int move) {
                return score <= -kArea<Size> || -worker_.exceeds(played(board, move), 1 - score) >= score;
            };
            if (moves.pass) return kPass;
            const int hint = worker_.remembered(board);
            if (hint < 64 && (moves.squares >> hint & 1) != 0 && reaches_score(hint)) return hint;
            moves.for_each([&](int move) {
                if (found == kNoMove && move != hint && !control_.stopped() && reaches_score(move)) found = move;
            });
            FLIPDROP_ASSERT(found != kNoMove || control_.stopped());
            return found;
        }

        static constexpr int kSelective = 18;
        static constexpr std::array<int, 3> kSelectivities = {0, 2, kExact};

        const B board_;
        const Request& request_;
        search::SearchControl& control_;
        Worker& worker_;
        Solution& found_;  ///< also read by the watch function
        std::vector<Move> moves_;
    };

    Tables<Size> tables_;
    Evaluator evaluator_;
};

template <int Size, OrderingEvaluator<Size> Evaluator>
Solution Solver<Size, Evaluator>::solve(const B& board, const Request& request, const Watch& watch) {
    Solution so_far;
    const auto account = [&](const search::SearchControl& control) {
        so_far.nodes = control.nodes();
        so_far.seconds = control.seconds();
    };
    run_search(
        tables_, evaluator_, request.limits, request.threads,
        [&](const search::SearchControl& control) {
            account(control);
            if (watch) watch(so_far);
        },
        [&](search::SearchControl& control, Worker& worker) {
            Run(board, request, control, worker, so_far).solve();
            account(control);
        });
    return so_far;
}

// Compiled once, in solver.cpp.
extern template Solution Solver<4>::solve(const Board<4>&, const Request&, const Watch&);
extern template Solution Solver<6>::solve(const Board<6>&, const Request&, const Watch&);
extern template Solution Solver<8>::solve(const Board<8>&, const Request&, const Watch&);
extern template Solution Solver<6, PatternEvaluator<6>>::solve(const Board<6>&, const Request&, const Watch&);
extern template Solution Solver<8, PatternEvaluator<8>>::solve(const Board<8>&, const Request&, const Watch&);

}  // namespace flipdrop::othello::endgame
