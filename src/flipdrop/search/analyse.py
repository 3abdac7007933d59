"""Book, proof, search: the one routine that finds the value of every move of a position.

`Analysis` serves ``flipdrop analyse`` and the page; `prove_or_search` and `prove` are its parts that players, the
review of a game and balanced openings share.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.errors import SearchError
from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.evaluation.patterns import SHIPPED
from flipdrop.games import check_position
from flipdrop.options import check_options, option
from flipdrop.search.book import shipped_book
from flipdrop.search.engine import Engine
from flipdrop.search.minimax import Minimax
from flipdrop.search.report import SearchReport
from flipdrop.search.search import NO_TIME
from flipdrop.search.solver import Solver, engine_evaluator, estimate_solve_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game, Position
    from flipdrop.search.book import Book
    from flipdrop.search.report import Progress
    from flipdrop.search.solution import Solution

DEFAULT_SECONDS = 2.0
_FIRST_SEARCH_SECONDS = 0.25  # s of searching before a proof is tried, so that a first result is shown at once
_PROOF_MARGIN = 2  # a proof is tried if the time left is this many times the estimate
_PROOF_SHARE = 0.75  # of the time left, at most, for the proof: a search after it still gets deeper than the first


def best_evaluation(game: Game) -> Evaluation:
    """The strongest evaluation for a game: a learned one where the package has one."""
    learned = evaluation(SHIPPED)
    return learned if learned.supports(game) else evaluation(game.analysis_evaluation)


def playing_search(game: Game, *, threads: int) -> Engine | Minimax:
    """The strongest search for play where nothing can be proven: the engine, on all boards of Connect Four and where it
    has a network in Othello."""
    if has_engine(game):
        return Engine(threads=threads)
    return Minimax(evaluation=best_evaluation(game), threads=threads)


def has_engine(game: Game) -> bool:
    return game.family == "connect4" or engine_evaluator(game) is not None


def prove(
    solver: Solver,
    position: Position,
    *,
    budget: float,
    seconds: float | None = None,
    use_book: bool = True,
    progress: Callable[[Solution], object] | None = None,
) -> Solution | None:
    """The solution from the opening book or from a proof; None if the proof is expected to take too long.

    A proof that runs out of time gives a solution without an answer: see `Solution.has_answer`.

    :param budget: the longest proof that is tried, by `estimate_solve_seconds`
    :param seconds: time limit of the proof
    """
    if not (use_book and solver.is_in_book(position)) and estimate_solve_seconds(position) >= budget:
        return None
    return solver.solve(position, seconds=seconds, progress=progress)


def prove_or_search(
    solver: Solver | None,
    position: Position,
    search: Callable[[float], SearchReport],
    *,
    seconds: float,
    share: float = 0.0,
    budget: float = math.inf,
    use_book: bool = True,
    book: Book | None = None,
    all_moves: bool = False,
    draw: float | None = None,
    progress: Callable[[Solution], object] | None = None,
) -> SearchReport:
    """The report of an opening book, of a proof, or of a search.

    :param solver: None for no proof
    :param search: called with the time that is left, if nothing was proven
    :param seconds: time of both; infinite for no limit
    :param share: of the time, at most, for the proof
    :param budget: as for `prove`
    :param book: is looked up first
    :param use_book: as for `prove`: whether the solver looks into its book of exact scores
    :param all_moves: whether a proof counts only if it has the score of every move
    :param draw: as for `SearchReport.from_solution`
    """
    found = None if book is None else book.report(position)
    if found is not None or solver is None:
        return found or search(seconds)
    limit = None if math.isinf(seconds) else max(NO_TIME, share * seconds)
    solution = prove(solver, position, budget=budget, seconds=limit, use_book=use_book, progress=progress)
    if solution is None:
        return search(seconds)
    if solution.has_answer and (solution.proven or not all_moves):
        return SearchReport.from_solution(solution, draw=draw)
    report = search(max(NO_TIME, seconds - solution.seconds))
    return dataclasses.replace(report, seconds=report.seconds + solution.seconds, nodes=report.nodes + solution.nodes)


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """Looks into the opening book, searches briefly, tries a proof, and searches deeper where the proof fails.

    Where there is an engine, it does all of that after a look into the book, unless there is an evaluation to search
    with.
    """

    evaluation: Evaluation | None = option(None, "value of leaves; the strongest for the game by default")
    seconds: float = option(DEFAULT_SECONDS, "time limit", above=0)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)
    table: int = option(64, "megabytes for the table", minimum=1, maximum=65536)

    def __post_init__(self) -> None:
        check_options(self)

    def search(self, position: Position, *, progress: Progress | None = None) -> SearchReport:
        """Analyses a position that is not over.

        `progress` receives intermediate reports, about twenty times a second during a proof; an exception in it ends
        the analysis.
        """
        check_position(position)
        if position.is_over:
            raise SearchError(f"{position!r}: the game is over, there is no move to analyse")
        settings = self.search_settings(position.game)
        if isinstance(settings, Engine):  # it goes to the end of the game by itself
            return prove_or_search(
                None,
                position,
                lambda seconds: settings.with_options(seconds=seconds).search(position, progress=progress),
                seconds=self.seconds,
                book=shipped_book(position.game),
            )
        solver = Solver(moves=True, table=self.table, threads=self.threads)
        if solver.is_in_book(position):
            return SearchReport.from_solution(solver.solve(position))
        brief = min(_FIRST_SEARCH_SECONDS, self.seconds)
        first = settings.with_options(seconds=brief).search(position, progress=progress)
        if first.proven and all(first.value_of(entry).exact for entry in first.moves):
            return first
        if progress is not None:
            progress(first)

        def search_deeper(seconds: float) -> SearchReport:
            if seconds <= _FIRST_SEARCH_SECONDS:  # it would not get as deep as the first search
                return dataclasses.replace(first, seconds=0.0, nodes=0)
            return settings.with_options(seconds=seconds).search(position, progress=progress)

        left = self.seconds - first.seconds
        report = prove_or_search(
            solver,
            position,
            search_deeper,
            seconds=left,
            share=_PROOF_SHARE,
            budget=left * self.threads / _PROOF_MARGIN,
            progress=None if progress is None else lambda _: progress(first),
        )
        return dataclasses.replace(report, seconds=report.seconds + first.seconds, nodes=report.nodes + first.nodes)

    def search_settings(self, game: Game) -> Engine | Minimax:
        """The search before and after the proof, without limits."""
        if self.evaluation is None and has_engine(game):
            return Engine(threads=self.threads, table=self.table).with_all_moves()
        used = self.evaluation or best_evaluation(game)
        return Minimax(evaluation=used, all_moves=True, threads=self.threads, table=self.table)
