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

#include <bit>
#include <cstdint>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"

namespace flipdrop::othello {

constexpr Bits square(int row, int column) {
    return Bits{1} << (8 * row + column);
}

/// A square and its images under the board's two mirrors.
template <int Size>
constexpr Bits four(int row, int column) {
    return square(row, column) | square(row, Size - 1 - column) | square(Size - 1 - row, column) |
           square(Size - 1 - row, Size - 1 - column);
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

/// How many pairs there are of one of `discs` on the second ring and one of `open` edge squares that touch it.
template <int Size>
constexpr int open_edge_pairs(Bits discs, Bits open) {
    const Bits ring = discs & kSecondRing<Size>;
    // Straight steps outwards reach another side of the board each, and opposite diagonal steps reach other sides:
    // what they hit can be counted together. Steps that stay inside hit no edge square.
    const Bits straight = ring << 8 | ring >> 8 | ring << 1 | ring >> 1;
    const Bits falling = ring << 9 | ring >> 9;
    const Bits rising = ring << 7 | ring >> 7;
    return count(straight & open) + count(falling & open) + count(rising & open);
}

/// All squares that a step of `Step` bits can come from or, upwards, lead to without leaving the side of the board.
template <int Step>
inline constexpr Bits kLandings = ~(Bits{0x0101010101010101} << (Step == 7 ? 7 : 0));
template <>
inline constexpr Bits kLandings<8> = ~Bits{0};

/// `squares` and everything that lies on one line with them in the direction of `Step`, on the whole 8x8 grid.
template <int Step>
constexpr Bits along(Bits squares) {
    constexpr Bits one = kLandings<Step>, two = one & one << Step, four = two & two << (2 * Step);
    Bits up = squares, down = squares;
    up |= up << Step & one;
    down |= (down & one) >> Step;
    up |= up << (2 * Step) & two;
    down |= (down & two) >> (2 * Step);
    up |= up << (4 * Step) & four;
    down |= (down & four) >> (4 * Step);
    return up | down;
}

/// The occupied squares whose four lines (row, column, both diagonals) hold no empty square.
template <int Size>
constexpr Bits in_full_lines(Bits empties) {
    return all_squares(Size) & ~(along<1>(empties) | along<7>(empties) | along<8>(empties) | along<9>(empties));
}

/// Discs in the unbroken runs from both ends of an edge; a full edge counts twice.
template <int Size>
constexpr int runs_from_ends(Bits edge) {
    const auto line = static_cast<std::uint8_t>(edge);
    return std::countr_one(line) + std::countl_one(static_cast<std::uint8_t>(line << (8 - Size)));
}

/// Discs in the unbroken runs of `discs` along the edges from each corner that they hold; the corner itself counts for
/// both of its edges, and a full edge for both of its corners.
template <int Size>
constexpr int runs_from_corners(Bits discs) {
    constexpr Bits left = all_squares(Size) & 0x0101010101010101ULL;
    // Multiplying brings the first column's squares next to each other, from the top down, into the highest byte.
    const auto column = [](Bits squares) { return (squares & left) * 0x0102040810204080ULL >> 56; };
    const auto row = [](Bits squares) { return squares & 0xff; };
    if ((discs & kCorners<Size>) == 0) return 0;
    return runs_from_ends<Size>(row(discs)) + runs_from_ends<Size>(row(discs >> (8 * (Size - 1)))) +
           runs_from_ends<Size>(column(discs)) + runs_from_ends<Size>(column(discs >> (Size - 1)));
}

}  // namespace flipdrop::othello
