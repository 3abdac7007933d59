// Chooses the next null-window test: the bounds of a score, narrowed by one test "is it greater than alpha?" after
// another.
//
// Two ways. From outside in: "is it a win at the first opportunity?", "a loss at the first?", "a win at the second?"
// and so on. Such questions are cheap while they reach only a few discs ahead, and find quick wins many times faster
// than anything else. From inside: "is it a win at all?" first, then one step after the other; cheaper when the game
// will be long. Which is better is not known beforehand, so both take turns. The nodes of an abandoned question are not
// lost: their bounds stay in the table. The turns grow with the total number of nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>

#include "kernel/solver/connect4/node.hpp"

namespace flipdrop::connect4::exact {

class Window {
public:
    struct Score {};
    struct Sign {};  ///< win, draw or loss
    struct Test {
        int alpha;  ///< is the score greater?
    };
    using Goal = std::variant<Score, Sign, Test>;

    struct Question {
        int alpha;
        std::uint64_t most_nodes;  ///< abandon the question after this many; 0 means never
    };

    Window(Bounds bounds, int left, Goal goal)
        : bounds_(bounds), goal_(goal), base_(std::uint64_t{1} << std::min(left / 3, 16)) {}

    Bounds bounds() const { return bounds_; }

    /// Whether nothing is left to ask.
    bool closed() const {
        if (bounds_.lower >= bounds_.upper) return true;
        if (const auto* test = std::get_if<Test>(&goal_))
            return bounds_.lower > test->alpha || bounds_.upper <= test->alpha;
        return std::holds_alternative<Sign>(goal_) && (bounds_.lower > 0 || bounds_.upper < 0);
    }

    Question question() const {
        if (const auto* test = std::get_if<Test>(&goal_)) return {test->alpha, 0};
        const bool both_signs = bounds_.lower < 0 && bounds_.upper > 0;
        const int middle = both_signs ? 0 : bounds_.lower >= 0 ? bounds_.lower : bounds_.upper - 1;
        if (std::holds_alternative<Sign>(goal_)) return {middle, 0};
        const std::uint64_t share = base_ + inside_ / kShare;
        if (outside_ >= share) return {middle, base_ * kShare + inside_};
        const bool from_above = both_signs ? from_above_ : bounds_.lower >= 0;
        return {from_above ? bounds_.upper - 1 : bounds_.lower, share - outside_};
    }

    /// Records a question that took `nodes` nodes. The answer is empty if the question was abandoned; else it is a
    /// lower bound of the score if it is greater than alpha, and an upper bound if not.
    void asked(const Question& question, std::uint64_t nodes, std::optional<int> answer) {
        const bool outside = question.alpha == bounds_.upper - 1 || question.alpha == bounds_.lower;
        (outside && outside_ < base_ + inside_ / kShare ? outside_ : inside_) += nodes;
        from_above_ = !from_above_;
        if (!answer) return;
        if (*answer > question.alpha)
            bounds_.lower = std::max(bounds_.lower, *answer);
        else
            bounds_.upper = std::min(bounds_.upper, *answer);
    }

private:
    static constexpr std::uint64_t kShare = 8;  ///< nodes from inside for one from outside; 4 and 16 were no better

    Bounds bounds_;
    Goal goal_;
    std::uint64_t base_, inside_ = 0, outside_ = 0;  ///< nodes: of the first turn, and spent on either way
    bool from_above_ = true;
};

}  // namespace flipdrop::connect4::exact
