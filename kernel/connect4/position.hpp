// A Connect Four position for callers outside the kernel: a board of any shape, moves numbered by column from 0, every
// argument checked. 7x6 without a forbidden cell has a board of its own, compiled for speed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/connect4/board.hpp"
#include "kernel/side.hpp"

namespace flipdrop::connect4 {

class Position {
public:
    using AnyBoard = std::variant<Board<FixedShape<7, 6>>, Board<AnyShape<Bits>>, Board<AnyShape<UInt<2>>>,
                                  Board<AnyShape<UInt<3>>>>;

    /// `cells` in reading order from the top row: 'X' the first side's discs, 'O' the second's, '-' empty, '#' the
    /// forbidden cell.
    Position(int columns, int rows, std::string_view cells, Side to_move);

    /// The position of a board reached by play, unchecked. The side to move follows from the number of discs.
    static Position from_board(const AnyBoard& board, Side) { return Position(board); }

    friend bool operator==(const Position&, const Position&) = default;

    int columns() const;
    int rows() const;
    std::optional<int> forbidden() const;  ///< a cell in reading order
    int move_space() const { return columns(); }
    Side to_move() const;
    int ply() const;
    std::pair<int, int> discs() const;
    std::string cells() const;
    const AnyBoard& board() const { return board_; }
    std::uint64_t hash() const;

    template <class Visit>
    void for_each_move(Visit&& visit) const {
        std::visit([&](const auto& board) { board.moves().for_each(visit); }, board_);
    }
    bool is_over() const;
    std::optional<int> result() const;       ///< 1, 0 or -1 for the first side
    std::vector<int> winning_cells() const;  ///< in reading order; empty if neither side has won
    Position played(int move) const;
    int landing_cell(int move) const;  ///< where the disc of a legal move comes to rest, in reading order

    /// Moves have the same numbers outside as inside the kernel.
    static int outer_move(int move) { return move; }
    static int inner_move(int move) { return move; }

    std::string move_name(int move) const;
    int parsed_move(std::string_view name) const;

    static constexpr int symmetries() { return 2; }
    Position transformed(int symmetry) const;
    int transformed_move(int move, int symmetry) const;

private:
    explicit Position(AnyBoard board) : board_(board) {}
    void check_legal(int move) const;

    AnyBoard board_;
};

}  // namespace flipdrop::connect4
