// Words of bits against arrays of flags, random numbers against their definition.
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/random.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

/// A word as a row of flags, lowest first.
template <int Words>
using Flags = std::array<bool, 64 * Words>;

template <int Words>
Flags<Words> flags_of(const UInt<Words>& word) {
    Flags<Words> flags{};
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = (word.words[i / 64] >> (i % 64) & 1) != 0;
    return flags;
}

/// Random words of every density, with whole words of zeros and ones among them: where carries run far.
template <int Words>
UInt<Words> random_word(Random& random) {
    UInt<Words> word;
    for (auto& part : word.words) {
        switch (random.below(6)) {
            case 0: part = 0; break;
            case 1: part = ~std::uint64_t{0}; break;
            case 2: part = random.next() & random.next() & random.next(); break;
            case 3: part = random.next() | random.next() | random.next(); break;
            default: part = random.next();
        }
    }
    return word;
}

template <int Words>
void test_uint() {
    constexpr int kBits = 64 * Words;
    Random random(Words);
    for (int round = 0; round < 300; ++round) {
        const UInt<Words> a = random_word<Words>(random), b = random_word<Words>(random);
        const Flags<Words> x = flags_of(a), y = flags_of(b);
        Flags<Words> both{}, either{}, differing{}, inverse{}, sum{};
        int carry = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            both[i] = x[i] && y[i];
            either[i] = x[i] || y[i];
            differing[i] = x[i] != y[i];
            inverse[i] = !x[i];
            const int digit = x[i] + y[i] + carry;
            sum[i] = digit % 2 != 0;
            carry = digit / 2;
        }
        CHECK(flags_of(a & b) == both);
        CHECK(flags_of(a | b) == either);
        CHECK(flags_of(a ^ b) == differing);
        CHECK(flags_of(~a) == inverse);
        CHECK(flags_of(a + b) == sum);
        CHECK((a == b) == (x == y));
        CHECK(a == a);
        CHECK(static_cast<bool>(a) == std::any_of(x.begin(), x.end(), [](bool flag) { return flag; }));

        const int shift = round <= kBits ? round : random.below(kBits + 1);
        Flags<Words> up{}, down{};
        for (int i = 0; i < kBits; ++i) {
            if (i + shift < kBits) up[static_cast<std::size_t>(i + shift)] = x[static_cast<std::size_t>(i)];
            if (i - shift >= 0) down[static_cast<std::size_t>(i - shift)] = x[static_cast<std::size_t>(i)];
        }
        CHECK(flags_of(a << shift) == up);
        CHECK(flags_of(a >> shift) == down);

        std::vector<int> set;
        for (int i = 0; i < kBits; ++i)
            if (x[static_cast<std::size_t>(i)]) set.push_back(i);
        CHECK(count(a) == static_cast<int>(set.size()));
        for (std::size_t rank = 0; rank < set.size(); ++rank) CHECK(nth(a, static_cast<int>(rank)) == set[rank]);
        UInt<Words> rest = a;
        for (int index : set) {
            CHECK(lowest(rest) == index);
            CHECK((rest & bit<UInt<Words>>(index)) == bit<UInt<Words>>(index));
            rest = without_lowest(rest);
        }
        CHECK(!static_cast<bool>(rest));
        CHECK(!static_cast<bool>(without_lowest(rest)));
    }
}

TEST_CASE("bits: machine words") {
    Random random(64);
    for (int round = 0; round < 500; ++round) {
        const Bits word = random_word<1>(random).words[0];
        Bits rest = word;
        for (int rank = 0; rank < count(word); ++rank) {
            CHECK(nth(word, rank) == lowest(rest));
            CHECK((word >> lowest(rest) & 1) == 1);
            CHECK((word & (bit<Bits>(lowest(rest)) - 1) & rest) == 0);
            rest = without_lowest(rest);
        }
        CHECK(rest == 0);
    }
}

TEST_CASE("random numbers") {
    for (int bound = 1; bound <= 64; ++bound) {
        Random random(static_cast<std::uint64_t>(bound));
        std::vector<int> seen(static_cast<std::size_t>(bound));
        for (int i = 0; i < 200 * bound; ++i) {
            const int number = random.below(bound);
            CHECK((number >= 0 && number < bound));
            if (number >= 0 && number < bound) ++seen[static_cast<std::size_t>(number)];
        }
        // 200 of each are expected; a fair coin is_random_move by 100 once in a trillion.
        for (int times : seen) CHECK((bound == 1 || (times > 100 && times < 300)));
    }
    Random one(7), same(7), neighbour(8);
    int equal = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto number = one.next();
        CHECK(number == same.next());
        equal += number == neighbour.next();
    }
    CHECK(equal == 0);
}

}  // namespace

TEST_CASE("bits: integers of several words") {
    test_uint<2>();
    test_uint<3>();
}

}  // namespace flipdrop::tests
