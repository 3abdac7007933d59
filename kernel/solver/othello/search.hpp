// One thread's null-window search (defined in last_moves.hpp), to a depth or to the end of the game. A search to the
// end has the depth of the empty squares; both numbers fall together, so all nodes of a search are of one kind. To the
// end it is a sequence of functions, each for positions nearer to it. All but the last check stable discs first.
//
//    deep      table, ProbCut, moves sorted with care, shared among threads
//    shallow   a small table: what is left costs less than a look into the large one
//    last_five, last_four, solve_4 .. solve_1
//
// To a depth, `deep` is followed by `leaves`, the last plies with the evaluator at the end.
//
// Values returned after the search was stopped are meaningless: check `stopped`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/symmetry.hpp"
#include "kernel/search/control.hpp"
#include "kernel/solver/othello/last_moves.hpp"
#include "kernel/solver/othello/lazy_accumulator.hpp"
#include "kernel/solver/othello/ordering.hpp"
#include "kernel/solver/othello/ordering_evaluator.hpp"
#include "kernel/solver/othello/probcut.hpp"
#include "kernel/solver/othello/small_table.hpp"
#include "kernel/solver/othello/stability.hpp"
#include "kernel/solver/othello/table.hpp"
#include "kernel/solver/othello/ybwc.hpp"

namespace flipdrop::othello::endgame {

/// What the threads of one search share.
template <int Size>
struct Shared {
    search::SearchControl& control;
    Table& table;
    YbwcPool<Size>& pool;
};

template <int Size, OrderingEvaluator<Size> Evaluator>
class Search {
public:
    using B = Board<Size>;

    /// Slot 0 is the calling thread's. Each thread has its own small table.
    Search(Shared<Size>& shared, const Evaluator& evaluator, SmallTable<Size>& small_table, int slot)
        : shared_(shared), evaluator_(evaluator), small_table_(small_table), slot_(slot) {}
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    ~Search() { report_nodes(); }

    void set_selectivity(int selectivity) { selectivity_ = selectivity; }

    /// Whether the value returned last is meaningless.
    bool stopped() const { return shared_.control.stopped() || cut_above(); }

    /// Reports the nodes visited since the last call to the control.
    void report_nodes() {
        shared_.control.add_nodes(nodes_ - reported_, slot_ == 0);
        reported_ = nodes_;
    }

    /// Worker thread main loop.
    void worker_loop() {
        Task<Size> task;
        while (shared_.pool.next(slot_, nullptr, task, [] {})) run(task);
    }

    /// To the end of the game; the threshold is odd.
    int exceeds(const B& board, int threshold) { return exceeds(board, threshold, count(board.empties())); }

    /// To a depth, or to the end if there are no more empty squares.
    int exceeds(const B& board, int threshold, int depth) {
        const Bits empties = board.empties();
        FLIPDROP_ASSERT(depth < count(empties) || threshold % 2 != 0);
        return exceeds(board, board.legal_squares(), threshold, std::min(depth, count(empties)), count(empties),
                       odd_quadrants<Size>(empties), nullptr);
    }

