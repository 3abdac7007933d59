// What the solver's search asks of an ordering evaluator: a guess at the final score of a position. It proves nothing:
// it orders moves far from the end of the game, and is what ProbCut's shallow searches see at their leaves.
#pragma once

#include <concepts>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"

namespace flipdrop::othello::endgame {

/// A copyable type; every thread has its own copy. The accumulator holds what an evaluator would otherwise compute anew
/// for every board, and is updated from move to move (as in NNUE). Scores are in hundredths of a disc.
template <class E, int Size>
concept OrderingEvaluator =
    std::copyable<E> &&
    requires(const E& evaluator, const Board<Size>& board, const typename E::Accumulator& accumulator, int square,
             Bits flipped, Bits moves, int empties, int depth, int shallow) {
        { evaluator.read(board) } -> std::same_as<typename E::Accumulator>;
        { evaluator.after(accumulator, square, flipped) } -> std::same_as<typename E::Accumulator>;
        { evaluator.passed(accumulator) } -> std::same_as<typename E::Accumulator>;
        /// For the side to move, whose legal squares are `moves`.
        { evaluator.score(board, moves, accumulator) } -> std::same_as<int>;
        /// Standard deviation, in discs, of the error with which a search of some plies predicts a deeper one.
        { evaluator.sigma(empties, depth, shallow) } -> std::convertible_to<double>;
        /// To order moves, the search looks one ply deeper for each kEmptiesToPly further empty squares, up to
        /// kMaxPlies: the better the evaluator, the less depth pays.
        { E::kEmptiesToPly } -> std::convertible_to<int>;
        { E::kMaxPlies } -> std::convertible_to<int>;
        /// Hundredths of a disc for a point of move_score (ordering.hpp).
        { E::kReplies } -> std::convertible_to<int>;
    };

}  // namespace flipdrop::othello::endgame
