#include <memory>
#include <variant>

#include "kernel/binding/solver.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/solver/othello/endgame.hpp"

namespace flipdrop::binding {

void bind_othello_solver(nb::module_& module);

namespace {

struct OthelloGame {
    using Position = othello::Position;
    template <int Size>
    using Of = std::unique_ptr<othello::endgame::Solver<Size>>;
    using Solvers = std::variant<std::monostate, Of<4>, Of<6>, Of<8>>;

    template <int Size, class Watch>
    static Solution solve(Solvers& solvers, std::size_t megabytes, const othello::Board<Size>& board,
                          const SolveRequest& request, Watch watch) {
        using namespace othello::endgame;
        if (!std::holds_alternative<Of<Size>>(solvers)) {
            solvers = std::monostate{};  // gives its memory back first
            solvers = std::make_unique<Solver<Size>>(megabytes);
        }
        Solver<Size>& solver = *std::get<Of<Size>>(solvers);
        const auto watched = [&](const Progress& so_far) {
            watch({so_far.lower,
                   so_far.upper,
                   so_far.guess,
                   false,
                   so_far.best == kNoMove ? -1 : so_far.best,
                   {},
                   {},
                   so_far.nodes,
                   so_far.seconds});
        };
        Settings settings{request.threads, request.limits, request.outcome_only, request.line, watched};
        const Result result = solver.solve(board, settings);
        Solution solution{result.lower,
                          result.upper,
                          result.guess,
                          result.level == kProven,
                          result.best == kNoMove ? -1 : result.best,
                          result.line,
                          {},
                          result.nodes,
                          result.seconds};
        if (request.moves && solution.best >= 0) {
            if (settings.limits.seconds > 0)
                settings.limits.seconds = std::max(1e-6, settings.limits.seconds - result.seconds);
            for (const MoveResult& move : solver.solve_moves(board, settings)) {
                solution.moves.push_back({move.move, move.lower, move.upper});
                solution.proven =
                    solution.proven && (move.exact() || (request.outcome_only && (move.lower > 0 || move.upper < 0)));
            }
            sort_best_first(solution);
        }
        return solution;
    }
};

}  // namespace

void bind_othello_solver(nb::module_& module) {
    bind_solver_of<OthelloGame>(module, "OthelloSolver");
}

}  // namespace flipdrop::binding
