// The Connect Four solver against plain negamax, and against itself where that would take too long. Tables are as small
// as they get, so that positions push each other out.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/connect4/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/random.hpp"
#include "kernel/solver/connect4/solver.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using connect4::AnyShape;
using connect4::Board;
using connect4::FixedShape;
using connect4::kNoCell;
using connect4::exact::Geometry;
using solver::Request;

template <class Shape>
using Solver = connect4::exact::Solver<Shape>;
using Shape64 = AnyShape<Bits>;

constexpr std::size_t kMegabytes = 1;

/// Discs in hand, as solver.hpp defines them; the side to move has lost, or it is a draw.
template <class Shape>
int final_score(const Board<Shape>& board) {
    return board.won_by_last_move() ? -(board.max_plies_left() / 2 + 1) : 0;
}

/// A bit index for a cell given by column and row, both from 0.
int cell(int column, int row, int rows) {
    return column * (rows + 1) + row;
}

/// A random position with at most `most_left` empty cells. Most games avoid quick ends, or they would never get far.
template <class Shape>
Board<Shape> random_position(const Shape& shape, int most_left, Random& random) {
    for (;;) {
        Board<Shape> board{.shape = shape};
        const int left = random.below(most_left + 1);
        while (board.max_plies_left() > left && board.moves().size() > 0) {
            const auto moves = random.below(3) > 0 ? board.decisive_moves() : board.moves();
            board.play(moves.nth(random.below(moves.size())));
        }
        if (board.max_plies_left() <= most_left) return board;
    }
}

/// Score, best move and line; who wins; and both for every move.
template <class Shape>
void check_answers(Solver<Shape>& solver, PerfectPlay<Board<Shape>>& perfect, const Board<Shape>& board, int threads) {
    const int score = perfect.score(board);
    const bool over = board.moves().size() == 0;

    const auto exact = solver.solve(board, {.threads = threads});
    CHECK((exact.exact() && exact.proven && exact.lower == score));
    CHECK((exact.best_proven && perfect.is_perfect(board, exact.line)));
    CHECK((over ? exact.best == -1 && exact.line.empty() : begins_with(exact.line, exact.best)));

    const auto outcome = solver.solve(board, {.threads = threads, .outcome_only = true});
    CHECK((outcome.proven && outcome.lower <= score && score <= outcome.upper));
    CHECK((outcome.lower > 0) - (outcome.upper < 0) == sign(score));
    CHECK((over || begins_with(outcome.line, outcome.best)));
    CHECK(perfect.is_perfect(board, outcome.line, true));

    CHECK(solver.solve(board, {.threads = threads, .best = false, .line = false}).best == -1);

    for (bool outcome_only : {false, true}) {
        const Request request{.threads = threads, .outcome_only = outcome_only, .moves = true};
        check_moves(perfect, board, request, solver.solve(board, request));
    }
}

/// What is said after a few nodes is true, if not the whole truth. Returns whether they were too few.
template <class Shape>
bool check_node_limit(Solver<Shape>& solver, PerfectPlay<Board<Shape>>& perfect, const Board<Shape>& board,
                      Request request) {
    const int score = perfect.score(board);
    const bool over = board.moves().size() == 0;
    solver.clear();  // or it would know from before
    const auto result = solver.solve(board, request);
    CHECK(result.nodes <= request.limits.nodes);
    CHECK((result.lower <= score && score <= result.upper));
    CHECK(result.proven == result.answers(request));
    CHECK((over ? result.best == -1 : is_legal(board, result.best)));
    if (result.best_proven && !over) {
        const int kept = perfect.score_of(board, result.best);
        CHECK((request.outcome_only ? sign(kept) == sign(score) : kept == score));
    }
    solver.clear();
    request.moves = true;
    const auto moves = solver.solve(board, request);
    CHECK(moves.nodes <= request.limits.nodes);
    check_moves(perfect, board, request, moves);
    return !result.proven;
}

template <class Shape>
void test_positions(const Shape& shape, int positions, int most_left, Random& random) {
    Solver<Shape> solver(shape, kMegabytes, Pages::Small);
    PerfectPlay<Board<Shape>> perfect(final_score<Shape>);
    for (int i = 0; i < positions; ++i) {
        const auto board = random_position(shape, most_left, random);
        check_answers(solver, perfect, board, 1 + random.below(2));
        const Request few{.limits = {.nodes = static_cast<std::uint64_t>(1 + random.below(50))},
                          .outcome_only = i % 4 == 0};
        check_node_limit(solver, perfect, board, few);
    }
}

