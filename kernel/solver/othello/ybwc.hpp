// Threads that share the work of one search: young brothers wait.
//
// The first move of a node is searched alone; it mostly suffices. Once it has not, the others are worth searching too,
// and whoever does that hands single moves to threads that have nothing to do. Where moves are handed out there is a
// SplitPoint. Its owner searches what nobody takes, and in the end waits for the last helper; while waiting it takes up
// work too, but only from below its own split, or it could be away for long when its helper is done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

#include "kernel/othello/board.hpp"
#include "kernel/parallel.hpp"
#include "kernel/solver/othello/last_moves.hpp"

namespace flipdrop::othello::endgame {

/// A node whose moves are searched by several threads.
struct SplitPoint {
    const SplitPoint* parent = nullptr;  ///< the next one above, on the way to the root
    int threshold = 0;
    int selectivity = 0;
    std::atomic<bool> cut{false};  ///< a move was good enough: the rest need not be searched
    std::atomic<int> helpers{0};   ///< moves handed out and not yet answered
    int best = kNone;              ///< as the move, guarded by the pool
    int move = 0;

    bool is_below(const SplitPoint* other) const {
        for (const SplitPoint* split = this; split != nullptr; split = split->parent)
            if (split == other) return true;
        return false;
    }
};

/// A move that was handed out, already played.
template <int Size>
struct Task {
    Board<Size> board;
    int move = 0;
    SplitPoint* split = nullptr;
};

template <int Size>
class YbwcPool {
public:
    explicit YbwcPool(int threads) : slots_(static_cast<std::size_t>(threads)) {}

    int threads() const { return static_cast<int>(slots_.size()); }
    bool has_idle() const { return idle_.load(std::memory_order_relaxed) > 0; }

    /// Hands a move to an idle thread, if there is one that may take it.
    bool offer(const Task<Size>& task) {
        const std::lock_guard lock(mutex_);
        for (auto& slot : slots_) {
            if (!slot.idle || (slot.under != nullptr && !task.split->is_below(slot.under))) continue;
            slot.idle = false;
            --idle_;
            slot.task = task;
            ++task.split->helpers;
            slot.changed.notify_one();
            return true;
        }
        return false;
    }

    /// A helper's answer.
    void answer(const Task<Size>& task, bool valid, int score) {
        const std::lock_guard lock(mutex_);
        SplitPoint& split = *task.split;
        if (valid) add(split, score, task.move);
        if (--split.helpers == 0)
            for (auto& slot : slots_)
                if (slot.under == &split) slot.changed.notify_one();
    }

    /// The owner's own result. Returns the best so far.
    int add_own(SplitPoint& split, int score, int move) {
        const std::lock_guard lock(mutex_);
        add(split, score, move);
        return split.best;
    }

    /// Waits for a move to search: for anything while the pool works, or for something below `under` as long as that
    /// split has helpers. `idle` is called about every 50 ms. False: there is nothing left to wait for.
    template <class Idle>
    bool next(int slot_number, const SplitPoint* under, Task<Size>& task, Idle&& idle) {
        Slot& slot = slots_[static_cast<std::size_t>(slot_number)];
        std::unique_lock lock(mutex_);
        const auto done = [&] { return under != nullptr ? under->helpers == 0 : shut_down_.load(); };
        if (done()) return false;
        slot.under = under;
        slot.idle = true;
        ++idle_;
        // Most waits are shorter than it takes to fall asleep and be woken.
        lock.unlock();
        for (int i = 0; i < kSpins && slot.idle && !done(); ++i) relax();
        lock.lock();
        while (!slot.changed.wait_for(lock, kWatchInterval, [&] { return !slot.idle || done(); })) {
            lock.unlock();
            idle();
            lock.lock();
        }
        const bool found = !slot.idle;
        if (!found) --idle_;
        slot.idle = false;
        slot.under = nullptr;
        if (found) task = slot.task;
        return found;
    }

    /// Sends the helpers home. The search must be over.
    void shut_down() {
        const std::lock_guard lock(mutex_);
        shut_down_ = true;
        for (auto& slot : slots_) slot.changed.notify_one();
    }

private:
    struct Slot {
        std::condition_variable changed;
        std::atomic<bool> idle{false};
        const SplitPoint* under = nullptr;
        Task<Size> task;
    };

    static constexpr int kSpins = 4000;  ///< some 0.1 ms

    static void relax() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    static void add(SplitPoint& split, int score, int move) {
        if (score > split.best) {
            split.best = score;
            split.move = move;
        }
        if (score > split.threshold) split.cut.store(true, std::memory_order_relaxed);
    }

    std::deque<Slot> slots_;
    std::mutex mutex_;
    std::atomic<bool> shut_down_{false};
    alignas(64) std::atomic<int> idle_{0};
};

}  // namespace flipdrop::othello::endgame
