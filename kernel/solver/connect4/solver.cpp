#include "kernel/solver/connect4/solver.hpp"

namespace flipdrop::connect4::exact {

template Solution Solver<FixedShape<7, 6>>::solve(const Board<FixedShape<7, 6>>&, const Request&, const Watch&);
template Solution Solver<AnyShape<Bits>>::solve(const Board<AnyShape<Bits>>&, const Request&, const Watch&);
template Solution Solver<AnyShape<UInt<2>>>::solve(const Board<AnyShape<UInt<2>>>&, const Request&, const Watch&);
template Solution Solver<AnyShape<UInt<3>>>::solve(const Board<AnyShape<UInt<3>>>&, const Request&, const Watch&);

}  // namespace flipdrop::connect4::exact
