// The learned evaluator of the Othello solver: a pattern network must come out of its packing as it went in, and
// whatever it thinks, proofs stay proofs.
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/errors.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/pattern/network.hpp"
#include "kernel/random.hpp"
#include "kernel/solver/othello/pattern_evaluator.hpp"
#include "kernel/solver/othello/solver.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using othello::endgame::PatternEvaluator;
using othello::endgame::Solver;
using pattern::Model;
using Board = othello::Board<8>;
using Network = pattern::Network<Board>;

constexpr othello::endgame::ProbCutModel kErrors{0, 0, 0, 0, 0, 9};  // the same everywhere

/// Patterns with and without symmetries of their own, weights that mean nothing.
Model random_model(const std::vector<std::vector<int>>& patterns, Random& random) {
    Model model{.columns = 8, .rows = 8, .patterns = patterns, .stages = {0, 40, 50}, .weights = nullptr, .unit = 2};
    const pattern::Layout<Board> layout(patterns, {});
    model.weights = std::make_shared<pattern::Weights>(Network::weights_of(layout, model));
    for (float& weight : *model.weights) weight = static_cast<float>(random.below(2001) - 1000) / 1000;
    return model;
}

const std::vector<std::vector<int>> kPatterns = {
    {0, 1, 2, 3, 4, 5, 6, 7, 9, 14}, {0, 1, 2, 8, 9, 10, 16, 17, 18}, {0, 9, 18, 27, 36, 45, 54, 63}, {3, 12, 21}};

/// Along whole random games: what is taken along from move to move is what would be read, and it stands for the sum.
TEST_CASE("pattern evaluator: incremental accumulators") {
    Random random(21);
    const Model model = random_model(kPatterns, random);
    const Network network(model, {});
    const PatternEvaluator<8> evaluator(model, kErrors);
    const double rounding = 0.5 * static_cast<double>(network.layout().instances().size() + 3);
    for (int game = 0; game < 50; ++game) {
        Board board;
        auto accumulator = evaluator.read(board);
        for (auto moves = board.moves(); moves.size() > 0; moves = board.moves()) {
            if (!moves.pass) {
                const double wanted = 100 * model.unit * static_cast<double>(network.sum(board));
                const int found = evaluator.score(board, moves.squares, accumulator);
                CHECK((std::abs(wanted) > 6400 ? std::abs(found) >= 6400 - rounding
                                               : std::abs(found - wanted) <= rounding));
            }
            const int move = moves.nth(random.below(moves.size()));
            const Board before = board;
            board.play(move);
            accumulator = move == othello::kPass ? evaluator.passed(accumulator)
                                                 : evaluator.after(accumulator, move, before.other ^ board.own);
            CHECK(accumulator.indices == evaluator.read(board).indices);
        }
    }
}

/// An evaluator that knows nothing makes a proof longer, not wrong.
TEST_CASE("pattern evaluator: exact scores") {
    Random random(22);
    Solver<8, PatternEvaluator<8>> misled(1, PatternEvaluator<8>(random_model(kPatterns, random), kErrors));
    Solver<8> solver(1);
    for (int i = 0; i < 8; ++i) {
        Board board;
        while (count(board.empties()) > 15 && board.moves().size() > 0) board = after_random_moves(board, 1, random);
        const int score = solver.solve(board).lower;
        const auto found = misled.solve(board, {.threads = 1 + i % 2});
        CHECK((found.proven && found.lower == score && found.upper == score));
    }
}

/// More instances than a accumulator holds: each of these lies in eight.
TEST_CASE("pattern evaluator: too many instances") {
    Random random(23);
    std::vector<std::vector<int>> patterns;
    for (int cell = 2; cell < 11; ++cell) patterns.push_back({0, 1, cell + 8});
    CHECK(throws<Error>([&] { PatternEvaluator<8>(random_model(patterns, random), kErrors); }));
}

}  // namespace

}  // namespace flipdrop::tests
