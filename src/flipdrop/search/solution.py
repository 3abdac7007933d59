"""`Solution`: what a solver or a book of exact scores has proven about a position.

In Othello the score is the final disc difference for the side to move, empty squares given to the winner. In Connect
Four it counts the winner's discs that are still in hand when it wins, the winning one included: on 7x6 a win with the
last of the 21 discs is 1, with the one before it 2; a loss is negative, a draw 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.notebook import html_lines

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.kernel import KernelSolution


@dataclass(frozen=True)
class SolvedMove:
    """Proven bounds of one move's score, for the side that plays it."""

    move: int
    lower: int
    upper: int

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.lower == self.upper


@dataclass(frozen=True, repr=False)
class Solution:
    """Proven bounds of a position's score, for the side to move.

    >>> from flipdrop import solve
    >>> solution = solve("4444", game="connect4")
    >>> solution.score, solution.outcome, solution.position.move_name(solution.best)
    (1, 1, '4')

    :param guess: the score if it is known, else the most likely one
    :param proven: whether everything requested is known
    :param best: a move that keeps the score, None if the game is over; a guess unless `proven`
    :param line: best play by both sides, as far as it was found
    :param moves: every move, best first, if requested
    :param from_book: whether it comes from the opening book
    """

    position: Position
    lower: int
    upper: int
    guess: int
    proven: bool
    best: int | None
    line: tuple[int, ...] = ()
    moves: tuple[SolvedMove, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    from_book: bool = False

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.lower == self.upper

    @property
    def score(self) -> int | None:
        """The score; None if it is not known."""
        return self.lower if self.exact else None

    @property
    def outcome(self) -> int | None:
        """1 if the side to move wins, -1 if it loses, 0 for a draw; None if that is not known."""
        if self.lower > 0 or self.upper < 0 or self.exact:
            return (self.lower > 0) - (self.upper < 0)
        return None

    @property
    def has_answer(self) -> bool:
        """Whether the score and a move that keeps it are known; the scores of other moves may be missing."""
        if not self.exact or self.proven:
            return self.exact
        return any(m.move == self.best and m.lower == self.lower for m in self.moves)

    @classmethod
    def from_kernel(cls, position: Position, solution: KernelSolution) -> Solution:
        return cls(
            position=position,
            lower=solution.lower,
            upper=solution.upper,
            guess=solution.guess,
            proven=solution.proven,
            best=None if solution.best < 0 else solution.best,
            line=tuple(solution.line),
            moves=tuple(SolvedMove(m.move, m.lower, m.upper) for m in solution.moves),
            nodes=solution.nodes,
            seconds=solution.seconds,
        )

    def to_json(self) -> dict[str, Any]:
        name = self.position.move_name
        return {
            "game": self.position.game.name,
            "position": self.position.board,
            "score": self.score,
            "lower": self.lower,
            "upper": self.upper,
            "outcome": self.outcome,
            "exact": self.exact,
            "proven": self.proven,
            "best": None if self.best is None else name(self.best),
            "line": [name(move) for move in self.line],
            "moves": [
                {"move": name(m.move), "score": m.lower if m.exact else None, "lower": m.lower, "upper": m.upper}
                for m in self.moves
            ],
            "nodes": self.nodes,
            "seconds": self.seconds,
            "book": self.from_book,
        }

    def describe(self, *, outcome_only: bool = False) -> str:
        """One line for each move, if they were solved, and one for the position.

        :param outcome_only: name the winner, not the score
        """
        position, name = self.position, self.position.move_name
        lines = [
            f"{name(m.move):>6} {_score_text(position, m.lower, m.upper, outcome_only=outcome_only)}"
            for m in self.moves
        ]
        parts = [_score_text(position, self.lower, self.upper, outcome_only=outcome_only)]
        if self.best is None:
            parts.append("the game is over")
        else:
            parts.append(("best " if self.proven else "perhaps ") + name(self.best))
        if self.line:
            parts.append("line " + " ".join(map(name, self.line)))
        parts.append("from the book" if self.from_book else f"{self.nodes:,} nodes in {self.seconds:.2f} s")
        lines.append("; ".join(parts))
        return "\n".join(lines)

    def __repr__(self) -> str:
        best = "" if self.best is None else f", best {self.position.move_name(self.best)}"
        return f"<Solution {_score_text(self.position, self.lower, self.upper, outcome_only=False)}{best}>"

    def __str__(self) -> str:
        return self.describe()

    def _repr_html_(self) -> str:
        name = self.position.move_name
        score = f"score {self.score:+}" if self.score is not None else f"score {self.lower:+} to {self.upper:+}"
        best = "" if self.best is None else f", best {name(self.best)}"
        cost = "from the opening book" if self.from_book else f"{self.nodes:,} nodes in {self.seconds:.2f} s"
        lines = [f"line: {' '.join(map(name, self.line))}", cost]
        return f"<div>{self.position.svg()}</div>" + html_lines(f"{score}{best}", lines)


def _score_text(position: Position, lower: int, upper: int, *, outcome_only: bool) -> str:
    if lower != upper and outcome_only and (lower > 0 or upper < 0):
        return "win" if lower > 0 else "loss"
    if lower != upper:
        return f"not proven: {lower:+} to {upper:+}"
    if outcome_only or lower == 0:
        return "win" if lower > 0 else "loss" if lower < 0 else "draw"
    word = "win" if lower > 0 else "loss"
    if position.game.score_unit == "discs":
        return f"{lower:+} ({word} by {abs(lower)})"
    return f"{lower:+} ({word})"
