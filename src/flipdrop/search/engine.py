"""`Engine`: the strongest search of both games: Othello on 8x8 and 6x6, Connect Four on every board.

In Othello it deepens ply by ply with ProbCut, which leaves out branches that a shallow search finds hopeless, and goes
to the end of the game as soon as it can: first selectively, at last exactly. Values are in discs. For Connect Four see
`connect_four_engine`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path  # noqa: TC003 - options read the types of fields
from typing import TYPE_CHECKING, Any, ClassVar, cast

from flipdrop.errors import SearchError
from flipdrop.kernel import ConnectFourEngine, EngineSettings, OthelloEngine, OthelloEvaluator
from flipdrop.options import option
from flipdrop.search.book import report_from_book
from flipdrop.search.connect_four_engine import (
    connect_four_report,
    connect_four_settings,
    make_connect_four_engine,
)
from flipdrop.search.report import MoveReport, SearchReport
from flipdrop.search.search import Search
from flipdrop.search.solver import DEFAULT_TABLE, check_table, engine_evaluator, read_evaluator
from flipdrop.search.values import encode_score
from flipdrop.search.win_probability import ENGINE_SCALE, WinProbabilityScale

if TYPE_CHECKING:
    from typing import Self

    from flipdrop.games import ConnectFour, Game, Othello, Position
    from flipdrop.kernel import ConnectFourAnalysis, EngineAnalysis
    from flipdrop.search.report import Progress

SELECTIVITIES = (73, 87, 95, 98, 99, 100)
"""Percent of the cuts of ProbCut that are right, by the kernel's number; 100 cuts nothing."""
DEFAULT_DEPTH = 10  # plies, without any limit
_DEFAULT_SELECTIVITY = 73
_SMALL_DEPTH, _SMALL_NODES, _SMALL_TABLE = 12, 50_000, 4  # plies, nodes and megabytes
_MAX_MOVES = 64


