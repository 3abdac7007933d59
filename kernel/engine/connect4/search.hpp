// Principal variation search of the Connect Four engine, for boards that are too large to solve.
//
// As in the solver, a move is played together with the whole chain of replies that are forced after it (node.hpp of the
// solver): the search branches in open positions only, and only they count as plies of its depth. Leaves are open
// positions too, without a threat that can be carried out at once, and valued by threat parity.
//
// A value is the evaluation, in hundredths of a logit, or a proven score beyond `kWon`.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "kernel/bits.hpp"
#include "kernel/evaluation/threat_parity.hpp"
#include "kernel/parallel.hpp"
#include "kernel/search/abdada.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/transposition_table.hpp"
#include "kernel/solver/connect4/geometry.hpp"
#include "kernel/solver/connect4/node.hpp"

namespace flipdrop::connect4::engine {

using exact::Geometry;
using exact::Node;

inline constexpr int kWon = 20'000;  ///< plus the score: discs in hand, as the solver counts them
inline constexpr int kInfinity = 30'000;
inline constexpr int kMaxEvaluation = 10'000;
inline constexpr int kNoColumn = 255;

constexpr bool is_proven(int value) {
    return value > kMaxEvaluation || value < -kMaxEvaluation;
}
/// The value of a proven score.
constexpr int value_of_score(int score) {
    return score > 0 ? kWon + score : score < 0 ? -kWon + score : 0;
}

template <class Shape>
class Evaluator {
public:
    using Word = typename Shape::Word;
    using Features = ParityFeatures<Shape>;
    using Weights = typename Features::Measures;

    Evaluator(const Geometry<Shape>& geometry, const Weights& weights) : geometry_(geometry), weights_(weights) {}

    int operator()(const Node<Word>& node) const {
        const Shape& shape = geometry_.shape();
        const auto measured = Features::measure(shape, geometry_.follower(),
                                                {node.own, node.occupied ^ node.own ^ shape.forbidden(), node.occupied,
                                                 node.own_wins, node.other_wins, node.left});
        double sum = 0;
        for (std::size_t i = 0; i < measured.size(); ++i) sum += weights_[i] * measured[i];
        constexpr double kMost = kMaxEvaluation;
        return std::isnan(sum) ? 0 : static_cast<int>(std::clamp(sum, -kMost, kMost));
    }

private:
    const Geometry<Shape>& geometry_;
    Weights weights_;
};

/// A move and the forced replies to it.
template <class Word>
struct Child {
    Node<Word> node;
    int column, order;
    bool ours;    ///< the side to move in `node` is the one that made the move
    int decided;  ///< for the side that made the move; kInfinity: the node is open
};

/// Plays `cell`, after which the opponent must not be able to win at once, and what it forces.
template <class Shape>
Child<typename Shape::Word> child_of(const Geometry<Shape>& geometry, const Node<typename Shape::Word>& node,
                                     typename Shape::Word cell) {
    Child<typename Shape::Word> child{node, geometry.column_of(cell), 0, false, kInfinity};
    exact::play(geometry, child.node, cell);
    const exact::ForcedLine forced = exact::play_forced_moves(geometry, child.node);
    child.ours = forced.turned;
    if (!forced.open) child.decided = value_of_score(forced.turned ? forced.value : -forced.value);
    return child;
}

/// What the threads of one search share.
template <class Shape>
struct Shared {
    const Geometry<Shape>& geometry;
    const Evaluator<Shape>& evaluator;
    search::TranspositionTable& table;
    search::SearchControl& control;
    search::AbdadaMarks marks;  ///< enabled with several threads
};

/// The hash of a position for the table; the same for mirror images where the board has them.
struct Key {
    std::uint64_t hash;
    bool mirrored;  ///< columns in the table are those of the mirror image
};
template <class Shape>
Key key_of(const Geometry<Shape>& geometry, const Node<typename Shape::Word>& node) {
    using Word = typename Shape::Word;
    Word word = node.own | (node.occupied + geometry.shape().bottom());
    bool mirrored = false;
    if (geometry.mirrors()) {
        const Word image = geometry.mirrored(word);
        mirrored = geometry.less(image, word);
        if (mirrored) word = image;
    }
    return {hash_mix(hash_mix(0x2545f4914f6cdd1dULL, word), word), mirrored};
}

/// How often a move to a cell was good enough to end a node, by side: a guess for other positions.
class History {
public:
    int operator()(int side, int cell) const { return scores_[at(side, cell)]; }
    /// Moves the score of a cell towards the most or the least.
    void update(int side, int cell, int depth, bool good) {
        int& score = scores_[at(side, cell)];
        const int step = std::min(depth * depth, kMost / 4);
        score += good ? step - score * step / kMost : -step - score * step / kMost;
    }
    static constexpr int kMost = 256;

private:
    static std::size_t at(int side, int cell) { return static_cast<std::size_t>(side * kCells + cell); }
    static constexpr int kCells = kMaxSide * (kMaxSide + 1);
    std::array<int, 2 * kCells> scores_{};
};

/// One thread's search.
template <class Shape>
class Searcher {
public:
    using Word = typename Shape::Word;

