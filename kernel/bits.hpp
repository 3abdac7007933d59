// Sets of cells as machine words: what every board is made of.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace flipdrop {

using Bits = std::uint64_t;

/// An unsigned integer of `Limbs` x 64 bits, for boards that do not fit one machine word. Only what bitboards need.
template <int Limbs>
struct Wide {
    std::array<std::uint64_t, Limbs> limb{};

    constexpr Wide() = default;
    constexpr explicit Wide(std::uint64_t low) : limb{low} {}

    constexpr explicit operator bool() const {
        for (auto word : limb)
            if (word != 0) return true;
        return false;
    }
    friend constexpr bool operator==(const Wide&, const Wide&) = default;

    constexpr Wide& operator&=(const Wide& other) {
        for (unsigned i = 0; i < Limbs; ++i) limb[i] &= other.limb[i];
        return *this;
    }
    constexpr Wide& operator|=(const Wide& other) {
        for (unsigned i = 0; i < Limbs; ++i) limb[i] |= other.limb[i];
        return *this;
    }
    constexpr Wide& operator^=(const Wide& other) {
        for (unsigned i = 0; i < Limbs; ++i) limb[i] ^= other.limb[i];
        return *this;
    }
    friend constexpr Wide operator&(Wide a, const Wide& b) { return a &= b; }
    friend constexpr Wide operator|(Wide a, const Wide& b) { return a |= b; }
    friend constexpr Wide operator^(Wide a, const Wide& b) { return a ^= b; }
    constexpr Wide operator~() const {
        Wide out;
        for (unsigned i = 0; i < Limbs; ++i) out.limb[i] = ~limb[i];
        return out;
    }
    friend constexpr Wide operator+(const Wide& a, const Wide& b) {
        Wide out;
        std::uint64_t carry = 0;
        for (unsigned i = 0; i < Limbs; ++i) {
            const std::uint64_t partial = a.limb[i] + carry;
            out.limb[i] = partial + b.limb[i];
            carry = static_cast<std::uint64_t>(partial < carry) + static_cast<std::uint64_t>(out.limb[i] < partial);
        }
        return out;
    }
    // Whole limbs first, which steps along a line never need, then bits: with constant bounds the loops unroll. Bits
    // cross limbs by two half shifts, for a shift by 64 would be undefined.
    constexpr Wide operator<<(int count) const {
        Wide out = *this;
        for (; count >= 64; count -= 64) {
            for (unsigned i = Limbs - 1; i > 0; --i) out.limb[i] = out.limb[i - 1];
            out.limb[0] = 0;
        }
        for (unsigned i = Limbs - 1; i > 0; --i)
            out.limb[i] = out.limb[i] << count | out.limb[i - 1] >> 1 >> (63 - count);
        out.limb[0] <<= count;
        return out;
    }
    constexpr Wide operator>>(int count) const {
        Wide out = *this;
        for (; count >= 64; count -= 64) {
            for (unsigned i = 0; i + 1 < Limbs; ++i) out.limb[i] = out.limb[i + 1];
            out.limb[Limbs - 1] = 0;
        }
        for (unsigned i = 0; i + 1 < Limbs; ++i)
            out.limb[i] = out.limb[i] >> count | out.limb[i + 1] << 1 << (63 - count);
        out.limb[Limbs - 1] >>= count;
        return out;
    }
};

constexpr int count(Bits bits) {
    return std::popcount(bits);
}
template <int Limbs>
constexpr int count(const Wide<Limbs>& bits) {
    int total = 0;
    for (auto word : bits.limb) total += std::popcount(word);
    return total;
}

/// The word with only bit `index` set.
template <class Word>
constexpr Word bit(int index) {
    return Word{1} << index;
}

/// Index of the lowest bit of a word that is not zero.
constexpr int lowest(Bits bits) {
    return std::countr_zero(bits);
}
template <int Limbs>
constexpr int lowest(const Wide<Limbs>& bits) {
    int index = 0;
    for (auto word : bits.limb) {
        if (word != 0) return index + std::countr_zero(word);
        index += 64;
    }
    return index;
}

/// The same word without its lowest bit.
constexpr Bits without_lowest(Bits bits) {
    return bits & (bits - 1);
}
template <int Limbs>
constexpr Wide<Limbs> without_lowest(Wide<Limbs> bits) {
    for (auto& word : bits.limb)
        if (word != 0) {
            word &= word - 1;
            break;
        }
    return bits;
}

/// Index of the set bit that has `rank` set bits below it.
inline int nth(Bits bits, int rank) {
#if defined(__BMI2__)
    return lowest(_pdep_u64(Bits{1} << rank, bits));
#else
    for (; rank > 0; --rank) bits = without_lowest(bits);
    return lowest(bits);
#endif
}
template <int Limbs>
int nth(Wide<Limbs> bits, int rank) {
    for (; rank > 0; --rank) bits = without_lowest(bits);
    return lowest(bits);
}

}  // namespace flipdrop