    /// Principal variation search to a depth below the number of empty squares: the score if it lies between alpha and
    /// beta, else a bound beyond them. ProbCut cuts off the principal variation only.
    int pvs(const B& board, int alpha, int beta, int depth) {
        FLIPDROP_ASSERT(alpha < beta && depth < count(board.empties()));
        if (nodes_ - reported_ >= kInterval) report_nodes();
        if (stopped()) return 0;
        const Bits all = board.empties(), moves = board.legal_squares();
        if (moves == 0) {
            const B passed{board.other, board.own};
            return passed.legal_squares() == 0 ? board.final_margin() : -pvs(passed, -beta, -alpha, depth);
        }
        ++nodes_;
        if (depth <= kLeaves) {
            const int score =
                shallow_search(board, moves, evaluator_.read(board), depth, 100 * alpha - 50, 100 * beta + 50);
            return in_discs(score);
        }
        const int empties = count(all);
        const unsigned odd = odd_quadrants<Size>(all);
        const CanonicalKey canonical = canonical_key(board, empties);
        TTData known;
        if (shared_.table.probe(canonical.key, known)) {
            if (known.serves(depth, selectivity_) && known.lower == known.upper) return known.lower;
            known.move = canonical.outward(known.move);
            known.second = canonical.outward(known.second);
        }
        const std::uint64_t began = nodes_;
        Children<Size> children;
        if (!play_moves(board, moves, depth, empties, children)) return kArea<Size>;
        const LazyAccumulator of_node(evaluator_, board, nullptr);
        score_moves(board, children, known, depth, empties, odd, of_node);
        const Searched found = pvs_of_moves(children, alpha, beta, depth, empties, odd, of_node, [](int, int) {});
        if (stopped()) return 0;
        const int best = found.best, move = canonical.inward(found.move);
        if (best > alpha) shared_.table.store(canonical.key, depth, selectivity_, best - 1, best, move, nodes_ - began);
        if (best < beta) shared_.table.store(canonical.key, depth, selectivity_, best, best, move, nodes_ - began);
        return best;
    }

    /// Principal variation search of moves of `board`, or of its pass, the one with the highest score first.
    /// `improved(move, value)` is called for each move that is better than those before it. If the search is stopped,
    /// these calls stay valid.
    template <class Improved>
    int pvs(const B& board, Children<Size>& children, int alpha, int beta, int depth, Improved&& improved) {
        if (children[0].move == kPass) {
            const int value = -pvs(children[0].board(), -beta, -alpha, depth - 1);
            if (!stopped()) improved(kPass, value);
            return value;
        }
        const Bits empties = board.empties();
        return pvs_of_moves(children, alpha, beta, depth, count(empties), odd_quadrants<Size>(empties),
                            LazyAccumulator(evaluator_, board, nullptr), improved)
            .best;
    }

    /// Whether one of these moves of `board`, or its pass, searched to the end of the game, exceeds the odd threshold.
    Searched exceeds(const B& board, Children<Size>& children, int threshold) {
        if (children[0].move == kPass) return {-exceeds(children[0].board(), -threshold), kPass};
        const Bits empties = board.empties();
        Searched found;
        search_moves(children, threshold, count(empties), count(empties), odd_quadrants<Size>(empties),
                     LazyAccumulator(evaluator_, board, nullptr), found);
        return found;
    }

    /// The table's best move of a position, or kNoMove.
    int remembered(const B& board) const {
        const CanonicalKey canonical = canonical_key(board, count(board.empties()));
        TTData known;
        return shared_.table.probe(canonical.key, known) ? canonical.outward(known.move) : kNoMove;
    }

    /// Alpha-beta to `depth` plies with the evaluator at the leaves, in hundredths of a disc: exact between alpha and
    /// beta.
    int shallow_search(const B& board, int depth, int alpha, int beta) {
        return shallow_search(board, board.legal_squares(), evaluator_.read(board), depth, alpha, beta);
    }

private:
    using Accumulator = typename Evaluator::Accumulator;
    using LazyAccumulator = endgame::LazyAccumulator<Size, Evaluator>;

    int shallow_search(const B& board, Bits moves, const Accumulator& accumulator, int depth, int alpha, int beta) {
        ++nodes_;
        if (moves == 0) {
            const B passed{board.other, board.own};
            const Bits replies = passed.legal_squares();
            if (replies == 0) return 100 * board.final_margin();
            return -shallow_search(passed, replies, evaluator_.passed(accumulator), depth, -beta, -alpha);
        }
        if (depth == 0) return evaluator_.score(board, moves, accumulator);
        if (depth == 1) return last_ply(board, moves, accumulator, beta);
        if (depth >= 3 && nodes_ - reported_ >= kInterval) report_nodes();
        if (depth >= 3 && stopped()) return 0;
        Children<Size> children;
        for (; moves != 0; moves = without_lowest(moves)) {
            Child<Size> child = played(board, lowest(moves));
            child.replies = child.board().legal_squares();
            child.score = move_score<Size>(child.board(), child.replies, child.move, 0);
            children.add(child);
        }
        int best = -100 * kArea<Size> - 1;
        for (std::size_t i = 0; i < children.size() && best < beta; ++i) {
            const Child<Size>& child = children.pick(i);
            best = std::max(best,
                            -shallow_search(child.board(), child.replies, accumulator_after(board, accumulator, child),
                                            depth - 1, -beta, -std::max(alpha, best)));
        }
        return best;
    }

