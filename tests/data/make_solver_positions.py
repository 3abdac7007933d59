"""Writes solver_positions.json: endgames with their exact scores, found by a plain alpha-beta over the rules alone.

Run as ``python -m tests.data.make_solver_positions`` (about a minute). The search below uses no table, no move
ordering and no code of the solvers that are tested with it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop import Othello, game

if TYPE_CHECKING:
    from flipdrop import Position

FILE = Path(__file__).with_name("solver_positions.json")
SEED = 20261118
EMPTY = {"othello": (11, 12, 13), "othello6": (12, 13), "connect4": (16, 17, 18), "connect4:8x7": (16, 17)}
POSITIONS = 4  # of each game and number of empty cells


def final_score(position: Position) -> int:
    """Othello: the disc difference; Connect Four: one more than the winner's discs in hand; for the side to move."""
    sign = 1 if position.to_move == 0 else -1
    if isinstance(position, Othello):
        return sign * position.margin
    return sign * (position.result or 0) * (position.cells.count("-") // 2 + 1)


def alpha_beta(position: Position, alpha: int = -1000, beta: int = 1000) -> int:
    """The exact score of a position for the side to move, where it lies inside the window."""
    if position.is_over:
        return final_score(position)
    best = -1000
    for move in position.legal_moves:
        best = max(best, -alpha_beta(position.play(move), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def random_endgame(name: str, empty: int, source: random.Random) -> Position:
    """A position with `empty` empty cells where the game goes on, reached by random moves that end no game early."""
    while True:
        position: Position = game(name).start()
        while not position.is_over and position.cells.count("-") > empty:
            children = [position.play(move) for move in position.legal_moves]
            position = source.choice([child for child in children if not child.is_over] or children)
        if not position.is_over:
            return position


def main() -> None:
    """Writes the file."""
    source = random.Random(SEED)
    rows = []
    for name, sizes in EMPTY.items():
        for empty in sizes:
            for _ in range(POSITIONS):
                position = random_endgame(name, empty, source)
                row = {"game": name, "board": position.board, "score": alpha_beta(position)}
                rows.append(json.dumps(row))
                print(rows[-1], flush=True)
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
