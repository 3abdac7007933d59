// Learning of pattern networks: temporal differences in games against themselves or a fixed opponent, regression on
// positions with known values, and correction by an oracle.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/match/player.hpp"
#include "kernel/parallel.hpp"
#include "kernel/pattern/network.hpp"
#include "kernel/random.hpp"

namespace flipdrop::pattern {

/// The target of a position's value.
enum class Rule {
    Td,     ///< the value after the move made; nothing is learned from a random move
    Sarsa,  ///< the value after the move made, random or not
    Q,      ///< the value after the best move, whichever was made
};

struct Settings {
    Rule rule = Rule::Td;
    double rate = 1;       ///< step size: the part of an error that one update of new weights removes
    double lambda = 0;     ///< TD(lambda): 0 uses the next value as the target, 1 the result of the game
    double epsilon = 0.1;  ///< probability of random moves
    int opening = 0;       ///< maximal number of random moves at the start of a game, from which nothing is learned
    double margin = 0;     ///< weight of the disc margin in a game's reward; the rest is win, draw or loss
    bool coherent = true;  ///< a rate for each weight, smaller the more its errors differ in sign
    double opponent_epsilon = 0;  ///< probability of random moves of the fixed opponent
};

/// Throws Error unless these settings can be learned with.
inline void check(const Settings& settings) {
    check_range("rate", settings.rate, 0.0, 1e30);
    check_range("trace", settings.lambda, 0.0, 1.0);
    check_range("epsilon", settings.epsilon, 0.0, 1.0);
    check_range("opening", settings.opening, 0, 200);
    check_range("margin", settings.margin, 0.0, 1.0);
    check_range("opponent_epsilon", settings.opponent_epsilon, 0.0, 1.0);
}

/// The rates of single weights (temporal coherence; Beal and Smith): sums of the errors, with and without their signs.
struct Coherence {
    std::vector<float> net, absolute;
};

/// The value for the side to move, from -1 to 1, of a network's sum.
inline float value_of(float sum) {
    return std::tanh(sum);
}

/// Trains one network; any number of threads may call it.
template <GameBoard Board>
class Learner {
public:
    using Indices = typename Layout<Board>::Indices;

    Learner(const Model& model, const Settings& settings, Coherence& coherence, const Board& like)
        : network_(model, like), settings_(settings), weights_(*model.weights), coherence_(coherence) {
        check(settings);
        const auto instances = network_.layout().instances().size();
        rate_ = static_cast<float>(settings.rate / static_cast<double>(instances));
        if (settings.coherent) {
            coherence_.net.resize(weights_.size());
            coherence_.absolute.resize(weights_.size());
        }
    }

    /// Plays a game against itself, or against `opponent`, and learns from it. The seed determines all random choices.
    /// Throws `Interrupted`, without learning, when `stop` was requested while the opponent searches.
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

    /// Supervised training: a game against an oracle that gives the score of every move. The network has the better
    /// side (either side in a drawn position). It plays the best-valued of the moves that keep the outcome, and where a
    /// worse move has almost as high a value, both values are corrected. The oracle plays one of its best moves.
    template <class ScoresOf>
    void train_supervised(Board board, const ScoresOf& scores_of, std::uint64_t seed) {
        Random random(seed);
        bool network_to_move = (random.next() & 1) != 0;  // the network is to move
        for (bool first = true;; first = false, network_to_move = !network_to_move) {
            const auto moves = board.moves();
            if (moves.size() == 0) return;
            const auto scores = scores_of(board);
            int best = std::numeric_limits<int>::min();
            moves.for_each([&](int move) { best = std::max<int>(best, scores[static_cast<std::size_t>(move)]); });
            if (first && best != 0) network_to_move = best > 0;
            if (network_to_move)
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

    /// Moves the sum itself towards a target, for targets in discs instead of values from -1 to 1.
    float fit_linear(const Board& board, float target) {
        const float error = target - network_.sum(board);
        spread(board, error);
        return error;
    }

private:
    static constexpr float kSure = 0.9F;    ///< target value of a won position: 1 would need infinite weights
    static constexpr float kMargin = 0.2F;  ///< by which a correct move's value has to exceed that of worse moves

    static int sign(int score) { return (score > 0) - (score < 0); }

    template <class Moves, class Scores>
    static int one_of_best(const Moves& moves, const Scores& scores, int best, Random& random) {
        std::vector<int> choice;
        moves.for_each([&](int move) {
            if (scores[static_cast<std::size_t>(move)] == best) choice.push_back(move);
        });
        return choice[static_cast<std::size_t>(random.below(static_cast<int>(choice.size())))];
    }

    /// The board after the best-valued of the moves that lead to `outcome`, the best possible one.
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
            if (child.board.moves().size() == 0) continue;  // finished games have no value to learn
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

    /// Draws no random number at probability 0.
    static bool happens(double probability, Random& random) {
        return probability > 0 && random.uniform() < probability;
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

    /// Plays the best move or, with probability epsilon, a random one.
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

    /// Backwards from the end, because a target depends on the next position's.
    void learn(const std::vector<Step>& steps, float end) {
        const auto lambda = static_cast<float>(settings_.lambda);
        float next = end, rest = end;  // of the following position, for the side to move there
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            const bool off_policy = step->random && settings_.rule != Rule::Sarsa;
            const float target = off_policy ? step->best : -((1 - lambda) * next + lambda * rest);
            if (!(off_policy && settings_.rule == Rule::Td)) update(step->board, step->value, target);
            rest = target;
            next = step->value;
        }
    }

    void update(const Board& board, float value, float target) {
        spread(board, (target - value) * (1 - value * value));
    }

    /// Updates all weights that contributed to the value.
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
