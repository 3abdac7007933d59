// What the kernel throws when the caller is wrong. Each becomes a Python exception of the same name.
#pragma once

#include <stdexcept>

namespace flipdrop {

struct Error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};
struct IllegalMove : Error {
    using Error::Error;
};
struct IllegalPosition : Error {
    using Error::Error;
};

}  // namespace flipdrop
