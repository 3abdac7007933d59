"""Positions with labelled moves and values, from which a network learns before it plays against itself."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import LearningError, quoted
from flipdrop.evaluation.network.network_file import shape_of
from flipdrop.kernel import sample_planes, sample_policies
from flipdrop.learning.network.samples import Batch
from flipdrop.search.win_probability import ENGINE_SCALE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.games import Game

_HELD_OUT = 50  # one game in 50 is for validation
_MAX_HELD_OUT = 4096  # positions


class WarmStart:
    """The positions of a file that `flipdrop dataset --policy` wrote.

    Values become expected results: those of proven positions are results, others are squashed on the scale on which the
    page shows win probabilities.

    :param file: ending in ``.npz``
    """

    def __init__(self, file: str, game: Game) -> None:
        self._start: Any = game.start()
        try:
            data = Path(file).read_bytes()
            with np.load(Path(file), allow_pickle=False) as stored:
                columns = {
                    name: stored[name]
                    for name in ("planes", "policy", "value", "proven", "game_number", "game_name")
                    if name in stored
                }
        except OSError as error:
            raise LearningError(f"warm_start={file}: {error.strerror or 'it cannot be read'}") from None
        except (ValueError, zipfile.BadZipFile):
            raise LearningError(f"warm_start={file}: it is no dataset in a .npz file") from None
        if "policy" not in columns:
            raise LearningError(f"warm_start={file} has no policy; flipdrop dataset --policy T --label PLAYER adds one")
        if len(columns) != 6:
            raise LearningError(f"warm_start={file} is no dataset of positions, which flipdrop dataset makes")
        if str(columns["game_name"]) != game.name:
            raise LearningError(
                f"warm_start={file} has positions of {quoted(str(columns['game_name']))}, not of {game.name}"
            )
        height, width, moves = shape_of(game)
        planes, policy = columns["planes"], columns["policy"]
        if planes.shape[1:] != (2, height, width) or policy.shape != (len(planes), moves) or not len(planes):
            raise LearningError(f"warm_start={file}: the shapes of planes and policy do not fit the board")
        self.digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        cells = (planes[:, 0] + 2 * planes[:, 1]).astype(np.uint8)
        value = _expected_results(
            columns["value"].astype(np.float32), columns["proven"], in_discs=game.score_unit == "discs"
        )
        held_out = columns["game_number"] % _HELD_OUT == _HELD_OUT - 1
        self._cells, self._policy, self._value = cells[~held_out], policy[~held_out], value[~held_out]
        if not len(self._cells):
            raise LearningError(f"warm_start={file}: it has too few games")
        rows = np.flatnonzero(held_out)[:_MAX_HELD_OUT]
        self.held_out = self._batch(cells[rows], policy[rows], value[rows], np.zeros(len(rows), np.uint8))

    def __len__(self) -> int:
        return len(self._cells)

    def draw(self, size: int, random: np.random.Generator) -> Batch:
        """Positions drawn with replacement, each through a random symmetry of the board."""
        rows = random.integers(len(self), size=size)
        symmetries = random.integers(self._start.symmetries, size=size, dtype=np.uint8)
        return self._batch(self._cells[rows], self._policy[rows], self._value[rows], symmetries)

    def _batch(
        self,
        cells: NDArray[np.uint8],
        policy: NDArray[np.float16],
        value: NDArray[np.float32],
        symmetries: NDArray[np.uint8],
    ) -> Batch:
        return Batch(
            sample_planes(self._start, cells, symmetries),
            sample_policies(self._start, policy.astype(np.float32), symmetries),
            value,
        )


def _expected_results(value: NDArray[np.float32], proven: NDArray[np.bool_], *, in_discs: bool) -> NDArray[np.float32]:
    squashed = np.tanh(value / np.float32(2 * ENGINE_SCALE.half_point)) if in_discs else np.clip(value, -1, 1)
    return np.where(proven, np.sign(value), squashed).astype(np.float32)
