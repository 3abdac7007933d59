// Evaluations as Python hands them over: one of the kernel's own, or any Python function of a position.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/binding/position.hpp"
#include "kernel/connect4/position.hpp"
#include "kernel/evaluation/evaluation.hpp"
#include "kernel/evaluation/recipe.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/side.hpp"

namespace flipdrop::binding {

/// The class `Evaluation` of Python. It suits no board in particular: see evaluation_for.
class AnyEvaluation {
public:
    explicit AnyEvaluation(Recipe recipe) : what_(std::move(recipe)) { check_recipe(std::get<Recipe>(what_)); }
    explicit AnyEvaluation(nb::callable function) : what_(nb::object(std::move(function))) {}

    const Recipe* recipe() const { return std::get_if<Recipe>(&what_); }
    nb::object* function() { return std::get_if<nb::object>(&what_); }
    const nb::object* function() const { return std::get_if<nb::object>(&what_); }

    /// The recipe's evaluation for boards of one kind, made when it is first asked for and kept. The caller holds the
    /// interpreter lock.
    template <class Board>
    const Evaluation<Board>& kept() const {
        auto& place = std::get<std::shared_ptr<Evaluation<Board>>>(kept_);
        if (place == nullptr) place = make_evaluation<Board>(*recipe());
        return *place;
    }

private:
    template <class... Boards>
    static std::tuple<std::shared_ptr<Evaluation<Boards>>...> one_for_each(const std::variant<Boards...>*);
    template <class Position>
    using OneForEach = decltype(one_for_each(static_cast<const typename Position::AnyBoard*>(nullptr)));
    using Kept = decltype(std::tuple_cat(OneForEach<othello::Position>(), OneForEach<connect4::Position>()));

    std::variant<Recipe, nb::object> what_;
    mutable Kept kept_;  ///< shared between copies
};

/// How messages call a Python function.
std::string name_of(nb::handle function);

/// What a Python function says about a position; throws what it throws, and Error unless it says a finite number. The
/// caller holds the interpreter lock.
double called(nb::handle function, nb::handle position);

/// A Python function as an evaluation. Any thread may call and destroy it, with or without the interpreter lock.
template <class Position, class Board>
class FunctionEvaluation final : public Evaluation<Board> {
public:
    /// The function gets positions of the same class as `like`.
    FunctionEvaluation(nb::handle function, nb::handle like)
        : function_(nb::borrow(function)), like_(nb::borrow(like)) {}

    ~FunctionEvaluation() override {
        const nb::gil_scoped_acquire locked;
        function_.reset();
        like_.reset();
    }

    double score(const Board& board, Side to_move) const override {
        const nb::gil_scoped_acquire locked;
        return called(function_, same_class(like_, Position::from_board(board, to_move)));
    }

    std::vector<Term> terms(const Board& board, Side to_move) const override {
        const nb::gil_scoped_acquire locked;
        return {{name_of(function_), score(board, to_move), 1}};
    }

private:
    nb::object function_;
    nb::object like_;
};

/// The evaluation for boards of one kind, those of `like`, a Python object of class `Position` or derived from it. The
/// caller holds the interpreter lock; whoever uses what is returned need not.
template <class Position, class Board>
std::unique_ptr<Evaluation<Board>> evaluation_for(const AnyEvaluation& evaluation, nb::handle like) {
    if (const Recipe* recipe = evaluation.recipe()) return make_evaluation<Board>(*recipe);
    return std::make_unique<FunctionEvaluation<Position, Board>>(*evaluation.function(), like);
}

}  // namespace flipdrop::binding
