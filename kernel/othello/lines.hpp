// The lines of an Othello board: which moves are legal, which discs a move flips.
//
// A square is a bit, counted row by row from the top left; smaller boards use the top left corner of the same grid:
//
//       a  b  c  d  e  f  g  h
//    1  0  1  2  3  4  5  6  7
//    2  8  9 10 11 12 13 14 15        a step east is bit + 1,  south-west + 7,  south + 8,  south-east + 9;
//    .                                the four opposite steps subtract as much
//    8 56 57 58 59 60 61 62 63
//
// Every function exists twice behind one name: with AVX2 the four pairs of directions are the four lanes of a
// vector; without it, plain C++. The tests run on both.
#pragma once

#include <array>

#include "kernel/bits.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace flipdrop::othello {

inline constexpr std::array<int, 4> kSteps = {1, 7, 8, 9};

/// Columns b to g. A chain of discs that is about to cross the side of the board has to stop there.
inline constexpr Bits kInner = 0x7e7e7e7e7e7e7e7eULL;
inline constexpr std::array<Bits, 4> kChain = {kInner, kInner, ~Bits{0}, kInner};

/// The squares seen from a square in each direction, up to the side of the board: `forward` along kSteps, `back`
/// against them.
struct alignas(32) Rays {
    std::array<Bits, 4> forward{};
    std::array<Bits, 4> back{};
};

consteval std::array<Rays, 64> make_rays() {
    constexpr std::array<std::array<int, 2>, 4> row_and_column_step = {{{0, 1}, {1, -1}, {1, 0}, {1, 1}}};
    std::array<Rays, 64> rays{};
    for (int square = 0; square < 64; ++square)
        for (unsigned d = 0; d < 4; ++d)
            for (int sign : {1, -1}) {
                Bits ray = 0;
                int row = square / 8, column = square % 8;
                for (;;) {
                    row += sign * row_and_column_step[d][0];
                    column += sign * row_and_column_step[d][1];
                    if (row < 0 || row > 7 || column < 0 || column > 7) break;
                    ray |= Bits{1} << (8 * row + column);
                }
                auto& of_square = rays[static_cast<unsigned>(square)];
                (sign > 0 ? of_square.forward : of_square.back)[d] = ray;
            }
    return rays;
}
inline constexpr std::array<Rays, 64> kRays = make_rays();

#if defined(__AVX2__)

inline __m256i load(const std::array<Bits, 4>& lanes) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes.data()));
}

inline __m256i broadcast(Bits bits) {
    return _mm256_set1_epi64x(static_cast<long long>(bits));
}

inline Bits any_lane(__m256i lanes) {
    const __m128i pair = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    return static_cast<Bits>(_mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))));
}

/// Squares from which a line of `other` discs leads to an `own` disc; the caller keeps the empty ones.
inline Bits outflanking_squares(Bits own, Bits other) {
    const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
    const __m256i two_steps = _mm256_add_epi64(step, step);
    const __m256i chain = _mm256_and_si256(broadcast(other), load(kChain));
    const __m256i start = broadcast(own);

    __m256i forward = _mm256_and_si256(chain, _mm256_sllv_epi64(start, step));
    __m256i back = _mm256_and_si256(chain, _mm256_srlv_epi64(start, step));
    forward = _mm256_or_si256(forward, _mm256_and_si256(chain, _mm256_sllv_epi64(forward, step)));
    back = _mm256_or_si256(back, _mm256_and_si256(chain, _mm256_srlv_epi64(back, step)));
    // Two discs have been followed; two at a time from here, at most six in a line.
    const __m256i pair_forward = _mm256_and_si256(chain, _mm256_sllv_epi64(chain, step));
    const __m256i pair_back = _mm256_srlv_epi64(pair_forward, step);
    for (int i = 0; i < 2; ++i) {
        forward = _mm256_or_si256(forward, _mm256_and_si256(pair_forward, _mm256_sllv_epi64(forward, two_steps)));
        back = _mm256_or_si256(back, _mm256_and_si256(pair_back, _mm256_srlv_epi64(back, two_steps)));
    }
    return any_lane(_mm256_or_si256(_mm256_sllv_epi64(forward, step), _mm256_srlv_epi64(back, step)));
}

