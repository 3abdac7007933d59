// Work on threads, and the counts and playouts that are made of it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "kernel/connect4/position.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/parallel.hpp"
#include "kernel/perft.hpp"
#include "kernel/playout.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

TEST_CASE("parallel_for") {
    const auto go_on = [](std::size_t) { return true; };
    for (std::size_t jobs : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}})
        for (int threads : {-1, 0, 1, 2, 9}) {
            std::vector<std::atomic<int>> done(jobs);
            CHECK(parallel_for(jobs, threads, [&](std::size_t i, const StopFlag&) { ++done[i]; }, go_on));
            CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
        }

    const auto until_stopped = [](std::size_t, const StopFlag& stop) {
        while (!stop.requested()) std::this_thread::yield();
    };
    for (int threads : {1, 3}) {
        int calls = 0;
        CHECK(!parallel_for(10, threads, until_stopped, [&](std::size_t finished) {
            CHECK(finished == 0);
            return ++calls < 2;
        }));
        CHECK(calls >= 2);
        // A stopped job does not count as finished, even if every job has been started.
        CHECK(!parallel_for(static_cast<std::size_t>(threads), threads, until_stopped,
                            [](std::size_t) { return false; }));
        struct Enough : std::runtime_error {
            using std::runtime_error::runtime_error;
        };
        CHECK(throws<Enough>(
            [&] { parallel_for(10, threads, until_stopped, [](std::size_t) -> bool { throw Enough("enough"); }); }));
        // What a job throws stops the others and passes through.
        CHECK(throws<Enough>([&] {
            parallel_for(
                10, threads,
                [&](std::size_t i, const StopFlag& stop) {
                    if (i == static_cast<std::size_t>(threads) - 1) throw Enough("enough");
                    until_stopped(i, stop);
                },
                go_on);
        }));
    }
    for (int round = 0; round < 300; ++round) {  // the last worker leaves while the watcher looks
        std::atomic<int> total{0};
        CHECK(parallel_for(3, 3, [&](std::size_t i, const StopFlag&) { total += static_cast<int>(i); }, go_on));
        CHECK(total == 3);
    }
}

TEST_CASE("ThreadTeam") {
    for (int threads : {1, 2, 5}) {
        ThreadTeam team(threads);
        for (int round = 0; round < 300; ++round) {  // helpers fall asleep and wake up
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
            team.run([&](int member) { ++calls[static_cast<std::size_t>(member)]; }, [] {});
            CHECK(std::all_of(calls.begin(), calls.end(), [](const auto& times) { return times == 1; }));
        }
        // When one thread throws, the others are stopped and have ended before the exception is rethrown; the team
        // stays usable.
        for (int culprit = 0; culprit < threads; ++culprit) {
            StopFlag stop;
            std::atomic<int> ended{0};
            CHECK(throws<std::runtime_error>([&] {
                team.run(
                    [&](int member) {
                        if (member == culprit) throw std::runtime_error("tired");
                        while (!stop.requested()) std::this_thread::yield();
                        ++ended;
                    },
                    [&] { stop.request(); });
            }));
            CHECK(ended == threads - 1);
        }
        std::atomic<int> calls{0};
        team.run([&](int) { ++calls; }, [] {});
        CHECK(calls == threads);
    }
}

template <class Board>
std::uint64_t counted(const Board& board, int depth, int threads) {
    std::uint64_t leaves = 0;
    CHECK(perft(board, depth, threads, [](std::size_t, std::size_t) { return true; }, leaves));
    return leaves;
}

TEST_CASE("perft") {
    constexpr std::array<std::uint64_t, 9> kOthello = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216};
    constexpr std::array<std::uint64_t, 9> kFour = {1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
    const connect4::Board<connect4::FixedShape<7, 6>> fixed;
    const connect4::Board<connect4::AnyShape<Bits>> one{{7, 6, connect4::kNoCell}};
    const connect4::Board<connect4::AnyShape<UInt<2>>> two{{7, 6, connect4::kNoCell}};
    const connect4::Board<connect4::AnyShape<UInt<3>>> three{{7, 6, connect4::kNoCell}};
    for (int depth = 0; depth <= 8; ++depth)
        for (int threads : {1, 2}) {
            const auto i = static_cast<std::size_t>(depth);
            CHECK(counted(othello::Board<8>{}, depth, threads) == kOthello[i]);
            CHECK(counted(fixed, depth, threads) == kFour[i]);
            CHECK(counted(one, depth, threads) == kFour[i]);
            if (depth > 7) continue;
            CHECK(counted(two, depth, threads) == kFour[i]);
            CHECK(counted(three, depth, threads) == kFour[i]);
        }
    const StopFlag stop;
    for (int depth = 0; depth <= 14; ++depth) {  // games that end before the tree is cut into jobs, and after
        CHECK(counted(othello::Board<4>{}, depth, 2) == perft(othello::Board<4>{}, depth, stop));
        othello::Board<4> late;
        for (int ply = 0; ply < 8 && late.moves().size() > 0; ++ply) late.play(late.moves().nth(0));
        CHECK(counted(late, depth, 2) == perft(late, depth, stop));
        connect4::Board<connect4::AnyShape<Bits>> four{{4, 4, connect4::kNoCell}};
        for (int column : {0, 1, 0, 1, 0}) four.play(column);
        CHECK(counted(four, depth, 2) == perft(four, depth, stop));
    }
    std::uint64_t leaves = 0;
    CHECK(!perft(othello::Board<8>{}, 40, 2, [](std::size_t, std::size_t) { return false; }, leaves));
}

TEST_CASE("playouts") {
    const auto go_on = [](std::size_t, std::size_t) { return true; };
    const othello::Board<6> board;
    for (std::int64_t games : {0, 1, 1023, 1024, 1025, 3000}) {
        const Tally one = playouts(board, games, 5, 1, go_on), two = playouts(board, games, 5, 2, go_on);
        CHECK(one.wins + one.draws + one.losses == games);
        CHECK((one.wins == two.wins && one.draws == two.draws && one.losses == two.losses));
    }
}

}  // namespace

}  // namespace flipdrop::tests
