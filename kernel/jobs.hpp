// Work spread over threads. The calling thread does none of it: it watches, so that it can pass on progress and
// stop everybody when it is told to (a Ctrl-C, a time limit).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace flipdrop {

/// Workers look at it often: reading it costs one relaxed load, for it has a cache line of its own. (Next to something
/// that one thread keeps writing, it made two threads no faster than one.)
class alignas(64) Stop {
public:
    bool requested() const { return flag_.load(std::memory_order_relaxed); }
    void request() { flag_.store(true, std::memory_order_relaxed); }

private:
    std::atomic<bool> flag_{false};
};

inline constexpr auto kWatchInterval = std::chrono::milliseconds(50);

/// Calls `job(i, stop)` for every i below `jobs` on `threads` threads, in order of i as threads become free. Meanwhile
/// `watch(finished)` is called on the calling thread every 50 ms; when it returns false, or throws, the workers are
/// told to stop. Returns whether every job was done.
template <class Job, class Watch>
bool run_jobs(std::size_t jobs, int threads, Job&& job, Watch&& watch) {
    Stop stop;
    std::atomic<std::size_t> next{0}, finished{0};
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t running = std::min(jobs, static_cast<std::size_t>(std::max(threads, 1)));

    const auto work = [&] {
        for (std::size_t i = next++; i < jobs && !stop.requested(); i = next++) {
            job(i, static_cast<const Stop&>(stop));
            if (!stop.requested()) ++finished;
        }
        // Signalled under the lock: the watcher may destroy everything as soon as it sees the last worker leave.
        const std::lock_guard lock(mutex);
        --running;
        changed.notify_one();
    };
    {
        std::vector<std::jthread> workers;
        workers.reserve(running);
        for (std::size_t i = 0, wanted = running; i < wanted; ++i) workers.emplace_back(work);

        std::unique_lock lock(mutex);
        try {
            while (!changed.wait_for(lock, kWatchInterval, [&] { return running == 0; })) {
                lock.unlock();
                if (!watch(finished.load())) stop.request();
                lock.lock();
            }
        } catch (...) {
            stop.request();
            throw;  // the workers are joined on the way out
        }
    }
    return finished == jobs;
}

}  // namespace flipdrop
