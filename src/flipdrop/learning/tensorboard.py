"""Learning curves as event files, which TensorBoard shows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flipdrop.errors import LearningError, install_command

if TYPE_CHECKING:
    import os

    from flipdrop.arena.store import Point


class TensorBoardLog:
    """Writes the points of a learning curve as scalars, with the number of games as TensorBoard's step.

    :param folder: of this run; TensorBoard shows each folder below its ``--logdir`` as a run
    :param games: played so far; what an interrupted run has written beyond them is hidden
    """

    def __init__(self, folder: str | os.PathLike[str], *, games: int = 0) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ModuleNotFoundError:
            raise LearningError(
                f"--tensorboard needs tensorboardX, which is not installed: {install_command('tensorboard')}"
            ) from None
        # Small numbers of points: each is written at once, so that a run that is killed has lost none.
        self._writer: Any = SummaryWriter(str(folder), purge_step=games + 1 if games else None, max_queue=1)

    def add_settings(self, settings: dict[str, Any]) -> None:
        """Writes what determines the run, as a text."""
        self._writer.add_text("settings", f"```\n{json.dumps(settings, indent=2)}\n```")

    def add(self, point: Point) -> None:
        for name, value in point.values.items():
            self._writer.add_scalar(name.replace(" ", "_"), value, point.games)
        self._writer.add_scalar("seconds", point.seconds, point.games)
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()
