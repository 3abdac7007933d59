#include "kernel/evaluation/spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <utility>

#include "kernel/connect4/position.hpp"
#include "kernel/errors.hpp"
#include "kernel/evaluation/connect4.hpp"
#include "kernel/evaluation/othello.hpp"
#include "kernel/evaluation/threat_parity.hpp"
#include "kernel/othello/position.hpp"

namespace flipdrop {

namespace {

constexpr std::array<std::string_view, 6> kOthelloNames = {"A", "B", "C", "D", "Seven", "mobility"};
constexpr std::array<std::string_view, 2> kConnectFourNames = {"lines", "parity"};

/// Larger numbers could overflow in sums of products and give nan.
constexpr double kLargest = 1e100;

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

template <class Names>
std::string listed(const Names& names) {
    std::string text;
    for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

[[noreturn]] void throw_unknown(const EvaluationSpec& spec) {
    throw Error("evaluation " + quoted(spec.name) + "; Othello has " + listed(kOthelloNames) + ", Connect Four has " +
                listed(kConnectFourNames));
}

std::string shown(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", number);
    return text;
}

void check_number(double number, const std::string& what) {
    if (!std::isfinite(number) || std::abs(number) > kLargest)
        throw Error(what + " is " + shown(number) + "; a finite number from -1e100 to 1e100 is needed");
}

template <std::size_t Terms>
std::array<double, Terms> checked_weights(const EvaluationSpec& spec,
                                          const std::array<std::string_view, Terms>& names) {
    if (spec.weights.size() != Terms)
        throw Error(std::to_string(spec.weights.size()) + " weights for evaluation " + spec.name + "; it takes " +
                    std::to_string(Terms) + ": " + listed(names));
    std::array<double, Terms> weights;
    for (std::size_t i = 0; i < Terms; ++i) {
        weights[i] = spec.weights[i];
        check_number(weights[i], "weight " + std::string(names[i]) + " of evaluation " + spec.name);
    }
    return weights;
}

template <class Board, class Features>
std::unique_ptr<Evaluation<Board>> linear(const EvaluationSpec& spec, Features features) {
    const auto weights = checked_weights(spec, Features::names);
    return std::make_unique<Linear<Board, Features>>(std::move(features), weights);
}

/// Features without a table.
template <class Board, class Features>
std::unique_ptr<Evaluation<Board>> plain(const EvaluationSpec& spec) {
    if (!spec.table.empty()) throw Error("evaluation " + spec.name + " takes no table of squares");
    return linear<Board>(spec, Features{});
}

template <int Size>
othello::SquareTable<Size> checked_table(const EvaluationSpec& spec) {
    if (!othello::is_table_size<Size>(spec.table.size())) {
        const std::string side = std::to_string(Size);
        throw Error("a table of " + std::to_string(spec.table.size()) + " squares for evaluation " + spec.name +
                    " on " + side + "x" + side + "; it takes " +
                    (Size == 4 ? "" : std::to_string(Size * Size) + ", or ") + "16 for the top left quarter of 8x8");
    }
    for (std::size_t i = 0; i < spec.table.size(); ++i)
        check_number(spec.table[i], "square " + std::to_string(i) + " in the table of evaluation " + spec.name);
    return othello::SquareTable<Size>(spec.table);
}

/// The same with weights that add up to 1.
EvaluationSpec normalised(EvaluationSpec spec) {
    const double sum = std::accumulate(spec.weights.begin(), spec.weights.end(), 0.0);
    if (sum <= 0)
        throw Error("the weights of evaluation " + spec.name + " add up to " + shown(sum) +
                    "; they are divided by their sum, which has to be positive");
    for (double& weight : spec.weights) weight /= sum;
    return spec;
}

template <int Size>
std::unique_ptr<Evaluation<othello::Board<Size>>> made_for(const EvaluationSpec& spec, const othello::Board<Size>*) {
    using namespace othello;
    using Board = othello::Board<Size>;
    if (spec.name == "A") return plain<Board, DiscFeatures<Size>>(spec);
    if (spec.name == "B") return linear<Board>(spec, TableFeatures<Size>{checked_table<Size>(spec)});
    if (spec.name == "C") return linear<Board>(spec, CFeatures<Size>{checked_table<Size>(spec)});
    if (spec.name == "D") return plain<Board, DFeatures<Size>>(spec);
    if (spec.name == "mobility") return plain<Board, MobilityFeatures<Size>>(spec);
    if (spec.name == "Seven") {
        checked_weights(spec, SevenFeatures<Size>::names);
        return linear<Board>(normalised(spec), SevenFeatures<Size>{checked_table<Size>(spec)});
    }
    if (is_one_of(spec.name, kConnectFourNames))
        throw Error("evaluation " + spec.name + " is for Connect Four; Othello has " + listed(kOthelloNames));
    throw_unknown(spec);
}

template <class Shape>
std::unique_ptr<Evaluation<connect4::Board<Shape>>> made_for(const EvaluationSpec& spec,
                                                             const connect4::Board<Shape>*) {
    if (spec.name == "lines") return plain<connect4::Board<Shape>, connect4::LineFeatures<Shape>>(spec);
    if (spec.name == "parity") return plain<connect4::Board<Shape>, connect4::ParityFeatures<Shape>>(spec);
    if (is_one_of(spec.name, kOthelloNames))
        throw Error("evaluation " + spec.name + " is for Othello; Connect Four has " + listed(kConnectFourNames));
    throw_unknown(spec);
}

}  // namespace

template <GameBoard Board>
std::unique_ptr<Evaluation<Board>> make_evaluation(const EvaluationSpec& spec) {
    return made_for(spec, static_cast<const Board*>(nullptr));
}

#define FLIPDROP_FOR_BOARD(...) \
    template std::unique_ptr<Evaluation<__VA_ARGS__>> make_evaluation<__VA_ARGS__>(const EvaluationSpec&)
FLIPDROP_FOR_BOARD(othello::Board<8>);
FLIPDROP_FOR_BOARD(othello::Board<6>);
FLIPDROP_FOR_BOARD(othello::Board<4>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::FixedShape<7, 6>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<Bits>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<UInt<2>>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<UInt<3>>>);
#undef FLIPDROP_FOR_BOARD

void check_spec(const EvaluationSpec& spec) {
    if (is_one_of(spec.name, kConnectFourNames))
        make_evaluation<connect4::Board<connect4::FixedShape<7, 6>>>(spec);
    else if (spec.table.size() == 6 * 6)
        make_evaluation<othello::Board<6>>(spec);
    else
        make_evaluation<othello::Board<8>>(spec);
}

}  // namespace flipdrop
