// How threads share a tree without standing in each other's way.
//
// Every simulation passes through the same few nodes near the root. Two threads that write to them each time wait for
// each other's cache lines more than they search: in Connect Four two threads were barely faster than one. So a thread
// keeps what it has to add to much visited nodes to itself for some simulations. A node that has been visited often
// does not care whether it learns of the last few a microsecond later; a young node, where it matters that the threads
// do not all choose the same child, is told at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/mcts/tree.hpp"

namespace flipdrop::mcts {

/// Visits and rewards that one thread has not yet added to the tree.
class Pending {
public:
    /// A node with so many visits is told later.
    static constexpr std::uint32_t kSettledVisits = 32;
    /// After so many simulations.
    static constexpr std::uint64_t kSimulations = 32;

    struct Entry {
        Index index = kNone;
        std::uint32_t visits = 0;
        double sum = 0;
    };

    /// What is held back for a node; null for most.
    const Entry* of(Index index) const {
        const Entry& entry = entries_[index % kEntries];
        return entry.index == index ? &entry : nullptr;
    }

    void add(Tree& tree, Index index, double reward) {
        Entry& entry = entries_[index % kEntries];
        if (entry.index != index) {
            if (entry.index == kNone)
                used_[count_++] = static_cast<std::uint16_t>(index % kEntries);
            else
                tell(tree, entry);
            entry = {index, 0, 0};
        }
        ++entry.visits;
        entry.sum += reward;
    }

    void tell_all(Tree& tree) {
        for (unsigned i = 0; i < count_; ++i) {
            Entry& entry = entries_[used_[i]];
            tell(tree, entry);
            entry = {};
        }
        count_ = 0;
    }

private:
    static constexpr unsigned kEntries = 256;

    static void tell(Tree& tree, const Entry& entry) {
        tree[entry.index].visits.fetch_add(entry.visits, std::memory_order_relaxed);
        tree[entry.index].sum.fetch_add(entry.sum, std::memory_order_relaxed);
    }

    std::array<Entry, kEntries> entries_;
    std::array<std::uint16_t, kEntries> used_{};  ///< where `count_` entries are
    unsigned count_ = 0;
};

}  // namespace flipdrop::mcts
