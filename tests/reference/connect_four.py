"""Connect Four written out from its rules: slow, and short enough to be checked by reading. The oracle of the kernel.

A board is a list of columns from the left, each a list of cells from the bottom: ``X`` (moves first), ``O``, ``-`` and
at most one ``#``, which no disc may occupy. A move is a column's number; a cell is numbered in reading order.
"""

from __future__ import annotations

from dataclasses import dataclass

DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


@dataclass
class ReferenceConnectFour:
    board: list[list[str]]

    @classmethod
    def start(cls, columns: int, rows: int, forbidden: int | None = None) -> ReferenceConnectFour:
        start = cls([["-"] * rows for _ in range(columns)])
        if forbidden is not None:
            start.board[forbidden % columns][rows - 1 - forbidden // columns] = "#"
        return start

    @property
    def columns(self) -> int:
        return len(self.board)

    @property
    def rows(self) -> int:
        return len(self.board[0])

    def cell(self, column: int, row: int) -> int:
        """The number in reading order of a cell whose row is counted from the bottom."""
        return (self.rows - 1 - row) * self.columns + column

    @property
    def cells(self) -> str:
        return "".join(self.board[column][row] for row in reversed(range(self.rows)) for column in range(self.columns))

    @property
    def discs(self) -> tuple[int, int]:
        return self.cells.count("X"), self.cells.count("O")

    @property
    def to_move(self) -> str:
        first, second = self.discs
        return "X" if first == second else "O"

    def landing_row(self, column: int) -> int | None:
        """The lowest empty cell of a column; a disc falls past the forbidden cell if there is room below it."""
        return next((row for row in range(self.rows) if self.board[column][row] == "-"), None)

    def landing_cell(self, column: int) -> int | None:
        row = self.landing_row(column)
        return None if row is None else self.cell(column, row)

    def lines(self) -> list[list[int]]:
        """Every line of four discs of one side, as cells."""
        found = []
        for column in range(self.columns):
            for row in range(self.rows):
                mark = self.board[column][row]
                if mark not in "XO":
                    continue
                for right, up in DIRECTIONS:
                    line = [(column + i * right, row + i * up) for i in range(4)]
                    if all(0 <= c < self.columns and 0 <= r < self.rows and self.board[c][r] == mark for c, r in line):
                        found.append([self.cell(c, r) for c, r in line])
        return found

    @property
    def winning_cells(self) -> list[int]:
        return sorted({cell for line in self.lines() for cell in line})

    def legal_moves(self) -> list[int]:
        if self.lines():
            return []
        return [column for column in range(self.columns) if self.landing_row(column) is not None]

    def play(self, column: int) -> ReferenceConnectFour:
        assert column in self.legal_moves()
        row = self.landing_row(column)
        assert row is not None
        board = [list(cells) for cells in self.board]
        board[column][row] = self.to_move
        return ReferenceConnectFour(board)

    @property
    def is_over(self) -> bool:
        return not self.legal_moves()

    @property
    def result(self) -> int | None:
        """1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on."""
        if not self.is_over:
            return None
        lines = self.lines()
        if not lines:
            return 0
        return 1 if self.cells[lines[0][0]] == "X" else -1

    def perft(self, depth: int) -> int:
        """Sequences of `depth` plies; a game that has ended has none that go on."""
        if depth == 0:
            return 1
        return sum(self.play(column).perft(depth - 1) for column in self.legal_moves())
