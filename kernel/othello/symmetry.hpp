// The eight symmetries of the Othello board. A symmetry is a number of three bits: 1 mirrors left and right, 2 then
// mirrors top and bottom, 4 then swaps rows and columns.
#pragma once

#include "kernel/bits.hpp"

namespace flipdrop::othello {

inline constexpr int kSymmetries = 8;

/// Exchanges the bits under `mask` with those `shift` places above them.
constexpr Bits swap_bits(Bits bits, Bits mask, int shift) {
    const Bits differing = (bits ^ (bits >> shift)) & mask;
    return bits ^ differing ^ (differing << shift);
}

constexpr Bits mirror_columns(Bits bits) {
    bits = swap_bits(bits, 0x5555555555555555ULL, 1);
    bits = swap_bits(bits, 0x3333333333333333ULL, 2);
    return swap_bits(bits, 0x0f0f0f0f0f0f0f0fULL, 4);
}

constexpr Bits mirror_rows(Bits bits) {
    bits = swap_bits(bits, 0x00ff00ff00ff00ffULL, 8);
    bits = swap_bits(bits, 0x0000ffff0000ffffULL, 16);
    return swap_bits(bits, 0x00000000ffffffffULL, 32);
}

constexpr Bits transpose(Bits bits) {
    bits = swap_bits(bits, 0x00aa00aa00aa00aaULL, 7);
    bits = swap_bits(bits, 0x0000cccc0000ccccULL, 14);
    return swap_bits(bits, 0x00000000f0f0f0f0ULL, 28);
}

/// Smaller boards lie in the top left corner: a mirror image is pushed back into it.
template <int Size>
constexpr Bits transformed(Bits bits, int symmetry) {
    if ((symmetry & 1) != 0) bits = mirror_columns(bits) >> (8 - Size);
    if ((symmetry & 2) != 0) bits = mirror_rows(bits) >> (8 * (8 - Size));
    if ((symmetry & 4) != 0) bits = transpose(bits);
    return bits;
}

}  // namespace flipdrop::othello