    /// The ply before the leaves. Corners come first, their neighbours last; a move is made when its turn comes, since
    /// an earlier one often suffices.
    int last_ply(const B& board, Bits moves, const Accumulator& accumulator, int beta) {
        constexpr int kMax = 100 * kArea<Size>;
        constexpr Bits last = kXSquares<Size> | corner_neighbours<Size>(kCorners<Size>);
        int best = -kMax - 1;
        for (Bits group : {moves & kCorners<Size>, moves & ~kCorners<Size> & ~last, moves & last})
            for (; group != 0; group = without_lowest(group)) {
                const Child<Size> child = played(board, lowest(group));
                const Accumulator of_child = accumulator_after(board, accumulator, child);
                best = std::max(
                    best, -shallow_search(child.board(), child.board().legal_squares(), of_child, 0, -kMax, kMax));
                if (best >= beta) return best;
            }
        return best;
    }

    Accumulator accumulator_after(const B& board, const Accumulator& accumulator, const Child<Size>& child) const {
        return evaluator_.after(accumulator, child.move, board.other ^ child.own);
    }

    // Chosen by node counts and times on positions of the FFO test suite; neighbouring values are within some percent.
    static constexpr int kShallow = 9;  ///< with at most this many empty squares, only the small table is used
    static constexpr int kEvaluatedEmpties = 13;  ///< with at least this many, the evaluator orders the moves
    static constexpr int kBad = 1000;       ///< moves worse than the best by more are not ordered among each other
    static constexpr int kFirst = 1 << 30;  ///< the score of the table's move
    static constexpr int kLeaves = 2;       ///< plies of a search to a depth that use no table
    /// From these depths on, to the end and otherwise, nodes are split and a selective search uses ProbCut.
    static constexpr int kSharedEmpties = 12, kSharedDepth = 5;
    static constexpr int kProbedEmpties = 10, kProbedDepth = 3;
    static_assert(kProbedEmpties > kShallow, "the small table knows no selectivities: what it keeps is proven");
    static constexpr double kStaticDoubt = 0.7;  ///< a factor of the static score's margin before a probe
    static constexpr int kSymmetric = 12;        ///< with at most this many discs, symmetric positions share an entry
    /// Stable discs are counted only if the threshold is at least this times the empty squares less one.
    static constexpr int kStabilityBar = 2;
    static constexpr std::uint64_t kInterval = 4096;  ///< nodes between two polls of the clock

    static Child<Size> played(const B& board, int move) {
        const Bits turned = flips(board.own, board.other, move);
        return {board.other ^ turned, board.own ^ (turned | Bits{1} << move), 0, 0, move, 0};
    }
    static unsigned parity_after(unsigned odd, int move) { return odd ^ kQuadrant<Size>[static_cast<unsigned>(move)]; }

    bool cut_above() const {
        for (const SplitPoint* split = split_; split != nullptr; split = split->parent)
            if (split->cut.load(std::memory_order_relaxed)) return true;
        return false;
    }

    /// An upper bound of the score from the opponent's stable discs, counted where there may be enough of them for a
    /// cut-off; else kArea.
    static int stability_bound(const B& board, int threshold, int empties) {
        const int enough = (kArea<Size> - threshold) / 2 + 1;
        if (threshold < kStabilityBar * (empties - 1) || count(board.other) < enough) return kArea<Size>;
        return kArea<Size> - 2 * count(OpenLines<Size>(board.empties()).stable(board.other, enough));
    }

