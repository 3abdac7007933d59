"""What a search has to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.kernel import KernelReport

    Progress = Callable[["SearchReport"], object]


WIN = 1_000_000
"""What minimax gives for a finished game that is won, besides its margin."""


@dataclass(frozen=True)
class MoveReport:
    """One root move.

    :param move: its number
    :param value: what it is worth to the side to move
    :param visits: simulations, or nodes, that were spent on it
    :param exact: False if the value is only an upper bound, which was enough to discard the move
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

    def to_json(self) -> dict[str, Any]:
        """Everything, with moves by name, as JSON can hold it."""
        name = self.position.move_name
        moves = [
            {"move": name(m.move), "value": m.value, "visits": m.visits, "depth": self.depth, "exact": m.exact}
            for m in self.moves
        ]
        return {
            "game": self.position.game.name,
            "board": self.position.board,
            "best": name(self.best),
            "value": self.value,
            "line": [name(move) for move in self.line],
            "moves": moves,
            "nodes": self.nodes,
            "depth": self.depth,
            "seconds": self.seconds,
            "seed": self.seed,
            "proven": self.proven,
            "note": self.note,
        }

    def __str__(self) -> str:
        name = self.position.move_name
        lines = [f"{'move':>6} {'value':>12} {'visits':>12}"]
        for m in self.moves:
            value = f"{'' if m.exact else '<= '}{m.value:.3f}"
            lines.append(f"{name(m.move):>6} {value:>12} {m.visits:>12,}")
        state = "proven" if self.proven else f"depth {self.depth}"
        rate = f", {self.nodes / self.seconds:,.0f}/s" if self.seconds > 0 else ""
        lines.append(f"line: {' '.join(map(name, self.line))}")
        lines.append(
            f"{state}, {self.nodes:,} nodes in {self.seconds:.2f} s{rate}" + (f"; {self.note}" if self.note else "")
        )
        return "\n".join(lines)
