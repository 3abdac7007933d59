"""Every evaluation written out from the reports' text: slow, and short enough to be checked by reading.

Each function measures the terms of one evaluation on a reference board, for the side to move, in the order in which the
reports list them. A table of squares is given as a function of row and column.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from tests.reference.connect_four import DIRECTIONS as LINE_DIRECTIONS
from tests.reference.connect_four import ReferenceConnectFour
from tests.reference.othello import DIRECTIONS, ReferenceOthello

Table = Callable[[int, int], float]
Squares = set[tuple[int, int]]

R2: list[list[float]] = [[400, -30, 11, 8], [-30, -70, -4, 1], [11, -4, 2, 2], [8, 1, 2, -3]]
R3: list[list[float]] = [[35, 2, 9, 9], [2, 2, 3, 3], [9, 3, 5, 5], [9, 3, 5, 1]]


def quarter_table(quarter: list[list[float]], size: int) -> Table:
    """A quarter of the 8x8 board on a board of any size, by kind of square."""

    def weight(row: int, column: int) -> float:
        r, c = min(row, size - 1 - row), min(column, size - 1 - column)
        if size == 8:
            return quarter[r][c]
        if size == 6:
            return quarter[[0, 1, 3][r]][[0, 1, 3][c]]
        return {(0, 0): quarter[0][0], (0, 1): quarter[0][1], (1, 0): quarter[1][0], (1, 1): quarter[3][3]}[r, c]

    return weight


def full_table(weights: list[float], size: int) -> Table:
    return lambda row, column: weights[row * size + column]


# Othello -------------------------------------------------------------------------------------------------------------


def squares(board: ReferenceOthello) -> Squares:
    return set(product(range(board.size), range(board.size)))


def is_on(board: ReferenceOthello, row: int, column: int) -> bool:
    return 0 <= row < board.size and 0 <= column < board.size


def held(board: ReferenceOthello, mark: str) -> Squares:
    return {(r, c) for r, c in squares(board) if board.rows[r][c] == mark}


def own(board: ReferenceOthello) -> Squares:
    return held(board, board.to_move)


def opponents(board: ReferenceOthello) -> Squares:
    return held(board, board.opponent)


def empty(board: ReferenceOthello) -> Squares:
    return held(board, "-")


def more(board: ReferenceOthello, where: Squares) -> int:
    """Own discs minus the opponent's on these squares."""
    return len(own(board) & where) - len(opponents(board) & where)


def neighbours(board: ReferenceOthello, square: tuple[int, int]) -> Squares:
    return {(square[0] + down, square[1] + right) for down, right in DIRECTIONS} & squares(board)


def corners(board: ReferenceOthello) -> Squares:
    last = board.size - 1
    return {(0, 0), (0, last), (last, 0), (last, last)}


def rim(board: ReferenceOthello) -> Squares:
    last = board.size - 1
    return {(r, c) for r, c in squares(board) if r in (0, last) or c in (0, last)}


def edges(board: ReferenceOthello) -> Squares:
    return rim(board) - corners(board)


def second_ring(board: ReferenceOthello) -> Squares:
    last = board.size - 1
    return {(r, c) for r, c in squares(board) - rim(board) if r in (1, last - 1) or c in (1, last - 1)}


def x_square(board: ReferenceOthello, corner: tuple[int, int]) -> tuple[int, int]:
    """The square diagonally next to a corner."""
    (only,) = neighbours(board, corner) - rim(board)
    return only


def moves(board: ReferenceOthello, mark: str) -> int:
    return len(ReferenceOthello(board.rows, mark).placements())


def weighed(board: ReferenceOthello, table: Table) -> float:
    return sum(table(r, c) for r, c in own(board)) - sum(table(r, c) for r, c in opponents(board))


def terms_of_a(board: ReferenceOthello) -> list[float]:
    return [more(board, squares(board))]


def terms_of_b(board: ReferenceOthello, table: Table) -> list[float]:
    return [weighed(board, table)]


