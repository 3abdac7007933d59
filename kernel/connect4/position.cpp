#include "kernel/connect4/position.hpp"

#include "kernel/errors.hpp"
#include "kernel/hash.hpp"

namespace flipdrop::connect4 {

namespace {

/// Cells are numbered in reading order outside, up the columns inside.
int index_of_cell(int columns, int rows, int cell) {
    return cell % columns * (rows + 1) + rows - 1 - cell / columns;
}

template <class Shape>
int index_of_cell(const Shape& shape, int cell) {
    return index_of_cell(shape.columns(), shape.rows(), cell);
}

template <class Shape>
int cell_of_index(const Shape& shape, int index) {
    return (shape.rows() - 1 - index % (shape.rows() + 1)) * shape.columns() + index / (shape.rows() + 1);
}

std::string cell_name(int columns, int rows, int cell) {
    return static_cast<char>('a' + cell % columns) + std::to_string(rows - cell / columns);
}

Position::AnyBoard empty_board(int columns, int rows, int forbidden) {
    const int bits = columns * (rows + 1);
    if (columns == 7 && rows == 6 && forbidden == kNoCell) return Board<FixedShape<7, 6>>{};
    if (bits <= 64) return Board<AnyShape<Bits>>{{columns, rows, forbidden}};
    if (bits <= 128) return Board<AnyShape<UInt<2>>>{{columns, rows, forbidden}};
    return Board<AnyShape<UInt<3>>>{{columns, rows, forbidden}};
}

void check_size(int columns, int rows) {
    const auto fits = [](int side) { return side >= kMinSide && side <= kMaxSide; };
    if (!fits(columns) || !fits(rows))
        throw IllegalPosition("Connect Four is played on 4x4 to 12x12 (columns x rows), not on " +
                              std::to_string(columns) + "x" + std::to_string(rows));
}

/// Whether taking away one of the winner's topmost discs leaves no line of four: a game ends with its first win.
template <class Shape>
bool has_a_last_move(const Board<Shape>& board) {
    const auto winner = board.other();
    for (int column = 0; column < board.shape.columns(); ++column) {
        auto discs = board.column(column) & (board.occupied ^ board.shape.forbidden());
        typename Shape::Word top{0};
        for (; static_cast<bool>(discs); discs = without_lowest(discs)) top = bit<typename Shape::Word>(lowest(discs));
        if (static_cast<bool>(top & winner) && !board.has_four(winner ^ top)) return true;
    }
    return false;
}

/// Throws unless a game could reach this position, as far as simple necessary conditions show.
template <class Shape>
void check_reachable(const Board<Shape>& board, int first, int second, Side to_move) {
    const auto name = [&](auto word) {
        return cell_name(board.shape.columns(), board.shape.rows(), cell_of_index(board.shape, lowest(word)));
    };
    const auto discs = board.occupied ^ board.shape.forbidden();
    const auto ground = discs << 1 | board.shape.bottom();
    const auto support = ground | (board.shape.forbidden() & ground) << 1;  // a disc may rest on the forbidden cell
    const auto hanging = discs & ~support;
    if (static_cast<bool>(hanging))
        throw IllegalPosition("the disc on " + name(hanging) + " hangs in the air: the cell below it is empty");
    const std::string counts = std::to_string(first) + " X and " + std::to_string(second) + " O";
    if (first != second && first != second + 1)
        throw IllegalPosition(counts + ": X moves first, so there are as many X as O, or one more");
    if (to_move != (first == second ? Side::First : Side::Second))
        throw IllegalPosition(counts + ": it is " + (first == second ? "X" : "O") + "'s turn");
    if (board.has_four(board.own))
        throw IllegalPosition("the side to move has four in a line already: the game ended before the last move");
    if (board.has_four(board.other()) && !has_a_last_move(board))
        throw IllegalPosition("no last move explains the lines of four: a game ends with its first one");
}

void check_symmetry(int symmetry) {
    if (symmetry < 0 || symmetry >= Position::symmetries())
        throw Error("symmetry " + std::to_string(symmetry) + "; a Connect Four board has symmetries 0 and 1");
}

}  // namespace

Position::Position(int columns, int rows, std::string_view cells, Side to_move) {
    check_size(columns, rows);
    const auto expected = static_cast<std::size_t>(columns * rows);
    const std::string size = std::to_string(columns) + "x" + std::to_string(rows);
    if (cells.size() != expected)
        throw IllegalPosition("a board of " + size + " has " + std::to_string(expected) + " cells, not " +
                              std::to_string(cells.size()));
    int forbidden = kNoCell, first = 0, second = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const int cell = static_cast<int>(i);
        switch (cells[i]) {
            case 'X': ++first; break;
            case 'O': ++second; break;
            case '-': break;
            case '#':
                if (forbidden != kNoCell) throw IllegalPosition("at most one cell '#' may be forbidden");
                forbidden = index_of_cell(columns, rows, cell);
                break;
            default: throw IllegalPosition("a cell is 'X', 'O', '-' or '#', not " + quoted(whole_character(cells, i)));
        }
    }
    board_ = empty_board(columns, rows, forbidden);
    std::visit(
        [&](auto& board) {
            using Word = typename std::decay_t<decltype(board)>::Word;
            const char own = to_move == Side::First ? 'X' : 'O';
            for (std::size_t i = 0; i < cells.size(); ++i) {
                if (cells[i] != 'X' && cells[i] != 'O') continue;
                const Word here = bit<Word>(index_of_cell(board.shape, static_cast<int>(i)));
                board.occupied |= here;
                if (cells[i] == own) board.own |= here;
            }
            check_reachable(board, first, second, to_move);
        },
        board_);
}

