// Kinds of squares on an Othello board, and what depends on them. On 8x8:
//
//    K e e e e e e K      K  corner
//    e x r r r r x e      e  edge: all of the rim but the corners
//    e r . . . . r e      x  X-square: diagonally next to a corner
//    e r . . . . r e      r  with x: the second ring
//    ...
//
// On 4x4 the second ring is the four centre squares, which are then all X-squares too.
#pragma once

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"

namespace flipdrop::othello {

template <int Size>
constexpr Bits square(int row, int column) {
    return Bits{1} << (8 * row + column);
}

/// A square and its images under the board's two mirrors.
template <int Size>
constexpr Bits four(int row, int column) {
    return square<Size>(row, column) | square<Size>(row, Size - 1 - column) | square<Size>(Size - 1 - row, column) |
           square<Size>(Size - 1 - row, Size - 1 - column);
}

/// The squares whose distance from the rim is `depth`.
template <int Size>
constexpr Bits ring(int depth) {
    Bits squares = 0;
    for (int i = depth; i < Size - depth; ++i) squares |= four<Size>(depth, i) | four<Size>(i, depth);
    return squares;
}

template <int Size>
inline constexpr Bits kCorners = four<Size>(0, 0);
template <int Size>
inline constexpr Bits kXSquares = four<Size>(1, 1);
template <int Size>
inline constexpr Bits kEdges = ring<Size>(0) & ~kCorners<Size>;
template <int Size>
inline constexpr Bits kSecondRing = ring<Size>(1);

/// The X-squares next to these corners.
template <int Size>
constexpr Bits x_squares_of(Bits corners) {
    return (corners << 9 | corners << 7 | corners >> 7 | corners >> 9) & kXSquares<Size>;
}

/// The three squares next to each of these corners.
template <int Size>
constexpr Bits corner_neighbours(Bits corners) {
    constexpr Bits left = all_squares(Size) & 0x0101010101010101ULL;
    const Bits sideways = (corners & left) << 1 | (corners & ~left) >> 1;
    const Bits both = corners | sideways;
    return (sideways | both << 8 | both >> 8) & all_squares(Size);
}

/// The occupied squares whose four lines (row, column, both diagonals) hold no empty square.
template <int Size>
constexpr Bits in_full_lines(Bits empties) {
    // Empty squares are smeared along each kind of line, both ways; what none of them reaches is in full lines.
    constexpr Bits first = 0x0101010101010101ULL, last = Bits{0x0101010101010101} << (Size - 1);
    constexpr Bits all = all_squares(Size);
    Bits reached = empties;
    struct Direction {
        int step;
        Bits blocked;
    };
    for (const Direction d : {Direction{1, last}, {7, first}, {8, 0}, {9, last}}) {
        Bits smear = empties;
        for (int i = 1; i < Size; ++i) smear |= (smear & ~d.blocked) << d.step & all;
        reached |= smear;
    }
    for (const Direction d : {Direction{1, first}, {7, last}, {8, 0}, {9, first}}) {
        Bits smear = empties;
        for (int i = 1; i < Size; ++i) smear |= (smear & ~d.blocked) >> d.step & all;
        reached |= smear;
    }
    return all & ~reached;
}

/// Discs in the unbroken runs of `discs` along the edges from each corner that they hold; the corner itself counts for
/// both of its edges, and a full edge for both of its corners.
template <int Size>
constexpr int runs_from_corners(Bits discs) {
    constexpr Bits all = all_squares(Size);
    int total = 0;
    struct Edge {
        Bits corner;
        int step;
        bool up;
    };
    constexpr Bits top_left = 1, top_right = Bits{1} << (Size - 1), bottom_left = Bits{1} << (8 * (Size - 1)),
                   bottom_right = bottom_left << (Size - 1);
    if ((discs & (top_left | top_right | bottom_left | bottom_right)) == 0) return 0;
    for (const Edge e : {Edge{top_left, 1, true},
                         {top_left, 8, true},
                         {top_right, 1, false},
                         {top_right, 8, true},
                         {bottom_left, 1, true},
                         {bottom_left, 8, false},
                         {bottom_right, 1, false},
                         {bottom_right, 8, false}}) {
        Bits at = e.corner;
        for (int i = 0; i < Size && (at & discs & all) != 0; ++i) {
            ++total;
            at = e.up ? at << e.step : at >> e.step;
        }
    }
    return total;
}

}  // namespace flipdrop::othello
