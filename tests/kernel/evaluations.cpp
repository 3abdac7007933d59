// Evaluations: a score is the sum of its terms, and the same for both sides.
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "kernel/connect4/position.hpp"
#include "kernel/errors.hpp"
#include "kernel/evaluation/spec.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/random.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

EvaluationSpec othello_recipe(const std::string& name, std::size_t weights, std::size_t squares) {
    EvaluationSpec spec{name, std::vector<double>(weights), std::vector<double>(squares)};
    std::iota(spec.weights.begin(), spec.weights.end(), 1.0);
    std::iota(spec.table.begin(), spec.table.end(), -9.0);
    return spec;
}

/// The values are tested against the oracle from Python. Here: that all of it runs on all boards, cleanly, and adds up.
template <class Board>
void test_evaluation(const EvaluationSpec& spec, const Board& start) {
    const auto evaluation = make_evaluation<Board>(spec);
    Random random(7);
    for (int game = 0; game < 20; ++game) {
        Board board = start;
        for (Side to_move = Side::First;; to_move = other(to_move)) {
            double sum = 0;
            const auto terms = evaluation->terms(board, to_move);
            for (const Term& term : terms) sum += term.feature * term.weight;
            CHECK(terms.size() == spec.weights.size());
            CHECK(std::abs(sum - evaluation->score(board, to_move)) < 1e-9);
            const auto moves = board.moves();
            if (moves.size() == 0) break;
            board.play(moves.nth(random.below(moves.size())));
        }
    }
}

template <int Size>
void test_othello_evaluations() {
    const othello::Board<Size> start;
    constexpr std::size_t full = Size * Size;
    test_evaluation(othello_recipe("A", 1, 0), start);
    test_evaluation(othello_recipe("D", 6, 0), start);
    test_evaluation(othello_recipe("mobility", 1, 0), start);
    for (const std::size_t squares : {std::size_t{16}, full}) {
        test_evaluation(othello_recipe("B", 1, squares), start);
        test_evaluation(othello_recipe("C", 5, squares), start);
        test_evaluation(othello_recipe("Seven", 7, squares), start);
    }
    for (const EvaluationSpec& bad : {othello_recipe("A", 2, 0), othello_recipe("D", 6, 16), othello_recipe("B", 1, 0),
                                      othello_recipe("B", 1, full + 1), othello_recipe("Seven", 0, 16),
                                      othello_recipe("lines", 4, 0), othello_recipe("", 1, 0)})
        CHECK(throws<Error>([&] { make_evaluation<othello::Board<Size>>(bad); }));
}

TEST_CASE("Connect Four evaluations") {
    for (const EvaluationSpec& spec :
         {EvaluationSpec{"lines", {1, 2, 3, 4}, {}}, EvaluationSpec{"parity", {1, 2, 3, 4, 5, 6, 7, 8}, {}}}) {
        test_evaluation(spec, connect4::Board<connect4::FixedShape<7, 6>>{});
        test_evaluation(spec, connect4::Board<connect4::AnyShape<Bits>>{{7, 6, 21}});
        test_evaluation(spec, connect4::Board<connect4::AnyShape<Bits>>{{8, 7, connect4::kNoCell}});
        test_evaluation(spec, connect4::Board<connect4::AnyShape<UInt<2>>>{{9, 10, 40}});
        test_evaluation(spec, connect4::Board<connect4::AnyShape<UInt<3>>>{{12, 12, connect4::kNoCell}});
    }
    using Board = connect4::Board<connect4::FixedShape<7, 6>>;
    for (const EvaluationSpec& bad : {EvaluationSpec{"lines", {1, 2, 3}, {}},
                                      EvaluationSpec{"lines", {1, 2, 3, 4}, {1}}, EvaluationSpec{"D", {}, {}}})
        CHECK(throws<Error>([&] { make_evaluation<Board>(bad); }));
}

}  // namespace

TEST_CASE("Othello evaluations") {
    test_othello_evaluations<4>();
    test_othello_evaluations<6>();
    test_othello_evaluations<8>();
}

}  // namespace flipdrop::tests
