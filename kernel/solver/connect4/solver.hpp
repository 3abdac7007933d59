// Perfect play in Connect Four, on a board of any shape.
//
// A score is in discs in hand (node.hpp): for the side to move, a win is worth the number of its discs that it has not
// yet played when it wins, the winning one included; a loss is the negative of the winner's; a draw is 0. On 7x6 a win
// with the 21st disc is 1, with the 20th 2. In general, if a game ends with `e` playable cells empty, it was worth
// e / 2 + 1 (rounded down) to the winner. A forbidden cell is not a playable one.
//
//     Solver<FixedShape<7, 6>> solver;
//     Solution solution = solver.solve(board, {.limits = {.seconds = 5}, .threads = 2});
//
// A solver keeps its table between calls; its bounds are exact and stay valid, so `clear` only matters for
// measurements. One call at a time; calls block until they are done or a limit is reached.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/connect4/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/parallel.hpp"
#include "kernel/search/control.hpp"
#include "kernel/solver/connect4/geometry.hpp"
#include "kernel/solver/connect4/node.hpp"
#include "kernel/solver/connect4/search.hpp"
#include "kernel/solver/connect4/table.hpp"
#include "kernel/solver/connect4/window.hpp"
#include "kernel/solver/solution.hpp"

namespace flipdrop::connect4::exact {

using solver::Request;
using solver::Solution;
using solver::Watch;

template <class Shape>
class Solver {
public:
    using Word = typename Shape::Word;

    explicit Solver(const Shape& shape = {}, std::size_t megabytes = kDefaultMegabytes, Pages pages = Pages::Huge)
        : geometry_(shape), table_(megabytes, pages) {}

    static constexpr std::size_t kDefaultMegabytes = 64;  ///< 1024 saves no nodes on 7x6, and misses caches

    /// Forgets all positions.
    void clear() { table_.clear(); }

    /// Answers the request as far as the limits allow.
    Solution solve(const Board<Shape>& board, const Request& request = {}, const Watch& watch = {});

private:
    /// Nodes that one thread searches alone before the others are started; starting them takes as long.
    static constexpr std::uint64_t kAlone = 20'000;

    void check(const Board<Shape>& board) const {
        if (!(board.shape == geometry_.shape())) throw Error("the board has another shape than the solver");
    }

    static Window::Goal goal(const Request& request) {
        if (request.outcome_only) return Window::Sign{};
        return Window::Score{};
    }
    static Solution within(Bounds bounds) {
        Solution solution;
        solution.lower = bounds.lower;
        solution.upper = bounds.upper;
        solution.guess = std::clamp(0, bounds.lower, bounds.upper);
        return solution;
    }

    /// The score of every legal move.
    void solve_moves(const Board<Shape>& board, const Request& request, search::SearchControl& control,
                     Solution& solution) {
        board.moves().for_each([&](int column) {
            Board<Shape> next = board;
            next.play(column);
            const Bounds of_next = narrowed(next, goal(request), request.threads, control);
            const solver::SolvedMove move{{-of_next.upper, std::min(-of_next.lower, solution.upper)}, column};
            solution.moves.push_back(move);
            solution.proven = solution.proven && move.answers(request);
        });
        sort_best_first(solution);
    }

    /// A position after its forced moves: a proven score, or an open node to be searched.
    struct Start {
        Bounds bounds;      ///< for the side to move at the beginning
        bool open, turned;  ///< turned: the side to move in `node` is the other one
        Node<Word> node;
    };

    Start start(const Board<Shape>& board) const {
        Node<Word> node = node_of(geometry_, board.own, board.occupied);
        const auto decided = [&](int value) { return Start{{value, value}, false, false, node}; };
        if (board.won_by_last_move()) return decided(-(node.left / 2 + 1));
        if (static_cast<bool>(node.own_wins & geometry_.landings(node.occupied))) return decided(win_now(node.left));
        const ForcedLine forced_line = play_forced_moves(geometry_, node);
        if (!forced_line.open) return decided(forced_line.turned ? -forced_line.value : forced_line.value);
        const Bounds bounds = open_bounds(node.left);
        return {forced_line.turned ? Bounds{-bounds.upper, -bounds.lower} : bounds, true, forced_line.turned, node};
    }

