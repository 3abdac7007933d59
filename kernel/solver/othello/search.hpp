// One thread's search for whether a score is above a bar (last_moves.hpp says what that means): a ladder of
// functions, each for positions nearer to the end. All but the last count stable discs first.
//
//    deep      table, moves sorted with care, shared among threads
//    shallow   a small table: what is left costs less than a look into the large one
//    last_five, last_four, solve_4 .. solve_1
//
// Any value returned after the search was stopped is meaningless; `stopped` tells.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "kernel/bits.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/othello/symmetry.hpp"
#include "kernel/search/control.hpp"
#include "kernel/solver/othello/crew.hpp"
#include "kernel/solver/othello/last_moves.hpp"
#include "kernel/solver/othello/ordering.hpp"
#include "kernel/solver/othello/small_table.hpp"
#include "kernel/solver/othello/stability.hpp"
#include "kernel/solver/othello/table.hpp"

namespace flipdrop::othello::endgame {

/// The level of a search whose word is proven. Below it, levels cut the more boldly the lower they are.
inline constexpr int kProven = 3;  // 1 and 2 are selective, 0 is no search at all

/// What the threads of one search share.
template <int Size>
struct Shared {
    search::Control& control;
    Table& table;
    Crew<Size>& crew;
};

template <int Size, class Judge>
class Search {
public:
    using B = Board<Size>;

    /// Seat 0 is the calling thread's. No two have the same small table at a time.
    Search(Shared<Size>& shared, const Judge& judge, SmallTable<Size>& small_table, int seat)
        : shared_(shared), judge_(judge), small_table_(small_table), seat_(seat) {}
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    ~Search() { settle(); }

    void set_level(int level) { level_ = level; }

    /// Whether what was returned last is meaningless.
    bool stopped() const { return shared_.control.stopped() || cut_above(); }

    /// Tells the control of the nodes that were visited.
    void settle() {
        shared_.control.spend(nodes_ - settled_, seat_ == 0);
        settled_ = nodes_;
    }

    /// A helper's life.
    void help() {
        Task<Size> task;
        while (shared_.crew.next(seat_, nullptr, task, [] {})) run(task);
    }

    int above(const B& board, int bar) {
        const Bits empties = board.empties();
        return above(board, board.placements(), bar, count(empties), odd_quadrants<Size>(empties));
    }

    /// The table's best move of a position, or kNoMove.
    int remembered(const B& board) const {
        const Place place = place_of(board, count(board.empties()));
        Known known;
        return shared_.table.probe(place.key, known) ? place.outward(known.move) : kNoMove;
    }

    /// The judge's opinion after `depth` more plies, in hundredths of a disc: exact between alpha and beta.
    int look(const B& board, int depth, int alpha, int beta) {
        return look(board, judge_.read(board), depth, alpha, beta);
    }

private:
    using Reading = typename Judge::Reading;

    int look(const B& board, const Reading& reading, int depth, int alpha, int beta) {
        ++nodes_;
        const Bits empties = board.empties();
        Bits moves = line_ends(board.own, board.other) & empties;
        if (moves == 0) {
            if ((line_ends(board.other, board.own) & empties) == 0) return 100 * board.final_margin();
            return -look({board.other, board.own}, judge_.passed(reading), depth, -beta, -alpha);
        }
        if (depth == 0) return judge_.score(board, moves, reading);
        if (depth >= 3 && nodes_ - settled_ >= kInterval) settle();
        if (depth >= 3 && stopped()) return 0;
        Children<Size> children;
        for (; moves != 0; moves = without_lowest(moves)) {
            Child<Size> child = played(board, lowest(moves));
            if (depth > 1) child.score = quick_score<Size>(child.board(), child.board().placements(), child.move, 0);
            children.add(child);
        }
        int best = -100 * kArea<Size> - 1;
        for (std::size_t i = 0; i < children.size() && best < beta; ++i) {
            const Child<Size>& child = children.pick(i);
            best = std::max(best, -look(child.board(), read_after(board, reading, child), depth - 1, -beta,
                                        -std::max(alpha, best)));
        }
        return best;
    }

    Reading read_after(const B& board, const Reading& reading, const Child<Size>& child) const {
        return judge_.after(reading, child.move, board.other ^ child.own);
    }

