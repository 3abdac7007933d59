// An Othello position for callers outside the kernel: a board of any size with the colour of the side to move, moves
// numbered row by row without gaps (size x size is the pass), every argument checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/othello/board.hpp"
#include "kernel/side.hpp"

namespace flipdrop::othello {

class Position {
public:
    using AnyBoard = std::variant<Board<8>, Board<6>, Board<4>>;

    /// `cells` in reading order: 'X' the first side's discs (black), 'O' the second's, '-' empty.
    Position(int size, std::string_view cells, Side to_move);

    /// The position of a board reached by play, unchecked.
    static Position from_board(const AnyBoard& board, Side to_move);

    friend bool operator==(const Position&, const Position&) = default;

    int size() const { return size_; }
    int move_space() const { return size_ * size_ + 1; }
    Side to_move() const { return to_move_; }
    int ply() const;
    std::pair<int, int> discs() const;
    std::string cells() const;
    const AnyBoard& board() const { return board_; }
    std::uint64_t hash() const;

    template <class Visit>
    void for_each_move(Visit&& visit) const {
        std::visit([&](const auto& board) { board.moves().for_each([&](int m) { visit(outer_move(m)); }); }, board_);
    }
    bool is_over() const;
    std::optional<int> result() const;  ///< 1, 0 or -1 for the first side
    int margin() const;                 ///< first side's discs minus the second's; once over, empties go to the winner
    Position played(int move) const;
    std::vector<int> flipped_by(int move) const;

    /// Moves are numbered without gaps outside, by square of the 8x8 grid inside the kernel.
    int outer_move(int square) const { return square == kPass ? size_ * size_ : square / 8 * size_ + square % 8; }
    int inner_move(int move) const { return move == size_ * size_ ? kPass : move / size_ * 8 + move % size_; }

    std::string move_name(int move) const;
    int parsed_move(std::string_view name) const;

    static constexpr int symmetries() { return 8; }
    Position transformed(int symmetry) const;
    int transformed_move(int move, int symmetry) const;

private:
    Position(AnyBoard board, int size, Side to_move) : board_(board), size_(size), to_move_(to_move) {}

    int checked(int move) const;
    Bits own() const;
    Bits other_side() const;

    AnyBoard board_;
    int size_;
    Side to_move_;
};

}  // namespace flipdrop::othello
