// Features of the evaluation of Connect Four that knows zugzwang: threats by the parity of their cell.
//
// Near the end of a game all cells but a few are full, and a side has to move under a threat of the opponent. Who that
// is follows from parity. When all other columns are full, the cells of the last one are taken in turn; its top cell is
// the last cell of the game. So the owner of a cell follows from the number `a` of playable cells from it to the top of
// its column (it included, the forbidden cell not) and the number L of cells left: the side to move gets the cell if L
// - a is even. That holds until the end, as every disc changes L by one and the side to move.
//
//     L = 42, first to move      L = 41 (one cell forbidden, #), first to move
//     . . . . . . .  2nd         . . . # . . .  1st
//     . . . . . . .  1st         . . . . . . .  2nd, but in the column of # 1st
//     . . . . . . .  2nd         . . . . . . .  1st, but in the column of # 2nd
//
// A threat on a cell that its own side gets is a *good* one: it wins when the other cells are full. A bad one only
// keeps the opponent from the cell below. Nothing above the lowest good threat of a column is ever played, so threats
// there do not count.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "kernel/bits.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/connect4/lines.hpp"

namespace flipdrop::connect4 {

/// Discs and threats of both sides, of which `own` is to move.
template <class Word>
struct ThreatPosition {
    Word own, other, occupied;
    Word own_wins, other_wins;  ///< cells that complete a line; occupied ones among them mean nothing
    int left;                   ///< empty cells
};

/// The end of a game in which neither side makes a new threat.
struct Zugzwang {
    int winner;  ///< 1: the side to move; -1: its opponent; 0: the board is filled
    int plies;   ///< until the loser has to move under a threat
};

/// Fills the board: both sides first play all cells that are not under a threat. Then the side to move plays under a
/// threat of its own, which the opponent has to answer; without one it loses.
template <class Shape>
Zugzwang zugzwang(const Shape& shape, const ThreatPosition<typename Shape::Word>& position) {
    using Word = typename Shape::Word;
    Word occupied = position.occupied;
    Word mine = position.own_wins & ~occupied, theirs = position.other_wins & ~occupied;  // of the side to move
    int mover = 1;
    const auto turn = [&] {
        std::swap(mine, theirs);
        mover = -mover;
    };
    for (int plies = 0;;) {
        const Word landing = landing_cells(shape, occupied);
        if (static_cast<bool>(mine & landing)) return {mover, plies};
        if (const Word blocks = theirs & landing; static_cast<bool>(blocks)) {
            if (static_cast<bool>(without_lowest(blocks))) return {-mover, plies};
            occupied |= blocks;
            turn();
            ++plies;
            continue;
        }
        const Word threats = (mine | theirs) & ~occupied;
        if (!static_cast<bool>(threats)) return {0, position.left};
        const Word from_threats = cells_from(shape, threats);
        const Word lowest = from_threats & ~(from_threats << 1);
        const Word neutral = shape.cells() & ~(occupied | from_threats | cells_below(shape, lowest));
        const int filled = count(neutral);
        occupied |= neutral;
        plies += filled;
        if (filled % 2 == 1) turn();
        const Word given_up = lowest & mine & ~theirs;
        if (!static_cast<bool>(given_up)) return {-mover, plies};
        const Word cell = given_up & ~without_lowest(given_up);
        occupied |= cell | cells_below(shape, cell);
        plies += 2;
    }
}

template <class Shape>
struct ParityFeatures {
    using Word = typename Shape::Word;
    static constexpr std::array<std::string_view, 8> names = {"landing_threats", "good_threats",    "bad_threats",
                                                              "stacked_threats", "good_beginnings", "bad_beginnings",
                                                              "zugzwang",        "near_zugzwang"};
    using Measures = std::array<double, names.size()>;

    Measures measure(const Board<Shape>& board) const {
        const Word own = board.own, other = board.other();
        return measure(board.shape, follower_cells(board.shape),
                       {own, other, board.occupied, board.completing(own), board.completing(other),
                        count(Word(board.shape.cells() & ~board.occupied))});
    }

    /// The same from what a search knows already.
    static Measures measure(const Shape& shape, const Word& follower, const ThreatPosition<Word>& position) {
        const Word empty = shape.cells() & ~position.occupied;
        const bool leads = position.left % 2 == 0;
        const Word own_cells = leads ? empty & ~follower : empty & follower, other_cells = empty ^ own_cells;
        const Word own_threats = position.own_wins & empty, other_threats = position.other_wins & empty;
        const Word decided = cells_from(shape, (own_threats & own_cells) | (other_threats & other_cells));
        const Word open = empty & ~(decided << 1 & decided);
        const Word landing = landing_cells(shape, position.occupied);
        const Zugzwang end = zugzwang(shape, position);
        const double near = 1 - static_cast<double>(end.plies) / (position.left + 1);
        Measures sum{};
        const auto add = [&](int sign, const Word& discs, const Word& threats, const Word& cells) {
            const Word reached = threats & open & ~landing;
            const Word begun = over_directions(shape, kHalfLines, discs, empty) & empty & ~threats & open;
            const std::array<int, 6> measured = {
                count(Word(threats & landing)), count(Word(reached & cells)),
                count(Word(reached & ~cells)),  count(Word(threats & cells_below(shape, threats))),
                count(Word(begun & cells)),     count(Word(begun & ~cells))};
            for (std::size_t i = 0; i < measured.size(); ++i) sum[i] += sign * measured[i];
        };
        add(1, position.own, own_threats, own_cells);
        add(-1, position.other, other_threats, other_cells);
        sum[6] = end.winner;
        sum[7] = end.winner * near;
        return sum;
    }
};

}  // namespace flipdrop::connect4
