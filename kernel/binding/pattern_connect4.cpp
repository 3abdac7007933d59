#include "kernel/binding/pattern.hpp"
#include "kernel/pattern/solver_oracle.hpp"

namespace flipdrop::binding {
namespace {

/// The network's oracle for boards of a shape, with its answers from earlier calls.
template <class Shape>
pattern::SolverOracle<Shape>& oracle_of(TrainedNetwork& network, const Shape& shape, int threads) {
    using SolverOracle = pattern::SolverOracle<Shape>;
    auto* known = std::any_cast<std::shared_ptr<SolverOracle>>(&network.oracle);
    if (known == nullptr || !((*known)->shape() == shape))
        known = &network.oracle.emplace<std::shared_ptr<SolverOracle>>(std::make_shared<SolverOracle>(shape, threads));
    return **known;
}

/// Plays games from `start` in which the solver scores every move.
void train_supervised(TrainedNetwork& self, const connect4::Position& start, const pattern::Settings& settings,
                      std::size_t games, std::uint64_t seed, std::uint64_t first, int threads, nb::object progress) {
    threads = checked_threads(threads);
    const auto begin = start.board();
    std::visit(
        [&]<class Shape>(const connect4::Board<Shape>& board) {
            self.check_supports(board);
            const TrainedNetwork::Training alone(self);
            const Unlocked unlocked;
            auto& oracle = oracle_of(self, board.shape, threads);
            pattern::Learner<connect4::Board<Shape>> learner(self.model, settings, self.coherence, board);
            pattern::learn_supervised(learner, board, oracle, {games, seed, first}, threads, [&](std::size_t finished) {
                return watch_from_python(progress, finished, games);
            });
        },
        begin);
}

}  // namespace

void bind_connect4_patterns(nb::module_& module, nb::class_<TrainedNetwork>& cls) {
    bind_pattern_of<connect4::Position>(module, cls);
    cls.def("train_supervised", &train_supervised, "start"_a, "settings"_a, nb::kw_only(), "games"_a, "seed"_a,
            "first"_a = 0, "threads"_a = 1, "progress"_a = nb::none(),
            "Plays games in which the exact solver scores every move, and corrects the moves that the network ranks "
            "wrongly.");
}

}  // namespace flipdrop::binding
