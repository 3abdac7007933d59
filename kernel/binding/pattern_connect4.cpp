#include "kernel/binding/pattern.hpp"

namespace flipdrop::binding {

void bind_connect4_patterns(nb::module_& module, nb::class_<TrainedNetwork>& cls) {
    bind_pattern_of<connect4::Position>(module, cls);
}

}  // namespace flipdrop::binding
