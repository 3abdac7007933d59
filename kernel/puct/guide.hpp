// An evaluation as the guide of a PUCT search: values of positions from -1 to 1, and what ranks moves.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernel/board.hpp"
#include "kernel/evaluation/evaluation.hpp"
#include "kernel/puct/forced_moves.hpp"
#include "kernel/puct/settings.hpp"
#include "kernel/side.hpp"

namespace flipdrop::puct {

/// A score s is the expected result tanh(s / (2 half_point)); where `half_point` is 0, scores are expected results.
template <GameBoard Board>
class Guide {
public:
    Guide(const Evaluation<Board>& evaluation, const Settings& settings, Side to_move)
        : evaluation_(evaluation), half_point_(settings.half_point), to_move_(to_move) {}

    /// The score of a move for the side that made it, from the position after it and the moves that it forces. The
    /// policy is its softmax.
    double move_score(const QuietPosition<Board>& after, bool root_moved) const {
        const bool root_to_move = root_moved == after.turned;
        const double for_side_to_move = evaluation_.score(after.board, root_to_move ? to_move_ : other(to_move_));
        const double score = after.turned ? for_side_to_move : -for_side_to_move;
        if (std::isnan(score)) return 0;
        return half_point_ > 0 ? std::clamp(score / (2 * half_point_), -kMost, kMost) : std::clamp(score, -1.0, 1.0);
    }
    /// The expected result that such a score stands for.
    double value(double score) const { return half_point_ > 0 ? std::tanh(score) : score; }

private:
    static constexpr double kMost = 1e6;

    const Evaluation<Board>& evaluation_;
    double half_point_;
    Side to_move_;
};

}  // namespace flipdrop::puct
