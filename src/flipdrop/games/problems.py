"""Problems: positions of Othello with the score of some or all of their moves, one per line, as in OBF files::

    -XO--XO--XO----- X; D1:+14; D4:-2; D3:-8; D2:-12; % after a mistake

That is the board with the side to move, then moves with the final disc difference for that side, then a comment. Lines
that are empty or hold only a comment (``%`` or ``#``) are skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.errors import IllegalMove, NotationError, quoted
from flipdrop.games.othello import Othello
from flipdrop.games.records.parsing import decode_text, error_location, short_number

if TYPE_CHECKING:
    import os

_SCORE = re.compile(r"\s*([A-Za-z0-9-]{1,4})\s*:\s*([+-]?[0-9]{1,9})\s*")


@dataclass(frozen=True)
class Problem:
    """A position and the scores of its moves.

    :param position: the position
    :param scores: for each of some legal moves, the final disc difference for the side to move
    :param comment: anything, on one line
    """

    position: Othello
    scores: dict[int, int] = field(default_factory=dict)
    comment: str = ""

    def __post_init__(self) -> None:
        squares = self.position.size**2
        for move, score in self.scores.items():
            if move not in self.position.legal_moves:
                legal = " ".join(map(self.position.move_name, self.position.legal_moves)) or "none"
                raise IllegalMove(f"{_name(self.position, move)} in {self.position.board}; legal: {legal}")
            if abs(score) > squares:
                name = _name(self.position, move)
                raise NotationError(
                    f"{name}:{short_number(score)}; a score is a disc difference, -{squares} to +{squares}"
                )

    @property
    def score(self) -> int | None:
        """The score of the best moves; None if no move has one."""
        return max(self.scores.values(), default=None)

    @property
    def best(self) -> tuple[int, ...]:
        return tuple(move for move, score in self.scores.items() if score == self.score)


def read_problem(line: str) -> Problem:
    """The problem on one line.

    >>> problem = read_problem("-XO--XO--XO----- X; D1:+14; D4:-2; D3:-8; D2:-12; % after a mistake")
    >>> problem.score, problem.best
    (14, (3,))
    """
    content, _, comment = line.partition("%")
    board, *entries = content.split(";")
    position = Othello(board)
    scores: dict[int, int] = {}
    for number, entry in enumerate(entries, 1):
        if not entry.strip():
            continue
        with error_location(f"entry {number}, {quoted(entry.strip(), 24)}"):
            move, score = _entry(position, entry)
            if move in scores:
                raise NotationError("the move has a score already")
        scores[move] = score
    return Problem(position, scores, comment.strip())


def write_problem(problem: Problem) -> str:
    """The problem as one line, without a line end."""
    if len(problem.comment.splitlines()) > 1 or problem.comment != problem.comment.strip():
        raise NotationError(f"comment {quoted(problem.comment)}; it is one line without spaces around it")
    position = problem.position
    entries = [f"{position.move_name(move).upper()}:{score:+d};" for move, score in problem.scores.items()]
    comment = [f"% {problem.comment}"] if problem.comment else []
    return " ".join([f"{position.board};", *entries, *comment])


def read_problems(path: str | os.PathLike[str]) -> list[Problem]:
    problems = []
    with error_location(str(path)):
        for number, line in enumerate(decode_text(Path(path).read_bytes()).splitlines(), 1):
            if line.strip() and not line.lstrip().startswith(("%", "#")):
                with error_location(f"line {number}"):
                    problems.append(read_problem(line))
    return problems


def _entry(position: Othello, entry: str) -> tuple[int, int]:
    match = _SCORE.fullmatch(entry)
    if match is None:
        raise NotationError("a move's score is written G8:+18")
    return position.parse_move(match[1]), int(match[2])


def _name(position: Othello, move: int) -> str:
    return position.move_name(move) if 0 <= move < position.move_space else f"move {short_number(move)}"
