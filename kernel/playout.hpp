// Games of random moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/parallel.hpp"
#include "kernel/random.hpp"

namespace flipdrop {

/// Plays random moves to the end. 1, 0 or -1 for the side that is to move at the beginning.
template <GameBoard Board>
int playout(Board board, Random& random) {
    int sign = 1;
    for (auto moves = board.moves(); moves.size() > 0; moves = board.moves()) {
        board.play(moves.nth(random.below(moves.size())));
        sign = -sign;
    }
    return sign * board.outcome();
}

struct Tally {
    std::int64_t wins = 0, draws = 0, losses = 0;
};

/// `games` playouts, counted for the side to move. They are played in batches with a random stream each, so that the
/// result does not depend on the number of threads. `watch` as in parallel_for.
template <GameBoard Board, class Watch>
Tally playouts(const Board& board, std::int64_t games, std::uint64_t seed, int threads, Watch&& watch) {
    constexpr std::int64_t kBatch = 1024;
    std::vector<Tally> batches(static_cast<std::size_t>((games + kBatch - 1) / kBatch));
    parallel_for(
        batches.size(), threads,
        [&](std::size_t i, const StopFlag&) {
            Random random(seed ^ (static_cast<std::uint64_t>(i) * 0xd1342543de82ef95ULL));
            Tally tally;
            const std::int64_t left = games - static_cast<std::int64_t>(i) * kBatch;
            for (std::int64_t game = 0; game < std::min(left, kBatch); ++game) {
                const int outcome = playout(board, random);
                tally.wins += outcome > 0;
                tally.draws += outcome == 0;
                tally.losses += outcome < 0;
            }
            batches[i] = tally;
        },
        [&](std::size_t finished) { return watch(finished, batches.size()); });
    Tally total;
    for (const Tally& batch : batches) {
        total.wins += batch.wins;
        total.draws += batch.draws;
        total.losses += batch.losses;
    }
    return total;
}

}  // namespace flipdrop
