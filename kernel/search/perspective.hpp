// Evaluation of all leaves of a search for the side that searches.
#pragma once

#include <optional>
#include <vector>

#include "kernel/errors.hpp"
#include "kernel/evaluation/evaluation.hpp"
#include "kernel/search/settings.hpp"

namespace flipdrop::search {

/// Boards on which either side could be to move. In Connect Four the number of discs says which side is.
template <class Board>
concept HasSwappedSides = requires(const Board& board) { board.swapped(); };

/// An evaluation as `Perspective::Searcher` sees it: positions with the opponent to move are scored as if the searcher
/// were to move.
template <GameBoard Board>
class SearcherEvaluation final : public Evaluation<Board> {
public:
    SearcherEvaluation(const Evaluation<Board>& evaluation, Side searcher)
        : evaluation_(evaluation), searcher_(searcher) {}

    double score(const Board& board, Side to_move) const override {
        if (to_move == searcher_) return evaluation_.score(board, to_move);
        return -evaluation_.score(board.swapped(), searcher_);
    }

    std::vector<Term> terms(const Board& board, Side to_move) const override {
        if (to_move == searcher_) return evaluation_.terms(board, to_move);
        std::vector<Term> terms = evaluation_.terms(board.swapped(), searcher_);
        for (Term& term : terms) term.feature = -term.feature;
        return terms;
    }

private:
    const Evaluation<Board>& evaluation_;
    Side searcher_;
};

/// The evaluation that a search from a position with `searcher` to move gives its leaves.
template <GameBoard Board>
class LeafEvaluation {
public:
    LeafEvaluation(const Evaluation<Board>* evaluation, Perspective perspective, Side searcher)
        : evaluation_(evaluation) {
        if (perspective == Perspective::SideToMove || evaluation == nullptr) return;
        if constexpr (HasSwappedSides<Board>)
            evaluation_ = &own_.emplace(*evaluation, searcher);
        else
            throw Error("the searcher's perspective belongs to Othello");
    }
    LeafEvaluation(const LeafEvaluation&) = delete;
    LeafEvaluation& operator=(const LeafEvaluation&) = delete;

    const Evaluation<Board>* get() const { return evaluation_; }

private:
    struct None {};
    std::conditional_t<HasSwappedSides<Board>, std::optional<SearcherEvaluation<Board>>, None> own_;
    const Evaluation<Board>* evaluation_;
};

}  // namespace flipdrop::search
