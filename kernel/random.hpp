// The kernel's only source of randomness: xoshiro256** (Blackman and Vigna), seeded through splitmix64 so that
// neighbouring seeds give unrelated streams.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "kernel/assert.hpp"

namespace flipdrop {

class Random {
public:
    explicit constexpr Random(std::uint64_t seed) {
        for (auto& word : state_) {
            seed += 0x9e3779b97f4a7c15ULL;
            std::uint64_t mixed = seed;
            mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
            mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
            word = mixed ^ (mixed >> 31);
        }
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// A number from 0 to `bound` - 1. The product's high half is uniform to one part in 2^32 / bound; bounds are
    /// numbers of moves, for which that bias cannot be measured.
    constexpr int below(int bound) {
        FLIPDROP_ASSERT(bound > 0);
        return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
    }

    /// Uniform in [0, 1), 53 bits.
    constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    /// Uniform in (0, 1): for logarithms.
    constexpr double uniform_open() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53; }

private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace flipdrop