/// Small boards of all proportions, without a forbidden cell and with one: anywhere, and in the middle column, where it
/// does not spoil the mirror image.
TEST_CASE("Connect Four solver: small boards") {
    Random random(11);
    for (const auto& [columns, rows] :
         std::vector<std::pair<int, int>>{{4, 4}, {5, 4}, {4, 5}, {5, 5}, {7, 4}, {4, 7}, {8, 7}}) {
        const int anywhere = cell(random.below(columns), random.below(rows), rows);
        const int in_the_middle = cell(columns / 2, random.below(rows), rows);
        for (int forbidden : {kNoCell, anywhere, in_the_middle})
            test_positions(Shape64(columns, rows, forbidden), 60, 12, random);
    }
    test_positions(FixedShape<7, 6>{}, 120, 13, random);
    using Wide2 = AnyShape<UInt<2>>;  // more than 64 cells
    test_positions(Wide2(9, 7, kNoCell), 30, 11, random);
    test_positions(Wide2(9, 7, cell(4, 3, 7)), 30, 11, random);
}

/// What the search concludes without searching, and what it takes to be the same position, holds everywhere in a game.
void check_shortcuts(const Geometry<Shape64>& geometry, const PerfectPlay<Board<Shape64>>& perfect) {
    std::unordered_map<Bits, int> score_by_key;
    int bounded = 0;
    perfect.for_each([&](const Board<Shape64>& board, int score) {
        const auto [same, is_new] = score_by_key.emplace(geometry.key(board.own, board.occupied), score);
        CHECK((is_new || same->second == score));

        const auto node = connect4::exact::node_of(geometry, board.own, board.occupied);
        if ((node.own_wins & board.landings()) != 0) return;
        auto forced_line = node;
        const auto end = connect4::exact::play_forced_moves(geometry, forced_line);
        if (!end.open) CHECK(score == (end.turned ? -end.value : end.value));
        if (!end.open || forced_line.occupied != node.occupied) return;
        const auto bounds = connect4::exact::open_bounds(node.left);
        CHECK((bounds.lower <= score && score <= bounds.upper));
        if (node.left % 2 != 0) return;
        const int most = geometry.follow_up_bound(node.own, node.occupied, node.other_wins, bounds.upper);
        CHECK(score <= most);
        bounded += most < bounds.upper;
    });
    CHECK(bounded > 0);
}

/// Games from the empty board, all of whose positions are known, and from a few moves later on larger boards.
TEST_CASE("Connect Four solver: whole games") {
    Random random(12);
    int too_few = 0;
    struct Game {
        int columns, rows, forbidden, plies;
    };
    for (const auto& [columns, rows, forbidden, plies] : std::vector<Game>{{4, 4, kNoCell, 0},
                                                                           {4, 4, cell(1, 1, 4), 0},
                                                                           {5, 4, cell(2, 3, 4), 6},
                                                                           {4, 5, kNoCell, 5},
                                                                           {5, 5, kNoCell, 9}}) {
        const Shape64 shape(columns, rows, forbidden);
        Solver<Shape64> solver(shape, kMegabytes, Pages::Small);
        PerfectPlay<Board<Shape64>> perfect(final_score<Shape64>);
        const auto board = after_random_moves(Board<Shape64>{.shape = shape}, plies, random);
        check_answers(solver, perfect, board, 1);
        for (std::uint64_t nodes : {1, 10, 100, 1000})
            for (bool outcome_only : {false, true})
                too_few += check_node_limit(solver, perfect, board,
                                            {.limits = {.nodes = nodes}, .outcome_only = outcome_only});
        check_shortcuts(Geometry<Shape64>(shape), perfect);
    }
    CHECK(too_few >= 10);
}

