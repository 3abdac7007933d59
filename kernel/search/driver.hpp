// From settings to a report: runs one search of the minimax family from the root.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/line.hpp"
#include "kernel/search/minimax.hpp"
#include "kernel/search/perspective.hpp"
#include "kernel/search/pvs.hpp"
#include "kernel/search/report.hpp"
#include "kernel/search/settings.hpp"
#include "kernel/search/transposition_table.hpp"

namespace flipdrop::search {

/// The result for one root move.
struct RootEntry {
    RootMove found;
    Line line;  ///< what follows the move
};

using RootEntries = std::vector<RootEntry>;

/// Best first; a bound behind an exact value of the same size. Equal values keep their order.
inline void sort_best_first(RootEntries& entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const RootEntry& a, const RootEntry& b) {
        return a.found.value != b.found.value ? a.found.value > b.found.value : a.found.exact && !b.found.exact;
    });
}

template <GameBoard Board>
class Driver {
public:
    Driver(const Board& board, Side to_move, const Evaluation<Board>& evaluation, const Settings& settings,
           Observer observer)
        : board_(board),
          to_move_(to_move),
          evaluation_(&evaluation, settings.perspective, to_move),
          settings_(checked(settings)),
          progress_(std::move(observer.progress)),
          control_(settings.limits, std::move(observer.watch)) {
        board.moves().for_each([&](int move) { entries_.push_back({{move, 0, 0, false}, {}}); });
        if (entries_.empty()) throw Error("the game is over: there is no move to search");
    }

    Report run() {
        switch (settings_.algorithm) {
            case Algorithm::Minimax: run_fixed_depth<Minimax<Board>>(); break;
            case Algorithm::AlphaBeta: run_fixed_depth<AlphaBeta<Board>>(); break;
            case Algorithm::Iterative: run_iterative(); break;
        }
        return report();
    }

private:
    bool has_budget() const { return settings_.limits.nodes > 0 || settings_.limits.seconds > 0; }
    int last_depth() const { return settings_.limits.depth > 0 ? settings_.limits.depth : kMaxDepth; }

    /// The depth to search after `depth`. Beyond the number of empty cells only passes lengthen a game: one last search
    /// covers them all.
    int next_depth(int depth) const {
        const int most = board_.max_plies_left();
        if (depth < board_.plies_without_passes() || depth >= most) return depth + 1;
        return std::min(most, std::max(last_depth(), depth + 1));
    }

    Board after(int move) const {
        Board child = board_;
        child.play(move);
        return child;
    }

    /// Without a budget of nodes or time, a textbook search goes straight to its depth. With one it deepens step by
    /// step, so that there is a result when the budget ends.
    template <class Engine>
    void run_fixed_depth() {
        for (int depth = has_budget() ? 1 : last_depth(); depth <= last_depth(); depth = next_depth(depth))
            if (!finish(depth, search_root_moves<Engine>(depth))) break;
    }

    /// Searches all root moves to one depth, each on the next free thread; the best value so far bounds the others.
    template <class Engine>
    std::optional<RootEntries> search_root_moves(int depth) {
        RootEntries entries = entries_;
        std::mutex mutex;
        Value best = -kInfinity;
        std::size_t next = 0;
        const auto work = [&](bool on_calling_thread) {
            NodeCounter counter(control_, on_calling_thread);
            Engine engine(*evaluation_.get(), counter);
            for (;;) {
                std::unique_lock lock(mutex);
                if (next == entries.size() || control_.stopped()) return;
                RootEntry& entry = entries[next++];
                const Value floor = settings_.all_moves ? -kInfinity : best;
                lock.unlock();
                const std::uint64_t before = counter.nodes();
                const Value value =
                    -engine.search(after(entry.found.move), other(to_move_), depth - 1, -kInfinity, -floor, entry.line);
                if (control_.stopped()) return;
                entry.found = {entry.found.move, value, counter.nodes() - before, value > floor};
                lock.lock();
                best = std::max(best, value);
            }
        };
        in_parallel(work);
        if (control_.stopped()) return std::nullopt;
        return entries;
    }

    void run_iterative() {
        TranspositionTable table(settings_.table_megabytes);
        Shared<Board> shared{*evaluation_.get(), control_, table, AbdadaMarks(settings_.threads > 1)};
        Value previous = 0, last_change = 0;
        for (int depth = 1; depth <= last_depth(); depth = next_depth(depth)) {
            // An aspiration window around the last value; it is widened on the side where the search failed.
            Value alpha = -kInfinity, beta = kInfinity;
            Value delta = std::max<Value>(2 * last_change, std::abs(previous) / 16 + Value{1});
            if (depth > 2 && !settings_.all_moves) {
                alpha = previous - delta;
                beta = previous + delta;
            }
            std::optional<RootEntries> entries;
            for (;;) {
                entries = search_parallel(shared, depth, alpha, beta);
                if (!entries) break;
                const auto value = static_cast<Value>(entries->front().found.value);
                delta *= 4;
                if (value <= alpha && alpha > -kInfinity)
                    alpha = delta > kWin / 8 ? -kInfinity : value - delta;
                else if (value >= beta && beta < kInfinity)
                    beta = delta > kWin / 8 ? kInfinity : value + delta;
                else
                    break;
            }
            if (!finish(depth, entries)) break;
            table.grow_for(control_.nodes(), control_.seconds_left());
            const auto value = static_cast<Value>(entries_.front().found.value);
            last_change = std::abs(value - previous);
            previous = value;
        }
        complete_line(table, entries_.front());
    }

