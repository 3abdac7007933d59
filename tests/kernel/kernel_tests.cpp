// The kernel against plain loops: words of bits against arrays of flags, lines against walks over a grid, whole games
// against rules written out. CMake builds this with the address and undefined-behaviour sanitizers, once for each kind
// of CPU (FLIPDROP_KERNEL_TESTS in CMakeLists.txt). No framework: it prints what failed and returns 1.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/bits.hpp"
#include "kernel/connect4/position.hpp"
#include "kernel/errors.hpp"
#include "kernel/evaluation/recipe.hpp"
#include "kernel/jobs.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/othello/symmetry.hpp"
#include "kernel/perft.hpp"
#include "kernel/playout.hpp"
#include "kernel/random.hpp"

namespace {

using namespace flipdrop;

int checks = 0;
int failures = 0;

void check(bool holds, const char* what, int line) {
    ++checks;
    if (holds) return;
    std::fprintf(stderr, "kernel_tests.cpp:%d: not so: %s\n", line, what);
    if (++failures >= 20) std::exit(1);
}
#define CHECK(condition) check(static_cast<bool>(condition), #condition, __LINE__)

template <class Error, class Call>
bool throws(Call&& call) {
    try {
        call();
    } catch (const Error&) {
        return true;
    }
    return false;
}

// Words ---------------------------------------------------------------------------------------------------------------

/// A word as a row of flags, lowest first.
template <int Limbs>
using Flags = std::array<bool, 64 * Limbs>;

template <int Limbs>
Flags<Limbs> flags_of(const Wide<Limbs>& word) {
    Flags<Limbs> flags{};
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = (word.limb[i / 64] >> (i % 64) & 1) != 0;
    return flags;
}

/// Random words of every density, with whole limbs of zeros and ones among them: where carries run far.
template <int Limbs>
Wide<Limbs> random_word(Random& random) {
    Wide<Limbs> word;
    for (auto& limb : word.limb) {
        switch (random.below(6)) {
            case 0: limb = 0; break;
            case 1: limb = ~std::uint64_t{0}; break;
            case 2: limb = random.next() & random.next() & random.next(); break;
            case 3: limb = random.next() | random.next() | random.next(); break;
            default: limb = random.next();
        }
    }
    return word;
}

template <int Limbs>
void test_wide() {
    constexpr int kBits = 64 * Limbs;
    Random random(Limbs);
    for (int round = 0; round < 300; ++round) {
        const Wide<Limbs> a = random_word<Limbs>(random), b = random_word<Limbs>(random);
        const Flags<Limbs> x = flags_of(a), y = flags_of(b);
        Flags<Limbs> both{}, either{}, differing{}, inverse{}, sum{};
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
        Flags<Limbs> up{}, down{};
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
        Wide<Limbs> rest = a;
        for (int index : set) {
            CHECK(lowest(rest) == index);
            CHECK((rest & bit<Wide<Limbs>>(index)) == bit<Wide<Limbs>>(index));
            rest = without_lowest(rest);
        }
        CHECK(!static_cast<bool>(rest));
        CHECK(!static_cast<bool>(without_lowest(rest)));
    }
}

void test_bits() {
    Random random(64);
    for (int round = 0; round < 500; ++round) {
        const Bits word = random_word<1>(random).limb[0];
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

void test_random() {
    for (int bound = 1; bound <= 64; ++bound) {
        Random random(static_cast<std::uint64_t>(bound));
        std::vector<int> seen(static_cast<std::size_t>(bound));
        for (int i = 0; i < 200 * bound; ++i) {
            const int number = random.below(bound);
            CHECK(number >= 0 && number < bound);
            if (number >= 0 && number < bound) ++seen[static_cast<std::size_t>(number)];
        }
        // 200 of each are expected; a fair coin strays by 100 once in a trillion.
        for (int times : seen) CHECK(bound == 1 || (times > 100 && times < 300));
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

// Othello -------------------------------------------------------------------------------------------------------------

constexpr std::array<std::array<int, 2>, 8> kDirections = {
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

/// The squares that turn, found by walking. Squares are bits of the 8x8 grid; the board is its `size` x `size` corner.
Bits walked_flips(Bits own, Bits other, int square, int size) {
    const auto has = [](Bits bits, int row, int column) { return (bits >> (8 * row + column) & 1) != 0; };
    Bits turned = 0;
    for (const auto& [down, right] : kDirections) {
        int row = square / 8 + down, column = square % 8 + right;
        const auto inside = [&] { return row >= 0 && row < size && column >= 0 && column < size; };
        Bits run = 0;
        for (; inside() && has(other, row, column); row += down, column += right) run |= Bits{1} << (8 * row + column);
        if (inside() && has(own, row, column)) turned |= run;
    }
    return turned;
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
    const Bits placements = walked_placements<Size>(board.own, board.other);
    CHECK(board.placements() == placements);
    CHECK(board.opponent_can_place() == (walked_placements<Size>(board.other, board.own) != 0));
    for (Bits rest = board.empties(); rest != 0; rest = without_lowest(rest))
        CHECK(othello::flips(board.own, board.other, lowest(rest)) ==
              walked_flips(board.own, board.other, lowest(rest), Size));
    const auto moves = board.moves();
    CHECK(moves.squares == placements);
    CHECK(moves.pass == (placements == 0 && board.opponent_can_place()));
    CHECK(moves.size() == (moves.pass ? 1 : count(placements)));
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
            const Bits turned = move == othello::kPass ? 0 : walked_flips(board.own, board.other, move, Size);
            const Bits placed = move == othello::kPass ? 0 : Bits{1} << move;
            const othello::Board<Size> expected{board.other & ~turned, board.own | turned | placed};
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
    CHECK(Size == 8 || unfilled > 0);  // on 8x8 random games almost always fill the board
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
            CHECK(transformed<Size>(board.placements(), symmetry) == mirrored.placements());
        }
    }
    CHECK(group.size() == 8);
}

// Connect Four --------------------------------------------------------------------------------------------------------

/// A board as a grid, row 0 at the bottom; the rules as plain loops.
struct Grid {
    int columns, rows;
    std::vector<char> marks;  // 'X', 'O', '-', '#'

    Grid(int width, int height, int forbidden_cell)
        : columns(width), rows(height), marks(static_cast<std::size_t>(width * height), '-') {
        if (forbidden_cell >= 0) marks[static_cast<std::size_t>(forbidden_cell)] = '#';
    }
    bool inside(int column, int row) const { return column >= 0 && column < columns && row >= 0 && row < rows; }
    /// Cells are kept in reading order, from the top.
    int cell(int column, int row) const { return (rows - 1 - row) * columns + column; }
    char& at(int column, int row) { return marks[static_cast<std::size_t>(cell(column, row))]; }
    char at(int column, int row) const { return marks[static_cast<std::size_t>(cell(column, row))]; }
    std::string text() const { return {marks.begin(), marks.end()}; }
    long discs(char mark) const { return std::count(marks.begin(), marks.end(), mark); }
    char to_move() const { return discs('X') == discs('O') ? 'X' : 'O'; }

    int landing_row(int column) const {
        for (int row = 0; row < rows; ++row)
            if (at(column, row) == '-') return row;
        return -1;
    }
    /// Visits every line of four as an array of (column, row).
    template <class Visit>
    void for_each_line(Visit&& visit) const {
        for (int column = 0; column < columns; ++column)
            for (int row = 0; row < rows; ++row)
                for (const auto& [right, up] : std::array<std::array<int, 2>, 4>{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}}) {
                    if (!inside(column + 3 * right, row + 3 * up)) continue;
                    std::array<std::array<int, 2>, 4> line{};
                    for (int i = 0; i < 4; ++i) line[static_cast<std::size_t>(i)] = {column + i * right, row + i * up};
                    visit(line);
                }
    }
    std::vector<int> winning_cells() const {
        std::set<int> cells;
        for_each_line([&](const auto& line) {
            const char first = at(line[0][0], line[0][1]);
            if (first != 'X' && first != 'O') return;
            if (std::all_of(line.begin(), line.end(), [&](const auto& c) { return at(c[0], c[1]) == first; }))
                for (const auto& c : line) cells.insert(cell(c[0], c[1]));
        });
        return {cells.begin(), cells.end()};
    }
    std::vector<int> moves() const {
        std::vector<int> open;
        if (!winning_cells().empty()) return open;
        for (int column = 0; column < columns; ++column)
            if (landing_row(column) >= 0) open.push_back(column);
        return open;
    }
    Grid played(int column) const {
        Grid next = *this;
        next.at(column, landing_row(column)) = to_move();
        return next;
    }
    std::uint64_t perft(int depth) const {
        if (depth == 0) return 1;
        std::uint64_t leaves = 0;
        for (int move : moves()) leaves += played(move).perft(depth - 1);
        return leaves;
    }
};

/// A set of cells of a grid as the kernel's word.
template <class Shape>
typename Shape::Word word_of(const Shape& shape, const Grid& grid, char mark) {
    typename Shape::Word word{0};
    for (int column = 0; column < grid.columns; ++column)
        for (int row = 0; row < grid.rows; ++row)
            if (grid.at(column, row) == mark) word |= bit<typename Shape::Word>(column * (shape.rows() + 1) + row);
    return word;
}

/// Lines of four and cells that complete one, for discs strewn anywhere.
template <class Shape>
void check_lines(const connect4::Board<Shape>& board, const Grid& shape_of_grid, Random& random) {
    using Word = typename Shape::Word;
    for (int round = 0; round < 6; ++round) {
        Grid grid = shape_of_grid, completed = shape_of_grid;
        for (char& mark : grid.marks)
            if (mark == '-' && random.below(6) <= round % 4) mark = 'X';
        const Word discs = word_of(board.shape, grid, 'X');
        grid.for_each_line([&](const auto& line) {
            const bool upright = line[0][0] == line[3][0];  // discs pile up: only its top can be missing
            for (std::size_t hole = upright ? 3 : 0; hole < 4; ++hole) {
                bool rest = true;
                for (std::size_t i = 0; i < 4; ++i)
                    if (i != hole) rest = rest && grid.at(line[i][0], line[i][1]) == 'X';
                if (rest) completed.at(line[hole][0], line[hole][1]) = '+';
            }
        });
        CHECK(board.completing(discs) == word_of(board.shape, completed, '+'));
        Grid lines(grid.columns, grid.rows, -1);
        for (int cell : grid.winning_cells()) lines.marks[static_cast<std::size_t>(cell)] = '*';
        CHECK(board.lines_of_four(discs) == word_of(board.shape, lines, '*'));
        CHECK(board.has_four(discs) == !grid.winning_cells().empty());
    }
}

void check_connect_four(const connect4::Position& position, const Grid& grid) {
    CHECK(position.cells() == grid.text());
    CHECK(position.to_move() == (grid.to_move() == 'X' ? Side::First : Side::Second));
    CHECK((position.discs() == std::pair<int, int>(grid.discs('X'), grid.discs('O'))));
    CHECK(position.winning_cells() == grid.winning_cells());
    std::vector<int> moves;
    position.for_each_move([&](int move) { moves.push_back(move); });
    CHECK(moves == grid.moves());
    for (int move = -1; move <= grid.columns; ++move) {
        const bool legal = std::find(moves.begin(), moves.end(), move) != moves.end();
        CHECK(throws<IllegalMove>([&] { position.played(move); }) == !legal);
        if (legal) CHECK(position.landing_cell(move) == grid.cell(move, grid.landing_row(move)));
    }
    std::visit(
        [&](const auto& board) {
            using Word = typename std::decay_t<decltype(board)>::Word;
            CHECK(!static_cast<bool>(board.own & board.other()));
            CHECK(!static_cast<bool>(board.occupied & ~board.shape.cells()));
            CHECK(Word(board.own | board.other() | board.shape.forbidden()) == board.occupied);
            CHECK(board.leaves() == grid.perft(2));
            const Stop stop;
            if (grid.columns <= 5) CHECK(perft(board, 3, stop) == grid.perft(3));
        },
        position.board());
    const connect4::Position again(grid.columns, grid.rows, grid.text(), position.to_move());
    CHECK(again == position);
    CHECK(again.hash() == position.hash());
    CHECK(position.transformed(1).transformed(1) == position);
}

void test_connect_four_shape(int columns, int rows, int forbidden, Random& random) {
    Grid grid(columns, rows, forbidden);
    connect4::Position position(columns, rows, grid.text(), Side::First);
    CHECK(position.columns() == columns && position.rows() == rows);
    CHECK(position.forbidden() == (forbidden >= 0 ? std::optional(forbidden) : std::nullopt));
    std::visit([&](const auto& board) { check_lines(board, grid, random); }, position.board());
    const bool avoid_the_end = random.below(2) == 0;  // so that boards fill up
    for (auto moves = grid.moves(); !moves.empty(); moves = grid.moves()) {
        if (random.below(4) == 0 || moves.size() < 3) check_connect_four(position, grid);
        int move = moves[static_cast<std::size_t>(random.below(static_cast<int>(moves.size())))];
        if (avoid_the_end && !grid.played(move).winning_cells().empty()) move = moves.front();
        grid = grid.played(move);
        position = position.played(move);
    }
    check_connect_four(position, grid);
    CHECK(position.is_over());
    CHECK(position.result().has_value());
}

void test_connect_four() {
    Random random(4);
    for (int columns = connect4::kMinSide; columns <= connect4::kMaxSide; ++columns)
        for (int rows = connect4::kMinSide; rows <= connect4::kMaxSide; ++rows) {
            const int top = random.below(columns), bottom = columns * (rows - 1) + random.below(columns);
            for (int forbidden : {-1, top, bottom, random.below(columns * rows)})
                test_connect_four_shape(columns, rows, forbidden, random);
        }
    const connect4::Board<connect4::FixedShape<7, 6>> fixed;
    for (int round = 0; round < 200; ++round) check_lines(fixed, Grid(7, 6, -1), random);
}

// Positions that are none ---------------------------------------------------------------------------------------------

void test_bad_positions() {
    const auto othello = [](int size, std::string_view cells) {
        return throws<IllegalPosition>([&] { othello::Position(size, cells, Side::First); });
    };
    CHECK(!othello(4, "-----OX--XO-----"));
    CHECK(othello(5, "-----OX--XO-----"));
    CHECK(othello(-4, "-----OX--XO-----"));
    CHECK(othello(0, ""));
    CHECK(othello(4, ""));
    CHECK(othello(4, "-----OX--XO----"));
    CHECK(othello(4, "-----OX--XO------"));
    CHECK(othello(4, "-----OX--XO----x"));
    CHECK(othello(4, std::string_view("\0----OX--XO-----", 16)));
    CHECK(othello(4, "\xff----OX--XO-----"));
    CHECK(othello(4, "------X--XO-----"));                      // an empty centre
    CHECK(othello(6, "X-------------OX----XO--------------"));  // a disc by itself
    CHECK(!othello(4, "XX---OX--XO-----"));

    const auto four = [](int columns, int rows, std::string_view cells, Side side) {
        return throws<IllegalPosition>([&] { connect4::Position(columns, rows, cells, side); });
    };
    CHECK(!four(4, 4, "----------------", Side::First));
    CHECK(!four(4, 4, "-------------X--", Side::Second));
    CHECK(four(4, 4, "----------------", Side::Second));
    CHECK(four(4, 4, "-------------X--", Side::First));
    CHECK(four(4, 4, "---------------", Side::First));
    CHECK(four(4, 4, "", Side::First));
    CHECK(four(3, 4, "------------", Side::First));
    CHECK(four(13, 4, std::string(52, '-'), Side::First));
    CHECK(four(-4, -4, "----------------", Side::First));
    CHECK(four(4, 1 << 30, "", Side::First));
    CHECK(four(4, 4, "---------X------", Side::Second));  // in the air
    CHECK(four(4, 4, "-----X---#------", Side::Second));  // above the forbidden cell, with nothing below
    CHECK(!four(4, 4, "-----X---#---O--", Side::First));
    CHECK(!four(4, 4, "---------X---#--", Side::Second));
    CHECK(four(4, 4, "------------XX--", Side::Second));  // two moves at once
    CHECK(four(4, 4, "------------O---", Side::First));
    CHECK(four(4, 4, "#------------#--", Side::First));
    CHECK(four(4, 4, "x---------------", Side::First));
    CHECK(four(4, 4, "--------XXXXOOOO", Side::First));  // both have won
    CHECK(!four(4, 4, "--------OOO-XXXX", Side::Second));

    const othello::Position start(4, "-----OX--XO-----", Side::First);
    for (int move : {-1, 17, 1 << 30, -(1 << 30)}) {
        CHECK(throws<IllegalMove>([&] { start.played(move); }));
        CHECK(throws<IllegalMove>([&] { start.flipped_by(move); }));
        CHECK(throws<IllegalMove>([&] { start.move_name(move); }));
        CHECK(throws<IllegalMove>([&] { start.transformed_move(move, 1); }));
    }
    for (const char* name : {"", "a", "a0", "a5", "e1", "a11", "pas", "\xff\xff", "@1", "`1"})
        CHECK(throws<IllegalMove>([&] { start.parsed_move(name); }));
    for (int symmetry : {-1, 8, 1 << 30}) {
        CHECK(throws<Error>([&] { start.transformed(symmetry); }));
        CHECK(throws<Error>([&] { start.transformed_move(0, symmetry); }));
    }
}

// Work on threads -----------------------------------------------------------------------------------------------------

void test_jobs() {
    const auto go_on = [](std::size_t) { return true; };
    for (std::size_t jobs : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}})
        for (int threads : {-1, 0, 1, 2, 9}) {
            std::vector<std::atomic<int>> done(jobs);
            CHECK(run_jobs(jobs, threads, [&](std::size_t i, const Stop&) { ++done[i]; }, go_on));
            CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
        }

    const auto until_stopped = [](std::size_t, const Stop& stop) {
        while (!stop.requested()) std::this_thread::yield();
    };
    for (int threads : {1, 3}) {
        int calls = 0;
        CHECK(!run_jobs(10, threads, until_stopped, [&](std::size_t finished) {
            CHECK(finished == 0);
            return ++calls < 2;
        }));
        CHECK(calls >= 2);
        // A job that was told to stop does not count, even if every job has been begun.
        CHECK(!run_jobs(static_cast<std::size_t>(threads), threads, until_stopped, [](std::size_t) { return false; }));
        struct Enough : std::runtime_error {
            using std::runtime_error::runtime_error;
        };
        CHECK(throws<Enough>(
            [&] { run_jobs(10, threads, until_stopped, [](std::size_t) -> bool { throw Enough("enough"); }); }));
    }
    for (int round = 0; round < 300; ++round) {  // the last worker leaves while the watcher looks
        std::atomic<int> total{0};
        CHECK(run_jobs(3, 3, [&](std::size_t i, const Stop&) { total += static_cast<int>(i); }, go_on));
        CHECK(total == 3);
    }
}

template <class Board>
std::uint64_t counted(const Board& board, int depth, int threads) {
    std::uint64_t leaves = 0;
    CHECK(perft(board, depth, threads, [](std::size_t, std::size_t) { return true; }, leaves));
    return leaves;
}

void test_perft() {
    constexpr std::array<std::uint64_t, 9> kOthello = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216};
    constexpr std::array<std::uint64_t, 9> kFour = {1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
    const connect4::Board<connect4::FixedShape<7, 6>> fixed;
    const connect4::Board<connect4::AnyShape<Bits>> one{{7, 6, connect4::kNoCell}};
    const connect4::Board<connect4::AnyShape<Wide<2>>> two{{7, 6, connect4::kNoCell}};
    const connect4::Board<connect4::AnyShape<Wide<3>>> three{{7, 6, connect4::kNoCell}};
    for (int depth = 0; depth <= 8; ++depth)
        for (int threads : {1, 2}) {
            const auto i = static_cast<std::size_t>(depth);
            CHECK(counted(othello::Board<8>{}, depth, threads) == kOthello[i]);
            CHECK(counted(fixed, depth, threads) == kFour[i]);
            CHECK(counted(one, depth, threads) == kFour[i]);
            if (depth > 7) continue;
            CHECK(counted(two, depth, threads) == kFour[i]);
            CHECK(counted(three, depth, threads) == kFour[i]);
        }
    const Stop stop;
    for (int depth = 0; depth <= 14; ++depth) {  // games that end before the tree is cut into jobs, and after
        CHECK(counted(othello::Board<4>{}, depth, 2) == perft(othello::Board<4>{}, depth, stop));
        othello::Board<4> late;
        for (int ply = 0; ply < 8 && late.moves().size() > 0; ++ply) late.play(late.moves().nth(0));
        CHECK(counted(late, depth, 2) == perft(late, depth, stop));
        connect4::Board<connect4::AnyShape<Bits>> four{{4, 4, connect4::kNoCell}};
        for (int column : {0, 1, 0, 1, 0}) four.play(column);
        CHECK(counted(four, depth, 2) == perft(four, depth, stop));
    }
    std::uint64_t leaves = 0;
    CHECK(!perft(othello::Board<8>{}, 40, 2, [](std::size_t, std::size_t) { return false; }, leaves));
}

void test_playouts() {
    const auto go_on = [](std::size_t, std::size_t) { return true; };
    const othello::Board<6> board;
    for (std::int64_t games : {0, 1, 1023, 1024, 1025, 3000}) {
        const Tally one = playouts(board, games, 5, 1, go_on), two = playouts(board, games, 5, 2, go_on);
        CHECK(one.wins + one.draws + one.losses == games);
        CHECK(one.wins == two.wins && one.draws == two.draws && one.losses == two.losses);
    }
}

// Evaluations ---------------------------------------------------------------------------------------------------------

Recipe othello_recipe(const std::string& name, std::size_t weights, std::size_t squares) {
    Recipe recipe{name, std::vector<double>(weights), std::vector<double>(squares)};
    std::iota(recipe.weights.begin(), recipe.weights.end(), 1.0);
    std::iota(recipe.table.begin(), recipe.table.end(), -9.0);
    return recipe;
}

/// The values are tested against the oracle from Python. Here: that all of it runs on all boards, cleanly, and adds up.
template <class Board>
void test_evaluation(const Recipe& recipe, const Board& start) {
    const auto evaluation = make_evaluation<Board>(recipe);
    Random random(7);
    for (int game = 0; game < 20; ++game) {
        Board board = start;
        for (Side to_move = Side::First;; to_move = other(to_move)) {
            double sum = 0;
            const auto terms = evaluation->terms(board, to_move);
            for (const Term& term : terms) sum += term.feature * term.weight;
            CHECK(terms.size() == recipe.weights.size());
            CHECK(std::abs(sum - evaluation->score(board, to_move)) < 1e-9);
            const auto moves = board.moves();
            if (moves.size() == 0) break;
            board.play(moves.nth(random.below(moves.size())));
        }
    }
}

template <int Size>
void test_othello_evaluations() {
    const othello::Board<Size> start;
    constexpr std::size_t full = Size * Size;
    test_evaluation(othello_recipe("A", 1, 0), start);
    test_evaluation(othello_recipe("D", 6, 0), start);
    test_evaluation(othello_recipe("mobility", 1, 0), start);
    for (const std::size_t squares : {std::size_t{16}, full}) {
        test_evaluation(othello_recipe("B", 1, squares), start);
        test_evaluation(othello_recipe("C", 5, squares), start);
        test_evaluation(othello_recipe("Seven", 7, squares), start);
    }
    for (const Recipe& bad : {othello_recipe("A", 2, 0), othello_recipe("D", 6, 16), othello_recipe("B", 1, 0),
                              othello_recipe("B", 1, full + 1), othello_recipe("Seven", 0, 16),
                              othello_recipe("lines", 4, 0), othello_recipe("", 1, 0)})
        CHECK(throws<Error>([&] { make_evaluation<othello::Board<Size>>(bad); }));
}

void test_connect_four_evaluations() {
    const Recipe lines{"lines", {1, 2, 3, 4}, {}};
    test_evaluation(lines, connect4::Board<connect4::FixedShape<7, 6>>{});
    test_evaluation(lines, connect4::Board<connect4::AnyShape<Bits>>{{7, 6, 21}});
    test_evaluation(lines, connect4::Board<connect4::AnyShape<Bits>>{{8, 7, connect4::kNoCell}});
    test_evaluation(lines, connect4::Board<connect4::AnyShape<Wide<2>>>{{9, 10, 40}});
    test_evaluation(lines, connect4::Board<connect4::AnyShape<Wide<3>>>{{12, 12, connect4::kNoCell}});
    using Board = connect4::Board<connect4::FixedShape<7, 6>>;
    for (const Recipe& bad : {Recipe{"lines", {1, 2, 3}, {}}, Recipe{"lines", {1, 2, 3, 4}, {1}}, Recipe{"D", {}, {}}})
        CHECK(throws<Error>([&] { make_evaluation<Board>(bad); }));
}

}  // namespace

int main() {
    test_bits();
    test_wide<2>();
    test_wide<3>();
    test_random();
    test_othello_lines<4>();
    test_othello_lines<6>();
    test_othello_lines<8>();
    test_othello_games<4>();
    test_othello_games<6>();
    test_othello_games<8>();
    test_symmetries<4>();
    test_symmetries<6>();
    test_symmetries<8>();
    test_connect_four();
    test_bad_positions();
    test_jobs();
    test_perft();
    test_playouts();
    test_othello_evaluations<4>();
    test_othello_evaluations<6>();
    test_othello_evaluations<8>();
    test_connect_four_evaluations();
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
