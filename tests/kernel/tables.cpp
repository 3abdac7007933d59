// The transposition table of the minimax family: entries survive growth, and growth looks at the clock.
#include <cstdint>
#include <limits>

#include "kernel/search/transposition_table.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using search::Bound;
using search::TranspositionTable;
using search::TTData;

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kManyNodes = 1'000'000'000;

TEST_CASE("transposition table: growth") {
    TranspositionTable table(64);
    const std::size_t first = table.bytes();
    table.store(12345, {.value = 7, .depth = 3, .move = 2, .bound = Bound::Exact});
    table.grow_for(10, kForever);  // the search fits
    CHECK(table.bytes() == first);
    while (table.bytes() < std::size_t{64} << 20) {
        const std::size_t before = table.bytes();
        table.grow_for(kManyNodes, kForever);
        REQUIRE(table.bytes() > before);
        TTData found;
        REQUIRE(table.probe(12345, found));
        CHECK(found.value == 7);
    }
    table.grow_for(kManyNodes, kForever);
    CHECK(table.bytes() == std::size_t{64} << 20);
}

TEST_CASE("transposition table: no growth without time for it") {
    for (const double seconds_left : {-1.0, 0.0, 0.001, 0.1}) {
        TranspositionTable table(64);
        const std::size_t first = table.bytes();
        table.grow_for(kManyNodes, seconds_left);
        CHECK(table.bytes() == first);
    }
    TranspositionTable table(64);
    const std::size_t first = table.bytes();
    table.grow_for(kManyNodes, 60.0);
    CHECK(table.bytes() > first);
}

TEST_CASE("transposition table: a table of full size never grows") {
    TranspositionTable table(8, TranspositionTable::FullSize{});
    const std::size_t first = table.bytes();
    CHECK(first == std::size_t{8} << 20);
    table.grow_for(kManyNodes, kForever);
    CHECK(table.bytes() == first);
}

}  // namespace
}  // namespace flipdrop::tests
