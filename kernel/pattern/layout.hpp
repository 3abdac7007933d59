// Patterns: sets of cells whose contents, read as one number, index a table of weights.
//
// A pattern has one instance for each symmetry of the board, and all its instances share one table. The index of an
// instance is a number with a digit for each of its cells, so it is a sum: each disc on the board adds its digit times
// the cell's power to every instance that contains it. All indices are computed at once, by adding one row for each
// disc, many instances to a vector.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/board.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/symmetry.hpp"

namespace flipdrop::pattern {

/// How the cells of a board are numbered, mirrored and read.
template <GameBoard Board>
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

    /// Counts that patterns, which see a part of the board, cannot express: discs and moves of each side, capped. A
    /// side with few discs may lose them all. Three tables: discs, and moves with the discs of either side.
    static constexpr std::size_t kCounters = 3;
    static constexpr std::size_t kCounts = 16 * 16 + 2 * 8 * 16 * 16;
    static std::array<std::size_t, kCounters> counters(const Board& board) {
        return counters(board, board.legal_squares());
    }
    /// For callers that have the legal squares already.
    static std::array<std::size_t, kCounters> counters(const Board& board, Bits own_moves) {
        const auto upto = [](Bits bits, std::size_t most) {
            return std::min(static_cast<std::size_t>(flipdrop::count(bits)), most);
        };
        const Bits other_moves = othello::outflanking_squares(board.other, board.own) & board.empties();
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
    static constexpr std::size_t kSides = 2;  ///< zugzwang favours the first side in odd rows, the second in even rows
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

    // The ply determines the number of discs and moves.
    static constexpr std::size_t kCounters = 0;
    static constexpr std::size_t kCounts = 0;
    static std::array<std::size_t, 0> counters(const Board&) { return {}; }
    static std::array<Word, 3> read(const Board& board) { return {board.own, board.other(), board.landings()}; }
};

inline constexpr int kMaxTableSize = 1 << 16;  ///< that a pattern may hold: instances are read as 16-bit indices
inline constexpr std::size_t kMaxInstances = 1024;

/// The instances of a set of patterns on a board.
///
/// A pattern that a symmetry maps onto itself, with its cells in another order, has two indices for one instance.
/// Learning gives both the same weight, so that one of them is enough to evaluate: `instances` holds those,
/// `mirror_twins` the others.
template <GameBoard Board>
class Layout {
    using Cell = Cells<Board>;

public:
    using Index = std::uint16_t;
    using Indices = std::array<Index, kMaxInstances>;

    /// An instance: its pattern's table begins here.
    struct PatternInstance {
        std::uint32_t table;
    };
    /// The same cells as instance `of`, read in another order.
    struct MirrorTwin {
        std::size_t of;
        std::uint32_t table;
    };

    /// `patterns` are lists of cells, numbered in reading order; `like` has the shape of all boards to come.
    Layout(const std::vector<std::vector<int>>& patterns, const Board& like) {
        std::vector<std::vector<int>> instances, mirrored_instances;
        for (std::size_t p = 0; p < patterns.size(); ++p) {
            check(patterns[p], p, like);
            const auto table = static_cast<std::uint32_t>(table_weights_);
            table_weights_ += table_size(patterns[p].size());
            add_instances(patterns[p], table, like, instances, mirrored_instances);
        }
        if (instances_.empty()) throw Error("a pattern network needs at least one pattern");
        if (instances_.size() + mirror_twins_.size() > kMaxInstances - kLanes)
            throw Error("the patterns lie on the board in more than " + std::to_string(kMaxInstances - kLanes) +
                        " instances");
        padded_ = padded(instances_.size());
        padded_twins_ = padded(mirror_twins_.size());
        rows_ = rows_of(instances, padded_, like);
        twin_rows_ = rows_of(mirrored_instances, padded_twins_, like);
    }

    const std::vector<PatternInstance>& instances() const { return instances_; }
    const std::vector<MirrorTwin>& mirror_twins() const { return mirror_twins_; }

    /// The weights of one stage, in all tables.
    std::size_t weights_per_stage() const { return table_weights_ + Cell::kCounts; }
    std::size_t first_counter() const { return table_weights_; }  ///< the counters' tables come after the patterns'

    /// The index of every instance.
    void read(const Board& board, Indices& indices) const { read(board, rows_, padded_, indices.data()); }
    void read_mirror_twins(const Board& board, Indices& indices) const {
        read(board, twin_rows_, padded_twins_, indices.data());
    }

private:
    static constexpr std::size_t kLanes = 16;
    typedef Index Vector __attribute__((vector_size(kLanes * sizeof(Index))));

