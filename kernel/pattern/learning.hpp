// How pattern networks learn: by temporal differences from games against themselves (or against a fixed opponent), and
// by regression on positions whose values are known.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "kernel/match.hpp"
#include "kernel/parallel.hpp"
#include "kernel/pattern/network.hpp"
#include "kernel/random.hpp"

namespace flipdrop::pattern {

/// What a position's value is moved towards.
enum class Rule {
    Td,     ///< the value after the move that was made, unless that move was a random one: then nothing is learned
    Sarsa,  ///< the value after the move that was made, random or not
    Q,      ///< the value after the best move, whichever was made
};

struct Settings {
    Rule rule = Rule::Td;
    double rate = 1;              ///< how far a value moves towards its target when all its weights are new
    double lambda = 0;            ///< how much of the rest of the game is in the target: 0 the next value, 1 the result
    double epsilon = 0.1;         ///< share of random moves
    int opening = 0;              ///< games begin with up to so many random moves, from which nothing is learned
    double margin = 0;            ///< share of the disc margin, else of win, draw and loss, in a game's reward
    bool coherent = true;         ///< each weight has its own rate, smaller the more its errors contradict each other
    double opponent_epsilon = 0;  ///< share of random moves of the fixed opponent, if there is one
};

/// The rates of single weights (temporal coherence; Beal and Smith): sums of the errors, with and without their signs.
struct Coherence {
    std::vector<float> net, absolute;
};

/// The value for the side to move, from -1 to 1, that a network's sum stands for.
inline float value_of(float sum) {
    return std::tanh(sum);
}

/// Trains one network, from as many threads as call it.
template <class Board>
class Learner {
public:
    using Indices = typename Layout<Board>::Indices;

    Learner(const Model& model, const Settings& settings, Coherence& coherence, const Board& like)
        : network_(model, like), settings_(settings), weights_(*model.weights), coherence_(coherence) {
        const auto instances = network_.layout().instances().size();
        rate_ = static_cast<float>(settings.rate / static_cast<double>(instances));
        if (settings.coherent) {
            coherence_.net.resize(weights_.size());
            coherence_.absolute.resize(weights_.size());
        }
    }

    /// Plays a game against itself, or against `opponent`, and learns from it. The seed decides everything random.
    /// Throws `Interrupted`, and has learned nothing, when it is told to stop while the opponent thinks.
    void play_and_learn(Board board, Side to_move, const match::Player<Board>* opponent, std::uint64_t seed,
                        const StopFlag& stop) {
        Random random(seed);
        const int opening = settings_.opening > 0 ? random.below(settings_.opening + 1) : 0;
        for (int ply = 0; ply < opening; ++ply) {
            const auto moves = board.moves();
            if (moves.size() == 0) return;
            board.play(moves.nth(random.below(moves.size())));
            to_move = other(to_move);
        }
        std::vector<Step> steps;
        steps.reserve(static_cast<std::size_t>(board.max_plies_left()) + 1);
        const bool opponent_first = opponent != nullptr && (random.next() & 1) != 0;
        float value = value_of(network_.sum(board));
        for (int ply = 0;; ++ply) {
            const auto moves = board.moves();
            if (moves.size() == 0) break;
            Step step{board, value, 0, false};
            if (opponent != nullptr && (ply % 2 == 0) == opponent_first) {
                const bool at_random = happens(settings_.opponent_epsilon, random);
                const int move = at_random ? moves.nth(random.below(moves.size()))
                                           : opponent->choose(board, to_move, random.next(), stop);
                board.play(move);
                value = value_after(board);
                step.best = -value;
            } else {
                choose(board, moves, random, step, value);
            }
            to_move = other(to_move);
            steps.push_back(step);
        }
        learn(steps, reward(board));
    }

    /// A lesson: a game against an oracle, who knows the score of every move. The network has the better side, or any
    /// in a drawn position, and has to keep what it has: it plays the move that it thinks best of those that do, and
    /// where a worse one looked as good to it, both values are best_correct_child. The oracle plays one of its best
    /// moves.
    template <class ScoresOf>
    void train_supervised(Board board, const ScoresOf& scores_of, std::uint64_t seed) {
        Random random(seed);
        bool pupil = (random.next() & 1) != 0;  // whether the network is to move
        for (bool first = true;; first = false, pupil = !pupil) {
            const auto moves = board.moves();
            if (moves.size() == 0) return;
            const auto scores = scores_of(board);
            int best = std::numeric_limits<int>::min();
            moves.for_each([&](int move) { best = std::max<int>(best, scores[static_cast<std::size_t>(move)]); });
            if (first && best != 0) pupil = best > 0;
            if (pupil)
                board = best_correct_child(board, moves, scores, sign(best));
            else
                board.play(one_of_best(moves, scores, best, random));
        }
    }

    /// Moves the value of a position towards a target from -1 to 1. Returns the error before.
    float fit(const Board& board, float target) {
        const float value = value_of(network_.sum(board));
        update(board, value, target);
        return target - value;
    }

    /// Moves the sum itself towards a target, for what is no chance of winning but a number of discs.
    float fit_linear(const Board& board, float target) {
        const float error = target - network_.sum(board);
        spread(board, error);
        return error;
    }

private:
    static constexpr float kSure = 0.9F;    ///< what a lesson says of a won position: 1 would ask for endless weights
    static constexpr float kMargin = 0.2F;  ///< by which a move has to look better than worse ones

    static int sign(int score) { return (score > 0) - (score < 0); }

