// An evaluator guesses the final score of a position. It never decides anything that is proven: it orders the moves far
// from the end of the game, and tells a selective search what is hardly worth a look.
//
// Any copyable type with these will do; threads call their own copies. A accumulator is what an evaluator would
// otherwise read from every board anew; a search takes it along from move to move.
//
//    Accumulator read(board) const
//    Accumulator after(accumulator, square, flipped) const    after a move on a square that flipped these discs
//    Accumulator passed(accumulator) const
//    int score(board, moves, accumulator) const          hundredths of a disc for the side to move, which has these
//    moves int error(int depth) const                      standard deviation after a look an even number of plies
//    ahead kEmptiesToPly, kMaxPlies                       to order moves it looks a ply further ahead for so many more
//    empty
//                                                    squares, up to so many plies: the better it is, the less it pays
//    kReplies                                        hundredths of a disc for a point of move_score (ordering.hpp)
#pragma once

#include <algorithm>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/regions.hpp"
#include "kernel/solver/othello/stability.hpp"

namespace flipdrop::othello::endgame {

/// Squares that touch one of these.
template <int Size>
constexpr Bits around(Bits squares) {
    const Bits rows = squares | (squares & ~Bits{0x8080808080808080}) << 1 | (squares & ~Bits{0x0101010101010101}) >> 1;
    return (rows | rows << 8 | rows >> 8) & Board<Size>::kSquares;
}

/// Made by hand: mobility now and to come, corners and what gives them away, stable discs. The weights are hundredths
/// of a disc, fitted to the exact scores of positions with 10 to 18 empty squares, when stable discs on the rim were
/// counted a little more thoroughly than now; its error there was 13 discs (10 on 6x6).
template <int Size>
class HandcraftedEvaluator {
public:
    static constexpr int kEmptiesToPly = 2, kMaxPlies = 6, kReplies = 10;

    // It looks at the board alone.
    struct Accumulator {};
    static Accumulator read(const Board<Size>&) { return {}; }
    static Accumulator after(Accumulator, int, Bits) { return {}; }
    static Accumulator passed(Accumulator) { return {}; }

    int score(const Board<Size>& board, Bits own_moves, Accumulator) const {
        const Bits empties = board.empties();
        const Bits free_corners = empties & kCorners<Size>;
        const Bits x_squares = x_squares_of<Size>(free_corners);
        const Bits c_squares = corner_neighbours<Size>(free_corners) & ~x_squares;
        const Bits near = around<Size>(empties);
        const auto more = [&](Bits own, Bits other) { return count(own) - count(other); };
        const auto discs = [&](Bits squares) { return more(board.own & squares, board.other & squares); };
        const Bits other_moves = outflanking_squares(board.other, board.own) & empties;
        const OpenLines<Size> lines(empties);
        return kWeights.tempo + kWeights.mobility * more(own_moves, other_moves) +
               kWeights.corner_moves * more(own_moves & free_corners, other_moves & free_corners) +
               kWeights.frontier * discs(near) +
               kWeights.open * more(empties & around<Size>(board.other), empties & around<Size>(board.own)) +
               kWeights.corner * discs(kCorners<Size>) + kWeights.x_square * discs(x_squares) +
               kWeights.c_square * discs(c_squares) +
               kWeights.stable * more(lines.stable(board.own), lines.stable(board.other));
    }

    /// Measured on the same positions.
    int error(int depth) const { return (Size == 8 ? 1250 : 950) - (Size == 8 ? 80 : 70) * std::min(depth, 4); }

private:
    struct Weights {
        int tempo, mobility, corner_moves, frontier, open, corner, x_square, c_square, stable;
    };
    static constexpr Weights kWeights = Size == 8 ? Weights{300, 165, 590, -137, -105, 410, -130, -116, 100}
                                                  : Weights{260, 160, 420, -60, -30, 540, -30, -130, 190};
};

}  // namespace flipdrop::othello::endgame
