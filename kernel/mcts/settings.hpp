// Settings of the tree search. The defaults are plain UCT.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/search/settings.hpp"

namespace flipdrop::mcts {

/// How far a random game is played, and its reward for the side that searches.
enum class Playout {
    End,   ///< to the end of the game
    Depth  ///< at most `playout_depth` plies, then the evaluation
};
enum class Reward {
    Win,         ///< 1 for a win, -1 for a loss, `draw` for a draw
    Margin,      ///< +-(win_bonus + disc margin), 0 for a draw, and `corner_bonus` for every corner that the searching
                 ///< side holds (Othello)
    Evaluation,  ///< the evaluation's own number
    Squashed     ///< the evaluation pressed into -1..1: tanh(number / scale)
};
/// The position whose corners Reward::Margin counts.
enum class Corners {
    Leaf,  ///< where the playout begins
    End    ///< where it ends
};
/// Where decisive moves restrict the choice: a winning move is played, a threat is blocked, a winning cell is not
/// opened.
enum class Decisive { Nowhere, Root, Tree };
/// How the move is chosen when the budget is spent.
enum class Final {
    Mean,
    Visits,
    Ucb  ///< the score by which children are selected
};

struct Settings {
    // The budget; zero means no such limit. At least one has to be set.
    std::uint64_t iterations = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;

    // The tree. A child's score is Q/N + c sqrt(2 ln N_parent / N), and what the options below add.
    double c = 0.70710678118654752;
    double expand = 1;   ///< probability of trying a new child rather than descending into a known one
    double bias = 0;     ///< progressive bias: weight of the evaluation of a child, divided by N + 1
    double rave = 0;     ///< visits at which a move's own mean counts as much as its all-moves-as-first mean; 0: off
    bool solver = true;  ///< back up proven wins, losses and draws
    Decisive decisive = Decisive::Nowhere;
    int root_bonus_move = -1;  ///< a root move that is visited first and whose simulations get `root_bonus` more
    double root_bonus = 0;

    // The random games.
    Playout playout = Playout::End;
    int playout_depth = 0;
    int playouts = 1;  ///< for each leaf
    bool decisive_playouts = false;
    Reward reward = Reward::Win;
    double draw = 0;           ///< the reward of a draw for the side that searches
    double opponent_draw = 0;  ///< and for its opponent; -1 for both: only wins count
    double win_bonus = 50;     ///< of Reward::Margin
    double corner_bonus = 10;
    Corners corners = Corners::End;
    double scale = 100;  ///< of Reward::Squashed and of `bias`
    search::Perspective perspective = search::Perspective::SideToMove;

    Final final = Final::Mean;
    double tie_width = 0;           ///< of root moves this close to the best, the one on the heaviest square is chosen
    std::vector<double> tie_table;  ///< weights of squares (see square_table.hpp)
    int threads = 1;
    std::uint32_t batch = 1;  ///< simulations from one much visited node before the next way down from the root
    std::uint64_t seed = 0;
};

/// Throws Error unless a search with these settings can be run.
inline void check(const Settings& settings) {
    using search::kMaxNumber;
    if (settings.iterations == 0 && settings.nodes == 0 && settings.seconds <= 0)
        throw Error("no budget: give iterations, nodes or seconds");
    check_range("seconds", settings.seconds, 0.0, search::kMaxSeconds);
    check_range("c", settings.c, 0.0, kMaxNumber);
    check_range("expand", settings.expand, 1e-300, 1.0);
    check_range("bias", settings.bias, 0.0, kMaxNumber);
    check_range("rave", settings.rave, 0.0, kMaxNumber);
    check_range("root_bonus", settings.root_bonus, -kMaxNumber, kMaxNumber);
    check_range("playout_depth", settings.playout_depth, 0, search::kMaxDepth);
    check_range("playouts", settings.playouts, 1, 1'000'000);
    check_range("draw", settings.draw, -kMaxNumber, kMaxNumber);
    check_range("opponent_draw", settings.opponent_draw, -kMaxNumber, kMaxNumber);
    check_range("win_bonus", settings.win_bonus, -kMaxNumber, kMaxNumber);
    check_range("corner_bonus", settings.corner_bonus, -kMaxNumber, kMaxNumber);
    check_range("scale", settings.scale, 1e-300, kMaxNumber);
    check_range("tie_width", settings.tie_width, 0.0, kMaxNumber);
    check_range("threads", settings.threads, 1, search::kMaxThreads);
    check_range("batch", settings.batch, 1u, 1'000'000u);
}

}  // namespace flipdrop::mcts
