// A learned ordering evaluator: a pattern network (kernel/pattern), packed for incremental updates during a search.
//
// The index of an instance is a balanced ternary number: digit 0 for empty, 1 for the side to move, -1 for its
// opponent. A placed or flipped disc adds to it, and seen from the other side it is the negative: so a move changes all
// indices by a few vector additions, and no board is read from the start.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/errors.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/pattern/network.hpp"
#include "kernel/solver/othello/ordering_evaluator.hpp"
#include "kernel/solver/othello/probcut.hpp"

namespace flipdrop::othello::endgame {

template <int Size>
class PatternEvaluator {
public:
    static constexpr std::size_t kMaxInstances = 64;
    static constexpr int kEmptiesToPly = 3, kMaxPlies = 4, kReplies = 8;

    /// The indices of all instances, for the side to move.
    struct alignas(32) Accumulator {
        std::array<std::int16_t, kMaxInstances> indices;
    };

    /// A network whose unit is a disc, and the error of its searches.
    PatternEvaluator(const pattern::Model& model, const ProbCutModel& probcut)
        : packed_(std::make_shared<const Packed>(model)), probcut_(probcut) {}

    double sigma(int empties, int deep, int shallow) const { return probcut_.sigma(empties, deep, shallow); }

    Accumulator read(const Board<Size>& board) const {
        Accumulator accumulator{};
        for (Bits own = board.own; own != 0; own = without_lowest(own)) add(accumulator, 0, lowest(own));
        for (Bits other = board.other; other != 0; other = without_lowest(other)) add(accumulator, 2, lowest(other));
        return accumulator;
    }

    /// After a move on `square` that flipped these discs.
    Accumulator after(const Accumulator& before, int square, Bits flipped) const {
        Accumulator accumulator = before;
        add(accumulator, 0, square);
        for (; flipped != 0; flipped = without_lowest(flipped)) add(accumulator, 1, lowest(flipped));
        for (auto& number : accumulator.indices) number = static_cast<std::int16_t>(-number);
        return accumulator;
    }

    Accumulator passed(const Accumulator& before) const {
        Accumulator accumulator = before;
        for (auto& number : accumulator.indices) number = static_cast<std::int16_t>(-number);
        return accumulator;
    }

    int score(const Board<Size>& board, Bits moves, const Accumulator& accumulator) const {
        const Packed& packed = *packed_;
        const auto [first, unused] = packed.stage[static_cast<std::size_t>(count(board.own | board.other))];
        const std::int16_t* weights = packed.weights.data() + first;
        int sum = -unused;
        for (const std::size_t counter : Cells::counters(board, moves)) sum += weights[packed.counters + counter];
        for (std::size_t group = 0; group < packed.groups; ++group) {
            const std::int16_t* table = weights + packed.zero[group];
            const std::int16_t* index = accumulator.indices.data() + kGroup * group;
            sum += table[index[0]] + table[index[1]] + table[index[2]] + table[index[3]];
        }
        return std::clamp(sum, -kMax, kMax);
    }

private:
    using Cells = pattern::Cells<Board<Size>>;
    static constexpr int kMax = 100 * Size * Size;
    static constexpr std::size_t kGroup = 4;  ///< most patterns have four or eight instances

    /// The network's tables, shared by all copies of an evaluator.
    struct Packed {
        explicit Packed(const pattern::Model& model) {
            const pattern::Network<Board<Size>> network(model, {});
            const auto& layout = network.layout();
            counters = layout.first_counter();
            pack_weights(model, layout.weights_per_stage(), 100 * model.unit);
            lay_out(layout);
            for (int n = 0; n <= Size * Size; ++n) stage.push_back({network.first_weight_of(n), 0});
            for (auto& [first, sum] : stage)
                for (std::size_t group = 0; group < groups; ++group)
                    sum += unused[group] * weights[first + zero[group]];
        }

