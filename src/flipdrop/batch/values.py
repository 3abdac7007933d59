"""Batch evaluation, solving and analysis: values of many positions on all cores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from flipdrop.batch.arrays import from_numpy, kernel_list
from flipdrop.errors import FlipdropError
from flipdrop.evaluation import default_evaluation
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.kernel import batch_scores
from flipdrop.search.analyse import Analysis
from flipdrop.search.solver import Solver
from flipdrop.workers import StopSwitch, thread_count

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from flipdrop.evaluation import Evaluation, EvaluationFunction
    from flipdrop.games import Game, Position
    from flipdrop.search import SearchReport, Solution

    Positions: TypeAlias = Sequence[Position] | NDArray[np.generic]

Worker = TypeVar("Worker")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Solutions:
    """Exact scores of positions, one row for each.

    :param score: for the side to move: discs in Othello, discs in hand in Connect Four
    :param best: a move that keeps the score, -1 if the game is over
    :param proven: False where a limit ended the proof; score and best move are guesses there
    :param nodes: positions searched
    """

    score: NDArray[np.int16]
    best: NDArray[np.int16]
    proven: NDArray[np.bool_]
    nodes: NDArray[np.int64]

    @property
    def outcome(self) -> NDArray[np.int8]:
        """1 where the side to move wins, -1 where it loses, 0 for a draw."""
        return np.sign(self.score).astype(np.int8)

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True)
class Analyses:
    """Reports of positions, with their best moves and values as arrays.

    :param value: for the side to move, as the report shows it
    """

    reports: tuple[SearchReport, ...]
    best: NDArray[np.int16]
    value: NDArray[np.float64]
    proven: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.reports)


def evaluate(
    positions: Positions,
    evaluation: str | os.PathLike[str] | Evaluation | EvaluationFunction | None = None,
    *,
    game: Game | str | None = None,
    threads: int | None = None,
) -> NDArray[np.float64]:
    """The score of each position for its side to move, without search.

    >>> from flipdrop import Othello
    >>> evaluate([Othello(), Othello().play("f5")], "D")
    array([32.,  0.])

    :param positions: positions of one board, or their planes
    :param evaluation: anything that `flipdrop.evaluation.evaluation` takes; the game's default if it is left out
    :param game: of planes
    """
    given = _positions(positions, game)
    listed = kernel_list(given)
    chosen = default_evaluation(given[0].game) if evaluation is None else evaluation_of(evaluation)
    return batch_scores(listed, chosen.kernel, thread_count(threads))


def solve(
    positions: Positions,
    *,
    game: Game | str | None = None,
    seconds: float | None = None,
    table: int = 16,
    threads: int | None = None,
) -> Solutions:
    """The exact score and a best move of each position.

    >>> from flipdrop import ConnectFour
    >>> found = solve([ConnectFour.from_transcript("4444422322231"), ConnectFour.from_transcript("44444223222311")])
    >>> found.score, found.outcome
    (array([14,  9], dtype=int16), array([1, 1], dtype=int8))

    :param positions: positions of one game, or their planes
    :param game: of planes
    :param seconds: time limit for each position
    :param table: megabytes for the transposition table of each thread
    :param threads: each solves a position of its own
    """
    given = _positions(positions, game)
    found: list[Solution] = spread(
        given,
        lambda: Solver(line=False, table=table, seconds=seconds),
        lambda solver, position: solver.solve(position),
        threads=threads,
    )
    return Solutions(
        score=np.array([one.guess for one in found], dtype=np.int16),
        best=np.array([-1 if one.best is None else one.best for one in found], dtype=np.int16),
        proven=np.array([one.exact for one in found], dtype=np.bool_),
        nodes=np.array([one.nodes for one in found], dtype=np.int64),
    )


def analyse(
    positions: Positions,
    *,
    game: Game | str | None = None,
    seconds: float = 0.1,
    table: int = 16,
    threads: int | None = None,
) -> Analyses:
    """The report of each position by book, proof or search, as ``flipdrop analyse`` gives it.

    >>> from flipdrop import ConnectFour
    >>> analyse([ConnectFour(), ConnectFour().play("4")]).best
    array([3, 3], dtype=int16)

    :param positions: positions of one game that are not over, or their planes
    :param game: of planes
    :param seconds: time for each position
    :param table: megabytes for the transposition table of each thread
    :param threads: each analyses a position of its own
    """
    given = _positions(positions, game)
    reports: list[SearchReport] = spread(
        given,
        lambda: Analysis(seconds=seconds, table=table),
        lambda analysis, position: analysis.search(position),
        threads=threads,
    )
    return Analyses(
        reports=tuple(reports),
        best=np.array([report.best for report in reports], dtype=np.int16),
        value=np.array([report.position_value.shown for report in reports], dtype=np.float64),
        proven=np.array([report.proven for report in reports], dtype=np.bool_),
    )


def _positions(positions: Positions, game: Game | str | None) -> Sequence[Position]:
    """The positions; those of planes are made from them."""
    if not isinstance(positions, np.ndarray):
        return positions
    if game is None:
        raise FlipdropError("planes do not say which game they show: give game=, such as game='connect4'")
    return from_numpy(positions, game)


def spread(
    positions: Sequence[Position],
    make_worker: Callable[[], Worker],
    work: Callable[[Worker, Position], Found],
    *,
    threads: int | None = None,
) -> list[Found]:
    """The results for all positions in order; each thread has a worker of its own."""
    # Not by `flipdrop.workers.results_in_order`, whose calling thread hands out every task: solves of 0.1 ms would take
    # 1.4 times as long.
    threads = thread_count(threads)
    if threads == 1 or len(positions) == 1:
        worker = make_worker()
        return [work(worker, position) for position in positions]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for _ in range(threads):
        idle.put(make_worker())

    switch = StopSwitch()

    def run(position: Position) -> Found:
        worker = idle.get()
        try:
            return switch.call(lambda: work(worker, position))
        finally:
            idle.put(worker)

    pool = ThreadPoolExecutor(threads)
    try:
        return list(pool.map(run, positions))
    finally:
        switch.stop()
        pool.shutdown(cancel_futures=True)
