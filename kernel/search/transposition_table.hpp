// The transposition table: what was found out about positions met before. Threads share it without locks.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernel/memory.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::search {

enum class Bound : std::uint8_t { None, Lower, Upper, Exact };

struct TTData {
    Value value = 0;
    std::uint8_t depth = 0;
    std::uint8_t move = 0;
    Bound bound = Bound::None;
};

/// Buckets of four entries of 16 bytes, one cache line. An entry is its content and its key xor its content: two
/// threads that write at once leave an entry that no key fits, instead of one that lies (Hyatt and Mann).
class TranspositionTable {
public:
    /// A table that grows to at most `megabytes`, rounded down to a power of two. It begins small: a short search
    /// would spend its time on fetching memory.
    explicit TranspositionTable(std::size_t megabytes)
        : most_buckets_(std::bit_floor(std::max<std::size_t>(1, megabytes * 1024 * 1024 / sizeof(Bucket)))),
          memory_(std::min(kFirstBuckets, most_buckets_), Pages::Small) {}

    /// Takes more memory, if it may, when a search has become too large for what it has. For one thread, while no other
    /// uses the table.
    void grow_for(std::uint64_t nodes) {
        if (nodes < kEntries * memory_.size() || memory_.size() == most_buckets_) return;
        const Memory<Bucket> old =
            std::exchange(memory_, Memory<Bucket>(std::min(memory_.size() * kGrowth, most_buckets_), Pages::Huge));
        for (std::size_t i = 0; i < old.size(); ++i)
            for (int slot = 0; slot < kEntries; ++slot)
                if (const std::uint64_t content = old[i][2 * slot + 1]; content != 0)
                    store(old[i][2 * slot] ^ content, unpack(content));
    }

    bool probe(std::uint64_t key, TTData& found) const {
        Bucket& bucket = bucket_of(key);
        for (int i = 0; i < kEntries; ++i) {
            const std::uint64_t content = word(bucket[2 * i + 1]).load(std::memory_order_relaxed);
            if ((word(bucket[2 * i]).load(std::memory_order_relaxed) ^ content) == key && content != 0) {
                found = unpack(content);
                return true;
            }
        }
        return false;
    }

    /// Replaces what is known of the same position, else the shallowest of the bucket's entries.
    void store(std::uint64_t key, const TTData& entry) {
        Bucket& bucket = bucket_of(key);
        int victim = 0, shallowest = 1000;
        for (int i = 0; i < kEntries; ++i) {
            const std::uint64_t content = word(bucket[2 * i + 1]).load(std::memory_order_relaxed);
            if ((word(bucket[2 * i]).load(std::memory_order_relaxed) ^ content) == key) {
                victim = i;
                break;
            }
            const int depth = content == 0 ? -1 : unpack(content).depth;
            if (depth < shallowest) {
                shallowest = depth;
                victim = i;
            }
        }
        const std::uint64_t content = pack(entry);
        word(bucket[2 * victim + 1]).store(content, std::memory_order_relaxed);
        word(bucket[2 * victim]).store(key ^ content, std::memory_order_relaxed);
    }

private:
    static constexpr int kEntries = 4;
    using Bucket = std::uint64_t[2 * kEntries];
    static constexpr std::size_t kFirstBuckets = std::size_t{1} << 14;  // 1 MB
    static constexpr std::size_t kGrowth = 8;

    static std::atomic_ref<std::uint64_t> word(std::uint64_t& w) { return std::atomic_ref<std::uint64_t>(w); }
    Bucket& bucket_of(std::uint64_t key) const { return memory_[key & (memory_.size() - 1)]; }

    static std::uint64_t pack(const TTData& s) {
        return static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(s.value)) << 32 |
               static_cast<std::uint64_t>(s.depth) << 16 | static_cast<std::uint64_t>(s.move) << 8 |
               static_cast<std::uint64_t>(s.bound);
    }
    static TTData unpack(std::uint64_t content) {
        return {std::bit_cast<Value>(static_cast<std::uint32_t>(content >> 32)),
                static_cast<std::uint8_t>(content >> 16), static_cast<std::uint8_t>(content >> 8),
                static_cast<Bound>(content & 0xff)};
    }

    std::size_t most_buckets_;
    Memory<Bucket> memory_;
};

/// Which moves are being searched by some thread at this moment, so that another one can take them up later and find
/// the result in the table (T. Kerrigan's simple form of ABDADA). A wrong answer costs time, never correctness.
class AbdadaMarks {
public:
    static std::uint64_t mark(std::uint64_t key, int move) {
        return (key ^ (static_cast<std::uint64_t>(move) + 1) * 0x9e3779b97f4a7c15ULL) | 1;
    }
    bool has(std::uint64_t mark) const { return slot(mark).load(std::memory_order_relaxed) == mark; }
    void enter(std::uint64_t mark) { slot(mark).store(mark, std::memory_order_relaxed); }
    void leave(std::uint64_t mark) {
        if (has(mark)) slot(mark).store(0, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t kSlots = 1 << 12;
    const std::atomic<std::uint64_t>& slot(std::uint64_t mark) const { return slots_[(mark >> 8) % kSlots]; }
    std::atomic<std::uint64_t>& slot(std::uint64_t mark) { return slots_[(mark >> 8) % kSlots]; }
    std::vector<std::atomic<std::uint64_t>> slots_ = std::vector<std::atomic<std::uint64_t>>(kSlots);
};

}  // namespace flipdrop::search
