// The kernel's own tests: against plain loops, with the address and undefined-behaviour sanitizers, once for each kind
// of CPU as far as there is code for it alone (FLIPDROP_KERNEL_TESTS in CMakeLists.txt).
#include <cstdio>

#include "tests/kernel/check.hpp"

namespace flipdrop::tests {

void test_bits();
void test_othello();
void test_connect4();
void test_bad_positions();
void test_parallel();
void test_evaluations();
void test_patterns();
void test_solver_evaluators();
void test_solver_othello();
void test_solver_connect4();
void test_puct();

}  // namespace flipdrop::tests

int main() {
    using namespace flipdrop::tests;
    test_bits();
    test_othello();
    test_connect4();
    test_bad_positions();
    test_solver_othello();
    test_solver_connect4();
#if defined(FLIPDROP_TESTS_WHOLE)
    test_parallel();
    test_evaluations();
    test_patterns();
    test_solver_evaluators();
    test_puct();
#endif
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
