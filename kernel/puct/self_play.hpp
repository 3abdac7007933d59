// Self-play of a network, many games at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/parallel.hpp"
#include "kernel/puct/driver.hpp"
#include "kernel/puct/search.hpp"

namespace flipdrop::puct {

/// Training samples of self-play, one row for each position.
struct Samples {
    std::vector<std::uint8_t> cells;
    std::vector<float> policy;        ///< shares of the visits; all zero after a cheap search
    std::vector<float> outcomes;      ///< of the game, for the side to move: -1, 0 or 1
    std::vector<float> values;        ///< the search's value, for the side to move
    std::vector<std::int32_t> games;  ///< which game each row is from
    std::int64_t plies = 0;           ///< of all games; plies after a proven result are not played
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

/// One game. Its number and the seed determine it, independently of the games played at the same time (except for
/// rounding in batches of another size).
template <GameBoard Board>
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

    /// Plays until a leaf is pending, or the game is over.
    int gather(Batch& batch) {
        while (!over_) {
            if (const int pending = search_.gather(1, batch); pending > 0) return pending;
            move();
        }
        return 0;
    }
    void take(const Batch& batch) { search_.take(batch); }
    const Samples& samples() const { return samples_; }

private:
    /// The start, or a position that some random moves lead to.
    Board opened(const Board& start) {
        constexpr int kTries = 100;  // games may all be shorter than `plies`
        const int plies = random_.below(settings_.random_plies + 1);
        Board last_open = start;
        for (int tries = 0; tries < kTries; ++tries) {
            Board board = start;
            for (int ply = 0; ply < plies && board.moves().size() > 0; ++ply) {
                last_open = board;
                board.play(board.moves().nth(random_.below(board.moves().size())));
            }
            if (board.moves().size() > 0) return board;
        }
        return last_open;
    }
    Settings searching() {
        Settings settings = settings_.search;
        settings.seed = random_.next();
        return settings;
    }

    void think() {
        full_ = settings_.full_search_probability >= 1 || random_.uniform_open() < settings_.full_search_probability;
        search_.begin(full_ ? settings_.search.simulations : settings_.cheap_simulations,
                      full_ ? settings_.search.noise : 0);
    }

    void move() {
        record();
        if (search_.proof() != Proof::None) return finish(static_cast<int>(-proven_value(search_.proof())));
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
            if (search_.proof() != Proof::None) return finish(static_cast<int>(-proven_value(search_.proof())));
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

    /// Sets the outcome of every sample from the outcome for the side that would be to move.
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

/// Plays games `first` .. `first` + `games` - 1, up to `slots` at a time, a batch for a leaf of each. Fewer if `stop`
/// was requested.
template <GameBoard Board>
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

/// Throws Error unless games can be played with these settings.
inline void check(const SelfPlaySettings& settings) {
    check(settings.search);
    if (settings.search.simulations == 0) throw Error("simulations is 0; a search has at least 1 simulation");
    check_range("full_search_probability", settings.full_search_probability, 0.0, 1.0);
    if (settings.cheap_simulations < 1 && settings.full_search_probability < 1)
        throw Error("cheap_simulations is 0; a cheap search has at least 1 simulation");
    check_range("cheap_simulations", settings.cheap_simulations, 0u, kMaxSimulations);
    check_range("random_plies", settings.random_plies, 0, search::kMaxDepth);
    check_range("temperature_plies", settings.temperature_plies, 0, 1'000'000);
    check_range("temperature", settings.temperature, 0.0, search::kMaxNumber);
}

/// Plays `games` games in groups of `slots`, one group on a thread at a time: the number of threads does not change
/// the samples. `watch(finished, groups)` as in parallel_for; what an evaluator throws ends the work and passes
/// through.
template <GameBoard Board, class Watch>
Samples self_play(const Board& start, const SelfPlaySettings& settings, int games, int slots, int threads,
                  const Evaluator& evaluate, Watch&& watch) {
    check(settings);
    FLIPDROP_ASSERT(games >= 0 && slots > 0 && start.moves().size() > 0);
    std::vector<Samples> groups(static_cast<std::size_t>((games + slots - 1) / slots));
    parallel_for(
        groups.size(), threads,
        [&](std::size_t i, const StopFlag& stop) {
            const int first = static_cast<int>(i) * slots;
            groups[i] = play_group(start, settings, first, std::min(slots, games - first), slots, evaluate, stop);
        },
        [&](std::size_t finished) { return watch(finished, groups.size()); });
    Samples all;
    for (const Samples& group : groups) all.append(group);
    return all;
}

}  // namespace flipdrop::puct
