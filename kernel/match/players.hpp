// The players that live in the kernel: random, epsilon-greedy, the minimax family, MCTS.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "kernel/match/player.hpp"
#include "kernel/mcts/search.hpp"
#include "kernel/search/driver.hpp"

namespace flipdrop::match {

/// The watch function of a player's search: ends the search when `stop` was requested.
inline std::function<void()> stop_check(const StopFlag& stop) {
    return [&stop] {
        if (stop.requested()) throw Interrupted{};
    };
}

template <GameBoard Board>
class RandomPlayer final : public Player<Board> {
public:
    int choose(const Board& board, Side, std::uint64_t seed, const StopFlag&) const override {
        return random_move(board, seed);
    }
};

/// Plays a random move with probability epsilon, else the other player's move.
template <GameBoard Board>
class EpsilonGreedyPlayer final : public Player<Board> {
public:
    EpsilonGreedyPlayer(std::unique_ptr<Player<Board>> player, double epsilon)
        : player_(std::move(player)), epsilon_(epsilon) {}

    int choose(const Board& board, Side to_move, std::uint64_t seed, const StopFlag& stop) const override {
        return is_random_move(board, seed, epsilon_) ? random_move(board, seed)
                                                     : player_->choose(board, to_move, seed, stop);
    }

private:
    std::unique_ptr<Player<Board>> player_;
    double epsilon_;
};

template <GameBoard Board>
class MinimaxPlayer final : public Player<Board> {
public:
    MinimaxPlayer(const search::Settings& settings, std::shared_ptr<const Evaluation<Board>> evaluation)
        : settings_(settings), evaluation_(std::move(evaluation)) {}

    int choose(const Board& board, Side to_move, std::uint64_t, const StopFlag& stop) const override {
        if (settings_.algorithm == search::Algorithm::AlphaBeta && settings_.limits.nodes == 0)
            return alpha_beta(board, to_move, stop);
        return search::Driver<Board>(board, to_move, *evaluation_, settings_, {stop_check(stop)}).run().best;
    }

private:
    /// Finds the driver's move without making a report: genetic algorithms play millions of such games.
    int alpha_beta(const Board& board, Side to_move, const StopFlag& stop) const {
        search::SearchControl control({}, stop_check(stop));
        search::NodeCounter counter(control, true);
        const search::LeafEvaluation<Board> evaluation(evaluation_.get(), settings_.perspective, to_move);
        search::AlphaBeta<Board> engine(*evaluation.get(), counter);
        search::Line line;
        engine.search(board, to_move, settings_.limits.depth, -search::kInfinity, search::kInfinity, line);
        return line.moves[0];
    }

    search::Settings settings_;
    std::shared_ptr<const Evaluation<Board>> evaluation_;
};

template <GameBoard Board>
class MctsPlayer final : public Player<Board> {
public:
    MctsPlayer(const mcts::Settings& settings, std::shared_ptr<const Evaluation<Board>> evaluation)
        : settings_(settings), evaluation_(std::move(evaluation)) {}

    int choose(const Board& board, Side to_move, std::uint64_t seed, const StopFlag& stop) const override {
        mcts::Settings settings = settings_;
        settings.seed = seed;
        mcts::Tree tree;
        return mcts::Search<Board>(board, to_move, evaluation_.get(), settings, tree, {stop_check(stop)}).run().best;
    }

private:
    mcts::Settings settings_;
    std::shared_ptr<const Evaluation<Board>> evaluation_;
};

}  // namespace flipdrop::match