    static std::size_t padded(std::size_t instances) { return (instances + kLanes - 1) / kLanes * kLanes; }

    static std::size_t table_size(std::size_t cells) {
        std::size_t indices = 1;
        for (std::size_t i = 0; i < cells; ++i) indices *= Cell::kStates;
        return indices;
    }

    static void check(const std::vector<int>& pattern, std::size_t p, const Board& like) {
        const std::string name = "pattern " + std::to_string(p + 1);
        if (pattern.empty()) throw Error(name + " has no cells");
        std::vector<int> sorted = pattern;
        std::sort(sorted.begin(), sorted.end());
        if (sorted.front() < 0 || sorted.back() >= Cell::count(like))
            throw Error(name + " has a cell that is not on the board");
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) throw Error(name + " has a cell twice");
        if (pattern.size() > 16 || table_size(pattern.size()) > kMaxTableSize)
            throw Error(name + " has too many cells: " + std::to_string(pattern.size()));
    }

    void add_instances(const std::vector<int>& pattern, std::uint32_t table, const Board& like,
                       std::vector<std::vector<int>>& instances, std::vector<std::vector<int>>& mirrored_instances) {
        const std::size_t first = instances.size();
        const auto as_set = [](std::vector<int> cells) {
            std::sort(cells.begin(), cells.end());
            return cells;
        };
        for (int symmetry = 0; symmetry < Cell::kSymmetries; ++symmetry) {
            std::vector<int> cells = pattern;
            for (int& cell : cells) cell = Cell::transformed(like, cell, symmetry);
            const auto begin = instances.begin() + static_cast<std::ptrdiff_t>(first);
            const auto same =
                std::find_if(begin, instances.end(), [&](const auto& other) { return as_set(other) == as_set(cells); });
            if (same == instances.end()) {
                instances.push_back(cells);
                instances_.push_back({table});
            } else if (*same != cells && std::find(mirrored_instances.begin(), mirrored_instances.end(), cells) ==
                                             mirrored_instances.end()) {
                mirror_twins_.push_back({static_cast<std::size_t>(same - instances.begin()), table});
                mirrored_instances.push_back(cells);
            }
        }
    }

    /// For each digit and bit of the board, what a disc there adds to the number of each instance.
    static std::vector<Index> rows_of(const std::vector<std::vector<int>>& instances, std::size_t width,
                                      const Board& like) {
        constexpr std::size_t digits = Cell::kStates - 1, bits = Cell::kBits;
        std::vector<Index> rows(digits * bits * width);
        for (std::size_t instance = 0; instance < instances.size(); ++instance) {
            std::size_t power = 1;
            for (const int cell : instances[instance]) {
                const auto bit = static_cast<std::size_t>(Cell::index(like, cell));
                for (std::size_t digit = 0; digit < digits; ++digit)
                    rows[(digit * bits + bit) * width + instance] = static_cast<Index>((digit + 1) * power);
                power *= Cell::kStates;
            }
        }
        return rows;
    }

    static void read(const Board& board, const std::vector<Index>& rows, std::size_t width, Index* indices) {
        std::size_t instance = 0;
        for (; instance + 4 * kLanes <= width; instance += 4 * kLanes) add_up<4>(board, rows, width, instance, indices);
        switch ((width - instance) / kLanes) {
            case 3: return add_up<3>(board, rows, width, instance, indices);
            case 2: return add_up<2>(board, rows, width, instance, indices);
            case 1: return add_up<1>(board, rows, width, instance, indices);
            default: return;
        }
    }

    /// Adds up the rows of all discs, for as many vectors of instances as stay in registers.
    template <std::size_t Vectors>
    static void add_up(const Board& board, const std::vector<Index>& rows, std::size_t width, std::size_t instance,
                       Index* indices) {
        std::array<Vector, Vectors> sums{};
        const Index* row = rows.data() + instance;
        for (auto word : Cell::read(board)) {
            for (; static_cast<bool>(word); word = without_lowest(word)) {
                const Index* from = row + static_cast<std::size_t>(lowest(word)) * width;
                for (std::size_t i = 0; i < Vectors; ++i) {
                    Vector add;
                    std::memcpy(&add, from + i * kLanes, sizeof add);
                    sums[i] += add;
                }
            }
            row += Cell::kBits * width;
        }
        std::memcpy(indices + instance, sums.data(), sizeof sums);
    }

    std::vector<PatternInstance> instances_;
    std::vector<MirrorTwin> mirror_twins_;
    std::vector<Index> rows_, twin_rows_;
    std::size_t padded_ = 0, padded_twins_ = 0;
    std::size_t table_weights_ = 0;  ///< of all patterns together
};

}  // namespace flipdrop::pattern
