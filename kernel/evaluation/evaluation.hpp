// What an evaluation is: a guess at how good a position is for the side to move.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "kernel/side.hpp"

namespace flipdrop {

/// One summand of a score, for people: `feature` as measured on the board, times `weight`.
struct Term {
    std::string name;
    double feature;
    double weight;
};

template <class Board>
class Evaluation {
public:
    Evaluation() = default;
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;
    virtual ~Evaluation() = default;

    /// The higher, the better for the side to move, which is `to_move`. Threads call it at the same time.
    virtual double score(const Board& board, Side to_move) const = 0;

    /// The summands of the score; their products add up to it.
    virtual std::vector<Term> terms(const Board& board, Side to_move) const = 0;
};

/// Features of the board times weights: every evaluation of the reports has this form. `Features` names its numbers in
/// `names` and measures them all with `measure(board)`.
template <class Board, class Features>
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
