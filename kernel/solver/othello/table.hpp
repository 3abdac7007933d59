// The transposition table of the Othello engine and solver: bounds of the score, and the two best moves. Threads share
// it without locks (lockless.hpp). A bound carries the depth and the selectivity of its search, and is valid for
// searches that are neither deeper nor less selective. A search to the end has the depth of the empty squares.
//
// Content, from the lowest byte: lower bound, upper bound, best move, second best move, depth, age, effort,
// selectivity.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernel/lockless.hpp"

namespace flipdrop::othello::endgame {

inline constexpr int kNoMove = 255;

struct TTData {
    int lower = -64;
    int upper = 64;
    int move = kNoMove;
    int second = kNoMove;
    int depth = 0;
    int selectivity = 0;

    /// Whether the bounds hold for a search of this depth and selectivity.
    bool serves(int wanted_depth, int wanted_selectivity) const {
        return depth >= wanted_depth && selectivity >= wanted_selectivity;
    }
};

class Table {
public:
    /// `megabytes` are rounded down to a power of two.
    explicit Table(std::size_t megabytes)
        : buckets_(Buckets<Bucket>::fitting(megabytes), megabytes >= kHugeFrom ? Pages::Huge : Pages::Small) {}

    /// Ages the entries: from now on those of earlier searches are replaced first.
    void new_search() { age_ = static_cast<std::uint8_t>(age_ + 1); }
    void clear() { buckets_.clear(); }

    void prefetch(std::uint64_t key) const { buckets_.prefetch(key); }

    bool probe(std::uint64_t key, TTData& data) const {
        for (LocklessEntry& entry : buckets_[key].entries) {
            const std::uint64_t content = entry.load();
            if (entry.key(content) != key || content == 0) continue;
            data = unpacked(content);
            return true;
        }
        return false;
    }

    /// Adds a bound of a position's score: a lower one if `score` exceeds the threshold, else an upper one. `effort` is
    /// the number of nodes spent: entries of less effort are replaced first.
    void store(std::uint64_t key, int depth, int selectivity, int threshold, int score, int move,
               std::uint64_t effort) {
        FLIPDROP_ASSERT(-64 <= score && score <= 64);
        LocklessEntry* victim = nullptr;
        int least = 1 << 20;
        TTData data;
        for (LocklessEntry& entry : buckets_[key].entries) {
            const std::uint64_t content = entry.load();
            if (entry.key(content) == key && content != 0) {
                data = unpacked(content);
                victim = &entry;
                break;
            }
            const int priority = (byte(content, 5) == age_ ? 256 : 0) + byte(content, 6) - (content == 0 ? 1000 : 0);
            if (priority < least) {
                least = priority;
                victim = &entry;
            }
        }
        const bool same = data.depth == depth && data.selectivity == selectivity;
        if (!same && data.serves(depth, selectivity)) return;
        if (!same) data.lower = -64, data.upper = 64;
        if (score > threshold)
            data.lower = std::max(data.lower, score);
        else
            data.upper = std::min(data.upper, score);
        // Two selective searches may contradict each other: the later one wins.
        if (data.lower > data.upper) (score > threshold ? data.upper : data.lower) = score;
        if (move != data.move) {
            data.second = data.move;
            data.move = move;
        }
        data.depth = depth;
        data.selectivity = selectivity;
        const std::uint64_t content = packed(data) | static_cast<std::uint64_t>(age_) << 40 |
                                      static_cast<std::uint64_t>(std::bit_width(effort)) << 48 | kInUse;
        victim->store(key, content);
    }

private:
    static constexpr std::size_t kHugeFrom = 64;                     // megabytes
    static constexpr std::uint64_t kInUse = std::uint64_t{1} << 63;  // no content is zero

    struct alignas(64) Bucket {
        LocklessEntry entries[4];
    };

    static int byte(std::uint64_t content, int index) { return static_cast<int>(content >> (8 * index) & 0xff); }

    static std::uint64_t packed(const TTData& data) {
        return static_cast<std::uint64_t>(data.lower + 64) | static_cast<std::uint64_t>(data.upper + 64) << 8 |
               static_cast<std::uint64_t>(data.move) << 16 | static_cast<std::uint64_t>(data.second) << 24 |
               static_cast<std::uint64_t>(data.depth) << 32 | static_cast<std::uint64_t>(data.selectivity) << 56;
    }
    static TTData unpacked(std::uint64_t content) {
        return {byte(content, 0) - 64, byte(content, 1) - 64, byte(content, 2),
                byte(content, 3),      byte(content, 4),      byte(content, 7) & 0x7f};
    }

    Buckets<Bucket> buckets_;
    std::uint8_t age_ = 1;
};

}  // namespace flipdrop::othello::endgame
