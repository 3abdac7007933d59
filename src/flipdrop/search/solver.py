"""`Solver`: the exact score of a position under best play.

In Othello the score is the final disc difference for the side to move, empty squares given to the winner. In Connect
Four it counts the winner's discs that are still in hand when it wins, the winning one included: on 7x6 a win with the
last of the 21 discs is 1, with the one before it 2; a loss is negative, a draw 0.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path  # noqa: TC003 - the types of options are read at run time
from typing import TYPE_CHECKING, Any, cast

from flipdrop.errors import ModelError, SearchError
from flipdrop.evaluation import PatternModel
from flipdrop.evaluation.patterns import SUFFIX
from flipdrop.kernel import ConnectFourSolver, OthelloEvaluator, OthelloSolver, SolveRequest
from flipdrop.notebook import html_lines
from flipdrop.options import check_options, option
from flipdrop.search.book import shipped_book
from flipdrop.search.connect_four_book import ConnectFourBook

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import ConnectFour, Game, Position
    from flipdrop.kernel import KernelSolution

# Seconds of a proof on one thread, roughly: the time with a number of empty cells, and a factor for each more.
_SOLVE_SECONDS = {"othello": (0.5, 20, 2.2), "connect4": (0.05, 28, 1.6)}

DEFAULT_TABLE = 64  # MB: fetching a large one from the system takes longer than most solutions


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
        self._ordering = None if self.ordering is None else read_ordering(self.ordering)

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
        book = self._book_for(position)
        if book is not None:
            return book_solution(book, cast("ConnectFour", position), moves=self.moves)
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
        return self._book_for(position) is not None

    def _book_for(self, position: Position) -> ConnectFourBook | None:
        book = shipped_book(position.game) if self.book else None
        if not isinstance(book, ConnectFourBook):  # Othello's book is not exact
            return None
        return book if book.knows_moves_of(cast("ConnectFour", position)) else None


def book_solution(book: ConnectFourBook, position: ConnectFour, *, moves: bool = True) -> Solution:
    """The solution of a position that is in a book, with the scores of all moves if requested."""
    solved = [SolvedMove(move, score, score) for move, score in book.move_scores(position).items()]
    solved.sort(key=lambda m: -m.lower)
    line: list[int] = []
    last = position
    while book.knows_moves_of(last):
        scores = book.move_scores(last)
        line.append(max(scores, key=scores.__getitem__))
        last = last.play(line[-1])
    score = solved[0].lower
    return Solution(
        position, score, score, score, True, line[0], tuple(line), tuple(solved) if moves else (), from_book=True
    )


def estimate_solve_seconds(position: Position) -> float:
    """About how long a proof of a position's score takes on one thread."""
    seconds, empties, factor = _SOLVE_SECONDS[position.game.family]
    return seconds * factor ** (position.empties - empties)


def read_ordering(path: str | os.PathLike[str], game: Game | None = None) -> OthelloEvaluator:
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


@cache
def engine_evaluator(game: Game) -> OthelloEvaluator | None:
    """The package's network for the engine and the solver on a board of Othello; None if there is none."""
    file = resources.files("flipdrop.search") / "data" / f"{game.name}{SUFFIX}"
    if game.family != "othello" or not file.is_file():
        return None
    with resources.as_file(file) as path:
        return read_ordering(path)


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
