// Whole games between players that live in the kernel: genetic algorithms and tournaments play them by the thousand.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel/match/player.hpp"

namespace flipdrop::match {

/// A finished game: its moves, and its result for the side that was to move at the start.
struct Game {
    std::vector<std::uint8_t> moves;
    int outcome = 0;  ///< 1, 0 or -1
    int margin = 0;   ///< disc margin in Othello; in Connect Four one more than the cells left empty, for the winner
};

/// Plays one game; each player has its own seed. Throws `Interrupted` when `stop` was requested.
template <GameBoard Board>
Game play_game(Board board, Side to_move, const std::array<const Player<Board>*, 2>& players,
               const std::array<std::uint64_t, 2>& seeds, const StopFlag& stop) {
    Game game;
    unsigned mover = 0;
    for (auto moves = board.moves(); moves.size() > 0; moves = board.moves(), mover = 1 - mover) {
        if (stop.requested()) throw Interrupted{};  // a search polls every 50 ms, and all of them may be shorter
        const int move = moves.size() == 1 ? moves.nth(0) : players[mover]->choose(board, to_move, seeds[mover], stop);
        game.moves.push_back(static_cast<std::uint8_t>(move));
        board.play(move);
        to_move = other(to_move);
    }
    const int sign = mover == 0 ? 1 : -1;
    game.outcome = sign * board.outcome();
    game.margin = sign * board.final_score();
    return game;
}

/// The beginning of one game.
template <GameBoard Board>
struct Start {
    Board board;
    Side to_move;
    std::array<std::uint64_t, 2> seeds;  ///< one for each player
};

/// One game from each start, on `threads` threads; results do not depend on their number. `watch` as in parallel_for;
/// when it ends the work by throwing, the games are lost.
template <GameBoard Board, class Watch>
std::vector<Game> play_games(const std::vector<Start<Board>>& starts,
                             const std::array<const Player<Board>*, 2>& players, int threads, Watch&& watch) {
    std::vector<Game> games(starts.size());
    parallel_for(
        games.size(), threads,
        [&](std::size_t i, const StopFlag& stop) {
            try {
                games[i] = play_game<Board>(starts[i].board, starts[i].to_move, players, starts[i].seeds, stop);
            } catch (const Interrupted&) {
                // parallel_for reports the stop to its caller.
            }
        },
        watch);
    return games;
}

}  // namespace flipdrop::match
