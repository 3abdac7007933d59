// Lines of four on a board of any shape, and what follows from them without search.
//
// A cell is *won* by a side when a disc of that side there completes a line. All questions are about whole sets of
// cells at once; see kernel/connect4/shape.hpp for the drawing of the bits. The object is small and made once for a
// solver; on the compiled 7x6 board everything in it is a constant.
//
// Follow-up ("claim even", V. Allis 1988). While every column has an even number of empty cells, the side that is not
// to move can answer each disc in the same column and so gets the upper cell of every pair:
//
//     u u u u u u u      the pairs are counted from the top of each column,
//     l l l l l l l      skipping the forbidden cell: no matter how high the
//     u u u . u u u      board is, u goes to the side that follows and l to
//     l l l . l l l      the side that leads
//     . u u . u . .
//     . l l . l . .
//
// If the leader's discs and all of l hold no line, the leader never wins. Columns with an odd number of empty cells
// come in twos as long as an even number of cells is left; the follower answers in the lowest cell of one with the
// lowest cell of the other, of which the leader gets one, and follows up in all the rest.
#pragma once

#include "kernel/bits.hpp"
#include "kernel/connect4/lines.hpp"
#include "kernel/connect4/shape.hpp"

namespace flipdrop::connect4::exact {

template <class Shape_>
class Geometry {
public:
    using Shape = Shape_;
    using Word = typename Shape::Word;

    constexpr explicit Geometry(const Shape& shape)
        : shape_(shape),
          follower_(follower_cells(shape)),
          mirrors_(shape.forbidden_index() == kNoCell ||
                   2 * (shape.forbidden_index() / (shape.rows() + 1)) + 1 == shape.columns()) {}

    const Shape& shape() const { return shape_; }
    int playable() const { return count(Word(shape_.cells() & ~shape_.forbidden())); }
    const Word& follower() const { return follower_; }
    bool mirrors() const { return mirrors_; }  ///< whether the mirror image of the empty board is the same board
    int column_of(Word cell) const { return lowest(cell) / (shape_.rows() + 1); }

    Word landings(Word occupied) const { return landing_cells(shape_, occupied); }
    Word empty(Word occupied) const { return shape_.cells() & ~occupied; }

    Word below(Word cells) const { return cells_below(shape_, cells); }

    /// The cells that complete a line of four together with three of `discs`; some may hold a disc.
    Word completing(Word discs) const {
        return over_directions(shape_, kCompletingFour, discs) & shape_.cells() & ~shape_.forbidden();
    }

    /// The cells of `left` that lie on a line of two `discs` and two such cells.
    Word half_lines(Word discs, Word left) const { return left & over_directions(shape_, kHalfLines, discs, left); }

    bool has_four(Word cells) const { return in_some_direction(shape_, kStartsOfFour, cells); }

    /// Those of `cells` that are part of a line of four of them.
    Word lines(Word cells) const { return over_directions(shape_, kCellsOfFour, cells); }

    /// Upper bound, by follow-up, of the score of a side to move that leads with an even number of cells left. It must
    /// not be able to win at once, nor the opponent after it. `none` when follow-up proves nothing.
    int follow_up_bound(Word own, Word occupied, Word other_wins, int none) const {
        const Word left = empty(occupied);
        FLIPDROP_ASSERT(count(left) % 2 == 0);
        FLIPDROP_ASSERT(!static_cast<bool>(completing(own) & landings(occupied)));
        const Word theirs = follower_ & left;
        const Word odd = landings(occupied) & follower_;  // the lowest cells of the columns with an odd number left
        // Under a cell that the follower wins, the leader never gets past the cell below it.
        const Word closed = cells_from(shape_, other_wins & theirs);
        const Word ours = own | (left & ~follower_ & ~closed);
        if (has_four(ours | odd)) {
            // Of two odd columns the leader gets the lowest cell of one only.
            if (!kept_apart(ours, odd)) return none;
        }
        // With all else filled the leader has to step under a closed cell: as many discs as there are pairs left.
        if (static_cast<bool>(closed)) return -count(Word(closed & theirs));
        const Word other = (occupied ^ own ^ shape_.forbidden()) | (theirs & ~odd);
        return has_four(other) ? -1 : 0;
    }

    /// Whether the lowest cells of the odd columns can be paired so that the leader, which gets one of each pair, has
    /// no line with them.
    bool kept_apart(Word ours, Word odd) const {
        const Word without_a = without_lowest(odd), a = odd ^ without_a;
        if (has_four(ours)) return false;
        if (count(odd) == 2) return !has_four(ours | a) && !has_four(ours | without_a);
        if (count(odd) != 4) return false;
        for (Word rest = without_a; static_cast<bool>(rest); rest = without_lowest(rest)) {
            const Word b = rest & ~without_lowest(rest), pair = without_a ^ b, c = without_lowest(pair), d = pair ^ c;
            if (!has_four(ours | a | c) && !has_four(ours | a | d) && !has_four(ours | b | c) &&
                !has_four(ours | b | d))
                return true;
        }
        return false;
    }

    /// A key that differs for any two positions of different value, and is equal for many of equal value: a disc
    /// through which no line can run any more, for either side, counts as the opponent's, and mirror images have one
    /// key.
    Word key(Word own, Word occupied) const {
        const Word live = own & lines(own | empty(occupied));
        // A dead disc may change its colour unless that opened a line to the opponent: one without live discs in it.
        const Word kept = live | (own & lines(shape_.cells() & ~shape_.forbidden() & ~live));
        const Word word = kept | (occupied + shape_.bottom());
        if (!mirrors_) return word;
        const Word image = mirrored(word);
        return less(image, word) ? image : word;
    }

    Word mirrored(Word word) const {
        const int width = shape_.rows() + 1, columns = shape_.columns();
        const Word column = Word{(Bits{1} << width) - 1};
        Word out{0};
        if constexpr (requires { typename FixedTag<Shape>::type; }) {
            for (int left = 0; left < columns / 2; ++left) {
                const int shift = (columns - 1 - 2 * left) * width;
                out |= (word & column << (left * width)) << shift | (word >> shift & column << (left * width));
            }
            return out | (word & column << (columns / 2 * width));
        } else {
            for (int i = 0; i < columns; ++i) out |= (word >> (i * width) & column) << ((columns - 1 - i) * width);
            return out;
        }
    }

    static bool less(Bits a, Bits b) { return a < b; }
    template <int Words>
    static bool less(const UInt<Words>& a, const UInt<Words>& b) {
        return a.words < b.words;
    }

private:
    template <class S>
    struct FixedTag {};
    template <int C, int R>
        requires(C % 2 == 1)
    struct FixedTag<FixedShape<C, R>> {
        using type = int;
    };

    [[no_unique_address]] Shape shape_;
    Word follower_;
    bool mirrors_;
};

}  // namespace flipdrop::connect4::exact
