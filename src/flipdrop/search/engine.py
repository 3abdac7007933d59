"""`Engine`: the strongest search of Othello, for 8x8 and 6x6.

It deepens ply by ply with ProbCut, which leaves out branches that a shallow search finds hopeless, and goes to the end
of the game as soon as it can: first selectively, at last exactly. Values are in discs.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, cast

from flipdrop.errors import SearchError
from flipdrop.kernel import EngineSettings, OthelloEngine
from flipdrop.options import option
from flipdrop.search.report import MoveReport, SearchReport
from flipdrop.search.search import Search
from flipdrop.search.solver import DEFAULT_TABLE, check_table, engine_evaluator
from flipdrop.search.values import number_of

if TYPE_CHECKING:
    from flipdrop.games import Game, Othello, Position
    from flipdrop.kernel import EngineAnalysis
    from flipdrop.search.report import Progress

SELECTIVITIES = (73, 87, 95, 98, 99, 100)
"""Percent of the cuts of ProbCut that are right, by the kernel's number; 100 cuts nothing."""
DEFAULT_DEPTH = 10  # plies, without any limit
_SMALL_DEPTH, _SMALL_TABLE = 12, 4  # plies and megabytes
_MOST_MOVES = 64


def solved_from(depth: int) -> int:
    """With how many empty squares a search to a depth goes to the end of the game instead."""
    return 2 * depth if depth <= 10 else min(60, 20 + (depth - 10) // 2)


@dataclass(frozen=True, kw_only=True)
class Engine(Search):
    """A search of Othello to a depth, or as deep as nodes or time allow.

    A search to a depth solves positions with few empty squares: up to twice the depth, from depth 10 on up to 20 and
    half of what goes beyond. With a time limit the table is kept from search to search; without one, a search starts
    with an empty table, so that the same position always gets the same report.
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("depth", "seconds", "nodes")

    depth: int | None = option(None, "plies to look ahead", minimum=1, maximum=60)
    selectivity: int = option(73, "least certainty of ProbCut in percent; 100 for none", minimum=73, maximum=100)
    nodes: int | None = option(None, "node limit", minimum=1)
    seconds: float | None = option(None, "time limit in seconds", above=0)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)
    table: int = option(DEFAULT_TABLE, "megabytes for the transposition table", minimum=1, maximum=2**20)
    lines: int = option(1, "how many of the best moves get a value", minimum=1, maximum=64)
    _engines: dict[str, OthelloEngine] = field(default_factory=dict, init=False, repr=False, compare=False)

    def search(self, position: Position, *, progress: Progress | None = None) -> SearchReport:
        """Searches a position that is not over. `progress` receives the report of each finished depth."""
        self.check_not_over(position)
        self.check_supported(position.game)
        watch = None if progress is None else lambda found: progress(_report(position, found)) if found.moves else None
        engine = self._engine(position.game)
        if self.seconds is None:
            engine.clear()
        return _report(position, engine.analyse(cast("Othello", position), self.kernel_settings(), watch))

    def with_all_moves(self) -> Engine:
        """The same search with a value for every move."""
        return self.with_options(lines=_MOST_MOVES)

    def kernel_settings(self) -> EngineSettings:
        settings = EngineSettings()
        depth = self.depth or (0 if self.is_limited else DEFAULT_DEPTH)
        settings.limits.depth = depth
        settings.limits.nodes = self.nodes or 0
        settings.limits.seconds = self.seconds or 0.0
        settings.selectivity = bisect_left(SELECTIVITIES, self.selectivity)
        settings.solve_from = solved_from(depth)
        settings.threads = self.threads
        settings.lines = self.lines
        return settings

    def check_supported(self, game: Game) -> None:
        """Raises FlipdropError unless there is a network for this board."""
        if engine_evaluator(game) is None:
            raise SearchError(f"the engine plays Othello on 8x8 and 6x6, not {game.title}")

    def _engine(self, game: Game) -> OthelloEngine:
        if game.name not in self._engines:
            evaluator = engine_evaluator(game)
            assert evaluator is not None
            check_table(self.table)
            # Clearing a large table takes longer than a search of few plies.
            small = self.depth is not None and self.depth <= _SMALL_DEPTH
            self._engines.clear()
            self._engines[game.name] = OthelloEngine(min(self.table, _SMALL_TABLE) if small else self.table, evaluator)
        return self._engines[game.name]


def _report(position: Position, found: EngineAnalysis) -> SearchReport:
    def number(value: int) -> float:
        return number_of(position, value) if found.exact else float(value)

    best = found.moves[0]
    return SearchReport(
        position=position,
        best=best.move,
        value=number(best.value),
        line=tuple(best.line),
        moves=tuple(MoveReport(entry.move, number(entry.value), 0) for entry in found.moves),
        nodes=found.nodes,
        depth=found.depth,
        seconds=found.seconds,
        proven=found.exact,
        solved=found.exact,
        selectivity=SELECTIVITIES[found.selectivity],
    )
