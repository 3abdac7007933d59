// A weight for every square of an Othello board.
//
// Tables come in two forms: all Size x Size squares row by row, or the 16 squares of the top left quarter of 8x8, which
// the two mirrors spread over the board. Only the quarter fits every size. 6x6 leaves out its third line; 4x4 has just
// corners, rim and centre:
//
//    8x8:  00 01 02 03    6x6:  00 01 03    4x4:  00 01
//          10 11 12 13          10 11 13          10 33
//          20 21 22 23          30 31 33
//          30 31 32 33
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"

namespace flipdrop::othello {

inline constexpr std::size_t kQuarter = 16;

/// Whether `entries` numbers are a table of this board, in one of the two forms. 16 are always a quarter of 8x8.
template <int Size>
constexpr bool is_table_size(std::size_t entries) {
    return entries == Size * Size || entries == kQuarter;
}

/// Which entry of a quarter of 8x8 belongs to a square of a board of any size.
template <int Size>
constexpr std::size_t quarter_entry(int row, int column) {
    const int r = std::min(row, Size - 1 - row), c = std::min(column, Size - 1 - column);
    if (Size == 4 && r == 1 && c == 1) return 4 * 3 + 3;
    const auto line = [](int i) { return static_cast<std::size_t>(Size == 6 && i == 2 ? 3 : i); };
    return 4 * line(r) + line(c);
}

/// The weight of a square of the 8x8 grid, from a table in one of the two forms.
template <int Size>
double square_weight(std::span<const double> weights, int square) {
    FLIPDROP_ASSERT(is_table_size<Size>(weights.size()));
    const int row = square / 8, column = square % 8;
    return weights[weights.size() == kQuarter ? quarter_entry<Size>(row, column)
                                              : static_cast<std::size_t>(row * Size + column)];
}

/// Sums up the weights under a set of discs four squares at a time: the sums of all half rows take 2 KB.
template <int Size>
class SquareTable {
public:
    /// `weights` in one of the two forms.
    explicit SquareTable(std::span<const double> weights) {
        for (int row = 0; row < Size; ++row)
            for (int column = 0; column < Size; ++column) {
                const double weight = square_weight<Size>(weights, 8 * row + column);
                auto& sums = sums_[static_cast<std::size_t>(2 * row + column / 4)];
                for (unsigned discs = 0; discs < 16; ++discs)
                    if ((discs >> (column % 4) & 1) != 0) sums[discs] += weight;
            }
    }

    /// The side to move's sum minus its opponent's.
    double difference(const Board<Size>& board) const {
        double total = 0;
        for (std::size_t half = 0; half < sums_.size(); ++half)
            total += sums_[half][board.own >> (4 * half) & 15] - sums_[half][board.other >> (4 * half) & 15];
        return total;
    }

private:
    std::array<std::array<double, 16>, 2 * Size> sums_{};
};

}  // namespace flipdrop::othello
