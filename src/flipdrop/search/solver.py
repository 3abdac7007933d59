"""`Solver`: the exact score of a position under best play; `engine_evaluator`: the network that orders its moves."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path  # noqa: TC003 - the types of options are read at run time
from typing import TYPE_CHECKING, Any

from flipdrop.errors import ModelError, SearchError
from flipdrop.evaluation import PatternModel
from flipdrop.evaluation.patterns import SUFFIX
from flipdrop.games import check_position
from flipdrop.kernel import ConnectFourSolver, OthelloEvaluator, OthelloSolver, SolveRequest
from flipdrop.options import check_options, option
from flipdrop.search.book import shipped_book
from flipdrop.search.connect_four_book import ConnectFourBook
from flipdrop.search.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable

    from flipdrop.games import Game, Position

# Seconds of a proof on one thread, roughly: the time with a number of empty cells, and a factor for each more.
_SOLVE_SECONDS = {"othello": (0.5, 20, 2.2), "connect4": (0.05, 28, 1.6)}

DEFAULT_TABLE = 64  # MB: fetching a large one from the system takes longer than most solutions


@dataclass(kw_only=True)
class Solver:
    """Solves positions of both games, on boards of every size.

    >>> from flipdrop import game
    >>> solver = Solver(moves=True)
    >>> print(solver.solve(game("othello4").start()).score)
    -10

    A solver keeps its transposition table between positions, so that related ones take less time; it solves one
    position at a time. Othello with 20 empty squares and Connect Four 7x6 with 20 discs take at most a second.
    """

    seconds: float | None = option(None, "time limit in seconds", above=0)
    nodes: int | None = option(None, "node limit", minimum=1)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)
    outcome_only: bool = option(False, "prove the outcome only, which is faster than the score")
    line: bool = option(True, "find the principal variation")
    moves: bool = option(False, "find the score of every move, not only of the best")
    table: int = option(DEFAULT_TABLE, "size of the transposition table in MB", minimum=1, maximum=2**20)
    book: bool = option(True, "look into the opening book (Connect Four 7x6)")
    ordering: Path | None = option(None, "pattern network for move ordering (Othello 8x8)")
    _kernels: dict[type, Any] = field(default_factory=dict, init=False, repr=False)
    _ordering: OthelloEvaluator | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check_options(self)
        self._ordering = None if self.ordering is None else read_evaluator(self.ordering)

    def solve(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        progress: Callable[[Solution], object] | None = None,
    ) -> Solution:
        """The score of a position, its line and its moves as requested, within the limits.

        :param seconds: overrides the solver's own limit
        :param progress: receives the bounds so far about twenty times a second
        """
        check_position(position)
        book = self._book_of(position)
        if book is not None and book.knows_moves_of(position):
            return book.solution(position, moves=self.moves)
        if book is not None and not self.moves and not self.line:  # a reply comes without a line and other moves
            reply = book.solution_by_reply(position)
            if reply is not None:
                return reply
        request = SolveRequest()
        request.limits.seconds = seconds or self.seconds or 0.0
        request.limits.nodes = self.nodes or 0
        request.threads = self.threads
        request.outcome_only = self.outcome_only
        request.line = self.line
        request.moves = self.moves
        watch = None if progress is None else lambda found: progress(Solution.from_kernel(position, found))
        solver = self._kernel(position)
        return Solution.from_kernel(position, solver.solve(position, request, watch))

    def clear(self) -> None:
        """Drops the tables and frees their memory."""
        self._kernels.clear()

    def _kernel(self, position: Position) -> Any:
        kind = OthelloSolver if position.game.family == "othello" else ConnectFourSolver
        if kind not in self._kernels:
            check_table(self.table)
            self._kernels[kind] = (
                OthelloSolver(self.table, self._ordering or engine_evaluator(position.game))
                if kind is OthelloSolver
                else ConnectFourSolver(self.table)
            )
        return self._kernels[kind]

    def is_in_book(self, position: Position) -> bool:
        """Whether the opening book has the score of every move."""
        book = self._book_of(position)
        return book is not None and book.knows_moves_of(position)

    def _book_of(self, position: Position) -> ConnectFourBook | None:
        book = shipped_book(position.game) if self.book else None
        return book if isinstance(book, ConnectFourBook) else None  # Othello's book is not exact


def estimate_solve_seconds(position: Position) -> float:
    """About how long a proof of a position's score takes on one thread."""
    seconds, empties, factor = _SOLVE_SECONDS[position.game.family]
    return seconds * factor ** (position.empties - empties)


def read_evaluator(path: str | os.PathLike[str], game: Game | None = None) -> OthelloEvaluator:
    """The network in a file, made ready for engine and solver. For the solver it decides how long a proof takes, not
    what is proven.

    :param game: the board that it must have been learned for, if not any
    """
    model, network = PatternModel.read_with_network(path)
    if game is not None and model.game != game:
        raise ModelError(f"{path} was learned for {model.game.title}, not for {game.title}")
    if model.probcut is None:
        raise ModelError(f"{path} has no ProbCut model; flipdrop learn evaluation makes networks that have one")
    return OthelloEvaluator(network, probcut=model.probcut)


def engine_network_file(game: Game) -> Traversable | None:
    """The file of the package's network for the engine on a board of Othello; None if there is none."""
    file = resources.files("flipdrop.search") / "data" / f"{game.name}{SUFFIX}"
    return file if file.is_file() else None


@cache
def engine_evaluator(game: Game) -> OthelloEvaluator | None:
    """The network in `engine_network_file`, made ready for engine and solver."""
    file = engine_network_file(game)
    if file is None:
        return None
    with resources.as_file(file) as path:
        return read_evaluator(path)


def check_table(megabytes: int) -> None:
    """Raises SearchError for a table that is larger than the machine's memory."""
    available = _memory()
    if available and megabytes > available:
        raise SearchError(f"table={megabytes} MB; this machine has {available} MB of memory")


def _memory() -> int:
    """This machine's memory in megabytes; 0 if the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (AttributeError, ValueError, OSError):
        return 0
