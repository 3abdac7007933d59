// The Othello engine: without ProbCut it finds what plain negamax finds, to a depth and to the end of the game; with
// ProbCut it keeps its promises about limits, lines and exactness. Also its positions to learn from.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/engine/engine.hpp"
#include "kernel/engine/sampling.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/pattern/network.hpp"
#include "kernel/pattern/regression.hpp"
#include "kernel/random.hpp"
#include "kernel/solver/othello/pattern_evaluator.hpp"
#include "kernel/solver/othello/table.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using namespace othello::engine;
using othello::endgame::PatternEvaluator;
using othello::endgame::ProbCutModel;

constexpr ProbCutModel kErrors{0, 0, 0, 0, 0, 4};

/// A network with some sense: edges and corners count, and nothing is as large as the board.
template <int Size>
pattern::Model model(std::uint64_t seed) {
    std::vector<int> edge, diagonal;
    for (int i = 0; i < Size; ++i) {
        edge.push_back(i);
        diagonal.push_back(i * Size + i);
    }
    pattern::Model made{.columns = Size,
                        .rows = Size,
                        .patterns = {edge, diagonal, {0, 1, Size, Size + 1}},
                        .stages = {0, Size * Size / 2},
                        .by_parity = true,
                        .weights = nullptr};
    const pattern::Layout<othello::Board<Size>> layout(made.patterns, {});
    made.weights = std::make_shared<pattern::Weights>(pattern::Network<othello::Board<Size>>::weights_of(layout, made));
    Random random(seed);
    for (float& weight : *made.weights) weight = static_cast<float>(random.below(401) - 200) / 100;
    return made;
}

/// Plain negamax with the evaluator's score in whole discs at the leaves.
template <int Size>
int negamax(const othello::Board<Size>& board, const PatternEvaluator<Size>& evaluator, int depth) {
    const auto moves = board.moves();
    if (moves.size() == 0) return board.final_margin();
    if (moves.pass) return -negamax<Size>({board.other, board.own}, evaluator, depth);
    if (depth == 0)
        return static_cast<int>(std::lround(evaluator.score(board, moves.squares, evaluator.read(board)) / 100.0));
    int best = -100;
    moves.for_each([&](int move) {
        auto child = board;
        child.play(move);
        best = std::max(best, -negamax<Size>(child, evaluator, depth - 1));
    });
    return best;
}

template <int Size>
othello::Board<Size> position(int empties, Random& random) {
    for (;;) {
        othello::Board<Size> board;
        while (count(board.empties()) > empties && board.moves().size() > 0)
            board = after_random_moves(board, 1, random);
        if (count(board.empties()) == empties && board.legal_squares() != 0) return board;
    }
}

template <int Size>
void check_depths(int positions) {
    const PatternEvaluator<Size> evaluator(model<Size>(1), kErrors);
    Engine<Size, PatternEvaluator<Size>> engine(1, evaluator);
    Random random(31 + Size);
    for (int i = 0; i < positions; ++i) {
        const auto board = position<Size>(Size * Size - 6 - random.below(Size * Size / 2), random);
        for (int depth = 1; depth <= 5; ++depth) {
            Settings settings{.selectivity = kExact, .threads = 1 + i % 2};
            settings.limits.depth = depth;
            const Analysis found = engine.analyse(board, settings);
            CHECK(found.depth == depth);
            CHECK(found.moves.front().value == negamax<Size>(board, evaluator, depth));
            auto child = board;
            child.play(found.moves.front().move);
            CHECK(found.moves.front().value == -negamax<Size>(child, evaluator, depth - 1));
            CHECK_FALSE(found.exact);
        }
    }
}

TEST_CASE("engine: depths on 8x8") {
    check_depths<8>(12);
}
TEST_CASE("engine: depths on 6x6") {
    check_depths<6>(12);
}

/// The values of the best moves, each found without those before it.
TEST_CASE("engine: several lines") {
    const PatternEvaluator<8> evaluator(model<8>(2), kErrors);
    Random random(41);
    for (int i = 0; i < 10; ++i) {
        const auto board = position<8>(40 - i, random);
        Engine<8, PatternEvaluator<8>> engine(1, evaluator);
        Settings settings{.selectivity = kExact, .lines = 64};
        settings.limits.depth = 4;
        const Analysis found = engine.analyse(board, settings);
        CHECK(static_cast<int>(found.moves.size()) == board.moves().size());
        for (std::size_t k = 0; k < found.moves.size(); ++k) {
            auto child = board;
            child.play(found.moves[k].move);
            CHECK(found.moves[k].value == -negamax<8>(child, evaluator, 3));
            CHECK(found.moves[k].line.front() == found.moves[k].move);
            if (k > 0) CHECK(found.moves[k].value <= found.moves[k - 1].value);
        }
    }
}

/// A side that has to pass has one move, which takes no square.
TEST_CASE("engine: forced passes") {
    const PatternEvaluator<8> evaluator(model<8>(3), kErrors);
    Engine<8, PatternEvaluator<8>> engine(1, evaluator);
    PerfectPlay<othello::Board<8>> perfect([](const othello::Board<8>& board) { return board.final_margin(); });
    Random random(61);
    for (int found = 0; found < 10;) {
        othello::Board<8> board;
        while (count(board.empties()) > 7 && board.moves().size() > 0) board = after_random_moves(board, 1, random);
        if (!board.moves().pass) continue;
        ++found;
        const Analysis exact = engine.analyse(board, {.end_selectivity = kExact, .threads = 1 + found % 2});
        CHECK((exact.exact && exact.moves.front().value == perfect.score(board)));
    }
}

