// Move ordering. The sooner a move exceeds the threshold, the less is searched; of several such moves, the one that
// leaves the opponent the fewest replies has the smallest tree (fastest first).
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/regions.hpp"
#include "kernel/solver/othello/flips.hpp"
#include "kernel/solver/othello/handcrafted_evaluator.hpp"

namespace flipdrop::othello::endgame {

/// A position after a move. Without initial values: every node makes a list of them and uses only its beginning.
template <int Size>
struct Child {
    Bits own, other;  ///< for the opponent, which is to move now
    Bits replies;     ///< legal squares of the opponent
    std::uint64_t key;
    int move;
    int score;  ///< higher is searched earlier

    Board<Size> board() const { return {own, other}; }
};

/// No position has more moves than this.
inline constexpr std::size_t kMaxMoves = 40;

template <int Size>
class Children {
public:
    void add(const Child<Size>& child) {
        FLIPDROP_ASSERT(size_ < kMaxMoves);
        list_[size_++] = child;
    }
    std::size_t size() const { return size_; }
    Child<Size>& operator[](std::size_t i) { return list_[i]; }
    Child<Size>* begin() { return list_.data(); }
    Child<Size>* end() { return list_.data() + size_; }

    /// Moves the best of the children from `i` on to index `i`.
    const Child<Size>& pick(std::size_t i) {
        std::size_t best = i;
        for (std::size_t j = i + 1; j < size_; ++j)
            if (list_[j].score > list_[best].score) best = j;
        if (best != i) std::swap(list_[i], list_[best]);
        return list_[i];
    }

private:
    std::array<Child<Size>, kMaxMoves> list_;
    std::size_t size_ = 0;
};

/// A static preference for squares by their distance from corners and edges.
template <int Size>
consteval std::array<std::int8_t, 64> make_square_scores() {
    std::array<std::int8_t, 64> scores{};
    for (int square = 0; square < 64; ++square) {
        const Bits bit = Bits{1} << square;
        int score = 0;
        if ((bit & kCorners<Size>) != 0)
            score = 18;
        else if ((bit & kXSquares<Size>) != 0)
            score = -8;
        else if ((bit & corner_neighbours<Size>(kCorners<Size>)) != 0)
            score = -2;
        else if ((bit & kEdges<Size>) != 0)
            score = 4;
        else if ((bit & kSecondRing<Size>) != 0)
            score = -1;
        scores[static_cast<unsigned>(square)] = static_cast<std::int8_t>(score);
    }
    return scores;
}
template <int Size>
inline constexpr std::array<std::int8_t, 64> kSquareScore = make_square_scores<Size>();

/// An ordering score for a move near the end, from the board after it and the quadrants that were odd before it.
template <int Size>
int move_score(const Board<Size>& after, Bits replies, int move, unsigned odd) {
    const Bits empties = after.empties();
    int score = kSquareScore<Size>[static_cast<unsigned>(move)];
    score -= 16 * (count(replies) + count(replies & kCorners<Size>));
    score -= 2 * count(around<Size>(empties) & after.other);
    if ((kQuadrant<Size>[static_cast<unsigned>(move)] & odd) != 0) score += 8;
    return score;
}

/// A cheaper ordering score.
template <int Size>
int fast_move_score(Bits replies, int move, unsigned odd) {
    int score = -2 * (count(replies) + count(replies & kCorners<Size>));
    if ((kQuadrant<Size>[static_cast<unsigned>(move)] & odd) != 0) score += 1;
    if ((Bits{1} << move & kCorners<Size>) != 0) score += 1;
    return score;
}

}  // namespace flipdrop::othello::endgame
