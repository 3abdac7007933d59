// Whole games between players that live in the kernel: what genetic algorithms and tournaments need by the thousand.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/jobs.hpp"
#include "kernel/mcts/search.hpp"
#include "kernel/random.hpp"
#include "kernel/search/minimax.hpp"

namespace flipdrop::match {

/// Chooses moves. One object may serve several threads at once.
template <class Board>
class Chooser {
public:
    Chooser() = default;
    Chooser(const Chooser&) = delete;
    Chooser& operator=(const Chooser&) = delete;
    virtual ~Chooser() = default;
    virtual int choose(const Board& board, Side to_move, Random& random) const = 0;
};

template <class Board>
class RandomChooser final : public Chooser<Board> {
public:
    int choose(const Board& board, Side, Random& random) const override {
        const auto moves = board.moves();
        return moves.nth(random.below(moves.size()));
    }
};

/// Alpha-beta to a fixed depth; the first of equally good moves.
template <class Board>
class AlphaBetaChooser final : public Chooser<Board> {
public:
    AlphaBetaChooser(int depth, std::shared_ptr<const Evaluation<Board>> evaluation)
        : depth_(depth), evaluation_(std::move(evaluation)) {}

    int choose(const Board& board, Side to_move, Random&) const override {
        search::Control control({}, {});
        search::Meter meter(control, false);
        search::AlphaBeta<Board> engine(*evaluation_, meter);
        search::Line line;
        engine.search(board, to_move, depth_, -search::kInfinity, search::kInfinity, line);
        return line.moves[0];
    }

private:
    int depth_;
    std::shared_ptr<const Evaluation<Board>> evaluation_;
};

template <class Board>
class MctsChooser final : public Chooser<Board> {
public:
    MctsChooser(const mcts::Settings& settings, std::shared_ptr<const Evaluation<Board>> evaluation)
        : settings_(settings), evaluation_(std::move(evaluation)) {}

    int choose(const Board& board, Side to_move, Random& random) const override {
        mcts::Settings settings = settings_;
        settings.seed = random.next();
        mcts::Tree tree;
        return mcts::Search<Board>(board, to_move, evaluation_.get(), settings, tree, {}).run().best;
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

template <class Board>
Game play_game(Board board, Side to_move, const Chooser<Board>& first, const Chooser<Board>& second, Random& random) {
    Game game;
    bool first_moves = true;
    while (board.moves().size() > 0) {
        const int move = (first_moves ? first : second).choose(board, to_move, random);
        game.moves.push_back(static_cast<std::uint8_t>(move));
        board.play(move);
        to_move = other(to_move);
        first_moves = !first_moves;
    }
    game.outcome = first_moves ? board.outcome() : -board.outcome();
    game.measure = first_moves ? board.final_measure() : -board.final_measure();
    return game;
}

}  // namespace flipdrop::match
