// The Othello endgame solver against plain negamax, and against itself where that would take too long. Large
// tables are as small as they get, so that positions push each other out.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "kernel/othello/board.hpp"
#include "kernel/random.hpp"
#include "kernel/search/control.hpp"
#include "kernel/solver/othello/handcrafted_evaluator.hpp"
#include "kernel/solver/othello/search.hpp"
#include "kernel/solver/othello/small_table.hpp"
#include "kernel/solver/othello/solver.hpp"
#include "kernel/solver/othello/stability.hpp"
#include "kernel/solver/othello/table.hpp"
#include "kernel/solver/othello/ybwc.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using othello::Board;
using othello::endgame::OpenLines;
using othello::endgame::Solver;
using solver::Request;
using solver::Solution;

constexpr std::size_t kMegabytes = 1;

template <int Size>
int final_score(const Board<Size>& board) {
    return board.final_margin();
}

/// Random play until `empties` squares are left. With `may_be_over`, the game may have ended.
template <int Size>
Board<Size> random_position(int empties, Random& random, bool may_be_over = true) {
    for (;;) {
        Board<Size> board;
        while (count(board.empties()) > empties && board.moves().size() > 0)
            board = after_random_moves(board, 1, random);
        if (count(board.empties()) == empties && (may_be_over || board.moves().size() > 0)) return board;
    }
}

/// Random discs with `empties` empty squares, reachable or not.
template <int Size>
Board<Size> strewn_discs(int empties, Random& random) {
    Bits discs = Board<Size>::kSquares;
    for (; empties > 0; --empties) discs ^= bit<Bits>(nth(discs, random.below(count(discs))));
    Bits own = random.next();
    if (random.below(3) == 0) own &= random.next() & random.next();  // long runs of the other side
    if (random.below(3) == 0) own |= random.next() & random.next();
    return {discs & own, discs & ~own};
}

/// Score, best move and line; who wins; and both for every move.
template <int Size>
void check_answers(Solver<Size>& solver, PerfectPlay<Board<Size>>& perfect, const Board<Size>& board, int threads) {
    const int score = perfect.score(board);
    const bool over = board.moves().size() == 0;

    const Solution exact = solver.solve(board, {.threads = threads});
    CHECK((exact.exact() && exact.lower == score && exact.guess == score && exact.proven));
    CHECK(perfect.is_perfect(board, exact.line));
    CHECK((over ? exact.best == -1 && exact.line.empty() : begins_with(exact.line, exact.best)));

    const Solution outcome = solver.solve(board, {.threads = threads, .outcome_only = true});
    CHECK((outcome.decided() && outcome.proven));
    CHECK((outcome.lower <= score && score <= outcome.upper));
    CHECK((over || begins_with(outcome.line, outcome.best)));
    CHECK(perfect.is_perfect(board, outcome.line, true));

    CHECK(solver.solve(board, {.threads = threads, .line = false}).line.empty());

    for (bool outcome_only : {false, true}) {
        const Request request{.threads = threads, .outcome_only = outcome_only, .moves = true};
        check_moves(perfect, board, request, solver.solve(board, request));
    }
}

/// Near the end all that the solver says is compared with negamax.
template <int Size>
void test_positions(int positions) {
    Random random(20 + Size);
    Solver<Size> solver(kMegabytes);
    PerfectPlay<Board<Size>> perfect(final_score<Size>);
    for (int i = 0; i < positions; ++i) {
        const int empties = random.below(10);
        const auto board = i % 4 == 0 ? strewn_discs<Size>(empties, random) : random_position<Size>(empties, random);
        check_answers(solver, perfect, board, 1 + random.below(2));
    }
}

