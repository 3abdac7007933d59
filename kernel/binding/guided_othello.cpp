#include "kernel/binding/guided.hpp"
#include "kernel/othello/position.hpp"

namespace flipdrop::binding {

void bind_othello_guided(nb::module_& module);

void bind_othello_guided(nb::module_& module) {
    bind_guided_of<othello::Position>(module);
}

}  // namespace flipdrop::binding
