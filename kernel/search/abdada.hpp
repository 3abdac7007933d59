// Which positions, or moves of positions, some thread is searching at this moment, so that other threads postpone them
// and later find the result in the transposition table (ABDADA of J.-C. Weill, in T. Kerrigan's simplified form). A
// wrong or lost mark costs time, never correctness.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/assert.hpp"

namespace flipdrop::search {

class AbdadaMarks {
public:
    /// Enabled only where several threads search: making the slots takes as long as a short search.
    explicit AbdadaMarks(bool enabled = false) : slots_(enabled ? kSlots : 0) {}

    /// For one thread, before the others are started.
    void enable() { slots_ = std::vector<std::atomic<std::uint64_t>>(kSlots); }
    bool enabled() const { return !slots_.empty(); }

    /// A mark for a move of the position with this hash; never 0.
    static std::uint64_t mark(std::uint64_t hash, int move) {
        return (hash ^ (static_cast<std::uint64_t>(move) + 1) * 0x9e3779b97f4a7c15ULL) | 1;
    }

    bool contains(std::uint64_t mark) const {
        FLIPDROP_ASSERT(enabled());
        return slots_[index(mark)].load(std::memory_order_relaxed) == mark;
    }
    void enter(std::uint64_t mark) {
        FLIPDROP_ASSERT(enabled() && mark != 0);
        slots_[index(mark)].store(mark, std::memory_order_relaxed);
    }
    void leave(std::uint64_t mark) {
        if (contains(mark)) slots_[index(mark)].store(0, std::memory_order_relaxed);
    }

private:
    static constexpr int kSlotBits = 12;
    static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
    static std::size_t index(std::uint64_t mark) { return mark * 0x9e3779b97f4a7c15ULL >> (64 - kSlotBits); }

    std::vector<std::atomic<std::uint64_t>> slots_;
};

}  // namespace flipdrop::search
