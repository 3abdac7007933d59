// Pattern networks for Python: the class, its settings, and its weights as arrays.
#include "kernel/binding/pattern.hpp"

#include <algorithm>
#include <utility>

namespace flipdrop::binding {

void bind_othello_patterns(nb::module_& module, nb::class_<TrainedNetwork>& cls);
void bind_connect4_patterns(nb::module_& module, nb::class_<TrainedNetwork>& cls);

namespace {

/// A NumPy array of its own with the same numbers.
Floats copied(const std::vector<float>& numbers) {
    auto owned = std::make_unique<std::vector<float>>(numbers);
    float* data = owned->data();
    const std::size_t size = owned->size();
    const nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<float>*>(p); });
    return Floats(data, {size}, owner);
}

std::vector<float> checked(const GivenFloats& numbers, std::size_t size, const std::string& what) {
    if (numbers.shape(0) != size)
        throw Error(std::to_string(numbers.shape(0)) + " " + what + "; the network has " + std::to_string(size));
    std::vector<float> taken(numbers.data(), numbers.data() + size);
    if (!std::all_of(taken.begin(), taken.end(), [](float number) { return std::isfinite(number); }))
        throw Error("the " + what + " of a network are finite numbers");
    return taken;
}

void bind_learning_settings(nb::module_& module) {
    using pattern::Rule;
    using pattern::Settings;
    nb::enum_<Rule>(module, "LearningRule").value("TD", Rule::Td).value("SARSA", Rule::Sarsa).value("Q", Rule::Q);
    nb::class_<Settings>(module, "LearningSettings")
        .def(nb::init<>())
        .def_rw("rule", &Settings::rule)
        .def_rw("rate", &Settings::rate)
        .def_rw("trace", &Settings::lambda)  // lambda is a keyword of Python
        .def_rw("epsilon", &Settings::epsilon)
        .def_rw("opening", &Settings::opening)
        .def_rw("margin", &Settings::margin)
        .def_rw("coherent", &Settings::coherent)
        .def_rw("opponent_epsilon", &Settings::opponent_epsilon);
}

/// The evaluation that networks make, each for its own boards. It keeps the weights as they are now.
AnyEvaluation evaluation_of(const std::vector<const TrainedNetwork*>& networks, std::string name) {
    Networks made{std::move(name), {}, {}};
    for (const TrainedNetwork* network : networks) {
        pattern::Model model = network->model;
        model.weights = std::make_shared<pattern::Weights>(*model.weights);
        (network->is_othello ? made.othello : made.connect4).push_back(std::move(model));
    }
    return AnyEvaluation(std::move(made));
}

}  // namespace

void bind_pattern(nb::module_& module) {
    bind_learning_settings(module);
    nb::class_<TrainedNetwork> cls(module, "PatternNetwork",
                                   "Weights that patterns on the board pick from tables; their sum is the evaluation.");
    cls.def_prop_ro("patterns", [](const TrainedNetwork& self) { return self.model.patterns; })
        .def_prop_ro("stages", [](const TrainedNetwork& self) { return self.model.stages; })
        .def_prop_ro("unit", [](const TrainedNetwork& self) { return self.model.unit; })
        .def_prop_rw(
            "weights", [](const TrainedNetwork& self) { return copied(*self.model.weights); },
            [](TrainedNetwork& self, const GivenFloats& weights) {
                const TrainedNetwork::Training alone(self);
                const std::vector<float> taken = checked(weights, self.model.weights->size(), "weights");
                std::copy(taken.begin(), taken.end(), self.model.weights->begin());  // other threads may be reading
            },
            nb::for_getter(nb::rv_policy::automatic), "All weights, stage after stage, pattern after pattern; a copy.")
        .def_prop_rw(
            "coherence",
            [](const TrainedNetwork& self) {
                return std::pair{copied(self.coherence.net), copied(self.coherence.absolute)};
            },
            [](TrainedNetwork& self, const std::pair<GivenFloats, GivenFloats>& sums) {
                const TrainedNetwork::Training alone(self);
                const std::size_t size = sums.first.shape(0) == 0 ? 0 : self.model.weights->size();
                self.coherence = {checked(sums.first, size, "sums of errors"),
                                  checked(sums.second, size, "sums of errors")};
            },
            nb::for_getter(nb::rv_policy::automatic),
            "Sums of the errors of each weight, signed and absolute; empty before training.");
    bind_othello_patterns(module, cls);
    bind_connect4_patterns(module, cls);
    module.def("pattern_evaluation", &evaluation_of, "networks"_a, "name"_a,
               "The evaluation that networks make, each for boards of its own shape, with the weights of now.");
}

}  // namespace flipdrop::binding
