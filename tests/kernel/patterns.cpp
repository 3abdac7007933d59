// Pattern networks: indices of instances against a slow reading cell by cell, symmetry, learning by all three rules,
// and threads that write to the same weights.
#include <cmath>
#include <thread>

#include "kernel/match/players.hpp"
#include "kernel/pattern/learning.hpp"
#include "kernel/pattern/solver_oracle.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using pattern::Cells;
using pattern::Model;
using Patterns = std::vector<std::vector<int>>;

/// A board after some random moves.
template <class Board>
Board played(Board board, int plies, Random& random) {
    for (int i = 0; i < plies; ++i) {
        const auto moves = board.moves();
        if (moves.size() == 0) break;
        board.play(moves.nth(random.below(moves.size())));
    }
    return board;
}

template <class Board>
int digit(const Board& board, int cell) {
    int found = 0, state = 1;
    for (const auto& word : Cells<Board>::read(board)) {
        if (static_cast<bool>(word >> Cells<Board>::index(board, cell) & decltype(board.own){1})) found = state;
        ++state;
    }
    return found;
}

template <class Board>
Model random_model(const Patterns& patterns, std::vector<int> stages, const Board& like, Random& random) {
    Model model{.columns = Cells<Board>::columns(like),
                .rows = Cells<Board>::rows(like),
                .patterns = patterns,
                .stages = std::move(stages),
                .weights = nullptr,
                .unit = 1};
    const pattern::Layout<Board> layout(patterns, like);
    model.weights = std::make_shared<pattern::Weights>(pattern::Network<Board>::weights_of(layout, model));
    for (float& weight : *model.weights) weight = static_cast<float>(random.below(2001) - 1000) / 4096;
    return model;
}

/// The sum over the distinct instances of each pattern, cell by cell.
template <class Board>
double slow_sum(const Model& model, const Board& board) {
    std::size_t stage = 0;
    while (stage + 1 < model.stages.size() && model.stages[stage + 1] <= Cells<Board>::discs(board)) ++stage;
    const std::size_t sides = Cells<Board>::kStates == 3 ? 1 : 2;
    const std::size_t all = model.weights->size() / (model.stages.size() * sides);
    double sum = 0;
    std::size_t table = (stage * sides + static_cast<std::size_t>(Cells<Board>::discs(board)) % sides) * all;
    for (const auto& cells : model.patterns) {
        std::vector<std::vector<int>> seen;
        std::size_t size = 1;
        for (std::size_t i = 0; i < cells.size(); ++i) size *= Cells<Board>::kStates;
        for (int symmetry = 0; symmetry < Cells<Board>::kSymmetries; ++symmetry) {
            std::vector<int> instance, set;
            for (const int cell : cells) instance.push_back(Cells<Board>::transformed(board, cell, symmetry));
            set = instance;
            std::sort(set.begin(), set.end());
            if (std::find(seen.begin(), seen.end(), set) != seen.end()) continue;
            seen.push_back(set);
            std::size_t number = 0, power = 1;
            for (const int cell : instance) {
                number += power * static_cast<std::size_t>(digit(board, cell));
                power *= Cells<Board>::kStates;
            }
            sum += static_cast<double>((*model.weights)[table + number]);
        }
        table += size;
    }
    for (const std::size_t counter : Cells<Board>::counters(board))
        sum += static_cast<double>((*model.weights)[table + counter]);
    return sum;
}

template <class Board>
void sums_are_those_of_a_slow_reading(const Patterns& patterns, const Board& start, int plies, Random& random) {
    const int cells = Cells<Board>::count(start);
    const Model model = random_model(patterns, {0, cells / 3, cells / 2}, start, random);
    const pattern::Network<Board> network(model, start);
    for (int i = 0; i < 60; ++i) {
        const Board board = played(start, random.below(plies), random);
        CHECK(std::abs(static_cast<double>(network.sum(board)) - slow_sum(model, board)) < 1e-4);
        float total = 0;
        for (const float part : network.sums(board)) total += part;
        CHECK(std::abs(total - network.sum(board)) < 1e-4F);
    }
}

/// After learning, mirror images of a position have the same value: mirror_twins have had the same corrections.
template <int Size>
void learning_keeps_symmetry(const Patterns& patterns) {
    using Board = othello::Board<Size>;
    const Board start;
    Random random(5);
    Model model = random_model(patterns, {0, Size * Size / 2}, start, random);
    std::fill(model.weights->begin(), model.weights->end(), 0.0F);
    pattern::Coherence coherence;
    pattern::Learner<Board> learner(model, {}, coherence, start);
    for (std::uint64_t game = 0; game < 200; ++game)
        learner.play_and_learn(start, Side::First, nullptr, game, StopFlag{});
    const pattern::Network<Board> network(model, start);
    float largest = 0;
    for (int i = 0; i < 40; ++i) {
        const Board board = played(start, random.below(Size * Size - 6), random);
        for (int symmetry = 1; symmetry < othello::kSymmetries; ++symmetry) {
            Board image = board;
            image.own = othello::transformed<Size>(board.own, symmetry);
            image.other = othello::transformed<Size>(board.other, symmetry);
            CHECK(std::abs(network.sum(board) - network.sum(image)) < 1e-3F);
        }
        largest = std::max(largest, std::abs(network.sum(board)));
    }
    CHECK(largest > 0.1F);
}

