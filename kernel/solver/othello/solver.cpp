#include "kernel/solver/othello/solver.hpp"

namespace flipdrop::othello::endgame {

template Solution Solver<4>::solve(const Board<4>&, const Request&, const Watch&);
template Solution Solver<6>::solve(const Board<6>&, const Request&, const Watch&);
template Solution Solver<8>::solve(const Board<8>&, const Request&, const Watch&);
template Solution Solver<6, PatternEvaluator<6>>::solve(const Board<6>&, const Request&, const Watch&);
template Solution Solver<8, PatternEvaluator<8>>::solve(const Board<8>&, const Request&, const Watch&);

}  // namespace flipdrop::othello::endgame
