// Perft: how many sequences of `depth` plies there are from a position. The standard test of move generators, and of
// their speed. Each game has its convention for games that ended earlier.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/parallel.hpp"

namespace flipdrop {

/// Subtrees below this depth take some milliseconds at most, and do not poll the stop flag.
inline constexpr int kUnwatchedDepth = 6;

template <GameBoard Board>
std::uint64_t perft(const Board& board, int depth, const StopFlag& stop) {
    if (depth == 0) return 1;
    if (depth == Board::kBulkPlies) return board.bulk_count();
    const auto moves = board.moves();
    if (moves.size() == 0) return Board::kLeavesWhenOver;
    if (depth == 1) return static_cast<std::uint64_t>(moves.size());
    if (depth > kUnwatchedDepth && stop.requested()) return 0;
    std::uint64_t leaves = 0;
    moves.for_each([&](int move) {
        Board child = board;
        child.play(move);
        leaves += perft(child, depth - 1, stop);
    });
    return leaves;
}

/// The same on several threads: the tree's first plies are cut into jobs. `watch(finished, jobs)` as in parallel_for.
/// Returns whether it ran to the end, with the number of leaves in `leaves`.
template <GameBoard Board, class Watch>
bool perft(const Board& board, int depth, int threads, Watch&& watch, std::uint64_t& leaves) {
    constexpr std::size_t kEnoughJobs = 64;  // so that the last ones end at about the same time
    std::vector<Board> roots{board};
    int remaining = depth;
    leaves = 0;
    while (remaining > kUnwatchedDepth && !roots.empty() && roots.size() < kEnoughJobs) {
        std::vector<Board> children;
        for (const Board& root : roots) {
            const auto moves = root.moves();
            if (moves.size() == 0) leaves += Board::kLeavesWhenOver;
            moves.for_each([&](int move) { children.emplace_back(root).play(move); });
        }
        roots = std::move(children);
        --remaining;
    }
    std::vector<std::uint64_t> counts(roots.size());
    const bool complete = parallel_for(
        roots.size(), threads,
        [&](std::size_t i, const StopFlag& stop) { counts[i] = perft(roots[i], remaining, stop); },
        [&](std::size_t finished) { return watch(finished, roots.size()); });
    for (auto part : counts) leaves += part;
    return complete;
}

}  // namespace flipdrop
