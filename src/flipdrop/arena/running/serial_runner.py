"""Games one after the other in the thread of the caller, for players that only this process has: Python objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.running.batch import BatchPlayer

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from flipdrop.arena.model import FinishedGame, GameTask
    from flipdrop.arena.player_pool import Makers


class SerialRunner:
    """Plays one game after the other.

    :param makers: as `PlayerPool` takes them
    """

    def __init__(self, makers: Makers) -> None:
        self.makers = makers

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        player = BatchPlayer(makers=self.makers)
        try:
            for task in tasks:
                yield player.play([task])
        finally:
            player.close()