def solve_from(depth: int) -> int:
    """The number of empty squares from which a search to a depth solves the rest of the game instead."""
    return 2 * depth if depth <= 10 else min(60, 20 + (depth - 10) // 2)


@dataclass(frozen=True, kw_only=True)
class Engine(Search):
    """A search to a depth, or as deep as nodes or time allow.

    >>> from flipdrop import Othello
    >>> report = Engine(depth=8).search(Othello.from_transcript("f5d6c3"))
    >>> report.depth, len(report.moves), report.proven
    (8, 1, False)

    With a time limit the table is kept from search to search; without one, a search starts with an empty table, so that
    the same position always gets the same report.

    In Othello a search to a depth solves positions with few empty squares: up to twice the depth, from depth 10 on up
    to 20 and half of what goes beyond.

    In Connect Four forced replies do not count as plies. A search without a limit of depth looks into the book of exact
    scores (7x6), and tries proofs between two depths.
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("depth", "seconds", "nodes")
    WORK_LIMITS: ClassVar[tuple[str, ...]] = ("depth", "nodes")

    depth: int | None = option(None, "plies to look ahead", minimum=1, maximum=60)
    selectivity: int = option(
        _DEFAULT_SELECTIVITY, "least certainty of ProbCut in percent; 100 for none (Othello)", minimum=73, maximum=100
    )
    nodes: int | None = option(None, "node limit", minimum=1)
    seconds: float | None = option(None, "time limit in seconds", above=0)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)
    table: int = option(DEFAULT_TABLE, "megabytes for the transposition table", minimum=1, maximum=2**20)
    lines: int = option(1, "how many of the best moves get a value", minimum=1, maximum=64)
    model: Path | None = option(None, "file of the network; flipdrop's own by default (Othello)")
    proofs: bool = option(True, "try proofs, unless the depth is limited (Connect Four)")
    evaluator: OthelloEvaluator | None = field(default=None, repr=False, compare=False)
    """The network to use; by default that of `model`."""
    _engines: dict[str, OthelloEngine | ConnectFourEngine] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def search(self, position: Position, *, progress: Progress | None = None) -> SearchReport:
        """Searches a position that is not over. `progress` receives the report of each finished depth."""
        self.check_not_over(position)
        self.check_supported(position.game)
        if position.game.family == "connect4":
            return self._search_connect_four(position, progress)
        watch = None if progress is None else lambda found: progress(_report(position, found)) if found.moves else None
        engine = cast("OthelloEngine", self._engine(position.game))
        if self.seconds is None:
            engine.clear()
        return _report(position, engine.analyse(cast("Othello", position), self.kernel_settings(), watch))

    def _search_connect_four(self, position: Position, progress: Progress | None) -> SearchReport:
        depth = self.depth or (0 if self.is_limited else DEFAULT_DEPTH)
        proofs = self.proofs and not depth
        if proofs and (known := report_from_book(position, all_moves=self.lines > 1)) is not None:
            return known
        engine = cast("ConnectFourEngine", self._engine(position.game))
        if self.seconds is None:
            engine.clear()
        settings = connect_four_settings(
            position,
            depth=depth,
            nodes=self.nodes,
            seconds=self.seconds,
            threads=self.threads,
            all_moves=self.lines > 1,
            proofs=proofs,
        )

        def report(found: ConnectFourAnalysis) -> SearchReport:
            return connect_four_report(position, found, all_moves=self.lines > 1)

        watch = None if progress is None else lambda found: progress(report(found)) if found.depth else None
        return report(engine.analyse(cast("ConnectFour", position), settings, watch))

    def with_all_moves(self) -> Self:
        """The same search with a value for every move."""
        return self.with_options(lines=_MAX_MOVES)

    def continued(self, **changes: Any) -> Self:
        following = self.with_options(**changes)
        object.__setattr__(following, "_engines", self._engines)
        return following

    def kernel_settings(self) -> EngineSettings:
        settings = EngineSettings()
        depth = self.depth or (0 if self.is_limited else DEFAULT_DEPTH)
        settings.limits.depth = depth
        settings.limits.nodes = self.nodes or 0
        settings.limits.seconds = self.seconds or 0.0
        settings.selectivity = bisect_left(SELECTIVITIES, self.selectivity)
        settings.solve_from = solve_from(depth)
        settings.threads = self.threads
        settings.lines = self.lines
        return settings

    def value_scale(self, game: Game) -> WinProbabilityScale:
        return ENGINE_SCALE if game.family == "othello" else WinProbabilityScale()

    def check_supported(self, game: Game) -> None:
        """Raises FlipdropError unless the engine plays on this board, with these options."""
        if game.family != "connect4":
            self._evaluator(game)
        elif self.model is not None or self.selectivity != _DEFAULT_SELECTIVITY:
            name = "selectivity" if self.model is None else "model"
            raise SearchError(f"{name} belongs to Othello and does not apply to Connect Four")

    def _evaluator(self, game: Game) -> OthelloEvaluator:
        found = self.evaluator or (engine_evaluator(game) if self.model is None else model_evaluator(self.model, game))
        if found is None:
            raise SearchError(f"the engine plays Othello on 8x8 and 6x6, and Connect Four, not {game.title}")
        return found

    def _engine(self, game: Game) -> OthelloEngine | ConnectFourEngine:
        if game.name not in self._engines:
            check_table(self.table)
            # Clearing a large table takes longer than a search of few plies or nodes.
            small = (self.depth or 99) <= _SMALL_DEPTH or (self.nodes or _SMALL_NODES + 1) <= _SMALL_NODES
            megabytes = min(self.table, _SMALL_TABLE) if small else self.table
            made = (
                make_connect_four_engine(megabytes)
                if game.family == "connect4"
                else OthelloEngine(megabytes, self._evaluator(game))
            )
            self._engines.clear()
            self._engines[game.name] = made
        return self._engines[game.name]


@lru_cache(maxsize=8)
def model_evaluator(file: Path, game: Game) -> OthelloEvaluator:
    """The network in a file, for a board."""
    try:
        return read_evaluator(file, game)
    except OSError as error:
        raise SearchError(f"model={file}: {error.strerror}") from None


def _report(position: Position, found: EngineAnalysis) -> SearchReport:
    def number(value: int) -> float:
        return encode_score(position, value) if found.exact else float(value)

    best = found.moves[0]
    return SearchReport(
        position=position,
        best=best.move,
        value=number(best.value),
        line=tuple(best.line),
        moves=tuple(MoveReport(entry.move, number(entry.value), 0, line=tuple(entry.line)) for entry in found.moves),
        nodes=found.nodes,
        depth=found.depth,
        seconds=found.seconds,
        proven=found.exact,
        solved=found.exact,
        selectivity=SELECTIVITIES[found.selectivity],
    )
