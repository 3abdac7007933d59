#include "kernel/binding/puct.hpp"
#include "kernel/othello/position.hpp"

namespace flipdrop::binding {

void bind_othello_puct(nb::module_& module);

void bind_othello_puct(nb::module_& module) {
    bind_puct_of<othello::Position>(module);
}

}  // namespace flipdrop::binding
