// One thread's table of positions near the end. Transpositions follow each other closely there: a table that fits the
// cache of the thread's core finds most of them, where a probe of the large table would cost more than it saves. It
// stores no selectivity: all its bounds are exact.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"

namespace flipdrop::othello::endgame {

template <int Size>
class SmallTable {
public:
    /// Bounds of the score of the latest position with this address.
    struct Entry {
        Bits own = 0, other = 0;
        std::int8_t lower = 0, upper = 0;

        bool is(const Board<Size>& board) const { return own == board.own && other == board.other; }

        /// Adds a bound found by a null-window test.
        void add(const Board<Size>& board, int threshold, int score) {
            if (!is(board)) *this = {board.own, board.other, -Size * Size, Size * Size};
            (score > threshold ? lower : upper) = static_cast<std::int8_t>(score);
        }
    };

    Entry& of(const Board<Size>& board) {
        return entries_[(board.own * 0x9fb21c651e98df25ULL ^ board.other * 0xd6e8feb86659fd93ULL) >> (64 - kBits)];
    }

    void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

private:
    static constexpr int kBits = 12;  // 96 KB

    std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kBits);
};

}  // namespace flipdrop::othello::endgame
