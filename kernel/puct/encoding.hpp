// A network's input: planes of zeros and ones, for the side to move, rows from the top.
//
//     plane   Othello                          Connect Four
//     0       own discs                        own discs (and the forbidden cell)
//     1       the opponent's                   the opponent's (and the forbidden cell)
//     2       where the side to move can play  empty cells that would complete four for the side to move
//     3       where the opponent could         empty cells that would complete four for the opponent
//
// The last two follow from the first two by the rules and cost a few instructions; a network would need most of its
// size to compute them. Samples are stored as cells, one byte each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/symmetry.hpp"

namespace flipdrop::puct {

inline constexpr int kPlanes = 4;

/// A cell of a sample, for the side to move.
enum Cell : std::uint8_t { kEmpty = 0, kOwn = 1, kOther = 2, kForbidden = 3 };

template <GameBoard Board>
class Encoding;

template <int Size>
class Encoding<othello::Board<Size>> {
public:
    using Board = othello::Board<Size>;
    static constexpr int kSymmetries = othello::kSymmetries;

    explicit Encoding(const Board&) {}
    static constexpr int rows() { return Size; }
    static constexpr int columns() { return Size; }
    static constexpr int moves() { return Size * Size + 1; }

    /// The number of a move in Python, seen through a symmetry.
    static int move_number(int move, int symmetry) {
        return move == othello::kPass ? Size * Size
                                      : cell_of(lowest(othello::transformed<Size>(Bits{1} << move, symmetry)));
    }
    /// A Python move number, mapped by a symmetry.
    static int transformed_number(int number, int symmetry) {
        return number == Size * Size ? number : move_number(number / Size * 8 + number % Size, symmetry);
    }

    /// The sets of the first two planes, and of the last two.
    static std::array<Bits, 2> discs(const Board& board) { return {board.own, board.other}; }
    static std::array<Bits, 2> opportunities(const Board& board) {
        return {board.legal_squares(), board.swapped().legal_squares()};
    }

    void write_planes(const Board& board, int symmetry, float* planes) const {
        const auto [own, other] = discs(board);
        const auto [own_moves, other_moves] = opportunities(board);
        std::fill_n(planes, kPlanes * Size * Size, 0.0f);
        for (const Bits set : {own, other, own_moves, other_moves}) {
            for (Bits rest = othello::transformed<Size>(set, symmetry); rest != 0; rest = without_lowest(rest))
                planes[cell_of(lowest(rest))] = 1;
            planes += Size * Size;
        }
    }

    void write_cells(const Board& board, std::uint8_t* cells) const {
        std::fill_n(cells, Size * Size, kEmpty);
        for (Bits rest = board.own; rest != 0; rest = without_lowest(rest)) cells[cell_of(lowest(rest))] = kOwn;
        for (Bits rest = board.other; rest != 0; rest = without_lowest(rest)) cells[cell_of(lowest(rest))] = kOther;
    }

    Board read_cells(const std::uint8_t* cells) const {
        Board board{0, 0};
        for (int cell = 0; cell < Size * Size; ++cell) {
            const Bits square = Bits{1} << (cell / Size * 8 + cell % Size);
            if (cells[cell] == kOwn)
                board.own |= square;
            else if (cells[cell] == kOther)
                board.other |= square;
            else if (cells[cell] != kEmpty)
                throw Error("cell " + std::to_string(cells[cell]) + "; cells are 0 (empty), 1 (own) and 2 (other)");
        }
        return board;
    }

private:
    static constexpr int cell_of(int square) { return square / 8 * Size + square % 8; }
};

template <class Shape>
class Encoding<connect4::Board<Shape>> {
public:
    using Board = connect4::Board<Shape>;
    using Word = typename Shape::Word;
    static constexpr int kSymmetries = 2;

    explicit Encoding(const Board& like) : shape_(like.shape) {}
    int rows() const { return shape_.rows(); }
    int columns() const { return shape_.columns(); }
    int moves() const { return shape_.columns(); }

    int move_number(int move, int symmetry) const { return symmetry == 0 ? move : columns() - 1 - move; }
    int transformed_number(int number, int symmetry) const { return move_number(number, symmetry); }

