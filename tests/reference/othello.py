"""Othello written out from its rules: slow, and short enough to be checked by reading. The oracle of the kernel.

A board is a list of rows from the top, each a list of ``X`` (moves first), ``O`` and ``-``. A move is a square's number
in reading order; the number after the last square is the pass.
"""

from __future__ import annotations

from dataclasses import dataclass

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


@dataclass
class ReferenceOthello:
    rows: list[list[str]]
    to_move: str

    @classmethod
    def start(cls, size: int) -> ReferenceOthello:
        rows = [["-"] * size for _ in range(size)]
        low, high = size // 2 - 1, size // 2
        rows[low][low] = rows[high][high] = "O"
        rows[low][high] = rows[high][low] = "X"
        return cls(rows, "X")

    @property
    def size(self) -> int:
        return len(self.rows)

    @property
    def pass_move(self) -> int:
        return self.size * self.size

    @property
    def opponent(self) -> str:
        return "O" if self.to_move == "X" else "X"

    @property
    def cells(self) -> str:
        return "".join("".join(row) for row in self.rows)

    @property
    def discs(self) -> tuple[int, int]:
        return self.cells.count("X"), self.cells.count("O")

    def flipped_by(self, move: int) -> list[int]:
        """The squares whose discs turn when the side to move places a disc."""
        if move == self.pass_move:
            return []
        row, column = divmod(move, self.size)
        if self.rows[row][column] != "-":
            return []
        flipped = []
        for down, right in DIRECTIONS:
            run = []
            r, c = row + down, column + right
            while 0 <= r < self.size and 0 <= c < self.size and self.rows[r][c] == self.opponent:
                run.append(r * self.size + c)
                r, c = r + down, c + right
            if 0 <= r < self.size and 0 <= c < self.size and self.rows[r][c] == self.to_move:
                flipped += run
        return sorted(flipped)

    def placements(self) -> list[int]:
        return [square for square in range(self.size * self.size) if self.flipped_by(square)]

    def legal_moves(self) -> list[int]:
        placements = self.placements()
        if placements:
            return placements
        return [self.pass_move] if ReferenceOthello(self.rows, self.opponent).placements() else []

    def play(self, move: int) -> ReferenceOthello:
        assert move in self.legal_moves()
        rows = [list(row) for row in self.rows]
        if move != self.pass_move:
            for square in [move, *self.flipped_by(move)]:
                rows[square // self.size][square % self.size] = self.to_move
        return ReferenceOthello(rows, self.opponent)

    @property
    def is_over(self) -> bool:
        return not self.legal_moves()

    @property
    def margin(self) -> int:
        """The first side's discs minus the second's; once the game is over, the winner gets the empty squares."""
        first, second = self.discs
        empty = self.cells.count("-")
        if self.is_over and first > second:
            first += empty
        if self.is_over and second > first:
            second += empty
        return first - second

    @property
    def result(self) -> int | None:
        """1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on."""
        if not self.is_over:
            return None
        first, second = self.discs
        return 1 if first > second else -1 if first < second else 0

    def perft(self, depth: int) -> int:
        """Sequences of `depth` plies. A pass is a ply; a game that has ended is one leaf however deep the count."""
        moves = self.legal_moves()
        if depth == 0 or not moves:
            return 1
        return sum(self.play(move).perft(depth - 1) for move in moves)
