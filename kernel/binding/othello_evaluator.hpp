// The pattern network of the Othello engine and solver, for Python.
#pragma once

#include <variant>

#include "kernel/binding/pattern.hpp"
#include "kernel/solver/othello/pattern_evaluator.hpp"

namespace flipdrop::binding {

/// The class `OthelloEvaluator` of Python.
struct OthelloEvaluator {
    std::variant<othello::endgame::PatternEvaluator<8>, othello::endgame::PatternEvaluator<6>> of_board;
};

}  // namespace flipdrop::binding
