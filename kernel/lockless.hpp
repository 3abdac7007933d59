// What the transposition tables share: buckets of entries that threads read and write without locks.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernel/memory.hpp"

namespace flipdrop {

/// A word that several threads read and write: relaxed, which costs as much as a plain load or store.
inline std::uint64_t load_shared(std::uint64_t& word) {
    return std::atomic_ref<std::uint64_t>(word).load(std::memory_order_relaxed);
}
inline void store_shared(std::uint64_t& word, std::uint64_t value) {
    std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_relaxed);
}

/// An entry of two words: its content, and its key xor its content. When two threads write an entry at once, the
/// words no longer fit any key, so a mixed entry is never read (R. Hyatt and T. Mann). Content 0 means empty.
struct LocklessEntry {
    std::uint64_t lock, content;

    /// The key of the content that was read just before.
    std::uint64_t key(std::uint64_t loaded_content) { return load_shared(lock) ^ loaded_content; }
    std::uint64_t load() { return load_shared(content); }
    void store(std::uint64_t key, std::uint64_t new_content) {
        store_shared(content, new_content);
        store_shared(lock, key ^ new_content);
    }
};

/// A power of two of buckets, each found by the low bits of a hash.
template <class Bucket>
class Buckets {
public:
    Buckets(std::size_t count, Pages pages) : memory_(count, pages) { FLIPDROP_ASSERT(std::has_single_bit(count)); }

    /// How many buckets fit into `megabytes`: a power of two, at least 1.
    static std::size_t fitting(std::size_t megabytes) {
        return std::bit_floor(std::max<std::size_t>(1, megabytes * 1024 * 1024 / sizeof(Bucket)));
    }

    std::size_t size() const { return memory_.size(); }
    Bucket& operator[](std::uint64_t hash) const { return memory_[hash & (memory_.size() - 1)]; }
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&(*this)[hash]); }
    void clear() { memory_.clear(); }  ///< while no other thread uses the table

private:
    Memory<Bucket> memory_;
};

}  // namespace flipdrop
