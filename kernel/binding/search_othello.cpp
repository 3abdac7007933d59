#include "kernel/binding/search.hpp"
#include "kernel/othello/position.hpp"

namespace flipdrop::binding {

void bind_othello_searches(nb::module_& module);

void bind_othello_searches(nb::module_& module) {
    bind_searches_of<othello::Position>(module);
}

}  // namespace flipdrop::binding
