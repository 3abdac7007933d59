// Precomputed terms of the UCB formula.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace flipdrop::mcts {

/// The terms of the UCB formula as functions of visits. Small numbers are looked up: most nodes have few visits.
class UcbTables {
public:
    struct Child {
        double inverse;  ///< 1 / n
        double root;     ///< sqrt(1 / n)
    };
    static Child child(std::uint32_t n) { return n < kKnown ? known()[n].child : child_at(n); }

    /// sqrt(2 ln n), of the parent.
    static double exploration(std::uint32_t n) { return n < kKnown ? known()[n].exploration : exploration_at(n); }

private:
    static constexpr std::uint32_t kKnown = 1024;
    struct Point {
        Child child;
        double exploration;
    };

    static Child child_at(std::uint32_t n) {
        const double inverse = 1.0 / n;
        return {inverse, std::sqrt(inverse)};
    }
    static double exploration_at(std::uint32_t n) { return std::sqrt(2 * std::log(static_cast<double>(n))); }
    static const std::array<Point, kKnown>& known() {
        static const auto points = [] {
            std::array<Point, kKnown> made{};
            for (std::uint32_t n = 1; n < kKnown; ++n) made[n] = {child_at(n), exploration_at(n)};
            return made;
        }();
        return points;
    }
};

}  // namespace flipdrop::mcts
