// Othello: lines against walks over a grid, whole games against rules written out.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/errors.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/othello/symmetry.hpp"
#include "kernel/random.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

constexpr std::array<std::array<int, 2>, 8> kDirections = {
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

/// The squares that turn, found by walking. Squares are bits of the 8x8 grid; the board is its `size` x `size` corner.
Bits walked_flips(Bits own, Bits other, int square, int size) {
    const auto has = [](Bits bits, int row, int column) { return (bits >> (8 * row + column) & 1) != 0; };
    Bits flipped = 0;
    for (const auto& [down, right] : kDirections) {
        int row = square / 8 + down, column = square % 8 + right;
        const auto inside = [&] { return row >= 0 && row < size && column >= 0 && column < size; };
        Bits run = 0;
        for (; inside() && has(other, row, column); row += down, column += right) run |= Bits{1} << (8 * row + column);
        if (inside() && has(own, row, column)) flipped |= run;
    }
    return flipped;
}

template <int Size>
Bits walked_placements(Bits own, Bits other) {
    Bits squares = 0;
    for (Bits empty = othello::Board<Size>::kSquares & ~(own | other); empty != 0; empty = without_lowest(empty))
        if (walked_flips(own, other, lowest(empty), Size) != 0) squares |= Bits{1} << lowest(empty);
    return squares;
}

template <int Size>
void check_othello_board(const othello::Board<Size>& board) {
    CHECK((board.own & board.other) == 0);
    CHECK(((board.own | board.other) & ~board.kSquares) == 0);
    const Bits legal_squares = walked_placements<Size>(board.own, board.other);
    CHECK(board.legal_squares() == legal_squares);
    CHECK(board.opponent_can_move() == (walked_placements<Size>(board.other, board.own) != 0));
    for (Bits rest = board.empties(); rest != 0; rest = without_lowest(rest))
        CHECK(othello::flips(board.own, board.other, lowest(rest)) ==
              walked_flips(board.own, board.other, lowest(rest), Size));
    const auto moves = board.moves();
    CHECK(moves.squares == legal_squares);
    CHECK(moves.pass == (legal_squares == 0 && board.opponent_can_move()));
    CHECK(moves.size() == (moves.pass ? 1 : count(legal_squares)));
    std::vector<int> visited;
    moves.for_each([&](int move) { visited.push_back(move); });
    CHECK(static_cast<int>(visited.size()) == moves.size());
    CHECK(std::is_sorted(visited.begin(), visited.end()));
    for (std::size_t rank = 0; rank < visited.size(); ++rank) CHECK(moves.nth(static_cast<int>(rank)) == visited[rank]);
}

/// Discs anywhere, however unlikely: full lines of every length in every direction.
template <int Size>
void test_othello_lines() {
    Random random(Size);
    for (int round = 0; round < 1500; ++round) {
        Bits discs = random.next(), own = random.next();
        if (round % 3 == 1) discs |= random.next() | random.next();  // nearly full
        if (round % 3 == 2) own &= random.next() & random.next();    // long runs of the other side
        discs &= othello::Board<Size>::kSquares;
        check_othello_board(othello::Board<Size>{discs & own, discs & ~own});
    }
}

template <int Size>
void test_othello_games() {
    Random random(100 + Size);
    int passes = 0, unfilled = 0;
    for (int game = 0; game < 60; ++game) {
        othello::Board<Size> board;
        othello::Position position = [] {
            std::string cells(Size * Size, '-');
            constexpr std::size_t low = Size / 2 - 1, high = Size / 2;
            cells[low * Size + low] = cells[high * Size + high] = 'O';
            cells[low * Size + high] = cells[high * Size + low] = 'X';
            return othello::Position(Size, cells, Side::First);
        }();
        for (auto moves = board.moves(); moves.size() > 0; moves = board.moves()) {
            check_othello_board(board);
            CHECK(std::get<othello::Board<Size>>(position.board()) == board);
            CHECK(othello::Position(Size, position.cells(), position.to_move()) == position);
            CHECK(othello::Position(Size, position.cells(), position.to_move()).hash() == position.hash());
            const int move = moves.nth(random.below(moves.size()));
            const Bits flipped = move == othello::kPass ? 0 : walked_flips(board.own, board.other, move, Size);
            const Bits placed = move == othello::kPass ? 0 : Bits{1} << move;
            const othello::Board<Size> expected{board.other & ~flipped, board.own | flipped | placed};
            passes += move == othello::kPass;
            board.play(move);
            CHECK(board == expected);
            position = position.played(move == othello::kPass ? Size * Size : move / 8 * Size + move % 8);
        }
        check_othello_board(board);
        CHECK(position.is_over());
        const auto [first, second] = position.discs();
        CHECK(position.result() == (first > second) - (first < second));
        const int empty = Size * Size - first - second;
        unfilled += empty > 0;
        CHECK(position.margin() == first - second + *position.result() * empty);
        CHECK(throws<IllegalMove>([&] { position.played(0); }));
    }
    CHECK(passes > 0);
    CHECK((Size == 8 || unfilled > 0));  // on 8x8 random games almost always fill the board
}

template <int Size>
void test_symmetries() {
    using othello::transformed;
    constexpr Bits kSquares = othello::Board<Size>::kSquares;
    std::set<std::vector<int>> group;
    for (int symmetry = 0; symmetry < othello::kSymmetries; ++symmetry) {
        std::vector<int> image;
        Bits reached = 0;
        for (Bits rest = kSquares; rest != 0; rest = without_lowest(rest)) {
            const Bits to = transformed<Size>(bit<Bits>(lowest(rest)), symmetry);
            CHECK(count(to) == 1);
            reached |= to;
            image.push_back(lowest(to));
        }
        CHECK(reached == kSquares);
        group.insert(image);
        Random random(static_cast<std::uint64_t>(symmetry));
        for (int round = 0; round < 50; ++round) {
            const Bits a = random.next() & kSquares, b = random.next() & kSquares;
            CHECK((transformed<Size>(a, symmetry) | transformed<Size>(b, symmetry)) ==
                  transformed<Size>(a | b, symmetry));
            CHECK(count(transformed<Size>(a, symmetry)) == count(a));
            if (symmetry == 0) CHECK(transformed<Size>(a, 0) == a);
            bool has_inverse = false;
            for (int back = 0; back < othello::kSymmetries; ++back)
                has_inverse = has_inverse || (transformed<Size>(transformed<Size>(a, symmetry), back) == a &&
                                              transformed<Size>(transformed<Size>(b, symmetry), back) == b);
            CHECK(has_inverse);
            // The image of a position's moves are the moves of its image.
            const Bits own = a & ~b, other = b & ~a;
            const othello::Board<Size> board{own, other};
            const othello::Board<Size> mirrored{transformed<Size>(own, symmetry), transformed<Size>(other, symmetry)};
            CHECK(transformed<Size>(board.legal_squares(), symmetry) == mirrored.legal_squares());
        }
    }
    CHECK(group.size() == 8);
}

}  // namespace

TEST_CASE("Othello: legal squares and flips are those of a walk along the lines") {
    test_othello_lines<4>();
    test_othello_lines<6>();
    test_othello_lines<8>();
}

TEST_CASE("Othello: random games") {
    test_othello_games<4>();
    test_othello_games<6>();
    test_othello_games<8>();
}

TEST_CASE("Othello: symmetries") {
    test_symmetries<4>();
    test_symmetries<6>();
    test_symmetries<8>();
}

}  // namespace flipdrop::tests
