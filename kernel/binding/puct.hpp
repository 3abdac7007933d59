// Guided searches and self-play of one game, for Python. The network is any Python callable from an array of planes
// (batch x planes x rows x columns, float32) to a pair of arrays: policy logits (batch x moves) and values (batch). The
// interpreter lock is held only while it is called.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/binding/position.hpp"
#include "kernel/binding/search.hpp"
#include "kernel/puct/search.hpp"
#include "kernel/puct/self_play.hpp"

namespace flipdrop::binding {

template <class Number>
using Array = nb::ndarray<nb::numpy, Number, nb::c_contig>;
template <class Number>
using Input = nb::ndarray<const Number, nb::c_contig, nb::device::cpu>;

/// Indices as a NumPy array that owns them.
template <class Number>
Array<Number> as_array(std::vector<Number> numbers, std::initializer_list<std::size_t> shape) {
    auto kept = std::make_unique<std::vector<Number>>(std::move(numbers));
    nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return Array<Number>(kept.release()->data(), shape, owner);
}

/// Throws unless a network's answer has the shape that it should; copies it and checks that it is finite.
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
        const nb::gil_scoped_acquire locked;
        const auto size = static_cast<std::size_t>(batch.size);
        const auto planes = as_array(
            std::move(batch.planes),
            {size, std::size_t{puct::kPlanes}, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
        batch.planes = {};
        nb::object answer = function(planes);
        if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2)
            throw Error("an evaluator answers with a tuple of two arrays: policy logits and values");
        copy_answer(answer[0], "policies", size, static_cast<std::size_t>(moves), batch.policy);
        copy_answer(answer[1], "values", size, 1, batch.values);
    };
}

inline void check(const puct::Settings& settings) {
    if (settings.simulations == 0 && settings.seconds <= 0) throw Error("no budget: give simulations or seconds");
    if (settings.batch < 1) throw Error("batch is " + std::to_string(settings.batch) + "; at least 1 is needed");
    if (!(settings.alpha > 0)) throw Error("alpha is " + std::to_string(settings.alpha) + "; it has to be above 0");
}

template <class Position>
search::Report puct_search(const Position& given, const nb::object& evaluator, const puct::Settings& settings,
                           nb::object progress) {
    check(settings);
    const Position position = given;
    return std::visit(
        [&]<class Board>(const Board& board) {
            const nb::gil_scoped_release unlocked;
            const puct::Encoding<Board> encoding(board);
            const auto evaluate = python_evaluator(evaluator, encoding.rows(), encoding.columns(), encoding.moves());
            const search::Observer observer = python_observer(position, progress);
            using Clock = std::chrono::steady_clock;
            const auto began = Clock::now();
            auto watched = began;
            const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
            puct::Search<Board> search(board, settings);
            // Without a number of simulations the tree could grow for ever; so many nodes are some 600 MB.
            search.begin(settings.simulations == 0 ? 3'000'000 : settings.simulations, settings.noise);
            puct::Batch batch;
            while (search.gather(settings.batch, batch) > 0) {
                evaluate(batch);
                search.take(batch);
                batch.clear();
                if (settings.seconds > 0 && seconds() >= settings.seconds) search.stop();
                if (Clock::now() - watched < kWatchInterval) continue;
                watched = Clock::now();
                observer.watch();
                if (observer.progress) observer.progress(search.report(seconds()));
            }
            return translated(position, search.report(seconds()));
        },
        position.board());
}

/// What self-play has brought, as Python sees it: cells, policies, outcomes, values, the number of each row's game,
/// plies and evaluations.
using SelfPlaySamples = std::tuple<Array<std::uint8_t>, Array<float>, Array<float>, Array<float>, Array<std::int32_t>,
                                   std::int64_t, std::int64_t>;

/// Games of a network against itself, in groups that do not depend on the number of threads.
template <class Position>
SelfPlaySamples self_play(const Position& given, const nb::object& evaluator, const puct::SelfPlaySettings& settings,
                          int games, int slots, int threads, nb::object progress) {
    check(settings.search);
    if (settings.cheap_simulations < 1 && settings.full_search_probability < 1)
        throw Error("cheap_simulations is 0; a fast search has at least 1 simulation");
    if (settings.random_plies < 0 || settings.temperature_plies < 0)
        throw Error("a number of plies cannot be negative");
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
                const nb::gil_scoped_release unlocked;
                const auto evaluate =
                    python_evaluator(evaluator, encoding.rows(), encoding.columns(), encoding.moves());
                std::vector<puct::Samples> groups(static_cast<std::size_t>((games + slots - 1) / slots));
                std::mutex mutex;
                std::exception_ptr failure;
                parallel_for(
                    groups.size(), threads,
                    [&](std::size_t i, const StopFlag& stop) {
                        try {
                            const int first = static_cast<int>(i) * slots;
                            groups[i] = puct::play_group(board, settings, first, std::min(slots, games - first), slots,
                                                         evaluate, stop);
                        } catch (...) {
                            const std::lock_guard lock(mutex);
                            if (!failure) failure = std::current_exception();
                        }
                    },
                    [&](std::size_t finished) {
                        {
                            const std::lock_guard lock(mutex);
                            if (failure) return false;
                        }
                        return watch_from_python(progress, finished, groups.size());
                    });
                if (failure) std::rethrow_exception(failure);
                for (const puct::Samples& group : groups) all.append(group);
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
            std::vector<float> planes(rows * puct::kPlanes * height * width);
            for (std::size_t i = 0; i < rows; ++i)
                encoding.write_planes(encoding.read_cells(cells.data() + i * height * width), symmetries.data()[i],
                                      planes.data() + i * puct::kPlanes * height * width);
            return as_array(std::move(planes), {rows, std::size_t{puct::kPlanes}, height, width});
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
            std::vector<float> turned(rows * moves);
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t move = 0; move < moves; ++move) {
                    const int to = encoding.transformed_number(static_cast<int>(move), symmetries.data()[i]);
                    turned[i * moves + static_cast<std::size_t>(to)] = policies.data()[i * moves + move];
                }
            return as_array(std::move(turned), {rows, moves});
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
               "progress"_a = nb::none(), "`progress` is called with what is known so far, about every 50 ms.");
    module.def(
        "self_play", &self_play<Position>, "start"_a, "evaluator"_a, "settings"_a, nb::kw_only(), "games"_a, "slots"_a,
        "threads"_a = 1, "progress"_a = nb::none(),
        "Games of a network against itself, `slots` at a time on each thread. Rows of cells, policies, outcomes, "
        "values and game numbers; plies and evaluations in all.");
    module.def("sample_planes", &planes_of<Position>, "like"_a, "cells"_a, "symmetries"_a,
               "What a network sees of samples of boards like `like`, each through a symmetry.");
    module.def("sample_policies", &transformed_policies<Position>, "like"_a, "policies"_a, "symmetries"_a,
               "Policies for the same boards, each seen through a symmetry.");
    module.def("sample_cells", &cells_of<Position>, "position"_a,
               "A position as samples hold it: 0 empty, 1 the side to move's, 2 its opponent's, 3 forbidden.");
}

}  // namespace flipdrop::binding