/// The `other` discs that turn when `own` plays on `square`.
inline Bits flips(Bits own, Bits other, int square) {
    const Rays& rays = kRays[static_cast<unsigned>(square)];
    const __m256i mine = broadcast(own);
    const __m256i theirs = broadcast(other);
    const __m256i none = _mm256_setzero_si256();

    // Forward: with every bit off the ray set, adding one carries through the ray's leading run of `other` discs and
    // comes to rest on the first square behind it. If that is `own`, all of the ray below it turns.
    const __m256i forward = load(rays.forward);
    const __m256i ones = _mm256_set1_epi64x(-1);
    const __m256i off_or_theirs = _mm256_or_si256(theirs, _mm256_xor_si256(forward, ones));
    const __m256i behind = _mm256_sub_epi64(off_or_theirs, ones);
    const __m256i closing = _mm256_and_si256(behind, _mm256_and_si256(forward, mine));
    const __m256i below = _mm256_sub_epi64(_mm256_add_epi64(closing, ones), _mm256_cmpeq_epi64(closing, none));
    const __m256i flipped_forward = _mm256_and_si256(below, forward);

    // Back: no borrow runs the other way. The squares that are not `other` are smeared along the ray, away from the
    // move: what stays free of them is the run, and the first of them is the one that nothing was smeared onto.
    const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
    const __m256i two_steps = _mm256_add_epi64(step, step);
    const __m256i four_steps = _mm256_add_epi64(two_steps, two_steps);
    const __m256i back = load(rays.back);
    const __m256i stops = _mm256_andnot_si256(theirs, back);
    __m256i beyond = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, step));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, two_steps));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, four_steps));
    const __m256i end = _mm256_andnot_si256(_mm256_srlv_epi64(beyond, step), _mm256_and_si256(stops, mine));
    const __m256i flipped_back = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, none), _mm256_andnot_si256(beyond, back));

    return any_lane(_mm256_or_si256(flipped_forward, flipped_back));
}

#else

inline Bits outflanking_squares(Bits own, Bits other) {
    Bits ends = 0;
    for (unsigned d = 0; d < 4; ++d) {
        const int step = kSteps[d];
        const Bits chain = other & kChain[d];
        Bits forward = chain & (own << step);
        Bits back = chain & (own >> step);
        forward |= chain & (forward << step);
        back |= chain & (back >> step);
        // Two discs have been followed; two at a time from here, at most six in a line.
        const Bits pair_forward = chain & (chain << step);
        const Bits pair_back = pair_forward >> step;
        for (int i = 0; i < 2; ++i) {
            forward |= pair_forward & (forward << (2 * step));
            back |= pair_back & (back >> (2 * step));
        }
        ends |= (forward << step) | (back >> step);
    }
    return ends;
}

inline Bits flips(Bits own, Bits other, int square) {
    const Rays& rays = kRays[static_cast<unsigned>(square)];
    Bits flipped = 0;
    for (unsigned d = 0; d < 4; ++d) {
        // The first square behind the run of `other` discs: by the carry of an addition one way (see above), as the
        // highest bit the other way.
        const Bits forward = rays.forward[d];
        const Bits closing = ((other | ~forward) + 1) & forward & own;
        if (closing != 0) flipped |= (closing - 1) & forward;

        const Bits stops = rays.back[d] & ~other;
        if (stops != 0) {
            const Bits first = std::bit_floor(stops);
            if ((first & own) != 0) flipped |= rays.back[d] & ~(first | (first - 1));
        }
    }
    return flipped;
}

#endif

}  // namespace flipdrop::othello
