"""Fitting the ProbCut model: how far the value of a shallow search is from that of a deep one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import least_squares

from flipdrop.arena.seeds import derive_seed
from flipdrop.kernel import EngineSettings, OthelloEngine, OthelloPosition, Sampling, Side, sample_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.kernel import EngineAnalysis, OthelloEvaluator

_CHUNK = 10
_SHARES = (0.2, 0.25, 0.31, 0.37, 0.47, 0.57, 0.66, 0.78)  # of the board that is empty
_FEWEST = 5  # differences of which a standard deviation is taken
_DEEPEST = 10  # plies
_SOLVED = 20  # most empty squares of positions that are also searched to the end
_CLOSE = 0.6  # of the board: positions further from a draw do not count, their values say little
_OUTLIER = 25  # discs: larger differences count as this
_TABLE = 16  # MB
_EXACT = 5


class ProbCutSamples:
    """Values of searches of growing depth for positions of a network's own games.

    Each row has the number of empty squares and the values of depth 1 to 10, and of the search to the end; nan where
    there is none.
    """

    def __init__(self, game: Game, seed: int, positions: int) -> None:
        """:param positions: for each number of empty squares"""
        self._cells = game.columns * game.rows
        self._size = game.columns
        self._seed, self._positions = seed, positions
        self._empties = [round(self._cells * share) for share in _SHARES]
        self._rows: list[list[float]] = []
        self.model: tuple[float, ...] | None = None

    @property
    def finished(self) -> bool:
        return self.model is not None

    def step(self, evaluator: OthelloEvaluator, *, threads: int) -> None:
        """Searches some positions; after the last ones, fits the model."""
        done = len(self._rows)
        empties = self._empties[done // self._positions]
        settings = Sampling()
        settings.min_empties = settings.max_empties = empties
        settings.depth, settings.random_end, settings.max_opening = 1, 0.2, 14
        own, other, _ = sample_positions(
            evaluator,
            settings,
            count=min(_CHUNK, self._positions - done % self._positions),
            seed=derive_seed(self._seed, "ProbCut"),
            first=done,
            threads=threads,
        )
        for mine, theirs in zip(own.tolist(), other.tolist(), strict=True):
            self._rows.append([empties, *self._values(evaluator, _position(mine, theirs, self._size), empties)])
        if len(self._rows) == self._positions * len(self._empties):
            self.model = fit_probcut(np.array(self._rows, dtype=np.float64), self._cells)

    def _values(self, evaluator: OthelloEvaluator, position: OthelloPosition, empties: int) -> list[float]:
        values = [float("nan")] * (_DEEPEST + 1)

        def note(found: EngineAnalysis) -> None:
            if 0 < found.depth <= _DEEPEST and found.depth < empties:
                values[found.depth - 1] = found.moves[0].value

        settings = EngineSettings()
        settings.selectivity = _EXACT
        settings.limits.depth = min(_DEEPEST, empties - 1)
        OthelloEngine(_TABLE, evaluator).analyse(position, settings, note)
        if empties <= _SOLVED:
            values[_DEEPEST] = OthelloEngine(_TABLE, evaluator).analyse(position, EngineSettings()).moves[0].value
        return values

    def state(self) -> dict[str, Any]:
        return {"rows": [[None if np.isnan(x) else x for x in row] for row in self._rows], "model": self.model}

    def restore(self, state: dict[str, Any]) -> None:
        self._rows = [[float("nan") if x is None else x for x in row] for row in state["rows"]]
        self.model = None if state["model"] is None else tuple(state["model"])


def _position(own: int, other: int, size: int) -> OthelloPosition:
    squares = [8 * row + column for row in range(size) for column in range(size)]
    text = "".join("X" if own >> s & 1 else "O" if other >> s & 1 else "-" for s in squares)
    return OthelloPosition(size, text, Side.FIRST)


def deviations(rows: NDArray[np.float64], cells: int) -> NDArray[np.float64]:
    """Empty squares, deep and shallow depth, and the standard deviation of the difference of their values."""
    found = []
    for empties in np.unique(rows[:, 0]):
        values = rows[rows[:, 0] == empties][:, 1:]
        deepest = np.where(np.isnan(values[:, _DEEPEST]), values[:, _DEEPEST - 1], values[:, _DEEPEST])
        values = values[np.abs(deepest) < _CLOSE * cells]
        for column in range(_DEEPEST + 1):
            deep = int(empties) if column == _DEEPEST else column + 1
            for shallow in range(deep % 2 or 2, min(deep, _DEEPEST + 1), 2):
                errors = values[:, column] - values[:, shallow - 1]
                errors = errors[~np.isnan(errors)]
                if len(errors) >= _FEWEST:
                    size = np.sqrt(np.mean(np.clip(errors, -_OUTLIER, _OUTLIER) ** 2))
                    found.append((empties, deep, shallow, size))
    return np.array(found)


def sigma(model: tuple[float, ...], empties: Any, deep: Any, shallow: Any) -> Any:
    """The standard deviation of a model for searches to a depth, as the kernel computes it."""
    x = model[0] * empties + model[1] * deep + model[2] * shallow
    return (model[3] * x + model[4]) * x + model[5]


def fit_probcut(rows: NDArray[np.float64], cells: int) -> tuple[float, ...]:
    """The eight numbers of a model.

    Six for searches, by least squares from several starting points; and the constant and the slope of a line for
    results of games, by the depth of the search that predicts them.
    """
    known = deviations(rows, cells)
    to_end = known[:, 1] == known[:, 0]
    slope, constant = np.polyfit(known[to_end, 2], known[to_end, 3], 1)
    known = known[~to_end]

    def errors(model: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(sigma(tuple(model), *known[:, :3].T) - known[:, 3])

    random = np.random.default_rng(0)
    starts = random.normal(0, (0.1, 0.3, 0.5, 0.1, 1.0, 3.0), size=(20, 6))
    best = min((least_squares(errors, start) for start in starts), key=lambda found: float(found.cost))
    return (*map(float, best.x), float(constant), float(slope))