    /// `accumulator` is the board's, if the caller has it.
    int exceeds(const B& board, Bits moves, int threshold, int depth, int empties, unsigned odd,
                const Accumulator* accumulator) {
        if (depth < empties) {
            if (depth > kLeaves) return deep(board, moves, threshold, depth, empties, odd, accumulator);
            return leaves(board, moves, threshold, depth, accumulator);
        }
        if (empties > kShallow) return deep(board, moves, threshold, empties, empties, odd, accumulator);
        if (empties > 4) return shallow(board, moves, threshold, empties, odd);
        return solve_last<Size>(board, threshold, nodes_);
    }

    /// The opponent's threshold. Scores of searches to a depth may be odd, and then equal a threshold.
    static int opposite(int threshold, bool to_end) { return to_end ? -threshold : -threshold - 1; }

    /// The last plies of a search to a depth: in whole discs, from a search in hundredths.
    int leaves(const B& board, Bits moves, int threshold, int depth, const Accumulator* accumulator) {
        const int limit = 100 * threshold + (threshold >= 0 ? 50 : 51);  // the lowest score that rounds to more
        const LazyAccumulator of_node(evaluator_, board, accumulator);
        const int score = shallow_search(board, moves, of_node.get(), depth, limit - 1, limit);
        return score >= limit ? std::max(in_discs(score), threshold + 1) : std::min(in_discs(score), threshold);
    }
    /// Rounded away from zero, so that both sides see the same value, and no more than a game can end with.
    static int in_discs(int hundredths) {
        return std::clamp((hundredths + (hundredths >= 0 ? 50 : -50)) / 100, -kArea<Size>, kArea<Size>);
    }

    int shallow(const B& board, Bits moves, int threshold, int empties, unsigned odd) {
        // Step 1. Stability cut-off.
        if (const int most = stability_bound(board, threshold, empties); most < threshold) return most;
        // Step 2. No move: pass, or the end.
        if (moves == 0) {
            const B passed{board.other, board.own};
            const Bits replies = passed.legal_squares();
            return replies == 0 ? board.final_margin() : -shallow(passed, replies, -threshold, empties, odd);
        }
        if (empties == 5) return last_five(board, moves, threshold, odd);
        // Step 3. The small table.
        auto& entry = small_table_.of(board);
        if (entry.is(board)) {
            if (entry.lower > threshold) return entry.lower;
            if (entry.upper < threshold) return entry.upper;
        }
        const int score = shallow_sorted(board, moves, threshold, empties, odd);
        entry.add(board, threshold, score);
        return score;
    }

    /// Sorted by parity alone.
    int last_five(const B& board, Bits moves, int threshold, unsigned odd) {
        int best = kNone;
        const Bits first = moves & kQuadrantSquares<Size>[odd];
        for (Bits group : {first, moves & ~first})
            for (; group != 0; group = without_lowest(group)) {
                const Child<Size> child = played(board, lowest(group));
                ++nodes_;
                const int score = -last_four(child.board(), -threshold);
                if (score > best) {
                    best = score;
                    if (best > threshold) return best;
                }
            }
        return best;
    }

    int last_four(const B& board, int threshold) {
        if (const int most = stability_bound(board, threshold, 4); most < threshold) return most;
        return solve_4<Size>(board.own, board.other, threshold, ordered_four<Size>(board.empties()), nodes_);
    }

    int shallow_sorted(const B& board, Bits moves, int threshold, int empties, unsigned odd) {
        Children<Size> children;
        for (; moves != 0; moves = without_lowest(moves)) {
            Child<Size> child = played(board, lowest(moves));
            child.replies = child.board().legal_squares();
            child.score = fast_move_score<Size>(child.replies, child.move, odd);
            children.add(child);
        }
        int best = kNone;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Child<Size>& child = children.pick(i);
            ++nodes_;
            const int score =
                -shallow(child.board(), child.replies, -threshold, empties - 1, parity_after(odd, child.move));
            if (score > best) {
                best = score;
                if (best > threshold) return best;
            }
        }
        return best;
    }

