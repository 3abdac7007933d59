// Patterns: sets of cells whose contents, read as one number, pick a weight from a table.
//
// A pattern lies on the board once for each symmetry of the board, and all these places share one table. What a place
// holds is a number with a digit for each of its cells, and that number is a sum: each disc on the board adds its digit
// times the cell's power to every place that it is part of. So all places are read at once, by adding one row of
// numbers for each disc, many places to a vector: nothing is extracted bit by bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/symmetry.hpp"

namespace flipdrop::pattern {

/// How the cells of a board are numbered, mirrored and read.
template <class Board>
struct Cells;

/// A square is empty (0), the side to move's (1) or its opponent's (2).
template <int Size>
struct Cells<othello::Board<Size>> {
    using Board = othello::Board<Size>;
    static constexpr int kStates = 3;
    static constexpr std::size_t kSides = 1;  ///< both sides have the same weights
    static constexpr int kSymmetries = othello::kSymmetries;
    static constexpr int kBits = 64;

    static constexpr const char* kGame = "Othello";
    static int columns(const Board&) { return Size; }
    static int rows(const Board&) { return Size; }
    static int count(const Board&) { return Size * Size; }
    static int index(const Board&, int cell) { return cell / Size * 8 + cell % Size; }
    static int transformed(const Board&, int cell, int symmetry) {
        const int index = lowest(othello::transformed<Size>(Bits{1} << (cell / Size * 8 + cell % Size), symmetry));
        return index / 8 * Size + index % 8;
    }
    static int discs(const Board& board) { return flipdrop::count(board.own | board.other); }

    /// What no pattern sees that looks at a part of the board: how many discs and moves each side has, as far as few
    /// matter. A side with few discs may lose them all. Three tables: discs, and moves with the discs of either side.
    static constexpr std::size_t kCounters = 3;
    static constexpr std::size_t kCounts = 16 * 16 + 2 * 8 * 16 * 16;
    static std::array<std::size_t, kCounters> counters(const Board& board) {
        return counters(board, board.placements());
    }
    /// For who knows the moves already.
    static std::array<std::size_t, kCounters> counters(const Board& board, Bits own_moves) {
        const auto upto = [](Bits bits, std::size_t most) {
            return std::min(static_cast<std::size_t>(flipdrop::count(bits)), most);
        };
        const Bits other_moves = othello::line_ends(board.other, board.own) & board.empties();
        const std::size_t moves = 16 * upto(own_moves, 15) + upto(other_moves, 15);
        return {16 * upto(board.own, 15) + upto(board.other, 15), 256 + 256 * upto(board.own, 7) + moves,
                256 + 2048 + 256 * upto(board.other, 7) + moves};
    }
    static std::array<Bits, 2> read(const Board& board) { return {board.own, board.other}; }
};

/// A cell is empty and out of reach (0), the side to move's (1), its opponent's (2), or the next of its column (3).
template <class Shape>
struct Cells<connect4::Board<Shape>> {
    using Board = connect4::Board<Shape>;
    using Word = typename Board::Word;
    static constexpr int kStates = 4;
    static constexpr std::size_t kSides = 2;  ///< who moved first can wait in the odd rows, the other one in the even
    static constexpr int kSymmetries = 2;
    static constexpr int kBits = 8 * static_cast<int>(sizeof(Word));

    static constexpr const char* kGame = "Connect Four";
    static int columns(const Board& board) { return board.shape.columns(); }
    static int rows(const Board& board) { return board.shape.rows(); }
    static int count(const Board& board) { return columns(board) * rows(board); }
    static int index(const Board& board, int cell) {
        const int columns = board.shape.columns(), rows = board.shape.rows();
        return cell % columns * (rows + 1) + rows - 1 - cell / columns;
    }
    static int transformed(const Board& board, int cell, int symmetry) {
        const int columns = board.shape.columns(), column = cell % columns;
        return symmetry == 0 ? cell : cell - column + (columns - 1 - column);
    }
    static int discs(const Board& board) { return board.discs(); }

    // Both sides have as many discs and moves as the ply says.
    static constexpr std::size_t kCounters = 0;
    static constexpr std::size_t kCounts = 0;
    static std::array<std::size_t, 0> counters(const Board&) { return {}; }
    static std::array<Word, 3> read(const Board& board) { return {board.own, board.other(), board.landings()}; }
};

inline constexpr int kMostNumbers = 1 << 16;  ///< that a pattern may hold: places are read as 16-bit numbers
inline constexpr std::size_t kMostPlaces = 1024;

/// The places of a set of patterns on a board.
///
/// A pattern that a symmetry maps onto itself, with its cells in another order, has two numbers for one place. Learning
/// gives both the same weight, so that one of them is enough to evaluate: `places` holds those, `twins` the others.
template <class Board>
class Layout {
    using Cell = Cells<Board>;

public:
    using Number = std::uint16_t;
    using Numbers = std::array<Number, kMostPlaces>;

    /// A place: its pattern's table begins here.
    struct Place {
        std::uint32_t table;
    };
    /// The same cells as place `of`, read in another order.
    struct Twin {
        std::size_t of;
        std::uint32_t table;
    };

    /// `patterns` are lists of cells, numbered in reading order; `like` has the shape of all boards to come.
    Layout(const std::vector<std::vector<int>>& patterns, const Board& like) {
        std::vector<std::vector<int>> lying, lying_twice;
        for (std::size_t p = 0; p < patterns.size(); ++p) {
            check(patterns[p], p, like);
            const auto table = static_cast<std::uint32_t>(numbers_);
            numbers_ += numbers_of(patterns[p].size());
            add_places(patterns[p], table, like, lying, lying_twice);
        }
        if (places_.empty()) throw Error("a pattern network needs at least one pattern");
        if (places_.size() + twins_.size() > kMostPlaces - kLanes)
            throw Error("the patterns lie on the board in more than " + std::to_string(kMostPlaces - kLanes) +
                        " places");
        padded_ = padded(places_.size());
        padded_twins_ = padded(twins_.size());
        rows_ = rows_of(lying, padded_, like);
        twin_rows_ = rows_of(lying_twice, padded_twins_, like);
    }

