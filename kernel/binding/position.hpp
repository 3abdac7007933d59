// What the Python classes of both games have in common, bound once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <tuple>
#include <utility>

#include "kernel/binding/interpreter.hpp"
#include "kernel/binding/numbers.hpp"
#include "kernel/errors.hpp"
#include "kernel/perft.hpp"
#include "kernel/playout.hpp"
#include "kernel/search/settings.hpp"
#include "kernel/side.hpp"

namespace flipdrop::binding {

using namespace nb::literals;

/// A new Python object of the class of `like`, so that methods of a Python subclass return objects of that subclass.
template <class Position>
nb::object same_class(nb::handle like, Position&& position) {
    using Value = std::decay_t<Position>;
    nb::object made = nb::inst_alloc(like.type());
    new (nb::inst_ptr<Value>(made)) Value(std::forward<Position>(position));
    nb::inst_mark_ready(made);
    return made;
}

/// Text for the kernel. Surrogates, which UTF-8 cannot represent, become escape sequences.
inline std::string text_of(const nb::str& text) {
    const auto bytes = nb::steal<nb::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
    if (!bytes.is_valid()) nb::raise_python_error();
    return {bytes.c_str(), bytes.size()};
}

template <class Position>
nb::tuple legal_moves(const Position& position) {
    int moves[64];
    Py_ssize_t size = 0;
    position.for_each_move([&](int move) { moves[size++] = move; });
    nb::tuple made = nb::steal<nb::tuple>(PyTuple_New(size));
    if (!made.is_valid()) nb::raise_python_error();
    for (Py_ssize_t i = 0; i < size; ++i) PyTuple_SET_ITEM(made.ptr(), i, PyLong_FromLong(moves[i]));
    return made;
}

/// The key of the watch function of call_interruptible in the dictionary that Python keeps for each thread.
inline constexpr const char* kWatchKey = "flipdrop.kernel.watch";

/// Calls `work()` and returns its result. While the kernel works for this thread, `watch()` is called about every 50
/// ms, and an exception that it raises ends that work: Python delivers Ctrl-C to the main thread only, which can pass
/// it on to other threads in this way.
inline nb::object call_interruptible(const nb::callable& work, const nb::callable& watch) {
    class Installed {
    public:
        explicit Installed(nb::handle watch)
            : state_(nb::borrow(PyThreadState_GetDict())),
              before_(nb::borrow(PyDict_GetItemString(state_.ptr(), kWatchKey))) {
            set(watch);
        }
        Installed(const Installed&) = delete;
        Installed& operator=(const Installed&) = delete;
        ~Installed() { set(before_); }

    private:
        void set(nb::handle watch) {
            PyObject* const value = watch.is_valid() ? watch.ptr() : Py_None;
            if (PyDict_SetItemString(state_.ptr(), kWatchKey, value) != 0) PyErr_Clear();
        }
        nb::object state_, before_;
    };
    const Installed installed(watch);
    return work();
}

/// For a calling thread that has released the interpreter lock, between two slices of work: lets Python handle Ctrl-C,
/// and calls the thread's watch function and `progress(finished, jobs)`. Throws what Python raised.
inline bool watch_from_python(nb::handle progress, std::size_t finished, std::size_t jobs) {
    const Locked locked;
    LongCalls::all().check();
    {
        const SuspendedAtExit suspended;
        if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    }
    const nb::object watch = nb::borrow(PyDict_GetItemString(PyThreadState_GetDict(), kWatchKey));
    if (watch.is_valid() && !watch.is_none()) call_python(watch);
    if (!progress.is_none()) call_python(progress, finished, jobs);
    return true;
}

[[nodiscard]] inline int checked_threads(int threads) {
    check_range("threads", threads, 1, search::kMaxThreads);
    return threads;
}

template <class Position>
std::uint64_t count_leaves(const Position& position, int depth, int threads, nb::object progress) {
    if (depth < 0) throw Error("depth is " + std::to_string(depth) + "; perft counts from depth 0");
    threads = checked_threads(threads);
    const auto board = position.board();
    const Unlocked unlocked;
    std::uint64_t leaves = 0;
    std::visit(
        [&](const auto& start) {
            perft(
                start, depth, threads,
                [&](std::size_t finished, std::size_t jobs) { return watch_from_python(progress, finished, jobs); },
                leaves);
        },
        board);
    return leaves;
}

template <class Position>
std::tuple<std::int64_t, std::int64_t, std::int64_t> random_games(const Position& position, std::int64_t games,
                                                                  std::uint64_t seed, int threads) {
    constexpr std::int64_t kMax = 1'000'000'000;
    if (games < 0 || games > kMax) throw Error("games is " + std::to_string(games) + "; it can be 0 to a billion");
    threads = checked_threads(threads);
    const auto board = position.board();
    const Unlocked unlocked;
    return std::visit(
        [&](const auto& start) {
            const auto tally = playouts(start, games, seed, threads, [](std::size_t finished, std::size_t jobs) {
                return watch_from_python(nb::handle(Py_None), finished, jobs);
            });
            return std::tuple{tally.wins, tally.draws, tally.losses};
        },
        board);
}

/// Binds everything that does not depend on the game.
template <class Position>
void bind_position(nb::class_<Position>& cls) {
    cls.def_prop_ro("to_move", &Position::to_move, "The side whose turn it is.")
        .def_prop_ro("ply", &Position::ply, "Discs placed since the start.")
        .def_prop_ro("discs", &Position::discs, "Discs of the first and of the second side.")
        .def_prop_ro("cells", &Position::cells,
                     "The board in reading order: 'X' and 'O' for the first and second side's discs, '-' for empty, "
                     "'#' for forbidden.")
        .def_prop_ro("move_space", &Position::move_space, "Moves are numbers from 0 to one less than this.")
        .def_prop_ro("legal_moves", &legal_moves<Position>, nb::sig("def legal_moves(self) -> tuple[int, ...]"),
                     "The moves of the side to move, ascending; empty exactly when the game is over.")
        .def_prop_ro("is_over", &Position::is_over, "Whether the game has ended.")
        .def_prop_ro("result", &Position::result,
                     "1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on.")
        .def(
            "play",
            [](nb::pointer_and_handle<Position> self, MoveNumber move) {
                return same_class(self.h, self.p->played(move.checked()));
            },
            "move"_a, nb::sig("def play(self, move: int) -> typing.Self"),
            "The position after a legal move, given by number or by name.")
        .def(
            "play",
            [](nb::pointer_and_handle<Position> self, const nb::str& name) {
                return same_class(self.h, self.p->played(self.p->parsed_move(text_of(name))));
            },
            "move"_a, nb::sig("def play(self, move: str) -> typing.Self"))
        .def(
            "move_name", [](const Position& self, MoveNumber move) { return self.move_name(move.checked()); }, "move"_a,
            "The move in notation.")
        .def(
            "parse_move", [](const Position& self, const nb::str& name) { return self.parsed_move(text_of(name)); },
            "name"_a, "The number of the move written as `name`; it need not be legal.")
        .def_prop_ro_static(
            "symmetries", [](nb::handle) { return Position::symmetries(); },
            "Symmetries are numbers from 0 (leave everything in place) to one less than this.")
        .def(
            "transformed",
            [](nb::pointer_and_handle<Position> self, int symmetry) {
                return same_class(self.h, self.p->transformed(symmetry));
            },
            "symmetry"_a, nb::sig("def transformed(self, symmetry: int) -> typing.Self"),
            "The position seen through one of the board's symmetries.")
        .def(
            "transformed_move",
            [](const Position& self, MoveNumber move, int symmetry) {
                return self.transformed_move(move.checked(), symmetry);
            },
            "move"_a, "symmetry"_a, "Where a move goes under a symmetry.")
        .def("perft", &count_leaves<Position>, "depth"_a, nb::kw_only(), "threads"_a = 1, "progress"_a = nb::none(),
             nb::sig("def perft(self, depth: int, *, threads: int = 1, "
                     "progress: collections.abc.Callable[[int, int], object] | None = None) -> int"),
             "The number of move sequences of `depth` plies. `progress(finished, parts)` is called about 20 times a "
             "second.")
        .def("playouts", &random_games<Position>, "games"_a, nb::kw_only(), "seed"_a, "threads"_a = 1,
             "Wins, draws and losses of the side to move in `games` games of random moves; the same for any number of "
             "threads.")
        .def(
            "__eq__",
            [](const Position& self, nb::handle other) -> nb::object {
                if (!nb::isinstance<Position>(other) || !nb::inst_ready(other)) return nb::borrow(Py_NotImplemented);
                return nb::bool_(self == *nb::inst_ptr<Position>(other));
            },
            "other"_a.none(), nb::sig("def __eq__(self, other: object) -> bool"))
        .def("__hash__", &Position::hash);
}

}  // namespace flipdrop::binding
