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

    template <int Size>
    static othello::endgame::Solver<Size>& solver(Solvers& solvers, std::size_t megabytes,
                                                  const othello::Board<Size>&) {
        if (!std::holds_alternative<Of<Size>>(solvers)) {
            solvers = std::monostate{};  // gives its memory back first
            solvers = std::make_unique<othello::endgame::Solver<Size>>(megabytes);
        }
        return *std::get<Of<Size>>(solvers);
    }
};

}  // namespace

void bind_othello_solver(nb::module_& module) {
    bind_solver_of<OthelloGame>(module, "OthelloSolver");
}

}  // namespace flipdrop::binding