    /// Extends a line that ended with a table hit by the table's moves.
    void complete_line(const TranspositionTable& table, RootEntry& entry) const {
        Board board = after(entry.found.move);
        for (int i = 0; i < entry.line.size; ++i) board.play(entry.line.moves[static_cast<unsigned>(i)]);
        TTData stored;
        while (entry.line.size + 1 < depth_ && table.probe(board.key(), stored)) {
            bool legal = false;
            board.moves().for_each([&](int move) { legal |= move == stored.move; });
            if (!legal) return;
            entry.line.moves[static_cast<unsigned>(entry.line.size++)] = stored.move;
            board.play(stored.move);
        }
    }

    /// Searches the root to one depth on all threads at once. The first thread to finish gives the result.
    std::optional<RootEntries> search_parallel(Shared<Board>& shared, int depth, Value alpha, Value beta) {
        StopFlag iteration;
        std::mutex mutex;
        std::optional<RootEntries> result;
        const auto work = [&](bool on_calling_thread) {
            PrincipalVariationSearch<Board> engine(shared, iteration, on_calling_thread);
            RootEntries entries = entries_;
            search_root(shared, engine, depth, alpha, beta, entries);
            const std::lock_guard lock(mutex);
            if (engine.stopped()) return;
            iteration.request();
            sort_best_first(entries);
            result = std::move(entries);
        };
        in_parallel(work);
        return result;
    }

    /// As PrincipalVariationSearch::search, but keeps the value of every move.
    void search_root(Shared<Board>& shared, PrincipalVariationSearch<Board>& engine, int depth, Value alpha, Value beta,
                     RootEntries& entries) {
        const std::uint64_t key = board_.key();
        Value best = -kInfinity;
        std::vector<RootEntry*> later;
        const auto try_move = [&](RootEntry& entry, bool first) {
            const Board child = after(entry.found.move);
            const Side opponent = other(to_move_);
            const std::uint64_t before = engine.nodes();
            const Value floor = settings_.all_moves ? alpha : std::max(alpha, best);
            Value value;
            if (first || settings_.all_moves) {
                value = -engine.search(child, opponent, depth - 1, -beta, -floor, entry.line);
            } else {
                value =
                    -engine.search(child, opponent, depth - 1, -std::nextafter(floor, kInfinity), -floor, entry.line);
                if (value > floor && value < beta && !engine.stopped())
                    value = -engine.search(child, opponent, depth - 1, -beta, -floor, entry.line);
            }
            best = std::max(best, value);
            entry.found = {entry.found.move, value, engine.nodes() - before, value > floor};
        };
        bool first = true;
        for (RootEntry& entry : entries) {
            if (engine.stopped() || (best >= beta && !settings_.all_moves)) {
                entry.found = {entry.found.move, best, 0, false};
                continue;
            }
            const std::uint64_t mark = AbdadaMarks::mark(key, entry.found.move);
            if (shared.marks.enabled() && !first && shared.marks.contains(mark)) {
                later.push_back(&entry);
                continue;
            }
            if (shared.marks.enabled() && !first) shared.marks.enter(mark);
            try_move(entry, first);
            if (shared.marks.enabled() && !first) shared.marks.leave(mark);
            first = false;
        }
        for (RootEntry* entry : later) {
            if (engine.stopped()) return;
            try_move(*entry, false);
        }
    }

    /// Runs `work` on all threads; an exception on any of them ends all and is thrown here.
    template <class Work>
    void in_parallel(Work& work) {
        team_.run([&](int member) { work(member == 0); }, [this] { control_.stop(); });
    }

    /// Takes over what one depth has found. False if no deeper search is to follow.
    bool finish(int depth, std::optional<RootEntries> entries) {
        if (!entries) return false;
        entries_ = std::move(*entries);
        sort_best_first(entries_);
        depth_ = depth;
        // A proven best move stays best at any depth; with `all_moves`, all of them have to be proven.
        const auto proven = [this](const RootEntry& entry) { return is_proven(entry); };
        if (progress_) progress_(report());
        const bool enough_proven =
            settings_.all_moves ? std::all_of(entries_.begin(), entries_.end(), proven) : proven(entries_.front());
        return !control_.stopped() && !(enough_proven && has_budget());
    }

    /// Whether a root move's value is the game's result: the search reached the end of the game, or it found a win or
    /// loss where a deeper search cannot find a better one.
    bool is_proven(const RootEntry& entry) const {
        return depth_ >= board_.max_plies_left() ||
               (Board::kShortestWinIsBest && search::is_proven(static_cast<Value>(entry.found.value)));
    }

    Report report() const {
        Report report;
        const RootEntry& best = entries_.front();
        report.best = best.found.move;
        report.value = best.found.value;
        report.line = {best.found.move};
        const auto rest = best.line.as_vector();
        report.line.insert(report.line.end(), rest.begin(), rest.end());
        for (const RootEntry& entry : entries_) report.moves.push_back(entry.found);
        report.nodes = control_.nodes();
        report.depth = depth_;
        report.seconds = control_.seconds();
        report.proven = depth_ > 0 && is_proven(best);
        return report;
    }

    const Board board_;
    const Side to_move_;
    const LeafEvaluation<Board> evaluation_;
    const Settings settings_;
    const std::function<void(const Report&)> progress_;
    SearchControl control_;
    ThreadTeam team_{settings_.threads};
    RootEntries entries_;
    int depth_ = 0;
};

}  // namespace flipdrop::search
