"""Puzzles of the page, made by the search queue and kept in memory."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

from flipdrop.errors import SearchError
from flipdrop.search.puzzles import Puzzle, make_puzzle, puzzles_in_games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.games import Game
    from flipdrop.games.records import GameRecord
    from flipdrop.interface.web.sessions.search_queue import SearchQueue, SearchTask

_MAX_KEPT = 500


class NoPuzzle(SearchError):
    """The games hold no puzzle of the level."""


class PuzzleService:
    """Makes puzzles; the same one is made once."""

    def __init__(self, queue: SearchQueue) -> None:
        self._queue = queue
        self._made: OrderedDict[tuple[str, int, int, int], Puzzle] = OrderedDict()

    async def puzzle(self, game: Game, *, seed: int, number: int, level: int) -> Puzzle:
        """See `make_puzzle`; `TooBusy` if the queue is full."""
        key = (game.name, seed, number, level)
        if key not in self._made:
            self._made[key] = await self._search(
                lambda task: make_puzzle(game, seed=seed, number=number, level=level, progress=task.check)
            )
            if len(self._made) > _MAX_KEPT:
                self._made.popitem(last=False)
        return self._made[key]

    async def puzzle_in_games(self, records: Sequence[GameRecord], game: Game, *, seed: int, level: int) -> Puzzle:
        """The first one of `puzzles_in_games`; an error if there is none."""

        def find(task: SearchTask) -> Puzzle:
            found = puzzles_in_games(records, game, seed=seed, level=level, progress=task.check)
            puzzle = next(found, None)
            if puzzle is None:
                raise NoPuzzle(f"no puzzle of level {level} in {len(records)} games")
            return puzzle

        return await self._search(find)

    async def _search(self, make: Callable[[SearchTask], Puzzle]) -> Puzzle:
        done: asyncio.Future[Puzzle] = asyncio.get_running_loop().create_future()

        def finish(puzzle: Puzzle, error: Exception | None) -> None:
            if done.done():
                return
            if error is None:
                done.set_result(puzzle)
            else:
                done.set_exception(error)

        task = self._queue.submit("puzzles", make, on_done=finish, low_priority=True)
        try:
            return await done
        finally:
            task.cancel()
