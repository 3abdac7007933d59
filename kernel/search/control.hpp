// When a search has to end: its limits and its caller's callbacks.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

#include "kernel/parallel.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::search {

/// Callbacks of a search, on the thread that started it. Their exceptions end the search and pass through.
struct Observer {
    std::function<void()> watch;                       ///< about every 50 ms
    std::function<void(const Report&)> progress = {};  ///< with every new result
};

/// Shared by the threads of one search.
class SearchControl {
public:
    /// `watch` is called on the thread that started the search, about every 50 ms; its exceptions end the search.
    SearchControl(const Limits& limits, std::function<void()> watch)
        : limits_(limits), watch_(std::move(watch)), began_(Clock::now()), next_watch_(began_ + kWatchInterval) {}

    bool stopped() const { return stop_.requested(); }
    void stop() { stop_.request(); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
    /// Infinite without a limit of time.
    double seconds_left() const {
        return limits_.seconds > 0 ? limits_.seconds - seconds() : std::numeric_limits<double>::infinity();
    }
    std::uint64_t node_limit() const { return limits_.nodes == 0 ? ~std::uint64_t{0} : limits_.nodes; }
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

    using Clock = std::chrono::steady_clock;

    /// Accounts for nodes that a thread has visited since its last call. Returns the time.
    Clock::time_point add_nodes(std::uint64_t nodes, bool on_calling_thread) {
        const std::uint64_t total = nodes_.fetch_add(nodes, std::memory_order_relaxed) + nodes;
        const auto now = Clock::now();
        if (total >= node_limit() ||
            (limits_.seconds > 0 && std::chrono::duration<double>(now - began_).count() >= limits_.seconds))
            stop();
        if (on_calling_thread && watch_ && now >= next_watch_) {
            next_watch_ = now + kWatchInterval;
            watch_();
        }
        return now;
    }

private:
    Limits limits_;
    std::function<void()> watch_;
    Clock::time_point began_, next_watch_;
    StopFlag stop_;
    alignas(64) std::atomic<std::uint64_t> nodes_{0};
};

/// One thread's node counter. Reading the clock costs more than visiting a node, so the counter polls about every
/// quarter of a millisecond. A node takes from a few nanoseconds to a call of a slow Python function, so the counter
/// polls at the first node and adapts the interval.
class NodeCounter {
public:
    NodeCounter(SearchControl& control, bool on_calling_thread)
        : control_(control), on_calling_thread_(on_calling_thread), polled_(SearchControl::Clock::now()) {}
    NodeCounter(const NodeCounter&) = delete;
    NodeCounter& operator=(const NodeCounter&) = delete;
    ~NodeCounter() {
        if (unreported_ > 0) control_.add_nodes(unreported_, false);
    }

    /// Counts one node. True when the search has to end.
    bool tick() {
        if (control_.stopped()) return true;
        ++nodes_;
        if (++unreported_ >= interval_ || unreported_ + control_.nodes() >= control_.node_limit()) poll();
        return control_.stopped();
    }
    std::uint64_t nodes() const { return nodes_; }

private:
    static constexpr std::uint64_t kMaxNodes = 512;
    static constexpr auto kPause = std::chrono::microseconds(250);

    void poll() {
        const auto now = control_.add_nodes(unreported_, on_calling_thread_);
        unreported_ = 0;
        if (now - polled_ > kPause)
            interval_ = std::max<std::uint64_t>(1, interval_ / 4);
        else if (now - polled_ < kPause / 2)
            interval_ = std::min(kMaxNodes, interval_ * 2);
        polled_ = now;
    }

    SearchControl& control_;
    bool on_calling_thread_;
    SearchControl::Clock::time_point polled_;
    std::uint64_t nodes_ = 0, unreported_ = 0, interval_ = 1;
};

}  // namespace flipdrop::search
