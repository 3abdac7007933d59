// The four directions of a board side by side in vectors: one lane for each, and a vector for each word of a set of
// cells.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernel/bits.hpp"

#if defined(__AVX2__)
#include <immintrin.h>

#include <array>
#include <bit>

namespace flipdrop::connect4 {

using Four = std::uint64_t __attribute__((vector_size(32)));

/// A set of cells for each direction. Shifts are by 1 to 63 bits, each lane by its own.
template <int Words>
struct Lanes {
    std::array<Four, Words> words;

    friend Lanes operator&(Lanes a, const Lanes& b) {
        for (unsigned i = 0; i < Words; ++i) a.words[i] &= b.words[i];
        return a;
    }
    friend Lanes operator|(Lanes a, const Lanes& b) {
        for (unsigned i = 0; i < Words; ++i) a.words[i] |= b.words[i];
        return a;
    }
    friend Lanes operator^(Lanes a, const Lanes& b) {
        for (unsigned i = 0; i < Words; ++i) a.words[i] ^= b.words[i];
        return a;
    }
    friend Lanes operator~(Lanes a) {
        for (unsigned i = 0; i < Words; ++i) a.words[i] = ~a.words[i];
        return a;
    }
    friend Lanes operator<<(const Lanes& a, Four step) {
        Lanes out;
        for (unsigned i = Words - 1; i > 0; --i) out.words[i] = a.words[i] << step | a.words[i - 1] >> (64 - step);
        out.words[0] = a.words[0] << step;
        return out;
    }
    friend Lanes operator>>(const Lanes& a, Four step) {
        Lanes out;
        for (unsigned i = 0; i + 1 < Words; ++i) out.words[i] = a.words[i] >> step | a.words[i + 1] << (64 - step);
        out.words[Words - 1] = a.words[Words - 1] >> step;
        return out;
    }
};

template <class Shape>
Four vector_steps(const Shape& shape) {
    const auto rows = static_cast<std::uint64_t>(shape.rows());
    return Four{1, rows, rows + 1, rows + 2};
}

/// The same set in every lane.
inline Four spread(Bits word) {
    return Four{word, word, word, word};
}
template <int Words>
Lanes<Words> spread(const UInt<Words>& set) {
    Lanes<Words> lanes;
    for (unsigned i = 0; i < Words; ++i) lanes.words[i] = spread(set.words[i]);
    return lanes;
}

/// The union of the lanes.
inline Bits joined_word(Four four) {
    return (four[0] | four[1]) | (four[2] | four[3]);
}
template <class Word>
Word joined(const Four& lanes) {
    return joined_word(lanes);
}
template <class Word, int Words>
Word joined(const Lanes<Words>& lanes) {
    Word set;
    for (unsigned i = 0; i < Words; ++i) set.words[i] = joined_word(lanes.words[i]);
    return set;
}

/// Cells in all lanes together.
inline int count_lanes(Four four) {
    return count(four[0]) + count(four[1]) + count(four[2]) + count(four[3]);
}
template <int Words>
int count_lanes(const Lanes<Words>& lanes) {
    int total = 0;
    for (const Four& word : lanes.words) total += count_lanes(word);
    return total;
}

inline bool any(Four four) {
    const auto bits = std::bit_cast<__m256i>(four);
    return _mm256_testz_si256(bits, bits) == 0;
}
template <int Words>
bool any(const Lanes<Words>& lanes) {
    Four all = lanes.words[0];
    for (unsigned i = 1; i < Words; ++i) all |= lanes.words[i];
    return any(all);
}

}  // namespace flipdrop::connect4

#else

namespace flipdrop::connect4 {

/// Where directions are visited one after the other, a lane is a set of cells.
template <class Word>
int count_lanes(const Word& cells) {
    return count(cells);
}

}  // namespace flipdrop::connect4
#endif