    int deep(const B& board, Bits moves, int threshold, int depth, int empties, unsigned odd,
             const Accumulator* accumulator) {
        const bool to_end = depth == empties;
        // Step 1. Limits, and cut-offs found by other threads.
        if (nodes_ - reported_ >= kInterval) report_nodes();
        if (stopped()) return 0;
        const std::uint64_t began = nodes_;

        // Step 2. Stability cut-off.
        if (const int most = stability_bound(board, threshold, empties); most <= threshold) return most;

        // Step 3. No move: pass, or the end.
        if (moves == 0) {
            const B passed{board.other, board.own};
            const Bits replies = passed.legal_squares();
            return replies == 0 ? board.final_margin()
                                : -deep(passed, replies, opposite(threshold, to_end), depth, empties, odd, nullptr);
        }

        // Step 4. The transposition table: a bound may end the node, else its moves come first.
        const CanonicalKey canonical = canonical_key(board, empties);
        TTData known;
        if (shared_.table.probe(canonical.key, known)) {
            if (known.serves(depth, selectivity_)) {
                if (known.lower > threshold) return known.lower;
                if (known.upper <= threshold) return known.upper;
            }
            known.move = canonical.outward(known.move);
            known.second = canonical.outward(known.second);
        }

        // Step 5. ProbCut: cut when the shallow search is far enough outside the window.
        const LazyAccumulator of_node(evaluator_, board, accumulator);
        if (selectivity_ < kExact && depth >= (to_end ? kProbedEmpties : kProbedDepth)) {
            int bound;
            if (probcut(board, moves, threshold, depth, empties, of_node.get(), bound)) return bound;
        }

        // Step 6. Play the moves. One that leaves the opponent without discs cannot be beaten.
        Children<Size> children;
        if (!play_moves(board, moves, depth, empties, children)) return kArea<Size>;

        // Step 7. Enhanced transposition cut-off: a child's bound may end the node.
        if (children_in_table(depth, to_end)) {
            for (const auto& child : children) {
                TTData of_child;
                if (shared_.table.probe(child.key, of_child) && of_child.serves(depth - 1, selectivity_) &&
                    -of_child.upper > threshold)
                    return -of_child.upper;
            }
        }

        // Step 8. Sort.
        score_moves(board, children, known, depth, empties, odd, of_node);

        // Step 9. Search them: the first move alone, the others shared with idle threads.
        Searched found;
        search_moves(children, threshold, depth, empties, odd, of_node, found);
        if (stopped()) return 0;

        // Step 10. Store.
        shared_.table.store(canonical.key, depth, selectivity_, threshold, found.best, canonical.inward(found.move),
                            nodes_ - began);
        return found.best;
    }

