// The null-window search: is the score of an open position greater than alpha?
//
// The caller narrows the bounds (solver.hpp). Before any move is searched, every move is played to the end of its chain
// of forced replies, bounded without search, and looked up in the table; one move that is good enough ends the node,
// those that cannot be are dropped, and the rest is searched best first.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>

#include "kernel/bits.hpp"
#include "kernel/search/abdada.hpp"
#include "kernel/search/control.hpp"
#include "kernel/solver/connect4/geometry.hpp"
#include "kernel/solver/connect4/node.hpp"
#include "kernel/solver/connect4/table.hpp"

namespace flipdrop::connect4::exact {

/// What the threads of one solve share besides the table.
struct SharedState {
    search::AbdadaMarks marks{};                      ///< enabled once there are several threads
    alignas(64) std::atomic<std::uint64_t> round{0};  ///< the number of the current question; a thread that works on
                                                      ///< an earlier one stops
};

template <class Shape>
class Searcher {
public:
    using Word = typename Shape::Word;

    Searcher(const Geometry<Shape>& geometry, Table<Shape>& table, SharedState& state, search::NodeCounter& counter)
        : geometry_(geometry), table_(table), state_(state), counter_(counter) {}

    /// As `search` below. Empty if the search was stopped or took more than `most_nodes`, or if another thread has
    /// started a round other than `round`.
    std::optional<int> answer(const Node<Word>& node, int alpha, std::uint64_t round, std::uint64_t most_nodes) {
        FLIPDROP_ASSERT(count(node.moves) >= 2);  // the node is open
        round_ = round;
        last_node_ = counter_.nodes() + most_nodes;
        stopped_ = false;
        const int value = search(node, slot_of(node), alpha);
        return stopped_ ? std::nullopt : std::optional(value);
    }
    std::uint64_t nodes() const { return counter_.nodes(); }
    TTSlot slot_of(const Node<Word>& node) const { return table_.slot(geometry_.key(node.own, node.occupied)); }

private:
    struct Child {
        Node<Word> node;
        TTSlot slot;
        int column, order;
        bool ours;  ///< the side to move is the parent's
    };
    /// The result of the moves searched or dropped so far.
    struct Best {
        int value = -1000, column = kNoColumn;
        bool cut = false;  ///< greater than alpha: the node is done
    };

    // Looking up a smaller tree costs more than searching it: 8 saves a sixth of the nodes, and no time.
    static constexpr int kTableLeft = 10;
    static constexpr int kSharedLeft = 16;  ///< fewer empty cells make trees too small to share
    static constexpr int kNoColumn = 31;

    /// A bound of the score of `node`, an open position: a lower one if it is greater than `alpha`, else an upper one.
    /// Meaningless once the search is `stopped`.
    int search(const Node<Word>& node, const TTSlot& slot, int alpha) {
        // Step 1. The clock, and the limit of nodes.
        if (counter_.tick() || counter_.nodes() > last_node_ || state_.round.load(std::memory_order_relaxed) != round_)
            stopped_ = true;
        if (stopped_) return 0;
        const std::uint64_t nodes_before = counter_.nodes();

        // Step 2. A stored bound may end the node.
        const bool remembered = node.left >= kTableLeft;
        Bounds bounds = open_bounds(node.left);
        TTData entry{bounds.lower, bounds.upper, kNoColumn, 0};
        if (remembered && table_.probe(slot, entry)) {
            if (entry.lower > alpha) return entry.lower;
            if (entry.upper <= alpha) return entry.upper;
            bounds = {entry.lower, entry.upper};
        }

        // Step 3. Play every move to the end of its forced replies. One that is good enough without search ends the
        // node; of the others, only those that may yet be are kept.
        std::array<Child, kMaxSide> children;
        std::size_t kept = 0;
        Best best;
        for (Word rest = node.moves; static_cast<bool>(rest) && !best.cut; rest = without_lowest(rest)) {
            Child& child = children[kept];
            child.node = node;
            const Word cell = rest & ~without_lowest(rest);
            play(geometry_, child.node, cell);
            const ForcedLine forced_line = play_forced_moves(geometry_, child.node);
            child.column = geometry_.column_of(cell);
            child.ours = forced_line.turned;
            const Bounds of_child = forced_line.open ? static_bounds(child.node, child.ours ? alpha : -alpha - 1)
                                                     : Bounds{forced_line.value, forced_line.value};
            if (!undecided(child, of_child, alpha, best)) continue;
            if (child.node.left >= kTableLeft) {
                child.slot = slot_of(child.node);
                table_.prefetch(child.slot);
            }
            child.order = order(child, entry.column);  // now, while the memory is on its way
            ++kept;
        }

        // Step 4. Look the rest up: again one may be good enough, and others drop out. Sort what is left.
        std::array<Child*, kMaxSide> sorted;
        std::size_t open = 0;
        for (std::size_t i = 0; i < kept && !best.cut; ++i) {
            Child& child = children[i];
            if (TTData of_child; child.node.left >= kTableLeft && table_.probe(child.slot, of_child) &&
                                 !undecided(child, {of_child.lower, of_child.upper}, alpha, best))
                continue;
            std::size_t at = open++;
            for (; at > 0 && sorted[at - 1]->order < child.order; --at) sorted[at] = sorted[at - 1];
            sorted[at] = &child;
        }

        // Step 5. Search, best first. Moves that another thread is searching come last, except the first move.
        std::size_t put_off = 0;
        for (std::size_t i = 0; i < open + put_off && !best.cut; ++i) {
            Child& child = *sorted[i < open ? i : i - open];
            const bool shared = state_.marks.enabled() && child.node.left >= kSharedLeft;
            if (shared && 0 < i && i < open && state_.marks.contains(child.slot.hash())) {
                sorted[put_off++] = &child;  // overwrites one that is done already
                continue;
            }
            if (shared) state_.marks.enter(child.slot.hash());
            const int value =
                child.ours ? search(child.node, child.slot, alpha) : -search(child.node, child.slot, -alpha - 1);
            if (shared) state_.marks.leave(child.slot.hash());
            if (stopped_) return 0;
            if (value > best.value) best = {value, child.column, value > alpha};
        }

        // Step 6. Store. When all moves fail, the one that failed least is no better guess for the next question.
        const int value = std::clamp(best.value, bounds.lower, bounds.upper);
        if (remembered) {
            (best.cut ? bounds.lower : bounds.upper) = value;
            const int effort = 64 - std::countl_zero(counter_.nodes() - nodes_before);
            table_.store(slot, {bounds.lower, bounds.upper, best.cut ? best.column : entry.column, effort});
        }
        return value;
    }

