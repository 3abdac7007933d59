// Pattern networks for Python: made, trained without the interpreter lock, read and written as arrays.
#pragma once

#include <nanobind/ndarray.h>

#include <any>
#include <atomic>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kernel/binding/native_player.hpp"
#include "kernel/pattern/training.hpp"

namespace flipdrop::binding {

using Floats = nb::ndarray<nb::numpy, float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using GivenFloats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The class `PatternNetwork` of Python: a network with what its training remembers.
struct TrainedNetwork {
    bool is_othello;
    pattern::Model model;
    pattern::Coherence coherence;
    std::any oracle{};  ///< a shared `pattern::SolverOracle`, once there was supervised training
    std::shared_ptr<std::atomic<bool>> in_training = std::make_shared<std::atomic<bool>>(false);

    /// The right of one call to change the network, which other threads of Python may hold as well.
    class Training {
    public:
        explicit Training(const TrainedNetwork& network) : in_training_(network.in_training) {
            if (in_training_->exchange(true))
                throw Error("the network is being trained; one call at a time can change it");
        }
        Training(const Training&) = delete;
        Training& operator=(const Training&) = delete;
        ~Training() { *in_training_ = false; }

    private:
        std::shared_ptr<std::atomic<bool>> in_training_;
    };

    template <class Board>
    void check_supports(const Board& board) const {
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
                           double unit, bool by_parity) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            using Cell = pattern::Cells<Board>;
            pattern::Model model{.columns = Cell::columns(board),
                                 .rows = Cell::rows(board),
                                 .patterns = std::move(patterns),
                                 .stages = std::move(stages),
                                 .by_parity = by_parity,
                                 .weights = nullptr,
                                 .unit = unit};
            const pattern::Layout<Board> layout(model.patterns, board);
            model.weights = std::make_shared<pattern::Weights>(pattern::Network<Board>::weights_of(layout, model));
            pattern::Network<Board>(model, board);  // checks the stages
            return TrainedNetwork{Cell::kStates == 3, std::move(model), {}};
        },
        like.board());
}

/// Plays games from `start` and learns from each.
template <class Position>
void learn_games(TrainedNetwork& self, nb::pointer_and_handle<Position> start, const pattern::Settings& settings,
                 std::size_t games, std::uint64_t seed, std::uint64_t first, int threads, const NativePlayer* opponent,
                 nb::object progress) {
    threads = checked_threads(threads);
    const Position position = *start.p;
    std::visit(
        [&]<class Board>(const Board& board) {
            self.check_supports(board);
            const TrainedNetwork::Training alone(self);
            const auto other = opponent == nullptr ? nullptr : opponent->template player<Position, Board>(start.h);
            const Unlocked unlocked;
            pattern::Learner<Board> learner(self.model, settings, self.coherence, board);
            pattern::learn_games(
                learner, board, position.to_move(), other.get(), {games, seed, first}, threads,
                [&](std::size_t finished, std::size_t jobs) { return watch_from_python(progress, finished, jobs); });
        },
        position.board());
}

/// Moves the values of positions towards targets. Returns the mean squared error.
template <class Position>
double fit_positions(TrainedNetwork& self, const nb::typed<nb::list, Position>& positions, const GivenFloats& targets,
                     const pattern::Settings& settings, bool linear, int threads) {
    threads = checked_threads(threads);
    if (positions.size() != 0 && !nb::isinstance<Position>(positions[0])) throw nb::next_overload();  // the other game
    if (positions.size() != targets.shape(0))
        throw Error(std::to_string(positions.size()) + " positions and " + std::to_string(targets.shape(0)) +
                    " targets");
    if (positions.size() == 0) return 0;
    for (std::size_t i = 0; i < targets.shape(0); ++i)
        if (!std::isfinite(targets(i))) throw Error("target " + std::to_string(i) + " is not a finite number");
    return std::visit(
        [&]<class Board>(const Board& like) {
            std::vector<Board> boards;
            boards.reserve(positions.size());
            for (nb::handle position : positions) {
                if (!nb::isinstance<Position>(position)) throw nb::next_overload();
                const Board* board = std::get_if<Board>(&nb::cast<const Position&>(position).board());
                if (board == nullptr) throw Error("the positions of one call are on boards of one shape");
                self.check_supports(*board);
                boards.push_back(*board);
            }
            const TrainedNetwork::Training alone(self);
            const Unlocked unlocked;
            pattern::Learner<Board> learner(self.model, settings, self.coherence, like);
            return pattern::fit_boards(learner, boards, std::span(targets.data(), boards.size()), linear, threads,
                                       [](std::size_t) { return watch_from_python(nb::handle(Py_None), 0, 0); });
        },
        nb::cast<const Position&>(positions[0]).board());
}

template <class Position>
void bind_pattern_of(nb::module_& module, nb::class_<TrainedNetwork>& cls) {
    module.def("new_pattern_network", &new_network<Position>, "like"_a, nb::kw_only(), "patterns"_a, "stages"_a,
               "unit"_a = 1.0, "by_parity"_a = false,
               "A pattern network without knowledge, for boards like that of `like`.");
    cls.def("learn", &learn_games<Position>, "start"_a, "settings"_a, nb::kw_only(), "games"_a, "seed"_a, "first"_a = 0,
            "threads"_a = 1, "opponent"_a.none() = nb::none(), "progress"_a = nb::none(),
            "Plays games from `start`, against itself or an opponent, and learns from them.");
    cls.def("fit", &fit_positions<Position>, "positions"_a, "targets"_a, "settings"_a, nb::kw_only(),
            "linear"_a = false, "threads"_a = 1,
            "Moves the values of positions (their sums, if `linear`) towards targets. Returns the mean squared error.");
}

}  // namespace flipdrop::binding
