// The two textbook searches to a fixed depth: plain minimax, and alpha-beta in negamax form. Nothing is stored, nothing
// is ordered: these are what the faster search is checked against, and what small depths need.
#pragma once

#include "kernel/search/control.hpp"
#include "kernel/search/line.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::search {

template <class Board>
class Minimax {
public:
    Minimax(const Evaluation<Board>& evaluation, NodeCounter& counter) : evaluation_(evaluation), counter_(counter) {}

    /// The value for the side to move when both sides look `depth` plies ahead. Meaningless once the counter said stop.
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

template <class Board>
class AlphaBeta {
public:
    AlphaBeta(const Evaluation<Board>& evaluation, NodeCounter& counter) : evaluation_(evaluation), counter_(counter) {}

    /// As Minimax, but only as far as it can matter: exact between `alpha` and `beta`, a bound on the value beyond
    /// them.
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
