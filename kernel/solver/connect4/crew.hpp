// The threads of one solve. All search the same tree with one table between them; what keeps them from doing the same
// work is that each puts off the moves that another one is at, to find the result in the table later (ABDADA of J.-C.
// Weill, in T. Kerrigan's simple form). A wrong or lost mark costs time, never correctness.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "kernel/solver/connect4/table.hpp"

namespace flipdrop::connect4::exact {

class Crew {
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

    bool is_searched(const Place& place) const {
        return slots_[slot(place)].load(std::memory_order_relaxed) == mark(place);
    }
    void enter(const Place& place) { slots_[slot(place)].store(mark(place), std::memory_order_relaxed); }
    void leave(const Place& place) {
        if (is_searched(place)) slots_[slot(place)].store(0, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t kSlots = 1 << 10;
    static std::uint64_t mark(const Place& place) { return (place.check ^ place.bucket << 40) | 1; }
    static std::size_t slot(const Place& place) { return (place.bucket ^ place.check) % kSlots; }

    int size_ = 1;
    std::vector<std::atomic<std::uint64_t>> slots_;  ///< none while there is only one thread
    alignas(64) std::atomic<std::uint64_t> round_{0};
};

}  // namespace flipdrop::connect4::exact
