// A search on several threads: its tables, its workers, and the callbacks of its caller.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "kernel/parallel.hpp"
#include "kernel/search/control.hpp"
#include "kernel/solver/othello/search.hpp"
#include "kernel/solver/othello/small_table.hpp"
#include "kernel/solver/othello/table.hpp"
#include "kernel/solver/othello/ybwc.hpp"

namespace flipdrop::othello::endgame {

/// What a solver or an engine keeps from search to search.
template <int Size>
struct Tables {
    explicit Tables(std::size_t megabytes) : shared(megabytes) {}

    void clear() {
        shared.clear();
        for (auto& table : small) table.clear();
    }

    Table shared;
    std::vector<SmallTable<Size>> small;  ///< by slot
};

/// Calls `work(control, worker)` on the calling thread while other threads help. `watch(control)` is called on the
/// calling thread about every 50 ms. Exceptions end the search and pass through.
template <int Size, OrderingEvaluator<Size> Evaluator, class Watch, class Work>
void run_search(Tables<Size>& tables, const Evaluator& evaluator, const search::Limits& limits, int threads,
                Watch&& watch, Work&& work) {
    tables.shared.new_search();
    std::exception_ptr thrown;
    search::SearchControl control(limits, [&] {
        // An exception must not unwind a search that other threads take part in: it is rethrown at the end.
        try {
            if (!thrown) watch(control);
        } catch (...) {
            thrown = std::current_exception();
            control.stop();
        }
    });
    threads = std::max(threads, 1);
    tables.small.resize(std::max(tables.small.size(), static_cast<std::size_t>(threads)));
    YbwcPool<Size> pool(threads);
    Shared<Size> shared{control, tables.shared, pool};
    const auto small = [&](int slot) -> SmallTable<Size>& { return tables.small[static_cast<std::size_t>(slot)]; };
    {
        std::vector<std::jthread> helpers;
        start_threads(helpers, static_cast<std::size_t>(threads - 1), [&](std::size_t i) {
            const int slot = static_cast<int>(i) + 1;
            Search<Size, Evaluator>(shared, evaluator, small(slot), slot).worker_loop();
        });
        Search<Size, Evaluator> worker(shared, evaluator, small(0), 0);
        try {
            work(control, worker);
        } catch (...) {
            if (!thrown) thrown = std::current_exception();
        }
        worker.report_nodes();
        pool.shut_down();
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace flipdrop::othello::endgame
