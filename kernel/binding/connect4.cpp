#include "kernel/connect4/position.hpp"

#include "kernel/binding/position.hpp"
#include "kernel/binding/position_arrays.hpp"

namespace flipdrop::binding {

void bind_connect4(nb::module_& module) {
    using connect4::Position;
    nb::class_<Position> cls(module, "ConnectFourPosition", "A Connect Four position: an immutable value.");
    cls.def(nb::init<int, int, std::string_view, Side>(), "columns"_a, "rows"_a, "cells"_a, "to_move"_a)
        .def_prop_ro("columns", &Position::columns, "Columns of the board.")
        .def_prop_ro("rows", &Position::rows, "Rows of the board.")
        .def_prop_ro("forbidden", &Position::forbidden, "The forbidden cell in reading order, or None.")
        .def_prop_ro("winning_cells", &Position::winning_cells,
                     "The cells of the winner's lines of four, in reading order; empty if neither side has won.")
        .def(
            "landing_cell", [](const Position& self, MoveNumber move) { return self.landing_cell(move.checked()); },
            "move"_a, "The cell, in reading order, in which the disc of a legal move comes to rest.");
    bind_position(cls);
    bind_position_arrays(cls);
}

}  // namespace flipdrop::binding
