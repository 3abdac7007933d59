// The transposition table of the Connect Four solver: bounds of scores. Threads share it without locks.
//
// No position may be mistaken for another one: a wrong bound would be a wrong proof. On 7x6 the key has 49 bits. A
// bijection scrambles it, one part of the result is the address of a bucket and the rest is stored, so that an entry of
// eight bytes identifies its position exactly:
//
//     63 .......... 31 30 ...... 24 23 .. 18 17 .... 12 11 ...... 6 5 ...... 0
//     rest of the key   (unused)    effort      move        upper       lower
//
// Other boards have entries of two words (lockless.hpp). Boards of at most 64 bits use the position's key itself;
// larger ones store 64 bits of one hash and 32 bits of a second one, whose other bits are the address: with a thousand
// million positions in the table, the probability that a probe finds another position is below 2^-64.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernel/bits.hpp"
#include "kernel/connect4/shape.hpp"
#include "kernel/hash.hpp"
#include "kernel/lockless.hpp"

namespace flipdrop::connect4::exact {

struct TTData {
    int lower = 0, upper = 0;
    int column = 0;  ///< of the best move, or of the one tried first
    int effort = 0;  ///< binary logarithm of the nodes spent, rounded up
};

/// A position's address in the table, and what tells it from other positions with that address.
struct TTSlot {
    std::uint64_t bucket, check;

    std::uint64_t hash() const { return (check ^ bucket << 40) | 1; }
};

template <class Shape>
class Table;

template <>
class Table<FixedShape<7, 6>> {
public:
    Table(std::size_t megabytes, Pages pages)
        : buckets_(Buckets<Bucket>::fitting(std::max<std::size_t>(megabytes, 1)), pages),
          address_bits_(std::countr_zero(buckets_.size())) {}

    TTSlot slot(Bits key) const {
        // Each step can be undone: a shift folds the high bits down, the factor is odd.
        key ^= key >> 25;
        key = key * 0x1b873593cc9e2d51ULL & kKeyMask;
        key ^= key >> 22;
        key = key * 0x0c2b2ae3d27d4eb5ULL & kKeyMask;
        key ^= key >> 24;
        return {key, key >> address_bits_};  // the low bits of `bucket` count
    }
    void prefetch(const TTSlot& slot) const { buckets_.prefetch(slot.bucket); }

    bool probe(const TTSlot& slot, TTData& data) const {
        for (std::uint64_t& word : buckets_[slot.bucket].words) {
            const std::uint64_t entry = load_shared(word);
            if (entry >> kCheckShift == slot.check && entry != 0) {
                data = unpack(entry);
                return true;
            }
        }
        return false;
    }

    /// The first entry of a bucket keeps the position of most effort, the second the latest of the others.
    void store(const TTSlot& slot, const TTData& data) {
        Bucket& bucket = buckets_[slot.bucket];
        const std::uint64_t entry = pack(slot.check, data), first = load_shared(bucket.words[0]);
        if (first == 0 || first >> kCheckShift == slot.check) {
            store_shared(bucket.words[0], entry);
        } else if (unpack(first).effort <= data.effort) {
            store_shared(bucket.words[0], entry);
            store_shared(bucket.words[1], first);
        } else {
            store_shared(bucket.words[1], entry);
        }
    }
    void clear() { buckets_.clear(); }

private:
    struct Bucket {
        std::uint64_t words[2];
    };
    static constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << 49) - 1;
    static constexpr int kCheckShift = 24 + 7, kZero = 32;

    static std::uint64_t pack(std::uint64_t check, const TTData& data) {
        return check << kCheckShift | static_cast<std::uint64_t>(data.effort) << 18 |
               static_cast<std::uint64_t>(data.column) << 12 | static_cast<std::uint64_t>(data.upper + kZero) << 6 |
               static_cast<std::uint64_t>(data.lower + kZero);
    }
    static TTData unpack(std::uint64_t entry) {
        return {static_cast<int>(entry & 63) - kZero, static_cast<int>(entry >> 6 & 63) - kZero,
                static_cast<int>(entry >> 12 & 63), static_cast<int>(entry >> 18 & 63)};
    }

    Buckets<Bucket> buckets_;
    int address_bits_;
};

template <class Shape>
class Table {
public:
    using Word = typename Shape::Word;

    Table(std::size_t megabytes, Pages pages)
        : buckets_(Buckets<Bucket>::fitting(std::max<std::size_t>(megabytes, 1)), pages) {}

    TTSlot slot(const Word& key) const { return slot_of(key); }
    void prefetch(const TTSlot& slot) const { buckets_.prefetch(slot.bucket); }

    bool probe(const TTSlot& slot, TTData& data) const {
        for (LocklessEntry& entry : buckets_[slot.bucket].entries) {
            const std::uint64_t content = entry.load();
            if (is_of(slot, entry.key(content), content)) {
                data = unpack(content);
                return true;
            }
        }
        return false;
    }

    void store(const TTSlot& slot, const TTData& data) {
        LocklessEntry* const entries = buckets_[slot.bucket].entries;
        const std::uint64_t first = entries[0].load(), check = entries[0].key(first);
        if (first != 0 && !is_of(slot, check, first)) {
            if (unpack(first).effort > data.effort) return write(entries[1], slot, data);
            entries[1].store(check, first);
        }
        write(entries[0], slot, data);
    }
    void clear() { buckets_.clear(); }

private:
    struct Bucket {
        LocklessEntry entries[2];
    };
    static constexpr int kZero = 128;

    static TTSlot slot_of(Bits key) { return {hash_mix(hash_mix(0, key), key), key}; }
    template <int Words>
    static TTSlot slot_of(const UInt<Words>& key) {
        return {hash_mix(hash_mix(0x2545f4914f6cdd1dULL, key), key), hash_mix(0, key)};
    }

    static bool is_of(const TTSlot& slot, std::uint64_t check, std::uint64_t content) {
        return check == slot.check && content >> 32 == slot.bucket >> 32 && content != 0;
    }
    static void write(LocklessEntry& entry, const TTSlot& slot, const TTData& data) {
        const std::uint64_t content = (slot.bucket >> 32) << 32 | static_cast<std::uint64_t>(data.effort) << 24 |
                                      static_cast<std::uint64_t>(data.column) << 16 |
                                      static_cast<std::uint64_t>(data.upper + kZero) << 8 |
                                      static_cast<std::uint64_t>(data.lower + kZero);
        entry.store(slot.check, content);
    }
    static TTData unpack(std::uint64_t content) {
        return {static_cast<int>(content & 255) - kZero, static_cast<int>(content >> 8 & 255) - kZero,
                static_cast<int>(content >> 16 & 255), static_cast<int>(content >> 24 & 255)};
    }

    Buckets<Bucket> buckets_;
};

}  // namespace flipdrop::connect4::exact
