// Training of a pattern network on several threads: by games, by positions with known values, by an exact solver.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/hash.hpp"
#include "kernel/match/player.hpp"
#include "kernel/parallel.hpp"
#include "kernel/pattern/learning.hpp"

namespace flipdrop::pattern {

/// Which games to play: their numbers and the seed decide their random choices.
struct Games {
    std::size_t count = 0;
    std::uint64_t seed = 0;
    std::uint64_t first = 0;  ///< the number of the first game

    std::uint64_t seed_of(std::size_t i) const { return hash_mix(hash_mix(0, seed), first + i); }
};

/// Plays games from `start` against `opponent`, or against itself if that is null, and learns from each.
/// `watch(finished, jobs)` as in parallel_for.
template <GameBoard Board, class Watch>
void learn_games(Learner<Board>& learner, const Board& start, Side to_move, const match::Player<Board>* opponent,
                 const Games& games, int threads, Watch&& watch) {
    constexpr std::size_t kGamesPerJob = 16;
    const std::size_t jobs = (games.count + kGamesPerJob - 1) / kGamesPerJob;
    parallel_for(
        jobs, threads,
        [&](std::size_t job, const StopFlag& stop) {
            const std::size_t end = std::min(games.count, (job + 1) * kGamesPerJob);
            try {
                for (std::size_t i = job * kGamesPerJob; i < end && !stop.requested(); ++i)
                    learner.play_and_learn(start, to_move, opponent, games.seed_of(i), stop);
            } catch (const Interrupted&) {
                // Nothing is learned from an unfinished game.
            }
        },
        [&](std::size_t finished) { return watch(finished, jobs); });
}

/// Moves the values of boards (their sums, if `linear`) towards targets, in the given order. Returns the mean squared
/// error, each taken just before its update.
template <GameBoard Board, class Watch>
double fit_boards(Learner<Board>& learner, const std::vector<Board>& boards, std::span<const float> targets,
                  bool linear, int threads, Watch&& watch) {
    constexpr std::size_t kBoardsPerJob = 1024;
    FLIPDROP_ASSERT(boards.size() == targets.size() && !boards.empty());
    const std::size_t jobs = (boards.size() + kBoardsPerJob - 1) / kBoardsPerJob;
    std::vector<double> errors(jobs);
    parallel_for(
        jobs, threads,
        [&](std::size_t job, const StopFlag& stop) {
            const std::size_t end = std::min(boards.size(), (job + 1) * kBoardsPerJob);
            for (std::size_t i = job * kBoardsPerJob; i < end && !stop.requested(); ++i) {
                const auto error = static_cast<double>(linear ? learner.fit_linear(boards[i], targets[i])
                                                              : learner.fit(boards[i], targets[i]));
                errors[job] += error * error;
            }
        },
        watch);
    double sum = 0;
    for (const double error : errors) sum += error;
    return sum / static_cast<double>(boards.size());
}

/// Plays games in which `oracle.scores(board, stop)` gives the score of every move, and learns from the moves that the
/// network ranks wrongly. `watch(finished)` as in parallel_for.
template <GameBoard Board, class Oracle, class Watch>
void learn_supervised(Learner<Board>& learner, const Board& start, Oracle& oracle, const Games& games, int threads,
                      Watch&& watch) {
    parallel_for(
        games.count, threads,
        [&](std::size_t i, const StopFlag& stop) {
            try {
                learner.train_supervised(
                    start, [&](const Board& board) { return oracle.scores(board, stop); }, games.seed_of(i));
            } catch (const Interrupted&) {
                // Updates made before the interruption stay.
            }
        },
        watch);
}

}  // namespace flipdrop::pattern
