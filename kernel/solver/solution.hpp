// The request to an exact solver and its solution, for both games.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

#include "kernel/search/report.hpp"
#include "kernel/search/settings.hpp"

namespace flipdrop::solver {

struct Request {
    search::Limits limits{};  ///< seconds and nodes for the whole request; there is no limit of depth
    int threads = 1;
    bool outcome_only = false;  ///< prove only win, draw or loss: the bounds are then on one side of zero, or both zero
    bool best = true;           ///< find a move that keeps the score; implied by `line`
    bool line = true;           ///< best play by both sides
    bool moves = false;         ///< every move's score
};

/// Throws Error unless a solver can answer the request.
inline void check(const Request& request) {
    search::check(request.limits);
    check_range("threads", request.threads, 1, search::kMaxThreads);
}

/// Proven bounds of a score, for the side to move at the root.
struct Proof {
    int lower = 0, upper = 0;

    bool exact() const { return lower == upper; }
    /// Whether win, draw or loss is proven.
    bool decided() const { return lower > 0 || upper < 0 || exact(); }
    bool answers(const Request& request) const { return request.outcome_only ? decided() : exact(); }
};

struct SolvedMove : Proof {
    int move = -1;
};

struct Solution : Proof {
    int guess = 0;        ///< the score if it is exact, else the most likely one
    bool proven = false;  ///< the whole request
    int best = -1;        ///< -1 when the game is over, or no move was asked for
    bool best_proven =
        false;  ///< `best` keeps the proven score (or its sign, if only that is proven); else `best` is a guess
    std::vector<int> line;          ///< to the end of the game, as far as it is proven
    std::vector<SolvedMove> moves;  ///< best first
    std::uint64_t nodes = 0;
    double seconds = 0;
};

/// Called on the calling thread, about every 50 ms, with the solution so far. Its exceptions end the work and pass
/// through.
using Watch = std::function<void(const Solution& so_far)>;

/// Best first; `best` comes before moves of equal score.
inline void sort_best_first(Solution& solution) {
    std::stable_sort(solution.moves.begin(), solution.moves.end(), [&](const SolvedMove& a, const SolvedMove& b) {
        return std::tuple(a.lower, a.upper, a.move == solution.best) >
               std::tuple(b.lower, b.upper, b.move == solution.best);
    });
}

}  // namespace flipdrop::solver
