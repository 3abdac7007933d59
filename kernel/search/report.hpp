// What a search is allowed to spend, and what it says when it is done.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernel/errors.hpp"
#include "kernel/evaluation/evaluation.hpp"

namespace flipdrop::search {

/// A score for the side to move. Evaluations stay within +-kWin / 2; beyond it stand finished games.
using Value = float;
inline constexpr Value kWin = 1'000'000;
inline constexpr Value kInfinity = std::numeric_limits<Value>::infinity();

constexpr bool is_proven(Value value) {
    return value > kWin / 2 || value < -kWin / 2;
}

/// Zero means: no such limit.
struct Limits {
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

struct RootMove {
    int move = 0;
    double value = 0;          ///< for the side to move at the root
    std::uint64_t visits = 0;  ///< nodes or simulations spent on it
    bool exact = true;         ///< false: the value is only an upper bound, good enough to discard the move
};

struct Report {
    int best = -1;
    double value = 0;
    std::vector<int> line;
    std::vector<RootMove> moves;  ///< best first
    std::uint64_t nodes = 0;
    int depth = 0;
    double seconds = 0;
    bool proven = false;  ///< the value is the game's result under best play by both sides
};

/// What is known of a finished game, for the side to move: a win is worth kWin and the board's own margin of how good
/// a win it is (discs in Othello, an early end in Connect Four).
template <class Board>
Value finished_value(const Board& board) {
    const int margin = board.final_score();
    return static_cast<Value>(margin) + (margin > 0 ? kWin : margin < 0 ? -kWin : 0);
}

/// The evaluation's word on a position, kept away from what finished games are worth.
template <class Board>
Value leaf_value(const Evaluation<Board>& evaluation, const Board& board, Side to_move) {
    const double score = evaluation.score(board, to_move);
    if (std::isnan(score)) throw Error("the evaluation gave nan");
    constexpr double kMax = kWin / 4;
    return static_cast<Value>(score > kMax ? kMax : score < -kMax ? -kMax : score);
}

}  // namespace flipdrop::search
