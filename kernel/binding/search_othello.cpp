#include "kernel/binding/search.hpp"
#include "kernel/othello/position.hpp"

namespace flipdrop::binding {

void bind_othello_searches(nb::module_& module);

void bind_othello_searches(nb::module_& module) {
    bind_searches_of<othello::Position>(module);
}

// For the opponents of learning networks too (pattern.hpp).
#define FLIPDROP_FOR_BOARD(...)                                                                                \
    template std::unique_ptr<match::Player<__VA_ARGS__>> NativePlayer::player<othello::Position, __VA_ARGS__>( \
        nb::handle) const
FLIPDROP_FOR_BOARD(othello::Board<8>);
FLIPDROP_FOR_BOARD(othello::Board<6>);
FLIPDROP_FOR_BOARD(othello::Board<4>);
#undef FLIPDROP_FOR_BOARD

}  // namespace flipdrop::binding
