// Search reports for Python: moves in the numbering of positions, and progress callbacks.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "kernel/binding/position.hpp"
#include "kernel/mcts/tree.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::binding {

/// The class `NodeView` of Python: one node of an MCTS tree.
struct NodeView {
    mcts::Index index;
    int move;
    std::uint32_t visits;
    double mean;  ///< for the side that made the move
    mcts::Proof proof;
};

/// Replaces the kernel's move numbers by those of Python.
template <class Position>
search::Report translated(const Position& position, search::Report report) {
    report.best = position.outer_move(report.best);
    for (int& move : report.line) move = position.outer_move(move);
    for (auto& entry : report.moves) entry.move = position.outer_move(entry.move);
    return report;
}

/// Lets Python handle Ctrl-C, and calls `progress`, if it is not None, with the report so far.
template <class Position>
search::Observer python_observer(const Position& position, nb::handle progress) {
    search::Observer observer{[] { watch_from_python(nb::handle(Py_None), 0, 0); }};
    if (!progress.is_none())
        observer.progress = [&position, progress](const search::Report& report) {
            const Locked locked;
            call_python(progress, translated(position, report));
        };
    return observer;
}

}  // namespace flipdrop::binding
