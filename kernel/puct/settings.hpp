// Settings of PUCT searches and of self-play.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace flipdrop::puct {

struct Settings {
    std::uint32_t simulations = 200;  ///< for a move, including those kept from the move before
    double seconds = 0;               ///< 0: no such limit
    std::uint64_t nodes = 0;          ///< of the tree that an evaluation guides, likewise
    int batch = 8;                    ///< leaves of one search that are evaluated together
    double c = 1.5;                   ///< exploration constant: weight of the policy against the values found
    double fpu_reduction = 0.25;      ///< first-play urgency: value of an unvisited move, below its parent's
    double noise = 0;                 ///< weight of the noise in the root's policy
    double alpha = 1;                 ///< parameter of the Dirichlet noise: the higher, the more even
    bool symmetries = true;           ///< the network sees leaves through random symmetries of the board
    double half_point = 0;            ///< an evaluation's score half-way to a win; 0: it is an expected result
    double temperature = 0.25;        ///< of the policy that an evaluation gives
    int threads = 1;                  ///< on the tree that an evaluation guides; a network's search has one
    std::uint64_t seed = 0;
};

/// A game of a network against itself. Playout cap randomisation (KataGo): a full search has noise at its root and its
/// visits train the policy; the other moves are made by cheap searches, so that there are more games to train values.
struct SelfPlaySettings {
    Settings search;                      ///< of a full search; `seconds` and `batch` do not matter
    std::uint32_t cheap_simulations = 0;  ///< simulations of the others
    double full_search_probability = 1;   ///< share of full searches
    int random_plies = 0;                 ///< maximal number of random moves at the start of a game
    int temperature_plies = 0;  ///< after them, this many moves are drawn by visits; later the most visited is played
    double temperature = 1;     ///< of those draws: below 1 the most visited gets more than its share
};

/// Pending leaves: planes in, policy (logits) and values out, one row for each leaf.
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
