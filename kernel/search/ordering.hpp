// Which moves to look at first: cheap guesses, for the sooner the best move is searched the more is cut off.
#pragma once

#include "kernel/bits.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/regions.hpp"

namespace flipdrop::search {

/// Higher is searched earlier; `child` is the board after `move`. With `careful`, the guess may cost as much as a node.
template <int Size>
int order_score(const othello::Board<Size>&, const othello::Board<Size>& child, int move, bool careful) {
    if (move == othello::kPass) return 0;
    const Bits square = Bits{1} << move;
    int score = 0;
    if ((square & othello::kCorners<Size>) != 0) score += 40;
    if ((square & othello::kXSquares<Size>) != 0) score -= 30;
    if ((square & othello::corner_neighbours<Size>(othello::kCorners<Size>)) != 0) score -= 15;
    if (careful) {
        // The fewer replies, and the fewer empty squares that touch our discs, the better.
        score -= 8 * count(child.placements());
        const Bits empties = child.empties();
        const Bits rows =
            empties | (empties & ~Bits{0x8080808080808080}) << 1 | (empties & ~Bits{0x0101010101010101}) >> 1;
        score -= count((rows | rows << 8 | rows >> 8) & child.other);
    }
    return score;
}

template <class Shape>
int order_score(const connect4::Board<Shape>& board, const connect4::Board<Shape>& child, int move, bool careful) {
    const int middle = 2 * move - (board.shape.columns() - 1);
    int score = -(middle < 0 ? -middle : middle);
    if (careful) {
        using Word = typename Shape::Word;
        const Word threats = child.completing(child.other()) & child.shape.cells() & ~child.occupied;
        score += 16 * count(threats);
    }
    return score;
}

}  // namespace flipdrop::search
