// How a network guides a search, and how it plays against itself.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace flipdrop::puct {

struct Settings {
    std::uint32_t simulations = 200;  ///< for a move, those kept from the move before included
    double seconds = 0;               ///< 0: no such limit
    int batch = 8;                    ///< leaves of one search that are evaluated together
    double c = 1.5;                   ///< weight of the network's policy against what the search has found
    double fpu_reduction = 0.25;      ///< how much worse than its parent a move that was not tried is taken to be
    double noise = 0;                 ///< share of the root's policy that is random
    double alpha = 1;                 ///< how even that share is over the moves: Dirichlet's parameter
    bool symmetries = true;           ///< leaves are shown to the network through random symmetries of the board
    std::uint64_t seed = 0;
};

/// A game of a network against itself. A full search has noise at its root and teaches the policy; the other moves are
/// made by fast ones, so that there are more games to learn values from.
struct SelfPlaySettings {
    Settings search;                      ///< of a full search; `seconds` and `batch` do not matter
    std::uint32_t cheap_simulations = 0;  ///< simulations of the others
    double full_search_probability = 1;   ///< share of full searches
    int random_plies = 0;                 ///< a game begins with up to so many random moves
    int temperature_plies = 0;  ///< after them, so many moves are drawn by visits; later the most visited is played
    double temperature = 1;     ///< of those draws: below 1 the most visited gets more than its share
};

/// Leaves that wait for a network: planes in, policy (logits) and values out, row after row.
struct Batch {
    int size = 0;
    std::vector<float> planes, policy, values;

    void clear() {
        size = 0;
        planes.clear();
    }
};

/// Fills `policy` and `values` of a batch that is not empty. It may be called by several threads at once.
using Evaluator = std::function<void(Batch&)>;

}  // namespace flipdrop::puct
