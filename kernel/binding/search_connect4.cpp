#include "kernel/binding/search.hpp"
#include "kernel/connect4/position.hpp"

namespace flipdrop::binding {

void bind_connect4_searches(nb::module_& module);

void bind_connect4_searches(nb::module_& module) {
    bind_searches_of<connect4::Position>(module);
}

// For the opponents of learning networks too (pattern.hpp).
#define FLIPDROP_FOR_BOARD(...)                                                                                 \
    template std::unique_ptr<match::Player<__VA_ARGS__>> NativePlayer::player<connect4::Position, __VA_ARGS__>( \
        nb::handle) const
FLIPDROP_FOR_BOARD(connect4::Board<connect4::FixedShape<7, 6>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<Bits>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<UInt<2>>>);
FLIPDROP_FOR_BOARD(connect4::Board<connect4::AnyShape<UInt<3>>>);
#undef FLIPDROP_FOR_BOARD

}  // namespace flipdrop::binding
