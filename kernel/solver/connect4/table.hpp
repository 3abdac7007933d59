// What the solver remembers: bounds of the scores of positions, shared by threads without locks.
//
// Nothing here may be mistaken for another position: a wrong bound would be a wrong "proof". On 7x6 the key has 49
// bits. It is scrambled by a bijection, one part of the result is the address of a bucket and the rest is stored, so
// that an entry of eight bytes identifies its position for certain:
//
//     63 .......... 31 30 ...... 24 23 .. 18 17 .... 12 11 ...... 6 5 ...... 0
//     rest of the key   (unused)    effort      move        upper       lower
//
// Boards of at most 64 bits store the key itself in a second word. Still larger boards store 64 bits of one hash and
// 32 of another one, whose other bits are the address: with a thousand million positions in the table the chance that
// a probe is answered by a stranger is below 2^-64. Two words are written as content and check xor content, so that
// two threads that write at once leave an entry that no key fits, instead of one that lies (Hyatt and Mann).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "kernel/bits.hpp"
#include "kernel/connect4/shape.hpp"
#include "kernel/hash.hpp"
#include "kernel/memory.hpp"

namespace flipdrop::connect4::exact {

struct TTData {
    int lower = 0, upper = 0;
    int column = 0;  ///< of the move that was best, or tried first
    int effort = 0;  ///< logarithm of the nodes that were spent
};

/// Where a position is looked for, and how it is told from others that are looked for there.
struct TTSlot {
    std::uint64_t bucket, check;
};

template <class Shape>
class Table;

namespace detail {

inline std::uint64_t load(std::uint64_t& word) {
    return std::atomic_ref<std::uint64_t>(word).load(std::memory_order_relaxed);
}
inline void save(std::uint64_t& word, std::uint64_t value) {
    std::atomic_ref<std::uint64_t>(word).store(value, std::memory_order_relaxed);
}
inline std::size_t buckets_in(std::size_t megabytes, std::size_t bytes) {
    return std::bit_floor(std::max<std::size_t>(1, megabytes) * 1024 * 1024 / bytes);
}

}  // namespace detail

template <>
class Table<FixedShape<7, 6>> {
public:
    Table(std::size_t megabytes, Pages pages)
        : memory_(detail::buckets_in(megabytes, sizeof(Bucket)), pages),
          address_bits_(std::countr_zero(memory_.size())) {}

    TTSlot slot(Bits key) const {
        // Each step can be undone: a shift folds the high bits down, the factor is odd.
        key ^= key >> 25;
        key = key * 0x1b873593cc9e2d51ULL & kKeyMask;
        key ^= key >> 22;
        key = key * 0x0c2b2ae3d27d4eb5ULL & kKeyMask;
        key ^= key >> 24;
        return {key & (memory_.size() - 1), key >> address_bits_};
    }
    void prefetch(const TTSlot& slot) const { __builtin_prefetch(&memory_[slot.bucket]); }

    bool probe(const TTSlot& slot, TTData& known) const {
        for (std::uint64_t& word : memory_[slot.bucket].words) {
            const std::uint64_t entry = detail::load(word);
            if (entry >> kCheckShift == slot.check && entry != 0) {
                known = unpack(entry);
                return true;
            }
        }
        return false;
    }

    /// The first entry of a bucket is the one with more effort behind it, the second the last one that was not.
    void store(const TTSlot& slot, const TTData& known) {
        Bucket& bucket = memory_[slot.bucket];
        const std::uint64_t entry = pack(slot.check, known), first = detail::load(bucket.words[0]);
        if (first == 0 || first >> kCheckShift == slot.check) {
            detail::save(bucket.words[0], entry);
        } else if (unpack(first).effort <= known.effort) {
            detail::save(bucket.words[0], entry);
            detail::save(bucket.words[1], first);
        } else {
            detail::save(bucket.words[1], entry);
        }
    }
    void clear() { memory_.clear(); }

private:
    struct Bucket {
        std::uint64_t words[2];
    };
    static constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << 49) - 1;
    static constexpr int kCheckShift = 24 + 7, kZero = 32;

    static std::uint64_t pack(std::uint64_t check, const TTData& known) {
        return check << kCheckShift | static_cast<std::uint64_t>(known.effort) << 18 |
               static_cast<std::uint64_t>(known.column) << 12 | static_cast<std::uint64_t>(known.upper + kZero) << 6 |
               static_cast<std::uint64_t>(known.lower + kZero);
    }
    static TTData unpack(std::uint64_t entry) {
        return {static_cast<int>(entry & 63) - kZero, static_cast<int>(entry >> 6 & 63) - kZero,
                static_cast<int>(entry >> 12 & 63), static_cast<int>(entry >> 18 & 63)};
    }

    Memory<Bucket> memory_;
    int address_bits_;
};

template <class Shape>
class Table {
public:
    using Word = typename Shape::Word;

    Table(std::size_t megabytes, Pages pages) : memory_(detail::buckets_in(megabytes, sizeof(Bucket)), pages) {}

    TTSlot slot(const Word& key) const { return slot_of(key); }
    void prefetch(const TTSlot& slot) const { __builtin_prefetch(&bucket_of(slot)); }

    bool probe(const TTSlot& slot, TTData& known) const {
        for (Entry& entry : bucket_of(slot).entries) {
            const std::uint64_t content = detail::load(entry.content);
            if (is_of(slot, detail::load(entry.check), content)) {
                known = unpack(content);
                return true;
            }
        }
        return false;
    }

    void store(const TTSlot& slot, const TTData& known) {
        Entry* const entries = bucket_of(slot).entries;
        const std::uint64_t first = detail::load(entries[0].content), check = detail::load(entries[0].check);
        if (first != 0 && !is_of(slot, check, first)) {
            if (unpack(first).effort > known.effort) return write(entries[1], slot, known);
            detail::save(entries[1].content, first);
            detail::save(entries[1].check, check);
        }
        write(entries[0], slot, known);
    }
    void clear() { memory_.clear(); }

private:
    struct Entry {
        std::uint64_t check, content;
    };
    struct Bucket {
        Entry entries[2];
    };
    static constexpr int kZero = 128;

    static TTSlot slot_of(Bits key) { return {hash_mix(hash_mix(0, key), key), key}; }
    template <int Words>
    static TTSlot slot_of(const UInt<Words>& key) {
        return {hash_mix(hash_mix(0x2545f4914f6cdd1dULL, key), key), hash_mix(0, key)};
    }
    Bucket& bucket_of(const TTSlot& slot) const { return memory_[slot.bucket & (memory_.size() - 1)]; }

    static bool is_of(const TTSlot& slot, std::uint64_t check, std::uint64_t content) {
        return (check ^ content) == slot.check && content >> 32 == slot.bucket >> 32 && content != 0;
    }
    static void write(Entry& entry, const TTSlot& slot, const TTData& known) {
        const std::uint64_t content = (slot.bucket >> 32) << 32 | static_cast<std::uint64_t>(known.effort) << 24 |
                                      static_cast<std::uint64_t>(known.column) << 16 |
                                      static_cast<std::uint64_t>(known.upper + kZero) << 8 |
                                      static_cast<std::uint64_t>(known.lower + kZero);
        detail::save(entry.content, content);
        detail::save(entry.check, slot.check ^ content);
    }
    static TTData unpack(std::uint64_t content) {
        return {static_cast<int>(content & 255) - kZero, static_cast<int>(content >> 8 & 255) - kZero,
                static_cast<int>(content >> 16 & 255), static_cast<int>(content >> 24 & 255)};
    }

    Memory<Bucket> memory_;
};

}  // namespace flipdrop::connect4::exact
