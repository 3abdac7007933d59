// Bitboards: sets of cells as machine words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "kernel/assert.hpp"

namespace flipdrop {

using Bits = std::uint64_t;

/// An unsigned integer of `Words` x 64 bits, for boards that do not fit one machine word. Only what bitboards need.
template <int Words>
struct UInt {
    std::array<std::uint64_t, Words> words{};

    constexpr UInt() = default;
    constexpr explicit UInt(std::uint64_t low) : words{low} {}

    constexpr explicit operator bool() const {
        for (auto word : words)
            if (word != 0) return true;
        return false;
    }
    friend constexpr bool operator==(const UInt&, const UInt&) = default;

    constexpr UInt& operator&=(const UInt& other) {
        for (unsigned i = 0; i < Words; ++i) words[i] &= other.words[i];
        return *this;
    }
    constexpr UInt& operator|=(const UInt& other) {
        for (unsigned i = 0; i < Words; ++i) words[i] |= other.words[i];
        return *this;
    }
    constexpr UInt& operator^=(const UInt& other) {
        for (unsigned i = 0; i < Words; ++i) words[i] ^= other.words[i];
        return *this;
    }
    friend constexpr UInt operator&(UInt a, const UInt& b) { return a &= b; }
    friend constexpr UInt operator|(UInt a, const UInt& b) { return a |= b; }
    friend constexpr UInt operator^(UInt a, const UInt& b) { return a ^= b; }
    constexpr UInt operator~() const {
        UInt out;
        for (unsigned i = 0; i < Words; ++i) out.words[i] = ~words[i];
        return out;
    }
    friend constexpr UInt operator+(const UInt& a, const UInt& b) {
        UInt out;
        std::uint64_t carry = 0;
        for (unsigned i = 0; i < Words; ++i) {
            const std::uint64_t partial = a.words[i] + carry;
            out.words[i] = partial + b.words[i];
            carry = static_cast<std::uint64_t>(partial < carry) + static_cast<std::uint64_t>(out.words[i] < partial);
        }
        return out;
    }
    // Whole words first, which steps along a line never need, then bits: with constant bounds the loops unroll. Bits
    // cross words by two half shifts, for a shift by 64 would be undefined.
    constexpr UInt operator<<(int count) const {
        FLIPDROP_ASSERT(count >= 0);
        UInt out = *this;
        for (; count >= 64; count -= 64) {
            for (unsigned i = Words - 1; i > 0; --i) out.words[i] = out.words[i - 1];
            out.words[0] = 0;
        }
        for (unsigned i = Words - 1; i > 0; --i)
            out.words[i] = out.words[i] << count | out.words[i - 1] >> 1 >> (63 - count);
        out.words[0] <<= count;
        return out;
    }
    constexpr UInt operator>>(int count) const {
        FLIPDROP_ASSERT(count >= 0);
        UInt out = *this;
        for (; count >= 64; count -= 64) {
            for (unsigned i = 0; i + 1 < Words; ++i) out.words[i] = out.words[i + 1];
            out.words[Words - 1] = 0;
        }
        for (unsigned i = 0; i + 1 < Words; ++i)
            out.words[i] = out.words[i] >> count | out.words[i + 1] << 1 << (63 - count);
        out.words[Words - 1] >>= count;
        return out;
    }
};

constexpr int count(Bits bits) {
    return std::popcount(bits);
}
template <int Words>
constexpr int count(const UInt<Words>& bits) {
    int total = 0;
    for (auto word : bits.words) total += std::popcount(word);
    return total;
}

/// The word with only bit `index` set.
template <class Word>
constexpr Word bit(int index) {
    FLIPDROP_ASSERT(0 <= index && index < 8 * static_cast<int>(sizeof(Word)));
    return Word{1} << index;
}

/// Index of the lowest bit of a word that is not zero.
constexpr int lowest(Bits bits) {
    FLIPDROP_ASSERT(bits != 0);
    return std::countr_zero(bits);
}
template <int Words>
constexpr int lowest(const UInt<Words>& bits) {
    FLIPDROP_ASSERT(static_cast<bool>(bits));
    int index = 0;
    for (auto word : bits.words) {
        if (word != 0) return index + std::countr_zero(word);
        index += 64;
    }
    return index;
}

/// The same word without its lowest bit.
constexpr Bits without_lowest(Bits bits) {
    return bits & (bits - 1);
}
template <int Words>
constexpr UInt<Words> without_lowest(UInt<Words> bits) {
    for (auto& word : bits.words)
        if (word != 0) {
            word &= word - 1;
            break;
        }
    return bits;
}

/// Index of the set bit that has `rank` set bits below it.
inline int nth(Bits bits, int rank) {
    FLIPDROP_ASSERT(0 <= rank && rank < count(bits));
#if defined(__BMI2__)
    return lowest(_pdep_u64(Bits{1} << rank, bits));
#else
    for (; rank > 0; --rank) bits = without_lowest(bits);
    return lowest(bits);
#endif
}
template <int Words>
int nth(UInt<Words> bits, int rank) {
    for (; rank > 0; --rank) bits = without_lowest(bits);
    return lowest(bits);
}

}  // namespace flipdrop
