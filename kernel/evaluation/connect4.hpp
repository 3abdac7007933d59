// Features of the line-count evaluation of Connect Four.
#pragma once

#include <array>
#include <string_view>

#include "kernel/bits.hpp"
#include "kernel/connect4/board.hpp"

namespace flipdrop::connect4 {

/// How many lines within `room` hold exactly one, two, three of `discs`: for all lines of a direction at once, by
/// adding up their four cells in each bit position, first in pairs.
template <class Shape>
std::array<int, 3> open_lines(const Shape& shape, typename Shape::Word discs, typename Shape::Word room) {
    std::array<int, 3> lines{};
    for_directions(
        shape,
        [&](const auto& set, const auto& within, const auto& step) {
            const auto pair_room = within & within >> step;
            const auto open = pair_room & pair_room >> (step + step);
            const auto one = set ^ set >> step, two = set & set >> step;  // of a line's first two cells
            const auto more_one = one >> (step + step), more_two = two >> (step + step);
            const auto odd = one ^ more_one, any_two = two | more_two;
            lines[0] += count_lanes(open & odd & ~any_two);
            lines[1] += count_lanes(open & ((one & more_one) | ((two ^ more_two) & ~odd)));
            lines[2] += count_lanes(open & odd & any_two);
        },
        discs, room);
    return lines;
}

/// Lines of four cells that only one side can still complete, by how many of its discs they hold; and the empty cells
/// that would complete one (threats), whether or not a disc can land there now. Own minus opponent's.
template <class Shape>
struct LineFeatures {
    using Word = typename Shape::Word;
    static constexpr std::array<std::string_view, 4> names = {"lines_of_1", "lines_of_2", "lines_of_3", "threats"};

    std::array<double, 4> measure(const Board<Shape>& board) const {
        const Word cells = board.shape.cells() & ~board.shape.forbidden();
        const Word own = board.own, other = board.other();
        const auto mine = open_lines(board.shape, own, cells & ~other);
        const auto theirs = open_lines(board.shape, other, cells & ~own);
        const Word empty = cells & ~board.occupied;
        const int threats = count(Word(board.completing(own) & empty)) - count(Word(board.completing(other) & empty));
        return {static_cast<double>(mine[0] - theirs[0]), static_cast<double>(mine[1] - theirs[1]),
                static_cast<double>(mine[2] - theirs[2]), static_cast<double>(threats)};
    }
};

}  // namespace flipdrop::connect4