    // Chosen by node counts and times on positions of the FFO test suite; neighbouring values are within some percent.
    static constexpr int kShallow = 9;      ///< with at most so many empty squares only the small table
    static constexpr int kJudged = 13;      ///< from so many on the judge orders the moves
    static constexpr int kBad = 1000;       ///< moves that are worse than the best by more are not told apart
    static constexpr int kFirst = 1 << 30;  ///< the score of the table's move
    static constexpr int kShared = 13;      ///< from so many on moves are handed to other threads
    static constexpr int kProbed = 12;      ///< from so many on a selective search may trust the judge
    static_assert(kProbed > kShallow, "the small table knows no levels: what it keeps is proven");
    static constexpr int kSymmetric = 12;  ///< with at most so many discs, mirrored positions are one
    /// From so many times the empty squares on, less one, a bar may be out of reach because of stable discs.
    static constexpr int kStabilityBar = 2;
    /// How many hundredths of its error the judge has to be away from the bar to be believed, by level.
    static constexpr std::array<int, 3> kMargin = {0, 100, 170};
    static constexpr std::uint64_t kInterval = 4096;  ///< nodes between two looks at the clock

    static Child<Size> played(const B& board, int move) {
        const Bits turned = flips(board.own, board.other, move);
        return {board.other ^ turned, board.own ^ (turned | Bits{1} << move), 0, 0, move, 0};
    }
    static unsigned parity_after(unsigned odd, int move) { return odd ^ kQuadrant<Size>[static_cast<unsigned>(move)]; }

    bool cut_above() const {
        for (const Split* split = split_; split != nullptr; split = split->parent)
            if (split->cut.load(std::memory_order_relaxed)) return true;
        return false;
    }

    /// Counts the opponent's stable discs where there may be enough of them. They bound the score: below the bar it
    /// ends the node. kArea: no news.
    static int most_possible(const B& board, int bar, int empties) {
        const int enough = (kArea<Size> - bar) / 2 + 1;
        if (bar < kStabilityBar * (empties - 1) || count(board.other) < enough) return kArea<Size>;
        return kArea<Size> - 2 * count(OpenLines<Size>(board.empties()).stable(board.other, enough));
    }

    int above(const B& board, Bits moves, int bar, int empties, unsigned odd) {
        if (empties > kShallow) return deep(board, moves, bar, empties, odd);
        if (empties > 4) return shallow(board, moves, bar, empties, odd);
        return solve_last<Size>(board, bar, nodes_);
    }

    int shallow(const B& board, Bits moves, int bar, int empties, unsigned odd) {
        // Step 1. The opponent's stable discs may be too many already.
        if (const int most = most_possible(board, bar, empties); most < bar) return most;
        // Step 2. No move: pass, or the end.
        if (moves == 0) {
            const B passed{board.other, board.own};
            const Bits replies = passed.placements();
            return replies == 0 ? board.final_margin() : -shallow(passed, replies, -bar, empties, odd);
        }
        if (empties == 5) return last_five(board, moves, bar, odd);
        // Step 3. Another order of moves may have led here just now.
        auto& entry = small_table_.of(board);
        if (entry.is(board)) {
            if (entry.lower > bar) return entry.lower;
            if (entry.upper < bar) return entry.upper;
        }
        const int score = shallow_sorted(board, moves, bar, empties, odd);
        entry.add(board, bar, score);
        return score;
    }

    /// Sorted by parity alone.
    int last_five(const B& board, Bits moves, int bar, unsigned odd) {
        int best = kNone;
        const Bits first = moves & kQuadrantSquares<Size>[odd];
        for (Bits group : {first, moves & ~first})
            for (; group != 0; group = without_lowest(group)) {
                const Child<Size> child = played(board, lowest(group));
                ++nodes_;
                const int score = -last_four(child.board(), -bar);
                if (score > best) {
                    best = score;
                    if (best > bar) return best;
                }
            }
        return best;
    }

    int last_four(const B& board, int bar) {
        if (const int most = most_possible(board, bar, 4); most < bar) return most;
        return solve_4<Size>(board.own, board.other, bar, ordered_four<Size>(board.empties()), nodes_);
    }

