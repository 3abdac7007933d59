// Whole games between players that live in the kernel: what genetic algorithms and tournaments need by the thousand.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernel/mcts/search.hpp"
#include "kernel/parallel.hpp"
#include "kernel/random.hpp"
#include "kernel/search/driver.hpp"

namespace flipdrop::match {

/// Chooses moves: the same one for the same board and seed, whatever was asked before. One object may serve several
/// threads at once. Throws `Interrupted` soon after it was told to stop.
template <class Board>
class Player {
public:
    Player() = default;
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;
    virtual ~Player() = default;
    virtual int choose(const Board& board, Side to_move, std::uint64_t seed, const StopFlag& stop) const = 0;
};

/// For a search of a player: what ends it when everybody is told to stop.
inline std::function<void()> stop_check(const StopFlag& stop) {
    return [&stop] {
        if (stop.requested()) throw Interrupted{};
    };
}

template <class Board>
int random_move(const Board& board, std::uint64_t seed) {
    const auto moves = board.moves();
    return moves.nth(Random(seed ^ board.key()).below(moves.size()));
}

template <class Board>
class RandomPlayer final : public Player<Board> {
public:
    int choose(const Board& board, Side, std::uint64_t seed, const StopFlag&) const override {
        return random_move(board, seed);
    }
};

/// Whether an epsilon-greedy player makes a random move here.
template <class Board>
bool is_random_move(const Board& board, std::uint64_t seed, double epsilon) {
    return epsilon > 0 && static_cast<double>(Random(~seed ^ board.key()).next() >> 11) * 0x1p-53 < epsilon;
}

/// Plays a random move with probability epsilon, else the other player's move.
template <class Board>
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

/// Any of the minimax family.
template <class Board>
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
    /// The move that the driver would find, without its report: genetic algorithms play games of it by the million.
    int alpha_beta(const Board& board, Side to_move, const StopFlag& stop) const {
        search::SearchControl control({}, stop_check(stop));
        search::NodeCounter counter(control, true);
        search::AlphaBeta<Board> engine(*evaluation_, counter);
        search::Line line;
        engine.search(board, to_move, settings_.limits.depth, -search::kInfinity, search::kInfinity, line);
        return line.moves[0];
    }

    search::Settings settings_;
    std::shared_ptr<const Evaluation<Board>> evaluation_;
};

template <class Board>
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

/// A finished game: its moves, and how it ended for the side that was to move at the start.
struct Game {
    std::vector<std::uint8_t> moves;
    int outcome = 0;  ///< 1, 0 or -1
    int margin = 0;   ///< disc margin in Othello; in Connect Four the winner's lead in time
};

/// A game of two players, each with the seed of its choices. Throws `Interrupted` when it is told to stop.
template <class Board>
Game play_game(Board board, Side to_move, const std::array<const Player<Board>*, 2>& players,
               const std::array<std::uint64_t, 2>& seeds, const StopFlag& stop) {
    Game game;
    unsigned mover = 0;
    for (auto moves = board.moves(); moves.size() > 0; moves = board.moves(), mover = 1 - mover) {
        if (stop.requested()) throw Interrupted{};  // searches look once in 50 ms, and all of them may be shorter
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

}  // namespace flipdrop::match
