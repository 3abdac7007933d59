"""What every move of a position is worth: proven where there is time for it, else as deep as a search comes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.errors import SearchError
from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.evaluation.patterns import SHIPPED
from flipdrop.games import OthelloGame
from flipdrop.options import check_options, option
from flipdrop.search.minimax import Minimax
from flipdrop.search.proofs import estimate_solve_seconds, from_book, has_answer, solution_report
from flipdrop.search.solver import Solver

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.search.report import Progress, SearchReport

DEFAULT_SECONDS = 2.0
_FIRST_LOOK = 0.25  # s of searching before a proof is tried, so that something is known at once
_CAUTION = 2  # a proof is tried if there is so many times as long as it is likely to take
_SHARE = 0.75  # of that time may go into it: if it fails, a search still comes deeper than the first look


def best_evaluation(game: Game) -> Evaluation:
    """The evaluation that knows most about a game: a learned one where there is one."""
    learned = evaluation(SHIPPED)
    if learned.supports(game):
        return learned
    # D, the default evaluation of searches, counts the moves of the side to move alone: its values jump with every ply.
    return evaluation("Seven" if isinstance(game, OthelloGame) else "lines")


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """Asks the opening book; looks; tries to prove; and looks deeper where that fails.

    :param evaluation: what leaves are worth that no proof reaches; `best_evaluation` unless said
    """

    evaluation: Evaluation | None = option(None, "what leaves are worth; the best that there is for the game")
    seconds: float = option(DEFAULT_SECONDS, "time to take at most", above=0)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)
    table: int = option(64, "megabytes for the table", minimum=1, maximum=65536)

    def __post_init__(self) -> None:
        check_options(self)

    def search(self, position: Position, *, progress: Progress | None = None) -> SearchReport:
        """Analyses a position that is not over.

        `progress` is shown what is known so far, some twenty times a second while a proof is tried; what it raises ends
        the analysis.
        """
        if position.is_over:
            raise SearchError(f"{position!r}: the game is over, there is no move to analyse")
        known = from_book(position)
        if known is not None:
            return known
        look = self.search_settings(position.game).with_options(seconds=min(_FIRST_LOOK, self.seconds))
        report = look.search(position, progress=progress)
        if report.proven and all(report.verdict_of(entry).exact for entry in report.moves):
            return report
        if progress is not None:
            progress(report)
        spent, nodes = report.seconds, report.nodes
        if _CAUTION * estimate_solve_seconds(position) < (self.seconds - spent) * self.threads:
            solver = Solver(moves=True, table=self.table, threads=self.threads)
            watch = None if progress is None else lambda _: progress(report)
            solution = solver.solve(position, seconds=_SHARE * (self.seconds - spent), progress=watch)
            spent, nodes = spent + solution.seconds, nodes + solution.nodes
            if has_answer(solution):
                return dataclasses.replace(solution_report(solution), seconds=spent, nodes=nodes)
        left = self.seconds - spent
        if left > _FIRST_LOOK:  # less would not come as deep as the first look
            report = look.with_options(seconds=left).search(position, progress=progress)
            spent, nodes = spent + report.seconds, nodes + report.nodes
        return dataclasses.replace(report, seconds=spent, nodes=nodes)

    def search_settings(self, game: Game) -> Minimax:
        """The search that it looks with, without its limits."""
        used = self.evaluation or best_evaluation(game)
        return Minimax(evaluation=used, all_moves=True, threads=self.threads, table=self.table)
