// Everything that threads share, for the thread sanitizer: the work queue, the thread team, lockless tables, ABDADA
// marks, split points, the trees of MCTS and PUCT, weights during learning, self-play.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/connect4/board.hpp"
#include "kernel/engine/connect4/engine.hpp"
#include "kernel/engine/engine.hpp"
#include "kernel/evaluation/spec.hpp"
#include "kernel/match/game.hpp"
#include "kernel/match/players.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/parallel.hpp"
#include "kernel/pattern/solver_oracle.hpp"
#include "kernel/pattern/training.hpp"
#include "kernel/perft.hpp"
#include "kernel/puct/driver.hpp"
#include "kernel/puct/self_play.hpp"
#include "kernel/solver/connect4/solver.hpp"
#include "kernel/solver/othello/solver.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using Othello6 = othello::Board<6>;
using ConnectFour = connect4::Board<connect4::FixedShape<7, 6>>;
using SmallFour = connect4::Board<connect4::AnyShape<Bits>>;

constexpr int kThreads = 4;  // more than the cores of a small machine: threads are interrupted anywhere

std::unique_ptr<Evaluation<Othello6>> disc_count() {
    return make_evaluation<Othello6>({.name = "A", .weights = {1.0}, .table = {}});
}

TEST_CASE("threads: parallel_for") {
    std::vector<int> done(1000);
    std::size_t watched = 0;
    CHECK(parallel_for(
        done.size(), kThreads, [&](std::size_t i, const StopFlag&) { ++done[i]; },
        [&](std::size_t finished) {
            watched = finished;
            return true;
        }));
    CHECK(std::all_of(done.begin(), done.end(), [](int times) { return times == 1; }));
    CHECK(watched <= done.size());
    CHECK_FALSE(parallel_for(
        done.size(), kThreads,
        [&](std::size_t, const StopFlag& stop) {
            while (!stop.requested()) std::this_thread::yield();
        },
        [](std::size_t) { return false; }));
}

TEST_CASE("threads: team") {
    ThreadTeam team(kThreads);
    std::array<int, kThreads> calls{};
    for (int round = 0; round < 200; ++round)
        team.run([&](int member) { ++calls[static_cast<std::size_t>(member)]; }, [] {});
    CHECK(calls == std::array<int, kThreads>{200, 200, 200, 200});
}

TEST_CASE("threads: perft") {
    std::uint64_t leaves = 0;
    CHECK(perft(Othello6{}, 8, kThreads, [](std::size_t, std::size_t) { return true; }, leaves));
    std::uint64_t alone = 0;
    perft(Othello6{}, 8, 1, [](std::size_t, std::size_t) { return true; }, alone);
    CHECK(leaves == alone);
}

TEST_CASE("threads: iterative deepening, alpha-beta and minimax find the same value") {
    const auto evaluation = disc_count();
    search::Settings settings;
    settings.limits.depth = 7;
    std::vector<double> values;
    for (const auto algorithm :
         {search::Algorithm::Minimax, search::Algorithm::AlphaBeta, search::Algorithm::Iterative}) {
        settings.algorithm = algorithm;
        if (algorithm == search::Algorithm::Minimax) settings.limits.depth = 4;
        for (const int threads : {1, kThreads}) {
            settings.threads = threads;
            values.push_back(search::Driver<Othello6>({}, Side::First, *evaluation, settings, {}).run().value);
        }
        CHECK(values[values.size() - 2] == values.back());
        settings.limits.depth = 7;
    }
    CHECK(values[2] == values[4]);
}

TEST_CASE("threads: MCTS on one tree") {
    for (const std::uint32_t batch : {1U, 16U}) {
        mcts::Settings settings;
        settings.iterations = 20'000;
        settings.threads = kThreads;
        settings.batch = batch;
        settings.rave = 100;
        settings.seed = 3;
        mcts::Tree tree;
        const auto report =
            mcts::Search<SmallFour>({.shape = {4, 4, connect4::kNoCell}}, Side::First, nullptr, settings, tree, {})
                .run();
        CHECK((report.proven || report.nodes == settings.iterations));
    }
}

TEST_CASE("threads: Othello solver") {
    Random random(5);
    othello::endgame::Solver<6> solver(1);
    for (int i = 0; i < 4; ++i) {
        auto board = after_random_moves(Othello6{}, 13, random);
        const auto alone = othello::endgame::Solver<6>(1).solve(board);
        const auto together = solver.solve(board, {.threads = kThreads, .moves = true});
        CHECK(together.proven);
        CHECK(together.lower == alone.lower);
    }
}

TEST_CASE("threads: Connect Four solver") {
    ConnectFour board;
    for (const int column : {5, 0, 3, 6, 0, 2, 6, 6, 5, 0, 1, 3, 0, 6}) board.play(column);
    connect4::exact::Solver<connect4::FixedShape<7, 6>> solver({}, 1, Pages::Small);
    const int score = solver.solve(board).lower;
    solver.clear();
    const auto together = solver.solve(board, {.threads = kThreads});
    CHECK(together.proven);
    CHECK(together.lower == score);

    const SmallFour small{.shape = {5, 5, connect4::kNoCell}};
    connect4::exact::Solver<connect4::AnyShape<Bits>> small_solver(small.shape, 1, Pages::Small);
    CHECK(small_solver.solve(small, {.threads = kThreads}).lower == 0);  // J. Tromp's table of small boards
}

