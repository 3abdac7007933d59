// Dirichlet noise: random numbers that sum to one.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "kernel/random.hpp"

namespace flipdrop::puct {

inline double normal(Random& random) {
    const double radius = std::sqrt(-2 * std::log(random.uniform_open()));
    return radius * std::cos(2 * std::numbers::pi * random.uniform_open());
}

/// Marsaglia and Tsang's method. Below 1, the distribution is that of alpha + 1 times a power of a uniform number.
inline double gamma(double alpha, Random& random) {
    if (alpha < 1) return gamma(alpha + 1, random) * std::pow(random.uniform_open(), 1 / alpha);
    const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
        const double x = normal(random), root = 1 + c * x;
        if (root <= 0) continue;
        const double v = root * root * root;
        if (std::log(random.uniform_open()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

inline std::vector<double> dirichlet(int size, double alpha, Random& random) {
    std::vector<double> shares;
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += shares.emplace_back(gamma(alpha, random));
    for (double& share : shares)
        share = sum > 0 ? share / sum : 1.0 / size;  // with tiny alphas all of them can round to 0
    return shares;
}

}  // namespace flipdrop::puct