    template <class Moves, class Scores>
    static int one_of_best(const Moves& moves, const Scores& scores, int best, Random& random) {
        std::vector<int> choice;
        moves.for_each([&](int move) {
            if (scores[static_cast<std::size_t>(move)] == best) choice.push_back(move);
        });
        return choice[static_cast<std::size_t>(random.below(static_cast<int>(choice.size())))];
    }

    /// The board after the move that looks best of those that lead to `outcome`, which is the most that can be had.
    template <class Moves, class Scores>
    Board best_correct_child(const Board& board, const Moves& moves, const Scores& scores, int outcome) {
        struct Child {
            Board board;
            float value;  ///< for the side that moves there
            int outcome;
        };
        std::vector<Child> children;
        const Child* right = nullptr;
        children.reserve(static_cast<std::size_t>(moves.size()));
        moves.for_each([&](int move) {
            Child child{board, 0, sign(scores[static_cast<std::size_t>(move)])};
            child.board.play(move);
            child.value = -value_after(child.board);
            children.push_back(child);
            if (child.outcome == outcome && (right == nullptr || child.value > right->value)) right = &children.back();
        });
        bool misranked = false;
        for (const Child& child : children) {
            if (child.outcome == outcome || child.value <= right->value - kMargin) continue;
            if (child.board.moves().size() == 0) continue;  // nothing is learned of games that are over
            fit(child.board, -kSure * static_cast<float>(child.outcome));
            misranked = true;
        }
        if (misranked && right->board.moves().size() != 0) fit(right->board, -kSure * static_cast<float>(outcome));
        return right->board;
    }

    struct Step {
        Board board;
        float value;  ///< of `board` for the side to move, as the network had it
        float best;   ///< of the best move, seen from the same side
        bool random;  ///< whether another move was made
    };

    static bool happens(double share, Random& random) {
        return share > 0 && static_cast<double>(random.next() >> 11) * 0x1p-53 < share;
    }

    /// The value of a board that may be the end of the game.
    float value_after(const Board& board) const {
        return board.moves().size() == 0 ? reward(board) : value_of(network_.sum(board));
    }

    float reward(const Board& board) const {
        const auto outcome = static_cast<float>(board.outcome());
        if (settings_.margin == 0) return outcome;
        const auto share = static_cast<float>(settings_.margin);
        const auto most = static_cast<float>(Cells<Board>::count(board));
        return (1 - share) * outcome + share * static_cast<float>(board.final_score()) / most;
    }

    /// Plays the best move or, once in a while, a random one.
    template <class Moves>
    void choose(Board& board, const Moves& moves, Random& random, Step& step, float& value) {
        const bool explores = moves.size() > 1 && happens(settings_.epsilon, random);
        const int wanted = explores ? random.below(moves.size()) : -1;
        step.best = -2;
        Board best_child = board, wanted_child = board;
        float best_value = 0, wanted_value = 0;
        int rank = 0;
        moves.for_each([&](int move) {
            Board child = board;
            child.play(move);
            const float after = value_after(child);
            if (-after > step.best) {
                step.best = -after;
                best_child = child;
                best_value = after;
            }
            if (rank++ == wanted) {
                wanted_child = child;
                wanted_value = after;
            }
        });
        step.random = explores;
        board = explores ? wanted_child : best_child;
        value = explores ? wanted_value : best_value;
    }

    /// Backwards from the end, so that every target is known when it is needed.
    void learn(const std::vector<Step>& steps, float end) {
        const auto lambda = static_cast<float>(settings_.lambda);
        float next = end, rest = end;  // of the following position, for the side to move there
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            const bool strays = step->random && settings_.rule != Rule::Sarsa;
            const float target = strays ? step->best : -((1 - lambda) * next + lambda * rest);
            if (!(strays && settings_.rule == Rule::Td)) update(step->board, step->value, target);
            rest = target;
            next = step->value;
        }
    }

    void update(const Board& board, float value, float target) {
        spread(board, (target - value) * (1 - value * value));
    }

    /// Shares a correction between all weights that had a part in the value.
    void spread(const Board& board, float error) {
        const auto& layout = network_.layout();
        const std::size_t first = network_.first_weight(board);
        Indices indices, mirror_twins;
        layout.read(board, indices);
        layout.read_mirror_twins(board, mirror_twins);
        const auto& instances = layout.instances();
        for (std::size_t i = 0; i < instances.size(); ++i) correct(first + instances[i].table + indices[i], error);
        for (const std::size_t counter : Cells<Board>::counters(board))
            correct(first + layout.first_counter() + counter, error);
        for (std::size_t i = 0; i < layout.mirror_twins().size(); ++i) {
            const auto& twin = layout.mirror_twins()[i];
            if (mirror_twins[i] != indices[twin.of]) correct(first + twin.table + mirror_twins[i], error);
        }
    }

    void correct(std::size_t index, float error) {
        const auto weight = shared(weights_[index]);
        float rate = rate_;
        if (settings_.coherent) {
            const auto net = shared(coherence_.net[index]), absolute = shared(coherence_.absolute[index]);
            const float was_net = net.load(kRelaxed), was_absolute = absolute.load(kRelaxed);
            if (was_absolute > 0) rate *= std::abs(was_net) / was_absolute;
            net.store(was_net + error, kRelaxed);
            absolute.store(was_absolute + std::abs(error), kRelaxed);
        }
        weight.store(weight.load(kRelaxed) + rate * error, kRelaxed);
    }

    Network<Board> network_;
    Settings settings_;
    Weights& weights_;
    Coherence& coherence_;
    float rate_;
};

}  // namespace flipdrop::pattern
