"""Pattern networks: learned evaluations in files named ``*.pattern``.

A pattern is a set of cells. The contents of its cells select a weight from the pattern's table of the current stage,
and the sum of all weights is the score. `kernel/pattern` evaluates boards; `flipdrop.learning` trains the weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import DAMAGE, FlipdropError, ModelError
from flipdrop.games import game as game_of
from flipdrop.kernel import Evaluation as KernelEvaluation
from flipdrop.kernel import PatternNetwork, new_pattern_network, pattern_evaluation
from flipdrop.model_file import read_model_file, write_model_file

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game

SUFFIX = ".pattern"
SHIPPED = "patterns"
"""The name of the evaluation by the networks in the package: each board has its own."""
MAX_WEIGHTS = 1 << 26
"""The most weights of a network; they take 256 MB."""
_KIND = "pattern network"
_LONGEST_PATTERN = 17  # cells; the tables of longer ones are all too large
_STATES = {"othello": 3, "connect4": 4}  # of a cell, in the kernel's encoding


@dataclass(frozen=True, eq=False)
class PatternModel:
    """A pattern network and its weights.

    :param patterns: lists of cells, numbered in reading order
    :param stages: the number of discs at which each stage begins; the first is 0
    :param weights: of the first stage, pattern by pattern, then of the next; in Connect Four each stage has those of
        the first side to move, then those of the second
    :param unit: score of a sum of 1
    :param made: provenance, for people
    :param by_parity: whether each stage has weights for even and then for odd numbers of discs
    :param probcut: the error of searches with this network, as the kernel's ``ProbCutModel`` has it; for the engine
    """

    game: Game
    patterns: tuple[tuple[int, ...], ...]
    stages: tuple[int, ...]
    weights: NDArray[np.float32]
    unit: float = 1.0
    made: dict[str, Any] = field(default_factory=dict)
    by_parity: bool = False
    probcut: tuple[float, ...] | None = None

    def network(self) -> PatternNetwork:
        """The kernel's network; ModelError if patterns, stages and weights do not fit together."""
        self._check_size()
        try:
            network = new_pattern_network(
                self.game.start(),
                patterns=[list(pattern) for pattern in self.patterns],
                stages=list(self.stages),
                unit=self.unit,
                by_parity=self.by_parity,
            )
            network.weights = np.ascontiguousarray(self.weights, dtype=np.float32)
        except FlipdropError as error:
            raise ModelError(str(error)) from None
        return network

    def _check_size(self) -> None:
        """Raises ModelError if the kernel would take more memory for the weights than a network may have."""
        states = _STATES[self.game.family]
        least = len(self.stages) * sum(states ** min(len(pattern), _LONGEST_PATTERN) for pattern in self.patterns)
        if least > MAX_WEIGHTS:
            raise ModelError(f"its patterns have more than {MAX_WEIGHTS:,} weights, the limit for a network")

    def write(self, path: str | os.PathLike[str], *, compact: bool = False) -> None:
        """Writes a file.

        :param compact: store weights as float16
        """
        metadata = {
            "game": self.game.name,
            "patterns": self.patterns,
            "stages": self.stages,
            "unit": self.unit,
            "made": self.made,
            "by_parity": self.by_parity,
            "probcut": self.probcut,
        }
        weights = self.weights.astype(np.float16 if compact else np.float32)
        write_model_file(path, _KIND, metadata, {"weights": weights}, most=4 * MAX_WEIGHTS)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> PatternModel:
        return cls.read_with_network(path)[0]

    @classmethod
    def read_with_network(cls, path: str | os.PathLike[str]) -> tuple[PatternModel, PatternNetwork]:
        """The model in a file and the kernel's network, which the check of a model has to make anyway."""
        metadata, arrays = read_model_file(path, _KIND, most=4 * MAX_WEIGHTS)
        try:
            model = cls(
                game_of(metadata["game"]),
                tuple(tuple(map(int, pattern)) for pattern in metadata["patterns"]),
                tuple(map(int, metadata["stages"])),
                arrays["weights"].astype(np.float32, copy=False),
                _finite(metadata["unit"]),
                dict(metadata["made"]),
                bool(metadata.get("by_parity", False)),
                None if (probcut := metadata.get("probcut")) is None else tuple(map(_finite, probcut)),
            )
            return model, model.network()
        except DAMAGE as error:
            why = str(error) if isinstance(error, FlipdropError) else "its metadata are incomplete or out of range"
            raise ModelError(f"{path}: {why}") from None


def _finite(number: Any) -> float:
    if not math.isfinite(value := float(number)):
        raise ModelError(f"{value} is no number that a network can have")
    return value


@dataclass(frozen=True, eq=False)
class Networks:
    """An evaluation by pattern networks.

    :param name: of the evaluation: `SHIPPED`, or a file's
    """

    name: str
    models: tuple[PatternModel, ...]

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Networks:
        return cls(Path(path).name, (PatternModel.read(path),))

    def supports(self, game: Game) -> bool:
        """Whether there is a network for a game's board; a forbidden cell does not matter."""
        return any(
            (model.game.family, model.game.columns, model.game.rows) == (game.family, game.columns, game.rows)
            for model in self.models
        )

    def kernel(self) -> KernelEvaluation:
        return pattern_evaluation([model.network() for model in self.models], self.name)


@cache
def shipped_networks() -> Networks:
    folder = resources.files("flipdrop.evaluation") / "data"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(SUFFIX)), key=lambda file: file.name)
    models = []
    for file in files:
        with resources.as_file(file) as path:
            models.append(PatternModel.read(path))
    return Networks(SHIPPED, tuple(models))
