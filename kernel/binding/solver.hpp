// The exact solvers, for Python: one class for each game, which keeps a solver for the kind of board it has met last.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <variant>

#include "kernel/binding/position.hpp"
#include "kernel/solver/solution.hpp"

namespace flipdrop::binding {

using solver::Solution;

/// Moves as the outside world numbers them.
template <class Position>
Solution translated(const Position& position, Solution solution) {
    if (solution.best >= 0) solution.best = position.outer_move(solution.best);
    for (int& move : solution.line) move = position.outer_move(move);
    for (solver::SolvedMove& entry : solution.moves) entry.move = position.outer_move(entry.move);
    return solution;
}

/// `Game` knows the solvers of a game: `Solvers`, a variant of pointers to those for its boards with nothing as the
/// first alternative, and `solver`, which finds or makes the one for a board.
template <class Game>
class PythonSolver {
public:
    using Position = typename Game::Position;

    explicit PythonSolver(std::size_t megabytes) : megabytes_(megabytes) {}

    Solution solve(const Position& position, const solver::Request& request, nb::object progress) {
        const auto watch = [&](const Solution& so_far) {
            const nb::gil_scoped_acquire locked;
            watch_from_python(nb::handle(Py_None), 0, 0);
            if (!progress.is_none()) progress(translated(position, so_far));
        };
        const auto board = position.board();
        const nb::gil_scoped_release unlocked;
        const std::lock_guard alone(mutex_);  // one table, one search
        return translated(
            position,
            std::visit([&](const auto& b) { return Game::solver(solvers_, megabytes_, b).solve(b, request, watch); },
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
