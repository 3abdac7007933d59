// The interface of players that live in the kernel, and random moves.
#pragma once

#include <cstdint>
#include <utility>

#include "kernel/board.hpp"
#include "kernel/parallel.hpp"
#include "kernel/random.hpp"
#include "kernel/side.hpp"

namespace flipdrop::match {

/// Chooses moves as a function of board and seed only, not of earlier calls. Several threads may call one object at
/// once. Throws `Interrupted` soon after `stop` was requested.
template <GameBoard Board>
class Player {
public:
    Player() = default;
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;
    virtual ~Player() = default;
    virtual int choose(const Board& board, Side to_move, std::uint64_t seed, const StopFlag& stop) const = 0;
};

/// The same move for the same board and seed. The game must not be over.
template <GameBoard Board>
int random_move(const Board& board, std::uint64_t seed) {
    const auto moves = board.moves();
    FLIPDROP_ASSERT(moves.size() > 0);
    return moves.nth(Random(seed ^ board.key()).below(moves.size()));
}

/// Whether an epsilon-greedy player makes a random move here.
template <GameBoard Board>
bool is_random_move(const Board& board, std::uint64_t seed, double epsilon) {
    return epsilon > 0 && Random(~seed ^ board.key()).uniform() < epsilon;
}

}  // namespace flipdrop::match
