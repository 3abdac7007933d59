#include "kernel/binding/pattern.hpp"

namespace flipdrop::binding {

void bind_othello_patterns(nb::module_& module, nb::class_<TrainedNetwork>& cls) {
    bind_pattern_of<othello::Position>(module, cls);
}

}  // namespace flipdrop::binding