/// One thread gives the same weights from the same seeds; the three rules and lambda give different ones.
TEST_CASE("learning is decided by seed and settings") {
    using Board = othello::Board<4>;
    const Board start;
    const Patterns patterns = {{0, 1, 2, 3}, {0, 1, 4, 5}, {5, 6}};
    const auto learned = [&](pattern::Settings settings, std::uint64_t first) {
        Random random(1);
        Model model = random_model(patterns, {0}, start, random);
        pattern::Coherence coherence;
        pattern::Learner<Board> learner(model, settings, coherence, start);
        for (std::uint64_t game = first; game < first + 50; ++game)
            learner.play_and_learn(start, Side::First, nullptr, game, StopFlag{});
        return *model.weights;
    };
    pattern::Settings td{.epsilon = 0.3}, sarsa = td, q = td, lambda = td;
    sarsa.rule = pattern::Rule::Sarsa;
    q.rule = pattern::Rule::Q;
    lambda.lambda = 0.8;
    CHECK(learned(td, 0) == learned(td, 0));
    CHECK(learned(td, 0) != learned(td, 1000));
    CHECK(learned(td, 0) != learned(sarsa, 0));
    CHECK(learned(td, 0) != learned(q, 0));
    CHECK(learned(sarsa, 0) != learned(q, 0));
    CHECK(learned(td, 0) != learned(lambda, 0));
}

/// A position that is shown again and again gets the value it is said to have.
TEST_CASE("regression reaches its targets") {
    using Board = connect4::Board<connect4::FixedShape<7, 6>>;
    const Board start;
    Random random(3);
    Model model = random_model({{35, 36, 37, 28, 29, 30, 21, 22}, {38, 31, 24}}, {0}, start, random);
    pattern::Coherence coherence;
    pattern::Learner<Board> learner(model, {.rate = 0.5}, coherence, start);
    const Board one = played(start, 5, random), two = played(start, 9, random);
    for (int i = 0; i < 400; ++i) {
        learner.fit(one, 0.6F);
        learner.fit(two, -0.4F);
    }
    const pattern::Network<Board> network(model, start);
    CHECK(std::abs(pattern::value_of(network.sum(one)) - 0.6F) < 0.02F);
    CHECK(std::abs(pattern::value_of(network.sum(two)) + 0.4F) < 0.02F);
    for (int i = 0; i < 400; ++i) learner.fit_linear(one, 12.5F);
    CHECK(std::abs(network.sum(one) - 12.5F) < 0.1F);
}

/// On 4x4, where every game is a draw between perfect players, lessons teach never to lose to one. Several threads ask
/// the oracle at once, who gives up when it is told to.
TEST_CASE("supervised training keeps the outcome") {
    using Shape = connect4::AnyShape<Bits>;
    using Board = connect4::Board<Shape>;
    const Board start{.shape = Shape(4, 4, connect4::kNoCell)};
    Patterns blocks;  // 4x2 and 2x4
    for (int row : {0, 4, 8}) blocks.push_back({row, row + 1, row + 2, row + 3, row + 4, row + 5, row + 6, row + 7});
    for (int column : {0, 1})
        blocks.push_back(
            {column, column + 1, column + 4, column + 5, column + 8, column + 9, column + 12, column + 13});
    Random random(3);
    Model model = random_model(blocks, {0}, start, random);
    pattern::Coherence coherence;
    pattern::Learner<Board> learner(model, {.rate = 0.2, .coherent = false}, coherence, start);
    pattern::SolverOracle<Shape> oracle(start.shape, 1);
    const StopFlag going;
    const auto scores_of = [&](const Board& board) { return oracle.scores(board, going); };
    const auto lost = [&] {
        const pattern::Network<Board> network(model, start);
        int games = 0;
        for (int number = 0; number < 200; ++number) {
            Board board = start;
            for (int ply = 0;; ++ply) {
                const auto moves = board.moves();
                if (moves.size() == 0) break;
                const auto scores = scores_of(board);
                int best = -1000, chosen = -1;
                float highest = -1000;
                moves.for_each([&](int move) {
                    Board next = board;
                    next.play(move);
                    const float value =
                        next.moves().size() == 0 ? static_cast<float>(-next.outcome()) * 100 : -network.sum(next);
                    const int score = scores[static_cast<std::size_t>(move)];
                    const bool pupil = ply % 2 == number % 2;
                    if (pupil ? value > highest : score > best || (score == best && random.below(2) == 0))
                        chosen = move;
                    highest = std::max(highest, value);
                    best = std::max(best, score);
                });
                if (ply % 2 == number % 2 && best == 0 && scores[static_cast<std::size_t>(chosen)] < 0) {
                    ++games;
                    break;
                }
                board.play(chosen);
            }
        }
        return games;
    };
    const int before = lost();
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t thread = 0; thread < 2; ++thread)
            threads.emplace_back([&, thread] {
                for (std::uint64_t game = 0; game < 1500; ++game)
                    learner.train_supervised(start, scores_of, 2 * game + thread);
            });
    }
    CHECK(before > 20);
    CHECK(lost() <= before / 10);
    StopFlag stopped;
    stopped.request();
    using Full = connect4::FixedShape<7, 6>;
    pattern::SolverOracle<Full> slow(Full{}, 1);
    CHECK(throws<Interrupted>([&] { slow.scores({}, stopped); }));
}