    /// `iteration` ends the search, as the limits do.
    Searcher(Shared<Shape>& shared, History& history, const StopFlag& iteration, bool on_calling_thread)
        : geometry_(shared.geometry),
          evaluator_(shared.evaluator),
          table_(shared.table),
          marks_(shared.marks),
          history_(history),
          iteration_(iteration),
          counter_(shared.control, on_calling_thread) {}

    bool stopped() const { return stopped_; }

    /// The value of a child that is open, for the side that made its move.
    int search_child(const Child<Word>& child, int depth, int alpha, int beta) {
        return search_child(child, depth > 0 ? key_of(geometry_, child.node) : Key{}, depth, alpha, beta);
    }

private:
    static constexpr int kSharedDepth = 4;   ///< below it, marks cost more than they save
    static constexpr int kHistoryShare = 8;  ///< of the history in the order of moves

    int search_child(const Child<Word>& child, const Key& key, int depth, int alpha, int beta) {
        return child.ours ? search(child.node, key, depth, alpha, beta)
                          : -search(child.node, key, depth, -beta, -alpha);
    }

    struct Candidate {
        Child<Word> child;
        Key key;
        int cell;
    };

    /// The value of an open position to `depth`: exact between alpha and beta, a bound beyond. Meaningless once
    /// stopped.
    int search(const Node<Word>& node, const Key& key, int depth, int alpha, int beta) {
        // Step 1. The clock; the least and the most that the position can be worth.
        if (counter_.tick() || iteration_.requested()) stopped_ = true;
        if (stopped_) return 0;
        const exact::Bounds bounds = exact::open_bounds(node.left);
        alpha = std::max(alpha, value_of_score(std::min(bounds.lower, -1)));
        beta = std::min(beta, value_of_score(std::max(bounds.upper, 1)));
        if (alpha >= beta) return alpha;
        if (depth <= 0) return evaluator_(node);

        // Step 2. The transposition table: an entry of this depth, or a proven one.
        const auto table_column = [&](int column, bool mirrored) {
            return mirrored ? geometry_.shape().columns() - 1 - column : column;
        };
        int first_column = kNoColumn;
        if (search::TTData stored; table_.probe(key.hash, stored)) {
            if (stored.move != kNoColumn) first_column = table_column(stored.move, key.mirrored);
            if (cuts(stored, depth, alpha, beta)) return static_cast<int>(stored.value);
        }

        // Step 3. Follow-up may prove that the side to move cannot win.
        if (node.left % 2 == 0) {
            const int none = bounds.upper + 1;
            const int upper = geometry_.follow_up_bound(node.own, node.occupied, node.other_wins, none);
            if (upper < none) {
                const int value = value_of_score(upper);
                if (value <= alpha) return value;
                beta = std::min(beta, value);
            }
        }

        // Step 4. All moves with their forced replies, best first.
        std::array<Candidate, kMaxSide> candidates;
        std::array<Candidate*, kMaxSide> sorted;
        std::size_t size = 0;
        int best = -kInfinity, best_column = kNoColumn;
        const int side = node.left % 2;
        for (Word rest = node.moves; static_cast<bool>(rest); rest = without_lowest(rest)) {
            const Word cell = rest & ~without_lowest(rest);
            Candidate& candidate = candidates[size];
            Child<Word>& child = candidate.child;
            child = child_of(geometry_, node, cell);
            if (child.decided != kInfinity) {
                if (child.decided > best) {
                    best = child.decided;
                    best_column = child.column;
                }
                continue;
            }
            if (depth > 1) {
                candidate.key = key_of(geometry_, child.node);
                table_.prefetch(candidate.key.hash);
            }
            candidate.cell = lowest(cell);
            child.order = order(child, first_column, depth) + history_(side, candidate.cell) / kHistoryShare;
            std::size_t at = size++;
            for (; at > 0 && sorted[at - 1]->child.order < child.order; --at) sorted[at] = sorted[at - 1];
            sorted[at] = &candidate;
        }

        // Step 5. Null windows after the first move, late moves less deep at first. A move that another thread is
        // searching is postponed: its result will be in the table.
        const bool shared = marks_.enabled() && depth >= kSharedDepth;
        std::size_t put_off = 0;
        for (std::size_t i = 0; i < size + put_off && best < beta; ++i) {
            const Candidate& candidate = *sorted[i < size ? i : i - size];
            const Child<Word>& child = candidate.child;
            const std::uint64_t mark = shared ? search::AbdadaMarks::mark(key.hash, child.column) : 0;
            if (shared && 0 < i && i < size && marks_.contains(mark)) {
                sorted[put_off++] = sorted[i];  // overwrites one that is done already
                continue;
            }
            if (shared) marks_.enter(mark);
            const int bound = std::max(alpha, best);
            int value;
            if (i == 0) {
                value = search_child(child, candidate.key, depth - 1, bound, beta);
            } else {
                const int reduction = reduction_of(i, depth);
                value = search_child(child, candidate.key, depth - 1 - reduction, bound, bound + 1);
                if (value > bound && reduction > 0 && !stopped_)
                    value = search_child(child, candidate.key, depth - 1, bound, bound + 1);
                if (value > bound && value < beta && !stopped_)
                    value = search_child(child, candidate.key, depth - 1, bound, beta);
            }
            if (shared) marks_.leave(mark);
            if (stopped_) return 0;
            if (value > best) {
                best = value;
                best_column = child.column;
            }
            if (value >= beta) {
                history_.update(side, candidate.cell, depth, true);
                for (std::size_t j = 0; j < std::min(i, size); ++j)
                    if (sorted[j] != &candidate) history_.update(side, sorted[j]->cell, depth, false);
            }
        }

        // Step 6. Store.
        const search::Bound bound = best >= beta   ? search::Bound::Lower
                                    : best > alpha ? search::Bound::Exact
                                                   : search::Bound::Upper;
        const int column = best_column == kNoColumn ? kNoColumn : table_column(best_column, key.mirrored);
        table_.store(key.hash, {static_cast<search::Value>(best), static_cast<std::uint8_t>(depth),
                                static_cast<std::uint8_t>(column), bound});
        return best;
    }

