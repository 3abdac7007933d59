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

#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "kernel/bits.hpp"
#include "kernel/connect4/lines.hpp"
#include "kernel/connect4/shape.hpp"

namespace flipdrop::connect4::exact {

/// Every second empty cell of each column, counted from its top: those of the follower.
template <class Word>
constexpr Word follower_cells(int columns, int rows, int forbidden) {
    Word cells{0};
    for (int column = 0; column < columns; ++column) {
        bool upper = true;
        for (int row = rows - 1; row >= 0; --row) {
            const int index = column * (rows + 1) + row;
            if (index == forbidden) continue;
            if (upper) cells |= bit<Word>(index);
            upper = !upper;
        }
    }
    return cells;
}

template <class Shape_>
class Geometry {
public:
    using Shape = Shape_;
    using Word = typename Shape::Word;

    constexpr explicit Geometry(const Shape& shape)
        : shape_(shape),
          follower_(follower_cells<Word>(shape.columns(), shape.rows(), shape.forbidden_index())),
          spare_(bottom_row<Word>(shape.columns(), shape.rows()) << shape.rows()),
          mirrors_(shape.forbidden_index() == kNoCell ||
                   2 * (shape.forbidden_index() / (shape.rows() + 1)) + 1 == shape.columns()) {}

    const Shape& shape() const { return shape_; }
    int playable() const { return count(Word(shape_.cells() & ~shape_.forbidden())); }
    int column_of(Word cell) const { return lowest(cell) / (shape_.rows() + 1); }

    Word landings(Word occupied) const { return landing_cells(shape_, occupied); }
    Word empty(Word occupied) const { return shape_.cells() & ~occupied; }

    Word below(Word cells) const { return cells_below(shape_, cells); }

    /// In each column the lowest of `cells` and everything above it.
    Word upward(Word cells) const {
        const Word marked = cells | spare_;
        const Word lowered = marked + ~shape_.bottom() + Word{1};  // borrows run up to the lowest mark and no further
        return shape_.cells() & ~(lowered & ~marked);
    }

    /// The cells that complete a line of four together with three of `discs`; some may hold a disc.
    Word completing(Word discs) const {
        return over_directions(discs, kCompletingFour) & shape_.cells() & ~shape_.forbidden();
    }

    /// The cells of `left` that lie on a line of two `discs` and two such cells.
    Word half_lines(Word discs, Word left) const {
        return left & over_directions(discs, left, [](auto set, auto empty, auto step) {
                   const auto d1 = set >> step, d2 = d1 >> step, d3 = d2 >> step;
                   const auto e1 = empty >> step, e2 = e1 >> step, e3 = e2 >> step;
                   const auto a = set & d1 & e2 & e3, b = set & e1 & d2 & e3, c = set & e1 & e2 & d3;
                   const auto d = empty & d1 & d2 & e3, e = empty & d1 & e2 & d3, f = empty & e1 & d2 & d3;
                   const auto third = (a | c | e) | (a | b | d) << step;
                   const auto second = (b | c | f) | third << step;
                   return (d | e | f) | second << step;
               });
    }

    bool has_four(Word cells) const { return any_direction(cells, kStartsOfFour); }

    /// Those of `cells` that are part of a line of four of them.
    Word lines(Word cells) const { return over_directions(cells, kCellsOfFour); }

    /// Upper bound, by follow-up, of the score of a side to move that leads with an even number of cells left. It must
    /// not be able to win at once, nor the opponent after it. `none` when follow-up proves nothing.
    int follow_up_bound(Word own, Word occupied, Word other_wins, int none) const {
        const Word left = empty(occupied);
        FLIPDROP_ASSERT(count(left) % 2 == 0);
        FLIPDROP_ASSERT(!static_cast<bool>(completing(own) & landings(occupied)));
        const Word theirs = follower_ & left;
        const Word odd = landings(occupied) & follower_;  // the lowest cells of the columns with an odd number left
        // Under a cell that the follower wins, the leader never gets past the cell below it.
        const Word closed = upward(other_wins & theirs);
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

private:
    // The four directions side by side in one vector where there are such and a board fits 64 bits; else in turn.
    using Four = std::uint64_t __attribute__((vector_size(32)));
#if defined(__AVX2__)
    static constexpr bool kVector = std::is_same_v<Word, Bits>;
#else
    static constexpr bool kVector = false;
#endif

    static Four spread(Bits word) { return Four{word, word, word, word}; }
    static Bits joined(Four four) { return (four[0] | four[1]) | (four[2] | four[3]); }
    Four vector_steps() const {
        const auto rows = static_cast<std::uint64_t>(shape_.rows());
        return Four{1, rows, rows + 1, rows + 2};
    }

    template <class Find>
    Word over_directions(Word cells, Find&& find) const {
        if constexpr (kVector) {
            return joined(find(spread(cells), vector_steps()));
        } else {
            return connect4::over_directions(shape_, cells, find);
        }
    }
    template <class Find>
    Word over_directions(Word cells, Word others, Find&& find) const {
        if constexpr (kVector) {
            return joined(find(spread(cells), spread(others), vector_steps()));
        } else {
            Word found{0};
            for (const int step : steps(shape_)) found |= find(cells, others, step);
            return found;
        }
    }
    template <class Find>
    bool any_direction(Word cells, Find&& find) const {
#if defined(__AVX2__)
        if constexpr (kVector) {
            const auto found = std::bit_cast<__m256i>(find(spread(cells), vector_steps()));
            return _mm256_testz_si256(found, found) == 0;
        }
#endif
        return static_cast<bool>(over_directions(cells, find));
    }

    template <class S>
    struct FixedTag {};
    template <int C, int R>
        requires(C % 2 == 1)
    struct FixedTag<FixedShape<C, R>> {
        using type = int;
    };

    static bool less(Bits a, Bits b) { return a < b; }
    template <int Words>
    static bool less(const UInt<Words>& a, const UInt<Words>& b) {
        return a.words < b.words;
    }

    [[no_unique_address]] Shape shape_;
    Word follower_, spare_;
    bool mirrors_;
};

}  // namespace flipdrop::connect4::exact
