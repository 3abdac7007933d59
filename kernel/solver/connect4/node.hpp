// A position inside the search: what both sides threaten, and the moves that do not lose at once.
//
// Most of the tree is never searched. A side that has only one move that does not lose at once has to play it, and so
// on: such chains are played to their end on the spot (`play_forced_moves`), and end in a decided game or in an *open*
// position, in which the side to move has at least two moves to choose from, cannot win with the next disc, nor can the
// opponent not with the one after it. Only open positions are searched, stored and looked up.
//
// Scores are in discs in hand: a win is worth the number of discs that the winner had not yet played before its last
// one, so that a win with the very last disc counts 1; a loss is the negative of that, and a draw 0. With `left` cells
// to fill, a side to move that wins at once has (left + 1) / 2 discs in hand.
#pragma once

#include <algorithm>

#include "kernel/bits.hpp"
#include "kernel/solver/connect4/geometry.hpp"

namespace flipdrop::connect4::exact {

constexpr int win_now(int left) {
    return (left + 1) / 2;
}
/// The opponent wins with its next disc.
constexpr int loss_next(int left) {
    return -(left / 2);
}

template <class Word>
struct Node {
    Word own, occupied;         ///< discs of the side to move; of both, with the forbidden cell
    Word own_wins, other_wins;  ///< cells that complete a line; occupied ones among them mean nothing
    Word moves;                 ///< landing cells that do not lose at once
    int left;                   ///< empty cells
};

template <class Shape>
Node<typename Shape::Word> node_of(const Geometry<Shape>& geometry, typename Shape::Word own,
                                   typename Shape::Word occupied) {
    const auto other = occupied ^ own ^ geometry.shape().forbidden();
    return {own,
            occupied,
            geometry.completing(own),
            geometry.completing(other),
            typename Shape::Word{0},
            count(geometry.empty(occupied))};
}

/// Drops a disc into `cell`; the other side is to move then.
template <class Shape>
[[gnu::always_inline]] inline void play(const Geometry<Shape>& geometry, Node<typename Shape::Word>& node,
                                        typename Shape::Word cell) {
    FLIPDROP_ASSERT(count(cell) == 1 && static_cast<bool>(cell & geometry.landings(node.occupied)));
    const auto mover = node.own | cell;
    node.own = node.occupied ^ node.own ^ geometry.shape().forbidden();
    node.occupied |= cell;
    node.own_wins = node.other_wins;
    node.other_wins = geometry.completing(mover);
    --node.left;
}

struct ForcedLine {
    bool open;    ///< nothing is decided yet; else `value` is the score for the side to move
    bool turned;  ///< an odd number of discs was played on the way
    int value;
};

/// Plays while there is one move only that does not lose at once. The side to move must not be able to win at once.
template <class Shape>
ForcedLine play_forced_moves(const Geometry<Shape>& geometry, Node<typename Shape::Word>& node) {
    FLIPDROP_ASSERT(!static_cast<bool>(node.own_wins & geometry.landings(node.occupied)));
    bool turned = false;
    for (;; turned = !turned) {
        const auto landings = geometry.landings(node.occupied);
        const auto forced = node.other_wins & landings;
        auto safe = landings & ~geometry.below(node.other_wins);
        if (static_cast<bool>(forced)) {
            if (static_cast<bool>(without_lowest(forced))) return {false, turned, loss_next(node.left)};
            safe &= forced;
        }
        if (!static_cast<bool>(safe)) return {false, turned, loss_next(node.left)};  // 0 on a full board
        node.moves = safe;
        if (static_cast<bool>(without_lowest(safe))) return {true, turned, 0};
        play(geometry, node, safe);
    }
}

/// What may still be the score of an open position.
struct Bounds {
    int lower, upper;
};

/// The side to move wins at the earliest with its second disc, and loses at the earliest by the opponent's second.
constexpr Bounds open_bounds(int left) {
    return {-((left - 2) / 2), (left - 1) / 2};
}

}  // namespace flipdrop::connect4::exact
