// What one thread has just found out about positions near the end. Move orders that lead to the same position follow
// each other closely there: a table that fits into the cache of the thread's own core finds most of them, where a look
// into the large one would cost more than it saves. It knows no selectivities: all that it keeps is proven.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"

namespace flipdrop::othello::endgame {

template <int Size>
class SmallTable {
public:
    /// Bounds of the score of the position that was here last.
    struct Entry {
        Bits own = 0, other = 0;
        std::int8_t lower = 0, upper = 0;

        bool is(const Board<Size>& board) const { return own == board.own && other == board.other; }

        /// A bound found by asking whether the score is above a threshold.
        void add(const Board<Size>& board, int threshold, int score) {
            if (!is(board)) *this = {board.own, board.other, -Size * Size, Size * Size};
            (score > threshold ? lower : upper) = static_cast<std::int8_t>(score);
        }
    };

    Entry& of(const Board<Size>& board) {
        return entries_[(board.own * 0x9fb21c651e98df25ULL ^ board.other * 0xd6e8feb86659fd93ULL) >> (64 - kBits)];
    }

private:
    static constexpr int kBits = 12;  // 96 KB

    std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kBits);
};

}  // namespace flipdrop::othello::endgame