def terms_of_c(board: ReferenceOthello, table: Table) -> list[float]:
    x_squares = {x_square(board, corner) for corner in corners(board)}
    return [
        weighed(board, table),
        more(board, squares(board)),
        moves(board, board.to_move),
        more(board, corners(board)),
        more(board, x_squares),
    ]


def terms_of_d(board: ReferenceOthello) -> list[float]:
    exposed = {x_square(board, corner) for corner in corners(board) & empty(board)}

    def empty_outer_neighbours(discs: Squares) -> int:
        return sum(len(neighbours(board, disc) & edges(board) & empty(board)) for disc in discs & second_ring(board))

    return [
        more(board, corners(board)),
        more(board, edges(board)),
        more(board, exposed),
        empty_outer_neighbours(own(board)) - empty_outer_neighbours(opponents(board)),
        more(board, squares(board)),
        moves(board, board.to_move),
    ]


def terms_of_mobility(board: ReferenceOthello) -> list[float]:
    return [moves(board, board.to_move) - moves(board, board.opponent)]


def ratio(mine: int, theirs: int) -> float:
    if mine > theirs:
        return 100 * mine / (mine + theirs)
    if mine < theirs:
        return -100 * theirs / (mine + theirs)
    return 0


def has_full_lines(board: ReferenceOthello, square: tuple[int, int]) -> bool:
    """Whether no empty square lies on any of the eight lines that go out from a square."""
    for down, right in DIRECTIONS:
        r, c = square
        while is_on(board, r, c):
            if board.rows[r][c] == "-":
                return False
            r, c = r + down, c + right
    return True


def discs_in_runs(board: ReferenceOthello, mark: str) -> int:
    """For each corner and each of its two edges: how many discs of one side lie in an unbroken run from the corner."""
    total = 0
    for corner in corners(board):
        for down, right in [(0, 1), (0, -1), (1, 0), (-1, 0)]:
            r, c = corner
            if not is_on(board, r + down, c + right):
                continue
            while is_on(board, r, c) and board.rows[r][c] == mark:
                total += 1
                r, c = r + down, c + right
    return total


def terms_of_seven(board: ReferenceOthello, table: Table) -> list[float]:
    beside_empty_corners = [square for corner in corners(board) & empty(board) for square in neighbours(board, corner)]
    mine, theirs = moves(board, board.to_move), moves(board, board.opponent)
    full = {square for square in squares(board) if has_full_lines(board, square)}
    return [
        weighed(board, table),
        ratio(len(own(board)), len(opponents(board))),
        -24.5 * sum(more(board, {square}) for square in beside_empty_corners),
        -450 if mine == 0 else 150 if theirs == 0 else ratio(mine, theirs),
        12.5 * more(board, full),
        2.5 * (discs_in_runs(board, board.to_move) - discs_in_runs(board, board.opponent)),
        25 * more(board, corners(board)),
    ]


# Connect Four --------------------------------------------------------------------------------------------------------


def all_lines(board: ReferenceConnectFour) -> list[list[tuple[int, int]]]:
    """Every line of four cells, as columns and rows."""
    found = []
    for column, row in product(range(board.columns), range(board.rows)):
        for right, up in LINE_DIRECTIONS:
            line = [(column + i * right, row + i * up) for i in range(4)]
            if all(0 <= c < board.columns and 0 <= r < board.rows for c, r in line):
                found.append(line)
    return found


def terms_of_lines(board: ReferenceConnectFour) -> list[float]:
    mine, theirs = board.to_move, "O" if board.to_move == "X" else "X"
    terms = [0.0, 0.0, 0.0, 0.0]
    for mark, sign in ((mine, 1), (theirs, -1)):
        completing = set()
        for line in all_lines(board):
            marks = [board.board[c][r] for c, r in line]
            if set(marks) <= {mark, "-"}:  # no disc of the other side, and no forbidden cell
                discs = marks.count(mark)
                if 1 <= discs <= 3:
                    terms[discs - 1] += sign
                if discs == 3:
                    completing.add(line[marks.index("-")])
        terms[3] += sign * len(completing)
    return terms