    /// Whether an entry ends the node: one of this depth, or a proven win or loss of any depth.
    static bool cuts(const search::TTData& stored, int depth, int alpha, int beta) {
        const int value = static_cast<int>(stored.value);
        const bool deep = stored.depth >= depth;
        if (stored.bound == search::Bound::Exact && deep) return true;
        if (stored.bound != search::Bound::Upper && value >= beta && (deep || value > kMaxEvaluation)) return true;
        return stored.bound != search::Bound::Lower && value <= alpha && (deep || value < -kMaxEvaluation);
    }

    static int reduction_of(std::size_t index, int depth) {
        if (depth < 3 || index < 3) return 0;
        return index >= 6 && depth >= 5 ? 2 : 1;
    }

    int order(const Child<Word>& child, int first_column, int depth) const {
        if (child.column == first_column) return 1'000'000;
        const Node<Word>& node = child.node;
        const Word left = geometry_.empty(node.occupied);
        const Word ours = child.ours ? node.own : node.occupied ^ node.own ^ geometry_.shape().forbidden();
        const int threats = count(Word((child.ours ? node.own_wins : node.other_wins) & left));
        const int begun = depth > 1 ? count(geometry_.half_lines(ours, left)) : 0;
        const int choice = child.ours ? count(node.moves) : -count(node.moves);
        const int centre = std::min(child.column, geometry_.shape().columns() - 1 - child.column);
        return 32 * threats - 16 * node.left + 2 * begun + 4 * centre + choice;
    }

    const Geometry<Shape>& geometry_;
    const Evaluator<Shape>& evaluator_;
    search::TranspositionTable& table_;
    search::AbdadaMarks& marks_;
    History& history_;
    const StopFlag& iteration_;
    search::NodeCounter counter_;
    bool stopped_ = false;
};

}  // namespace flipdrop::connect4::engine
