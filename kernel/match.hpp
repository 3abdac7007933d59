// Whole games between players that live in the kernel: what genetic algorithms and tournaments need by the thousand.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernel/jobs.hpp"
#include "kernel/mcts/search.hpp"
#include "kernel/random.hpp"
#include "kernel/search/driver.hpp"

namespace flipdrop::match {

/// Chooses moves: the same one for the same board and seed, whatever was asked before. One object may serve several
/// threads at once. Throws `Interrupted` soon after it was told to stop.
template <class Board>
class Chooser {
public:
    Chooser() = default;
    Chooser(const Chooser&) = delete;
    Chooser& operator=(const Chooser&) = delete;
    virtual ~Chooser() = default;
    virtual int choose(const Board& board, Side to_move, std::uint64_t seed, const Stop& stop) const = 0;
};

/// For a search of a chooser: what ends it when everybody is told to stop.
inline std::function<void()> interruption(const Stop& stop) {
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
class RandomChooser final : public Chooser<Board> {
public:
    int choose(const Board& board, Side, std::uint64_t seed, const Stop&) const override {
        return random_move(board, seed);
    }
};

/// Whether a player makes a random move here that makes such moves with a certain probability.
template <class Board>
bool strays(const Board& board, std::uint64_t seed, double share) {
    return share > 0 && static_cast<double>(Random(~seed ^ board.key()).next() >> 11) * 0x1p-53 < share;
}

/// Another player that makes a random move now and then.
template <class Board>
class StrayingChooser final : public Chooser<Board> {
public:
    StrayingChooser(std::unique_ptr<Chooser<Board>> player, double share) : player_(std::move(player)), share_(share) {}

    int choose(const Board& board, Side to_move, std::uint64_t seed, const Stop& stop) const override {
        return strays(board, seed, share_) ? random_move(board, seed) : player_->choose(board, to_move, seed, stop);
    }

private:
    std::unique_ptr<Chooser<Board>> player_;
    double share_;
};

/// Any of the minimax family.
template <class Board>
class MinimaxChooser final : public Chooser<Board> {
public:
    MinimaxChooser(const search::Settings& settings, std::shared_ptr<const Evaluation<Board>> evaluation)
        : settings_(settings), evaluation_(std::move(evaluation)) {}

    int choose(const Board& board, Side to_move, std::uint64_t, const Stop& stop) const override {
        if (settings_.algorithm == search::Algorithm::AlphaBeta && settings_.limits.nodes == 0)
            return alpha_beta(board, to_move, stop);
        return search::Driver<Board>(board, to_move, *evaluation_, settings_, {interruption(stop)}).run().best;
    }

private:
    /// The move that the driver would find, without its report: genetic algorithms play games of it by the million.
    int alpha_beta(const Board& board, Side to_move, const Stop& stop) const {
        search::Control control({}, interruption(stop));
        search::Meter meter(control, true);
        search::AlphaBeta<Board> engine(*evaluation_, meter);
        search::Line line;
        engine.search(board, to_move, settings_.limits.depth, -search::kInfinity, search::kInfinity, line);
        return line.moves[0];
    }

    search::Settings settings_;
    std::shared_ptr<const Evaluation<Board>> evaluation_;
};

template <class Board>
class MctsChooser final : public Chooser<Board> {
public:
    MctsChooser(const mcts::Settings& settings, std::shared_ptr<const Evaluation<Board>> evaluation)
        : settings_(settings), evaluation_(std::move(evaluation)) {}

    int choose(const Board& board, Side to_move, std::uint64_t seed, const Stop& stop) const override {
        mcts::Settings settings = settings_;
        settings.seed = seed;
        mcts::Tree tree;
        return mcts::Search<Board>(board, to_move, evaluation_.get(), settings, tree, {interruption(stop)}).run().best;
    }

private:
    mcts::Settings settings_;
    std::shared_ptr<const Evaluation<Board>> evaluation_;
};

/// A finished game: its moves, and how it ended for the side that was to move at the start.
struct Game {
    std::vector<std::uint8_t> moves;
    int outcome = 0;  ///< 1, 0 or -1
    int measure = 0;  ///< disc margin in Othello; in Connect Four the winner's lead in time
};

/// A game of two players, each with the seed of its choices. Throws `Interrupted` when it is told to stop.
template <class Board>
Game play_game(Board board, Side to_move, const std::array<const Chooser<Board>*, 2>& players,
               const std::array<std::uint64_t, 2>& seeds, const Stop& stop) {
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
    game.measure = sign * board.final_measure();
    return game;
}

}  // namespace flipdrop::match
