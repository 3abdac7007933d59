#include <nanobind/stl/array.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include "kernel/binding/othello_evaluator.hpp"
#include "kernel/binding/solver.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/solver/othello/solver.hpp"

namespace flipdrop::binding {

void bind_othello_solver(nb::module_& module);

namespace {

struct OthelloGame {
    using Position = othello::Position;
    template <int Size>
    using Of = std::unique_ptr<othello::endgame::Solver<Size>>;
    template <int Size>
    using Learned = std::unique_ptr<othello::endgame::Solver<Size, othello::endgame::PatternEvaluator<Size>>>;
    using Solvers = std::variant<std::monostate, Of<4>, Of<6>, Of<8>, Learned<6>, Learned<8>>;

    std::optional<OthelloEvaluator> evaluator;

    template <int Size, class Use>
    Solution with_solver(Solvers& solvers, std::size_t megabytes, const othello::Board<Size>&, Use&& use) const {
        if constexpr (Size != 4) {
            using Evaluator = othello::endgame::PatternEvaluator<Size>;
            if (const auto* learned = evaluator ? std::get_if<Evaluator>(&evaluator->of_board) : nullptr)
                return use(found<Learned<Size>>(solvers, megabytes, *learned));
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

OthelloEvaluator new_evaluator(const TrainedNetwork& network, const std::vector<double>& probcut) {
    using othello::endgame::PatternEvaluator;
    if (probcut.size() != 6 && probcut.size() != 8)
        throw Error("the ProbCut model has 6 or 8 numbers, not " + std::to_string(probcut.size()));
    for (const double number : probcut)
        if (!std::isfinite(number)) throw Error("the ProbCut model consists of finite numbers");
    othello::endgame::ProbCutModel errors{probcut[0], probcut[1], probcut[2], probcut[3], probcut[4], probcut[5]};
    if (probcut.size() == 8) errors.end_constant = probcut[6], errors.end_shallow = probcut[7];
    if (network.model.rows == 6) {
        network.check_supports(othello::Board<6>{});
        return {PatternEvaluator<6>(network.model, errors)};
    }
    network.check_supports(othello::Board<8>{});
    return {PatternEvaluator<8>(network.model, errors)};
}

}  // namespace

void bind_othello_solver(nb::module_& module) {
    nb::class_<OthelloEvaluator>(module, "OthelloEvaluator",
                                 "A pattern network for the Othello engine and solver on 8x8 or 6x6.")
        .def(
            "__init__",
            [](OthelloEvaluator* self, const TrainedNetwork& network, const std::vector<double>& probcut) {
                new (self) OthelloEvaluator(new_evaluator(network, probcut));
            },
            "network"_a, nb::kw_only(), "probcut"_a,
            "The network's unit is a disc; `probcut` are the six numbers of the ProbCut model for searches, and two "
            "for "
            "results.");
    bind_solver_of<OthelloGame>(module, "OthelloSolver")
        .def(
            "__init__",
            [](PythonSolver<OthelloGame>* self, std::size_t megabytes, const OthelloEvaluator* evaluator) {
                new (self) PythonSolver<OthelloGame>(megabytes,
                                                     {evaluator == nullptr ? std::nullopt : std::optional(*evaluator)});
            },
            "megabytes"_a, "evaluator"_a.none() = nb::none(),
            "`evaluator` orders the moves on boards of its size; elsewhere a handcrafted evaluation does.");
}

}  // namespace flipdrop::binding
