// A search's limits and its report.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/evaluation/evaluation.hpp"

namespace flipdrop::search {

/// A score for the side to move. Evaluations stay within +-kWin / 2; values beyond it are finished games.
using Value = float;
inline constexpr Value kWin = 1'000'000;
inline constexpr Value kInfinity = std::numeric_limits<Value>::infinity();

constexpr bool is_proven(Value value) {
    return value > kWin / 2 || value < -kWin / 2;
}

/// Zero means no limit.
struct Limits {
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

struct RootMove {
    int move = 0;
    double value = 0;          ///< for the side to move at the root
    std::uint64_t visits = 0;  ///< nodes or simulations spent on it
    bool exact = true;         ///< false: the value is an upper bound
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

/// The value of a finished game for the side to move: kWin plus the board's final score (discs in Othello, cells left
/// in Connect Four).
template <GameBoard Board>
Value finished_value(const Board& board) {
    const int margin = board.final_score();
    return static_cast<Value>(margin) + (margin > 0 ? kWin : margin < 0 ? -kWin : 0);
}

/// The evaluation of a position, clamped below the values of finished games.
template <GameBoard Board>
Value leaf_value(const Evaluation<Board>& evaluation, const Board& board, Side to_move) {
    const double score = evaluation.score(board, to_move);
    if (std::isnan(score)) throw Error("the evaluation gave nan");
    constexpr double kMax = kWin / 4;
    return static_cast<Value>(score > kMax ? kMax : score < -kMax ? -kMax : score);
}

}  // namespace flipdrop::search
