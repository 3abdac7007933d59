// The Connect Four engine: what it proves against the solver, determinism, mirror images, limits.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernel/connect4/board.hpp"
#include "kernel/engine/connect4/engine.hpp"
#include "kernel/random.hpp"
#include "kernel/solver/connect4/solver.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using connect4::AnyShape;
using connect4::Board;
using connect4::FixedShape;
using connect4::kNoCell;
using connect4::engine::Analysis;
using connect4::engine::RankedMove;
using connect4::engine::Settings;

template <class Shape>
using Engine = connect4::engine::Engine<Shape>;

constexpr std::array<double, 8> kWeights = {400, 40, 52, 21, 15, 10, 18, 284};

/// A position that is not over, of a game that avoids quick ends, with at most `most_left` empty cells.
template <class Shape>
Board<Shape> late_position(const Shape& shape, int most_left, Random& random) {
    for (;;) {
        Board<Shape> board{.shape = shape};
        while (board.moves().size() > 0 && board.max_plies_left() > most_left) {
            const auto moves = board.decisive_moves();
            board.play(moves.nth(random.below(moves.size())));
        }
        if (board.moves().size() > 0) return board;
    }
}

/// Every bound holds, the best move keeps the outcome, and where everything is proven its score is right.
template <class Shape>
void check_against_solver(const Shape& shape, int most_left, int positions, const Settings& settings, Random& random) {
    connect4::exact::Solver<Shape> solver(shape, 1);
    Engine<Shape> engine(shape, 2, kWeights);
    for (int i = 0; i < positions; ++i) {
        const auto board = late_position(shape, most_left, random);
        const Analysis found = engine.analyse(board, settings);
        const solver::Solution solved = solver.solve(board, {.moves = true});
        REQUIRE(static_cast<int>(found.moves.size()) == board.moves().size());
        for (const RankedMove& move : found.moves) {
            const auto exact = std::find_if(solved.moves.begin(), solved.moves.end(),
                                            [&](const auto& known) { return known.move == move.move; });
            REQUIRE(exact != solved.moves.end());
            CHECK(move.lower <= exact->lower);
            CHECK(exact->lower <= move.upper);
            const auto sign = [](int score) { return (score > 0) - (score < 0); };
            if (found.proven && move.move == found.moves.front().move) CHECK(sign(exact->lower) == sign(solved.lower));
        }
        if (board.moves().size() > 1 || settings.all_moves)
            CHECK(found.proven);  // a single move is played without search
        if (settings.all_moves)
            for (const RankedMove& move : found.moves) CHECK(move.lower == move.upper);
        Board<Shape> end = board;
        for (const int column : found.line) end.play(column);  // asserts that moves are legal
    }
}

template <class Shape>
void check_board(const Shape& shape, int most_left, Random& random) {
    const search::Limits enough{.nodes = 3'000'000};
    check_against_solver(shape, most_left, 6, {.limits = enough}, random);
    check_against_solver(shape, most_left, 4, {.limits = enough, .all_moves = true, .solve_share = 0.5}, random);
    check_against_solver(shape, most_left, 3, {.limits = enough, .threads = 2}, random);
}

TEST_CASE("Connect Four engine: proofs") {
    Random random(5);
    check_board(FixedShape<7, 6>{}, 18, random);
    check_board(AnyShape<Bits>(4, 4, kNoCell), 16, random);
    check_board(AnyShape<Bits>(5, 5, 2 * 6 + 0), 16, random);
    check_board(AnyShape<Bits>(6, 7, 3 * 8 + 6), 16, random);
    check_board(AnyShape<UInt<2>>(9, 9, 4 * 10 + 4), 16, random);
    check_board(AnyShape<UInt<3>>(12, 12, 7 * 13 + 11), 14, random);
}

TEST_CASE("Connect Four engine: the same search finds the same") {
    const AnyShape<UInt<2>> shape(10, 9, 33);
    Engine<AnyShape<UInt<2>>> engine(shape, 2, kWeights);
    Random random(3);
    const auto board = late_position(shape, 70, random);
    for (const Settings& settings :
         {Settings{.limits = {.depth = 6}}, Settings{.limits = {.nodes = 20'000}}, Settings{.limits = {.depth = 1}}}) {
        engine.clear();
        const Analysis first = engine.analyse(board, settings);
        engine.clear();
        const Analysis second = engine.analyse(board, settings);
        CHECK(first.nodes == second.nodes);
        CHECK(first.line == second.line);
        for (std::size_t i = 0; i < first.moves.size(); ++i) {
            CHECK(first.moves[i].move == second.moves[i].move);
            CHECK(first.moves[i].value == second.moves[i].value);
        }
        if (settings.limits.nodes > 0) CHECK(first.nodes <= settings.limits.nodes + 1000);
    }
}

TEST_CASE("Connect Four engine: mirror images have mirrored values") {
    const AnyShape<UInt<2>> shape(9, 8, 4 * 9 + 3);  // the forbidden cell is in the middle column
    Engine<AnyShape<UInt<2>>> engine(shape, 2, kWeights);
    Random random(9);
    for (int i = 0; i < 5; ++i) {
        Board<AnyShape<UInt<2>>> board{.shape = shape}, image{.shape = shape};
        for (int ply = 0; ply < 12; ++ply) {
            const auto moves = board.decisive_moves();
            if (moves.size() == 0 || board.moves().size() == 0) break;
            const int column = moves.nth(random.below(moves.size()));
            board.play(column);
            image.play(8 - column);
            if (board.moves().size() == 0) break;
        }
        if (board.moves().size() == 0) continue;
        const Settings settings{.limits = {.depth = 3}, .all_moves = true};
        engine.clear();
        const Analysis found = engine.analyse(board, settings);
        engine.clear();
        const Analysis mirrored = engine.analyse(image, settings);
        for (const RankedMove& move : found.moves)
            for (const RankedMove& other : mirrored.moves)
                if (other.move == 8 - move.move && move.exact && other.exact) CHECK(move.value == other.value);
    }
}

TEST_CASE("Connect Four engine: callbacks end it") {
    const AnyShape<UInt<3>> shape(12, 12, kNoCell);
    Engine<AnyShape<UInt<3>>> engine(shape, 2, kWeights);
    struct Enough {};
    for (const int threads : {1, 2})
        CHECK(throws<Enough>([&] {
            engine.analyse(Board<AnyShape<UInt<3>>>{.shape = shape}, {.threads = threads},
                           [](const Analysis&) { throw Enough{}; });
        }));
}

}  // namespace
}  // namespace flipdrop::tests
