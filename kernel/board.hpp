// What every game's board provides. All searches, playouts, matches and learners are templates over this concept.
#pragma once

#include <concepts>
#include <cstdint>

#include "kernel/assert.hpp"

namespace flipdrop {

/// The legal moves of one position.
template <class M>
concept GameMoves = std::copyable<M> && requires(M moves, const M& fixed, int rank, void (*visit)(int)) {
    { fixed.size() } -> std::same_as<int>;     ///< 0 exactly when the game is over
    { fixed.nth(rank) } -> std::same_as<int>;  ///< 0 <= rank < size()
    { moves.take() } -> std::same_as<int>;     ///< removes the first move and returns it; size() > 0
    fixed.for_each(visit);                     ///< visits the moves in ascending order
};

/// A position without history, seen by the side to move: a small value type.
template <class B>
concept GameBoard = std::copyable<B> && std::equality_comparable<B> && requires(B board, const B& fixed, int move) {
    { fixed.moves() } -> GameMoves;
    board.play(move);                                        ///< a legal move; then the other side is to move
    { fixed.key() } -> std::same_as<std::uint64_t>;          ///< a hash of the position
    { fixed.outcome() } -> std::same_as<int>;                ///< of a finished game, for the side to move: 1, 0, -1
    { fixed.final_score() } -> std::same_as<int>;            ///< of a finished game: its sign is the outcome
    { fixed.max_plies_left() } -> std::same_as<int>;         ///< passes included
    { fixed.plies_without_passes() } -> std::same_as<int>;   ///< until the board is full
    { B::kShortestWinIsBest } -> std::convertible_to<bool>;  ///< final_score() falls with every ply of a won game
    { B::kBulkPlies } -> std::convertible_to<int>;           ///< the last plies of perft that bulk_count() counts
    { B::kLeavesWhenOver } -> std::convertible_to<std::uint64_t>;  ///< perft's count for a game that ended earlier
    { fixed.bulk_count() } -> std::same_as<std::uint64_t>;         ///< leaves after kBulkPlies plies
};

}  // namespace flipdrop
