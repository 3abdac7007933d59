// Evaluations that Python passes to the kernel: one of the kernel's own, pattern networks, or any Python function of a
// position.
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
#include "kernel/evaluation/spec.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/pattern/network.hpp"
#include "kernel/side.hpp"

namespace flipdrop::binding {

/// Pattern networks for several boards, found by the board's size.
struct Networks {
    std::string name;
    std::vector<pattern::Model> othello, connect4;

    template <class Board>
    const pattern::Model& for_board(const Board& board) const {
        using Cell = pattern::Cells<Board>;
        for (const auto& model : Cell::kStates == 3 ? othello : connect4)
            if (model.columns == Cell::columns(board) && model.rows == Cell::rows(board)) return model;
        throw Error("evaluation " + name + " has no network for " + Cell::kGame + " on " +
                    std::to_string(Cell::columns(board)) + "x" + std::to_string(Cell::rows(board)));
    }
};

/// The class `Evaluation` of Python. Independent of the board's type: see evaluation_for.
class AnyEvaluation {
public:
    explicit AnyEvaluation(EvaluationSpec spec) : what_(std::move(spec)) {
        check_spec(std::get<EvaluationSpec>(what_));
    }
    explicit AnyEvaluation(Networks networks) : what_(std::move(networks)) {}
    explicit AnyEvaluation(nb::callable function) : what_(nb::object(std::move(function))) {}

    const EvaluationSpec* spec() const { return std::get_if<EvaluationSpec>(&what_); }
    const Networks* networks() const { return std::get_if<Networks>(&what_); }
    nb::object* function() { return std::get_if<nb::object>(&what_); }
    const nb::object* function() const { return std::get_if<nb::object>(&what_); }

    /// The evaluation for boards like this one, unless it is a Python function: made at the first call and kept. The
    /// caller holds the interpreter lock. Instantiated in evaluation.cpp for every board of both games.
    template <class Board>
    std::shared_ptr<const Evaluation<Board>> cached(const Board& like) const;

private:
    template <class... Boards>
    static std::tuple<std::shared_ptr<Evaluation<Boards>>...> one_for_each(const std::variant<Boards...>*);
    template <class Position>
    using OneForEach = decltype(one_for_each(static_cast<const typename Position::AnyBoard*>(nullptr)));
    using Cache = decltype(std::tuple_cat(OneForEach<othello::Position>(), OneForEach<connect4::Position>()));

    std::variant<EvaluationSpec, Networks, nb::object> what_;
    mutable Cache cached_;
};

/// The name of a Python function in messages.
std::string name_of(nb::handle function);

/// Calls a Python function with a position. Its exceptions pass through; a result that is not a finite number throws
/// Error. The caller holds the interpreter lock.
double called(nb::handle function, nb::handle position);

/// A Python function as an evaluation. Any thread may call and destroy it, with or without the interpreter lock.
template <class Position, class Board>
class FunctionEvaluation final : public Evaluation<Board> {
public:
    /// The function gets positions of the same class as `like`.
    FunctionEvaluation(nb::handle function, nb::handle like)
        : function_(nb::borrow(function)), like_(nb::borrow(like)) {}

    ~FunctionEvaluation() override {
        const Locked locked;
        function_.reset();
        like_.reset();
    }

    double score(const Board& board, Side to_move) const override {
        const Locked locked;
        return called(function_, same_class(like_, Position::from_board(board, to_move)));
    }

    std::vector<Term> terms(const Board& board, Side to_move) const override {
        const Locked locked;
        return {{name_of(function_), score(board, to_move), 1}};
    }

private:
    nb::object function_;
    nb::object like_;
};

/// The evaluation for boards like that of `position`, a Python object of class `Position` or derived from it. The
/// caller holds the interpreter lock; using the result does not require it.
template <class Position, class Board>
std::shared_ptr<const Evaluation<Board>> evaluation_for(const AnyEvaluation& evaluation, nb::handle position) {
    if (const nb::object* function = evaluation.function())
        return std::make_shared<FunctionEvaluation<Position, Board>>(*function, position);
    return evaluation.cached(std::get<Board>(nb::cast<const Position&>(position).board()));
}

}  // namespace flipdrop::binding