    /// Called with narrower bounds by the thread that found them, one call at a time.
    using Tell = std::function<void(Bounds)>;

    /// The bounds of a position's score, as narrow as the limits allow.
    Bounds narrowed(const Board<Shape>& board, Window::Goal goal, int threads, search::SearchControl& control,
                    const Tell& tell = {}) {
        const Start from = start(board);
        if (!from.open || control.stopped()) return from.bounds;
        // "At most t" for the one side is "greater than -t - 1" for the other.
        if (auto* test = std::get_if<Window::Test>(&goal); test != nullptr && from.turned)
            test->alpha = -test->alpha - 1;
        Window window(open_bounds(from.node.left), from.node.left, goal);
        const auto bounds = [&] {
            const Bounds found = window.bounds();
            return from.turned ? Bounds{-found.upper, -found.lower} : found;
        };
        work(from.node, window, threads, control, [&] {
            if (tell) tell(bounds());
        });
        return bounds();
    }

    /// The work on one position, which threads share.
    template <class Narrowed>
    struct SharedWork {
        const Node<Word>& node;
        Window& window;
        search::SearchControl& control;
        Narrowed narrowed;  ///< called when the window has been asked something
        SharedState state{};
        std::mutex mutex{};  ///< of the window
    };

    /// Narrows a window until it is closed or the time is up. The calling thread begins alone.
    template <class Narrowed>
    void work(const Node<Word>& node, Window& window, int threads, search::SearchControl& control, Narrowed narrowed) {
        SharedWork<Narrowed> shared{node, window, control, narrowed};
        search::NodeCounter counter(control, true);
        Searcher<Shape> searcher(geometry_, table_, shared.state, counter);
        if (take_part(searcher, shared, threads > 1 ? kAlone : kNever)) return;

        shared.state.marks.enable();
        std::vector<std::jthread> others;
        try {
            start_threads(others, static_cast<std::size_t>(std::max(threads, 1) - 1), [&](std::size_t) {
                search::NodeCounter own_counter(control, false);
                Searcher<Shape> helper(geometry_, table_, shared.state, own_counter);
                take_part(helper, shared, kNever);
            });
            take_part(searcher, shared, kNever);
        } catch (...) {
            control.stop();  // else the other threads, which are joined on the way out, would finish the position first
            throw;
        }
    }
    static constexpr std::uint64_t kNever = ~std::uint64_t{0} >> 1;

    /// Answers the window's questions together with other threads. Returns false if `most_nodes` were spent before the
    /// end.
    template <class SharedWork>
    bool take_part(Searcher<Shape>& searcher, SharedWork& shared, std::uint64_t most_nodes) {
        const std::uint64_t end = searcher.nodes() + most_nodes;
        std::unique_lock lock(shared.mutex);
        while (!shared.window.closed() && !shared.control.stopped()) {
            if (searcher.nodes() >= end) return false;
            const Window::Question question = shared.window.question();
            const std::uint64_t round = shared.state.round.load(std::memory_order_relaxed);
            const std::uint64_t most = question.most_nodes == 0 ? kNever : question.most_nodes;
            lock.unlock();
            const std::uint64_t before = searcher.nodes();
            const auto answer = searcher.answer(shared.node, question.alpha, round, std::min(most, end - before));
            lock.lock();
            if (shared.state.round.load(std::memory_order_relaxed) != round) continue;
            shared.window.asked(question, searcher.nodes() - before, answer);
            shared.narrowed();
            shared.state.round.fetch_add(1, std::memory_order_relaxed);
        }
        return true;
    }

    struct Choice {
        int column;
        bool proven;
    };

