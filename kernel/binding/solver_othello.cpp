#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include "kernel/binding/pattern.hpp"
#include "kernel/binding/solver.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/solver/othello/endgame.hpp"
#include "kernel/solver/othello/pattern_judge.hpp"

namespace flipdrop::binding {

void bind_othello_solver(nb::module_& module);

namespace {

/// What has learned to order the moves on 8x8.
using Judge = othello::endgame::PatternJudge<8>;

struct OthelloGame {
    using Position = othello::Position;
    template <int Size>
    using Of = std::unique_ptr<othello::endgame::Solver<Size>>;
    using Learned = std::unique_ptr<othello::endgame::Solver<8, Judge>>;
    using Solvers = std::variant<std::monostate, Of<4>, Of<6>, Of<8>, Learned>;

    std::optional<Judge> judge;

    template <int Size, class Use>
    Solution with_solver(Solvers& solvers, std::size_t megabytes, const othello::Board<Size>&, Use&& use) const {
        if constexpr (Size == 8) {
            if (judge) return use(found<Learned>(solvers, megabytes, *judge));
        }
        return use(found<Of<Size>>(solvers, megabytes));
    }

private:
    /// The solver of a kind, made if there is another.
    template <class Kind, class... Judges>
    static auto& found(Solvers& solvers, std::size_t megabytes, const Judges&... judge) {
        if (!std::holds_alternative<Kind>(solvers)) {
            solvers = std::monostate{};  // gives its memory back first
            solvers = std::make_unique<typename Kind::element_type>(megabytes, judge...);
        }
        return *std::get<Kind>(solvers);
    }
};

Judge new_judge(const TrainedNetwork& network, double error) {
    network.check_suits(othello::Board<8>{});
    return Judge(network.model, error);
}

}  // namespace

void bind_othello_solver(nb::module_& module) {
    nb::class_<Judge>(module, "OthelloJudge", "A pattern network, made ready to order the moves of a solver on 8x8.")
        .def(
            "__init__",
            [](Judge* self, const TrainedNetwork& network, double error) {
                new (self) Judge(new_judge(network, error));
            },
            "network"_a, nb::kw_only(), "error"_a, "The network's unit is a disc; `error` is its standard deviation.");
    bind_solver_of<OthelloGame>(module, "OthelloSolver")
        .def(
            "__init__",
            [](PythonSolver<OthelloGame>* self, std::size_t megabytes, const Judge* judge) {
                new (self)
                    PythonSolver<OthelloGame>(megabytes, {judge == nullptr ? std::nullopt : std::optional(*judge)});
            },
            "megabytes"_a, "judge"_a.none() = nb::none(), "`judge` orders the moves on 8x8, if there is one.");
}

}  // namespace flipdrop::binding
