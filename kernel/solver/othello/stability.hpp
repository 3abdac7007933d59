// Discs that can never be flipped. They bound the final score: the opponent keeps at least its stable discs.
//
// A disc is stable when no line through it can flip it: in each of the four directions the whole line is full, or the
// disc is an end of it, or one neighbour in it is a stable disc of the same colour. The search starts from discs for
// which one of the first two holds in all directions and continues neighbour by neighbour. A stable disc that it misses
// only weakens the bound.
#pragma once

#include <array>
#include <bit>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/lines.hpp"

namespace flipdrop::othello::endgame {

/// The lines through a square, in the directions of kSteps, without their ends: where discs may be flipped because the
/// square is empty.
template <int Size>
consteval std::array<std::array<Bits, 4>, 64> make_loosened() {
    std::array<std::array<Bits, 4>, 64> loosened{};
    for (unsigned square = 0; square < 64; ++square)
        for (unsigned d = 0; d < 4; ++d) {
            const Rays& rays = kRays[square];
            const Bits line = (rays.forward[d] | rays.back[d] | Bits{1} << square) & all_squares(Size);
            loosened[square][d] = line & ~std::bit_floor(line) & ~(line & (~line + 1));
        }
    return loosened;
}
template <int Size>
alignas(32) inline constexpr std::array<std::array<Bits, 4>, 64> kLoosened = make_loosened<Size>();

/// The lines that are not full, by direction and without their ends. All other discs are stable, and so are discs that
/// they support.
template <int Size>
class OpenLines {
public:
    explicit OpenLines(Bits empties) {
        for (; empties != 0; empties = without_lowest(empties))
            add(kLoosened<Size>[static_cast<unsigned>(lowest(empties))]);
    }

    /// Stable discs among those of one side. Stops at `enough` of them.
    Bits stable(Bits discs, int enough = Size * Size) const {
        Bits found = discs & ~without_support(0);
        while (found != 0 && count(found) < enough) {
            const Bits more = discs & ~without_support(found);
            if (more == found) break;
            found = more;
        }
        return found;
    }

private:
    // The squares that are loose in some direction, where none of `found` is next to them. A step across the side of
    // the board lands on an end of a line, which is none of the open squares.
#if defined(__AVX2__)
    void add(const std::array<Bits, 4>& lines) { open_ = _mm256_or_si256(open_, load(lines)); }

    Bits without_support(Bits found) const {
        const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
        const __m256i now = broadcast(found);
        const __m256i near = _mm256_or_si256(_mm256_sllv_epi64(now, step), _mm256_srlv_epi64(now, step));
        return any_lane(_mm256_andnot_si256(near, open_));
    }

    __m256i open_ = _mm256_setzero_si256();
#else
    void add(const std::array<Bits, 4>& lines) {
        for (unsigned d = 0; d < 4; ++d) open_[d] |= lines[d];
    }

    Bits without_support(Bits found) const {
        Bits loose = 0;
        for (unsigned d = 0; d < 4; ++d) loose |= open_[d] & ~(found << kSteps[d] | found >> kSteps[d]);
        return loose;
    }

    std::array<Bits, 4> open_{};
#endif
};

}  // namespace flipdrop::othello::endgame
