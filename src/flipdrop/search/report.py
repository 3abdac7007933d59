"""What a search has to say, and which of it is certain.

Values are the searcher's own numbers, except where the end of the game was seen: minimax gives `WIN` and the margin for
that, which nobody outside wants to read. A `Verdict` says the same as `Solution` does: who wins, and by how much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.games import ConnectFour

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.kernel import KernelReport

    Progress = Callable[["SearchReport"], object]


WIN = 1_000_000
"""What minimax gives for a finished game that is won, besides its margin."""


def is_decided(value: float) -> bool:
    """Whether a value says that the end of the game was seen, and that it is no draw."""
    return abs(value) > WIN / 2


def margin(position: Position, score: int) -> int:
    """How good a win is on the scale of minimax: discs in Othello, one more than stay empty cells in Connect Four."""
    if not isinstance(position, ConnectFour):
        return abs(score)
    left = position.cells.count("-")
    last_mover_is_to_move = score > 0
    empty = 2 * (abs(score) - 1)
    return empty + 1 + (left - empty - last_mover_is_to_move) % 2


def score_of(position: Position, value: float) -> int:
    """The score, as `Solution` has it, of a value for which `is_decided` holds: the way back from `margin`."""
    size = round(abs(value) - WIN)
    if isinstance(position, ConnectFour):
        size = (size - 1) // 2 + 1  # every other of the cells that stay empty is the winner's
    return round(math.copysign(size, value))


def plies_to_end(position: ConnectFour, value: float) -> int:
    """How many moves, of both sides, a game of Connect Four takes to the end that a decided value has seen."""
    return position.cells.count("-") - (round(abs(value) - WIN) - 1)


@dataclass(frozen=True)
class Verdict:
    """What is certain when both sides play their best, for the side to move.

    :param outcome: 1 if it wins, -1 if it loses, 0 for a draw; None if that is not known
    :param score: as `Solution` has it, the final disc difference in Othello, the winner's discs in hand in Connect
        Four; None if it is not known
    """

    outcome: int | None = None
    score: int | None = None

    @property
    def proven(self) -> bool:
        """Whether it is known who wins."""
        return self.outcome is not None

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.score is not None

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return {"outcome": self.outcome, "score": self.score, "proven": self.proven, "exact": self.exact}


@dataclass(frozen=True)
class MoveReport:
    """One root move.

    :param move: its number
    :param value: what it is worth to the side to move
    :param visits: simulations, or nodes, that were spent on it
    :param exact: False if the value is only an upper bound, which was enough to discard the move. It does not say that
        the value is certain: see `SearchReport.verdict_of`.
    """

    move: int
    value: float
    visits: int
    exact: bool = True


@dataclass(frozen=True)
class SearchReport:
    """What a search has found out about a position.

    :param best: the move it would play
    :param value: what that is worth to the side to move, on the searcher's own scale
    :param line: the moves that both sides are expected to play, beginning with `best`
    :param moves: every root move, best first
    :param nodes: positions visited, or simulations made
    :param depth: plies searched, or the length of the line
    :param seed: where its random choices came from, if it made any
    :param proven: whether the value is the game's result when both sides play their best
    :param note: how the move was found, if not by searching
    :param solved: whether a solver, or a book, found the values: they are certain, except those that are bounds
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

    @classmethod
    def from_kernel(cls, position: Position, report: KernelReport, *, seed: int | None = None) -> SearchReport:
        """The kernel's report on a search of `position`."""
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
        )

    @classmethod
    def watcher(
        cls, position: Position, progress: Progress | None, *, seed: int | None = None
    ) -> Callable[[KernelReport], object] | None:
        """What the kernel calls with its reports so that `progress` sees them as reports on `position`."""
        if progress is None:
            return None
        return lambda report: progress(cls.from_kernel(position, report, seed=seed))

    @property
    def verdict(self) -> Verdict:
        """What is certain of the position.

        A win or a loss that a search has seen is certain. In Connect Four, where a sooner win is a better one, it is
        also certain when it comes; in Othello a deeper look may find a greater margin. A tree search knows no margins.
        """
        if is_decided(self.value):
            exact = self.proven or isinstance(self.position, ConnectFour)
            return Verdict(_sign(self.value), score_of(self.position, self.value) if exact else None)
        if not self.proven:
            return Verdict()
        outcome = _sign(self.value) if abs(self.value) >= 1 else 0  # a tree search decides what a draw is worth
        return Verdict(outcome, None if outcome else 0)

    def verdict_of(self, entry: MoveReport) -> Verdict:
        """What is certain of a root move, for the side that makes it."""
        whole = self.verdict
        if entry.move == self.best:
            return whole
        if is_decided(entry.value) and (entry.exact or entry.value < 0):
            certain = entry.exact and (self.proven or isinstance(self.position, ConnectFour))
            return Verdict(_sign(entry.value), score_of(self.position, entry.value) if certain else None)
        if whole.outcome == -1:
            return Verdict(-1)  # every move loses if the best does
        # Who has found a win need not have looked at the other moves to the end, unless it was a solver.
        if entry.value == 0 and entry.exact and self.proven and (self.solved or whole.outcome == 0):
            return Verdict(0, 0)
        return Verdict()

    def words_for(self, entry: MoveReport) -> str:
        """What is certain of a root move, for people: ``win in 41 plies``; nothing if it is not certain."""
        verdict = self.verdict_of(entry)
        if verdict.outcome is None:
            return ""
        if not is_decided(entry.value) or not entry.exact:
            return ("loss", "draw, proven", "win")[verdict.outcome + 1]
        if isinstance(self.position, ConnectFour):
            return ending_words(self.position, entry.value)
        if verdict.score is None:
            return f"{ending_words(self.position, entry.value)} or more"
        return f"{verdict.score:+} discs, proven"

    def to_json(self) -> dict[str, Any]:
        """Everything, with moves by name, as JSON can hold it.

        ``outcome``, ``score``, ``exact`` and ``proven`` are those of a `Solution`. ``value`` is the score where the end
        of the game was seen, and else the searcher's own number; with ``bound`` it is not more than that.
        """
        name = self.position.move_name
        moves = [
            {
                "move": name(m.move),
                "value": self._shown(m.value),
                "bound": not m.exact,
                **self.verdict_of(m).to_json(),
                "visits": m.visits,
                "depth": self.depth,
            }
            for m in self.moves
        ]
        return {
            "game": self.position.game.name,
            "board": self.position.board,
            "best": name(self.best),
            "value": self._shown(self.value),
            **self.verdict.to_json(),
            "line": [name(move) for move in self.line],
            "moves": moves,
            "nodes": self.nodes,
            "depth": self.depth,
            "seconds": self.seconds,
            "seed": self.seed,
            "note": self.note,
        }

    def _shown(self, value: float) -> float:
        return score_of(self.position, value) if is_decided(value) else value

    def __str__(self) -> str:
        name = self.position.move_name
        lines = [f"{'move':>6} {'value':>18} {'visits':>12}"]
        for m in self.moves:
            value = self.words_for(m) or f"{'' if m.exact else '<= '}{self._shown(m.value):.3f}"
            lines.append(f"{name(m.move):>6} {value:>18} {m.visits:>12,}")
        state = "proven" if self.proven else f"depth {self.depth}"
        rate = f", {self.nodes / self.seconds:,.0f}/s" if self.seconds > 0 else ""
        lines.append(f"line: {' '.join(map(name, self.line))}")
        lines.append(
            f"{state}, {self.nodes:,} nodes in {self.seconds:.2f} s{rate}" + (f"; {self.note}" if self.note else "")
        )
        return "\n".join(lines)


def ending_words(position: Position, value: float) -> str:
    """What a decided value has seen: ``win by 12`` in Othello, ``loss in 8 plies`` in Connect Four."""
    word = "win" if value > 0 else "loss"
    if isinstance(position, ConnectFour):
        plies = plies_to_end(position, value)
        return f"{word} in {plies} {'ply' if plies == 1 else 'plies'}"
    return f"{word} by {abs(score_of(position, value))}"


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
