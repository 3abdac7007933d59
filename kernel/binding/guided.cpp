// Settings of guided searches and of self-play, for Python.
#include "kernel/guided/settings.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace flipdrop::binding {

void bind_guided(nb::module_& module);
void bind_othello_guided(nb::module_& module);
void bind_connect4_guided(nb::module_& module);

void bind_guided(nb::module_& module) {
    using guided::SelfPlay, guided::Settings;
    nb::class_<Settings>(module, "GuidedSettings")
        .def(nb::init<>())
        .def_rw("simulations", &Settings::simulations)
        .def_rw("seconds", &Settings::seconds)
        .def_rw("batch", &Settings::batch)
        .def_rw("c", &Settings::c)
        .def_rw("urgency", &Settings::urgency)
        .def_rw("noise", &Settings::noise)
        .def_rw("alpha", &Settings::alpha)
        .def_rw("symmetries", &Settings::symmetries)
        .def_rw("seed", &Settings::seed);
    nb::class_<SelfPlay>(module, "SelfPlaySettings")
        .def(nb::init<>())
        .def_rw("search", &SelfPlay::search)
        .def_rw("fast", &SelfPlay::fast)
        .def_rw("full", &SelfPlay::full)
        .def_rw("random_plies", &SelfPlay::random_plies)
        .def_rw("warm_plies", &SelfPlay::warm_plies)
        .def_rw("temperature", &SelfPlay::temperature);
    bind_othello_guided(module);
    bind_connect4_guided(module);
}

}  // namespace flipdrop::binding
