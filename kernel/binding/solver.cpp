#include "kernel/binding/solver.hpp"

namespace flipdrop::binding {

void bind_connect4_solver(nb::module_& module);
void bind_othello_solver(nb::module_& module);

void bind_solver(nb::module_& module) {
    using solver::Request, solver::SolvedMove;
    nb::class_<Request>(module, "SolveRequest", "What to solve, and within which limits.")
        .def(nb::init<>())
        .def_rw("limits", &Request::limits)
        .def_rw("threads", &Request::threads)
        .def_rw("outcome_only", &Request::outcome_only)
        .def_rw("line", &Request::line)
        .def_rw("moves", &Request::moves);
    nb::class_<SolvedMove>(module, "SolvedMove", "Bounds of a move's score, for the side that makes it.")
        .def_ro("move", &SolvedMove::move)
        .def_ro("lower", &SolvedMove::lower)
        .def_ro("upper", &SolvedMove::upper);
    nb::class_<Solution>(module, "KernelSolution", "Proven bounds of a position's score, for the side to move.")
        .def_ro("lower", &Solution::lower)
        .def_ro("upper", &Solution::upper)
        .def_ro("guess", &Solution::guess)
        .def_ro("proven", &Solution::proven)
        .def_ro("best", &Solution::best)
        .def_ro("line", &Solution::line)
        .def_ro("moves", &Solution::moves)
        .def_ro("nodes", &Solution::nodes)
        .def_ro("seconds", &Solution::seconds);
    bind_connect4_solver(module);
    bind_othello_solver(module);
}

}  // namespace flipdrop::binding
