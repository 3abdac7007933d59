// Least squares for pattern networks: the weights for which the sums come nearest to given values.
//
// Stochastic gradient descent with a step size for each weight that falls with the errors it has seen (AdaGrad, J.
// Duchi 2011): a pattern that occurs often is settled quickly, one that occurs rarely still moves far when it does.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/pattern/network.hpp"

namespace flipdrop::pattern {

template <GameBoard Board>
class Regression {
public:
    using Indices = typename Layout<Board>::Indices;

    Regression(const Model& model, const Board& like, double rate)
        : network_(model, like),
          weights_(*model.weights),
          squares_(weights_.size(), kPrior),
          rate_(static_cast<float>(rate)) {}

    /// Moves the sum of a board towards a value. Returns the error before.
    float learn(const Board& board, float value) {
        const auto& layout = network_.layout();
        const std::size_t first = network_.first_weight(board);
        Indices indices, twins;
        layout.read(board, indices);
        layout.read_mirror_twins(board, twins);
        const auto& instances = layout.instances();
        const auto counters = Cells<Board>::counters(board);
        float sum = 0;
        for (const std::size_t counter : counters) sum += weights_[first + layout.first_counter() + counter];
        for (std::size_t i = 0; i < instances.size(); ++i) sum += weights_[first + instances[i].table + indices[i]];
        const float error = value - sum;
        for (const std::size_t counter : counters) correct(first + layout.first_counter() + counter, error);
        for (std::size_t i = 0; i < instances.size(); ++i) correct(first + instances[i].table + indices[i], error);
        for (std::size_t i = 0; i < layout.mirror_twins().size(); ++i) {
            const auto& twin = layout.mirror_twins()[i];
            if (twins[i] != indices[twin.of]) correct(first + twin.table + twins[i], error);
        }
        return error;
    }

private:
    static constexpr float kPrior = 400;  ///< squared errors that a weight starts with: the first steps are small too

    void correct(std::size_t index, float error) {
        squares_[index] += error * error;
        weights_[index] += rate_ * error / std::sqrt(squares_[index]);
    }

    Network<Board> network_;
    Weights& weights_;
    std::vector<float> squares_;
    float rate_;
};

}  // namespace flipdrop::pattern
