// Checked preconditions. FLIPDROP_ASSERT(condition) costs nothing in the Python modules; the sanitizer builds of the
// kernel's tests define FLIPDROP_ASSERTIONS, and there a violated precondition ends the program.
#pragma once

#if defined(FLIPDROP_ASSERTIONS)

#include <cstdio>
#include <cstdlib>

namespace flipdrop {

[[noreturn]] inline void assertion_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: precondition violated: %s\n", file, line, condition);
    std::abort();
}

}  // namespace flipdrop

#define FLIPDROP_ASSERT(condition) \
    (static_cast<bool>(condition) ? void() : ::flipdrop::assertion_failed(#condition, __FILE__, __LINE__))

#else

#define FLIPDROP_ASSERT(condition) static_cast<void>(sizeof(static_cast<bool>(condition)))

#endif