int Position::columns() const {
    return std::visit([](const auto& board) { return board.shape.columns(); }, board_);
}

int Position::rows() const {
    return std::visit([](const auto& board) { return board.shape.rows(); }, board_);
}

std::optional<int> Position::forbidden() const {
    return std::visit(
        [](const auto& board) -> std::optional<int> {
            const int index = board.shape.forbidden_index();
            if (index == kNoCell) return std::nullopt;
            return cell_of_index(board.shape, index);
        },
        board_);
}

int Position::ply() const {
    return std::visit([](const auto& board) { return board.discs(); }, board_);
}

Side Position::to_move() const {
    return std::visit([](const auto& board) { return board.to_move(); }, board_);
}

std::pair<int, int> Position::discs() const {
    return {(ply() + 1) / 2, ply() / 2};
}

std::string Position::cells() const {
    return std::visit(
        [](const auto& board) {
            using Word = typename std::decay_t<decltype(board)>::Word;
            const bool first = board.to_move() == Side::First;
            std::string text(static_cast<std::size_t>(board.shape.columns() * board.shape.rows()), '-');
            for (std::size_t i = 0; i < text.size(); ++i) {
                const Word here = bit<Word>(index_of_cell(board.shape, static_cast<int>(i)));
                if (static_cast<bool>(board.own & here)) text[i] = first ? 'X' : 'O';
                if (static_cast<bool>(board.other() & here)) text[i] = first ? 'O' : 'X';
                if (static_cast<bool>(board.shape.forbidden() & here)) text[i] = '#';
            }
            return text;
        },
        board_);
}

std::uint64_t Position::hash() const {
    return std::visit(
        [](const auto& board) {
            const auto& shape = board.shape;
            const int code = (shape.columns() * 16 + shape.rows()) * 256 + shape.forbidden_index() + 1;
            return hash_mix(hash_mix(hash_mix(0, board.own), board.occupied), static_cast<std::uint64_t>(code));
        },
        board_);
}

bool Position::is_over() const {
    return std::visit([](const auto& board) { return board.moves().size() == 0; }, board_);
}

std::optional<int> Position::result() const {
    if (!is_over()) return std::nullopt;
    const int for_mover = std::visit([](const auto& board) { return board.outcome(); }, board_);
    return to_move() == Side::First ? for_mover : -for_mover;
}

std::vector<int> Position::winning_cells() const {
    return std::visit(
        [](const auto& board) {
            std::vector<int> cells;
            const auto line = board.lines_of_four(board.other());
            for (int cell = 0; cell < board.shape.columns() * board.shape.rows(); ++cell)
                if (static_cast<bool>(line >> index_of_cell(board.shape, cell) & decltype(board.own){1}))
                    cells.push_back(cell);
            return cells;
        },
        board_);
}

void Position::check_legal(int move) const {
    const bool known = move >= 0 && move < columns();
    const bool legal =
        known &&
        std::visit([&](const auto& board) { return static_cast<bool>(board.moves().cells & board.column(move)); },
                   board_);
    if (legal) return;
    const std::string named = known ? "column " + move_name(move) : "move number " + std::to_string(move);
    const std::string side = to_move() == Side::First ? "red" : "yellow";
    std::string names;
    for_each_move([&](int column) { names += " " + move_name(column); });
    if (names.empty()) throw IllegalMove(named + " for " + side + ": the game is over");
    throw IllegalMove(named + " for " + side + "; legal:" + names);
}

Position Position::played(int move) const {
    check_legal(move);
    Position next = *this;
    std::visit([&](auto& board) { board.play(move); }, next.board_);
    return next;
}

int Position::landing_cell(int move) const {
    check_legal(move);
    return std::visit(
        [&](const auto& board) { return cell_of_index(board.shape, lowest(board.landings() & board.column(move))); },
        board_);
}

std::string Position::move_name(int move) const {
    if (move < 0 || move >= columns())
        throw IllegalMove("move number " + std::to_string(move) + "; a move of this game is a number from 0 to " +
                          std::to_string(columns() - 1));
    return {static_cast<char>(move < 9 ? '1' + move : 'a' + move - 9)};
}

int Position::parsed_move(std::string_view name) const {
    int column = -1;
    if (name.size() == 1) {
        const char c = name[0];
        if (c >= '1' && c <= '9') column = c - '1';
        if (c >= 'a' && c <= 'c') column = c - 'a' + 9;
        if (c >= 'A' && c <= 'C') column = c - 'A' + 9;
    }
    if (column >= 0 && column < columns()) return column;
    std::string last = move_name(columns() - 1);
    if (columns() > 9) last += " (1 to 9, then letters)";
    throw IllegalMove(quoted(name) + " is not a move; a move is a column from 1 to " + last);
}

Position Position::transformed(int symmetry) const {
    check_symmetry(symmetry);
    if (symmetry == 0) return *this;
    const int width = columns(), height = rows();
    std::string mirrored = cells();
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width / 2; ++column)
            std::swap(mirrored[static_cast<std::size_t>(row * width + column)],
                      mirrored[static_cast<std::size_t>(row * width + width - 1 - column)]);
    return Position(width, height, mirrored, to_move());
}

int Position::transformed_move(int move, int symmetry) const {
    check_symmetry(symmetry);
    move_name(move);  // throws unless there is such a move
    return symmetry == 0 ? move : columns() - 1 - move;
}

}  // namespace flipdrop::connect4
