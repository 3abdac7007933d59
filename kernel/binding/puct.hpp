// PUCT searches and self-play of one game, for Python. The network is any Python callable from an array of planes
// (batch x planes x rows x columns, float32) to a pair of arrays: policy logits (batch x moves) and values (batch). The
// interpreter lock is held only while it is called.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/binding/arrays.hpp"
#include "kernel/binding/evaluation.hpp"
#include "kernel/binding/position.hpp"
#include "kernel/binding/report.hpp"
#include "kernel/puct/driver.hpp"
#include "kernel/puct/self_play.hpp"

namespace flipdrop::binding {

/// Copies one array of a network's output; throws if its shape is wrong or a number is not finite.
inline void copy_answer(nb::handle answer, const char* what, std::size_t rows, std::size_t columns,
                        std::vector<float>& to) {
    Input<float> array;
    if (!nb::try_cast(answer, array) || array.size() != rows * columns || array.ndim() < 1 || array.shape(0) != rows)
        throw Error(std::string("the evaluator's ") + what + " should be an array of float32, " + std::to_string(rows) +
                    " x " + std::to_string(columns));
    to.assign(array.data(), array.data() + array.size());
    for (const float number : to)
        if (!std::isfinite(number)) throw Error(std::string("the evaluator's ") + what + " hold nan or infinity");
}

/// A Python callable as an evaluator. It has to live while it is used.
inline puct::Evaluator python_evaluator(nb::handle function, int rows, int columns, int moves) {
    return [=](puct::Batch& batch) {
        const Locked locked;
        const auto size = static_cast<std::size_t>(batch.size);
        const auto planes = as_array(
            std::move(batch.planes),
            {size, std::size_t{puct::kPlanes}, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
        batch.planes = {};
        nb::object answer = call_python(function, planes);
        if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2)
            throw Error("an evaluator answers with a tuple of two arrays: policy logits and values");
        copy_answer(answer[0], "policies", size, static_cast<std::size_t>(moves), batch.policy);
        copy_answer(answer[1], "values", size, 1, batch.values);
    };
}

template <class Position>
search::Report puct_search(const Position& given, const nb::object& evaluator, const puct::Settings& settings,
                           nb::object progress) {
    const Position position = given;
    return std::visit(
        [&]<class Board>(const Board& board) {
            const Unlocked unlocked;
            const puct::Encoding<Board> encoding(board);
            const auto evaluate = python_evaluator(evaluator, encoding.rows(), encoding.columns(), encoding.moves());
            return translated(position, puct::run(board, settings, evaluate, python_observer(position, progress)));
        },
        position.board());
}

/// A search that an evaluation guides.
template <class Position>
search::Report guided_search(nb::pointer_and_handle<Position> self, const AnyEvaluation& evaluation,
                             const puct::Settings& settings, nb::object progress) {
    const Position position = *self.p;
    return std::visit(
        [&]<class Board>(const Board& board) {
            const auto scorer = evaluation_for<Position, Board>(evaluation, self.h);
            const Unlocked unlocked;
            return translated(
                position, puct::run(board, position.to_move(), settings, *scorer, python_observer(position, progress)));
        },
        position.board());
}

/// The tuple that Python gets from self-play: cells, policies, outcomes, values, the game number of each row; plies and
/// evaluations in all.
using SelfPlaySamples = std::tuple<Array<std::uint8_t>, Array<float>, Array<float>, Array<float>, Array<std::int32_t>,
                                   std::int64_t, std::int64_t>;

template <class Position>
SelfPlaySamples self_play(const Position& given, const nb::object& evaluator, const puct::SelfPlaySettings& settings,
                          int games, int slots, int threads, nb::object progress) {
    puct::check(settings);
    if (games < 0 || games > 10'000'000)
        throw Error("games is " + std::to_string(games) + "; it can be 0 to 10 million");
    if (slots < 1 || slots > 100'000) throw Error("slots is " + std::to_string(slots) + "; it can be 1 to 100,000");
    threads = checked_threads(threads);
    const Position position = given;
    if (position.is_over()) throw Error("the game is over: there is nothing to play");
    return std::visit(
        [&]<class Board>(const Board& board) -> SelfPlaySamples {
            const puct::Encoding<Board> encoding(board);
            puct::Samples all;
            {
                const Unlocked unlocked;
                const auto evaluate =
                    python_evaluator(evaluator, encoding.rows(), encoding.columns(), encoding.moves());
                all = puct::self_play(board, settings, games, slots, threads, evaluate,
                                      [&](std::size_t finished, std::size_t groups) {
                                          return watch_from_python(progress, finished, groups);
                                      });
            }
            const std::size_t rows = all.outcomes.size();
            return {as_array(std::move(all.cells), {rows, static_cast<std::size_t>(encoding.rows()),
                                                    static_cast<std::size_t>(encoding.columns())}),
                    as_array(std::move(all.policy), {rows, static_cast<std::size_t>(encoding.moves())}),
                    as_array(std::move(all.outcomes), {rows}),
                    as_array(std::move(all.values), {rows}),
                    as_array(std::move(all.games), {rows}),
                    all.plies,
                    all.evaluations};
        },
        position.board());
}

using Symmetries = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline void check_symmetries(const Symmetries& symmetries, std::size_t rows, int most) {
    if (symmetries.size() != rows)
        throw Error(std::to_string(rows) + " samples and " + std::to_string(symmetries.size()) + " symmetries");
    for (std::size_t i = 0; i < rows; ++i)
        if (symmetries.data()[i] >= most)
            throw Error("symmetry " + std::to_string(symmetries.data()[i]) + "; they are 0 to " +
                        std::to_string(most - 1));
}

/// The planes of samples, each seen through a symmetry.
template <class Position>
Array<float> planes_of(const Position& like,
                       const nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>& cells,
                       const Symmetries& symmetries) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            const puct::Encoding<Board> encoding(board);
            const std::size_t rows = cells.shape(0), height = cells.shape(1), width = cells.shape(2);
            if (height != static_cast<std::size_t>(encoding.rows()) ||
                width != static_cast<std::size_t>(encoding.columns()))
                throw Error("cells of " + std::to_string(height) + " x " + std::to_string(width) + "; this board has " +
                            std::to_string(encoding.rows()) + " x " + std::to_string(encoding.columns()));
            check_symmetries(symmetries, rows, puct::Encoding<Board>::kSymmetries);
            return as_array(puct::planes_of_samples(encoding, {cells.data(), cells.size()}, {symmetries.data(), rows}),
                            {rows, std::size_t{puct::kPlanes}, height, width});
        },
        like.board());
}