/// The functions for the last four moves, with any threshold.
template <int Size>
void test_last_moves() {
    Random random(30 + Size);
    PerfectPlay<Board<Size>> perfect(final_score<Size>);
    for (int i = 0; i < 4000; ++i) {
        const auto board = i % 2 == 0 ? strewn_discs<Size>(i % 5, random) : random_position<Size>(i % 5, random);
        const int score = perfect.score(board);
        std::uint64_t nodes = 0;
        for (int threshold = -Size * Size - 1; threshold <= Size * Size + 1; threshold += 2) {
            const int bound = othello::endgame::solve_last<Size>(board, threshold, nodes);
            CHECK((bound > threshold ? bound <= score : score <= bound));
            CHECK(sign(bound - threshold) == sign(score - threshold));
        }
    }
}

/// Whether these discs keep their colour in every game from here.
template <int Size>
bool stay(const Board<Size>& board, Bits own, Bits other) {
    if ((own & ~board.own) != 0 || (other & ~board.other) != 0) return false;
    bool kept = true;
    board.moves().for_each([&](int move) { kept = kept && stay(played(board, move), other, own); });
    return kept;
}

/// What is called stable is never turned again, and so bounds the score.
template <int Size>
void test_stability() {
    Random random(40 + Size);
    PerfectPlay<Board<Size>> perfect(final_score<Size>);
    int stable_discs = 0;
    for (int i = 0; i < 400; ++i) {
        const int empties = random.below(7);
        const auto board = i % 2 == 0 ? strewn_discs<Size>(empties, random) : random_position<Size>(empties, random);
        const OpenLines<Size> lines(board.empties());
        const Bits own = lines.stable(board.own), other = lines.stable(board.other);
        CHECK(stay(board, own, other));
        const int enough = random.below(count(own) + 1);
        const Bits some = lines.stable(board.own, enough);
        CHECK(((some & ~own) == 0 && count(some) >= enough));
        CHECK(perfect.score(board) <= Size * Size - 2 * count(other));
        CHECK(perfect.score(board) >= 2 * count(own) - Size * Size);
        if (board.empties() == 0) CHECK((own == board.own && other == board.other));
    }
    // Earlier in the game there is no trying all continuations: random ones, and every move off their way.
    for (int game = 0; game < 100; ++game) {
        Board<Size> board;
        Bits own = 0, other = 0;
        for (auto moves = board.moves(); moves.size() > 0; moves = board.moves(), std::swap(own, other)) {
            const OpenLines<Size> lines(board.empties());
            own |= lines.stable(board.own);
            other |= lines.stable(board.other);
            moves.for_each([&](int move) {
                const auto next = played(board, move);
                CHECK(((own & ~next.other) == 0 && (other & ~next.own) == 0));
            });
            stable_discs += count(own | other);
            board.play(moves.nth(random.below(moves.size())));
        }
    }
    CHECK(stable_discs > 0);
}

/// Runs of discs along the rim from a corner stay, whatever is empty.
template <int Size>
void test_runs_from_corners() {
    constexpr int kLast = Size - 1;
    for (int length = 1; length <= Size; ++length) {
        Bits row = 0, column = 0;
        for (int i = 0; i < length; ++i) row |= Bits{1} << i, column |= Bits{1} << (8 * i);
        const int rest = Size - length;
        for (Bits run : {row, row << (8 * kLast), column, column << kLast, row << rest, column << (8 * rest)})
            CHECK(OpenLines<Size>(Board<Size>::kSquares & ~run).stable(run) == run);
    }
}

/// An entry speaks of one position alone, and forgets all of it for another.
template <int Size>
void test_small_table() {
    using Table = othello::endgame::SmallTable<Size>;
    constexpr int kMax = Size * Size;
    const Board<Size> board, swapped{board.other, board.own}, less{board.own, without_lowest(board.other)},
        fewer{without_lowest(board.own), board.other};
    typename Table::Entry entry;
    CHECK(!entry.is(board));
    entry.add(board, 1 - kMax, 2 - kMax);
    entry.add(board, kMax - 1, kMax);
    CHECK((entry.is(board) && entry.lower == kMax && entry.upper == kMax));
    for (const auto& another : {swapped, less, fewer}) CHECK(!entry.is(another));
    entry.add(less, 3, -kMax);
    CHECK((entry.is(less) && !entry.is(board) && entry.lower == -kMax && entry.upper == -kMax));
    entry.add(board, 3, 2);
    entry.add(board, -3, -2);
    CHECK((entry.is(board) && entry.lower == -2 && entry.upper == 2));
    Table table;
    CHECK((&table.of(board) == &table.of(board) && &table.of(board) != &table.of(swapped)));
}

