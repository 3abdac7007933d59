// The principal variation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace flipdrop::search {

/// Maximal length: more plies than any game has, passes included.
inline constexpr int kMaxLineLength = 160;

struct Line {
    int size = 0;
    std::array<std::uint8_t, kMaxLineLength> moves;

    /// Becomes `move` followed by `rest`.
    void set(int move, const Line& rest) {
        moves[0] = static_cast<std::uint8_t>(move);
        size = rest.size + 1 < kMaxLineLength ? rest.size + 1 : kMaxLineLength;
        for (int i = 1; i < size; ++i) moves[static_cast<unsigned>(i)] = rest.moves[static_cast<unsigned>(i - 1)];
    }
    std::vector<int> as_vector() const { return {moves.begin(), moves.begin() + size}; }
};

}  // namespace flipdrop::search
