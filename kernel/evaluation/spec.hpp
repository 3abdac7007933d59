// The specification of an evaluation, as files, command lines and genetic algorithms have it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/evaluation/evaluation.hpp"

namespace flipdrop {

/// Name and parameters of an evaluation. Defaults are in src/flipdrop/evaluation.
struct EvaluationSpec {
    std::string name;
    std::vector<double> weights;  ///< one for each term, in the order of the terms
    std::vector<double> table;    ///< of squares (see square_table.hpp); empty for evaluations without one
};

/// Throws Error unless the spec makes an evaluation for some board.
void check_spec(const EvaluationSpec& spec);

/// The evaluation for boards of this kind; throws Error if there is none of that name for the game, or if its numbers
/// do not fit. Defined for every board of both games' Position::AnyBoard.
template <GameBoard Board>
std::unique_ptr<Evaluation<Board>> make_evaluation(const EvaluationSpec& spec);

}  // namespace flipdrop
