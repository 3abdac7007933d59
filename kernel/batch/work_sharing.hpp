// Threads that help with short pieces of work.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "kernel/parallel.hpp"

namespace flipdrop::batch {

/// Runs the parts of a short task on the calling thread and on workers that happen to be awake in time: a step of a
/// thousand games takes as long as waking a thread. Unlike ThreadTeam, `run` never waits for a worker that has not
/// begun, so a busy machine does not slow it down.
class WorkSharing {
public:
    explicit WorkSharing(int threads) {
        start_threads(workers_, static_cast<std::size_t>(std::max(threads, 1) - 1),
                      [this](std::size_t) { worker_loop(); });
    }
    WorkSharing(const WorkSharing&) = delete;
    WorkSharing& operator=(const WorkSharing&) = delete;
    ~WorkSharing() {
        const std::lock_guard lock(mutex_);
        over_ = true;
        begun_.notify_all();
    }

    /// Calls `work(part)` for every part and returns when all are done. `work` does not throw.
    void run(std::size_t parts, const std::function<void(std::size_t)>& work) {
        if (workers_.empty() || parts <= 1) {
            for (std::size_t part = 0; part < parts; ++part) work(part);
            return;
        }
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            parts_ = parts;
            next_.store(0, std::memory_order_relaxed);
            open_ = true;
            ++round_;
            begun_.notify_all();
        }
        take(work, parts);
        std::unique_lock lock(mutex_);
        open_ = false;
        finished_.wait(lock, [&] { return active_ == 0; });
    }

private:
    void take(const std::function<void(std::size_t)>& work, std::size_t parts) {
        for (std::size_t part = next_++; part < parts; part = next_++) work(part);
    }

    void worker_loop() {
        std::unique_lock lock(mutex_);
        for (std::uint64_t seen = 0;;) {
            begun_.wait(lock, [&] { return over_ || round_ != seen; });
            if (over_) return;
            seen = round_;
            if (!open_) continue;
            ++active_;
            const auto* work = work_;
            const std::size_t parts = parts_;
            lock.unlock();
            take(*work, parts);
            lock.lock();
            if (--active_ == 0) finished_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable begun_, finished_;
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::size_t parts_ = 0;
    std::atomic<std::size_t> next_{0};
    std::uint64_t round_ = 0;
    int active_ = 0;
    bool open_ = false, over_ = false;
    std::vector<std::jthread> workers_;  // last: joined before the members that they use are destroyed
};

}  // namespace flipdrop::batch
