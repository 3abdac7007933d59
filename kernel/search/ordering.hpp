// Move ordering scores: the sooner the best move is searched, the more is cut off.
#pragma once

#include "kernel/bits.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/regions.hpp"

namespace flipdrop::search {

/// Higher is searched earlier. From the move alone.
template <int Size>
int static_move_score(const othello::Board<Size>&, int move) {
    if (move == othello::kPass) return 0;
    const Bits square = Bits{1} << move;
    int score = 0;
    if ((square & othello::kCorners<Size>) != 0) score += 40;
    if ((square & othello::kXSquares<Size>) != 0) score -= 30;
    if ((square & othello::corner_neighbours<Size>(othello::kCorners<Size>)) != 0) score -= 15;
    return score;
}

template <class Shape>
int static_move_score(const connect4::Board<Shape>& board, int move) {
    const int middle = 2 * move - (board.shape.columns() - 1);
    return -(middle < 0 ? -middle : middle);
}

/// To be added to the static score, for the cost of one node: makes the move.
template <int Size>
int mobility_move_score(const othello::Board<Size>& board, int move) {
    othello::Board<Size> child = board;
    child.play(move);
    // The fewer replies, and the fewer empty squares that touch our discs, the better.
    const Bits empties = child.empties();
    const Bits rows = empties | (empties & ~Bits{0x8080808080808080}) << 1 | (empties & ~Bits{0x0101010101010101}) >> 1;
    return -8 * count(child.legal_squares()) - count((rows | rows << 8 | rows >> 8) & child.other);
}

template <class Shape>
int mobility_move_score(const connect4::Board<Shape>& board, int move) {
    using Word = typename Shape::Word;
    connect4::Board<Shape> child = board;
    child.play(move);
    return 16 * count(Word(child.completing(child.other()) & ~child.occupied));
}

}  // namespace flipdrop::search