    /// A move that keeps what `bounds` prove of the position; if nothing is proven, a promising one.
    Choice best_move(const Board<Shape>& board, Bounds bounds, const Request& request, search::SearchControl& control) {
        if (board.moves().size() == 0) return {-1, true};
        const Start from = start(board);
        std::vector<int> columns = from_centre(board.decisive_moves());
        if (!from.open || columns.size() == 1) return {columns.front(), true};

        // The table's move comes first. (If the entry is that of the mirrored position, it is a poor guess.)
        TTData known{};
        if (table_.probe(table_.slot(geometry_.key(board.own, board.occupied)), known))
            std::stable_partition(columns.begin(), columns.end(), [&](int column) { return column == known.column; });
        if (!within(bounds).answers(request)) return {columns.front(), false};

        // With `outcome_only`, any winning move will do. If all other moves fail, the last one is the move.
        const int target = request.outcome_only ? std::min(bounds.lower, 1) : bounds.lower;
        for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
            Board<Shape> next = board;
            next.play(columns[i]);
            const Bounds of_next = narrowed(next, Window::Test{-target}, request.threads, control);
            if (-of_next.upper >= target) return {columns[i], true};
            if (-of_next.lower >= target) return {columns[i], false};  // out of time
        }
        return {columns.back(), true};
    }

    std::vector<int> from_centre(const MoveSet<Word>& moves) const {
        std::vector<int> columns;
        moves.for_each([&](int column) { columns.push_back(column); });
        const auto off_centre = [&](int column) { return std::abs(2 * column + 1 - geometry_.shape().columns()); };
        std::stable_sort(columns.begin(), columns.end(), [&](int a, int b) { return off_centre(a) < off_centre(b); });
        return columns;
    }

    /// Best play from `board` to the end, as far as it is proven within the limits.
    std::vector<int> line(Board<Shape> board, Bounds bounds, Choice choice, const Request& request,
                          search::SearchControl& control) {
        std::vector<int> columns;
        while (choice.proven && choice.column >= 0) {
            columns.push_back(choice.column);
            board.play(choice.column);
            bounds = {-bounds.upper, -bounds.lower};
            choice = best_move(board, bounds, request, control);
        }
        return columns;
    }

    Geometry<Shape> geometry_;
    Table<Shape> table_;
};

template <class Shape>
Solution Solver<Shape>::solve(const Board<Shape>& board, const Request& request, const Watch& watch) {
    check(board);
    std::atomic<int> lower = start(board).bounds.lower, upper = start(board).bounds.upper;  // known so far
    search::SearchControl control(request.limits, [&] {
        if (!watch) return;
        Solution so_far = within({lower, upper});
        so_far.nodes = control.nodes();
        so_far.seconds = control.seconds();
        watch(so_far);
    });
    const Bounds bounds = narrowed(board, goal(request), request.threads, control, [&](Bounds narrower) {
        lower = narrower.lower;
        upper = narrower.upper;
    });
    Solution solution = within(bounds);
    solution.proven = solution.answers(request);
    if (request.best || request.line) {
        const Choice choice = best_move(board, bounds, request, control);
        solution.best = choice.column;
        solution.best_proven = choice.proven;
        if (request.line) solution.line = line(board, bounds, choice, request, control);
    }
    if (request.moves) solve_moves(board, request, control, solution);
    solution.nodes = control.nodes();
    solution.seconds = control.seconds();
    return solution;
}

// Compiled once, in solver.cpp: the solver is large, and several parts of the kernel use it.
extern template Solution Solver<FixedShape<7, 6>>::solve(const Board<FixedShape<7, 6>>&, const Request&, const Watch&);
extern template Solution Solver<AnyShape<Bits>>::solve(const Board<AnyShape<Bits>>&, const Request&, const Watch&);
extern template Solution Solver<AnyShape<UInt<2>>>::solve(const Board<AnyShape<UInt<2>>>&, const Request&,
                                                          const Watch&);
extern template Solution Solver<AnyShape<UInt<3>>>::solve(const Board<AnyShape<UInt<3>>>&, const Request&,
                                                          const Watch&);

}  // namespace flipdrop::connect4::exact
