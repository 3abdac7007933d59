// A node's accumulator: its parent's after the move, or read from the board when it is first needed.
#pragma once

#include "kernel/othello/board.hpp"
#include "kernel/solver/othello/ordering_evaluator.hpp"

namespace flipdrop::othello::endgame {

template <int Size, OrderingEvaluator<Size> Evaluator>
class LazyAccumulator {
public:
    using Accumulator = typename Evaluator::Accumulator;

    /// `known` is the board's accumulator if the caller has it, else null. The arguments outlive this object.
    LazyAccumulator(const Evaluator& evaluator, const Board<Size>& board, const Accumulator* known)
        : evaluator_(evaluator), board_(board), known_(known) {}
    LazyAccumulator(const LazyAccumulator&) = delete;
    LazyAccumulator& operator=(const LazyAccumulator&) = delete;

    const Board<Size>& board() const { return board_; }
    bool is_known() const { return known_ != nullptr; }
    const Accumulator& get() const {
        if (known_ == nullptr) {
            read_ = evaluator_.read(board_);
            known_ = &read_;
        }
        return *known_;
    }

private:
    const Evaluator& evaluator_;
    const Board<Size>& board_;
    mutable const Accumulator* known_;
    mutable Accumulator read_;
};

}  // namespace flipdrop::othello::endgame
