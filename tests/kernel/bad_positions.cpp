// Positions that cannot occur.
#include <array>
#include <string>
#include <string_view>

#include "kernel/connect4/position.hpp"
#include "kernel/errors.hpp"
#include "kernel/othello/position.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
TEST_CASE("illegal positions are refused") {
    const auto othello = [](int size, std::string_view cells) {
        return throws<IllegalPosition>([&] { othello::Position(size, cells, Side::First); });
    };
    CHECK(!othello(4, "-----OX--XO-----"));
    CHECK(othello(5, "-----OX--XO-----"));
    CHECK(othello(-4, "-----OX--XO-----"));
    CHECK(othello(0, ""));
    CHECK(othello(4, ""));
    CHECK(othello(4, "-----OX--XO----"));
    CHECK(othello(4, "-----OX--XO------"));
    CHECK(othello(4, "-----OX--XO----x"));
    CHECK(othello(4, std::string_view("\0----OX--XO-----", 16)));
    CHECK(othello(4, "\xff----OX--XO-----"));
    CHECK(othello(4, "------X--XO-----"));                      // an empty centre
    CHECK(othello(6, "X-------------OX----XO--------------"));  // a disc by itself
    CHECK(!othello(4, "XX---OX--XO-----"));

    const auto four = [](int columns, int rows, std::string_view cells, Side side) {
        return throws<IllegalPosition>([&] { connect4::Position(columns, rows, cells, side); });
    };
    CHECK(!four(4, 4, "----------------", Side::First));
    CHECK(!four(4, 4, "-------------X--", Side::Second));
    CHECK(four(4, 4, "----------------", Side::Second));
    CHECK(four(4, 4, "-------------X--", Side::First));
    CHECK(four(4, 4, "---------------", Side::First));
    CHECK(four(4, 4, "", Side::First));
    CHECK(four(3, 4, "------------", Side::First));
    CHECK(four(13, 4, std::string(52, '-'), Side::First));
    CHECK(four(-4, -4, "----------------", Side::First));
    CHECK(four(4, 1 << 30, "", Side::First));
    CHECK(four(4, 4, "---------X------", Side::Second));  // in the air
    CHECK(four(4, 4, "-----X---#------", Side::Second));  // above the forbidden cell, with nothing below
    CHECK(!four(4, 4, "-----X---#---O--", Side::First));
    CHECK(!four(4, 4, "---------X---#--", Side::Second));
    CHECK(four(4, 4, "------------XX--", Side::Second));  // two moves at once
    CHECK(four(4, 4, "------------O---", Side::First));
    CHECK(four(4, 4, "#------------#--", Side::First));
    CHECK(four(4, 4, "x---------------", Side::First));
    CHECK(four(4, 4, "--------XXXXOOOO", Side::First));  // both have won
    CHECK(!four(4, 4, "--------OOO-XXXX", Side::Second));

    const othello::Position start(4, "-----OX--XO-----", Side::First);
    for (int move : {-1, 17, 1 << 30, -(1 << 30)}) {
        CHECK(throws<IllegalMove>([&] { start.played(move); }));
        CHECK(throws<IllegalMove>([&] { start.flipped_by(move); }));
        CHECK(throws<IllegalMove>([&] { start.move_name(move); }));
        CHECK(throws<IllegalMove>([&] { start.transformed_move(move, 1); }));
    }
    for (const char* name : {"", "a", "a0", "a5", "e1", "a11", "pas", "\xff\xff", "@1", "`1"})
        CHECK(throws<IllegalMove>([&] { start.parsed_move(name); }));
    for (int symmetry : {-1, 8, 1 << 30}) {
        CHECK(throws<Error>([&] { start.transformed(symmetry); }));
        CHECK(throws<Error>([&] { start.transformed_move(0, symmetry); }));
    }
}

}  // namespace flipdrop::tests
