// Positions with values, from which an evaluation is learned.
//
// One position of each game, so that positions are independent. A game begins with random moves, goes on with the moves
// that look best to the evaluator, now and then a random one, and stops at the wanted number of empty squares. In half
// of the games the last moves are random again: a search looks at bad moves, so the evaluation must know them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernel/engine/engine.hpp"
#include "kernel/hash.hpp"
#include "kernel/random.hpp"

namespace flipdrop::othello::engine {

struct Sampling {
    int min_empties = 13, max_empties = 16;  ///< of the positions, drawn evenly
    int depth = 4;                           ///< of the search that gives the value; 0: to the end
    int selectivity = kExact;                ///< of that search
    double epsilon = 0.04;                   ///< share of random moves in the middle of a game
    double random_end = 0.4;                 ///< share of games whose last moves are random
    int max_opening = 20;                    ///< maximal number of random moves at the start
};

template <int Size>
struct Sample {
    Board<Size> board;
    float value = 0;  ///< in discs, for the side to move
};

/// One thread's generator: a seed determines a sample.
template <int Size, class Evaluator>
class Sampler {
public:
    using B = Board<Size>;

    Sampler(const Evaluator& evaluator, const Sampling& settings)
        : settings_(settings), evaluator_(evaluator), engine_(megabytes(settings), evaluator) {
        constexpr int kStart = Size * Size - 4;
        check_range("min_empties", settings.min_empties, 1, kStart);
        check_range("max_empties", settings.max_empties, settings.min_empties, kStart);
        check_range("depth", settings.depth, 0, search::kMaxDepth);
        check_range("selectivity", settings.selectivity, 0, kExact);
        check_range("epsilon", settings.epsilon, 0.0, 1.0);
        check_range("random_end", settings.random_end, 0.0, 1.0);
        check_range("max_opening", settings.max_opening, 0, search::kMaxDepth);
    }

    Sample<Size> operator()(std::uint64_t seed) {
        Random random(seed);
        for (;;) {
            const std::optional<B> board = position(random);
            if (!board) continue;
            return {*board, value(*board)};
        }
    }

private:
    static constexpr int kEnd = 4;  ///< most random moves before the position

    /// The table is cleared for each position. That takes longer than a search of a few plies, whose value does not
    /// depend on the table unless ProbCut cuts: such searches have a single bucket.
    static std::size_t megabytes(const Sampling& settings) {
        const bool shallow = 0 < settings.depth && settings.depth <= 6;
        return shallow && settings.selectivity == kExact ? 0 : 1;
    }

    /// The mean of the last two depths: a search favours the side that moves last, whose choice is the best of several
    /// uncertain values.
    float value(const B& board) {
        engine_.clear();
        Settings settings{.selectivity = settings_.selectivity, .end_selectivity = settings_.selectivity};
        settings.limits.depth = settings_.depth;
        int depth = 0, last = 0, before = 0;
        const auto found = engine_.analyse(board, settings, [&](const Analysis& so_far) {
            if (so_far.depth == depth) return;
            depth = so_far.depth;
            before = last;
            last = so_far.moves.front().value;
        });
        const int value = found.moves.front().value;
        return settings_.depth == 0 || found.exact || depth < 2 ? static_cast<float>(value)
                                                                : static_cast<float>(value + before) / 2;
    }

    /// None if the game ends before, or the side to move must pass.
    std::optional<B> position(Random& random) const {
        const int wanted = settings_.min_empties + random.below(settings_.max_empties - settings_.min_empties + 1);
        const int plies = Size * Size - 4 - wanted;
        const int opening = random.below(std::min(settings_.max_opening, std::max(plies, 0)) + 1);
        const int end = random.uniform() < settings_.random_end ? 1 + random.below(kEnd) : 0;
        B board;
        for (int ply = 0; ply < plies;) {
            const MoveSet moves = board.moves();
            if (moves.size() == 0) return std::nullopt;
            if (moves.pass) {
                board.play(kPass);
                continue;
            }
            const bool at_random = ply < opening || ply >= plies - end || random.uniform() < settings_.epsilon;
            board.play(at_random ? moves.nth(random.below(moves.size())) : greedy(board, moves));
            ++ply;
        }
        const MoveSet moves = board.moves();
        return moves.size() == 0 || moves.pass ? std::nullopt : std::optional(board);
    }

    int greedy(const B& board, const MoveSet& moves) const {
        int best = kNoMove, least = 1 << 30;
        const auto accumulator = evaluator_.read(board);
        moves.for_each([&](int move) {
            B child = board;
            child.play(move);
            const Bits replies = child.legal_squares(), flipped = board.other & ~child.own;
            const int score = replies == 0 && !child.opponent_can_move()
                                  ? 100 * child.final_margin()
                                  : evaluator_.score(child, replies, evaluator_.after(accumulator, move, flipped));
            if (score < least) {
                least = score;
                best = move;
            }
        });
        return best;
    }

    Sampling settings_;
    Evaluator evaluator_;
    Engine<Size, Evaluator> engine_;
};

}  // namespace flipdrop::othello::engine