/// Any threshold, in any order: what earlier questions left behind never makes an answer wrong.
template <int Size>
void test_thresholds(int positions) {
    using namespace othello::endgame;
    Random random(70 + Size);
    PerfectPlay<Board<Size>> perfect(tests::final_score<Size>);
    search::SearchControl control({}, [] {});
    Table table(kMegabytes);
    YbwcPool<Size> pool(1);
    Shared<Size> shared{control, table, pool};
    SmallTable<Size> small_table;
    Search<Size, HandcraftedEvaluator<Size>> search(shared, {}, small_table, 0);
    for (int i = 0; i < positions; ++i) {
        const int empties = i % 16 == 0 ? 10 : 5 + random.below(5);
        const auto board = i % 4 == 1 ? strewn_discs<Size>(empties, random) : random_position<Size>(empties, random);
        const int score = perfect.score(board);
        for (int asked = 0; asked < 30; ++asked) {
            const int threshold = 2 * random.below(Size * Size) + 1 - Size * Size;
            const int bound = search.exceeds(board, threshold);
            CHECK((bound > threshold ? threshold < score && bound <= score : score < threshold && score <= bound));
        }
    }
}

/// The whole game on 4x4. Its first moves are the only ones here with so few discs that mirror images share an entry.
TEST_CASE("Othello solver: 4x4") {
    Solver<4> solver(kMegabytes);
    PerfectPlay<Board<4>> perfect(final_score<4>);
    const Board<4> start;
    CHECK(perfect.score(start) == -10);  // 3 to 11, and the two squares that stay empty
    for (int threads : {1, 2}) {
        solver.clear();
        check_answers(solver, perfect, start, threads);
        start.moves().for_each([&](int first) {
            const auto next = played(start, first);
            check_answers(solver, perfect, next, threads);
            next.moves().for_each([&](int second) { check_answers(solver, perfect, played(next, second), threads); });
        });
    }
}

