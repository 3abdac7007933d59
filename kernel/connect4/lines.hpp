// Lines of four on a board of any shape: the rules and the solver ask the same questions about sets of cells. See
// shape.hpp for the numbering of the bits.
//
// Each formula is written once, for one direction: `step` is the distance of two neighbours in it. Where the CPU has
// vectors, the four directions are computed side by side (directions.hpp), else one after the other, so `set` and
// `step` may be words or vectors of words.
#pragma once

#include <array>

#include "kernel/bits.hpp"
#include "kernel/connect4/directions.hpp"
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

/// The cells of `left` that lie on a line of two of `set` and two such cells.
inline constexpr auto kHalfLines = [](auto set, auto left, auto step) {
    const auto d1 = set >> step, d2 = d1 >> step, d3 = d2 >> step;
    const auto e1 = left >> step, e2 = e1 >> step, e3 = e2 >> step;
    const auto a = set & d1 & e2 & e3, b = set & e1 & d2 & e3, c = set & e1 & e2 & d3;
    const auto d = left & d1 & d2 & e3, e = left & d1 & e2 & d3, f = left & e1 & d2 & d3;
    const auto third = (a | c | e) | (a | b | d) << step;
    const auto second = (b | c | f) | third << step;
    return (d | e | f) | second << step;
};

/// The distances of neighbours: upright, and in the three other directions.
template <class Shape>
constexpr std::array<int, 4> steps(const Shape& shape) {
    return {1, shape.rows(), shape.rows() + 1, shape.rows() + 2};
}

/// The union over the four directions of a formula applied to sets of cells.
template <class Shape, class Formula, class... Words>
[[gnu::always_inline]] constexpr typename Shape::Word over_directions(const Shape& shape, Formula&& formula,
                                                                      const Words&... sets) {
#if defined(__AVX2__)
    if (!std::is_constant_evaluated())
        return joined<typename Shape::Word>(formula(spread(sets)..., vector_steps(shape)));
#endif
    typename Shape::Word found{0};
    for (const int step : steps(shape)) found |= formula(sets..., step);
    return found;
}

/// Calls `visit(formula's sets and step)` for each direction, or once for all of them where the CPU has vectors.
template <class Shape, class Visit, class... Words>
void for_directions(const Shape& shape, Visit&& visit, const Words&... sets) {
#if defined(__AVX2__)
    visit(spread(sets)..., vector_steps(shape));
#else
    for (const int step : steps(shape)) visit(sets..., step);
#endif
}

/// Whether a formula finds anything in some direction.
template <class Shape, class Formula, class... Words>
bool in_some_direction(const Shape& shape, Formula&& formula, const Words&... sets) {
#if defined(__AVX2__)
    return any(formula(spread(sets)..., vector_steps(shape)));
#else
    return static_cast<bool>(over_directions(shape, formula, sets...));
#endif
}

/// The cells in which the next disc of each column lands.
template <class Shape>
[[gnu::always_inline]] constexpr typename Shape::Word landing_cells(const Shape& shape, typename Shape::Word occupied) {
    return (occupied + shape.bottom()) & ~occupied & shape.cells();
}

/// The cells from which the next disc of the column lands in one of `cells`: the cell below it, or below the forbidden
/// cell that is there.
template <class Shape>
[[gnu::always_inline]] constexpr typename Shape::Word cells_below(const Shape& shape, typename Shape::Word cells) {
    return cells >> 1 | (cells >> 2 & shape.forbidden() >> 1);
}

/// In each column the lowest of `cells` and everything above it.
template <class Shape>
[[gnu::always_inline]] constexpr typename Shape::Word cells_from(const Shape& shape, typename Shape::Word cells) {
    using Word = typename Shape::Word;
    const Word marked = cells | shape.bottom() << shape.rows();
    const Word lowered = marked + ~shape.bottom() + Word{1};  // borrows run up to the lowest mark and no further
    return shape.cells() & ~(lowered & ~marked);
}

/// Every second playable cell of each column, counted from its top: those that a side gets which answers every disc in
/// the same column ("follow-up").
template <class Shape>
constexpr typename Shape::Word follower_cells(const Shape& shape) {
    using Word = typename Shape::Word;
    Word cells{0};
    for (int row = shape.rows() - 1; row >= 0; row -= 2) cells |= shape.bottom() << row;
    if (const int index = shape.forbidden_index(); index != kNoCell) {
        const int row = index % (shape.rows() + 1);
        cells ^= Word{(Bits{1} << row) - 1} << (index - row);  // below the forbidden cell the pairs are one cell lower
        cells = cells & ~shape.forbidden();
    }
    return cells;
}

}  // namespace flipdrop::connect4
