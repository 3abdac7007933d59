// The kernel's own tests, by doctest: the address and undefined-behaviour sanitizers run them once for each kind of
// CPU, the thread sanitizer runs threads.cpp (FLIPDROP_KERNEL_TESTS in CMakeLists.txt).
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