    /// Searches the moves that are not refuted, those with high scores first, until one exceeds the threshold. The
    /// first move of a node is searched alone, the others are shared with idle threads.
    void search_moves(Children<Size>& children, int threshold, int depth, int empties, unsigned odd,
                      const LazyAccumulator& of_node, Searched& found) {
        const bool to_end = depth == empties;
        const bool may_share = shared_.pool.threads() > 1 && depth >= (to_end ? kSharedEmpties : kSharedDepth);
        SplitPoint split;
        bool shared = false;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Child<Size>& child = children.pick(i);
            if ((found.refuted >> child.move & 1) != 0) continue;
            if (may_share && i > 0 && i + 1 < children.size() && shared_.pool.has_idle()) {
                if (!shared) {
                    shared = true;
                    split.parent = split_;
                    split.threshold = threshold;
                    split.depth = depth;
                    split.to_end = to_end;
                    split.selectivity = selectivity_;
                    split.found = found;
                }
                if (shared_.pool.offer({child.board(), child.move, &split})) continue;
            }
            if (shared) split_ = &split;
            ++nodes_;
            Accumulator of_child;
            const bool evaluated = of_node.is_known() && (!to_end || empties > kProbedEmpties);
            if (evaluated) of_child = accumulator_after(of_node.board(), of_node.get(), child);
            const int score = -exceeds(child.board(), child.replies, opposite(threshold, to_end), depth - 1,
                                       empties - 1, parity_after(odd, child.move), evaluated ? &of_child : nullptr);
            if (shared) split_ = split.parent;
            if (shared) {
                if (split.cut.load(std::memory_order_relaxed) || stopped()) break;
                if (shared_.pool.add_own(split, score, child.move) > threshold) break;
            } else {
                if (stopped()) return;
                found.add(score, child.move, threshold);
                if (score > threshold) return;
            }
        }
        if (shared) {
            wait_for_helpers(split);
            found = split.found;
        }
    }

    /// Principal variation search of the moves of a node. The first move gets the whole window. The others are tested
    /// against the best value so far; one that exceeds it is searched again.
    template <class Improved>
    Searched pvs_of_moves(Children<Size>& children, int alpha, int beta, int depth, int empties, unsigned odd,
                          const LazyAccumulator& of_node, Improved&& improved) {
        Searched best;
        for (int move = children.pick(0).move;;) {
            const auto* child = std::find_if(children.begin(), children.end(), [&](auto& c) { return c.move == move; });
            const int score = -pvs(child->board(), -beta, -std::max(alpha, best.best), depth - 1);
            if (stopped()) return best;
            best.refuted |= Bits{1} << move;
            if (score > best.best) {
                best.best = score;
                best.move = move;
                improved(move, score);
            }
            if (best.best >= beta) return best;
            const int bound = std::max(alpha, best.best);
            Searched found = best;
            search_moves(children, bound, depth, empties, odd, of_node, found);
            if (stopped()) return best;
            if (found.best <= bound) return found;
            best.refuted = found.refuted;
            move = found.move;
        }
    }

    static bool children_in_table(int depth, bool to_end) { return depth - 1 > (to_end ? kShallow : kLeaves); }

    /// The positions after the moves. False if one of them leaves the opponent without discs.
    bool play_moves(const B& board, Bits moves, int depth, int empties, Children<Size>& children) {
        const bool in_table = children_in_table(depth, depth == empties);
        for (; moves != 0; moves = without_lowest(moves)) {
            Child<Size> child = played(board, lowest(moves));
            if (child.own == 0) return false;
            if (in_table) {
                child.key = canonical_key(child.board(), empties - 1).key;
                shared_.table.prefetch(child.key);
            }
            children.add(child);
        }
        return true;
    }

    /// The table's moves first, the others by a shallow search or near the end by their replies.
    void score_moves(const B& board, Children<Size>& children, const TTData& known, int depth, int empties,
                     unsigned odd, const LazyAccumulator& of_node) {
        for (auto& child : children) {
            child.replies = child.board().legal_squares();
            if (child.move == known.move)
                child.score = kFirst;
            else if (child.move == known.second)
                child.score = kFirst - 1;
            else
                child.score = move_score<Size>(child.board(), child.replies, child.move, odd);
        }
        if (depth < empties)
            score_with_evaluator(board, of_node.get(), children, 0);
        else if (empties >= kEvaluatedEmpties)
            score_with_evaluator(
                board, of_node.get(), children,
                std::min((empties - kEvaluatedEmpties) / Evaluator::kEmptiesToPly, Evaluator::kMaxPlies));
    }

    /// The table's key of a position. In the opening, symmetric positions share a key, and the stored moves are those
    /// of one of them.
    struct CanonicalKey {
        std::uint64_t key;
        int symmetry;

        int inward(int move) const { return turned(move, symmetry); }
        int outward(int move) const {
            constexpr std::array<int, 8> inverse = {0, 1, 2, 3, 4, 6, 5, 7};
            return turned(move, inverse[static_cast<unsigned>(symmetry)]);
        }
        static int turned(int move, int by) {
            return by == 0 || move >= 64 ? move : lowest(transformed<Size>(Bits{1} << move, by));
        }
    };
    static CanonicalKey canonical_key(const B& board, int empties) {
        if (kArea<Size> - empties > kSymmetric) return {board.key(), 0};
        B least = board;
        int symmetry = 0;
        for (int s = 1; s < kSymmetries; ++s) {
            const B image{transformed<Size>(board.own, s), transformed<Size>(board.other, s)};
            if (image.own < least.own || (image.own == least.own && image.other < least.other)) {
                least = image;
                symmetry = s;
            }
        }
        return {least.key(), symmetry};
    }

    /// Scores the moves that do not come from the table by a search of `depth` plies, or less than a ply: by the static
    /// score. Few replies count extra: such moves have smaller trees. Bad moves are not ordered among each other.
    void score_with_evaluator(const B& board, const Accumulator& accumulator, Children<Size>& children, int depth) {
        constexpr int kMax = 100 * kArea<Size>;
        int best = -kMax;
        for (std::size_t i = 0; i < children.size(); ++i) {
            children.pick(i);
            Child<Size>& child = children[i];
            if (child.score >= kFirst - 1) continue;
            const int beta = std::min(kMax, kBad - best);
            const int score =
                -shallow_search(child.board(), child.replies, accumulator_after(board, accumulator, child),
                                std::max(depth, 0), -kMax, beta);
            best = std::max(best, score);
            child.score = score + Evaluator::kReplies * child.score;
        }
    }

    /// ProbCut: true, with a bound on one side of the threshold, if a search of fewer plies is far enough beyond it for
    /// this selectivity.
    bool probcut(const B& board, Bits moves, int threshold, int depth, int empties, const Accumulator& accumulator,
                 int& bound) {
        const int probe = depth == empties ? end_probe_depth(empties) : probe_depth(depth);
        const double deviations = kDeviations[static_cast<unsigned>(selectivity_)];
        const int margin = static_cast<int>(std::ceil(deviations * evaluator_.sigma(empties, depth, probe)));
        // The probe is expensive: only where the static score is not far on the other side of its window.
        const int score = in_discs(evaluator_.score(board, moves, accumulator));
        const int doubt = static_cast<int>(std::ceil(deviations * evaluator_.sigma(empties, probe, 0) * kStaticDoubt));
        const int above = threshold + margin;
        if (above < kArea<Size> && score > above - doubt) {
            if (exceeds_shallow(board, moves, above, probe, empties, accumulator) > above) {
                bound = threshold + 1;
                return true;
            }
            if (stopped()) return false;
        }
        const int below = threshold - margin;
        if (below > -kArea<Size> && score < below + doubt) {
            if (exceeds_shallow(board, moves, below, probe, empties, accumulator) <= below && !stopped()) {
                bound = depth == empties ? threshold - 1 : threshold;  // scores of finished games are even
                return true;
            }
        }
        return false;
    }

    /// A probe, which is never a search to the end.
    int exceeds_shallow(const B& board, Bits moves, int threshold, int depth, int empties,
                        const Accumulator& accumulator) {
        return exceeds(board, moves, threshold, depth, empties, odd_quadrants<Size>(board.empties()), &accumulator);
    }

    void run(const Task<Size>& task) {
        const SplitPoint* const outer = split_;
        const int outer_selectivity = selectivity_;
        split_ = task.split;
        selectivity_ = task.split->selectivity;
        ++nodes_;
        const int score =
            -exceeds(task.board, opposite(task.split->threshold, task.split->to_end), task.split->depth - 1);
        const bool valid = !stopped();
        split_ = outer;
        selectivity_ = outer_selectivity;
        report_nodes();
        shared_.pool.answer(task, valid, score);
    }

    void wait_for_helpers(SplitPoint& split) {
        Task<Size> task;
        while (shared_.pool.next(slot_, &split, task, [this] { report_nodes(); })) run(task);
    }

    Shared<Size>& shared_;
    Evaluator evaluator_;
    SmallTable<Size>& small_table_;
    int slot_;
    int selectivity_ = kExact;
    const SplitPoint* split_ = nullptr;  ///< the nearest split point above the current node
    std::uint64_t nodes_ = 0, reported_ = 0;
};

}  // namespace flipdrop::othello::endgame
