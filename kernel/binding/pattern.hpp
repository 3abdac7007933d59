// Pattern networks for Python: made, trained without the interpreter lock, read and written as arrays.
#pragma once

#include <nanobind/ndarray.h>

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/binding/search.hpp"
#include "kernel/hash.hpp"
#include "kernel/pattern/learning.hpp"

namespace flipdrop::binding {

using Floats = nb::ndarray<nb::numpy, float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using GivenFloats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The class `PatternNetwork` of Python: a network with what its training remembers.
struct TrainedNetwork {
    bool is_othello;
    pattern::Model model;
    pattern::Coherence coherence;
    std::any oracle{};  ///< a shared `pattern::SolverOracle`, when there have been lessons

    template <class Board>
    void check_suits(const Board& board) const {
        using Cell = pattern::Cells<Board>;
        if (is_othello != (Cell::kStates == 3) || model.columns != Cell::columns(board) ||
            model.rows != Cell::rows(board))
            throw Error("the network is for " + std::string(is_othello ? "Othello" : "Connect Four") + " on " +
                        std::to_string(model.columns) + "x" + std::to_string(model.rows) + ", not for " + Cell::kGame +
                        " on " + std::to_string(Cell::columns(board)) + "x" + std::to_string(Cell::rows(board)));
    }
};

/// A network without any knowledge for boards like a position's.
template <class Position>
TrainedNetwork new_network(const Position& like, std::vector<std::vector<int>> patterns, std::vector<int> stages,
                           double unit) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            using Cell = pattern::Cells<Board>;
            pattern::Model model{.columns = Cell::columns(board),
                                 .rows = Cell::rows(board),
                                 .patterns = std::move(patterns),
                                 .stages = std::move(stages),
                                 .weights = nullptr,
                                 .unit = unit};
            const pattern::Layout<Board> layout(model.patterns, board);
            model.weights = std::make_shared<pattern::Weights>(pattern::Network<Board>::weights_of(layout, model));
            pattern::Network<Board>(model, board);  // checks the stages
            return TrainedNetwork{Cell::kStates == 3, std::move(model), {}};
        },
        like.board());
}

inline constexpr std::size_t kGamesInJob = 16;
inline constexpr std::size_t kPositionsInJob = 1024;

/// Plays games from `start` and learns from each of them. A game's number, counted from `first`, and the seed decide
/// its random choices.
template <class Position>
void learn_games(TrainedNetwork& self, nb::pointer_and_handle<Position> start, const pattern::Settings& settings,
                 std::size_t games, std::uint64_t seed, std::uint64_t first, int threads, const NativePlayer* opponent,
                 nb::object progress) {
    threads = checked_threads(threads);
    const Position position = *start.p;
    std::visit(
        [&]<class Board>(const Board& board) {
            self.check_suits(board);
            const auto other = opponent == nullptr ? nullptr : opponent->template player<Position, Board>(start.h);
            const nb::gil_scoped_release unlocked;
            pattern::Learner<Board> learner(self.model, settings, self.coherence, board);
            const std::size_t jobs = (games + kGamesInJob - 1) / kGamesInJob;
            parallel_for(
                jobs, threads,
                [&](std::size_t job, const StopFlag& stop) {
                    const std::size_t end = std::min(games, (job + 1) * kGamesInJob);
                    try {
                        for (std::size_t i = job * kGamesInJob; i < end && !stop.requested(); ++i)
                            learner.play_and_learn(board, position.to_move(), other.get(),
                                                   hash_mix(hash_mix(0, seed), first + i), stop);
                    } catch (const Interrupted&) {
                        // Nothing is learned from a game without an end.
                    }
                },
                [&](std::size_t finished) { return watch_from_python(progress, finished, jobs); });
        },
        position.board());
}

/// Moves the values of positions towards targets, in the order in which they are given. Returns the mean squared error
/// that each had when its turn came.
template <class Position>
double fit_positions(TrainedNetwork& self, const nb::typed<nb::list, Position>& positions, const GivenFloats& targets,
                     const pattern::Settings& settings, bool linear, int threads) {
    threads = checked_threads(threads);
    std::vector<Position> boards;
    boards.reserve(positions.size());
    for (nb::handle position : positions) {
        if (!nb::isinstance<Position>(position)) throw nb::next_overload();  // the other game's
        boards.push_back(nb::cast<const Position&>(position));
    }
    if (boards.size() != targets.shape(0))
        throw Error(std::to_string(boards.size()) + " positions and " + std::to_string(targets.shape(0)) + " targets");
    if (boards.empty()) return 0;
    for (std::size_t i = 0; i < boards.size(); ++i)
        if (!std::isfinite(targets(i))) throw Error("target " + std::to_string(i) + " is not a finite number");
    return std::visit(
        [&]<class Board>(const Board& like) {
            for (const Position& position : boards) {
                if (!std::holds_alternative<Board>(position.board()))
                    throw Error("the positions of one call are on boards of one shape");
                self.check_suits(std::get<Board>(position.board()));
            }
            const nb::gil_scoped_release unlocked;
            pattern::Learner<Board> learner(self.model, settings, self.coherence, like);
            const std::size_t jobs = (boards.size() + kPositionsInJob - 1) / kPositionsInJob;
            std::vector<double> errors(jobs);
            parallel_for(
                jobs, threads,
                [&](std::size_t job, const StopFlag& stop) {
                    const std::size_t end = std::min(boards.size(), (job + 1) * kPositionsInJob);
                    for (std::size_t i = job * kPositionsInJob; i < end && !stop.requested(); ++i) {
                        const auto& board = std::get<Board>(boards[i].board());
                        const auto error = static_cast<double>(linear ? learner.fit_linear(board, targets(i))
                                                                      : learner.fit(board, targets(i)));
                        errors[job] += error * error;
                    }
                },
                [](std::size_t) { return watch_from_python(nb::handle(Py_None), 0, 0); });
            double sum = 0;
            for (const double error : errors) sum += error;
            return sum / static_cast<double>(boards.size());
        },
        boards[0].board());
}

template <class Position>
void bind_pattern_of(nb::module_& module, nb::class_<TrainedNetwork>& cls) {
    module.def("new_pattern_network", &new_network<Position>, "like"_a, nb::kw_only(), "patterns"_a, "stages"_a,
               "unit"_a = 1.0, "A pattern network without knowledge, for boards like that of `like`.");
    cls.def("learn", &learn_games<Position>, "start"_a, "settings"_a, nb::kw_only(), "games"_a, "seed"_a, "first"_a = 0,
            "threads"_a = 1, "opponent"_a.none() = nb::none(), "progress"_a = nb::none(),
            "Plays games from `start`, against itself or an opponent, and learns from them.");
    cls.def("fit", &fit_positions<Position>, "positions"_a, "targets"_a, "settings"_a, nb::kw_only(),
            "linear"_a = false, "threads"_a = 1,
            "Moves the values of positions (their sums, if `linear`) towards targets. Returns the mean squared error.");
}

}  // namespace flipdrop::binding
