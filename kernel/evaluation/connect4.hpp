// What the line-count evaluation measures on a Connect Four board.
#pragma once

#include <array>
#include <string_view>

#include "kernel/bits.hpp"
#include "kernel/connect4/board.hpp"

namespace flipdrop::connect4 {

/// Lines of four cells that only one side can still complete, by how many of its discs they hold; and the cells that
/// would complete one at once (threats), wherever they are. Own minus opponent's.
template <class Shape>
struct LineFeatures {
    static constexpr std::array<std::string_view, 4> names = {"lines_of_1", "lines_of_2", "lines_of_3", "threats"};

    std::array<double, 4> measure(const Board<Shape>& board) const {
        using Word = typename Shape::Word;
        const Word cells = board.shape.cells() & ~board.shape.forbidden();
        const Word own = board.own, other = board.other();
        const auto mine = open_lines(board, own, cells & ~other);
        const auto theirs = open_lines(board, other, cells & ~own);
        const Word empty = cells & ~board.occupied;
        const int threats = count(Word(board.completing(own) & empty)) - count(Word(board.completing(other) & empty));
        return {static_cast<double>(mine[0] - theirs[0]), static_cast<double>(mine[1] - theirs[1]),
                static_cast<double>(mine[2] - theirs[2]), static_cast<double>(threats)};
    }

private:
    using Word = typename Shape::Word;

    /// How many lines within `room` hold exactly one, two, three of `discs`: for all lines of a direction at once, by
    /// adding up four one-bit numbers in each bit position.
    static std::array<int, 3> open_lines(const Board<Shape>& board, Word discs, Word room) {
        std::array<int, 3> lines{};
        const int rows = board.shape.rows();
        for (int step : {1, rows, rows + 1, rows + 2}) {
            const Word open = room & room >> step & room >> (2 * step) & room >> (3 * step);
            const Word b = discs >> step, c = discs >> (2 * step), d = discs >> (3 * step);
            const Word low = discs ^ b, low_carry = discs & b;
            const Word high = c ^ d, high_carry = c & d;
            const Word odd = low ^ high;
            const Word one_carry = low & high;
            lines[0] += count(Word(open & odd & ~(low_carry | high_carry)));
            lines[1] += count(Word(open & ~odd & (one_carry ^ low_carry ^ high_carry)));
            lines[2] += count(Word(open & odd & (low_carry | high_carry)));
        }
        return lines;
    }
};

}  // namespace flipdrop::connect4
