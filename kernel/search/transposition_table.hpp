// The transposition table of the minimax family. Threads share it without locks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "kernel/lockless.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::search {

enum class Bound : std::uint8_t { None, Lower, Upper, Exact };

struct TTData {
    Value value = 0;
    std::uint8_t depth = 0;
    std::uint8_t move = 0;
    Bound bound = Bound::None;
};

/// Buckets of four entries of 16 bytes: one cache line.
class TranspositionTable {
public:
    /// Grows to at most `megabytes`, rounded down to a power of two. It begins small: allocating the whole table takes
    /// longer than a short search.
    explicit TranspositionTable(std::size_t megabytes)
        : max_buckets_(Buckets<Bucket>::fitting(megabytes)),
          buckets_(std::min(kFirstBuckets, max_buckets_), Pages::Small) {}

    /// A table of its full size from the beginning, for searches that share it one after the other.
    struct FullSize {};
    TranspositionTable(std::size_t megabytes, FullSize)
        : max_buckets_(Buckets<Bucket>::fitting(megabytes)), buckets_(max_buckets_, Pages::Huge) {}

    void clear() { buckets_.clear(); }

    /// Entries of earlier searches are replaced first from now on.
    void new_search() { ++generation_; }

    std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

    /// Takes more memory, up to the limit, when a search of `nodes` nodes no longer fits, unless that could take more
    /// than a small part of the time left. While no other thread uses the table.
    void grow_for(std::uint64_t nodes, double seconds_left) {
        if (nodes < kEntries * buckets_.size() || buckets_.size() == max_buckets_) return;
        const std::size_t size = std::min(buckets_.size() * kGrowth, max_buckets_);
        if (static_cast<double>(size * sizeof(Bucket)) > kGrowthShare * seconds_left * kBytesPerSecond) return;
        const Buckets<Bucket> old = std::exchange(buckets_, Buckets<Bucket>(size, Pages::Huge));
        for (std::size_t i = 0; i < old.size(); ++i)
            for (LocklessEntry& entry : old[i].entries)
                if (const std::uint64_t content = entry.load(); content != 0)
                    store(entry.key(content), unpack(content));
    }

    void prefetch(std::uint64_t key) const { buckets_.prefetch(key); }

    bool probe(std::uint64_t key, TTData& data) const {
        for (LocklessEntry& entry : buckets_[key].entries) {
            const std::uint64_t content = entry.load();
            if (entry.key(content) == key && content != 0) {
                data = unpack(content);
                return true;
            }
        }
        return false;
    }

    /// Replaces the entry of the same position, else one of an earlier search, else the shallowest of the bucket.
    void store(std::uint64_t key, const TTData& data) {
        FLIPDROP_ASSERT(data.bound != Bound::None);  // no content is 0
        LocklessEntry* victim = nullptr;
        int shallowest = 1000;
        for (LocklessEntry& entry : buckets_[key].entries) {
            const std::uint64_t content = entry.load();
            if (entry.key(content) == key) {
                victim = &entry;
                break;
            }
            const int depth = content == 0 ? -1 : generation_of(content) != generation_ ? 0 : unpack(content).depth;
            if (depth < shallowest) {
                shallowest = depth;
                victim = &entry;
            }
        }
        victim->store(key, pack(data) | static_cast<std::uint64_t>(generation_) << kGenerationShift);
    }

private:
    static constexpr int kEntries = 4;
    struct alignas(64) Bucket {
        LocklessEntry entries[kEntries];
    };
    static constexpr std::size_t kFirstBuckets = std::size_t{1} << 14;  // 1 MB
    static constexpr std::size_t kGrowth = 8;
    // Filling and zeroing a grown table, on a slow machine; and how much of the time left that may take.
    static constexpr double kBytesPerSecond = 250e6, kGrowthShare = 0.1;

    static constexpr int kGenerationShift = 24;
    static std::uint8_t generation_of(std::uint64_t content) {
        return static_cast<std::uint8_t>(content >> kGenerationShift);
    }

    static std::uint64_t pack(const TTData& data) {
        return static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(data.value)) << 32 |
               static_cast<std::uint64_t>(data.depth) << 16 | static_cast<std::uint64_t>(data.move) << 8 |
               static_cast<std::uint64_t>(data.bound);
    }
    static TTData unpack(std::uint64_t content) {
        return {std::bit_cast<Value>(static_cast<std::uint32_t>(content >> 32)),
                static_cast<std::uint8_t>(content >> 16), static_cast<std::uint8_t>(content >> 8),
                static_cast<Bound>(content & 0xff)};
    }

    std::size_t max_buckets_;
    Buckets<Bucket> buckets_;
    std::uint8_t generation_ = 0;
};

}  // namespace flipdrop::search