def threats_of(board: ReferenceConnectFour, mark: str) -> set[tuple[int, int]]:
    """The empty cells that complete a line of a side, as column and row."""
    found = set()
    for line in all_lines(board):
        marks = [board.board[c][r] for c, r in line]
        if marks.count(mark) == 3 and "-" in marks:
            found.add(line[marks.index("-")])
    return found


def empty_cells(board: ReferenceConnectFour, column: int) -> list[tuple[int, int]]:
    """From the bottom."""
    return [(column, row) for row in range(board.rows) if board.board[column][row] == "-"]


def zugzwang_of(board: ReferenceConnectFour) -> tuple[int, int]:
    """1 if the side to move wins, -1 if it loses, when neither side makes a new threat, and the plies to the end."""
    mine, theirs = threats_of(board, board.to_move), threats_of(board, "O" if board.to_move == "X" else "X")
    columns = [empty_cells(board, column) for column in range(board.columns)]
    left, plies, mover = sum(map(len, columns)), 0, 1
    while any(columns):
        landing = {cells[0] for cells in columns if cells}
        if mine & landing:
            return mover, plies
        neutral = [cells for cells in columns if cells and not (mine | theirs) & set(cells[:2])]
        if theirs & landing:
            if len(theirs & landing) > 1:
                return -mover, plies
            played = next(cells for cells in columns if cells and cells[0] in theirs)
        elif neutral:
            played = neutral[0]
        else:
            # Only cells under a threat are left: under the mover's own, the first from the left, or it loses.
            given_up = [cells for cells in columns if len(cells) > 1 and cells[1] in mine - theirs]
            if not given_up:
                return (-mover, plies) if any(len(cells) > 1 for cells in columns) else (0, left)
            played = given_up[0]
        played.pop(0)
        mine, theirs = theirs, mine
        mover, plies = -mover, plies + 1
    return 0, left


def terms_of_parity(board: ReferenceConnectFour) -> list[float]:
    mover, opponent = board.to_move, "O" if board.to_move == "X" else "X"
    columns = [empty_cells(board, column) for column in range(board.columns)]
    left = sum(map(len, columns))
    landing = {cells[0] for cells in columns if cells}
    # The side to move gets the cells from which on to the top the number of cells has the parity of all cells left.
    gets = {
        cell: mover if (left - (len(cells) - i)) % 2 == 0 else opponent
        for cells in columns
        for i, cell in enumerate(cells)
    }
    threats = {mark: threats_of(board, mark) for mark in (mover, opponent)}
    reached = set()
    for cells in columns:
        for cell in cells:
            reached.add(cell)
            if cell in threats[gets[cell]]:
                break  # the lowest good threat of the column
    above = {cells[i]: cells[i + 1] for cells in columns for i in range(len(cells) - 1)}
    terms = [0.0] * 8
    for mark, sign in ((mover, 1), (opponent, -1)):
        begun = set()
        for line in all_lines(board):
            marks = [board.board[c][r] for c, r in line]
            if marks.count(mark) == 2 and marks.count("-") == 2:
                begun |= {cell for cell, disc in zip(line, marks, strict=True) if disc == "-"}
        begun = (begun - threats[mark]) & reached
        waiting = (threats[mark] & reached) - landing
        own = {cell for cell, side in gets.items() if side == mark}
        counted = (
            threats[mark] & landing,
            waiting & own,
            waiting - own,
            {cell for cell in threats[mark] if above.get(cell) in threats[mark]},
            begun & own,
            begun - own,
        )
        for i, found in enumerate(counted):
            terms[i] += sign * len(found)
    winner, plies = zugzwang_of(board)
    terms[6] = winner
    terms[7] = winner * (1 - plies / (left + 1))
    return terms
