"""Games in threads of this process. The kernel searches without holding the interpreter, so threads really help."""

from __future__ import annotations

import itertools
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.arena.running.chunk import ChunkPlayer
from flipdrop.kernel import call_interruptible

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from flipdrop.arena.game import Job, Played

CHUNK_SECONDS = 0.05  # a chunk's games are handed over together, so it should not take long
MOST_GAMES = 500  # in a chunk


class Stopped(BaseException):
    """Nobody is interested any more. Not an Exception: no player has made a mistake, and none may catch it."""


class ThreadRunner:
    """Plays as many games at once as it has threads."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def run(self, jobs: Iterable[Job]) -> Generator[list[Played], None, None]:
        """Plays all jobs; what was played comes in chunks, as they end."""
        stopped = False

        def watch() -> None:
            if stopped:
                raise Stopped

        def work(chunk: list[Job]) -> tuple[list[Played], float]:
            began = perf_counter()
            games: list[Played] = []
            # A Ctrl-C comes to the main thread alone: the searches of this one learn of it by watching.
            call_interruptible(lambda: games.extend(player.play(chunk, watch=watch)), watch)
            return games, perf_counter() - began

        player = ChunkPlayer()
        waiting = iter(jobs)
        running: set[Future[tuple[list[Played], float]]] = set()
        size = 1
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="flipdrop-game")
        try:
            while True:
                while len(running) <= self.threads and (chunk := list(itertools.islice(waiting, size))):
                    running.add(pool.submit(work, chunk))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    games, seconds = future.result()
                    size = next_size(size, len(games), seconds)
                    yield games
        finally:
            stopped = True
            pool.shutdown(wait=True, cancel_futures=True)


def next_size(size: int, games: int, seconds: float) -> int:
    """How many games a chunk should have, after one of so many games took so long."""
    fitting = games * CHUNK_SECONDS / max(seconds, 1e-6)
    return max(1, min(MOST_GAMES, round(fitting), 2 * size))