    int shallow_sorted(const B& board, Bits moves, int bar, int empties, unsigned odd) {
        Children<Size> children;
        for (; moves != 0; moves = without_lowest(moves)) {
            Child<Size> child = played(board, lowest(moves));
            child.replies = child.board().placements();
            child.score = hasty_score<Size>(child.replies, child.move, odd);
            children.add(child);
        }
        int best = kNone;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Child<Size>& child = children.pick(i);
            ++nodes_;
            const int score = -shallow(child.board(), child.replies, -bar, empties - 1, parity_after(odd, child.move));
            if (score > best) {
                best = score;
                if (best > bar) return best;
            }
        }
        return best;
    }

    int deep(const B& board, Bits moves, int bar, int empties, unsigned odd) {
        // Step 1. Time, limits, and a cut-off that another thread has found.
        if (nodes_ - settled_ >= kInterval) settle();
        if (stopped()) return 0;
        const std::uint64_t began = nodes_;

        // Step 2. The opponent's stable discs may be too many already.
        if (const int most = most_possible(board, bar, empties); most < bar) return most;

        // Step 3. No move: pass, or the end.
        if (moves == 0) {
            const B passed{board.other, board.own};
            const Bits replies = passed.placements();
            return replies == 0 ? board.final_margin() : -deep(passed, replies, -bar, empties, odd);
        }

        // Step 4. What the table knows may end the node; else its moves come first.
        const Place place = place_of(board, empties);
        Known known;
        if (shared_.table.probe(place.key, known)) {
            if (known.level >= level_) {
                if (known.lower > bar) return known.lower;
                if (known.upper < bar) return known.upper;
            }
            known.move = place.outward(known.move);
            known.second = place.outward(known.second);
        }

        // Step 5. A selective search believes the judge when he is sure.
        if (level_ < kProven && empties >= kProbed) {
            if (const int verdict = probable(board, moves, bar, empties); verdict != bar) return verdict;
        }

        // Step 6. Play the moves. One that leaves the opponent without discs cannot be beaten.
        const bool children_in_table = empties - 1 > kShallow;
        Children<Size> children;
        for (; moves != 0; moves = without_lowest(moves)) {
            Child<Size> child = played(board, lowest(moves));
            if (child.own == 0) return kArea<Size>;
            if (children_in_table) {
                child.key = place_of(child.board(), empties - 1).key;
                shared_.table.prefetch(child.key);
            }
            children.add(child);
        }

        // Step 7. A child that the table knows to be bad enough for the opponent ends the node too.
        if (children_in_table) {
            for (const auto& child : children) {
                Known of_child;
                if (shared_.table.probe(child.key, of_child) && of_child.level >= level_ && -of_child.upper > bar)
                    return -of_child.upper;
            }
        }

        // Step 8. Sort.
        for (auto& child : children) {
            child.replies = child.board().placements();
            if (child.move == known.move)
                child.score = kFirst;
            else if (child.move == known.second)
                child.score = kFirst - 1;
            else
                child.score = quick_score<Size>(child.board(), child.replies, child.move, odd);
        }
        if (empties >= kJudged) judge(board, children, empties);

        // Step 9. Search them, the first alone, the others together with whoever has nothing to do.
        int best = kNone, best_move = kNoMove;
        Split split;
        bool shared = false;
        const bool may_share = shared_.crew.threads() > 1 && empties >= kShared;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const Child<Size>& child = children.pick(i);
            if (may_share && i > 0 && i + 1 < children.size() && shared_.crew.someone_is_idle()) {
                if (!shared) {
                    shared = true;
                    split.parent = split_;
                    split.bar = bar;
                    split.level = level_;
                    split.best = best;
                    split.move = best_move;
                }
                if (shared_.crew.offer({child.board(), child.move, &split})) continue;
            }
            if (shared) split_ = &split;
            ++nodes_;
            const int score = -above(child.board(), child.replies, -bar, empties - 1, parity_after(odd, child.move));
            if (shared) split_ = split.parent;
            if (shared) {
                if (split.cut.load(std::memory_order_relaxed) || stopped()) break;
                if (shared_.crew.add_own(split, score, child.move) > bar) break;
            } else {
                if (stopped()) return 0;
                if (score > best) {
                    best = score;
                    best_move = child.move;
                    if (best > bar) break;
                }
            }
        }
        if (shared) {
            wait_for_helpers(split);
            best = split.best;
            best_move = split.move;
            if (stopped()) return 0;
        }

