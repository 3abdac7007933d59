// What follows from a position without a choice: forced moves are played before a position is valued, and prove
// results.
#pragma once

#include "kernel/board.hpp"
#include "kernel/mcts/tree.hpp"

namespace flipdrop::puct {

using mcts::Proof;

/// Games in which a threat of the opponent can leave one move, such as Connect Four.
template <class Board>
concept HasForcedMoves = requires(const Board& board) {
    board.wins_at_once();
    board.safe_moves();
};

/// A position after forced moves, or the result to which they lead.
template <GameBoard Board>
struct QuietPosition {
    Board board;
    bool turned = false;        ///< whether the other side is to move than before the forced moves
    Proof proof = Proof::None;  ///< for the side that is not to move before them; then `board` does not matter
    int plies = 0;              ///< up to the end of the game that `proof` stands for, or else the forced ones

    /// From 0 to 1: ranks moves of equal proofs, early wins and late losses first.
    float preference() const {
        const float share = static_cast<float>(plies) / 256;
        return proof == Proof::Win ? 1 - share : proof == Proof::Loss ? share : 0;
    }
};

/// Plays a position on as long as a single move does not lose at once.
template <GameBoard Board>
QuietPosition<Board> after_forced_moves(const Board& board) {
    QuietPosition<Board> found{board};
    const auto proof = [&](int for_side_to_move) {
        const int for_mover = found.turned ? for_side_to_move : -for_side_to_move;
        return for_mover > 0 ? Proof::Win : for_mover < 0 ? Proof::Loss : Proof::Draw;
    };
    for (;;) {
        if (found.board.moves().size() == 0) {
            found.proof = proof(found.board.outcome());
            return found;
        }
        if constexpr (HasForcedMoves<Board>) {
            if (found.board.wins_at_once()) {
                found.proof = proof(1);
                found.plies += 1;
                return found;
            }
            const auto moves = found.board.safe_moves();
            if (moves.size() == 0) {
                found.proof = proof(-1);
                found.plies += 2;
                return found;
            }
            if (moves.size() > 1) return found;
            found.board.play(moves.nth(0));
            found.turned = !found.turned;
            ++found.plies;
        } else {
            return found;
        }
    }
}

}  // namespace flipdrop::puct
