// Connect Four on every shape: the rules, for the side to move. See shape.hpp for the drawing of the bits.
#pragma once

#include "kernel/bits.hpp"
#include "kernel/board.hpp"
#include "kernel/connect4/lines.hpp"
#include "kernel/connect4/shape.hpp"
#include "kernel/hash.hpp"
#include "kernel/side.hpp"

namespace flipdrop::connect4 {

/// The moves of one position as the cells in which the next disc would land, one for each open column.
template <class Word>
struct MoveSet {
    Word cells;
    int column_bits;

    int size() const { return count(cells); }
    int nth(int rank) const {
        FLIPDROP_ASSERT(0 <= rank && rank < size());
        return flipdrop::nth(cells, rank) / column_bits;
    }

    /// Removes the first move of a set that is not empty, and returns it.
    int take() {
        FLIPDROP_ASSERT(size() > 0);
        const int column = lowest(cells) / column_bits;
        cells = without_lowest(cells);
        return column;
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (Word rest = cells; static_cast<bool>(rest); rest = without_lowest(rest)) visit(lowest(rest) / column_bits);
    }
};

template <class Shape_>
struct Board {
    using Shape = Shape_;
    using Word = typename Shape::Word;

    [[no_unique_address]] Shape shape;
    Word own{0};                        ///< discs of the side to move
    Word occupied = shape.forbidden();  ///< discs of both, and the forbidden cell

    friend constexpr bool operator==(const Board&, const Board&) = default;

    /// A hash for transposition tables.
    std::uint64_t key() const { return hash_mix(hash_mix(0, own), occupied); }

    Word other() const { return occupied ^ own ^ shape.forbidden(); }
    int discs() const { return count(Word(occupied ^ shape.forbidden())); }
    int max_plies_left() const { return count(Word(shape.cells() & ~occupied)); }
    int plies_without_passes() const { return max_plies_left(); }
    static constexpr bool kShortestWinIsBest = true;
    Side to_move() const { return discs() % 2 == 0 ? Side::First : Side::Second; }

    /// The cells in which the next disc can land, whether or not the game is over.
    Word landings() const { return landing_cells(shape, occupied); }
    Word column(int index) const { return Word{(Bits{1} << shape.rows()) - 1} << (index * (shape.rows() + 1)); }
    bool won_by_last_move() const { return has_four(other()); }

    MoveSet<Word> moves() const { return {won_by_last_move() ? Word{0} : landings(), shape.rows() + 1}; }

    /// The moves of an unfinished game that do not throw it away: a win if there is one, else the block of the
    /// opponent's, else those that do not open a winning cell to it; all moves if every one does.
    MoveSet<Word> decisive_moves() const {
        FLIPDROP_ASSERT(moves().size() > 0);
        const int bits = shape.rows() + 1;
        const Word landing = landings();
        if (const Word wins = completing(own) & landing; static_cast<bool>(wins)) return {wins, bits};
        const Word threats = completing(other()) & ~occupied;
        if (const Word blocks = threats & landing; static_cast<bool>(blocks)) return {blocks, bits};
        const Word safe = landing & ~cells_below(shape, threats);
        return {static_cast<bool>(safe) ? safe : landing, bits};
    }

    /// Whether the side to move of an unfinished game wins with its next disc.
    bool wins_at_once() const { return static_cast<bool>(completing(own) & landings()); }

    /// The moves after which the opponent cannot win at once, of a position in which the side to move cannot either.
    MoveSet<Word> safe_moves() const {
        FLIPDROP_ASSERT(moves().size() > 0 && !wins_at_once());
        const Word landing = landings();
        const Word threats = completing(other()) & ~occupied;
        const Word blocks = threats & landing;
        const int threatened = count(blocks);
        const Word left = threatened == 0 ? landing : threatened == 1 ? blocks : Word{0};
        return {left & ~cells_below(shape, threats), shape.rows() + 1};
    }

    /// Drops a disc into an open column; the other side is to move afterwards.
    void play(int column_index) {
        FLIPDROP_ASSERT(0 <= column_index && column_index < shape.columns() && !won_by_last_move());
        FLIPDROP_ASSERT(static_cast<bool>(landings() & column(column_index)));
        const Word cell = landings() & column(column_index);
        own = other();
        occupied |= cell;
    }

    /// -1 or 0 for the side to move of a finished game: only the side that moved last can have won.
    int outcome() const {
        FLIPDROP_ASSERT(moves().size() == 0);
        return won_by_last_move() ? -1 : 0;
    }

    /// How bad a lost game is for the side to move: the earlier it ended, the worse. 0 for a draw.
    int final_score() const {
        FLIPDROP_ASSERT(moves().size() == 0);
        return won_by_last_move() ? -1 - count(Word(shape.cells() & ~occupied)) : 0;
    }

    /// Whether `discs` hold four in a line.
    bool has_four(Word discs) const { return in_some_direction(shape, kStartsOfFour, discs); }

    /// Every disc of `discs` that is part of a line of four.
    Word lines_of_four(Word discs) const { return over_directions(shape, kCellsOfFour, discs); }

    /// The cells that complete a line of four together with three of `discs`; some may be occupied. Upright lines are
    /// completed from above only: no disc gets under another.
    Word completing(Word discs) const {
        Word cells = (discs << 1) & (discs << 2) & (discs << 3);
        for (const int step : {shape.rows(), shape.rows() + 1, shape.rows() + 2}) cells |= kCompletingFour(discs, step);
        return cells & shape.cells();
    }

    /// Leaves of the last two plies of perft, counted without playing them: each move that does not win leaves as
    /// many replies as there are open columns, one fewer if it fills its own. As in the published counts, a game that
    /// has ended has no leaves deeper down.
    static constexpr int kBulkPlies = 2;
    static constexpr std::uint64_t kLeavesWhenOver = 0;
    std::uint64_t bulk_count() const {
        if (won_by_last_move()) return 0;
        const Word landing = landings();
        const Word quiet = landing & ~completing(own);
        const int replies = count(quiet) * count(landing) - count(Word(quiet & shape.tops()));
        return static_cast<std::uint64_t>(replies);
    }
};

static_assert(GameBoard<Board<FixedShape<7, 6>>>);
static_assert(GameBoard<Board<AnyShape<UInt<3>>>>);

}  // namespace flipdrop::connect4
