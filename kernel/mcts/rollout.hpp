// Random games from a leaf, and their reward for the side that searches.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernel/bits.hpp"
#include "kernel/board.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/evaluation/evaluation.hpp"
#include "kernel/mcts/settings.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/regions.hpp"
#include "kernel/random.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::mcts {

template <class Board>
concept HasDecisiveMoves = requires(const Board& board) { board.decisive_moves(); };

/// Which moves the two sides have played, by number: [0] the side that searches.
using Played = std::array<Bits, 2>;

inline void note(Played& played, bool searcher, int move) {
    if (move < 64) played[searcher ? 0 : 1] |= Bits{1} << move;
}

/// What a simulation earns each side. One side's reward is the negative of the other's, except for draws that count as
/// losses for both.
struct Rewards {
    double searcher = 0, opponent = 0;

    double of(bool is_searcher) const { return is_searcher ? searcher : opponent; }
    Rewards& operator+=(const Rewards& more) {
        searcher += more.searcher;
        opponent += more.opponent;
        return *this;
    }
};

/// Disc margin of a finished game for the side to move, and corners: what Reward::Margin counts.
template <int Size>
int margin_of(const othello::Board<Size>& board) {
    return board.final_margin();
}
template <class Shape>
int margin_of(const connect4::Board<Shape>& board) {
    return board.final_score();
}
template <int Size>
int corners_of(const othello::Board<Size>& board, bool of_side_to_move) {
    return count((of_side_to_move ? board.own : board.other) & othello::kCorners<Size>);
}
template <class Shape>
int corners_of(const connect4::Board<Shape>&, bool) {
    return 0;
}

template <GameBoard Board>
class Rollout {
public:
    Rollout(const Settings& settings, const Evaluation<Board>* evaluation, Side searcher)
        : settings_(settings), evaluation_(evaluation), searcher_(searcher) {}

    /// The mean rewards of the random games that one leaf gets; of fewer when time is up.
    Rewards rewards(const Board& board, Side to_move, Random& random, Played* played,
                    search::NodeCounter& counter) const {
        Rewards sum = one_game(board, to_move, random, played);
        if (settings_.playouts == 1) return sum;
        int games = 1;
        for (; games < settings_.playouts && !counter.tick(); ++games) sum += one_game(board, to_move, random, played);
        return {sum.searcher / games, sum.opponent / games};
    }

    /// The rewards of a finished game that was played out from `leaf`.
    Rewards final_rewards(const Board& board, Side to_move, const Board& leaf, Side leaf_to_move) const {
        const bool ours = to_move == searcher_;
        const int outcome = ours ? board.outcome() : -board.outcome();
        switch (settings_.reward) {
            case Reward::Margin: {
                const double reward = outcome == 0 ? 0 : outcome * (settings_.win_bonus + std::abs(margin_of(board)));
                const int corners = settings_.corners == Corners::Leaf ? corners_of(leaf, leaf_to_move == searcher_)
                                                                       : corners_of(board, ours);
                return zero_sum(reward + settings_.corner_bonus * corners);
            }
            case Reward::Evaluation: return evaluation_rewards(board, to_move);
            case Reward::Win:
            case Reward::Squashed: break;
        }
        return outcome == 0 ? draw() : zero_sum(outcome);
    }

    Rewards draw() const { return {settings_.draw, settings_.opponent_draw}; }
    static Rewards zero_sum(double reward) { return {reward, -reward}; }

private:
    Rewards one_game(const Board& leaf, Side leaf_to_move, Random& random, Played* played) const {
        Board board = leaf;
        Side to_move = leaf_to_move;
        int plies = settings_.playout == Playout::Depth ? settings_.playout_depth : -1;
        for (;;) {
            auto moves = board.moves();
            if (moves.size() == 0) return final_rewards(board, to_move, leaf, leaf_to_move);
            if (plies-- == 0) return evaluation_rewards(board, to_move);
            if constexpr (HasDecisiveMoves<Board>)
                if (settings_.decisive_playouts) moves = board.decisive_moves();
            const int move = moves.nth(random.below(moves.size()));
            if (played != nullptr) note(*played, to_move == searcher_, move);
            board.play(move);
            to_move = other(to_move);
        }
    }

    Rewards evaluation_rewards(const Board& board, Side to_move) const {
        const double score = search::leaf_value(*evaluation_, board, to_move);
        const double ours = to_move == searcher_ ? score : -score;
        return zero_sum(settings_.reward == Reward::Squashed ? std::tanh(ours / settings_.scale) : ours);
    }

    const Settings& settings_;
    const Evaluation<Board>* evaluation_;
    Side searcher_;
};

}  // namespace flipdrop::mcts