    /// The sets of the first two planes, and of the last two.
    std::array<Word, 2> discs(const Board& board) const {
        const Word forbidden = shape_.forbidden();
        return {Word(board.own | forbidden), Word(board.other() | forbidden)};
    }
    std::array<Word, 2> opportunities(const Board& board) const {
        const Word open = ~board.occupied;
        return {Word(board.completing(board.own) & open), Word(board.completing(board.other()) & open)};
    }

    void write_planes(const Board& board, int symmetry, float* planes) const {
        const auto [own, other] = discs(board);
        const auto [own_wins, other_wins] = opportunities(board);
        std::fill_n(planes, kPlanes * rows() * columns(), 0.0f);
        for (const Word& set : {own, other, own_wins, other_wins}) {
            for_each_cell(set, symmetry, [&](int cell) { planes[cell] = 1; });
            planes += rows() * columns();
        }
    }

    void write_cells(const Board& board, std::uint8_t* cells) const {
        std::fill_n(cells, rows() * columns(), kEmpty);
        for_each_cell(board.own, 0, [&](int cell) { cells[cell] = kOwn; });
        for_each_cell(board.other(), 0, [&](int cell) { cells[cell] = kOther; });
        for_each_cell(shape_.forbidden(), 0, [&](int cell) { cells[cell] = kForbidden; });
    }

    Board read_cells(const std::uint8_t* cells) const {
        Board board{shape_};
        for (int cell = 0; cell < rows() * columns(); ++cell) {
            const Word one = bit<Word>(cell % columns() * (rows() + 1) + rows() - 1 - cell / columns());
            const bool forbidden = static_cast<bool>(one & shape_.forbidden());
            if (cells[cell] > kForbidden || (cells[cell] == kForbidden) != forbidden)
                throw Error("cell " + std::to_string(cells[cell]) +
                            "; cells are 0 (empty), 1 (own), 2 (other) and 3 where the board's forbidden cell is");
            if (cells[cell] == kEmpty || forbidden) continue;
            board.occupied |= one;
            if (cells[cell] == kOwn) board.own |= one;
        }
        return board;
    }

private:
    template <class Visit>
    void for_each_cell(Word set, int symmetry, Visit&& visit) const {
        for (Word rest = set; static_cast<bool>(rest); rest = without_lowest(rest)) {
            const int index = lowest(rest), column = index / (rows() + 1), row = index % (rows() + 1);
            visit((rows() - 1 - row) * columns() + move_number(column, symmetry));
        }
    }

    [[no_unique_address]] Shape shape_;
};

/// The planes of samples (cells row after row), each seen through its symmetry.
template <GameBoard Board>
std::vector<float> planes_of_samples(const Encoding<Board>& encoding, std::span<const std::uint8_t> cells,
                                     std::span<const std::uint8_t> symmetries) {
    const auto area = static_cast<std::size_t>(encoding.rows() * encoding.columns());
    FLIPDROP_ASSERT(cells.size() == symmetries.size() * area);
    std::vector<float> planes(symmetries.size() * kPlanes * area);
    for (std::size_t i = 0; i < symmetries.size(); ++i)
        encoding.write_planes(encoding.read_cells(cells.data() + i * area), symmetries[i],
                              planes.data() + i * kPlanes * area);
    return planes;
}

/// Policies, row after row, each seen through its symmetry.
template <GameBoard Board>
std::vector<float> transformed_policies(const Encoding<Board>& encoding, std::span<const float> policies,
                                        std::span<const std::uint8_t> symmetries) {
    const auto moves = static_cast<std::size_t>(encoding.moves());
    FLIPDROP_ASSERT(policies.size() == symmetries.size() * moves);
    std::vector<float> transformed(policies.size());
    for (std::size_t i = 0; i < symmetries.size(); ++i)
        for (std::size_t move = 0; move < moves; ++move) {
            const int to = encoding.transformed_number(static_cast<int>(move), symmetries[i]);
            transformed[i * moves + static_cast<std::size_t>(to)] = policies[i * moves + move];
        }
    return transformed;
}

}  // namespace flipdrop::puct