TEST_CASE("threads: whole games") {
    const std::shared_ptr<const Evaluation<Othello6>> evaluation = disc_count();
    search::Settings minimax;
    minimax.algorithm = search::Algorithm::AlphaBeta;
    minimax.limits.depth = 2;
    mcts::Settings mcts;
    mcts.iterations = 50;
    const match::MinimaxPlayer<Othello6> one(minimax, evaluation);
    const match::MctsPlayer<Othello6> two(mcts, nullptr);
    std::vector<match::Start<Othello6>> starts;
    for (std::uint64_t i = 0; i < 16; ++i) starts.push_back({{}, Side::First, {i, i + 100}});
    const auto go_on = [](std::size_t) { return true; };
    const auto games = match::play_games<Othello6>(starts, {&one, &two}, kThreads, go_on);
    const auto again = match::play_games<Othello6>(starts, {&one, &two}, 1, go_on);
    for (std::size_t i = 0; i < games.size(); ++i) CHECK(games[i].moves == again[i].moves);
}

TEST_CASE("threads: learning on shared weights") {
    using pattern::Learner, pattern::Model;
    Model model{.columns = 5,
                .rows = 4,
                .patterns = {{0, 1, 2, 3}, {5, 6, 7, 8}},
                .stages = {0},
                .weights = nullptr,
                .unit = 1};
    const SmallFour start{.shape = {5, 4, connect4::kNoCell}};
    const pattern::Layout<SmallFour> layout(model.patterns, start);
    model.weights = std::make_shared<pattern::Weights>(pattern::Network<SmallFour>::weights_of(layout, model));
    pattern::Coherence coherence;
    Learner<SmallFour> learner(model, {.rate = 0.1}, coherence, start);
    pattern::learn_games<SmallFour>(learner, start, Side::First, nullptr, {.count = 200, .seed = 1}, kThreads,
                                    [](std::size_t, std::size_t) { return true; });
    pattern::SolverOracle oracle(start.shape, 2);
    pattern::learn_supervised(learner, start, oracle, {.count = 8, .seed = 2}, kThreads,
                              [](std::size_t) { return true; });
    CHECK(
        std::all_of(model.weights->begin(), model.weights->end(), [](float weight) { return std::isfinite(weight); }));
}

TEST_CASE("threads: Connect Four engine") {
    const connect4::AnyShape<UInt<2>> shape(9, 9, connect4::kNoCell);
    connect4::engine::Engine<connect4::AnyShape<UInt<2>>> engine(shape, 2, {400, 40, 52, 21, 15, 10, 18, 284});
    const connect4::Board<connect4::AnyShape<UInt<2>>> start{.shape = shape};
    const auto found = engine.analyse(start, {.limits = {.nodes = 30'000}, .threads = 3});
    CHECK(found.moves.size() == 9);
}

TEST_CASE("threads: engine") {
    using Evaluator = othello::endgame::HandcraftedEvaluator<6>;
    othello::engine::Engine<6, Evaluator> engine(1, {});
    othello::engine::Settings settings{.threads = kThreads};
    settings.limits.depth = 8;
    const auto found = engine.analyse({}, settings);
    CHECK(found.depth == 8);
    CHECK(found.moves.size() == 1);
}

TEST_CASE("threads: PUCT on one tree") {
    const auto evaluation = disc_count();
    puct::Settings settings;
    settings.simulations = 5'000;
    settings.half_point = 4;
    settings.threads = kThreads;
    const auto report = puct::run(Othello6{}, Side::First, settings, *evaluation, {});
    CHECK(report.nodes == settings.simulations);

    // The last moves are proven, by several threads as by one.
    using Othello4 = othello::Board<4>;
    const auto small = make_evaluation<Othello4>({.name = "A", .weights = {1.0}, .table = {}});
    Random random(3);
    const Othello4 late = after_random_moves(Othello4{}, 5, random);
    settings.simulations = 1'000'000;
    const auto many = puct::run(late, Side::First, settings, *small, {});
    settings.threads = 1;
    const auto one = puct::run(late, Side::First, settings, *small, {});
    CHECK((many.proven && one.proven && many.value == one.value));

    // What the observer throws ends all threads.
    settings.threads = kThreads;
    settings.simulations = 0;
    settings.seconds = 1'000'000;
    search::Observer observer;
    observer.watch = [] { throw Interrupted{}; };
    CHECK_THROWS_AS(puct::run(Othello6{}, Side::First, settings, *evaluation, observer), Interrupted);
}

TEST_CASE("threads: PUCT self-play") {
    const puct::Evaluator uniform = [](puct::Batch& batch) {
        batch.policy.assign(static_cast<std::size_t>(batch.size) * 7, 0.0F);
        batch.values.assign(static_cast<std::size_t>(batch.size), 0.0F);
    };
    puct::SelfPlaySettings settings;
    settings.search.simulations = 16;
    settings.search.noise = 0.25;
    const auto go_on = [](std::size_t, std::size_t) { return true; };
    const auto one = puct::self_play(ConnectFour{}, settings, 12, 2, 1, uniform, go_on);
    const auto many = puct::self_play(ConnectFour{}, settings, 12, 2, kThreads, uniform, go_on);
    CHECK(one.cells == many.cells);
    CHECK(one.policy == many.policy);
}

}  // namespace
}  // namespace flipdrop::tests
