// Mixing words into one hash.
#pragma once

#include <cstdint>

#include "kernel/bits.hpp"

namespace flipdrop {

/// One round of a multiply-and-shift mix: every input bit reaches the high bits, which are then folded down.
constexpr std::uint64_t hash_mix(std::uint64_t hash, Bits word) {
    hash = (hash ^ word) * 0x9fb21c651e98df25ULL;
    return hash ^ (hash >> 32);
}

template <int Words>
constexpr std::uint64_t hash_mix(std::uint64_t hash, const UInt<Words>& value) {
    for (auto word : value.words) hash = hash_mix(hash, word);
    return hash;
}

}  // namespace flipdrop
