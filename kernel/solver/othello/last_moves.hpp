// The last four moves of a game, without any list of moves: try every empty square.
//
// All searches of this solver are null-window tests: does the score exceed a threshold? Final scores are even (empty
// squares go to the winner), so thresholds are odd, no score equals one, and the opponent's threshold is the negative
// one. The result is a bound: a lower bound of the score if it exceeds the threshold, else an upper bound.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/lines.hpp"
#include "kernel/solver/othello/flips.hpp"

namespace flipdrop::othello::endgame {

/// Below every score.
inline constexpr int kNone = -128;

template <int Size>
inline constexpr int kArea = Size * Size;

/// The score when neither side can move any more.
template <int Size>
int final_score(Bits own, Bits other) {
    return Board<Size>{own, other}.final_margin();
}

/// One empty square.
template <int Size>
inline int solve_1(Bits own, int threshold, int x) {
    const int discs = count(own);
    if (const int flipped = last_flip_count(own, x); flipped != 0) return 2 * (discs + flipped + 1) - kArea<Size>;
    // Passing cannot gain more than a game that ends here.
    const int over = 2 * discs - kArea<Size> + (2 * discs >= kArea<Size> ? 2 : 0);
    if (over < threshold) return over;
    const Bits other = Board<Size>::kSquares & ~(own | Bits{1} << x);
    const int flipped = last_flip_count(other, x);
    return flipped != 0 ? 2 * (discs - flipped) - kArea<Size> : over;
}

/// Two to four empty squares, in the order in which to try them. `Passed`: the opponent has just had no move.
template <int Size, bool Passed = false>
inline int solve_2(Bits own, Bits other, int threshold, int x1, int x2, std::uint64_t& nodes) {
    int best = kNone;
    const auto try_move = [&](int x, int rest) {
        if ((kNeighbours[static_cast<unsigned>(x)] & other) == 0) return;
        const Bits flipped = flips(own, other, x);
        if (flipped == 0) return;
        ++nodes;
        const int score = -solve_1<Size>(other ^ flipped, -threshold, rest);
        if (score > best) best = score;
    };
    try_move(x1, x2);
    if (best > threshold) return best;
    try_move(x2, x1);
    if (best != kNone) return best;
    if constexpr (Passed)
        return final_score<Size>(own, other);
    else
        return -solve_2<Size, true>(other, own, -threshold, x1, x2, nodes);
}

template <int Size, bool Passed = false>
int solve_3(Bits own, Bits other, int threshold, int x1, int x2, int x3, std::uint64_t& nodes) {
    // A square alone in its quadrant first: the side that plays it has the last move there.
    if constexpr (!Passed) {
        const auto quadrant = [](int x) { return kQuadrant<Size>[static_cast<unsigned>(x)]; };
        if (quadrant(x1) == quadrant(x2)) {
            if (quadrant(x1) != quadrant(x3)) std::swap(x1, x3);
        } else if (quadrant(x1) == quadrant(x3)) {
            std::swap(x1, x2);
        }
    }
    int best = kNone;
    const auto try_move = [&](int x, int a, int b) {
        if ((kNeighbours[static_cast<unsigned>(x)] & other) == 0) return;
        const Bits flipped = flips(own, other, x);
        if (flipped == 0) return;
        ++nodes;
        const int score = -solve_2<Size>(other ^ flipped, own ^ (flipped | Bits{1} << x), -threshold, a, b, nodes);
        if (score > best) best = score;
    };
    try_move(x1, x2, x3);
    if (best > threshold) return best;
    try_move(x2, x1, x3);
    if (best > threshold) return best;
    try_move(x3, x1, x2);
    if (best != kNone) return best;
    if constexpr (Passed)
        return final_score<Size>(own, other);
    else
        return -solve_3<Size, true>(other, own, -threshold, x1, x2, x3, nodes);
}

/// In which order to try four squares, given which pairs of them share a quadrant: those alone in theirs first, then
/// those of an odd number. Bits of the index: pairs 01 02 03 12 13 23.
consteval std::array<std::array<std::uint8_t, 4>, 64> make_orders_of_four() {
    std::array<std::array<std::uint8_t, 4>, 64> orders{};
    constexpr std::array<std::array<unsigned, 2>, 6> pairs = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
    constexpr std::array<int, 4> rank_by_company = {0, 2, 1, 3};
    for (unsigned index = 0; index < 64; ++index) {
        std::array<unsigned, 4> company{};
        for (unsigned p = 0; p < 6; ++p)
            if ((index >> p & 1) != 0) ++company[pairs[p][0]], ++company[pairs[p][1]];
        unsigned at = 0;
        for (int rank = 0; rank < 4; ++rank)
            for (unsigned i = 0; i < 4; ++i)
                if (rank_by_company[company[i]] == rank) orders[index][at++] = static_cast<std::uint8_t>(i);
    }
    return orders;
}
inline constexpr auto kOrdersOfFour = make_orders_of_four();

template <int Size, bool Passed = false>
int solve_4(Bits own, Bits other, int threshold, const std::array<int, 4>& x, std::uint64_t& nodes) {
    int best = kNone;
    const auto try_move = [&](int move, int a, int b, int c) {
        if ((kNeighbours[static_cast<unsigned>(move)] & other) == 0) return;
        const Bits flipped = flips(own, other, move);
        if (flipped == 0) return;
        ++nodes;
        const int score =
            -solve_3<Size>(other ^ flipped, own ^ (flipped | Bits{1} << move), -threshold, a, b, c, nodes);
        if (score > best) best = score;
    };
    try_move(x[0], x[1], x[2], x[3]);
    if (best > threshold) return best;
    try_move(x[1], x[0], x[2], x[3]);
    if (best > threshold) return best;
    try_move(x[2], x[0], x[1], x[3]);
    if (best > threshold) return best;
    try_move(x[3], x[0], x[1], x[2]);
    if (best != kNone) return best;
    if constexpr (Passed)
        return final_score<Size>(own, other);
    else
        return -solve_4<Size, true>(other, own, -threshold, x, nodes);
}

/// The four squares of a set, in the order of kOrdersOfFour.
template <int Size>
std::array<int, 4> ordered_four(Bits empties) {
    std::array<int, 4> x;
    for (auto& square : x) {
        square = lowest(empties);
        empties = without_lowest(empties);
    }
    std::array<unsigned, 4> q;
    for (unsigned i = 0; i < 4; ++i) q[i] = kQuadrant<Size>[static_cast<unsigned>(x[i])];
    const unsigned index = static_cast<unsigned>(q[0] == q[1]) | static_cast<unsigned>(q[0] == q[2]) << 1 |
                           static_cast<unsigned>(q[0] == q[3]) << 2 | static_cast<unsigned>(q[1] == q[2]) << 3 |
                           static_cast<unsigned>(q[1] == q[3]) << 4 | static_cast<unsigned>(q[2] == q[3]) << 5;
    const auto& order = kOrdersOfFour[index];
    return {x[order[0]], x[order[1]], x[order[2]], x[order[3]]};
}

/// Any position with at most four empty squares.
template <int Size>
int solve_last(const Board<Size>& board, int threshold, std::uint64_t& nodes) {
    const Bits empties = board.empties();
    FLIPDROP_ASSERT(count(empties) <= 4 && threshold % 2 != 0);
    const int x1 = empties != 0 ? lowest(empties) : 0;
    const Bits rest = empties != 0 ? without_lowest(empties) : 0;
    switch (count(empties)) {
        case 0: return final_score<Size>(board.own, board.other);
        case 1: return solve_1<Size>(board.own, threshold, x1);
        case 2: return solve_2<Size>(board.own, board.other, threshold, x1, lowest(rest), nodes);
        case 3:
            return solve_3<Size>(board.own, board.other, threshold, x1, lowest(rest), lowest(without_lowest(rest)),
                                 nodes);
        default: return solve_4<Size>(board.own, board.other, threshold, ordered_four<Size>(empties), nodes);
    }
}

}  // namespace flipdrop::othello::endgame
