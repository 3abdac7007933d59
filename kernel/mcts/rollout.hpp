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

    /// The mean reward, for the side that searches, of the random games that one leaf gets; of fewer when time is up.
    double reward(const Board& board, Side to_move, Random& random, Played* played,
                  search::NodeCounter& counter) const {
        double sum = one_game(board, to_move, random, played);
        if (settings_.playouts == 1) return sum;
        int games = 1;
        for (; games < settings_.playouts && !counter.tick(); ++games) sum += one_game(board, to_move, random, played);
        return sum / games;
    }

    /// The reward of a finished game for the side that searches.
    double final_reward(const Board& board, Side to_move) const {
        const bool ours = to_move == searcher_;
        const int outcome = ours ? board.outcome() : -board.outcome();
        switch (settings_.reward) {
            case Reward::Margin: return margin_reward(board, ours, outcome);
            case Reward::Evaluation: return evaluation_reward(board, to_move);
            case Reward::Win:
            case Reward::Squashed: break;
        }
        return outcome == 0 ? settings_.draw : outcome;
    }

private:
    double one_game(Board board, Side to_move, Random& random, Played* played) const {
        int plies = settings_.playout == Playout::Depth ? settings_.playout_depth : -1;
        for (;;) {
            auto moves = board.moves();
            if (moves.size() == 0) return final_reward(board, to_move);
            if (plies-- == 0) return evaluation_reward(board, to_move);
            if constexpr (HasDecisiveMoves<Board>)
                if (settings_.decisive_playouts) moves = board.decisive_moves();
            const int move = moves.nth(random.below(moves.size()));
            if (played != nullptr) note(*played, to_move == searcher_, move);
            board.play(move);
            to_move = other(to_move);
        }
    }

    double margin_reward(const Board& board, bool ours, int outcome) const {
        const int margin = std::abs(margin_of(board));
        return outcome * (50 + margin) + 10 * corners_of(board, ours);
    }

    double evaluation_reward(const Board& board, Side to_move) const {
        const double score = search::leaf_value(*evaluation_, board, to_move);
        const double ours = to_move == searcher_ ? score : -score;
        return settings_.reward == Reward::Squashed ? std::tanh(ours / settings_.scale) : ours;
    }

    const Settings& settings_;
    const Evaluation<Board>* evaluation_;
    Side searcher_;
};

}  // namespace flipdrop::mcts
