#include <memory>
#include <variant>

#include "kernel/binding/solver.hpp"
#include "kernel/connect4/position.hpp"
#include "kernel/solver/connect4/solver.hpp"

namespace flipdrop::binding {

void bind_connect4_solver(nb::module_& module);

namespace {

struct ConnectFourGame {
    using Position = connect4::Position;

    /// A solver, and the shape that it is for.
    template <class Shape>
    struct Of {
        Shape shape;
        std::unique_ptr<connect4::exact::Solver<Shape>> solver;
    };
    using Solvers = std::variant<std::monostate, Of<connect4::FixedShape<7, 6>>, Of<connect4::AnyShape<Bits>>,
                                 Of<connect4::AnyShape<Wide<2>>>, Of<connect4::AnyShape<Wide<3>>>>;

    template <class Shape, class Watch>
    static Solution solve(Solvers& solvers, std::size_t megabytes, const connect4::Board<Shape>& board,
                          const SolveRequest& request, Watch watch) {
        using namespace connect4::exact;
        auto* of = std::get_if<Of<Shape>>(&solvers);
        if (of == nullptr || !(of->shape == board.shape)) {
            solvers = std::monostate{};  // gives its memory back first
            of = &solvers.template emplace<Of<Shape>>(
                Of<Shape>{board.shape, std::make_unique<Solver<Shape>>(board.shape, megabytes)});
        }
        const auto watched = [&] { watch(Solution{}); };
        const Request wanted{request.limits, request.threads, request.outcome_only,
                             request.line ? Want::Line : Want::Move};
        const Result result = of->solver->solve(board, wanted, watched);
        Solution solution{result.lower,
                          result.upper,
                          std::clamp(0, result.lower, result.upper),
                          result.proven,
                          result.best,
                          result.line,
                          {},
                          result.nodes,
                          result.seconds};
        if (request.moves) {
            Request rest = wanted;
            if (rest.limits.seconds > 0) rest.limits.seconds = std::max(1e-6, rest.limits.seconds - result.seconds);
            if (rest.limits.nodes > 0) rest.limits.nodes -= std::min(rest.limits.nodes - 1, result.nodes);
            const MoveScores scores = of->solver->solve_moves(board, rest, watched);
            for (const MoveScore& move : scores.moves) {
                solution.moves.push_back({move.column, move.lower, move.upper});
                solution.proven = solution.proven && move.proven;
            }
            solution.nodes += scores.nodes;
            solution.seconds += scores.seconds;
            sort_best_first(solution);
        }
        return solution;
    }
};

}  // namespace

void bind_connect4_solver(nb::module_& module) {
    bind_solver_of<ConnectFourGame>(module, "ConnectFourSolver");
}

}  // namespace flipdrop::binding
