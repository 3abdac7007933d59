// Boards as arrays of bytes: planes of zeros and ones for the side to move, rows from the top, and a mask of legal
// moves by Python's move numbers.
//
//     plane   Othello                          Connect Four
//     0       own discs                        own discs (and the forbidden cell)
//     1       the opponent's                   the opponent's (and the forbidden cell)
//     2, 3    as in kernel/puct/encoding.hpp, if requested
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "kernel/board.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/puct/encoding.hpp"

namespace flipdrop::batch {

using Byte = std::uint8_t;

/// The bits of a byte as eight bytes, the lowest first.
inline constexpr std::array<std::array<Byte, 8>, 256> kSpread = [] {
    std::array<std::array<Byte, 8>, 256> spread{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned i = 0; i < 8; ++i) spread[byte][i] = static_cast<Byte>(byte >> i & 1);
    return spread;
}();

/// Writes the lowest `count` bits of a byte, one byte each.
inline void write_bits(Bits byte, int count, Byte* to) {
    std::memcpy(to, kSpread[byte & 255].data(), static_cast<std::size_t>(count));
}

/// The sizes of a board's arrays, its move numbers, and how they are written.
template <GameBoard Board>
class Layout;

template <int Size>
class Layout<othello::Board<Size>> {
public:
    using Board = othello::Board<Size>;
    using Moves = othello::MoveSet;

    explicit Layout(const Board&) {}
    static constexpr int rows() { return Size; }
    static constexpr int columns() { return Size; }
    static constexpr int moves() { return Size * Size + 1; }

    static int outer_move(int move) { return move == othello::kPass ? Size * Size : move / 8 * Size + move % 8; }
    /// The kernel's move of a number from 0 to moves() - 1.
    static int inner_move(int number) {
        return number == Size * Size ? othello::kPass : number / Size * 8 + number % Size;
    }
    static bool has(const Moves& legal, int move) {
        return move == othello::kPass ? legal.pass : (legal.squares >> move & 1) != 0;
    }

    static void write_plane(Bits set, Byte* to) {
        for (int row = 0; row < Size; ++row) write_bits(set >> (8 * row), Size, to + row * Size);
    }
    static void write_mask(const Moves& legal, Byte* to) {
        write_plane(legal.squares, to);
        to[Size * Size] = legal.pass ? 1 : 0;
    }
};

template <class Shape>
class Layout<connect4::Board<Shape>> {
public:
    using Board = connect4::Board<Shape>;
    using Word = typename Shape::Word;
    using Moves = connect4::MoveSet<Word>;

    explicit Layout(const Board& like) : shape_(like.shape) {}
    int rows() const { return shape_.rows(); }
    int columns() const { return shape_.columns(); }
    int moves() const { return shape_.columns(); }

    static int outer_move(int move) { return move; }
    static int inner_move(int number) { return number; }
    bool has(const Moves& legal, int move) const {
        const Word column = Word{(Bits{1} << rows()) - 1} << (move * (rows() + 1));
        return static_cast<bool>(legal.cells & column);
    }

    void write_plane(const Word& set, Byte* to) const {
#if defined(__BMI2__)
        if constexpr (std::is_same_v<Word, Bits>) {
            if (columns() <= 8) {
                for (int row = 0; row < rows(); ++row)
                    write_bits(_pext_u64(set >> row, shape_.bottom()), columns(), to + (rows() - 1 - row) * columns());
                return;
            }
        }
#endif
        std::fill_n(to, rows() * columns(), Byte{0});
        for (Word rest = set; static_cast<bool>(rest); rest = without_lowest(rest)) {
            const int index = lowest(rest);
            to[(rows() - 1 - index % (rows() + 1)) * columns() + index / (rows() + 1)] = 1;
        }
    }
    void write_mask(const Moves& legal, Byte* to) const {
        std::fill_n(to, columns(), Byte{0});
        legal.for_each([&](int column) { to[column] = 1; });
    }

private:
    [[no_unique_address]] Shape shape_;
};

/// Writes `planes` planes of a board (2 or 4) one after the other.
template <GameBoard Board>
void write_planes(const Layout<Board>& layout, const Board& board, int planes, Byte* to) {
    const int area = layout.rows() * layout.columns();
    const auto sets = puct::Encoding<Board>(board).discs(board);
    for (std::size_t i = 0; i < sets.size(); ++i) layout.write_plane(sets[i], to + static_cast<int>(i) * area);
    if (planes == 2) return;
    const auto moves = puct::Encoding<Board>(board).opportunities(board);
    for (std::size_t i = 0; i < moves.size(); ++i) layout.write_plane(moves[i], to + (2 + static_cast<int>(i)) * area);
}

}  // namespace flipdrop::batch
