// Many games of one shape, stepped in one call on several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernel/batch/layout.hpp"
#include "kernel/batch/work_sharing.hpp"
#include "kernel/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/hash.hpp"
#include "kernel/random.hpp"
#include "kernel/side.hpp"

namespace flipdrop::batch {

struct Settings {
    int planes = 2;          ///< of an observation: 2 or 4
    bool auto_reset = true;  ///< whether a finished game starts again within the step that ends it
    int random_plies = 0;    ///< random moves at the start of every game
    std::uint64_t seed = 0;  ///< of these moves and of random_actions
};

/// What a step writes: one row for each game.
struct Output {
    Byte* observation;
    Byte* mask;
    float* reward = nullptr;  ///< for the side that moved: 1, 0 or -1 at the end of a game
    Byte* done = nullptr;
};

template <GameBoard Board>
class Games {
public:
    Games(const Board& start, Side to_move, std::size_t size, const Settings& settings, int threads)
        : layout_(start),
          start_(start),
          start_side_(to_move),
          settings_(settings),
          games_(size, Game{start, to_move, start.moves(), 0}),
          threads_(
              static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), (size + kPart - 1) / kPart))) {
        if (start.moves().size() == 0) throw Error("the game is over: there is nothing to play");
        reset(nullptr);
    }

    const Layout<Board>& layout() const { return layout_; }
    const Settings& settings() const { return settings_; }
    std::size_t size() const { return games_.size(); }
    const Board& board(std::size_t game) const { return games_[game].board; }
    Side to_move(std::size_t game) const { return games_[game].to_move; }

    /// Starts every game for which `chosen` is set, or every game, anew.
    void reset(const Byte* chosen) {
        for_ranges([&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                if (chosen == nullptr || chosen[i] != 0) restart(i);
        });
    }

    void write(const Output& out) {
        for_ranges([&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) write_row(i, out);
        });
    }

    /// Plays an action in every game; a finished game that is not reset ignores its action. An illegal action throws,
    /// and then no game has moved.
    void step(std::span<const std::int32_t> actions, const Output& out) {
        FLIPDROP_ASSERT(actions.size() == games_.size());
        check(actions);
        for_ranges([&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                play(i, actions[i], out);
                write_row(i, out);
            }
        });
    }

    /// A random legal action for each game, 0 for a finished one. Depends on the seed and the number of calls only.
    void random_actions(std::int32_t* actions) {
        const std::uint64_t stream = hash_mix(hash_mix(settings_.seed, 0x72616e646f6dULL), draws_++);
        for_ranges([&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const auto& legal = games_[i].legal;
                const std::uint64_t random = hash_mix(hash_mix(stream, i), 0x9e3779b97f4a7c15ULL) >> 32;
                const auto rank = random * static_cast<std::uint64_t>(legal.size()) >> 32;
                actions[i] = legal.size() == 0 ? 0 : layout_.outer_move(legal.nth(static_cast<int>(rank)));
            }
        });
    }

private:
    using Moves = typename Layout<Board>::Moves;

    struct Game {
        Board board;
        Side to_move;
        Moves legal;
        std::uint64_t episode;  ///< games begun in this row
    };

    /// Games that one thread takes at a time.
    static constexpr std::size_t kPart = 256;

    template <class Work>
    void for_ranges(Work&& work) {
        threads_.run((games_.size() + kPart - 1) / kPart,
                     [&](std::size_t part) { work(part * kPart, std::min(games_.size(), (part + 1) * kPart)); });
    }

    void restart(std::size_t i) {
        Game& game = games_[i];
        game = {start_, start_side_, start_.moves(), game.episode + 1};
        if (settings_.random_plies == 0) return;
        Random random(hash_mix(hash_mix(settings_.seed, i), game.episode));
        for (int ply = 0; ply < settings_.random_plies; ++ply) {
            Board next = game.board;
            next.play(game.legal.nth(random.below(game.legal.size())));
            const Moves legal = next.moves();
            if (legal.size() == 0) return;  // no game begins with its end
            game = {next, other(game.to_move), legal, game.episode};
        }
    }

    void check(std::span<const std::int32_t> actions) const {
        for (std::size_t i = 0; i < games_.size(); ++i) {
            const Moves& legal = games_[i].legal;
            const int action = actions[i];
            if (action >= 0 && action < layout_.moves() && layout_.has(legal, layout_.inner_move(action))) continue;
            if (legal.size() == 0) continue;
            std::string names;
            legal.for_each([&](int move) { names += " " + std::to_string(layout_.outer_move(move)); });
            throw IllegalMove("action " + std::to_string(action) + " in game " + std::to_string(i) +
                              "; legal:" + names);
        }
    }

    void play(std::size_t i, int action, const Output& out) {
        Game& game = games_[i];
        out.reward[i] = 0;
        out.done[i] = game.legal.size() == 0;
        if (out.done[i]) return;
        game.board.play(layout_.inner_move(action));
        game.to_move = other(game.to_move);
        game.legal = game.board.moves();
        if (game.legal.size() != 0) return;
        out.reward[i] = static_cast<float>(-game.board.outcome());
        out.done[i] = 1;
        if (settings_.auto_reset) restart(i);
    }

    void write_row(std::size_t i, const Output& out) const {
        const auto cells = static_cast<std::size_t>(settings_.planes * layout_.rows() * layout_.columns());
        write_planes(layout_, games_[i].board, settings_.planes, out.observation + i * cells);
        layout_.write_mask(games_[i].legal, out.mask + i * static_cast<std::size_t>(layout_.moves()));
    }

    Layout<Board> layout_;
    Board start_;
    Side start_side_;
    Settings settings_;
    std::vector<Game> games_;
    std::uint64_t draws_ = 0;
    WorkSharing threads_;
};

}  // namespace flipdrop::batch
