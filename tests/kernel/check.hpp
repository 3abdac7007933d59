// What the kernel's own tests are written with. No framework: they print what failed, and the program returns 1.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace flipdrop::tests {

inline int checks = 0;
inline int failures = 0;

inline void check(bool holds, const char* what, const char* file, int line) {
    ++checks;
    if (holds) return;
    std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    if (++failures >= 20) std::exit(1);
}
#define CHECK(condition) ::flipdrop::tests::check(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

template <class Error, class Call>
bool throws(Call&& call) {
    try {
        call();
    } catch (const Error&) {
        return true;
    }
    return false;
}

}  // namespace flipdrop::tests
