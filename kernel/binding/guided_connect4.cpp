#include "kernel/binding/guided.hpp"
#include "kernel/connect4/position.hpp"

namespace flipdrop::binding {

void bind_connect4_guided(nb::module_& module);

void bind_connect4_guided(nb::module_& module) {
    bind_guided_of<connect4::Position>(module);
}

}  // namespace flipdrop::binding