        void pack_weights(const pattern::Model& model, std::size_t block, double unit) {
            const auto packed = [&](float weight) {
                // Millions of weights: std::lround takes ten times as long.
                const double number = std::clamp(unit * static_cast<double>(weight), -32767.0, 32767.0);
                return static_cast<std::int16_t>(number + (number < 0 ? -0.5 : 0.5));
            };
            std::size_t longest = 0;
            for (const auto& pattern : model.patterns) longest = std::max(longest, pattern.size());
            const std::vector<std::int32_t> balanced = balanced_numbers(longest);
            weights.resize(model.weights->size());
            for (std::size_t first = 0; first < weights.size(); first += block) {
                std::size_t table = first;
                for (const auto& pattern : model.patterns) {
                    std::size_t indices = 1;
                    for (std::size_t i = 0; i < pattern.size(); ++i) indices *= 3;
                    const float* from = model.weights->data() + table;
                    std::int16_t* middle = weights.data() + table + indices / 2;
                    for (std::size_t number = 0; number < indices; ++number)
                        middle[balanced[number]] = packed(from[number]);
                    table += indices;
                }
                for (; table < first + block; ++table) weights[table] = packed((*model.weights)[table]);
            }
        }

        /// All numbers of `digits` ternary digits, with -1 for each digit that is 2.
        static std::vector<std::int32_t> balanced_numbers(std::size_t digits) {
            std::vector<std::int32_t> numbers{0};
            std::int32_t power = 1;
            for (std::size_t digit = 0; digit < digits; ++digit, power *= 3) {
                const std::size_t size = numbers.size();
                for (const std::int32_t value : {power, -power})
                    for (std::size_t i = 0; i < size; ++i) numbers.push_back(numbers[i] + value);
            }
            return numbers;
        }

        /// Gives every instance a place in the accumulator. The instances of a pattern fill groups of kGroup places.
        void lay_out(const pattern::Layout<Board<Size>>& layout) {
            const auto& all = layout.instances();
            std::vector<std::size_t> places;
            for (std::size_t instance = 0; instance < all.size(); ++instance) {
                const bool same = instance > 0 && all[instance].table == all[instance - 1].table;
                if (!same || unused[groups - 1] == 0) {
                    if (++groups > kMaxInstances / kGroup)
                        throw Error("the network's patterns lie on the board in " + std::to_string(all.size()) +
                                    " instances; a solver reads at most " + std::to_string(kMaxInstances));
                    unused[groups - 1] = kGroup;
                    zero[groups - 1] = middle_of(all, all[instance].table);
                }
                places.push_back(groups * kGroup - static_cast<std::size_t>(unused[groups - 1]--));
            }
            typename pattern::Layout<Board<Size>>::Indices indices;
            for (int square = 0; square < 64; ++square) {
                if ((Board<Size>::kSquares >> square & 1) == 0) continue;
                layout.read({Bits{1} << square, 0}, indices);
                for (std::size_t instance = 0; instance < all.size(); ++instance)
                    for (std::size_t k = 0; k < 3; ++k)
                        rows[static_cast<std::size_t>(square)][k][places[instance]] =
                            static_cast<std::int16_t>(static_cast<int>(indices[instance]) * std::array{1, 2, -1}[k]);
            }
        }

        /// Where in a stage the weight for number 0 of a table is.
        template <class Instances>
        std::int32_t middle_of(const Instances& all, std::uint32_t table) const {
            std::size_t next = counters;
            for (const auto& other : all)
                if (other.table > table) next = std::min<std::size_t>(next, other.table);
            return static_cast<std::int32_t>((table + next) / 2);
        }

        /// The weights of a number of discs.
        struct Stage {
            std::size_t first;
            int unused;  ///< what the places without an instance add to a sum
        };

        std::size_t groups = 0, counters = 0;
        std::vector<Stage> stage;  ///< by the number of discs
        std::vector<std::int16_t> weights;
        std::array<std::int32_t, kMaxInstances / kGroup> zero{};  ///< where in a stage a group's weight for number 0 is
        std::array<int, kMaxInstances / kGroup> unused{};         ///< places of a group without an instance
        /// What an own disc adds, what one that turns to be own adds, and what the opponent's adds.
        alignas(32) std::array<std::array<std::array<std::int16_t, kMaxInstances>, 3>, 64> rows{};
    };

    void add(Accumulator& accumulator, unsigned what, int square) const {
        const auto& row = packed_->rows[static_cast<unsigned>(square)][what];
        for (std::size_t i = 0; i < kMaxInstances; ++i)
            accumulator.indices[i] = static_cast<std::int16_t>(accumulator.indices[i] + row[i]);
    }

    std::shared_ptr<const Packed> packed_;
    ProbCutModel probcut_;
};

static_assert(OrderingEvaluator<PatternEvaluator<8>, 8>);

}  // namespace flipdrop::othello::endgame
