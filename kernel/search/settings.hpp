// Settings of the minimax family.
#pragma once

#include <cstddef>

#include "kernel/search/report.hpp"

namespace flipdrop::search {

enum class Algorithm { Minimax, AlphaBeta, Iterative };

struct Settings {
    Algorithm algorithm = Algorithm::Iterative;
    Limits limits;
    int threads = 1;
    bool all_moves = false;  ///< every root move gets an exact value, not only the best
    std::size_t table_megabytes = 64;
};

}  // namespace flipdrop::search
