// Othello on 4x4, 6x6 and 8x8: the rules, for the side to move.
#pragma once

#include <algorithm>
#include <utility>

#include "kernel/bits.hpp"
#include "kernel/board.hpp"
#include "kernel/hash.hpp"
#include "kernel/othello/lines.hpp"

namespace flipdrop::othello {

/// All squares of a board of `size` x `size`, in the top left corner of the 8x8 grid.
constexpr Bits all_squares(int size) {
    const Bits row = (Bits{1} << size) - 1;
    Bits squares = 0;
    for (int i = 0; i < size; ++i) squares |= row << (8 * i);
    return squares;
}

/// Squares, or the one move that is no square.
inline constexpr int kPass = 64;

/// The moves of one position: some squares, or a pass, or (the game is over) nothing.
struct MoveSet {
    Bits squares;
    bool pass;

    int size() const { return pass ? 1 : count(squares); }
    int nth(int rank) const {
        FLIPDROP_ASSERT(0 <= rank && rank < size());
        return pass ? kPass : flipdrop::nth(squares, rank);
    }

    /// Removes the first move of a set that is not empty, and returns it.
    int take() {
        FLIPDROP_ASSERT(size() > 0);
        if (pass) {
            pass = false;
            return kPass;
        }
        const int square = lowest(squares);
        squares = without_lowest(squares);
        return square;
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        if (pass) visit(kPass);
        for (Bits rest = squares; rest != 0; rest = without_lowest(rest)) visit(lowest(rest));
    }
};

template <int Size>
struct Board {
    static constexpr Bits kSquares = all_squares(Size);
    static constexpr Bits kStartFirst =
        Bits{1} << (8 * (Size / 2 - 1) + Size / 2) | Bits{1} << (8 * (Size / 2) + Size / 2 - 1);
    static constexpr Bits kStartSecond =
        Bits{1} << (8 * (Size / 2 - 1) + Size / 2 - 1) | Bits{1} << (8 * (Size / 2) + Size / 2);

    Bits own = kStartFirst;     ///< discs of the side to move
    Bits other = kStartSecond;  ///< discs of its opponent

    friend constexpr bool operator==(const Board&, const Board&) = default;

    /// A hash for transposition tables.
    std::uint64_t key() const { return hash_mix(hash_mix(0, own), other); }

    Bits empties() const { return kSquares & ~(own | other); }
    Bits legal_squares() const { return outflanking_squares(own, other) & empties(); }
    bool opponent_can_move() const { return (outflanking_squares(other, own) & empties()) != 0; }

    /// The same discs with the other side to move.
    Board swapped() const { return {other, own}; }

    MoveSet moves() const {
        const Bits squares = legal_squares();
        return {squares, squares == 0 && opponent_can_move()};
    }

    /// A disc and a pass for each empty square.
    int max_plies_left() const { return 2 * count(empties()); }
    int plies_without_passes() const { return count(empties()); }
    static constexpr bool kShortestWinIsBest = false;  ///< a longer game may win more discs

    /// Plays a legal move; the other side is to move afterwards.
    void play(int move) {
        FLIPDROP_ASSERT(is_legal(move));
        if (move != kPass) place(move);
        std::swap(own, other);
    }

    /// Final disc difference for the side to move, the empty squares given to the winner.
    int final_margin() const {
        const int difference = count(own) - count(other);
        if (difference == 0) return 0;
        return difference > 0 ? difference + count(empties()) : difference - count(empties());
    }

    /// How good a finished game is for the side to move: the disc difference.
    int final_score() const {
        FLIPDROP_ASSERT(moves().size() == 0);
        return final_margin();
    }

    /// 1, 0 or -1 for the side to move of a finished game.
    int outcome() const {
        FLIPDROP_ASSERT(moves().size() == 0);
        const int difference = count(own) - count(other);
        return (difference > 0) - (difference < 0);
    }

    /// Leaves of the last ply of perft, counted without playing them. As in the published counts, a pass is a ply and
    /// a game that has ended stays one leaf, however much deeper the count goes.
    static constexpr int kBulkPlies = 1;
    static constexpr std::uint64_t kLeavesWhenOver = 1;
    std::uint64_t bulk_count() const { return static_cast<std::uint64_t>(std::max(count(legal_squares()), 1)); }

private:
    bool is_legal(int move) const {
        return move == kPass ? moves().pass : move >= 0 && move < 64 && (legal_squares() >> move & 1) != 0;
    }

    void place(int square) {
        const Bits flipped = flips(own, other, square);
        own ^= flipped | Bits{1} << square;
        other ^= flipped;
    }
};

static_assert(GameBoard<Board<8>>);

}  // namespace flipdrop::othello
