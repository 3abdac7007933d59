// Many positions in one call, for Python: games stepped together, planes, masks and evaluations of lists of positions.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/batch/games.hpp"
#include "kernel/binding/arrays.hpp"
#include "kernel/binding/evaluation.hpp"
#include "kernel/binding/position_arrays.hpp"
#include "kernel/connect4/position.hpp"
#include "kernel/othello/position.hpp"

namespace flipdrop::binding {

void bind_batch(nb::module_& module);

namespace {

using batch::Byte;

/// Observations and masks for a number of boards.
template <class Board>
std::tuple<Array<std::int8_t>, Array<bool>> arrays_for(const batch::Layout<Board>& layout, std::size_t size,
                                                       int planes) {
    return {new_array<std::int8_t>({size, static_cast<std::size_t>(planes), static_cast<std::size_t>(layout.rows()),
                                    static_cast<std::size_t>(layout.columns())}),
            new_array<bool>({size, static_cast<std::size_t>(layout.moves())})};
}

/// The positions of a list; lets another overload try if they are of the other game.
template <class Position>
std::vector<Position> positions_of(const nb::typed<nb::list, Position>& list) {
    std::vector<Position> positions;
    positions.reserve(list.size());
    for (nb::handle item : list) {
        if (!nb::isinstance<Position>(item)) throw nb::next_overload();
        positions.push_back(nb::cast<const Position&>(item));
    }
    if (positions.empty()) throw nb::next_overload();
    return positions;
}

/// Calls `use(board, i)` for every position; all have to be boards of one shape.
template <class Board, class Position, class Use>
void for_each_board(const std::vector<Position>& positions, Use&& use) {
    const batch::Layout<Board> layout(std::get<Board>(positions.front().board()));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Board* board = std::get_if<Board>(&positions[i].board());
        if (board == nullptr || batch::Layout<Board>(*board).rows() != layout.rows() ||
            batch::Layout<Board>(*board).columns() != layout.columns())
            throw Error("the positions of one call are boards of one size; position " + std::to_string(i) + " is not");
        use(*board, i);
    }
}

template <class Position>
Array<std::int8_t> batch_planes(const nb::typed<nb::list, Position>& list, int planes) {
    const auto positions = positions_of<Position>(list);
    checked_planes(planes);
    return std::visit(
        [&]<class Board>(const Board& first) {
            const batch::Layout<Board> layout(first);
            auto [observation, mask] = arrays_for(layout, positions.size(), planes);
            const auto cells = static_cast<std::size_t>(planes * layout.rows() * layout.columns());
            for_each_board<Board>(positions, [&, to = bytes(observation)](const Board& board, std::size_t i) {
                batch::write_planes(batch::Layout<Board>(board), board, planes, to + i * cells);
            });
            return observation;
        },
        positions.front().board());
}

template <class Position>
Array<bool> batch_masks(const nb::typed<nb::list, Position>& list) {
    const auto positions = positions_of<Position>(list);
    return std::visit(
        [&]<class Board>(const Board& first) {
            const auto moves = static_cast<std::size_t>(batch::Layout<Board>(first).moves());
            auto mask = new_array<bool>({positions.size(), moves});
            for_each_board<Board>(positions, [&](const Board& board, std::size_t i) {
                batch::Layout<Board>(board).write_mask(board.moves(), bytes(mask) + i * moves);
            });
            return mask;
        },
        positions.front().board());
}

/// The scores of boards on several threads.
template <class Board>
void evaluate_boards(const Evaluation<Board>& evaluation, const std::vector<std::pair<Board, Side>>& boards,
                     double* scores, int threads) {
    constexpr std::size_t kChunk = 512;
    parallel_for((boards.size() + kChunk - 1) / kChunk, threads,
                 [&](std::size_t chunk, const StopFlag& stop) {
                     const std::size_t end = std::min(boards.size(), (chunk + 1) * kChunk);
                     for (std::size_t i = chunk * kChunk; i < end && !stop.requested(); ++i)
                         scores[i] = evaluation.score(boards[i].first, boards[i].second);
                 },
                 [](std::size_t finished) { return watch_from_python(nb::handle(Py_None), finished, 0); });
}

template <class Position>
Array<double> batch_scores(const nb::typed<nb::list, Position>& list, const AnyEvaluation& evaluation, int threads) {
    const auto positions = positions_of<Position>(list);
    threads = checked_threads(threads);
    return std::visit(
        [&]<class Board>(const Board&) {
            auto scores = new_array<double>({positions.size()});
            std::vector<std::pair<Board, Side>> boards;
            boards.reserve(positions.size());
            for_each_board<Board>(positions, [&](const Board& board, std::size_t i) {
                boards.emplace_back(board, positions[i].to_move());
            });
            const nb::object like = nb::borrow(list[0]);
            const auto scorer = evaluation_for<Position, Board>(evaluation, like);
            if (evaluation.function() != nullptr) {  // Python runs one thread at a time: its errors stay on this one
                for (std::size_t i = 0; i < boards.size(); ++i)
                    scores.data()[i] = scorer->score(boards[i].first, boards[i].second);
                return scores;
            }
            const Unlocked unlocked;
            evaluate_boards(*scorer, boards, scores.data(), threads);
            return scores;
        },
        positions.front().board());
}

/// The class `OthelloGames` or `ConnectFourGames` of Python.
template <class Position>
class PythonGames {
public:
    PythonGames(const Position& start, std::size_t size, const batch::Settings& settings, int threads)
        : games_(std::visit(
              [&]<class Board>(const Board& board) -> AnyGames {
                  return std::make_unique<batch::Games<Board>>(board, start.to_move(), size, settings, threads);
              },
              start.board())) {}

