// The exact solvers, for Python: one class for each game, which keeps a solver for the kind of board it has met last.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/binding/position.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::binding {

/// What a solver is asked.
struct SolveRequest {
    search::Limits limits{};
    int threads = 1;
    bool outcome_only = false;  ///< who wins is enough
    bool line = true;
    bool moves = false;  ///< every move's score
};

/// What is proven, for the side to move.
struct SolvedMove {
    int move;
    int lower, upper;
};

struct Solution {
    int lower = 0, upper = 0;
    int guess = 0;        ///< the score if it is known, else the most likely one
    bool proven = false;  ///< all that was asked for
    int best = -1;        ///< -1 when the game is over
    std::vector<int> line;
    std::vector<SolvedMove> moves;  ///< best first
    std::uint64_t nodes = 0;
    double seconds = 0;
};

/// Moves as the outside world numbers them.
template <class Position>
Solution translated(const Position& position, Solution solution) {
    if (solution.best >= 0) solution.best = position.outer_move(solution.best);
    for (int& move : solution.line) move = position.outer_move(move);
    for (SolvedMove& entry : solution.moves) entry.move = position.outer_move(entry.move);
    return solution;
}

/// Best first; what is best comes before what equals it.
inline void sort_best_first(Solution& solution) {
    std::stable_sort(solution.moves.begin(), solution.moves.end(), [&](const SolvedMove& a, const SolvedMove& b) {
        return std::tuple(a.lower, a.upper, a.move == solution.best) >
               std::tuple(b.lower, b.upper, b.move == solution.best);
    });
}

/// `Game` says how a game is solved: `Solvers`, a variant of the solvers for its boards with nothing as the first
/// alternative, and `solve`.
template <class Game>
class PythonSolver {
public:
    using Position = typename Game::Position;

    explicit PythonSolver(std::size_t megabytes) : megabytes_(megabytes) {}

    Solution solve(const Position& position, const SolveRequest& request, nb::object progress) {
        const auto board = position.board();
        const nb::gil_scoped_release unlocked;
        const std::lock_guard alone(mutex_);  // one table, one search
        return translated(position, std::visit(
                                        [&](const auto& b) {
                                            return Game::solve(solvers_, megabytes_, b, request, [&](Solution so_far) {
                                                const nb::gil_scoped_acquire locked;
                                                if (PyErr_CheckSignals() != 0) nb::raise_python_error();
                                                if (!progress.is_none())
                                                    progress(translated(position, std::move(so_far)));
                                            });
                                        },
                                        board));
    }

    void clear() {
        const nb::gil_scoped_release unlocked;
        const std::lock_guard alone(mutex_);
        solvers_ = {};
    }

private:
    std::size_t megabytes_;
    std::mutex mutex_;
    typename Game::Solvers solvers_;
};

template <class Game>
void bind_solver_of(nb::module_& module, const char* name) {
    using Solver = PythonSolver<Game>;
    nb::class_<Solver>(module, name, "Solves positions; its table lasts as long as the shape of the board.")
        .def(nb::init<std::size_t>(), "megabytes"_a)
        .def("solve", &Solver::solve, "position"_a, "request"_a, "progress"_a = nb::none(),
             "`progress` is called about every 50 ms with what is known.")
        .def("clear", &Solver::clear, "Forgets everything.");
}

}  // namespace flipdrop::binding