    const std::vector<Place>& places() const { return places_; }
    const std::vector<Twin>& twins() const { return twins_; }
    std::size_t numbers() const { return numbers_ + Cell::kCounts; }  ///< of all tables: weights of one stage

    std::size_t first_counter() const { return numbers_; }  ///< the counters' tables come after the patterns'

    /// What every place holds.
    void read(const Board& board, Numbers& numbers) const { read(board, rows_, padded_, numbers.data()); }
    void read_twins(const Board& board, Numbers& numbers) const {
        read(board, twin_rows_, padded_twins_, numbers.data());
    }

private:
    static constexpr std::size_t kLanes = 16;
    typedef Number Vector __attribute__((vector_size(kLanes * sizeof(Number))));

    static std::size_t padded(std::size_t places) { return (places + kLanes - 1) / kLanes * kLanes; }

    static std::size_t numbers_of(std::size_t cells) {
        std::size_t numbers = 1;
        for (std::size_t i = 0; i < cells; ++i) numbers *= Cell::kStates;
        return numbers;
    }

    static void check(const std::vector<int>& pattern, std::size_t p, const Board& like) {
        const std::string name = "pattern " + std::to_string(p + 1);
        if (pattern.empty()) throw Error(name + " has no cells");
        std::vector<int> sorted = pattern;
        std::sort(sorted.begin(), sorted.end());
        if (sorted.front() < 0 || sorted.back() >= Cell::count(like))
            throw Error(name + " has a cell that is not on the board");
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) throw Error(name + " has a cell twice");
        if (pattern.size() > 16 || numbers_of(pattern.size()) > kMostNumbers)
            throw Error(name + " has too many cells: " + std::to_string(pattern.size()));
    }

    void add_places(const std::vector<int>& pattern, std::uint32_t table, const Board& like,
                    std::vector<std::vector<int>>& lying, std::vector<std::vector<int>>& lying_twice) {
        const std::size_t first = lying.size();
        const auto as_set = [](std::vector<int> cells) {
            std::sort(cells.begin(), cells.end());
            return cells;
        };
        for (int symmetry = 0; symmetry < Cell::kSymmetries; ++symmetry) {
            std::vector<int> cells = pattern;
            for (int& cell : cells) cell = Cell::transformed(like, cell, symmetry);
            const auto begin = lying.begin() + static_cast<std::ptrdiff_t>(first);
            const auto same =
                std::find_if(begin, lying.end(), [&](const auto& other) { return as_set(other) == as_set(cells); });
            if (same == lying.end()) {
                lying.push_back(cells);
                places_.push_back({table});
            } else if (*same != cells &&
                       std::find(lying_twice.begin(), lying_twice.end(), cells) == lying_twice.end()) {
                twins_.push_back({static_cast<std::size_t>(same - lying.begin()), table});
                lying_twice.push_back(cells);
            }
        }
    }

    /// For each digit and bit of the board, what a disc there adds to the number of each place.
    static std::vector<Number> rows_of(const std::vector<std::vector<int>>& lying, std::size_t width,
                                       const Board& like) {
        constexpr std::size_t digits = Cell::kStates - 1, bits = Cell::kBits;
        std::vector<Number> rows(digits * bits * width);
        for (std::size_t place = 0; place < lying.size(); ++place) {
            std::size_t power = 1;
            for (const int cell : lying[place]) {
                const auto bit = static_cast<std::size_t>(Cell::index(like, cell));
                for (std::size_t digit = 0; digit < digits; ++digit)
                    rows[(digit * bits + bit) * width + place] = static_cast<Number>((digit + 1) * power);
                power *= Cell::kStates;
            }
        }
        return rows;
    }

    static void read(const Board& board, const std::vector<Number>& rows, std::size_t width, Number* numbers) {
        std::size_t place = 0;
        for (; place + 4 * kLanes <= width; place += 4 * kLanes) add_up<4>(board, rows, width, place, numbers);
        switch ((width - place) / kLanes) {
            case 3: return add_up<3>(board, rows, width, place, numbers);
            case 2: return add_up<2>(board, rows, width, place, numbers);
            case 1: return add_up<1>(board, rows, width, place, numbers);
            default: return;
        }
    }

    /// Adds up the rows of all discs, for as many vectors of places as stay in registers.
    template <std::size_t Vectors>
    static void add_up(const Board& board, const std::vector<Number>& rows, std::size_t width, std::size_t place,
                       Number* numbers) {
        std::array<Vector, Vectors> sums{};
        const Number* row = rows.data() + place;
        for (auto word : Cell::read(board)) {
            for (; static_cast<bool>(word); word = without_lowest(word)) {
                const Number* from = row + static_cast<std::size_t>(lowest(word)) * width;
                for (std::size_t i = 0; i < Vectors; ++i) {
                    Vector add;
                    std::memcpy(&add, from + i * kLanes, sizeof add);
                    sums[i] += add;
                }
            }
            row += Cell::kBits * width;
        }
        std::memcpy(numbers + place, sums.data(), sizeof sums);
    }

    std::vector<Place> places_;
    std::vector<Twin> twins_;
    std::vector<Number> rows_, twin_rows_;
    std::size_t padded_ = 0, padded_twins_ = 0;
    std::size_t numbers_ = 0;  ///< of all patterns together
};

}  // namespace flipdrop::pattern
