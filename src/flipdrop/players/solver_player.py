"""`SolverPlayer`: plays proven moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from flipdrop.options import option
from flipdrop.players.clock import time_for_move
from flipdrop.players.player import AnalysingPlayer
from flipdrop.search import SearchReport, Solver
from flipdrop.search.analyse import playing_search, prove_or_search
from flipdrop.search.solver import DEFAULT_TABLE

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.players.clock import Clock


@dataclass(repr=False)
class SolverPlayer(AnalysingPlayer):
    """Plays proven moves.

    :param seconds: for a move: half for the proof, the rest, if that fails, for a search. None for no limit besides a
        clock's
    """

    kind: str = "solver"
    seconds: float | None = option(None, "time for a move; a longer proof is abandoned", above=0)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)
    table: int = option(DEFAULT_TABLE, "megabytes for the table", minimum=1, maximum=2**20)
    varied: bool = option(False, "choose randomly among equal moves, which takes longer")
    seed: int = option(0, "of the random choice", minimum=0, maximum=2**64 - 1)
    _solver: Solver = field(init=False, compare=False)
    _all_moves_solver: Solver | None = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.varied:
            self.seed = 0  # unused, so that equal players have equal specs
        self._solver = Solver(table=self.table, threads=self.threads, moves=self.varied, line=False)

    def _choose(self, position: Position, clock: Clock | None) -> int:
        report = self._prove_or_search(self._solver, position, clock)
        if not self.varied or not report.proven:
            return report.best
        equal = [entry.move for entry in report.moves if entry.value == report.value and entry.exact]
        return Random(f"{self.seed}/{hash(position)}").choice(equal or [report.best])

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:
        """The proof with every move's score as far as time allows, or a search's report."""
        if self._all_moves_solver is None:
            self._all_moves_solver = Solver(table=self.table, threads=self.threads, moves=True)
        return self._prove_or_search(self._all_moves_solver, position, clock)

    def _prove_or_search(self, solver: Solver, position: Position, clock: Clock | None) -> SearchReport:
        search = playing_search(position.game, threads=self.threads)
        return prove_or_search(
            solver,
            position,
            lambda seconds: search.with_options(seconds=seconds).search(position),
            seconds=time_for_move(position, clock, self.seconds),
            share=0.5,
        )