/// Too deep for negamax, and deep enough for a second thread to be started: any number of them finds the same in tables
/// of any size. Returns the score.
template <class Shape>
int test_threads(const Board<Shape>& board) {
    const int score = Solver<Shape>(board.shape, 16, Pages::Small).solve(board).lower;
    Solver<Shape> solver(board.shape, kMegabytes, Pages::Small);
    for (int threads : {1, 2, 3}) {
        solver.clear();
        for (std::uint64_t nodes : {1'000, 25'000}) {
            const auto cut = solver.solve(board, {.limits = {.nodes = nodes}, .threads = threads});
            CHECK((cut.lower <= score && score <= cut.upper));
        }
        solver.clear();
        const auto exact = solver.solve(board, {.threads = threads});
        CHECK((exact.exact() && exact.lower == score && exact.best_proven));
        CHECK(ends_in(board, exact.line, score, final_score<Shape>));
        CHECK(exact.nodes > 20'000);  // with which one thread is alone
        solver.clear();
        const auto outcome = solver.solve(board, {.threads = threads, .outcome_only = true});
        CHECK((outcome.proven && (outcome.lower > 0) - (outcome.upper < 0) == sign(score)));
        const auto moves = solver.solve(board, {.threads = threads, .moves = true});
        CHECK((moves.proven && moves.moves.front().lower == score && moves.moves.front().move == moves.best));
    }
    return score;
}

/// The first side wins on 7x6 with its last disc: a score of 1, and far more work than allowed here.
TEST_CASE("Connect Four solver: time limit and watch function") {
    const Board<FixedShape<7, 6>> start;
    Solver<FixedShape<7, 6>> solver(start.shape, kMegabytes, Pages::Small);
    for (int threads : {1, 2}) {
        const auto cut = solver.solve(start, {.limits = {.seconds = 0.1}, .threads = threads});
        CHECK((cut.lower <= 1 && 1 <= cut.upper && !cut.proven && !cut.best_proven));
        CHECK(is_legal(start, cut.best));
        CHECK((0.1 <= cut.seconds && cut.seconds < 5));  // a busy machine may be late, but not that late
        const auto moves = solver.solve(start, {.limits = {.seconds = 0.1}, .threads = threads, .moves = true});
        CHECK(moves.moves.size() == 7);
        for (const auto& move : moves.moves) {
            const int truth = move.move <= 3 ? move.move - 2 : 4 - move.move;  // -2 -1 0 1 0 -1 -2
            CHECK((move.lower <= truth && truth <= move.upper));
        }

        int calls = 0;
        const auto watch = [&](const solver::Solution& so_far) {
            CHECK((so_far.lower <= 1 && 1 <= so_far.upper && so_far.seconds > 0));
            if (++calls == 2) throw std::runtime_error("enough");
        };
        // No thread continues to solve the position first.
        const auto began = std::chrono::steady_clock::now();
        CHECK(throws<std::runtime_error>([&] { solver.solve(start, {.threads = threads}, watch); }));
        CHECK(calls == 2);
        calls = 0;
        CHECK(throws<std::runtime_error>([&] { solver.solve(start, {.threads = threads, .moves = true}, watch); }));
        CHECK(calls == 2);
        CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
    }
    // The solver stays usable.
    PerfectPlay<Board<FixedShape<7, 6>>> perfect(final_score<FixedShape<7, 6>>);
    Random random(13);
    check_answers(solver, perfect, random_position(start.shape, 12, random), 2);
}

TEST_CASE("Connect Four solver: finished games") {
    const Shape64 shape(4, 4, kNoCell);
    Solver<Shape64> solver(shape, kMegabytes, Pages::Small);
    PerfectPlay<Board<Shape64>> perfect(final_score<Shape64>);
    Board<Shape64> won{.shape = shape}, drawn{.shape = shape};
    for (int column : {0, 1, 0, 1, 0, 1, 0}) won.play(column);
    CHECK(perfect.score(won) == -5);  // nine cells empty: the winner had five discs in hand
    //     O X X O
    //     X O O X
    //     O X X O
    //     X O O X
    for (int column : {0, 1, 1, 0, 0, 1, 1, 0, 3, 2, 2, 3, 3, 2, 2, 3}) drawn.play(column);
    CHECK((drawn.moves().size() == 0 && perfect.score(drawn) == 0));
    for (const auto& board : {won, drawn})
        for (int threads : {1, 2}) check_answers(solver, perfect, board, threads);

    CHECK(throws<Error>([&] { solver.solve({.shape = Shape64(4, 4, 0)}); }));
    CHECK(throws<Error>([&] { solver.solve({.shape = Shape64(4, 5, kNoCell)}); }));
}

}  // namespace

TEST_CASE("Connect Four solver: threads") {
    CHECK(test_threads(Board<Shape64>{.shape = Shape64(5, 5, kNoCell)}) == 0);  // J. Tromp's table of small boards
    Board<FixedShape<7, 6>> middle_game;
    for (int column : {5, 0, 3, 6, 0, 2, 6, 6, 5, 0, 1, 3, 0, 6}) middle_game.play(column);
    test_threads(middle_game);
}

}  // namespace flipdrop::tests
