// The two textbook searches to a fixed depth: plain minimax, and alpha-beta in negamax form, without table or move
// ordering. Tests compare the faster search with them, and small depths need no more.
#pragma once

#include "kernel/board.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/line.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::search {

template <GameBoard Board>
class Minimax {
public:
    Minimax(const Evaluation<Board>& evaluation, NodeCounter& counter) : evaluation_(evaluation), counter_(counter) {}

    /// The value for the side to move when both sides look `depth` plies ahead. Meaningless once the search was
    /// stopped.
    Value search(const Board& board, Side to_move, int depth, Value, Value, Line& line) {
        line.size = 0;
        if (counter_.tick()) return 0;
        const auto moves = board.moves();
        if (moves.size() == 0) return finished_value(board);
        if (depth == 0) return leaf_value(evaluation_, board, to_move);
        Value best = -kInfinity;
        Line rest;
        moves.for_each([&](int move) {
            Board child = board;
            child.play(move);
            const Value value = -search(child, other(to_move), depth - 1, -kInfinity, kInfinity, rest);
            if (value > best) {
                best = value;
                line.set(move, rest);
            }
        });
        return best;
    }

private:
    const Evaluation<Board>& evaluation_;
    NodeCounter& counter_;
};

template <GameBoard Board>
class AlphaBeta {
public:
    AlphaBeta(const Evaluation<Board>& evaluation, NodeCounter& counter) : evaluation_(evaluation), counter_(counter) {}

    /// As Minimax: exact between `alpha` and `beta`, a bound of the value beyond them.
    Value search(const Board& board, Side to_move, int depth, Value alpha, Value beta, Line& line) {
        line.size = 0;
        if (counter_.tick()) return 0;
        const auto moves = board.moves();
        if (moves.size() == 0) return finished_value(board);
        if (depth == 0) return leaf_value(evaluation_, board, to_move);
        Value best = -kInfinity;
        Line rest;
        const int size = moves.size();
        auto left = moves;
        for (int i = 0; i < size && best < beta; ++i) {
            const int move = left.take();
            Board child = board;
            child.play(move);
            const Value value = -search(child, other(to_move), depth - 1, -beta, -std::max(alpha, best), rest);
            if (value > best) {
                best = value;
                if (value > alpha) line.set(move, rest);
            }
        }
        return best;
    }

private:
    const Evaluation<Board>& evaluation_;
    NodeCounter& counter_;
};

}  // namespace flipdrop::search
