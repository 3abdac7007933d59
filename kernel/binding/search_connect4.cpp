#include "kernel/binding/search.hpp"
#include "kernel/connect4/position.hpp"

namespace flipdrop::binding {

void bind_connect4_searches(nb::module_& module);

void bind_connect4_searches(nb::module_& module) {
    bind_searches_of<connect4::Position>(module);
}

}  // namespace flipdrop::binding
