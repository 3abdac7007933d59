// From a board and an evaluator to a report: runs one PUCT search within its budget.
#pragma once

#include <chrono>
#include <string>

#include "kernel/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/parallel.hpp"
#include "kernel/puct/search.hpp"
#include "kernel/puct/settings.hpp"
#include "kernel/search/control.hpp"

namespace flipdrop::puct {

/// Throws Error unless a search with these settings can be run.
inline void check(const Settings& settings) {
    if (settings.simulations == 0 && settings.seconds <= 0) throw Error("no budget: give simulations or seconds");
    if (settings.batch < 1) throw Error("batch is " + std::to_string(settings.batch) + "; at least 1 is needed");
    if (!(settings.alpha > 0)) throw Error("alpha is " + std::to_string(settings.alpha) + "; it has to be above 0");
}

/// Searches until the budget is spent or the result is proven. The observer is called about every 50 ms, between two
/// batches; what it throws ends the search.
template <GameBoard Board>
search::Report run(const Board& board, const Settings& settings, const Evaluator& evaluate,
                   const search::Observer& observer) {
    constexpr std::uint32_t kMaxSimulations =
        3'000'000;  // bounds the tree, at about 600 MB, where only time is limited
    check(settings);
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    auto watched = began;
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
    Search<Board> search(board, settings);
    search.begin(settings.simulations == 0 ? kMaxSimulations : settings.simulations, settings.noise);
    Batch batch;
    while (search.gather(settings.batch, batch) > 0) {
        evaluate(batch);
        search.take(batch);
        batch.clear();
        if (settings.seconds > 0 && seconds() >= settings.seconds) search.stop();
        if (Clock::now() - watched < kWatchInterval) continue;
        watched = Clock::now();
        if (observer.watch) observer.watch();
        if (observer.progress) observer.progress(search.report(seconds()));
    }
    return search.report(seconds());
}

}  // namespace flipdrop::puct