/// Too deep for negamax, and deep enough for threads to share the work: any number of them, with tables of any size,
/// finds the same; and what a search that was stopped, or a selective one, leaves in the table does no harm.
template <int Size>
void test_deep(int positions, int empties) {
    Random random(50 + Size);
    Solver<Size> large(16), small(kMegabytes);
    int stopped = 0;
    for (int i = 0; i < positions; ++i) {
        const auto board = random_position<Size>(empties, random, false);
        const Solution truth = large.solve(board, {.line = false});
        const int score = truth.lower;
        small.clear();
        for (std::uint64_t nodes = 1; nodes < truth.nodes; nodes *= 8) {
            const Solution cut = small.solve(board, {.limits = {.nodes = nodes}, .threads = 1 + i % 2});
            CHECK((cut.lower <= score && score <= cut.upper));
            CHECK((cut.lower <= cut.guess && cut.guess <= cut.upper));
            CHECK((is_legal(board, cut.best) && begins_with(cut.line, cut.best)));
            CHECK((cut.exact() || !cut.proven));
            CHECK(cut.nodes < nodes + 100'000);  // it looks up only once in a while
            stopped += !cut.exact();
        }
        for (int threads : {1, 2, 3}) {
            const Solution exact = small.solve(board, {.threads = threads});
            CHECK((exact.exact() && exact.lower == score && exact.proven));
            CHECK(ends_in(board, exact.line, score, final_score<Size>));
            small.clear();
            const Solution outcome = small.solve(board, {.threads = threads, .outcome_only = true});
            CHECK((outcome.decided() && outcome.lower <= score && score <= outcome.upper));
        }

        // Move by move: each is one step nearer to the end, where searches are not selective before they are proven.
        const Solution all = small.solve(board, {.threads = 2, .moves = true});
        CHECK((all.proven && all.moves.front().lower == score && all.moves.front().move == all.best));
        const Solution cut = small.solve(board, {.limits = {.nodes = 5'000}, .moves = true});
        CHECK((cut.moves.size() == all.moves.size() && cut.nodes < 105'000));
        for (const auto& move : all.moves) {
            const Solution after = large.solve(played(board, move.move), {.line = false});
            CHECK((after.exact() && move.exact() && move.lower == -after.lower));
            for (const auto& bounds : cut.moves)
                if (bounds.move == move.move) CHECK((bounds.lower <= move.lower && move.lower <= bounds.upper));
        }
    }
    CHECK(stopped > positions);
}

/// The second side wins by four on 6x6 (J. Feinstein, 1993), which takes far more work than is allowed here.
TEST_CASE("Othello solver: time limit and watch function") {
    const Board<6> start;
    Solver<6> solver(kMegabytes);
    for (int threads : {1, 2}) {
        const Solution cut = solver.solve(start, {.limits = {.seconds = 0.1}, .threads = threads});
        CHECK((cut.lower <= -4 && -4 <= cut.upper && !cut.exact() && !cut.proven));
        CHECK(is_legal(start, cut.best));
        CHECK((0.1 <= cut.seconds && cut.seconds < 5));  // a busy machine may be late, but not that late

        // What is thrown ends the work at once.
        int calls = 0;
        const auto tired = [&](const Solution& so_far) {
            CHECK((so_far.lower <= -4 && -4 <= so_far.upper && so_far.seconds > 0));
            if (++calls == 2) throw std::runtime_error("enough");
        };
        const auto began = std::chrono::steady_clock::now();
        for (bool moves : {false, true}) {
            calls = 0;
            CHECK(
                throws<std::runtime_error>([&] { solver.solve(start, {.threads = threads, .moves = moves}, tired); }));
            CHECK(calls == 2);
        }
        CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
    }
    // The solver stays usable.
    PerfectPlay<Board<6>> perfect(final_score<6>);
    Random random(60);
    check_answers(solver, perfect, random_position<6>(8, random, false), 2);
}

/// Neither side can move: with squares left, which go to the winner, and on a full board.
TEST_CASE("Othello solver: finished games") {
    Solver<8> solver(kMegabytes);
    PerfectPlay<Board<8>> perfect(final_score<8>);
    constexpr Bits kUpperHalf = 0x0000'0000'ffff'ffff, kTopRow = 0xff, kBottomRow = kTopRow << 56;
    using Game = std::pair<Board<8>, int>;
    for (const auto& [board, score] :
         {Game{{kUpperHalf, ~kUpperHalf}, 0}, Game{{kUpperHalf << 8, ~(kUpperHalf << 8)}, 0},
          Game{{kTopRow, kBottomRow}, 0}, Game{{kTopRow, 0}, 64}, Game{{0, kTopRow}, -64},
          Game{{kTopRow, kBottomRow >> 1 & kBottomRow}, 50}}) {
        CHECK((board.moves().size() == 0 && perfect.score(board) == score));
        for (int threads : {1, 2}) check_answers(solver, perfect, board, threads);
        CHECK(solver.solve(board, {.limits = {.nodes = 1}}).exact());
    }
}

template <int Size>
void test_size(int positions) {
    test_positions<Size>(positions);
    test_last_moves<Size>();
    test_stability<Size>();
    test_runs_from_corners<Size>();
    test_small_table<Size>();
    test_thresholds<Size>(positions / 4);
}

}  // namespace

TEST_CASE("Othello solver: every part, on each size") {
    test_size<4>(400);
    test_size<6>(300);
    test_size<8>(200);
}

TEST_CASE("Othello solver: deep searches") {
    test_deep<8>(8, 14);
    test_deep<6>(2, 18);  // from 18 on selective searches come first
}

}  // namespace flipdrop::tests
