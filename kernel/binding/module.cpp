// The Python module of one build of the kernel.
#include <nanobind/nanobind.h>

#include "kernel/binding/interpreter.hpp"
#include "kernel/errors.hpp"
#include "kernel/side.hpp"

namespace flipdrop::binding {

void bind_othello(nb::module_& module);
void bind_connect4(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_search(nb::module_& module);
void bind_solver(nb::module_& module);
void bind_engine(nb::module_& module);
void bind_connect4_engine(nb::module_& module);
void bind_puct(nb::module_& module);
void bind_pattern(nb::module_& module);
void bind_batch(nb::module_& module);

}  // namespace flipdrop::binding

namespace nb = nanobind;

NB_MODULE(FLIPDROP_KERNEL, module) {
    using namespace flipdrop;

    // A position that a daemon thread still holds at exit would be reported as a leak.
    nb::set_leak_warnings(false);

    // Classes and exceptions of both builds give `flipdrop.kernel` as their module.
    const nb::object build_name = module.attr("__name__");
    module.attr("__name__") = "flipdrop.kernel";

    const nb::exception<Error> error(module, "FlipdropError", PyExc_ValueError);
    nb::exception<IllegalMove>(module, "IllegalMove", error);
    nb::exception<IllegalPosition>(module, "IllegalPosition", error);

    nb::enum_<Side>(module, "Side", nb::is_arithmetic(),
                    "FIRST moves first: black in Othello, red in Connect Four, X in notation.")
        .value("FIRST", Side::First)
        .value("SECOND", Side::Second);

    module.def(
        "end_calls", [] { binding::LongCalls::all().end(); },
        "Ends the kernel's work for all other threads; for the end of the program.");
    module.def("forget_calls", [] { binding::LongCalls::all().forget(); }, "For the child of a fork.");
    binding::bind_othello(module);
    binding::bind_connect4(module);
    binding::bind_evaluation(module);
    binding::bind_search(module);
    binding::bind_pattern(module);
    binding::bind_solver(module);
    binding::bind_engine(module);
    binding::bind_connect4_engine(module);
    binding::bind_puct(module);
    binding::bind_batch(module);
    module.attr("__name__") = build_name;
}
