// A pattern network: the sum of the weights that its patterns pick, from tables that change as the board fills.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/evaluation/evaluation.hpp"
#include "kernel/pattern/layout.hpp"

namespace flipdrop::pattern {

using Weights = std::vector<float>;

/// Threads that learn read and write the same weights at the same time without locks (Hogwild): an update is lost at
/// times, which does not harm learning. Relaxed loads and stores compile to plain ones.
inline constexpr auto kRelaxed = std::memory_order_relaxed;
inline std::atomic_ref<float> shared(float& weight) {
    return std::atomic_ref<float>(weight);
}

/// A network as stored in files. The weights follow each other pattern by pattern, stage after stage; where the sides
/// have weights of their own, a stage has those for the first side to move and then those for the second. By parity, it
/// has those for even and then those for odd numbers of discs.
struct Model {
    int columns = 0, rows = 0;               ///< of the boards that it supports
    std::vector<std::vector<int>> patterns;  ///< cells in reading order
    std::vector<int> stages;                 ///< the number of discs from which each stage is used; the first is 0
    bool by_parity = false;                  ///< weights of their own for even and for odd numbers of discs
    std::shared_ptr<Weights> weights;        ///< shared with its learner
    double unit = 1;                         ///< the evaluation's score for a sum of 1
};

template <GameBoard Board>
class Network {
public:
    using Indices = typename Layout<Board>::Indices;

    Network(const Model& model, const Board& like)
        : layout_(model.patterns, like), weights_(model.weights), patterns_(model.patterns.size()) {
        const int cells = Cells<Board>::count(like);
        if (model.stages.empty() || model.stages[0] != 0) throw Error("the first stage of a network begins at 0 discs");
        for (std::size_t i = 1; i < model.stages.size(); ++i)
            if (model.stages[i] <= model.stages[i - 1] || model.stages[i] > cells)
                throw Error("the stages of a network begin at growing numbers of discs, up to the board's cells");
        const std::size_t wanted = weights_of(layout_, model);
        if (weights_ == nullptr || weights_->size() != wanted)
            throw Error("the network has " + std::to_string(weights_ == nullptr ? 0 : weights_->size()) +
                        " weights; its patterns and stages need " + std::to_string(wanted));
        for (int discs = 0, stage = -1; discs <= cells; ++discs) {
            while (stage + 1 < static_cast<int>(model.stages.size()) &&
                   model.stages[static_cast<std::size_t>(stage + 1)] <= discs)
                ++stage;
            const std::size_t parts = parts_of(model);
            const std::size_t block = static_cast<std::size_t>(stage) * parts + static_cast<std::size_t>(discs) % parts;
            first_weight_.push_back(block * layout_.weights_per_stage());
        }
    }

    /// How many weights a network has.
    static std::size_t weights_of(const Layout<Board>& layout, const Model& model) {
        return layout.weights_per_stage() * model.stages.size() * parts_of(model);
    }
    /// How many sets of weights a stage has. The side to move in Connect Four is the parity of the discs.
    static std::size_t parts_of(const Model& model) { return model.by_parity ? 2 : Cells<Board>::kSides; }

    const Layout<Board>& layout() const { return layout_; }
    std::size_t patterns() const { return patterns_; }

    /// Where the weights of a board's stage begin.
    std::size_t first_weight(const Board& board) const { return first_weight_of(Cells<Board>::discs(board)); }
    std::size_t first_weight_of(int discs) const { return first_weight_[static_cast<std::size_t>(discs)]; }

    /// The sum for the side to move.
    float sum(const Board& board) const {
        Indices indices;
        layout_.read(board, indices);
        float* weights = weights_->data() + first_weight(board);
        const auto& instances = layout_.instances();
        float total = 0;
        for (const std::size_t counter : Cells<Board>::counters(board))
            total += shared(weights[layout_.first_counter() + counter]).load(kRelaxed);
        for (std::size_t i = 0; i < instances.size(); ++i)
            total += shared(weights[instances[i].table + indices[i]]).load(kRelaxed);
        return total;
    }

    /// The summands of `sum`, pattern by pattern, then counter by counter.
    std::vector<float> sums(const Board& board) const {
        Indices indices;
        layout_.read(board, indices);
        float* weights = weights_->data() + first_weight(board);
        std::vector<float> sums;
        const auto& instances = layout_.instances();
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (i == 0 || instances[i].table != instances[i - 1].table) sums.push_back(0);
            sums.back() += shared(weights[instances[i].table + indices[i]]).load(kRelaxed);
        }
        for (const std::size_t counter : Cells<Board>::counters(board))
            sums.push_back(shared(weights[layout_.first_counter() + counter]).load(kRelaxed));
        return sums;
    }

private:
    Layout<Board> layout_;
    std::shared_ptr<Weights> weights_;
    std::size_t patterns_;
    std::vector<std::size_t> first_weight_;  ///< by the number of discs
};

/// A network as an evaluation. Its terms are its patterns.
template <GameBoard Board>
class PatternEvaluation final : public Evaluation<Board> {
public:
    PatternEvaluation(const Model& model, const Board& like)
        : network_(model, like), columns_(model.columns), rows_(model.rows), unit_(model.unit) {}

    bool is_for(const Board& board) const {
        return columns_ == Cells<Board>::columns(board) && rows_ == Cells<Board>::rows(board);
    }

    double score(const Board& board, Side) const override { return unit_ * static_cast<double>(network_.sum(board)); }

    std::vector<Term> terms(const Board& board, Side) const override {
        std::vector<Term> terms;
        for (const float sum : network_.sums(board)) {
            const bool is_pattern = terms.size() < network_.patterns();
            const std::size_t number = is_pattern ? terms.size() + 1 : terms.size() + 1 - network_.patterns();
            terms.push_back(
                {(is_pattern ? "pattern " : "counter ") + std::to_string(number), static_cast<double>(sum), unit_});
        }
        return terms;
    }

private:
    Network<Board> network_;
    int columns_, rows_;
    double unit_;
};

}  // namespace flipdrop::pattern
