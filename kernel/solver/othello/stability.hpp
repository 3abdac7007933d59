// Discs that can never be turned again. They bound the final score: the opponent keeps at least his stable discs.
//
// A disc is stable when no line through it can turn it: in each of the four directions either the whole line is full,
// or one neighbour is a stable disc of the same colour (or the rim). Found here:
//   - on the rim: discs that no sequence of moves on that edge, by whomever, can turn (a table of all edges);
//   - inside: discs on four full lines, and from all of these, neighbour by neighbour, until nothing is added.
// What it misses only weakens the bound.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/lines.hpp"
#include "kernel/othello/regions.hpp"

namespace flipdrop::othello::endgame {

/// The lines through a square, the square with them, in the directions of kSteps.
consteval std::array<std::array<Bits, 4>, 64> make_lines_of() {
    std::array<std::array<Bits, 4>, 64> lines{};
    for (unsigned square = 0; square < 64; ++square)
        for (unsigned d = 0; d < 4; ++d)
            lines[square][d] = kRays[square].forward[d] | kRays[square].back[d] | Bits{1} << square;
    return lines;
}
alignas(32) inline constexpr std::array<std::array<Bits, 4>, 64> kLinesOf = make_lines_of();

template <int Size>
class Stability {
public:
    Stability() : edges_(kEdgeStates), ternary_(make_ternary()) {
        // An edge's stable discs follow from those of edges with one empty square less: fullest first.
        for (int empty = 0; empty <= Size; ++empty)
            for (unsigned own = 0; own <= kFull; ++own)
                for (unsigned other = 0; other <= kFull; ++other)
                    if ((own & other) == 0 && Size - std::popcount(own | other) == empty)
                        edges_[index(own, other)] = static_cast<std::uint8_t>(stable_on_edge(own, other));
    }

    /// Stable discs of the side whose discs are `own`.
    Bits stable(Bits own, Bits other) const {
        return grown(edges(own, other), own, open_lines(Board<Size>::kSquares & ~(own | other)));
    }

    /// How many more stable discs the side to move has than its opponent.
    int lead(const Board<Size>& board) const {
        const Lanes open = open_lines(board.empties());
        return count(grown(edges(board.own, board.other), board.own, open)) -
               count(grown(edges(board.other, board.own), board.other, open));
    }

    /// Discs of `own` on the rim that are stable.
    Bits edges(Bits own, Bits other) const {
        constexpr int kLast = 8 * (Size - 1);
        const auto row = [](Bits discs) { return static_cast<unsigned>(discs & kFull); };
        const auto column = [](Bits discs) {
            // Multiplying brings the first column's squares next to each other, from the top down, in the highest byte.
            return static_cast<unsigned>((discs & kLeft) * 0x0102040810204080ULL >> 56);
        };
        const auto as_column = [](Bits edge) {
            // Copies seven apart put bit i into the first column of row i; the last bit would collide with the first.
            return ((edge & 0x7f) * 0x0002040810204081ULL & 0x0101010101010101ULL) | (edge >> 7) << 56;
        };
        Bits found = edge(row(own), row(other));
        found |= edge(row(own >> kLast), row(other >> kLast)) << kLast;
        found |= as_column(edge(column(own), column(other)));
        found |= as_column(edge(column(own >> (Size - 1)), column(other >> (Size - 1)))) << (Size - 1);
        return found & own;
    }

private:
#if defined(__AVX2__)
    using Lanes = __m256i;

    /// All squares of the lines that are not full, by direction.
    static Lanes open_lines(Bits empties) {
        Lanes open = _mm256_setzero_si256();
        for (; empties != 0; empties = without_lowest(empties))
            open = _mm256_or_si256(open, load(kLinesOf[static_cast<unsigned>(lowest(empties))]));
        return open;
    }

    /// Adds inner discs that are safe in every direction, until there are none.
    static Bits grown(Bits found, Bits own, const Lanes& open) {
        const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
        const Bits inner = own & kInside;
        found |= inner & ~any_lane(open);
        while (found != 0) {
            const __m256i now = broadcast(found);
            const __m256i near = _mm256_or_si256(_mm256_sllv_epi64(now, step), _mm256_srlv_epi64(now, step));
            const Bits more = inner & ~any_lane(_mm256_andnot_si256(near, open)) & ~found;
            if (more == 0) break;
            found |= more;
        }
        return found;
    }
#else
    using Lanes = std::array<Bits, 4>;

    static Lanes open_lines(Bits empties) {
        Lanes open{};
        for (; empties != 0; empties = without_lowest(empties))
            for (unsigned d = 0; d < 4; ++d) open[d] |= kLinesOf[static_cast<unsigned>(lowest(empties))][d];
        return open;
    }

    static Bits grown(Bits found, Bits own, const Lanes& open) {
        const Bits inner = own & kInside;
        found |= inner & ~(open[0] | open[1] | open[2] | open[3]);
        while (found != 0) {
            Bits loose = 0;
            for (unsigned d = 0; d < 4; ++d) loose |= open[d] & ~(found << kSteps[d] | found >> kSteps[d]);
            const Bits more = inner & ~loose & ~found;
            if (more == 0) break;
            found |= more;
        }
        return found;
    }
#endif

    static constexpr unsigned kFull = (1U << Size) - 1;
    static constexpr Bits kLeft = all_squares(Size) & 0x0101010101010101ULL;
    static constexpr Bits kInside = all_squares(Size) & ~ring<Size>(0);
    static constexpr std::size_t kEdgeStates = Size == 8 ? 6561 : Size == 6 ? 729 : 81;

    static std::array<std::uint16_t, 256> make_ternary() {
        std::array<std::uint16_t, 256> ternary{};
        for (unsigned bits = 0; bits < 256; ++bits) {
            unsigned sum = 0;
            for (unsigned i = 0, power = 1; i < 8; ++i, power *= 3)
                if ((bits >> i & 1) != 0) sum += power;
            ternary[bits] = static_cast<std::uint16_t>(sum);
        }
        return ternary;
    }
    std::size_t index(unsigned own, unsigned other) const {
        return static_cast<std::size_t>(ternary_[own] + 2 * ternary_[other]);
    }
    Bits edge(unsigned own, unsigned other) const { return edges_[index(own, other)]; }

    /// Discs of either colour that stay what they are, whatever is played on the edge.
    unsigned stable_on_edge(unsigned own, unsigned other) const {
        unsigned stable = own | other;
        for (int x = 0; x < Size; ++x) {
            const unsigned place = 1U << x;
            if (((own | other) & place) != 0) continue;
            const unsigned by_own = static_cast<unsigned>(flips(own, other, x));
            const unsigned by_other = static_cast<unsigned>(flips(other, own, x));
            stable &= ~by_own & edges_[index(own | by_own | place, other & ~by_own)];
            stable &= ~by_other & edges_[index(own & ~by_other, other | by_other | place)];
        }
        return stable;
    }

    std::vector<std::uint8_t> edges_;  ///< by the edge read as a number of base three
    std::array<std::uint16_t, 256> ternary_;
};

}  // namespace flipdrop::othello::endgame
