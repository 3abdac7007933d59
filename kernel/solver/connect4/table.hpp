// What the solver remembers: bounds of the scores of positions, shared by threads without locks.
//
// Nothing here may be mistaken for another position: a wrong bound would be a wrong "proof". On 7x6 the key has 49
// bits. It is scrambled by a bijection, one part of the result is the address of a bucket and the rest is stored, so
// that an entry of eight bytes identifies its position for certain:
//
//     63 .......... 31 30 ...... 24 23 .. 18 17 .... 12 11 ...... 6 5 ...... 0
//     rest of the key   (unused)    work      move        upper       lower
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

struct Known {
    int lower = 0, upper = 0;
    int column = 0;  ///< of the move that was best, or tried first
    int work = 0;    ///< logarithm of the nodes that were spent
};

/// Where a position is looked for, and how it is told from others that are looked for there.
struct Place {
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

    Place place(Bits key) const {
        // Each step can be undone: a shift folds the high bits down, the factor is odd.
        key ^= key >> 25;
        key = key * 0x1b873593cc9e2d51ULL & kKeyMask;
        key ^= key >> 22;
        key = key * 0x0c2b2ae3d27d4eb5ULL & kKeyMask;
        key ^= key >> 24;
        return {key & (memory_.size() - 1), key >> address_bits_};
    }
    void prefetch(const Place& place) const { __builtin_prefetch(&memory_[place.bucket]); }

    bool probe(const Place& place, Known& known) const {
        for (std::uint64_t& word : memory_[place.bucket].words) {
            const std::uint64_t entry = detail::load(word);
            if (entry >> kCheckShift == place.check && entry != 0) {
                known = unpack(entry);
                return true;
            }
        }
        return false;
    }

    /// The first entry of a bucket is the one with more work behind it, the second the last one that was not.
    void store(const Place& place, const Known& known) {
        Bucket& bucket = memory_[place.bucket];
        const std::uint64_t entry = pack(place.check, known), first = detail::load(bucket.words[0]);
        if (first == 0 || first >> kCheckShift == place.check) {
            detail::save(bucket.words[0], entry);
        } else if (unpack(first).work <= known.work) {
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

    static std::uint64_t pack(std::uint64_t check, const Known& known) {
        return check << kCheckShift | static_cast<std::uint64_t>(known.work) << 18 |
               static_cast<std::uint64_t>(known.column) << 12 | static_cast<std::uint64_t>(known.upper + kZero) << 6 |
               static_cast<std::uint64_t>(known.lower + kZero);
    }
    static Known unpack(std::uint64_t entry) {
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

    Place place(const Word& key) const { return place_of(key); }
    void prefetch(const Place& place) const { __builtin_prefetch(&bucket_of(place)); }

    bool probe(const Place& place, Known& known) const {
        for (Entry& entry : bucket_of(place).entries) {
            const std::uint64_t content = detail::load(entry.content);
            if (is_of(place, detail::load(entry.check), content)) {
                known = unpack(content);
                return true;
            }
        }
        return false;
    }

    void store(const Place& place, const Known& known) {
        Entry* const entries = bucket_of(place).entries;
        const std::uint64_t first = detail::load(entries[0].content), check = detail::load(entries[0].check);
        if (first != 0 && !is_of(place, check, first)) {
            if (unpack(first).work > known.work) return write(entries[1], place, known);
            detail::save(entries[1].content, first);
            detail::save(entries[1].check, check);
        }
        write(entries[0], place, known);
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

    static Place place_of(Bits key) { return {mixed(mixed(0, key), key), key}; }
    template <int Limbs>
    static Place place_of(const Wide<Limbs>& key) {
        return {mixed(mixed(0x2545f4914f6cdd1dULL, key), key), mixed(0, key)};
    }
    Bucket& bucket_of(const Place& place) const { return memory_[place.bucket & (memory_.size() - 1)]; }

    static bool is_of(const Place& place, std::uint64_t check, std::uint64_t content) {
        return (check ^ content) == place.check && content >> 32 == place.bucket >> 32 && content != 0;
    }
    static void write(Entry& entry, const Place& place, const Known& known) {
        const std::uint64_t content = (place.bucket >> 32) << 32 | static_cast<std::uint64_t>(known.work) << 24 |
                                      static_cast<std::uint64_t>(known.column) << 16 |
                                      static_cast<std::uint64_t>(known.upper + kZero) << 8 |
                                      static_cast<std::uint64_t>(known.lower + kZero);
        detail::save(entry.content, content);
        detail::save(entry.check, place.check ^ content);
    }
    static Known unpack(std::uint64_t content) {
        return {static_cast<int>(content & 255) - kZero, static_cast<int>(content >> 8 & 255) - kZero,
                static_cast<int>(content >> 16 & 255), static_cast<int>(content >> 24 & 255)};
    }

    Memory<Bucket> memory_;
};

}  // namespace flipdrop::connect4::exact
