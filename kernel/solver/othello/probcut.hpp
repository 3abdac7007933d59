// ProbCut (M. Buro 1995): a shallow search predicts the result of a deep one with a normally distributed error. Where
// the prediction is far enough outside the window, the deep search is left out.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace flipdrop::othello::endgame {

/// The selectivity of a search that cuts nothing by ProbCut. Lower ones cut at the confidences 73, 87, 95, 98 and 99%.
inline constexpr int kExact = 5;

/// By selectivity: how many standard deviations outside the window a prediction has to be.
inline constexpr std::array<double, kExact> kDeviations = {1.1, 1.5, 2.0, 2.6, 3.3};

/// The standard deviation, in discs, of the error with which a search of `shallow` plies predicts one of `deep` plies.
/// A polynomial of a linear combination of the three numbers, fitted to searches of many positions. Results of games
/// have a line of their own: they are further from any search than searches are from each other, and a deeper search
/// gains less.
struct ProbCutModel {
    double of_empties, of_deep, of_shallow;    ///< the linear combination
    double square, linear, constant;           ///< the polynomial
    double end_constant = 0, end_shallow = 0;  ///< the line; all zero: the polynomial is for results too

    /// A search as deep as there are empty squares goes to the end.
    double sigma(int empties, int deep, int shallow) const {
        if (deep == empties && end_constant != 0) return std::max(kLeastEndSigma, end_constant + end_shallow * shallow);
        const double x = of_empties * empties + of_deep * deep + of_shallow * shallow;
        return std::max(0.5, (square * x + linear) * x + constant);
    }

private:
    static constexpr double kLeastEndSigma = 2.5;  ///< the line holds for probes of up to ten plies
};

/// The depth of the search that predicts one of `deep` plies: about half, of the same parity, since the side to move
/// last has an advantage that evaluations see.
constexpr int probe_depth(int deep) {
    const int depth = 2 * (deep / 4) + deep % 2;
    return depth == 0 ? deep - 2 : depth;
}

/// The same before a search to the end, which deep probes predict hardly better than shallow ones: at most 7 plies.
constexpr int end_probe_depth(int empties) {
    return std::min(2 * (empties / 6), 6) + empties % 2;
}

}  // namespace flipdrop::othello::endgame
