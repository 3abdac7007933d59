"""The report of a search: the best move, every root move, the line, and which of their values are proven."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.notebook import html_table
from flipdrop.search.values import Value, decode_score, encode_score, is_decided

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.kernel import KernelReport
    from flipdrop.search.solution import Solution

    Progress = Callable[["SearchReport"], object]

FROM_BOOK = "from the opening book"
"""The note of a report whose values an opening book has."""
_LONGEST_LINE = 20  # moves that the text shows


@dataclass(frozen=True)
class MoveReport:
    """One root move.

    :param move: its number
    :param value: its number, for the side to move; `SearchReport.value_of` says what it means
    :param visits: simulations or nodes spent on it
    :param exact: False if the number is only an upper bound, which was enough to discard the move
    :param line: its principal variation, beginning with it; empty if the search has none
    """

    move: int
    value: float
    visits: int
    exact: bool = True
    line: tuple[int, ...] = ()


@dataclass(frozen=True, repr=False)
class SearchReport:
    """The result of a search of one position.

    >>> from flipdrop import analyse
    >>> report = analyse("f5", depth=6)
    >>> name = report.position.move_name
    >>> sorted((name(entry.move), report.value_of(entry).discs) for entry in report.moves)
    [('d6', True), ('f4', True), ('f6', True)]

    :param best: the move to play
    :param value: its number, for the side to move; `position_value` says what it means
    :param line: the principal variation, beginning with `best`
    :param moves: every root move, best first
    :param nodes: positions visited, or simulations
    :param depth: plies searched, or the length of the line
    :param seed: of its random choices, if it made any
    :param proven: whether the value is the game's result under best play
    :param note: how the move was found, if not by searching
    :param solved: whether a solver or the opening book found the values: all are proven, except bounds
    :param selectivity: percent of ProbCut's cuts that are right, for a search that uses it; 100 for none
    :param expected_score: whether numbers that are not proven are expected scores from -1 to 1
    """

    position: Position
    best: int
    value: float
    line: tuple[int, ...]
    moves: tuple[MoveReport, ...]
    nodes: int
    depth: int
    seconds: float
    seed: int | None = None
    proven: bool = False
    note: str = ""
    solved: bool = False
    selectivity: int | None = None
    expected_score: bool = False

    @classmethod
    def from_kernel(
        cls, position: Position, report: KernelReport, *, seed: int | None = None, expected_score: bool = False
    ) -> SearchReport:
        return cls(
            position=position,
            best=report.best,
            value=report.value,
            line=tuple(report.line),
            moves=tuple(MoveReport(m.move, m.value, m.visits, m.exact) for m in report.moves),
            nodes=report.nodes,
            depth=report.depth,
            seconds=report.seconds,
            seed=seed,
            proven=report.proven,
            expected_score=expected_score,
        )

    @classmethod
    def from_solution(cls, solution: Solution, *, draw: float | None = None) -> SearchReport:
        """A solution that `has_answer`, as minimax would report it; moves without a score become bounds.

        :param draw: if given, values are those of a tree search: 1, `draw` and -1, without margins
        """
        position = solution.position

        def number(score: int) -> float:
            if draw is None:
                return encode_score(position, score)
            return draw if score == 0 else math.copysign(1.0, score)

        moves = tuple(
            MoveReport(m.move, number(min(m.upper, solution.upper)), 0, exact=m.exact or m.move == solution.best)
            for m in solution.moves
        )
        best = position.legal_moves[0] if solution.best is None else solution.best
        line = solution.line or (best,)
        return cls(
            position=position,
            best=best,
            value=number(solution.lower),
            line=line,
            moves=moves or (MoveReport(best, number(solution.lower), solution.nodes),),
            nodes=solution.nodes,
            depth=len(line),
            seconds=solution.seconds,
            proven=True,
            note=FROM_BOOK if solution.from_book else "solved",
            solved=True,
            expected_score=True,
        )

    @property
    def position_value(self) -> Value:
        """The value of the position.

        A win or a loss that a search has seen is proven. In Connect Four, where a sooner win is better, its distance is
        proven too; in Othello a deeper search may find a larger margin. A tree search knows no margins.
        """
        if is_decided(self.value):
            return self._decided(self.value, exact=self.proven)
        if not self.proven:
            return self._value(self.value)
        outcome = _sign(self.value) if abs(self.value) >= 1 else 0  # a tree search has a value of its own for draws
        return self._value(self.value, outcome, None if outcome else 0)

    def value_of(self, entry: MoveReport) -> Value:
        """The value of a root move, for the side that plays it."""
        whole = self.position_value
        if entry.move == self.best:
            return whole
        bound = not entry.exact
        if is_decided(entry.value) and (entry.exact or entry.value < 0):
            return self._decided(entry.value, exact=self.proven, bound=bound)
        if whole.outcome == -1:  # every move loses if the best does
            return self._value(entry.value, -1, bound=bound)
        # A search that has found a win need not have searched the other moves to the end; a solver has.
        if entry.value == 0 and entry.exact and self.proven and (self.solved or whole.outcome == 0):
            return self._value(0.0, 0, 0)
        return self._value(entry.value, bound=bound)

    def _decided(self, number: float, *, exact: bool, bound: bool = False) -> Value:
        exact = not bound and (exact or self.position.game.score_unit == "plies")
        score = decode_score(self.position, number) if exact else None
        return self._value(number, _sign(number), score, bound=bound)

    def _value(
        self, number: float, outcome: int | None = None, score: int | None = None, *, bound: bool = False
    ) -> Value:
        discs = self.selectivity is not None  # the engine's values are
        return Value(self.position, number, outcome, score, bound, self.expected_score, discs)

    def describe_depth(self) -> str:
        """Such as ``depth 18 at 87%``, or ``to the end at 95%``."""
        at = "" if self.selectivity in (None, 100) else f" at {self.selectivity}%"
        to_end = self.selectivity is not None and self.depth == self.position.empties
        return ("to the end" if to_end else f"depth {self.depth}") + at

    def to_json(self) -> dict[str, Any]:
        """Everything, with moves by name.

        ``outcome``, ``score``, ``exact`` and ``proven`` are those of a `Solution`. ``value`` is the score where the
        search has seen the end of the game, else its own number; with ``bound`` the value is at most that.
        """
        name = self.position.move_name
        value = self.position_value.to_json()
        del value["bound"]
        return {
            "game": self.position.game.name,
            "board": self.position.board,
            "best": name(self.best),
            **value,
            "line": [name(move) for move in self.line],
            "moves": [
                {"move": name(m.move), **self.value_of(m).to_json(), "visits": m.visits, "depth": self.depth}
                for m in self.moves
            ],
            "nodes": self.nodes,
            "depth": self.depth,
            "selectivity": self.selectivity,
            "seconds": self.seconds,
            "seed": self.seed,
            "note": self.note,
        }

    def _repr_html_(self) -> str:
        """The board with the value of each move, and the moves in a table."""
        name = self.position.move_name
        shown = {m.move: self.value_of(m).format() for m in self.moves if self.position.cell_of(m.move) is not None}
        columns = 3 if self._has_visits else 2
        heads = ("move", "value", "visits")[:columns]
        rows = [(name(m.move), self.value_of(m).format(), f"{m.visits:,}")[:columns] for m in self.moves]
        table = html_table(heads, rows, notes=str(self).splitlines()[-2:])
        short = {
            move: text.removesuffix(", proven").removesuffix(" discs").removesuffix(" disc")
            for move, text in shown.items()
        }
        return f"<div>{self.position.svg(scores=short)}</div>{table}"

    def __repr__(self) -> str:
        return f"<SearchReport {self.position.move_name(self.best)} {self.position_value.format()}; {self._cost}>"

    def __str__(self) -> str:
        """A heading, a row for each move, the principal variation, and the cost of the search."""
        name = self.position.move_name
        lines = [f"{'move':>6} {'value':>18}{'         visits' if self._has_visits else ''}"]
        for m in self.moves:
            visits = f" {m.visits:>14,}" if self._has_visits else ""
            lines.append(f"{name(m.move):>6} {self.value_of(m).format():>18}{visits}")
        shown = [name(move) for move in self.line[:_LONGEST_LINE]]
        lines.append(f"line: {' '.join(shown)}{' ...' if len(self.line) > _LONGEST_LINE else ''}")
        return "\n".join([*lines, self._cost])

    @property
    def _has_visits(self) -> bool:
        return any(m.visits for m in self.moves)  # solvers do not count them

    @property
    def _cost(self) -> str:
        """How the values were found, and at what cost."""
        details = ["proven"] if self.proven else []
        details += [self.note] if self.note else []
        details += [] if self.solved else [self.describe_depth()]
        details += [f"{self.nodes:,} nodes in {self.seconds:.2f} s"] if self.nodes else []
        details += [] if self.seed is None else [f"seed {self.seed}"]
        return "; ".join(details)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