    /// Bounds of an open position without search, as far as they matter to whether its score is greater than `alpha`.
    Bounds static_bounds(const Node<Word>& node, int alpha) const {
        Bounds bounds = open_bounds(node.left);
        const Word left = geometry_.empty(node.occupied);
        const Word other = node.occupied ^ node.own ^ geometry_.shape().forbidden();
        // Without a line left to fill, a side cannot win any more.
        if (!geometry_.has_four(node.own | left)) bounds.upper = std::min(bounds.upper, 0);
        if (!geometry_.has_four(other | left)) bounds.lower = std::max(bounds.lower, 0);
        if (node.left % 2 == 0 && bounds.upper > alpha)
            bounds.upper = std::min(bounds.upper,
                                    geometry_.follow_up_bound(node.own, node.occupied, node.other_wins, bounds.upper));
        return bounds;
    }

    /// Whether a child with these bounds still has to be searched; if not, updates `best`.
    static bool undecided(const Child& child, Bounds of_child, int alpha, Best& best) {
        const Bounds bounds = child.ours ? of_child : Bounds{-of_child.upper, -of_child.lower};
        if (bounds.lower > alpha)
            best = {bounds.lower, child.column, true};
        else if (bounds.upper > alpha)
            return true;
        else if (bounds.upper > best.value)
            best = {bounds.upper, child.column, false};
        return false;
    }

    /// How promising a move is: first the table's. Then threats count most, and long chains of forced replies; then
    /// beginnings of lines, the centre, and how little choice the opponent has. The weights were found by counting
    /// nodes; a centre of no weight doubles them, and twice or half of any weight costs a few per cent.
    int order(const Child& child, int table_column) const {
        if (child.column == table_column) return 1'000'000;
        const Node<Word>& node = child.node;
        const Word left = geometry_.empty(node.occupied);
        const Word ours = child.ours ? node.own : node.occupied ^ node.own ^ geometry_.shape().forbidden();
        const int threats = count(Word((child.ours ? node.own_wins : node.other_wins) & left));
        const int begun = count(geometry_.half_lines(ours, left));
        const int choice = child.ours ? count(node.moves) : -count(node.moves);
        const int centre = std::min(child.column, geometry_.shape().columns() - 1 - child.column);
        return 32 * threats - 16 * node.left + 2 * begun + 4 * centre + choice;
    }

    const Geometry<Shape>& geometry_;
    Table<Shape>& table_;
    SharedState& state_;
    search::NodeCounter& counter_;
    std::uint64_t round_ = 0, last_node_ = 0;
    bool stopped_ = false;
};

}  // namespace flipdrop::connect4::exact
