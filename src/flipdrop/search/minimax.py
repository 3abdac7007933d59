"""The minimax family: plain minimax, alpha-beta, and iterative deepening with a transposition table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from flipdrop.errors import SearchError
from flipdrop.evaluation import default_evaluation
from flipdrop.kernel import Algorithm, MinimaxSettings, Perspective, SearchLimits, minimax_search
from flipdrop.options import option
from flipdrop.search.search import EvaluationField, Search
from flipdrop.search.win_probability import scale_of

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.search.report import Progress, SearchReport
    from flipdrop.search.win_probability import WinProbabilityScale

ALGORITHMS = {
    "minimax": Algorithm.MINIMAX,
    "alphabeta": Algorithm.ALPHABETA,
    "iterative": Algorithm.ITERATIVE,
}
PERSPECTIVES = {"mover": Perspective.SIDE_TO_MOVE, "searcher": Perspective.SEARCHER}
MAX_DEPTH = 200
DEFAULT_DEPTH = 6  # plies, without any limit


@dataclass(frozen=True, kw_only=True)
class Minimax(Search):
    """A search to a depth, or as deep as nodes or time allow.

    >>> from flipdrop import Othello
    >>> report = Minimax(depth=4, evaluation="Seven").search(Othello())
    >>> report.depth, len(report.moves)
    (4, 4)
    >>> Minimax(depth=2, evaluation=lambda position: len(position.legal_moves)).search(Othello()).depth
    2

    All three algorithms find the same value at the same depth. ``minimax`` visits every node, ``alphabeta`` prunes,
    ``iterative`` deepens ply by ply with a transposition table, move ordering and aspiration windows. A finished game
    has the value `WIN` plus its margin, which exceeds any evaluation.

    An evaluation scores a leaf for the side to move there, and the value is negated for the opponent. With
    `perspective` ``searcher`` it scores every leaf for the side to move at the root, as if that side were to move: an
    evaluation that counts the moves of one side only, such as D, then always counts the searcher's.
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("depth", "seconds", "nodes")
    WORK_LIMITS: ClassVar[tuple[str, ...]] = ("depth", "nodes")

    algorithm: str = option("iterative", "which of the three", choices=ALGORITHMS)
    evaluation: EvaluationField = option(None, "value of leaves; D for Othello, lines for Connect Four")
    perspective: str = option("mover", "the side that the evaluation scores leaves for", choices=PERSPECTIVES)
    depth: int | None = option(None, "plies to look ahead", minimum=1, maximum=MAX_DEPTH)
    nodes: int | None = option(None, "node limit", minimum=1)
    seconds: float | None = option(None, "time limit in seconds", above=0)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)
    table: int = option(64, "megabytes for the transposition table", minimum=1, maximum=65536)
    all_moves: bool = option(False, "exact value of every move, not only of the best")

    def search(self, position: Position, *, progress: Progress | None = None) -> SearchReport:
        """Searches a position that is not over. `progress` receives the report of each finished depth."""
        self.check_not_over(position)
        check_perspective(self.perspective, position.game)
        evaluation = self.evaluation or default_evaluation(position.game)
        return self.run_kernel(
            minimax_search,
            position,
            evaluation.kernel,
            self.kernel_settings(),
            progress=progress,
            expected_score=evaluation.networks is not None,
        )

    def kernel_settings(self) -> MinimaxSettings:
        limits = SearchLimits()
        limits.depth = self.depth or (0 if self.is_limited else DEFAULT_DEPTH)
        limits.nodes = self.nodes or 0
        limits.seconds = self.seconds or 0.0
        settings = MinimaxSettings()
        settings.algorithm = ALGORITHMS[self.algorithm]
        settings.limits = limits
        settings.threads = self.threads
        settings.all_moves = self.all_moves
        settings.table_megabytes = self.table
        settings.perspective = PERSPECTIVES[self.perspective]
        return settings

    def value_scale(self, game: Game) -> WinProbabilityScale:
        return scale_of(self.evaluation or default_evaluation(game))

    def check_supported(self, game: Game) -> None:
        """Raises FlipdropError unless the evaluation and its perspective are for this game."""
        check_perspective(self.perspective, game)
        (self.evaluation or default_evaluation(game)).check_supported(game)


def check_perspective(perspective: str, game: Game) -> None:
    """Raises SearchError for the searcher's perspective in Connect Four, where the discs say whose turn it is."""
    if perspective == "searcher" and game.family != "othello":
        raise SearchError("perspective=searcher belongs to Othello and does not apply to Connect Four")
