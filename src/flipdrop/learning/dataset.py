"""Datasets: positions of games with labels, as columns for NumPy, pandas and Parquet.

The columns stand in docs/how-to/datasets.md. Values are for the side to move.
"""

from __future__ import annotations

import dataclasses
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.model import GameTask
from flipdrop.arena.openings import Openings, default_openings
from flipdrop.arena.running import runner_for
from flipdrop.arena.seeds import derive_seed
from flipdrop.batch import solve, to_numpy
from flipdrop.errors import LearningError, PlayerError, install_command, quoted
from flipdrop.files import atomic_write
from flipdrop.games.records import GameRecord
from flipdrop.players import player as player_of
from flipdrop.players.analysing import report_within
from flipdrop.players.spec import check_analyses
from flipdrop.workers import ThreadWorkers, results_in_order, thread_count

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from flipdrop.arena.running import Runner
    from flipdrop.games import Game, Position
    from flipdrop.search import SearchReport
    from flipdrop.workers import Workers


SUFFIXES = (".npz", ".parquet")
CHUNK = 64  # positions that a worker labels at a time, with a table of its own
EXACT_EMPTIES = {"othello": 12, "connect4": 18}
"""The most empty cells of positions that are labelled exactly, by default: a proof takes milliseconds."""


@dataclass(frozen=True)
class Dataset:
    """Labelled positions of one board, a row for each.

    :param board: board strings
    :param planes: positions x 2 x rows x columns: the discs of the side to move, and the other's
    :param game_number: the index of the game
    :param ply: moves played before
    :param move: the number of the move that was played, -1 at the end of a game
    :param result: 1, 0 or -1: the result of the game for the side to move
    :param margin: the disc difference at the end of the game, for the side to move; 0 in Connect Four
    :param value: the label: see `label_positions`
    :param best: the best move by the label, -1 if it names none
    :param proven: whether the label is proven
    :param policy: positions x moves: the softmax of the label's values of all moves; None if none was asked for
    """

    game: Game
    board: tuple[str, ...]
    planes: NDArray[np.int8]
    game_number: NDArray[np.int32]
    ply: NDArray[np.int16]
    to_move: NDArray[np.int8]
    empties: NDArray[np.int16]
    move: NDArray[np.int16]
    result: NDArray[np.int8]
    margin: NDArray[np.int16]
    value: NDArray[np.float32]
    best: NDArray[np.int16]
    proven: NDArray[np.bool_]
    policy: NDArray[np.float16] | None = None

    def __len__(self) -> int:
        return len(self.board)

    def columns(self) -> dict[str, Any]:
        """The columns of a table: everything but the planes."""
        names = [field.name for field in dataclasses.fields(self) if field.name not in ("game", "planes")]
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    def to_pandas(self) -> Any:
        """A table with a row for each position."""
        pandas = _import_library("pandas")
        return pandas.DataFrame({name: _table_column(value) for name, value in self.columns().items()})

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a file: ``.npz`` with planes, ``.parquet`` with board strings."""
        suffix = check_suffix(path)
        data = io.BytesIO()
        if suffix == ".npz":
            arrays = {name: value for name, value in self.columns().items() if name != "board"}
            np.savez_compressed(data, planes=self.planes, game_name=np.array(self.game.name), **arrays)
        else:
            pyarrow, parquet = _import_library("pyarrow"), _import_library("pyarrow.parquet")
            table = pyarrow.table({name: _table_column(value) for name, value in self.columns().items()})
            file_metadata = {"flipdrop": "dataset", "game": self.game.name}
            parquet.write_table(table.replace_schema_metadata(file_metadata), data, compression="zstd")
        atomic_write(path, data.getvalue())


def check_suffix(path: str | os.PathLike[str]) -> str:
    """The ending of a file of a dataset; LearningError for another one, or if its library is missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise LearningError(f"{quoted(str(path))}: a dataset ends in {' or '.join(SUFFIXES)}")
    if suffix == ".parquet":
        _import_library("pyarrow")
    return suffix


