#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include "kernel/binding/pattern.hpp"
#include "kernel/binding/solver.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/solver/othello/pattern_evaluator.hpp"
#include "kernel/solver/othello/solver.hpp"

namespace flipdrop::binding {

void bind_othello_solver(nb::module_& module);

namespace {

/// The learned ordering evaluator for 8x8.
using Evaluator = othello::endgame::PatternEvaluator<8>;

struct OthelloGame {
    using Position = othello::Position;
    template <int Size>
    using Of = std::unique_ptr<othello::endgame::Solver<Size>>;
    using Learned = std::unique_ptr<othello::endgame::Solver<8, Evaluator>>;
    using Solvers = std::variant<std::monostate, Of<4>, Of<6>, Of<8>, Learned>;

    std::optional<Evaluator> evaluator;

    template <int Size, class Use>
    Solution with_solver(Solvers& solvers, std::size_t megabytes, const othello::Board<Size>&, Use&& use) const {
        if constexpr (Size == 8) {
            if (evaluator) return use(found<Learned>(solvers, megabytes, *evaluator));
        }
        return use(found<Of<Size>>(solvers, megabytes));
    }

private:
    /// The solver of a type; replaces a solver of another type.
    template <class Kind, class... Evaluators>
    static auto& found(Solvers& solvers, std::size_t megabytes, const Evaluators&... evaluator) {
        if (!std::holds_alternative<Kind>(solvers)) {
            solvers = std::monostate{};  // frees its memory first
            solvers = std::make_unique<typename Kind::element_type>(megabytes, evaluator...);
        }
        return *std::get<Kind>(solvers);
    }
};

Evaluator new_evaluator(const TrainedNetwork& network, double error) {
    network.check_supports(othello::Board<8>{});
    return Evaluator(network.model, error);
}

}  // namespace

void bind_othello_solver(nb::module_& module) {
    nb::class_<Evaluator>(module, "OthelloOrderingEvaluator",
                          "A pattern network that orders the moves of the Othello solver on 8x8.")
        .def(
            "__init__",
            [](Evaluator* self, const TrainedNetwork& network, double error) {
                new (self) Evaluator(new_evaluator(network, error));
            },
            "network"_a, nb::kw_only(), "error"_a, "The network's unit is a disc; `error` is its standard deviation.");
    bind_solver_of<OthelloGame>(module, "OthelloSolver")
        .def(
            "__init__",
            [](PythonSolver<OthelloGame>* self, std::size_t megabytes, const Evaluator* evaluator) {
                new (self) PythonSolver<OthelloGame>(megabytes,
                                                     {evaluator == nullptr ? std::nullopt : std::optional(*evaluator)});
            },
            "megabytes"_a, "evaluator"_a.none() = nb::none(),
            "`evaluator` orders the moves on 8x8; without it, a handcrafted evaluation does.");
}

}  // namespace flipdrop::binding
