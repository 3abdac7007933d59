// Lines of four on a board of any shape: the rules and the solver ask the same questions about sets of cells. See
// shape.hpp for the numbering of the bits.
//
// Each formula is written once, for one direction: `step` is the distance of two neighbours in it. The rules apply a
// formula to one direction after the other; the solver puts the four directions into one vector (geometry.hpp), so
// `set` and `step` may be words or vectors of words.
#pragma once

#include <array>

#include "kernel/bits.hpp"
#include "kernel/connect4/shape.hpp"

namespace flipdrop::connect4 {

/// Of each line of four within `set`, its first cell.
inline constexpr auto kStartsOfFour = [](auto set, auto step) {
    const auto pairs = set & set >> step;
    return pairs & pairs >> (step + step);
};

/// All cells of lines of four within `set`.
inline constexpr auto kCellsOfFour = [](auto set, auto step) {
    const auto starts = kStartsOfFour(set, step);
    const auto halves = starts | starts << step;
    return halves | halves << (step + step);
};

/// The cells that complete a line of four together with three of `set`; some may be in `set`, or off the board.
inline constexpr auto kCompletingFour = [](auto set, auto step) {
    const auto left = set << step, right = set >> step;
    const auto left_pair = left & (left << step), right_pair = right & (right >> step);
    return (left_pair & (right | left << step << step)) | (right_pair & (left | right >> step >> step));
};

/// The distances of neighbours: upright, and in the three other directions.
template <class Shape>
constexpr std::array<int, 4> steps(const Shape& shape) {
    return {1, shape.rows(), shape.rows() + 1, shape.rows() + 2};
}

/// A formula applied to all four directions.
template <class Shape, class Formula>
constexpr typename Shape::Word over_directions(const Shape& shape, typename Shape::Word cells, Formula&& formula) {
    typename Shape::Word found{0};
    for (const int step : steps(shape)) found |= formula(cells, step);
    return found;
}

/// The cells in which the next disc of each column lands.
template <class Shape>
constexpr typename Shape::Word landing_cells(const Shape& shape, typename Shape::Word occupied) {
    return (occupied + shape.bottom()) & ~occupied & shape.cells();
}

/// The cells from which the next disc of the column lands in one of `cells`: the cell below it, or below the forbidden
/// cell that is there.
template <class Shape>
constexpr typename Shape::Word cells_below(const Shape& shape, typename Shape::Word cells) {
    return cells >> 1 | (cells >> 2 & shape.forbidden() >> 1);
}

}  // namespace flipdrop::connect4
