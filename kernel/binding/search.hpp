// The searches and whole games of one game, for Python: settings in, a report out, the interpreter lock released in
// between. The two games are compiled apart, for together they take the compiler a minute.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/unique_ptr.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "kernel/binding/evaluation.hpp"
#include "kernel/binding/native_player.hpp"
#include "kernel/binding/position.hpp"
#include "kernel/binding/report.hpp"
#include "kernel/match/game.hpp"
#include "kernel/match/players.hpp"
#include "kernel/mcts/search.hpp"
#include "kernel/search/driver.hpp"

namespace flipdrop::binding {

template <class Position>
search::Report minimax_search(nb::pointer_and_handle<Position> self, const AnyEvaluation& evaluation,
                              const search::Settings& settings, nb::object progress) {
    const Position position = *self.p;
    return std::visit(
        [&]<class Board>(const Board& board) {
            const auto scorer = evaluation_for<Position, Board>(evaluation, self.h);
            const Unlocked unlocked;
            search::Driver<Board> driver(board, position.to_move(), *scorer, settings,
                                         python_observer(position, progress));
            return translated(position, driver.run());
        },
        position.board());
}

template <class Position>
search::Report mcts_search(nb::pointer_and_handle<Position> self, const AnyEvaluation* evaluation,
                           mcts::Settings settings, mcts::Tree& tree, nb::object progress) {
    const Position position = *self.p;
    if (settings.root_bonus_move >= 0) settings.root_bonus_move = position.inner_move(settings.root_bonus_move);
    const mcts::Tree::Use use(tree, position.hash());
    return std::visit(
        [&]<class Board>(const Board& board) {
            const auto scorer = evaluation == nullptr ? nullptr : evaluation_for<Position, Board>(*evaluation, self.h);
            const Unlocked unlocked;
            mcts::Search<Board> search(board, position.to_move(), scorer.get(), settings, tree,
                                       python_observer(position, progress));
            return translated(position, search.run());
        },
        position.board());
}

template <class Position>
std::unique_ptr<mcts::Tree> tree_below(const mcts::Tree& tree, const Position& position,
                                       const std::vector<MoveNumber>& numbers) {
    Position after = position;
    std::vector<int> moves;
    for (const MoveNumber& number : numbers) {
        const int move = number.checked();
        bool is_legal = false;
        after.for_each_move([&](int legal) { is_legal = is_legal || legal == move; });
        if (!is_legal) return std::make_unique<mcts::Tree>();
        after = after.played(move);
        moves.push_back(position.inner_move(move));
    }
    const Unlocked unlocked;
    auto below = tree.below(moves);
    below->set_position(after.hash());
    return below;
}

/// The children of a node of a tree whose root is `position`, in the order in which they are tried.
template <class Position>
std::vector<NodeView> tree_children(const mcts::Tree& tree, const Position& position, mcts::Index index) {
    if (!tree.holds(index)) throw Error("the tree has no node " + std::to_string(index));
    std::vector<NodeView> children;
    const mcts::Node& node = tree[index];
    const mcts::Index first = node.children.load();
    if (!mcts::has_children(first)) return children;
    for (mcts::Index i = first; i < first + node.size; ++i)
        children.push_back(
            {i, position.outer_move(tree[i].move), tree[i].visits.load(), tree[i].mean(), tree[i].proof.load()});
    return children;
}

template <class Position, class Board>
std::unique_ptr<match::Player<Board>> NativePlayer::player(nb::handle position) const {
    std::shared_ptr<const Evaluation<Board>> evaluation;
    if (evaluation_) evaluation = evaluation_for<Position, Board>(*evaluation_, position);
    std::unique_ptr<match::Player<Board>> made;
    if (const auto* minimax = std::get_if<search::Settings>(&settings_))
        made = std::make_unique<match::MinimaxPlayer<Board>>(*minimax, std::move(evaluation));
    else if (const auto* mcts = std::get_if<mcts::Settings>(&settings_))
        made = std::make_unique<match::MctsPlayer<Board>>(*mcts, std::move(evaluation));
    else
        made = std::make_unique<match::RandomPlayer<Board>>();
    if (epsilon_ == 0) return made;
    return std::make_unique<match::EpsilonGreedyPlayer<Board>>(std::move(made), epsilon_);
}

template <class Position>
int random_move(const Position& position, std::uint64_t seed) {
    return std::visit(
        [&](const auto& board) {
            if (board.moves().size() == 0) throw Error("the game is over: there is no move to choose");
            return position.outer_move(match::random_move(board, seed));
        },
        position.board());
}

template <class Position>
bool is_random_move(const Position& position, std::uint64_t seed, double epsilon) {
    return std::visit([&](const auto& board) { return match::is_random_move(board, seed, epsilon); }, position.board());
}

using PlayedGame = std::tuple<std::vector<int>, int, int>;
using Seeds = std::vector<std::array<std::uint64_t, 2>>;

/// One game from each start. The seeds decide a game's random choices, not the threads or the other games.
template <class Position>
std::vector<PlayedGame> play_games(const nb::typed<nb::list, Position>& starts, const NativePlayer& first,
                                   const NativePlayer& second, const Seeds& seeds, int threads, nb::object progress) {
    threads = checked_threads(threads);
    std::vector<Position> positions;
    for (nb::handle start : starts) {
        if (!nb::isinstance<Position>(start)) throw nb::next_overload();  // the other game's
        positions.push_back(nb::cast<const Position&>(start));
    }
    if (seeds.size() != positions.size())
        throw Error(std::to_string(positions.size()) + " starts and " + std::to_string(seeds.size()) +
                    " pairs of seeds; each game has a pair of its own");
    if (positions.empty()) return {};
    nb::object like = nb::borrow(starts[0]);
    return std::visit(
        [&]<class Board>(const Board&) {
            const auto one = first.player<Position, Board>(like), two = second.player<Position, Board>(like);
            std::vector<match::Start<Board>> boards;
            for (std::size_t i = 0; i < positions.size(); ++i) {
                const Board* board = std::get_if<Board>(&positions[i].board());
                if (board == nullptr) throw Error("the games of one call start on boards of one shape");
                boards.push_back({*board, positions[i].to_move(), seeds[i]});
            }
            std::vector<match::Game> games;
            {
                const Unlocked unlocked;
                games = match::play_games<Board>(boards, {one.get(), two.get()}, threads, [&](std::size_t finished) {
                    return watch_from_python(progress, finished, boards.size());
                });
            }
            std::vector<PlayedGame> played;
            for (std::size_t i = 0; i < games.size(); ++i) {
                std::vector<int> moves;
                for (const int move : games[i].moves) moves.push_back(positions[i].outer_move(move));
                played.emplace_back(std::move(moves), games[i].outcome, games[i].margin);
            }
            return played;
        },
        positions[0].board());
}

template <class Position>
void bind_searches_of(nb::module_& module) {
    module.def("minimax_search", &minimax_search<Position>, "position"_a, "evaluation"_a, "settings"_a,
               "progress"_a = nb::none(), "`progress` is called with the report of every finished depth.");
    module.def("mcts_search", &mcts_search<Position>, "position"_a, "evaluation"_a.none(), "settings"_a, "tree"_a,
               "progress"_a = nb::none(), "`progress` is called with the report so far, about every 50 ms.");
    module.def("tree_below", &tree_below<Position>, "tree"_a, "position"_a, "moves"_a,
               "The subtree of the position that `moves` lead to from `position`, the tree's root.");
    module.def("tree_children", &tree_children<Position>, "tree"_a, "position"_a, "index"_a = mcts::Tree::root(),
               "The children of a node of a tree that was grown from `position`.");
    module.def(
        "play_games", &play_games<Position>, "starts"_a, "first"_a, "second"_a, nb::kw_only(), "seeds"_a,
        "threads"_a = 1, "progress"_a = nb::none(),
        "Plays one game from each start: its moves, its outcome (1, 0, -1) and margin for the side to move there.");
    module.def("is_random_move", &is_random_move<Position>, "position"_a, "seed"_a, "epsilon"_a,
               "Whether an epsilon-greedy player makes a random move here.");
    module.def("random_move", &random_move<Position>, "position"_a, "seed"_a,
               "Any legal move; the same one for the same position and seed.");
}

}  // namespace flipdrop::binding
