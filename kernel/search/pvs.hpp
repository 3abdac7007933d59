// Principal variation search: alpha-beta with a transposition table, move ordering and null windows, on any number of
// threads. It finds the value of plain minimax to the same depth, faster.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/search/abdada.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/line.hpp"
#include "kernel/search/ordering.hpp"
#include "kernel/search/report.hpp"
#include "kernel/search/transposition_table.hpp"

namespace flipdrop::search {

/// What the threads of one search share.
template <GameBoard Board>
struct Shared {
    const Evaluation<Board>& evaluation;
    SearchControl& control;
    TranspositionTable& table;
    AbdadaMarks marks;  ///< enabled with several threads
};

/// One thread's search.
template <GameBoard Board>
class PrincipalVariationSearch {
public:
    PrincipalVariationSearch(Shared<Board>& shared, const StopFlag& iteration, bool on_calling_thread)
        : shared_(shared), iteration_(iteration), counter_(shared.control, on_calling_thread) {}

    bool stopped() const { return shared_.control.stopped() || iteration_.requested(); }
    std::uint64_t nodes() const { return counter_.nodes(); }

    /// The value to `depth` plies: exact between alpha and beta, a bound beyond. Meaningless once stopped.
    Value search(const Board& board, Side to_move, int depth, Value alpha, Value beta, Line& line) {
        // Step 1. Limits, the end of the game, the last ply.
        line.size = 0;
        if (counter_.tick() || iteration_.requested()) return 0;
        const auto moves = board.moves();
        if (moves.size() == 0) return finished_value(board);
        if (depth == 0) return leaf_value(shared_.evaluation, board, to_move);

        // Step 2. The transposition table, if the entry has exactly this depth: another depth has another value.
        const bool remember = depth >= 2;
        const std::uint64_t key = remember ? board.key() : 0;
        int table_move = kNoMove;
        if (TTData stored; remember && shared_.table.probe(key, stored)) {
            table_move = stored.move;
            if (stored.depth == depth && cuts(stored, alpha, beta)) {
                if (stored.bound != Bound::Upper) line.set(stored.move, Line{});
                return stored.value;
            }
        }

        // Step 3. Order the moves.
        std::array<Candidate, 64> candidates;
        const int size = ordered(board, moves, table_move, depth, candidates);

        // Step 4. Search the first move with the whole window, the others with a null window first. A move that another
        // thread is searching is postponed: its result will be in the table.
        Value best = -kInfinity;
        int best_move = candidates[0].move;
        Line rest;
        const bool share = shared_.marks.enabled() && depth >= kSharedDepth;
        std::array<std::uint8_t, 64> later;
        int waiting = 0;
        const auto try_move = [&](const Candidate& candidate, bool first) {
            const Value floor = std::max(alpha, best);
            Board child = board;
            child.play(candidate.move);
            Value value;
            if (first) {
                value = -search(child, other(to_move), depth - 1, -beta, -floor, rest);
            } else {
                const Value just_above = std::nextafter(floor, kInfinity);
                value = -search(child, other(to_move), depth - 1, -just_above, -floor, rest);
                if (value > floor && value < beta && !stopped())
                    value = -search(child, other(to_move), depth - 1, -beta, -floor, rest);
            }
            if (value > best) {
                best = value;
                best_move = candidate.move;
                if (value > alpha) line.set(candidate.move, rest);
            }
        };
        for (int i = 0; i < size && best < beta && !stopped(); ++i) {
            const Candidate& candidate = candidates[static_cast<unsigned>(i)];
            if (!share || i == 0) {
                try_move(candidate, i == 0);
                continue;
            }
            if (TTData stored; shared_.table.probe(key, stored) && stored.depth == depth && cuts(stored, alpha, beta)) {
                if (stored.bound != Bound::Upper) line.set(stored.move, Line{});
                return stored.value;  // another thread has finished this node
            }
            const std::uint64_t mark = AbdadaMarks::mark(key, candidate.move);
            if (shared_.marks.contains(mark)) {
                later[static_cast<unsigned>(waiting++)] = static_cast<std::uint8_t>(i);
                continue;
            }
            shared_.marks.enter(mark);
            try_move(candidate, false);
            shared_.marks.leave(mark);
        }
        for (int i = 0; i < waiting && best < beta && !stopped(); ++i)
            try_move(candidates[later[static_cast<unsigned>(i)]], false);

        // Step 5. Store.
        if (remember && !stopped()) {
            const Bound bound = best >= beta ? Bound::Lower : best > alpha ? Bound::Exact : Bound::Upper;
            shared_.table.store(key,
                                {best, static_cast<std::uint8_t>(depth), static_cast<std::uint8_t>(best_move), bound});
        }
        return best;
    }

private:
    static constexpr int kNoMove = 255;
    static constexpr int kSharedDepth = 4;    // below it, marks cost more than they save
    static constexpr int kMobilityDepth = 2;  // below it, the mobility score costs more than it saves

    struct Candidate {
        int move;
        int score;
    };

    static bool cuts(const TTData& stored, Value alpha, Value beta) {
        return stored.bound == Bound::Exact || (stored.bound == Bound::Lower && stored.value >= beta) ||
               (stored.bound == Bound::Upper && stored.value <= alpha);
    }

    template <class Moves>
    int ordered(const Board& board, const Moves& moves, int table_move, int depth,
                std::array<Candidate, 64>& candidates) {
        int size = 0;
        moves.for_each([&](int move) {
            int score = 1 << 20;
            if (move != table_move) {
                score = static_move_score(board, move);
                if (depth >= kMobilityDepth) score += mobility_move_score(board, move);
            }
            const Candidate candidate{move, score};
            int at = size++;
            for (; at > 0 && candidates[static_cast<unsigned>(at - 1)].score < candidate.score; --at)
                candidates[static_cast<unsigned>(at)] = candidates[static_cast<unsigned>(at - 1)];
            candidates[static_cast<unsigned>(at)] = candidate;
        });
        return size;
    }

    Shared<Board>& shared_;
    const StopFlag& iteration_;
    NodeCounter counter_;
};

}  // namespace flipdrop::search