TEST_CASE("several threads learn at once") {
    using Board = othello::Board<6>;
    const Board start;
    Random random(3);
    Model model = random_model({{0, 1, 2, 3, 4, 5, 7, 10}, {0, 1, 2, 6, 7, 8}}, {0, 20}, start, random);
    pattern::Coherence coherence;
    pattern::Learner<Board> learner(model, {.epsilon = 0.2}, coherence, start);
    match::RandomPlayer<Board> opponent;
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t thread = 0; thread < 3; ++thread)
            threads.emplace_back([&, thread] {
                for (std::uint64_t game = 0; game < 60; ++game)
                    learner.play_and_learn(start, Side::First, thread == 2 ? &opponent : nullptr, 100 * thread + game,
                                           StopFlag{});
            });
    }
    CHECK(
        std::all_of(model.weights->begin(), model.weights->end(), [](float weight) { return std::isfinite(weight); }));
}

TEST_CASE("bad patterns are refused") {
    using Board = othello::Board<8>;
    const auto make = [](const Patterns& patterns) { return [=] { pattern::Layout<Board>(patterns, Board{}); }; };
    CHECK(throws<Error>(make({})));
    CHECK(throws<Error>(make({{}})));
    CHECK(throws<Error>(make({{0, 64}})));
    CHECK(throws<Error>(make({{-1}})));
    CHECK(throws<Error>(make({{3, 3}})));
    CHECK(throws<Error>(make({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}})));
    CHECK(throws<Error>(make(Patterns(200, {0, 1, 2}))));
    Model model{.columns = 8,
                .rows = 8,
                .patterns = {{0}},
                .stages = {0, 70},
                .weights = std::make_shared<pattern::Weights>(2 * (3 + Cells<Board>::kCounts)),
                .unit = 1};
    CHECK(throws<Error>([&] { pattern::Network<Board>(model, Board{}); }));
    model.stages = {0, 20, 30};
    CHECK(throws<Error>([&] { pattern::Network<Board>(model, Board{}); }));
    model.stages = {0, 20};
    pattern::Network<Board>(model, Board{});
}

}  // namespace

TEST_CASE("sums are those of a slow reading") {
    Random random(11);
    sums_are_those_of_a_slow_reading<othello::Board<8>>(
        {{0, 1, 2, 3, 4, 5, 6, 7, 9, 14}, {0, 1, 2, 8, 9, 10, 16, 17, 18}, {3, 12, 21, 30, 39}, {27}}, {}, 58, random);
    sums_are_those_of_a_slow_reading<othello::Board<6>>({{0, 1, 2, 3, 4, 5, 7, 10}, {14, 15}}, {}, 30, random);
    // More instances than four vectors hold.
    Patterns many;
    for (int cell = 0; cell + 11 < 42; ++cell) many.push_back({cell, cell + 3, cell + 11});
    sums_are_those_of_a_slow_reading<connect4::Board<connect4::FixedShape<7, 6>>>(many, {}, 40, random);
    using LargeShape = connect4::AnyShape<UInt<3>>;
    sums_are_those_of_a_slow_reading<connect4::Board<LargeShape>>({{143, 142, 131, 130, 119}, {66, 67, 78}},
                                                                  {.shape = LargeShape(12, 12, 20)}, 120, random);
}

TEST_CASE("learning keeps symmetry") {
    learning_keeps_symmetry<8>({{0, 1, 2, 3, 4, 5, 6, 7, 9, 14}, {0, 1, 2, 8, 9, 10, 16, 17, 18}, {3, 12, 21, 30}});
    learning_keeps_symmetry<6>({{0, 1, 2, 3, 4, 5}, {0, 7, 14, 21, 28, 35}});
}

}  // namespace flipdrop::tests