def self_play_records(
    spec: str,
    game: Game,
    games: int,
    *,
    seed: int = 0,
    openings: str = "",
    threads: int | None = None,
    runner: Runner | None = None,
) -> Iterator[GameRecord]:
    """Games of a player against itself, from openings; in order of their numbers.

    >>> from flipdrop import game
    >>> records = list(self_play_records("random", game("othello6"), 3, seed=1))
    >>> len(records), len(records[0].moves) > 20
    (3, True)

    :param openings: as in a match; the default of the board by default
    :param runner: plays them; one on `threads` threads by default
    """
    starts = Openings(game, openings or default_openings(game), seed).stream()
    tasks = (GameTask(number, spec, spec, next(starts), derive_seed(seed, number)) for number in range(games))
    finished: dict[int, GameRecord] = {}
    for batch in (runner or runner_for([spec], threads=threads)).run(tasks):
        for played in batch:
            finished[played.task.number] = GameRecord(game.start(), played.moves, first=spec, second=spec)
    for number in sorted(finished):
        yield finished[number]


def make_dataset(
    records: Iterable[GameRecord],
    *,
    label: str = "result",
    policy: float | None = None,
    empties: tuple[int, int] | None = None,
    unique: bool = False,
    threads: int | None = None,
    workers: Workers | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Dataset:
    """The positions of games, with labels.

    >>> from flipdrop import game
    >>> records = self_play_records("random", game("othello6"), 3, seed=1)
    >>> data = make_dataset(records, label="exact", empties=(4, 4))
    >>> data.planes.shape[1:], bool(data.proven.all())
    ((2, 6, 6), True)

    :param records: finished games of one board
    :param label: as for `label_positions`
    :param policy: likewise
    :param empties: the least and the most empty cells of positions that are taken; by default all, or those that are
        proven quickly if the label is ``exact``
    :param unique: leave out positions that occurred before
    :param workers: label the positions; `threads` threads by default
    :param progress: called with the number of labelled and of all positions
    """
    rows: list[tuple[int, int, int, int, int]] = []
    positions: list[Position] = []
    seen: set[Position] = set()
    game: Game | None = None
    for number, record in enumerate(records):
        if game is not None and record.game != game:
            raise LearningError(
                f"games of {game.title} and of {record.game.title}; a dataset has positions of one board"
            )
        game = record.game
        if empties is None:
            empties = (1, EXACT_EMPTIES[game.family]) if label == "exact" else (0, 10**6)
        outcome = record.outcome
        if outcome is None:
            continue  # an unfinished game has no result
        margin = record.margin or 0
        for ply, position in enumerate(record.positions()):
            if position.is_over or not empties[0] <= position.empties <= empties[1] or (unique and position in seen):
                continue
            seen.add(position)
            positions.append(position)
            sign = 1 if position.to_move == 0 else -1
            move = record.moves[ply] if ply < len(record.moves) else -1
            rows.append((number, ply, move, sign * outcome, sign * margin))
    if game is None or not rows:
        raise LearningError("no positions: the games are empty or unfinished, or no position has so few empty cells")
    results = [margin if game.score_unit == "discs" else result for *_, result, margin in rows]
    labels = label_positions(
        positions,
        label,
        results,
        policy=policy,
        workers=workers or ThreadWorkers(thread_count(threads)),
        progress=progress,
    )
    numbers = np.array(rows, dtype=np.int64).T
    return Dataset(
        game=game,
        board=tuple(position.board for position in positions),
        planes=to_numpy(positions),
        game_number=numbers[0].astype(np.int32),
        ply=numbers[1].astype(np.int16),
        to_move=np.array([position.to_move for position in positions], dtype=np.int8),
        empties=np.array([position.empties for position in positions], dtype=np.int16),
        move=numbers[2].astype(np.int16),
        result=numbers[3].astype(np.int8),
        margin=numbers[4].astype(np.int16),
        value=labels.value,
        best=labels.best,
        proven=labels.proven,
        policy=labels.policy,
    )


@dataclass(frozen=True)
class Labels:
    """The columns `value`, `best`, `proven` and `policy` of a dataset."""

    value: NDArray[np.float32]
    best: NDArray[np.int16]
    proven: NDArray[np.bool_]
    policy: NDArray[np.float16] | None = None


def label_positions(
    positions: Sequence[Position],
    label: str,
    results: Sequence[float],
    *,
    policy: float | None = None,
    workers: Workers,
    progress: Callable[[int, int], object] | None = None,
) -> Labels:
    """The value, the best move (-1 for none) and whether they are proven, for each position.

    :param label: ``result``: the margin (Othello) or the result of the game; ``exact``: the solver's score; else the
        spec of a player that analyses, such as ``engine:depth=8``
    :param results: of the games, for the label ``result``
    :param policy: the temperature of a softmax over the values of all moves, in their unit (the engine's in Othello:
        discs); none by default
    """
    if policy is not None and label in ("result", "exact"):
        raise LearningError(f"the label {label} values no moves: a policy needs a player, such as engine:depth=5")
    if policy is not None and not 0 < policy < 1e6:
        raise LearningError(f"a policy of temperature {policy}; it must be more than 0")
    if label == "result":
        none = np.full(len(positions), -1, dtype=np.int16)
        return Labels(np.array(results, dtype=np.float32), none, np.zeros(len(positions), dtype=np.bool_))
    if label != "exact":
        check_analyses(label)
        try:
            player_of(label, game=positions[0].game).close()
        except PlayerError as error:
            raise PlayerError(f"label {quoted(label)}: result, exact or a player that values moves; {error}") from None
    chunks = [positions[first : first + CHUNK] for first in range(0, len(positions), CHUNK)]
    found: list[Labels] = []
    done = 0
    for labels in results_in_order(workers, _label_chunk, (label, policy), chunks):
        found.append(labels)
        done += len(labels.value)
        if progress is not None:
            progress(done, len(positions))
    policies = [labels.policy for labels in found if labels.policy is not None]
    return Labels(
        np.concatenate([labels.value for labels in found]),
        np.concatenate([labels.best for labels in found]),
        np.concatenate([labels.proven for labels in found]),
        np.concatenate(policies) if policies else None,
    )


def _label_chunk(request: tuple[str, float | None], positions: Sequence[Position]) -> Labels:
    """The labels of some positions. A chunk does not know of the others, so workers change nothing."""
    label, policy = request
    if label == "exact":
        solved = solve(positions, threads=1)
        return _labels(solved.score, solved.best, solved.proven)
    player = player_of(label, game=positions[0].game, seed=0)
    reports = [report_within(player, position, {}) for position in positions]
    policies = None if policy is None else [_softmax(report, policy) for report in reports]
    return _labels(
        [report.position_value.shown for report in reports],
        [report.best for report in reports],
        [report.proven for report in reports],
        policies,
    )


def _labels(value: Any, best: Any, proven: Any, policies: Any = None) -> Labels:
    return Labels(
        np.asarray(value, dtype=np.float32),
        np.asarray(best, dtype=np.int16),
        np.asarray(proven, dtype=np.bool_),
        None if policies is None else np.asarray(policies, dtype=np.float16),
    )


def _softmax(report: SearchReport, temperature: float) -> NDArray[np.float64]:
    """The softmax of the moves' values, by the numbers of moves; moves without an exact value have share 0."""
    valued = [move for move in report.moves if move.exact]
    numbers = np.array([report.value_of(move).shown for move in valued]) / temperature
    weights = np.exp(numbers - numbers.max())
    policy = np.zeros(report.position.move_space)
    policy[[move.move for move in valued]] = weights / weights.sum()
    return policy


def _table_column(column: Any) -> Any:
    """A column as tables take it: a two-dimensional one becomes a list of its rows."""
    return list(column) if getattr(column, "ndim", 0) != 1 else column


def _import_library(name: str) -> Any:
    """Imports a library of the extra ``data``."""
    import importlib

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise LearningError(f"this needs {error.name}, which is not installed: {install_command('data')}") from None
