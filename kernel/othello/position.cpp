#include "kernel/othello/position.hpp"

#include <algorithm>
#include <cctype>

#include "kernel/errors.hpp"
#include "kernel/hash.hpp"
#include "kernel/othello/symmetry.hpp"

namespace flipdrop::othello {

namespace {

Position::AnyBoard empty_board(int size) {
    switch (size) {
        case 4: return Board<4>{0, 0};
        case 6: return Board<6>{0, 0};
        case 8: return Board<8>{0, 0};
        default:
            throw IllegalPosition("Othello is played on 4x4, 6x6 or 8x8, not on a board of size " +
                                  std::to_string(size));
    }
}

std::string square_name(int square) {
    return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

/// The squares that touch `squares`, and they themselves, on the 8x8 grid.
Bits grown(Bits squares) {
    const Bits not_last = ~(Bits{0x0101010101010101} << 7), not_first = ~Bits{0x0101010101010101};
    const Bits rows = squares | (squares & not_last) << 1 | (squares & not_first) >> 1;
    return rows | rows << 8 | rows >> 8;
}

/// Throws unless the discs could be reached by legal moves, as far as simple necessary conditions show.
void check_reachable(Bits discs, int size) {
    const int low = size / 2 - 1;
    const Bits centre = Bits{3} << (8 * low + low) | Bits{3} << (8 * low + 8 + low);
    if ((centre & ~discs) != 0)
        throw IllegalPosition("the centre square " + square_name(lowest(centre & ~discs)) +
                              " is empty: the four centre squares are filled from the start and discs never leave");
    Bits connected = centre;
    for (Bits before = 0; before != connected;) {
        before = connected;
        connected = grown(connected) & discs;
    }
    if (connected != discs)
        throw IllegalPosition("the disc on " + square_name(lowest(discs & ~connected)) +
                              " touches no chain of discs to the centre: every disc is placed next to another");
}

void check_symmetry(int symmetry) {
    if (symmetry < 0 || symmetry >= kSymmetries)
        throw Error("symmetry " + std::to_string(symmetry) + "; an Othello board has symmetries 0 to 7");
}

}  // namespace

Position::Position(int size, std::string_view cells, Side to_move)
    : board_(empty_board(size)), size_(size), to_move_(to_move) {
    const auto expected = static_cast<std::size_t>(size * size);
    if (cells.size() != expected)
        throw IllegalPosition("a board of size " + std::to_string(size) + " has " + std::to_string(expected) +
                              " squares, not " + std::to_string(cells.size()));
    Bits first = 0, second = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Bits here = Bits{1} << inner_move(static_cast<int>(i));
        switch (cells[i]) {
            case 'X': first |= here; break;
            case 'O': second |= here; break;
            case '-': break;
            default: throw IllegalPosition("a square is 'X', 'O' or '-', not " + quoted(whole_character(cells, i)));
        }
    }
    check_reachable(first | second, size);
    if (to_move == Side::Second) std::swap(first, second);
    std::visit(
        [&](auto& board) {
            board.own = first;
            board.other = second;
        },
        board_);
}

Position Position::from_board(const AnyBoard& board, Side to_move) {
    const int size = std::visit([]<int Size>(const Board<Size>&) { return Size; }, board);
    return Position(board, size, to_move);
}

Bits Position::own() const {
    return std::visit([](const auto& board) { return board.own; }, board_);
}

Bits Position::other_side() const {
    return std::visit([](const auto& board) { return board.other; }, board_);
}

std::pair<int, int> Position::discs() const {
    std::pair<int, int> counts{count(own()), count(other_side())};
    if (to_move_ == Side::Second) std::swap(counts.first, counts.second);
    return counts;
}

int Position::ply() const {
    return count(own() | other_side()) - 4;
}

std::string Position::cells() const {
    const Bits first = to_move_ == Side::First ? own() : other_side();
    const Bits second = to_move_ == Side::First ? other_side() : own();
    std::string text(static_cast<std::size_t>(size_ * size_), '-');
    for (std::size_t i = 0; i < text.size(); ++i) {
        const Bits here = Bits{1} << inner_move(static_cast<int>(i));
        if ((first & here) != 0) text[i] = 'X';
        if ((second & here) != 0) text[i] = 'O';
    }
    return text;
}

std::uint64_t Position::hash() const {
    const auto shape = static_cast<std::uint64_t>(size_) * 2 + static_cast<std::uint64_t>(to_move_);
    return hash_mix(hash_mix(hash_mix(0, own()), other_side()), shape);
}

bool Position::is_over() const {
    return std::visit([](const auto& board) { return board.moves().size() == 0; }, board_);
}

std::optional<int> Position::result() const {
    if (!is_over()) return std::nullopt;
    const int for_mover = std::visit([](const auto& board) { return board.outcome(); }, board_);
    return to_move_ == Side::First ? for_mover : -for_mover;
}

int Position::margin() const {
    const int for_mover = is_over() ? std::visit([](const auto& board) { return board.final_margin(); }, board_)
                                    : count(own()) - count(other_side());
    return to_move_ == Side::First ? for_mover : -for_mover;
}

/// The kernel's square for a move that is legal here; throws for any other.
int Position::checked(int move) const {
    const MoveSet legal = std::visit([](const auto& board) { return board.moves(); }, board_);
    if (move >= 0 && move < move_space()) {
        const int square = inner_move(move);
        if (square == kPass ? legal.pass : (legal.squares >> square & 1) != 0) return square;
    }
    const std::string named =
        move >= 0 && move < move_space() ? move_name(move) : "move number " + std::to_string(move);
    const std::string side = to_move_ == Side::First ? "black" : "white";
    if (legal.size() == 0) throw IllegalMove(named + " for " + side + ": the game is over");
    std::string names;
    legal.for_each([&](int square) { names += " " + move_name(outer_move(square)); });
    throw IllegalMove(named + " for " + side + "; legal:" + names);
}

Position Position::played(int move) const {
    const int square = checked(move);
    Position next = *this;
    std::visit([&](auto& board) { board.play(square); }, next.board_);
    next.to_move_ = other(to_move_);
    return next;
}

std::vector<int> Position::flipped_by(int move) const {
    const int square = checked(move);
    std::vector<int> squares;
    if (square == kPass) return squares;
    for (Bits rest = flips(own(), other_side(), square); rest != 0; rest = without_lowest(rest))
        squares.push_back(outer_move(lowest(rest)));
    return squares;
}

std::string Position::move_name(int move) const {
    if (move < 0 || move >= move_space())
        throw IllegalMove("move number " + std::to_string(move) + "; a move of this game is a number from 0 to " +
                          std::to_string(move_space() - 1));
    const int square = inner_move(move);
    return square == kPass ? "pass" : square_name(square);
}

int Position::parsed_move(std::string_view name) const {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "pass" || lower == "pa" || lower == "ps" || lower == "--") return move_space() - 1;
    if (lower.size() == 2) {
        const int column = lower[0] - 'a', row = lower[1] - '1';
        if (column >= 0 && column < size_ && row >= 0 && row < size_) return row * size_ + column;
    }
    const std::string last = {static_cast<char>('a' + size_ - 1), static_cast<char>('0' + size_)};
    throw IllegalMove(quoted(name) + " is not a move; a move is a square from a1 to " + last + ", or pass");
}

Position Position::transformed(int symmetry) const {
    check_symmetry(symmetry);
    return std::visit(
        [&]<int Size>(const Board<Size>& board) {
            const Board<Size> image{othello::transformed<Size>(board.own, symmetry),
                                    othello::transformed<Size>(board.other, symmetry)};
            return Position(image, size_, to_move_);
        },
        board_);
}

int Position::transformed_move(int move, int symmetry) const {
    check_symmetry(symmetry);
    move_name(move);  // throws unless there is such a move
    const int square = inner_move(move);
    if (square == kPass) return move;
    return std::visit(
        [&]<int Size>(const Board<Size>&) {
            return outer_move(lowest(othello::transformed<Size>(Bits{1} << square, symmetry)));
        },
        board_);
}

}  // namespace flipdrop::othello
