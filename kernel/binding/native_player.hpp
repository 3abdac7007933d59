// Players inside the kernel, as Python describes them.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "kernel/binding/evaluation.hpp"
#include "kernel/match/player.hpp"
#include "kernel/mcts/settings.hpp"
#include "kernel/search/settings.hpp"

namespace flipdrop::binding {

/// The class `NativePlayer` of Python: settings of a player for boards of any shape.
class NativePlayer {
public:
    using SearchSettings = std::variant<std::monostate, search::Settings, mcts::Settings>;

    explicit NativePlayer(SearchSettings settings = {}, std::optional<AnyEvaluation> evaluation = {})
        : settings_(std::move(settings)), evaluation_(std::move(evaluation)) {}

    NativePlayer epsilon_greedy(double epsilon) const {
        check_range("epsilon", epsilon, 0.0, 1.0);
        NativePlayer changed = *this;
        changed.epsilon_ = epsilon;
        return changed;
    }

    /// The player for boards like that of `position`, a Python object of class `Position`. The caller holds the
    /// interpreter lock. Defined in search.hpp and instantiated in search_othello.cpp and search_connect4.cpp only:
    /// the searches behind it are the larger part of the kernel's code.
    template <class Position, class Board>
    std::unique_ptr<match::Player<Board>> player(nb::handle position) const;

private:
    SearchSettings settings_;  ///< none: random moves
    std::optional<AnyEvaluation> evaluation_;
    double epsilon_ = 0;  ///< probability of a random move
};

}  // namespace flipdrop::binding
