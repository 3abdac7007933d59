// The threads of one solve. All search the same tree with one table between them; what keeps them from doing the same
// work is that each puts off the moves that another one is at, to find the result in the table later (ABDADA of J.-C.
// Weill, in T. Kerrigan's simple form). A wrong or lost mark costs time, never correctness.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "kernel/solver/connect4/table.hpp"

namespace flipdrop::connect4::exact {

class AbdadaMarks {
public:
    int size() const { return size_; }

    /// To be called before the other threads are started. (The marks take longer to make than an easy position.)
    void grow(int size) {
        size_ = size;
        slots_ = std::vector<std::atomic<std::uint64_t>>(kSlots);
    }

    /// The question that everybody is working on has a number; a thread that sees another one drops its work.
    std::uint64_t round() const { return round_.load(std::memory_order_relaxed); }
    void next_round() { round_.fetch_add(1, std::memory_order_relaxed); }

    bool is_searched(const TTSlot& slot) const {
        return slots_[index(slot)].load(std::memory_order_relaxed) == mark(slot);
    }
    void enter(const TTSlot& slot) { slots_[index(slot)].store(mark(slot), std::memory_order_relaxed); }
    void leave(const TTSlot& slot) {
        if (is_searched(slot)) slots_[index(slot)].store(0, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t kSlots = 1 << 10;
    static std::uint64_t mark(const TTSlot& slot) { return (slot.check ^ slot.bucket << 40) | 1; }
    static std::size_t index(const TTSlot& slot) { return (slot.bucket ^ slot.check) % kSlots; }

    int size_ = 1;
    std::vector<std::atomic<std::uint64_t>> slots_;  ///< none while there is only one thread
    alignas(64) std::atomic<std::uint64_t> round_{0};
};

}  // namespace flipdrop::connect4::exact
