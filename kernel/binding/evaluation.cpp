#include "kernel/binding/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <variant>

#include "kernel/errors.hpp"

namespace flipdrop::binding {

namespace {

/// An object as a message shows it: on one line, cut if it is long, its class where it cannot even be shown.
std::string shown(nb::handle object) {
    constexpr std::size_t kLongest = 300;
    const auto repr = nb::steal(PyObject_Repr(object.ptr()));
    if (!repr.is_valid()) {
        PyErr_Clear();
        return "a " + name_of(object.type());
    }
    std::string text = text_of(nb::borrow<nb::str>(repr));
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }, ' ');
    if (text.size() <= kLongest) return text;
    std::size_t end = kLongest;
    while ((static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
    return text.substr(0, end) + "…";
}

/// Adds to a Python error where it happened.
void add_note(const nb::python_error& error, nb::handle function, nb::handle position) {
    const std::string note = "while evaluation " + name_of(function) + " scored " + shown(position);
    const auto done = nb::steal(PyObject_CallMethod(error.value().ptr(), "add_note", "s", note.c_str()));
    if (!done.is_valid()) PyErr_Clear();  // the error itself matters more
}

std::string name(const AnyEvaluation& self) {
    if (const EvaluationSpec* spec = self.spec()) return spec->name;
    if (const Networks* networks = self.networks()) return networks->name;
    return name_of(*self.function());
}

/// Calls `use` with the evaluation for a position's board, the board, and the side to move.
template <class Position, class Use>
auto with_evaluation(const AnyEvaluation& evaluation, nb::pointer_and_handle<Position> position, Use&& use) {
    return std::visit(
        [&]<class Board>(const Board& board) {
            const Side to_move = position.p->to_move();
            return use(*evaluation_for<Position, Board>(evaluation, position.h), board, to_move);
        },
        position.p->board());
}

template <class Position>
double score(const AnyEvaluation& self, nb::pointer_and_handle<Position> position) {
    return with_evaluation(self, position, [](const auto& evaluation, const auto& board, Side to_move) {
        return evaluation.score(board, to_move);
    });
}

template <class Position>
std::vector<std::tuple<std::string, double, double>> terms(const AnyEvaluation& self,
                                                           nb::pointer_and_handle<Position> position) {
    return with_evaluation(self, position, [](const auto& evaluation, const auto& board, Side to_move) {
        std::vector<std::tuple<std::string, double, double>> all;
        for (const Term& term : evaluation.terms(board, to_move))
            all.emplace_back(term.name, term.feature, term.weight);
        return all;
    });
}

// A function may refer to the very evaluation that holds it: the garbage collector has to see the cycle.

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    if (const nb::object* function = nb::inst_ptr<AnyEvaluation>(self)->function()) Py_VISIT(function->ptr());
    return 0;
}

int clear(PyObject* self) {
    if (nb::object* function = nb::inst_ptr<AnyEvaluation>(self)->function()) *function = nb::none();
    return 0;
}

const PyType_Slot kSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {0, nullptr},
};

}  // namespace

template <class Board>
std::shared_ptr<const Evaluation<Board>> AnyEvaluation::cached(const Board& like) const {
    auto& evaluation = std::get<std::shared_ptr<Evaluation<Board>>>(cached_);
    if (const Networks* networks = this->networks()) {
        const pattern::Model& model = networks->for_board(like);  // several shapes may share a class of boards
        const auto* made = static_cast<const pattern::PatternEvaluation<Board>*>(evaluation.get());
        if (made == nullptr || !made->is_for(like))
            evaluation = std::make_shared<pattern::PatternEvaluation<Board>>(model, like);
    } else if (evaluation == nullptr) {
        evaluation = make_evaluation<Board>(*spec());
    }
    return evaluation;
}

#define FLIPDROP_FOR_BOARD(...) \
    template std::shared_ptr<const Evaluation<__VA_ARGS__>> AnyEvaluation::cached(const __VA_ARGS__&) const
FLIPDROP_FOR_BOARD(othello::Board<8>);
FLIPDROP_FOR_BOARD(othello::Board<6>);
FLIPDROP_FOR_BOARD(othello::Board<4>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::FixedShape<7, 6>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<Bits>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<UInt<2>>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<UInt<3>>>);
#undef FLIPDROP_FOR_BOARD

std::string name_of(nb::handle function) {
    for (const nb::handle named : {function, function.type()}) {
        const auto name = nb::steal(PyObject_GetAttrString(named.ptr(), "__qualname__"));
        if (!name.is_valid())
            PyErr_Clear();
        else if (nb::isinstance<nb::str>(name))
            return text_of(nb::borrow<nb::str>(name));
    }
    return "without a name";
}

double called(nb::handle function, nb::handle position) {
    nb::object answer;
    double number = 0;
    try {
        answer = call_python(function, position);
        number = PyFloat_AsDouble(answer.ptr());
        if (PyErr_Occurred() != nullptr) {
            const bool is_no_number =
                PyErr_ExceptionMatches(PyExc_TypeError) != 0 || PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
            if (!is_no_number) nb::raise_python_error();
            PyErr_Clear();
            number = std::nan("");
        }
    } catch (const nb::python_error& error) {
        add_note(error, function, position);
        throw;
    }
    if (std::isfinite(number)) return number;
    throw Error("evaluation " + name_of(function) + " gave " + shown(answer) + " for " + shown(position) +
                "; a finite number is needed");
}

void bind_evaluation(nb::module_& module) {
    nb::class_<AnyEvaluation>(module, "Evaluation", nb::type_slots(kSlots),
                              "A heuristic score of a position for the side to move.")
        .def(
            "__init__",
            [](AnyEvaluation* self, const nb::str& name, std::vector<double> weights, std::vector<double> table) {
                new (self) AnyEvaluation(EvaluationSpec{text_of(name), std::move(weights), std::move(table)});
            },
            "name"_a, "weights"_a, "table"_a)
        .def_static(
            "from_function", [](nb::callable function) { return AnyEvaluation(std::move(function)); }, "function"_a,
            nb::sig("def from_function(function: collections.abc.Callable[[typing.Any], float]) -> Evaluation"),
            "The evaluation that calls a Python function of a position.")
        .def_prop_ro("name", &name, "Which evaluation it is, or the name of the function.")
        .def("score", &score<othello::Position>, "position"_a,
             nb::sig("def score(self, position: OthelloPosition) -> float"),
             "The higher, the better for the side to move.")
        .def("score", &score<connect4::Position>, "position"_a,
             nb::sig("def score(self, position: ConnectFourPosition) -> float"))
        .def("terms", &terms<othello::Position>, "position"_a,
             "The summands of the score: the name of each, its feature's value, and its weight.")
        .def("terms", &terms<connect4::Position>, "position"_a);
}

}  // namespace flipdrop::binding