        // Step 10. Remember.
        shared_.table.store(place.key, level_, bar, best, place.inward(best_move), nodes_ - began);
        return best;
    }

    /// Where the table keeps a position. In the opening, mirrored positions share a place, and the moves there are
    /// those of the mirror image.
    struct Place {
        std::uint64_t key;
        int symmetry;

        int inward(int move) const { return turned(move, symmetry); }
        int outward(int move) const {
            constexpr std::array<int, 8> inverse = {0, 1, 2, 3, 4, 6, 5, 7};
            return turned(move, inverse[static_cast<unsigned>(symmetry)]);
        }
        static int turned(int move, int by) {
            return by == 0 || move >= 64 ? move : lowest(transformed<Size>(Bits{1} << move, by));
        }
    };
    static Place place_of(const B& board, int empties) {
        if (kArea<Size> - empties > kSymmetric) return {board.key(), 0};
        B least = board;
        int symmetry = 0;
        for (int s = 1; s < kSymmetries; ++s) {
            const B image{transformed<Size>(board.own, s), transformed<Size>(board.other, s)};
            if (image.own < least.own || (image.own == least.own && image.other < least.other)) {
                least = image;
                symmetry = s;
            }
        }
        return {least.key(), symmetry};
    }

    /// Sorts by what the judge thinks of the moves that the table does not know, after a look some plies ahead. Few
    /// replies count extra: such moves are refuted, or proven, by smaller trees. How bad a bad move is does not matter.
    void judge(const B& board, Children<Size>& children, int empties) {
        constexpr int kMost = 100 * kArea<Size>;
        const int depth = std::min((empties - kJudged) / Judge::kEmptiesToPly, Judge::kMostPlies);
        const Reading reading = judge_.read(board);
        int best = -kMost;
        for (std::size_t i = 0; i < children.size(); ++i) {
            children.pick(i);
            Child<Size>& child = children[i];
            if (child.score >= kFirst - 1) continue;
            const int beta = std::min(kMost, kBad - best);
            const int opinion = -look(child.board(), read_after(board, reading, child), depth, -kMost, beta);
            best = std::max(best, opinion);
            child.score = opinion + Judge::kReplies * child.score;
        }
    }

    /// On which side of the bar the judge thinks the score is, if he is sure enough for this level; else the bar.
    int probable(const B& board, Bits moves, int bar, int empties) {
        const int depth = empties < 16 ? 2 : 4;
        const int margin = judge_.error(depth) * kMargin[static_cast<unsigned>(level_)] / 100;
        // A look ahead is dear: only where he is half as far from the bar already, and about that side alone.
        const Reading reading = judge_.read(board);
        const int lead = judge_.score(board, moves, reading) - 100 * bar;
        if (std::abs(lead) < margin / 2) return bar;
        if (lead > 0) {
            const int high = 100 * bar + margin;
            return look(board, reading, depth, high - 1, high) >= high ? bar + 1 : bar;
        }
        const int low = 100 * bar - margin;
        return look(board, reading, depth, low, low + 1) <= low ? bar - 1 : bar;
    }

    void run(const Task<Size>& task) {
        const Split* const outer = split_;
        const int outer_level = level_;
        split_ = task.split;
        level_ = task.split->level;
        ++nodes_;
        const int score = -above(task.board, -task.split->bar);
        const bool valid = !stopped();
        split_ = outer;
        level_ = outer_level;
        settle();
        shared_.crew.answer(task, valid, score);
    }

    void wait_for_helpers(Split& split) {
        Task<Size> task;
        while (shared_.crew.next(seat_, &split, task, [this] { settle(); })) run(task);
    }

    Shared<Size>& shared_;
    Judge judge_;
    SmallTable<Size>& small_table_;
    int seat_;
    int level_ = kProven;
    const Split* split_ = nullptr;  ///< the nearest split above what is being searched
    std::uint64_t nodes_ = 0, settled_ = 0;
};

}  // namespace flipdrop::othello::endgame