    std::size_t size() const {
        return std::visit([](const auto& games) { return games->size(); }, games_);
    }

    auto reset(const std::optional<Input<bool>>& chosen) {
        return std::visit(
            [&](auto& games) {
                if (chosen && (chosen->ndim() != 1 || chosen->size() != games->size()))
                    throw Error("the rows to reset are an array of " + std::to_string(games->size()) + " booleans");
                auto [observation, mask] = arrays_for(games->layout(), games->size(), games->settings().planes);
                {
                    const Unlocked unlocked;
                    const std::lock_guard alone(mutex_);
                    games->reset(chosen ? reinterpret_cast<const Byte*>(chosen->data()) : nullptr);
                    games->write({bytes(observation), bytes(mask)});
                }
                return std::tuple{observation, mask};
            },
            games_);
    }

    auto step(const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& actions) {
        return std::visit(
            [&](auto& games) {
                if (actions.size() != games->size())
                    throw Error(std::to_string(actions.size()) + " actions for " + std::to_string(games->size()) +
                                " games; each game takes one");
                auto [observation, mask] = arrays_for(games->layout(), games->size(), games->settings().planes);
                auto reward = new_array<float>({games->size()});
                auto done = new_array<bool>({games->size()});
                {
                    const Unlocked unlocked;
                    const std::lock_guard alone(mutex_);
                    games->step({actions.data(), actions.size()},
                                {bytes(observation), bytes(mask), reward.data(), bytes(done)});
                }
                return std::tuple{observation, mask, reward, done};
            },
            games_);
    }

    Array<std::int32_t> random_actions() {
        return std::visit(
            [&](auto& games) {
                auto actions = new_array<std::int32_t>({games->size()});
                {
                    const Unlocked unlocked;
                    const std::lock_guard alone(mutex_);
                    games->random_actions(actions.data());
                }
                return actions;
            },
            games_);
    }

    Array<std::int8_t> to_move() const {
        return std::visit(
            [&](const auto& games) {
                auto sides = new_array<std::int8_t>({games->size()});
                const std::lock_guard alone(mutex_);
                for (std::size_t i = 0; i < games->size(); ++i)
                    sides.data()[i] = static_cast<std::int8_t>(games->to_move(i));
                return sides;
            },
            games_);
    }

    /// One of the positions, of the class of `like`.
    nb::object position(nb::handle like, std::int64_t game) const {
        if (!nb::isinstance<Position>(like)) throw nb::type_error("`like` is not a position of the game");
        return std::visit(
            [&](const auto& games) {
                const auto size = static_cast<std::int64_t>(games->size());
                if (game < -size || game >= size) throw nb::index_error(("game " + std::to_string(game)).c_str());
                const auto i = static_cast<std::size_t>(game < 0 ? game + size : game);
                const std::lock_guard alone(mutex_);
                return same_class(like, Position::from_board(games->board(i), games->to_move(i)));
            },
            games_);
    }

private:
    template <class... Boards>
    static std::variant<std::unique_ptr<batch::Games<Boards>>...> one_of(const std::variant<Boards...>*);
    using AnyGames = decltype(one_of(static_cast<const typename Position::AnyBoard*>(nullptr)));

    AnyGames games_;
    mutable std::mutex mutex_;  ///< one step at a time; the thread that has it never waits for the interpreter lock
};

template <class Position>
void bind_batch_of(nb::module_& module, const char* name) {
    using Games = PythonGames<Position>;
    nb::class_<Games>(module, name, "Many games from one start, stepped together.")
        .def(
            "__init__",
            [](Games* self, const Position& start, std::size_t size, int planes, bool auto_reset, int random_plies,
               std::uint64_t seed, int threads) {
                constexpr std::size_t kMost = 10'000'000;
                if (size < 1 || size > kMost)
                    throw Error("size is " + std::to_string(size) + "; it can be 1 to 10 million games");
                check_range("random_plies", random_plies, 0, search::kMaxDepth);
                const batch::Settings settings{checked_planes(planes), auto_reset, random_plies, seed};
                new (self) Games(start, size, settings, checked_threads(threads));
            },
            "start"_a, "size"_a, nb::kw_only(), "planes"_a, "auto_reset"_a, "random_plies"_a, "seed"_a, "threads"_a)
        .def("__len__", &Games::size)
        .def("reset", &Games::reset, "chosen"_a.none(),
             "Observations and masks after all or the chosen games restarted.")
        .def("step", &Games::step, "actions"_a, "Observations, masks, rewards of the sides that moved, and ends.")
        .def("random_actions", &Games::random_actions, "A random legal action for each game.")
        .def_prop_ro("to_move", &Games::to_move, nb::rv_policy::move,
                     "The sides to move: 0 for the first, 1 for the second.")
        .def("position", &Games::position, "like"_a, "game"_a, "One position, of the class of `like`.");
    module.def("batch_planes", &batch_planes<Position>, "positions"_a, "planes"_a, "`to_numpy` of many positions.");
    module.def("batch_masks", &batch_masks<Position>, "positions"_a, "`legal_mask` of many positions.");
    module.def("batch_scores", &batch_scores<Position>, "positions"_a, "evaluation"_a, "threads"_a,
               "The scores of many positions.");
}

}  // namespace

void bind_batch(nb::module_& module) {
    bind_batch_of<othello::Position>(module, "OthelloGames");
    bind_batch_of<connect4::Position>(module, "ConnectFourGames");
}

}  // namespace flipdrop::binding