/// Policies of samples, each seen through a symmetry.
template <class Position>
Array<float> transformed_policies(const Position& like,
                                  const nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>& policies,
                                  const Symmetries& symmetries) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            const puct::Encoding<Board> encoding(board);
            const std::size_t rows = policies.shape(0), moves = policies.shape(1);
            if (moves != static_cast<std::size_t>(encoding.moves()))
                throw Error("policies of " + std::to_string(moves) + " moves; this board has " +
                            std::to_string(encoding.moves()));
            check_symmetries(symmetries, rows, puct::Encoding<Board>::kSymmetries);
            return as_array(
                puct::transformed_policies(encoding, {policies.data(), policies.size()}, {symmetries.data(), rows}),
                {rows, moves});
        },
        like.board());
}

/// A position as a sample holds it.
template <class Position>
Array<std::uint8_t> cells_of(const Position& position) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            const puct::Encoding<Board> encoding(board);
            std::vector<std::uint8_t> cells(static_cast<std::size_t>(encoding.rows() * encoding.columns()));
            encoding.write_cells(board, cells.data());
            return as_array(std::move(cells),
                            {static_cast<std::size_t>(encoding.rows()), static_cast<std::size_t>(encoding.columns())});
        },
        position.board());
}

template <class Position>
void bind_puct_of(nb::module_& module) {
    module.def("puct_search", &puct_search<Position>, "position"_a, "evaluator"_a, "settings"_a,
               "progress"_a = nb::none(), "`progress` is called with the report so far, about every 50 ms.");
    module.def("guided_search", &guided_search<Position>, "position"_a, "evaluation"_a, "settings"_a,
               "progress"_a = nb::none(), "PUCT with an evaluation instead of a network.");
    module.def(
        "self_play", &self_play<Position>, "start"_a, "evaluator"_a, "settings"_a, nb::kw_only(), "games"_a, "slots"_a,
        "threads"_a = 1, "progress"_a = nb::none(),
        "Games of a network against itself, `slots` at a time on each thread. Rows of cells, policies, outcomes, "
        "values and game numbers; plies and evaluations in all.");
    module.def("sample_planes", &planes_of<Position>, "like"_a, "cells"_a, "symmetries"_a,
               "The input planes of samples of boards like `like`, each through a symmetry.");
    module.def("sample_policies", &transformed_policies<Position>, "like"_a, "policies"_a, "symmetries"_a,
               "Policies for the same boards, each seen through a symmetry.");
    module.def("sample_cells", &cells_of<Position>, "position"_a,
               "A position as samples hold it: 0 empty, 1 the side to move's, 2 its opponent's, 3 forbidden.");
}

}  // namespace flipdrop::binding