/// Whatever the network believes, a search to the end is exact, for one line or many.
TEST_CASE("engine: exact values at the end") {
    Random random(51);
    PerfectPlay<othello::Board<8>> perfect([](const othello::Board<8>& board) { return board.final_margin(); });
    for (int i = 0; i < 12; ++i) {
        const auto board = position<8>(1 + i, random);
        Engine<8, PatternEvaluator<8>> engine(1, PatternEvaluator<8>(model<8>(3), kErrors));
        const Analysis found = engine.analyse(board, {.threads = 1 + i % 2, .lines = 1 + i % 3});
        CHECK(found.exact);
        CHECK(found.moves.front().value == perfect.score(board));
        for (const RankedMove& entry : found.moves) {
            auto child = board;
            child.play(entry.move);
            CHECK(entry.value == -perfect.score(child));
        }
    }
}

/// Limits end a search soon, with a legal move of a finished depth.
TEST_CASE("engine: limits") {
    const PatternEvaluator<8> evaluator(model<8>(4), kErrors);
    Engine<8, PatternEvaluator<8>> engine(1, evaluator);
    const othello::Board<8> start;
    for (const std::uint64_t nodes : {1ULL, 100ULL, 50'000ULL}) {
        Settings settings;
        settings.limits.nodes = nodes;
        const Analysis found = engine.analyse(start, settings);
        CHECK(found.nodes < nodes + 20'000);
        CHECK((start.legal_squares() >> found.moves.front().move & 1) != 0);
    }
    Settings settings;
    settings.limits.seconds = 0.05;
    int depth = 0;
    engine.analyse(start, settings, [&](const Analysis& so_far) {
        CHECK(so_far.depth >= depth);
        depth = so_far.depth;
    });
    CHECK(depth > 0);
    CHECK(throws<std::runtime_error>(
        [&] { engine.analyse(start, settings, [](const Analysis&) { throw std::runtime_error("enough"); }); }));
}

/// A bound serves searches that are neither deeper nor surer than its own.
TEST_CASE("engine: table entries of several depths") {
    othello::endgame::Table table(1);
    othello::endgame::TTData data;
    constexpr std::uint64_t kKey = 12345;
    table.store(kKey, 8, 2, 3, 10, 19, 1000);
    CHECK(table.probe(kKey, data));
    CHECK((data.lower == 10 && data.upper == 64 && data.depth == 8 && data.selectivity == 2 && data.move == 19));
    CHECK((data.serves(8, 2) && data.serves(7, 0) && !data.serves(9, 0) && !data.serves(2, 3)));
    table.store(kKey, 4, 1, 0, -2, 20, 10);  // known better
    table.probe(kKey, data);
    CHECK((data.lower == 10 && data.depth == 8));
    table.store(kKey, 8, 2, 12, 12, 19, 1000);  // the same search: a second bound
    table.probe(kKey, data);
    CHECK((data.lower == 10 && data.upper == 12));
    table.store(kKey, 6, 5, 0, 1, 21, 10);  // surer but not as deep: replaces
    table.probe(kKey, data);
    CHECK((data.lower == 1 && data.upper == 64 && data.depth == 6 && data.selectivity == 5));
    CHECK((data.move == 21 && data.second == 19));
}

/// A seed determines a position; it has the empty squares that were asked for, and exact values are exact.
TEST_CASE("engine: positions to learn from") {
    const PatternEvaluator<8> evaluator(model<8>(5), kErrors);
    const Sampling settings{.min_empties = 7, .max_empties = 9, .depth = 0};
    Sampler<8, PatternEvaluator<8>> sampler(evaluator, settings), again(evaluator, settings);
    PerfectPlay<othello::Board<8>> perfect([](const othello::Board<8>& board) { return board.final_margin(); });
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto sample = sampler(seed);
        const auto same = again(seed);
        CHECK((sample.board == same.board && sample.value == same.value));
        const int empties = count(sample.board.empties());
        CHECK((empties >= 7 && empties <= 9 && sample.board.legal_squares() != 0));
        CHECK(static_cast<int>(sample.value) == perfect.score(sample.board));
    }
}

/// Regression finds the weights that made the values, as far as sums tell.
TEST_CASE("engine: regression") {
    const pattern::Model truth = model<8>(6);
    pattern::Model learned = truth;
    learned.weights = std::make_shared<pattern::Weights>(truth.weights->size());
    pattern::Regression<othello::Board<8>> regression(learned, {}, 1.0);
    const pattern::Network<othello::Board<8>> teacher(truth, {}), student(learned, {});
    Random random(61);
    std::vector<othello::Board<8>> boards;
    for (int i = 0; i < 4000; ++i) boards.push_back(position<8>(10 + random.below(40), random));
    const auto error = [&] {
        double sum = 0;
        for (const auto& board : boards) sum += std::pow(teacher.sum(board) - student.sum(board), 2);
        return std::sqrt(sum / static_cast<double>(boards.size()));
    };
    const double before = error();
    for (int pass = 0; pass < 20; ++pass)
        for (const auto& board : boards) regression.learn(board, teacher.sum(board));
    CHECK(error() < before / 5);
}

}  // namespace
}  // namespace flipdrop::tests
