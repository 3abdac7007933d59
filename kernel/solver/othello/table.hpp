// What was found out about positions met before: bounds of the score, and the best moves. Threads share it without
// locks.
//
// Buckets of four entries of 16 bytes fill a cache line. An entry is its content and its key xor its content: two
// threads that write at once leave an entry that no key fits, instead of one that lies (Hyatt and Mann). Bounds of a
// selective search are marked with its selectivity, and serve only searches of that selectivity or lower.
//
// Content, from the lowest byte: lower bound, upper bound, best move, second best move, selectivity, age, effort.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "kernel/memory.hpp"

namespace flipdrop::othello::endgame {

inline constexpr int kNoMove = 255;

/// What is known of one position, for its side to move.
struct TTData {
    int lower = -64;
    int upper = 64;
    int move = kNoMove;
    int second = kNoMove;
    int selectivity = 0;
};

class Table {
public:
    /// As many buckets as fit into `megabytes`, rounded down to a power of two.
    explicit Table(std::size_t megabytes)
        : buckets_(std::bit_floor(std::max<std::size_t>(1, megabytes * 1024 * 1024 / sizeof(Bucket))),
                   megabytes >= kHugeFrom ? Pages::Huge : Pages::Small) {}

    /// From now on entries of earlier searches are the first to go.
    void new_search() { age_ = static_cast<std::uint8_t>(age_ + 1); }
    void clear() { buckets_.clear(); }

    void prefetch(std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&bucket_of(key));
#endif
    }

    bool probe(std::uint64_t key, TTData& known) const {
        for (auto& entry : bucket_of(key).entries) {
            const std::uint64_t content = entry.content.load(std::memory_order_relaxed);
            if ((entry.lock.load(std::memory_order_relaxed) ^ content) != key || content == 0) continue;
            known = unpacked(content);
            return true;
        }
        return false;
    }

    /// Adds a bound to what is known of a position: at least `score` when it is above the threshold, else at most.
    /// `effort` is how many nodes it took: the larger, the longer it is kept.
    void store(std::uint64_t key, int selectivity, int threshold, int score, int move, std::uint64_t effort) {
        Bucket& bucket = bucket_of(key);
        Entry* victim = nullptr;
        int least = 1 << 20;
        TTData known;
        for (auto& entry : bucket.entries) {
            const std::uint64_t content = entry.content.load(std::memory_order_relaxed);
            if ((entry.lock.load(std::memory_order_relaxed) ^ content) == key && content != 0) {
                known = unpacked(content);
                victim = &entry;
                break;
            }
            const int worth = (byte(content, 5) == age_ ? 256 : 0) + byte(content, 6) - (content == 0 ? 1000 : 0);
            if (worth < least) {
                least = worth;
                victim = &entry;
            }
        }
        if (known.selectivity > selectivity) return;
        if (known.selectivity < selectivity) known.lower = -64, known.upper = 64;
        if (score > threshold)
            known.lower = std::max(known.lower, score);
        else
            known.upper = std::min(known.upper, score);
        // Two selective searches may contradict each other: the later one counts.
        if (known.lower > known.upper) (score > threshold ? known.upper : known.lower) = score;
        if (move != known.move) {
            known.second = known.move;
            known.move = move;
        }
        known.selectivity = selectivity;
        const std::uint64_t content = packed(known) | static_cast<std::uint64_t>(age_) << 40 |
                                      static_cast<std::uint64_t>(std::bit_width(effort)) << 48 | kInUse;
        victim->content.store(content, std::memory_order_relaxed);
        victim->lock.store(key ^ content, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t kHugeFrom = 64;                     // megabytes
    static constexpr std::uint64_t kInUse = std::uint64_t{1} << 63;  // no content is zero

    struct Entry {
        std::atomic<std::uint64_t> lock, content;
    };
    struct alignas(64) Bucket {
        Entry entries[4];
    };

    Bucket& bucket_of(std::uint64_t key) const { return buckets_[key & (buckets_.size() - 1)]; }
    static int byte(std::uint64_t content, int place) { return static_cast<int>(content >> (8 * place) & 0xff); }

    static std::uint64_t packed(const TTData& known) {
        return static_cast<std::uint64_t>(known.lower + 64) | static_cast<std::uint64_t>(known.upper + 64) << 8 |
               static_cast<std::uint64_t>(known.move) << 16 | static_cast<std::uint64_t>(known.second) << 24 |
               static_cast<std::uint64_t>(known.selectivity) << 32;
    }
    static TTData unpacked(std::uint64_t content) {
        return {byte(content, 0) - 64, byte(content, 1) - 64, byte(content, 2), byte(content, 3), byte(content, 4)};
    }

    Memory<Bucket> buckets_;
    std::uint8_t age_ = 1;
};

}  // namespace flipdrop::othello::endgame
