"""Games in threads of this process: the kernel releases the interpreter lock while it searches, and agents from files
have processes of their own.
"""

from __future__ import annotations

import itertools
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.arena.running.batch import BatchPlayer
from flipdrop.workers import StopSwitch

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping

    from flipdrop.arena.model import FinishedGame, GameTask
    from flipdrop.arena.player_pool import Makers
    from flipdrop.players import SpecPlayer
    from flipdrop.players.agent_process import AgentLimits

BATCH_SECONDS = 0.05  # target duration of a batch
MAX_GAMES = 500  # in a batch
POLL = 0.2  # s between two attempts to stop games that wait for an agent


class ThreadRunner:
    """Plays as many games at once as it has threads.

    :param players: those that are made already, by spec; the others are made when they first play
    :param makers: as `PlayerPool` takes them
    :param agents: limits of agents from files
    """

    def __init__(
        self,
        threads: int,
        players: Mapping[str, SpecPlayer] | None = None,
        *,
        makers: Makers | None = None,
        agents: AgentLimits | None = None,
    ) -> None:
        self.threads = threads
        self.players = players
        self.makers = makers
        self.agents = agents

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        switch = StopSwitch()
        player = BatchPlayer(self.players, makers=self.makers, agents=self.agents)

        def work(batch: list[GameTask]) -> tuple[list[FinishedGame], float]:
            began = perf_counter()
            games = switch.call(lambda: player.play(batch, watch=switch.watch))
            return games, perf_counter() - began

        waiting = iter(tasks)
        running: set[Future[tuple[list[FinishedGame], float]]] = set()
        size = 1
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="flipdrop-game")
        try:
            while True:
                while len(running) <= self.threads and (batch := list(itertools.islice(waiting, size))):
                    running.add(pool.submit(work, batch))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    games, seconds = future.result()
                    size = next_size(size, len(games), seconds)
                    yield games
        finally:
            switch.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            while unfinished := [future for future in running if not future.done()]:  # a cancelled one is done
                player.interrupt()
                wait(unfinished, timeout=POLL)
            pool.shutdown(wait=True)
            player.close()


def next_size(size: int, games: int, seconds: float) -> int:
    """The size of the next batch, after one of `games` games took `seconds`."""
    fitting = games * BATCH_SECONDS / max(seconds, 1e-6)
    return max(1, min(MAX_GAMES, round(fitting), 2 * size))
