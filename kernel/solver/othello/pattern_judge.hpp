// A judge that has learned: a pattern network (kernel/pattern), packed for a search that looks at one board after the
// other.
//
// What a place of a pattern holds is read as a number with the digits 0 for empty, 1 for the side to move, -1 for its
// opponent, base three. A disc that is placed or turned adds to it, and seen from the other side it is its negative:
// so a move changes all places by a handful of vector additions, and no board is read from the start.
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

namespace flipdrop::othello::endgame {

template <int Size>
class PatternJudge {
public:
    static constexpr std::size_t kMostPlaces = 64;
    static constexpr int kEmptiesToPly = 3, kMostPlies = 4, kReplies = 18;

    /// What all places hold, for the side to move.
    struct alignas(32) Reading {
        std::array<std::int16_t, kMostPlaces> numbers;
    };

    /// A network whose unit is a disc, and the standard deviation of its error in discs.
    PatternJudge(const pattern::Model& model, double error)
        : packed_(std::make_shared<const Packed>(model)), error_(static_cast<int>(std::lround(100 * error))) {}

    /// A look ahead helps a little.
    int error(int depth) const { return error_ - error_ * std::min(depth, 4) / 20; }

    Reading read(const Board<Size>& board) const {
        Reading reading{};
        for (Bits own = board.own; own != 0; own = without_lowest(own)) add(reading, 0, lowest(own));
        for (Bits other = board.other; other != 0; other = without_lowest(other)) add(reading, 2, lowest(other));
        return reading;
    }

    /// After a move on `square` that turned these discs.
    Reading after(const Reading& before, int square, Bits turned) const {
        Reading reading = before;
        add(reading, 0, square);
        for (; turned != 0; turned = without_lowest(turned)) add(reading, 1, lowest(turned));
        for (auto& number : reading.numbers) number = static_cast<std::int16_t>(-number);
        return reading;
    }

    Reading passed(const Reading& before) const {
        Reading reading = before;
        for (auto& number : reading.numbers) number = static_cast<std::int16_t>(-number);
        return reading;
    }

    int score(const Board<Size>& board, Bits moves, const Reading& reading) const {
        const Packed& packed = *packed_;
        const std::int16_t* weights =
            packed.weights.data() + packed.stage[static_cast<std::size_t>(count(board.own | board.other))];
        int sum = 0;
        for (const std::size_t counter : Cells::counters(board, moves)) sum += weights[packed.counters + counter];
        for (std::size_t i = 0; i < packed.places; ++i) sum += weights[packed.zero[i] + reading.numbers[i]];
        return std::clamp(sum, -kMost, kMost);
    }

private:
    using Cells = pattern::Cells<Board<Size>>;
    static constexpr int kMost = 100 * Size * Size;

    /// The network's tables, shared by all copies of a judge.
    struct Packed {
        explicit Packed(const pattern::Model& model) {
            const pattern::Network<Board<Size>> network(model, {});
            const auto& layout = network.layout();
            places = layout.places().size();
            if (places > kMostPlaces)
                throw Error("the network's patterns lie on the board in " + std::to_string(places) +
                            " places; a solver reads at most " + std::to_string(kMostPlaces));
            counters = layout.first_counter();
            for (int n = 0; n <= Size * Size; ++n) stage.push_back(network.first_weight_of(n));
            pack_weights(model, layout.numbers(), 100 * model.unit);
            lay_out(layout);
        }

        void pack_weights(const pattern::Model& model, std::size_t block, double unit) {
            const auto packed = [&](float weight) {
                return static_cast<std::int16_t>(
                    std::clamp(std::lround(unit * static_cast<double>(weight)), -32767L, 32767L));
            };
            weights.resize(model.weights->size());
            for (std::size_t first = 0; first < weights.size(); first += block) {
                std::size_t table = first;
                for (const auto& pattern : model.patterns) {
                    std::size_t numbers = 1;
                    for (std::size_t i = 0; i < pattern.size(); ++i) numbers *= 3;
                    for (std::size_t number = 0; number < numbers; ++number)
                        weights[static_cast<std::size_t>(static_cast<long>(table + numbers / 2) + balanced(number))] =
                            packed((*model.weights)[table + number]);
                    table += numbers;
                }
                for (; table < first + block; ++table) weights[table] = packed((*model.weights)[table]);
            }
        }

        /// A number with -1 for each digit that is 2.
        static long balanced(std::size_t number) {
            long value = 0, power = 1;
            for (; number != 0; number /= 3, power *= 3)
                value += power * (number % 3 == 2 ? -1 : static_cast<long>(number % 3));
            return value;
        }

        void lay_out(const pattern::Layout<Board<Size>>& layout) {
            typename pattern::Layout<Board<Size>>::Numbers numbers;
            for (int square = 0; square < 64; ++square) {
                if ((Board<Size>::kSquares >> square & 1) == 0) continue;
                layout.read({Bits{1} << square, 0}, numbers);
                for (std::size_t place = 0; place < places; ++place)
                    for (std::size_t k = 0; k < 3; ++k)
                        rows[static_cast<std::size_t>(square)][k][place] =
                            static_cast<std::int16_t>(static_cast<int>(numbers[place]) * std::array{1, 2, -1}[k]);
            }
            const auto& all = layout.places();
            for (std::size_t place = 0; place < places; ++place) {
                std::size_t next = counters;
                for (const auto& other : all)
                    if (other.table > all[place].table) next = std::min<std::size_t>(next, other.table);
                zero[place] = static_cast<std::int32_t>((all[place].table + next) / 2);
            }
        }

        std::size_t places = 0, counters = 0;
        std::vector<std::size_t> stage;  ///< by the number of discs, where their weights begin
        std::vector<std::int16_t> weights;
        std::array<std::int32_t, kMostPlaces> zero{};  ///< where in a stage a place's weight for number 0 is
        /// What an own disc adds, what one that turns to be own adds, and what the opponent's adds.
        alignas(32) std::array<std::array<std::array<std::int16_t, kMostPlaces>, 3>, 64> rows{};
    };

    void add(Reading& reading, unsigned what, int square) const {
        const auto& row = packed_->rows[static_cast<unsigned>(square)][what];
        for (std::size_t i = 0; i < kMostPlaces; ++i)
            reading.numbers[i] = static_cast<std::int16_t>(reading.numbers[i] + row[i]);
    }

    std::shared_ptr<const Packed> packed_;
    int error_;
};

}  // namespace flipdrop::othello::endgame
