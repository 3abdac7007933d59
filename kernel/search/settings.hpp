// Settings of the minimax family.
#pragma once

#include <cstddef>

#include "kernel/errors.hpp"
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

inline constexpr int kMaxDepth = 200;  ///< more plies than any game has
inline constexpr int kMaxThreads = 1024;
inline constexpr std::size_t kMaxMegabytes = std::size_t{1} << 20;
inline constexpr double kMaxSeconds = 1e12, kMaxNumber = 1e300;

/// Throw Error unless a search with these settings can be run.
inline void check(const Limits& limits) {
    check_range("depth", limits.depth, 0, kMaxDepth);
    check_range("seconds", limits.seconds, 0.0, kMaxSeconds);
}
inline void check(const Settings& settings) {
    check(settings.limits);
    check_range("threads", settings.threads, 1, kMaxThreads);
    check_range("table_megabytes", settings.table_megabytes, std::size_t{0}, kMaxMegabytes);
}
inline const Settings& checked(const Settings& settings) {
    check(settings);
    return settings;
}

}  // namespace flipdrop::search
