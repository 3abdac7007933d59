// An ordering evaluator made by hand.
#pragma once

#include <algorithm>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/regions.hpp"
#include "kernel/solver/othello/ordering_evaluator.hpp"
#include "kernel/solver/othello/stability.hpp"

namespace flipdrop::othello::endgame {

/// Squares that touch one of these.
template <int Size>
constexpr Bits around(Bits squares) {
    const Bits rows = squares | (squares & ~Bits{0x8080808080808080}) << 1 | (squares & ~Bits{0x0101010101010101}) >> 1;
    return (rows | rows << 8 | rows >> 8) & Board<Size>::kSquares;
}

/// Mobility, potential mobility, corners and the squares next to them, stable discs. The weights are hundredths of a
/// disc. They were fitted to the exact scores of positions with 10 to 18 empty squares, with a slightly more thorough
/// count of stable edge discs than today's; the standard error there was 13 discs (10 on 6x6).
template <int Size>
class HandcraftedEvaluator {
public:
    static constexpr int kEmptiesToPly = 2, kMaxPlies = 6, kReplies = 10;

    // Scores depend on the board alone.
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

    /// Measured on the positions of the fit, for searches to the end.
    double sigma(int, int, int shallow) const {
        return (Size == 8 ? 12.5 : 9.5) - (Size == 8 ? 0.8 : 0.7) * std::min(shallow, 4);
    }

private:
    struct Weights {
        int tempo, mobility, corner_moves, frontier, open, corner, x_square, c_square, stable;
    };
    static constexpr Weights kWeights = Size == 8 ? Weights{300, 165, 590, -137, -105, 410, -130, -116, 100}
                                                  : Weights{260, 160, 420, -60, -30, 540, -30, -130, 190};
};

static_assert(OrderingEvaluator<HandcraftedEvaluator<8>, 8>);

}  // namespace flipdrop::othello::endgame
