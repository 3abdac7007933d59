// The exact solvers, for Python: one class for each game, which keeps a solver for the latest shape of board.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <utility>
#include <variant>

#include "kernel/binding/position.hpp"
#include "kernel/solver/solution.hpp"

namespace flipdrop::binding {

using solver::Solution;

/// Replaces the kernel's move numbers by those of Python.
template <class Position>
Solution translated(const Position& position, Solution solution) {
    if (solution.best >= 0) solution.best = position.outer_move(solution.best);
    for (int& move : solution.line) move = position.outer_move(move);
    for (solver::SolvedMove& entry : solution.moves) entry.move = position.outer_move(entry.move);
    return solution;
}

/// `Game` provides `Solvers`, a variant of pointers to the solvers of its boards with std::monostate as the first
/// alternative, and `with_solver`, which calls a function with the solver for a board and makes it if necessary.
template <class Game>
class PythonSolver {
public:
    using Position = typename Game::Position;

    explicit PythonSolver(std::size_t megabytes, Game game = {}) : megabytes_(megabytes), game_(std::move(game)) {
        check_range("megabytes", megabytes, std::size_t{0}, search::kMaxMegabytes);
    }

    Solution solve(const Position& position, const solver::Request& request, nb::object progress) {
        solver::check(request);
        const auto watch = [&](const Solution& so_far) {
            const Locked locked;
            watch_from_python(nb::handle(Py_None), 0, 0);
            if (!progress.is_none()) call_python(progress, translated(position, so_far));
        };
        const auto board = position.board();
        const Unlocked unlocked;
        const std::lock_guard alone(mutex_);  // one table, one search
        const auto solve_on = [&](const auto& b) {
            return game_.with_solver(solvers_, megabytes_, b,
                                     [&](auto& solver) { return solver.solve(b, request, watch); });
        };
        return translated(position, std::visit(solve_on, board));
    }

    void clear() {
        const Unlocked unlocked;
        const std::lock_guard alone(mutex_);
        solvers_ = {};
    }

private:
    std::size_t megabytes_;
    Game game_;
    OneCallMutex mutex_;
    typename Game::Solvers solvers_;
};

/// All but the constructor.
template <class Game>
nb::class_<PythonSolver<Game>> bind_solver_of(nb::module_& module, const char* name) {
    using Solver = PythonSolver<Game>;
    return nb::class_<Solver>(module, name,
                              "Solves positions. The transposition table is kept between calls on boards of one shape.")
        .def("solve", &Solver::solve, "position"_a, "request"_a, "progress"_a = nb::none(),
             "`progress` is called about every 50 ms with the solution so far.")
        .def("clear", &Solver::clear, "Clears the transposition table.");
}

}  // namespace flipdrop::binding
