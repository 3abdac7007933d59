// Settings of the minimax family.
#pragma once

#include <cstddef>

#include "kernel/search/report.hpp"

namespace flipdrop::search {

enum class Algorithm { Minimax, AlphaBeta, Iterative };

/// The side for which the evaluation scores a leaf. It matters for evaluations that count only the moves of the side
/// to move, for example.
enum class Perspective {
    SideToMove,  ///< the side to move there
    Searcher     ///< the side to move at the root, as if it were to move (Othello)
};

struct Settings {
    Algorithm algorithm = Algorithm::Iterative;
    Limits limits;
    int threads = 1;
    bool all_moves = false;  ///< every root move gets an exact value, not only the best
    std::size_t table_megabytes = 64;
    Perspective perspective = Perspective::SideToMove;
};

}  // namespace flipdrop::search
