// Positions as NumPy arrays: the methods of both games' classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "kernel/batch/layout.hpp"
#include "kernel/binding/arrays.hpp"
#include "kernel/binding/position.hpp"
#include "kernel/errors.hpp"

namespace flipdrop::binding {

inline batch::Byte* bytes(const Array<bool>& array) {
    return reinterpret_cast<batch::Byte*>(array.data());
}
inline batch::Byte* bytes(const Array<std::int8_t>& array) {
    return reinterpret_cast<batch::Byte*>(array.data());
}

inline int checked_planes(int planes) {
    if (planes != 2 && planes != 4) throw Error("planes is " + std::to_string(planes) + "; it can be 2 or 4");
    return planes;
}

template <class Position>
Array<std::int8_t> planes_of_position(const Position& position, int planes) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            const batch::Layout<Board> layout(board);
            auto array = new_array<std::int8_t>({static_cast<std::size_t>(checked_planes(planes)),
                                                 static_cast<std::size_t>(layout.rows()),
                                                 static_cast<std::size_t>(layout.columns())});
            batch::write_planes(layout, board, planes, bytes(array));
            return array;
        },
        position.board());
}

template <class Position>
Array<bool> legal_mask(const Position& position) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            const batch::Layout<Board> layout(board);
            auto array = new_array<bool>({static_cast<std::size_t>(layout.moves())});
            layout.write_mask(board.moves(), bytes(array));
            return array;
        },
        position.board());
}

template <class Position>
void bind_position_arrays(nb::class_<Position>& cls) {
    cls.def_prop_ro("legal_mask", &legal_mask<Position>, nb::rv_policy::move,
                    "The legal moves as an array of `move_space` booleans; all false when the game is over.")
        .def("to_numpy", &planes_of_position<Position>, nb::kw_only(), "planes"_a = 2,
             "The board as planes of zeros and ones, `planes` x rows x columns, rows from the top: discs of the side "
             "to move, discs of its opponent (a forbidden cell is set in both); with 4 planes also the cells where the "
             "side to move, and where its opponent, could play (Othello) or would complete four (Connect Four).");
}

}  // namespace flipdrop::binding
