// Boards as arrays, and many games stepped together.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernel/batch/games.hpp"
#include "kernel/connect4/board.hpp"
#include "kernel/othello/board.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using batch::Byte, batch::Games, batch::Layout, batch::Output, batch::Settings, batch::WorkSharing;

/// Arrays of the right size for a number of games.
template <class Board>
struct Rows {
    explicit Rows(const Games<Board>& games)
        : observation(games.size() * static_cast<std::size_t>(games.settings().planes * games.layout().rows() *
                                                              games.layout().columns())),
          mask(games.size() * static_cast<std::size_t>(games.layout().moves())),
          reward(games.size()),
          done(games.size()),
          actions(games.size()) {}

    Output output() { return {observation.data(), mask.data(), reward.data(), done.data()}; }

    std::vector<Byte> observation, mask;
    std::vector<float> reward;
    std::vector<Byte> done;
    std::vector<std::int32_t> actions;
};

/// Steps random games and compares every row with the network's encoding of its board.
template <class Board>
void check_games(const Board& start, int planes) {
    Games<Board> games(start, Side::First, 300, Settings{planes, true, 2, 7}, 2);
    Rows<Board> rows(games);
    const puct::Encoding<Board> encoding(start);
    const auto area = static_cast<std::size_t>(encoding.rows() * encoding.columns());
    const auto moves = static_cast<std::size_t>(encoding.moves());
    std::vector<float> expected(puct::kPlanes * area);
    int ended = 0;
    for (int step = 0; step < 60; ++step) {
        games.random_actions(rows.actions.data());
        games.step(rows.actions, rows.output());
        for (std::size_t i = 0; i < games.size(); ++i) {
            encoding.write_planes(games.board(i), 0, expected.data());
            const std::size_t size = static_cast<std::size_t>(planes) * area;
            for (std::size_t cell = 0; cell < size; ++cell)
                CHECK(static_cast<float>(rows.observation[i * size + cell]) == expected[cell]);
            std::vector<Byte> mask(moves);
            games.board(i).moves().for_each(
                [&](int move) { mask[static_cast<std::size_t>(encoding.move_number(move, 0))] = 1; });
            CHECK(std::equal(mask.begin(), mask.end(), rows.mask.begin() + static_cast<std::ptrdiff_t>(i * moves)));
            ended += rows.done[i];
            if (rows.reward[i] != 0) CHECK(rows.done[i] == 1);
        }
    }
    CHECK(ended > 0);
}

}  // namespace

TEST_CASE("games that are stepped together keep to the rules and to the network's planes") {
    check_games(othello::Board<8>{}, 4);
    check_games(othello::Board<6>{}, 2);
    check_games(othello::Board<4>{}, 2);
    check_games(connect4::Board<connect4::FixedShape<7, 6>>{}, 4);
    check_games(connect4::Board<connect4::AnyShape<Bits>>{{5, 4, 3}}, 2);
    check_games(connect4::Board<connect4::AnyShape<UInt<2>>>{{9, 10, connect4::kNoCell}}, 4);
    check_games(connect4::Board<connect4::AnyShape<UInt<3>>>{{12, 12, connect4::kNoCell}}, 2);
}

TEST_CASE("an illegal action throws and moves no game") {
    Games<othello::Board<8>> games({}, Side::First, 3, {}, 1);
    Rows<othello::Board<8>> rows(games);
    games.random_actions(rows.actions.data());
    for (const int wrong : {-1, 0, 64, 65}) {
        rows.actions[2] = wrong;
        CHECK(throws<IllegalMove>([&] { games.step(rows.actions, rows.output()); }));
        for (std::size_t i = 0; i < 3; ++i) CHECK(games.board(i) == othello::Board<8>{});
    }
}

TEST_CASE("every part of shared work is done once") {
    for (const int threads : {1, 2, 5}) {
        WorkSharing sharing(threads);
        for (std::size_t parts = 0; parts < 200; ++parts) {
            std::vector<int> done(parts);
            sharing.run(parts, [&](std::size_t part) { ++done[part]; });
            CHECK(std::accumulate(done.begin(), done.end(), 0) == static_cast<int>(parts));
            CHECK(std::count(done.begin(), done.end(), 1) == static_cast<std::ptrdiff_t>(parts));
        }
    }
}

}  // namespace flipdrop::tests
