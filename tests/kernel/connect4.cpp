// Connect Four of every shape against a grid and plain loops.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/connect4/position.hpp"
#include "kernel/errors.hpp"
#include "kernel/parallel.hpp"
#include "kernel/perft.hpp"
#include "kernel/random.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

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
            CHECK(board.bulk_count() == grid.perft(2));
            const StopFlag stop;
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
    CHECK((position.columns() == columns && position.rows() == rows));
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

TEST_CASE("Connect Four: rules against a plain grid") {
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

template <class Board>
bool wins(const Board& board) {
    bool found = false;
    board.moves().for_each([&](int move) { found = found || played(board, move).won_by_last_move(); });
    return found;
}

/// How many positions had a single safe move, and how many none.
struct Threatened {
    int forced = 0, lost = 0;
};

template <class Board>
void check_safe_moves(const Board& start, Random& random, Threatened& seen) {
    const int plies = random.below(start.shape.columns() * start.shape.rows());
    const Board board = after_random_moves(start, plies, random);
    if (board.moves().size() == 0) return;
    CHECK(board.wins_at_once() == wins(board));
    if (wins(board)) return;
    std::vector<int> expected, safe;
    board.moves().for_each([&](int move) {
        if (!wins(played(board, move))) expected.push_back(move);
    });
    board.safe_moves().for_each([&](int move) { safe.push_back(move); });
    CHECK(safe == expected);
    seen.forced += safe.size() == 1;
    seen.lost += safe.empty();
}

TEST_CASE("Connect Four: moves that do not lose at once") {
    Random random(6);
    Threatened usual, others;
    for (int round = 0; round < 4000; ++round)
        check_safe_moves(connect4::Board<connect4::FixedShape<7, 6>>{}, random, usual);
    for (int round = 0; round < 4000; ++round) {
        const int columns = 4 + random.below(9), rows = 4 + random.below(9);
        const Grid grid(columns, rows, random.below(columns * rows));
        const connect4::Position start(columns, rows, grid.text(), Side::First);
        std::visit([&](const auto& board) { check_safe_moves(board, random, others); }, start.board());
    }
    CHECK((usual.forced > 100 && usual.lost > 50 && others.forced > 100 && others.lost > 50));
}

}  // namespace

}  // namespace flipdrop::tests
