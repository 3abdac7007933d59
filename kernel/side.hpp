// The two sides of a game.
#pragma once

#include <cstdint>

namespace flipdrop {

/// FIRST moves first: black in Othello, red in Connect Four; X in notation, and SECOND is O.
enum class Side : std::uint8_t { First = 0, Second = 1 };

constexpr Side other(Side side) {
    return side == Side::First ? Side::Second : Side::First;
}

}  // namespace flipdrop
