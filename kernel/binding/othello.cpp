#include "kernel/othello/position.hpp"

#include "kernel/binding/position.hpp"
#include "kernel/binding/position_arrays.hpp"

namespace flipdrop::binding {

void bind_othello(nb::module_& module) {
    using othello::Position;
    nb::class_<Position> cls(module, "OthelloPosition", "An Othello position: an immutable value.");
    cls.def(nb::init<int, std::string_view, Side>(), "size"_a, "cells"_a, "to_move"_a)
        .def_prop_ro("size", &Position::size, "Rows and columns of the board.")
        .def_prop_ro("margin", &Position::margin,
                     "The first side's discs minus the second's; once the game is over, the winner gets the empty "
                     "squares.")
        .def(
            "flipped_by", [](const Position& self, MoveNumber move) { return self.flipped_by(move.checked()); },
            "move"_a, "The squares whose discs turn when a legal move is played.");
    bind_position(cls);
    bind_position_arrays(cls);
}

}  // namespace flipdrop::binding
