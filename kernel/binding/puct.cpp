// Settings of puct searches and of self-play, for Python.
#include "kernel/puct/settings.hpp"

#include "kernel/binding/numbers.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace flipdrop::binding {

void bind_puct(nb::module_& module);
void bind_othello_puct(nb::module_& module);
void bind_connect4_puct(nb::module_& module);

void bind_puct(nb::module_& module) {
    using puct::SelfPlaySettings, puct::Settings;
    nb::class_<Settings>(module, "PuctSettings")
        .def(nb::init<>())
        .def_rw("simulations", &Settings::simulations)
        .def_rw("seconds", &Settings::seconds)
        .def_rw("nodes", &Settings::nodes)
        .def_rw("batch", &Settings::batch)
        .def_rw("c", &Settings::c)
        .def_rw("fpu_reduction", &Settings::fpu_reduction)
        .def_rw("noise", &Settings::noise)
        .def_rw("alpha", &Settings::alpha)
        .def_rw("symmetries", &Settings::symmetries)
        .def_rw("half_point", &Settings::half_point)
        .def_rw("temperature", &Settings::temperature)
        .def_rw("threads", &Settings::threads)
        .def_rw("seed", &Settings::seed);
    nb::class_<SelfPlaySettings>(module, "SelfPlaySettings")
        .def(nb::init<>())
        .def_rw("search", &SelfPlaySettings::search)
        .def_rw("cheap_simulations", &SelfPlaySettings::cheap_simulations)
        .def_rw("full_search_probability", &SelfPlaySettings::full_search_probability)
        .def_rw("random_plies", &SelfPlaySettings::random_plies)
        .def_rw("temperature_plies", &SelfPlaySettings::temperature_plies)
        .def_rw("temperature", &SelfPlaySettings::temperature);
    bind_othello_puct(module);
    bind_connect4_puct(module);
}

}  // namespace flipdrop::binding
