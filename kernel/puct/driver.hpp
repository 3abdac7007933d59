// From a board and an evaluator to a report: runs one PUCT search within its budget.
#pragma once

#include <chrono>
#include <string>

#include "kernel/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/parallel.hpp"
#include "kernel/puct/guide.hpp"
#include "kernel/puct/search.hpp"
#include "kernel/puct/settings.hpp"
#include "kernel/puct/shared_search.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/settings.hpp"

namespace flipdrop::puct {

inline constexpr std::uint32_t kMaxSimulations = 10'000'000;
inline constexpr std::uint32_t kTimedSimulations = 3'000'000;  ///< where only time is limited: a tree of about 600 MB

/// Throws Error unless a search with these settings can be run.
inline void check(const Settings& settings) {
    using search::kMaxNumber;
    if (settings.simulations == 0 && settings.seconds <= 0 && settings.nodes == 0)
        throw Error("no budget: give simulations, seconds or nodes");
    check_range("simulations", settings.simulations, 0u, kMaxSimulations);
    check_range("seconds", settings.seconds, 0.0, search::kMaxSeconds);
    check_range("batch", settings.batch, 1, 100'000);
    check_range("c", settings.c, 0.0, kMaxNumber);
    check_range("fpu_reduction", settings.fpu_reduction, -kMaxNumber, kMaxNumber);
    check_range("noise", settings.noise, 0.0, 1.0);
    check_range("alpha", settings.alpha, 1e-300, kMaxNumber);
    check_range("half_point", settings.half_point, 0.0, kMaxNumber);
    check_range("temperature", settings.temperature, 1e-6, kMaxNumber);
    check_range("threads", settings.threads, 1, search::kMaxThreads);
}

/// Simulates until the budget is spent or the result is proven. `simulate(search)` makes some simulations; false: there
/// are no more. The observer is called about every 50 ms; what it throws ends the search.
template <GameBoard Board, class Simulate>
search::Report run_within(const Board& board, const Settings& settings, const search::Observer& observer,
                          Simulate&& simulate) {
    check(settings);
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    auto watched = began;
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
    Search<Board> search(board, settings);
    search.begin(settings.simulations == 0 ? kTimedSimulations : settings.simulations, settings.noise);
    while (simulate(search)) {
        if (settings.seconds > 0 && seconds() >= settings.seconds) search.stop();
        if (Clock::now() - watched < kWatchInterval) continue;
        watched = Clock::now();
        if (observer.watch) observer.watch();
        if (observer.progress) observer.progress(search.report(seconds()));
    }
    return search.report(seconds());
}

/// A search with a network.
template <GameBoard Board>
search::Report run(const Board& board, const Settings& settings, const Evaluator& evaluate,
                   const search::Observer& observer) {
    Batch batch;
    return run_within(board, settings, observer, [&](Search<Board>& search) {
        if (search.gather(settings.batch, batch) == 0) return false;
        evaluate(batch);
        search.take(batch);
        batch.clear();
        return true;
    });
}

/// A search with an evaluation on several threads. The result depends on which of them is faster.
template <GameBoard Board>
search::Report run_shared(const Board& board, Side to_move, const Settings& settings,
                          const Evaluation<Board>& evaluation, const search::Observer& observer) {
    check(settings);
    constexpr std::size_t kAtOnce = 4;  ///< leaves that a thread values between two exchanges with the tree
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    auto watched = began;
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
    const Guide<Board> guide(evaluation, settings, to_move);
    SharedSearch<Board> search(board, settings);
    search.begin(settings.simulations == 0 ? kTimedSimulations : settings.simulations, settings.noise);
    search.simulate_with(guide);  // a report needs moves
    ThreadTeam team(settings.threads);
    const auto work = [&](int member) {
        typename SharedSearch<Board>::Leaves leaves;
        while (search.exchange(leaves, kAtOnce)) {
            for (std::size_t i = 0; i < leaves.pending; ++i)
                SharedSearch<Board>::value(leaves.all[i], guide, settings.temperature);
            if (member != 0) continue;
            if (settings.seconds > 0 && seconds() >= settings.seconds) search.stop_all();
            if (Clock::now() - watched < kWatchInterval) continue;
            watched = Clock::now();
            if (observer.watch) observer.watch();
            if (observer.progress) observer.progress(search.shared_report(seconds()));
        }
    };
    team.run(work, [&] { search.stop_all(); });
    return search.report(seconds());
}

/// A search with an evaluation.
template <GameBoard Board>
search::Report run(const Board& board, Side to_move, const Settings& settings, const Evaluation<Board>& evaluation,
                   const search::Observer& observer) {
    if (settings.threads > 1) return run_shared(board, to_move, settings, evaluation, observer);
    constexpr int kAtOnce = 16;  ///< simulations between two looks at the clock
    const Guide<Board> guide(evaluation, settings, to_move);
    return run_within(board, settings, observer, [&](Search<Board>& search) {
        for (int i = 0; i < kAtOnce && !search.done(); ++i) search.simulate_with(guide);
        if (settings.nodes > 0 && search.tree().size() >= settings.nodes) search.stop();
        return !search.done();
    });
}

}  // namespace flipdrop::puct
