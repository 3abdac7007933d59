// Features of Othello's named evaluations, on a board of any size. Differences are own minus opponent's.
#pragma once

#include <array>
#include <string_view>

#include "kernel/bits.hpp"
#include "kernel/evaluation/square_table.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/regions.hpp"

namespace flipdrop::othello {

template <int Size>
constexpr double difference(const Board<Size>& board, Bits squares) {
    return count(board.own & squares) - count(board.other & squares);
}

template <int Size>
double moves_of_side_to_move(const Board<Size>& board) {
    return count(board.legal_squares());
}

/// The larger part's share in percent, positive if it is `own`; 0 for equal parts.
constexpr double signed_share(int own, int other) {
    if (own > other) return 100.0 * own / (own + other);
    if (own < other) return -100.0 * other / (own + other);
    return 0;
}

/// A: discs.
template <int Size>
struct DiscFeatures {
    static constexpr std::array<std::string_view, 1> names = {"discs"};
    std::array<double, 1> measure(const Board<Size>& board) const { return {difference(board, ~Bits{0})}; }
};

/// B: square weights.
template <int Size>
struct TableFeatures {
    static constexpr std::array<std::string_view, 1> names = {"squares"};
    SquareTable<Size> table;
    std::array<double, 1> measure(const Board<Size>& board) const { return {table.difference(board)}; }
};

/// Mobility: legal moves of both sides.
template <int Size>
struct MobilityFeatures {
    static constexpr std::array<std::string_view, 1> names = {"mobility"};
    std::array<double, 1> measure(const Board<Size>& board) const {
        const Bits empties = board.empties();
        return {static_cast<double>(count(outflanking_squares(board.own, board.other) & empties) -
                                    count(outflanking_squares(board.other, board.own) & empties))};
    }
};

/// C: squares, discs, mobility of the side to move, corners, X-squares (whether or not their corner is empty).
template <int Size>
struct CFeatures {
    static constexpr std::array<std::string_view, 5> names = {"squares", "discs", "mobility", "corners", "x_squares"};
    SquareTable<Size> table;
    std::array<double, 5> measure(const Board<Size>& board) const {
        return {table.difference(board), difference(board, ~Bits{0}), moves_of_side_to_move(board),
                difference(board, kCorners<Size>), difference(board, kXSquares<Size>)};
    }
};

/// D: six terms (see kernel/othello/regions.hpp for the squares); X-squares count while their corner is empty.
template <int Size>
struct DFeatures {
    static constexpr std::array<std::string_view, 6> names = {"corners",    "edges", "x_squares",
                                                              "open_edges", "discs", "mobility"};
    std::array<double, 6> measure(const Board<Size>& board) const {
        const Bits empties = board.empties();
        const Bits exposed = x_squares_of<Size>(empties & kCorners<Size>);
        const Bits open = empties & kEdges<Size>;
        const int pairs = open_edge_pairs<Size>(board.own, open) - open_edge_pairs<Size>(board.other, open);
        return {difference(board, kCorners<Size>), difference(board, kEdges<Size>), difference(board, exposed),
                static_cast<double>(pairs),        difference(board, ~Bits{0}),     moves_of_side_to_move(board)};
    }
};

/// Seven: seven terms with fixed inner constants; the weights between them are free.
template <int Size>
struct SevenFeatures {
    static constexpr std::array<std::string_view, 7> names = {"squares",   "discs",          "near_corners", "mobility",
                                                              "stability", "edge_stability", "corners"};
    SquareTable<Size> table;
    std::array<double, 7> measure(const Board<Size>& board) const {
        const Bits empties = board.empties();
        const int own_moves = count(outflanking_squares(board.own, board.other) & empties);
        const int other_moves = count(outflanking_squares(board.other, board.own) & empties);
        const double mobility = own_moves == 0 ? -450 : other_moves == 0 ? 150 : signed_share(own_moves, other_moves);
        return {table.difference(board),
                signed_share(count(board.own), count(board.other)),
                0 - 24.5 * difference(board, corner_neighbours<Size>(empties & kCorners<Size>)),
                mobility,
                12.5 * difference(board, in_full_lines<Size>(empties)),
                2.5 * (runs_from_corners<Size>(board.own) - runs_from_corners<Size>(board.other)),
                25 * difference(board, kCorners<Size>)};
    }
};

}  // namespace flipdrop::othello
