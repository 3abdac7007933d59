#include "kernel/binding/puct.hpp"
#include "kernel/connect4/position.hpp"

namespace flipdrop::binding {

void bind_connect4_puct(nb::module_& module);

void bind_connect4_puct(nb::module_& module) {
    bind_puct_of<connect4::Position>(module);
}

}  // namespace flipdrop::binding
