// What the solver needs to know about single squares: neighbours, quadrants, and how many discs the last move of a
// game turns.
//
// A quadrant is a quarter of the board. Whether it has an odd or an even number of empty squares (its parity) is a
// cheap approximation of the parity of the regions which the empty squares form: the side that plays first into an odd
// region often plays last there too, and the last move of a region cannot be answered. A set of quadrants is four bits:
//
//    0 0 | 1 1
//    0 0 | 1 1
//    ----+----
//    2 2 | 3 3
//    2 2 | 3 3
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/lines.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace flipdrop::othello::endgame {

/// The squares that touch a square.
consteval std::array<Bits, 64> make_neighbours() {
    std::array<Bits, 64> neighbours{};
    for (int from = 0; from < 64; ++from)
        for (int to = 0; to < 64; ++to) {
            const int rows = from / 8 - to / 8, columns = from % 8 - to % 8;
            if (from != to && rows * rows <= 1 && columns * columns <= 1)
                neighbours[static_cast<unsigned>(from)] |= Bits{1} << to;
        }
    return neighbours;
}
inline constexpr std::array<Bits, 64> kNeighbours = make_neighbours();

/// The quadrant of a square, as one of four bits.
template <int Size>
consteval std::array<std::uint8_t, 64> make_quadrants() {
    std::array<std::uint8_t, 64> quadrants{};
    for (int square = 0; square < 64; ++square)
        quadrants[static_cast<unsigned>(square)] =
            static_cast<std::uint8_t>(1 << ((square / 8 >= Size / 2 ? 2 : 0) + (square % 8 >= Size / 2 ? 1 : 0)));
    return quadrants;
}
template <int Size>
inline constexpr std::array<std::uint8_t, 64> kQuadrant = make_quadrants<Size>();

/// The squares of a set of quadrants.
template <int Size>
consteval std::array<Bits, 16> make_quadrant_squares() {
    std::array<Bits, 16> squares{};
    for (unsigned set = 0; set < 16; ++set)
        for (unsigned square = 0; square < 64; ++square)
            if ((all_squares(Size) >> square & 1) != 0 && (kQuadrant<Size>[square] & set) != 0)
                squares[set] |= Bits{1} << square;
    return squares;
}
template <int Size>
inline constexpr std::array<Bits, 16> kQuadrantSquares = make_quadrant_squares<Size>();

/// The quadrants with an odd number of these squares.
template <int Size>
unsigned odd_quadrants(Bits squares) {
    unsigned odd = 0;
    for (unsigned i = 0; i < 4; ++i)
        odd |= static_cast<unsigned>(count(squares & kQuadrantSquares<Size>[1U << i]) & 1) << i;
    return odd;
}

#if defined(__BMI2__)

/// The four lines through a square, and where in each the square stands, counted from the lowest bit.
struct LinesThrough {
    std::array<Bits, 4> line{};
    std::array<std::uint16_t, 4> place{};  ///< times 256: an offset in kFlippedInLine
};

consteval std::array<LinesThrough, 64> make_lines_through() {
    std::array<LinesThrough, 64> all{};
    for (unsigned square = 0; square < 64; ++square)
        for (unsigned d = 0; d < 4; ++d) {
            const Rays& rays = kRays[square];
            all[square].line[d] = rays.forward[d] | rays.back[d] | Bits{1} << square;
            all[square].place[d] = static_cast<std::uint16_t>(256 * std::popcount(rays.back[d]));
        }
    return all;
}
inline constexpr std::array<LinesThrough, 64> kLinesThrough = make_lines_through();

/// Discs flipped in a line of eight by a move on a place, given the mover's discs, if all else is the opponent's.
consteval std::array<std::uint8_t, 8 * 256> make_flipped_in_line() {
    std::array<std::uint8_t, 8 * 256> flipped{};
    for (int place = 0; place < 8; ++place)
        for (int own = 0; own < 256; ++own) {
            int sum = 0;
            for (int step : {1, -1})
                for (int to = place + step; to >= 0 && to < 8; to += step)
                    if ((own >> to & 1) != 0) {
                        sum += (to - place) * step - 1;
                        break;
                    }
            flipped[static_cast<unsigned>(256 * place + own)] = static_cast<std::uint8_t>(sum);
        }
    return flipped;
}
alignas(64) inline constexpr std::array<std::uint8_t, 8 * 256> kFlippedInLine = make_flipped_in_line();

/// Discs flipped by a move on the only empty square. Squares off a smaller board look like discs of the opponent, but
/// no own disc stands behind them.
inline int last_flip_count(Bits own, int square) {
    const LinesThrough& lines = kLinesThrough[static_cast<unsigned>(square)];
    int sum = 0;
    for (unsigned d = 0; d < 4; ++d) sum += kFlippedInLine[lines.place[d] + _pext_u64(own, lines.line[d])];
    return sum;
}

#else

inline int last_flip_count(Bits own, int square) {
    const Rays& rays = kRays[static_cast<unsigned>(square)];
    int sum = 0;
    for (unsigned d = 0; d < 4; ++d) {
        if (const Bits ahead = rays.forward[d] & own; ahead != 0)
            sum += count(rays.forward[d] & ((ahead & (~ahead + 1)) - 1));
        if (const Bits behind = rays.back[d] & own; behind != 0) {
            const Bits nearest = std::bit_floor(behind);
            sum += count(rays.back[d] & ~(nearest | (nearest - 1)));
        }
    }
    return sum;
}

#endif

}  // namespace flipdrop::othello::endgame
