// The interface of evaluations: a heuristic score of a position for the side to move.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/side.hpp"

namespace flipdrop {

/// One summand of a score: `feature` times `weight`.
struct Term {
    std::string name;
    double feature;
    double weight;
};

template <GameBoard Board>
class Evaluation {
public:
    Evaluation() = default;
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;
    virtual ~Evaluation() = default;

    /// The higher, the better for the side to move, which is `to_move`. Several threads call it at once.
    virtual double score(const Board& board, Side to_move) const = 0;

    /// The summands of the score; their products add up to it.
    virtual std::vector<Term> terms(const Board& board, Side to_move) const = 0;
};

/// A linear evaluation: features of the board times weights. `Features::names` names the features, `measure(board)`
/// computes them.
template <GameBoard Board, class Features>
class Linear final : public Evaluation<Board> {
public:
    static constexpr std::size_t kTerms = Features::names.size();
    using Weights = std::array<double, kTerms>;

    Linear(Features features, const Weights& weights) : features_(std::move(features)), weights_(weights) {}

    double score(const Board& board, Side) const override {
        const Weights measured = features_.measure(board);
        double sum = 0;
        for (std::size_t i = 0; i < kTerms; ++i) sum += weights_[i] * measured[i];
        return sum;
    }

    std::vector<Term> terms(const Board& board, Side) const override {
        const Weights measured = features_.measure(board);
        std::vector<Term> terms;
        for (std::size_t i = 0; i < kTerms; ++i)
            terms.push_back({std::string(Features::names[i]), measured[i], weights_[i]});
        return terms;
    }

private:
    Features features_;
    Weights weights_;
};

}  // namespace flipdrop
