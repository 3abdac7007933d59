// The shape of a Connect Four board: its columns and rows, and the cell that is forbidden, if any.
//
// A cell is a bit, counted up the columns from the bottom left; each column has one spare bit on top, which stays
// empty so that no line of four runs from one column's top into the next one's bottom. On 7x6:
//
//     .  .  .  .  .  .  .      row 7, spare
//     5 12 19 26 33 40 47      row 6
//     4 11 18 25 32 39 46
//     3 10 17 24 31 38 45      up is bit + 1, right + (rows + 1),
//     2  9 16 23 30 37 44      the diagonals + rows and + (rows + 2)
//     1  8 15 22 29 36 43
//     0  7 14 21 28 35 42      row 1
//     a  b  c  d  e  f  g
//
// The forbidden cell counts as occupied, but belongs to neither side. A column grows by adding one at its bottom, and
// the carry runs through occupied cells: a disc dropped onto the forbidden cell lands above it without a special case.
#pragma once

#include "kernel/bits.hpp"

namespace flipdrop::connect4 {

inline constexpr int kMinSide = 4;
inline constexpr int kMaxSide = 12;
inline constexpr int kNoCell = -1;

template <class Word>
constexpr Word bottom_row(int columns, int rows) {
    Word bits{0};
    for (int column = 0; column < columns; ++column) bits |= bit<Word>(column * (rows + 1));
    return bits;
}

template <class Word>
constexpr Word all_cells(int columns, int rows) {
    Word bits{0};
    for (int row = 0; row < rows; ++row) bits |= bottom_row<Word>(columns, rows) << row;
    return bits;
}

/// The highest cell of each column in which a disc can land.
template <class Word>
constexpr Word highest_cells(int columns, int rows, int forbidden) {
    Word bits = bottom_row<Word>(columns, rows) << (rows - 1);
    if (forbidden != kNoCell && forbidden % (rows + 1) == rows - 1)
        bits ^= bit<Word>(forbidden) | bit<Word>(forbidden - 1);
    return bits;
}

/// A shape known to the compiler, without a forbidden cell: takes no space, and every shift is a constant.
template <int Columns, int Rows>
struct FixedShape {
    using Word = Bits;
    static_assert(Columns * (Rows + 1) <= 64);
    static constexpr int columns() { return Columns; }
    static constexpr int rows() { return Rows; }
    static constexpr int forbidden_index() { return kNoCell; }
    static constexpr Word forbidden() { return 0; }
    static constexpr Word bottom() { return bottom_row<Word>(Columns, Rows); }
    static constexpr Word cells() { return all_cells<Word>(Columns, Rows); }
    static constexpr Word tops() { return highest_cells<Word>(Columns, Rows, kNoCell); }
    friend constexpr bool operator==(FixedShape, FixedShape) = default;
};

/// Any shape whose columns, with their spare bits, fit `Word`. `forbidden` is a bit index or kNoCell.
template <class Word_>
class AnyShape {
public:
    using Word = Word_;
    constexpr AnyShape(int columns, int rows, int forbidden)
        : bottom_(bottom_row<Word>(columns, rows)),
          cells_(all_cells<Word>(columns, rows)),
          tops_(highest_cells<Word>(columns, rows, forbidden)),
          forbidden_(forbidden == kNoCell ? Word{0} : bit<Word>(forbidden)),
          columns_(columns),
          rows_(rows),
          forbidden_index_(forbidden) {}

    constexpr int columns() const { return columns_; }
    constexpr int rows() const { return rows_; }
    constexpr int forbidden_index() const { return forbidden_index_; }
    constexpr Word forbidden() const { return forbidden_; }
    constexpr Word bottom() const { return bottom_; }
    constexpr Word cells() const { return cells_; }
    constexpr Word tops() const { return tops_; }
    friend constexpr bool operator==(const AnyShape& a, const AnyShape& b) {
        return a.columns_ == b.columns_ && a.rows_ == b.rows_ && a.forbidden_index_ == b.forbidden_index_;
    }

private:
    Word bottom_, cells_, tops_, forbidden_;
    int columns_, rows_, forbidden_index_;
};

}  // namespace flipdrop::connect4
