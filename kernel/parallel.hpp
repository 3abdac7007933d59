// Work spread over threads: many jobs in a queue (parallel_for), or one search on a team of threads (ThreadTeam).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "kernel/assert.hpp"
#include "kernel/errors.hpp"

namespace flipdrop {

/// A request to stop. Workers poll it often, for the price of one relaxed load: it has a cache line of its own. (On the
/// cache line of a counter that one thread kept writing, it made two threads no faster than one.)
class alignas(64) StopFlag {
public:
    bool requested() const { return flag_.load(std::memory_order_relaxed); }
    void request() { flag_.store(true, std::memory_order_relaxed); }

private:
    std::atomic<bool> flag_{false};
};

/// Thrown by work that ends because of a StopFlag.
struct Interrupted {};

inline constexpr auto kWatchInterval = std::chrono::milliseconds(50);

/// Starts `count` threads that call `main(i)`; fewer if the system refuses another one.
template <class Main>
void start_threads(std::vector<std::jthread>& threads, std::size_t count, const Main& main) {
    threads.reserve(count);
    try {
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back(main, i);
    } catch (const std::system_error&) {
    }
}

/// A work queue. The calling thread does no jobs: it reports progress, and stops the workers on Ctrl-C or a time limit.
///
/// Calls `job(i, stop)` for every i below `jobs` on `threads` threads, in order of i as threads become free. Meanwhile
/// the calling thread calls `watch(finished)` every 50 ms; when that returns false or throws, or a job throws, the
/// workers stop. Returns whether every job was done; rethrows the first exception of a job.
template <class Job, class Watch>
bool parallel_for(std::size_t jobs, int threads, Job&& job, Watch&& watch) {
    StopFlag stop;
    std::atomic<std::size_t> next{0}, finished{0};
    std::mutex mutex;
    std::condition_variable changed;
    std::exception_ptr failure;
    const std::size_t wanted = std::min(jobs, static_cast<std::size_t>(std::max(threads, 1)));
    std::size_t running = wanted;

    const auto work = [&](std::size_t) {
        std::exception_ptr thrown;
        try {
            for (std::size_t i = next++; i < jobs && !stop.requested(); i = next++) {
                job(i, static_cast<const StopFlag&>(stop));
                if (!stop.requested()) ++finished;
            }
        } catch (...) {
            thrown = std::current_exception();
            stop.request();
        }
        // Notifies under the lock: the calling thread may destroy the condition variable as soon as `running` is 0.
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::move(thrown);
        --running;
        changed.notify_one();
    };
    {
        std::vector<std::jthread> workers;
        start_threads(workers, wanted, work);
        if (wanted > 0 && workers.empty()) throw Error("the system has no thread left for this work");

        std::unique_lock lock(mutex);
        running -= wanted - workers.size();
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
    if (failure) std::rethrow_exception(failure);
    return finished == jobs;
}

/// The threads of one search, including the calling one. Starting a thread takes longer than a short search, so the
/// others sleep between two calls of `run`.
class ThreadTeam {
public:
    explicit ThreadTeam(int threads) {
        start_threads(workers_, static_cast<std::size_t>(std::max(threads, 1) - 1),
                      [this](std::size_t i) { worker_loop(static_cast<int>(i) + 1); });
    }
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;
    ~ThreadTeam() {
        over_.store(true, std::memory_order_relaxed);
        start_round();
    }

    /// Calls `work(member)` on every thread, 0 on the calling one, and returns when all are done. When one throws,
    /// `stop` is called at once (it should end the others), and the first exception is rethrown here.
    template <class Work, class Halt>
    void run(Work&& work, Halt&& stop) {
        FLIPDROP_ASSERT(busy_.load() == 0);
        std::mutex mutex;
        std::exception_ptr failure;
        work_ = [&](int member) {
            try {
                work(member);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                stop();
            }
        };
        busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
        if (!workers_.empty()) start_round();
        work_(0);
        for (int busy = busy_.load(); busy != 0; busy = busy_.load()) busy_.wait(busy);
        if (failure) std::rethrow_exception(failure);
    }

private:
    void start_round() {
        round_.fetch_add(1, std::memory_order_release);
        round_.notify_all();
    }

    void worker_loop(int member) {
        for (int seen = 0;;) {
            round_.wait(seen, std::memory_order_acquire);
            seen = round_.load(std::memory_order_acquire);
            if (over_.load(std::memory_order_relaxed)) return;
            work_(member);
            if (busy_.fetch_sub(1) == 1) busy_.notify_one();
        }
    }

    std::function<void(int)> work_;
    std::atomic<int> round_{0}, busy_{0};
    std::atomic<bool> over_{false};
    std::vector<std::jthread> workers_;  // last: joined before the members that they use are destroyed
};

}  // namespace flipdrop
