// The exact solver as the source of targets for supervised training.
#pragma once

#include <array>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "kernel/connect4/board.hpp"
#include "kernel/parallel.hpp"
#include "kernel/solver/connect4/solver.hpp"

namespace flipdrop::pattern {

/// Gives the score of every move of a position; any number of threads may call it. Training visits the same positions
/// often, so answers are cached.
template <class Shape>
class SolverOracle {
public:
    using Board = connect4::Board<Shape>;
    using Scores = std::array<std::int16_t, 16>;  ///< by column; only those of legal moves mean anything

    SolverOracle(const Shape& shape, int threads) : shape_(shape), solver_(shape), threads_(threads) {}

    const Shape& shape() const { return shape_; }

    /// Throws `Interrupted` when `stop` was requested.
    Scores scores(const Board& board, const StopFlag& stop) {
        {
            const std::shared_lock lock(reading_);
            if (const auto found = known_.find(board); found != known_.end()) return found->second;
        }
        // One position at a time, solved on all threads: the other callers probably wait for the same one.
        const std::lock_guard alone(solving_);
        {
            const std::shared_lock lock(reading_);
            if (const auto found = known_.find(board); found != known_.end()) return found->second;
        }
        const auto solution = solver_.solve(board, {.threads = threads_, .best = false, .line = false, .moves = true},
                                            [&](const solver::Solution&) {
                                                if (stop.requested()) throw Interrupted{};
                                            });
        Scores scores{};
        for (const auto& move : solution.moves)
            scores[static_cast<std::size_t>(move.move)] = static_cast<std::int16_t>(move.lower);
        const std::unique_lock lock(reading_);
        if (known_.size() >= kMaxKnown) known_.clear();
        known_.emplace(board, scores);
        return scores;
    }

private:
    static constexpr std::size_t kMaxKnown = 2'000'000;

    struct Hash {
        std::size_t operator()(const Board& board) const { return board.key(); }
    };

    Shape shape_;
    connect4::exact::Solver<Shape> solver_;
    int threads_;
    std::mutex solving_;
    std::shared_mutex reading_;
    std::unordered_map<Board, Scores, Hash> known_;
};

}  // namespace flipdrop::pattern
