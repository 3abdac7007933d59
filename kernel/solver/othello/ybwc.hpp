// Threads that share the work of one search: Young Brothers Wait (R. Feldmann).
//
// The first move of a node is searched alone; it often suffices. If it does not, the searching thread offers the other
// moves to idle threads at a SplitPoint. The owner of the split point searches the moves that no thread takes, and then
// waits for its helpers. While it waits it takes other work, but only from below its own split point; other work could
// keep it long after its helpers are done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>

#include "kernel/othello/board.hpp"
#include "kernel/parallel.hpp"
#include "kernel/solver/othello/last_moves.hpp"
#include "kernel/solver/othello/table.hpp"

namespace flipdrop::othello::endgame {

/// What a search of moves against a threshold has found so far.
struct Searched {
    int best = kNone;    ///< the best score
    int move = kNoMove;  ///< that has it
    Bits refuted = 0;    ///< moves that do not exceed the threshold

    void add(int score, int of_move, int threshold) {
        if (score <= threshold) refuted |= Bits{1} << of_move;
        if (score > best) {
            best = score;
            move = of_move;
        }
    }
};

/// A node whose moves are searched by several threads.
struct SplitPoint {
    const SplitPoint* parent = nullptr;  ///< the next one above, on the way to the root
    int threshold = 0;
    int depth = 0;
    bool to_end = false;  ///< the depth is that of the empty squares
    int selectivity = 0;
    std::atomic<bool> cut{false};  ///< a move exceeded the threshold: the others need not be searched
    std::atomic<int> helpers{0};   ///< moves that other threads are searching
    Searched found;                ///< guarded by the pool's mutex

    bool is_below(const SplitPoint* other) const {
        for (const SplitPoint* split = this; split != nullptr; split = split->parent)
            if (split == other) return true;
        return false;
    }
};

/// The position after a move that another thread searches.
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

    /// Gives a move to an idle thread that may take it. False: there is none.
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

    /// Adds a helper's result; not valid if its search was stopped.
    void answer(const Task<Size>& task, bool valid, int score) {
        const std::lock_guard lock(mutex_);
        SplitPoint& split = *task.split;
        if (valid) add(split, score, task.move);
        if (--split.helpers == 0)
            for (auto& slot : slots_)
                if (slot.under == &split) slot.changed.notify_one();
    }

    /// Adds a result of the owner. Returns the best score so far.
    int add_own(SplitPoint& split, int score, int move) {
        const std::lock_guard lock(mutex_);
        add(split, score, move);
        return split.found.best;
    }

    /// Waits for a move to search: any move until the pool shuts down, or one below `under` as long as that split point
    /// has helpers. `idle` is called about every 50 ms. False: the wait is over without a move.
    template <class Idle>
    bool next(int slot_number, const SplitPoint* under, Task<Size>& task, Idle&& idle) {
        Slot& slot = slots_[static_cast<std::size_t>(slot_number)];
        std::unique_lock lock(mutex_);
        const auto done = [&] { return under != nullptr ? under->helpers == 0 : shut_down_.load(); };
        if (done()) return false;
        slot.under = under;
        slot.idle = true;
        ++idle_;
        // Most waits are shorter than the time to sleep and wake up.
        lock.unlock();
        for (int i = 1; i <= kSpins && slot.idle && !done(); ++i) i % kYield == 0 ? std::this_thread::yield() : relax();
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

    /// Ends the worker loops. The search must be over: no split point has helpers.
    void shut_down() {
        const std::lock_guard lock(mutex_);
        for (const auto& slot : slots_) FLIPDROP_ASSERT(slot.under == nullptr);
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

    static constexpr int kSpins = 20000;  ///< some 0.5 ms on x86
    static constexpr int kYield = 512;    ///< every kYield-th spin lets other threads run, where cores are scarce

    static void relax() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    static void add(SplitPoint& split, int score, int move) {
        split.found.add(score, move, split.threshold);
        if (score > split.threshold) split.cut.store(true, std::memory_order_relaxed);
    }

    std::deque<Slot> slots_;
    std::mutex mutex_;
    std::atomic<bool> shut_down_{false};
    alignas(64) std::atomic<int> idle_{0};
};

}  // namespace flipdrop::othello::endgame
