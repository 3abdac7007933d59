// A network's games against itself, many at a time: what it learns from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/parallel.hpp"
#include "kernel/puct/search.hpp"

namespace flipdrop::puct {

/// What self-play teaches, row after row.
struct Samples {
    std::vector<std::uint8_t> cells;
    std::vector<float> policy;        ///< shares of the visits; all zero where a fast search has nothing to teach
    std::vector<float> outcomes;      ///< of the game, for the side to move: -1, 0 or 1
    std::vector<float> values;        ///< what the search found, for the side to move
    std::vector<std::int32_t> games;  ///< which game each row is from
    std::int64_t plies = 0;  ///< of all games, those that were not played out because they were proven excepted
    std::int64_t evaluations = 0;

    void append(const Samples& other) {
        const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        add(cells, other.cells);
        add(policy, other.policy);
        add(outcomes, other.outcomes);
        add(values, other.values);
        add(games, other.games);
        plies += other.plies;
        evaluations += other.evaluations;
    }
};

/// One game. Its number and the seed decide it, whatever games are played beside it (but for the rounding of a network
/// that sees it in other company).
template <class Board>
class Game {
public:
    Game(const Board& start, const SelfPlaySettings& settings, std::int32_t number)
        : settings_(settings),
          number_(number),
          random_(settings.search.seed ^ (static_cast<std::uint64_t>(number) + 1) * 0xd1342543de82ef95ULL),
          encoding_(start),
          search_{opened(start), searching()} {  // in braces: the order of its arguments counts
        think();
    }

    bool over() const { return over_; }

    /// Plays on until a leaf waits for the network, or the game is over.
    int gather(Batch& batch) {
        while (!over_) {
            if (const int waiting = search_.gather(1, batch); waiting > 0) return waiting;
            move();
        }
        return 0;
    }
    void take(const Batch& batch) { search_.take(batch); }
    const Samples& samples() const { return samples_; }

private:
    /// The start, or a position that some random moves lead to.
    Board opened(const Board& start) {
        const int plies = random_.below(settings_.random_plies + 1);
        for (;;) {
            Board board = start;
            for (int ply = 0; ply < plies && board.moves().size() > 0; ++ply)
                board.play(board.moves().nth(random_.below(board.moves().size())));
            if (board.moves().size() > 0) return board;
        }
    }
    Settings searching() {
        Settings settings = settings_.search;
        settings.seed = random_.next();
        return settings;
    }

    void think() {
        full_ = settings_.full_search_probability >= 1 || chance(random_) < settings_.full_search_probability;
        search_.begin(full_ ? settings_.search.simulations : settings_.cheap_simulations,
                      full_ ? settings_.search.noise : 0);
    }

    void move() {
        record();
        if (search_.proof() != Proof::None) return finish(static_cast<int>(-worth(search_.proof())));
        play(search_.choose(samples_.plies < settings_.temperature_plies ? settings_.temperature : 0, random_));
        if (!over_) think();
    }

    /// Plays a move, and those after it that leave no choice.
    void play(int move) {
        for (;;) {
            search_.play(move);
            ++samples_.plies;
            const auto moves = search_.board().moves();
            if (moves.size() == 0) return finish(search_.board().outcome());
            if (search_.proof() != Proof::None) return finish(static_cast<int>(-worth(search_.proof())));
            if (moves.size() > 1) return;
            move = moves.nth(0);
        }
    }

    void record() {
        const auto cells = static_cast<std::size_t>(encoding_.rows() * encoding_.columns());
        const auto moves = static_cast<std::size_t>(encoding_.moves());
        samples_.cells.resize(samples_.cells.size() + cells);
        encoding_.write_cells(search_.board(), samples_.cells.data() + samples_.cells.size() - cells);
        samples_.policy.resize(samples_.policy.size() + moves, 0.0f);
        if (full_) search_.write_policy(samples_.policy.data() + samples_.policy.size() - moves);
        samples_.values.push_back(static_cast<float>(search_.value()));
        samples_.games.push_back(number_);
        turns_.push_back(samples_.plies);
    }

    /// Tells every sample how the game ended, given that for the side that would be to move.
    void finish(int outcome) {
        over_ = true;
        for (const std::int64_t turn : turns_) {
            const bool same_side = (samples_.plies - turn) % 2 == 0;
            samples_.outcomes.push_back(static_cast<float>(same_side ? outcome : -outcome));
        }
    }

    SelfPlaySettings settings_;
    std::int32_t number_;
    Random random_;
    Encoding<Board> encoding_;
    Search<Board> search_;
    Samples samples_;
    std::vector<std::int64_t> turns_;  // the ply of every sample
    bool full_ = true, over_ = false;
};

/// Plays games `first` .. `first` + `games` - 1, up to `slots` at a time, a batch for a leaf of each. Fewer if told to
/// stop.
template <class Board>
Samples play_group(const Board& start, const SelfPlaySettings& settings, std::int32_t first, std::int32_t games,
                   std::int32_t slots, const Evaluator& evaluate, const StopFlag& stop) {
    std::vector<std::unique_ptr<Game<Board>>> table(static_cast<std::size_t>(std::min(games, slots)));
    std::vector<Samples> finished(static_cast<std::size_t>(games));
    std::vector<std::int32_t> numbers(table.size());
    std::int32_t begun = 0;
    std::int64_t evaluations = 0;
    Batch batch;
    for (;;) {
        batch.clear();
        for (std::size_t i = 0; i < table.size(); ++i) {
            while (table[i] != nullptr ? table[i]->gather(batch) == 0 : begun < games) {
                if (table[i] != nullptr) finished[static_cast<std::size_t>(numbers[i])] = table[i]->samples();
                table[i] = nullptr;
                if (begun == games) break;
                numbers[i] = begun;
                table[i] = std::make_unique<Game<Board>>(start, settings, first + begun++);
            }
        }
        if (batch.size == 0 || stop.requested()) break;
        evaluate(batch);
        evaluations += batch.size;
        for (const auto& game : table)
            if (game != nullptr) game->take(batch);
    }
    Samples all;
    for (const Samples& samples : finished) all.append(samples);  // in the order of their numbers
    all.evaluations = evaluations;
    return all;
}

}  // namespace flipdrop::puct
