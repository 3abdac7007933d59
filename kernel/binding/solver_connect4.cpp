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
                                 Of<connect4::AnyShape<UInt<2>>>, Of<connect4::AnyShape<UInt<3>>>>;

    template <class Shape, class Use>
    static Solution with_solver(Solvers& solvers, std::size_t megabytes, const connect4::Board<Shape>& board,
                                Use&& use) {
        auto* of = std::get_if<Of<Shape>>(&solvers);
        if (of == nullptr || !(of->shape == board.shape)) {
            solvers = std::monostate{};  // frees its memory first
            of = &solvers.template emplace<Of<Shape>>(
                Of<Shape>{board.shape, std::make_unique<connect4::exact::Solver<Shape>>(board.shape, megabytes)});
        }
        return use(*of->solver);
    }
};

}  // namespace

void bind_connect4_solver(nb::module_& module) {
    bind_solver_of<ConnectFourGame>(module, "ConnectFourSolver").def(nb::init<std::size_t>(), "megabytes"_a);
}

}  // namespace flipdrop::binding
