// Helpers of the kernel's tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>

#include "kernel/random.hpp"
#include "kernel/solver/solution.hpp"

namespace flipdrop::tests {

template <class Error, class Call>
bool throws(Call&& call) {
    try {
        call();
    } catch (const Error&) {
        return true;
    }
    return false;
}

inline int sign(int score) {
    return (score > 0) - (score < 0);
}

template <class Board>
Board played(Board board, int move) {
    board.play(move);
    return board;
}

template <class Board>
bool is_legal(const Board& board, int move) {
    bool found = false;
    board.moves().for_each([&](int legal) { found = found || legal == move; });
    return found;
}

/// The board after some random moves; fewer if the game is over before.
template <class Board>
Board after_random_moves(Board board, int plies, Random& random) {
    for (auto moves = board.moves(); plies > 0 && moves.size() > 0; moves = board.moves(), --plies)
        board.play(moves.nth(random.below(moves.size())));
    return board;
}

inline bool begins_with(const std::vector<int>& line, int move) {
    return !line.empty() && line.front() == move;
}

/// Whether `line` is a legal game to its end that is worth `score` to the side to move at its beginning.
template <class Board>
bool ends_in(Board board, const std::vector<int>& line, int score, int (*final_score)(const Board&)) {
    for (int move : line) {
        if (!is_legal(board, move)) return false;
        board.play(move);
        score = -score;
    }
    return board.moves().size() == 0 && final_score(board) == score;
}

/// The reference for solvers: plain negamax with an exact table of positions.
template <class Board>
class PerfectPlay {
public:
    /// `final_score` is that of a finished game, for the side that would be to move.
    explicit PerfectPlay(int (*final_score)(const Board&)) : final_score_(final_score) {}

    int score(const Board& board) {
        const auto moves = board.moves();
        if (moves.size() == 0) return final_score_(board);
        if (const auto known = scores_.find(board); known != scores_.end()) return known->second;
        int best = -1000;
        moves.for_each([&](int move) { best = std::max(best, score_of(board, move)); });
        scores_.emplace(board, best);
        return best;
    }
    int score_of(const Board& board, int move) { return -score(played(board, move)); }

    /// Whether `line` is a game to its end in which no move loses score, or at least not the outcome.
    bool is_perfect(Board board, const std::vector<int>& line, bool outcome_only = false) {
        const auto worth = [&](int score) { return outcome_only ? sign(score) : score; };
        for (int move : line) {
            if (!is_legal(board, move) || worth(score_of(board, move)) != worth(score(board))) return false;
            board.play(move);
        }
        return board.moves().size() == 0;
    }

    /// Every position met so far in which the game was not over, with its score.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (const auto& [board, score] : scores_) visit(board, score);
    }

private:
    struct Hash {
        std::size_t operator()(const Board& board) const { return board.key(); }
    };
    int (*final_score_)(const Board&);
    std::unordered_map<Board, int, Hash> scores_;
};

/// What a solver says of every move is true; it is the whole request if it says so.
template <class Board>
void check_moves(PerfectPlay<Board>& perfect, const Board& board, const solver::Request& request,
                 const solver::Solution& solution) {
    std::vector<int> legal, found;
    board.moves().for_each([&](int move) { legal.push_back(move); });
    bool all = solution.answers(request);
    for (const auto& move : solution.moves) {
        found.push_back(move.move);
        const int truth = perfect.score_of(board, move.move);
        CHECK((move.lower <= truth && truth <= move.upper));
        all = all && move.answers(request);
    }
    CHECK(all == solution.proven);
    if (!legal.empty() && solution.proven && !request.outcome_only) CHECK(solution.moves.front().move == solution.best);
    CHECK(std::is_sorted(solution.moves.begin(), solution.moves.end(),
                         [](auto& a, auto& b) { return a.lower > b.lower; }));
    std::sort(found.begin(), found.end());
    std::sort(legal.begin(), legal.end());
    CHECK(found == legal);
}

}  // namespace flipdrop::tests
