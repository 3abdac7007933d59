"""Games in separate processes, for agents in Python: they do not compete for the interpreter lock, and an agent that
hangs or crashes forfeits its game only.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from flipdrop.arena.referee import forfeit, play

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from multiprocessing.process import BaseProcess

    from flipdrop.arena.model import FinishedGame, GameTask

MOVE_TIMEOUT = 60.0  # s for a move, where there is no clock
START = 120.0  # s that a new process may take to start its first game on a busy machine
GRACE = 2.0  # s after the clock has run out until the process of the player is killed
# A forked process with threads may deadlock, so each worker starts a new interpreter.
_CONTEXT = multiprocessing.get_context("spawn")


def serve(connection: Connection, parent: int) -> None:
    """The main loop of a worker process: plays the tasks that it receives."""
    # Output of agents goes to standard error, unbuffered: standard output belongs to the command.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    while True:
        try:
            task = connection.recv()
            if task is None or os.getppid() != parent:
                return

            def thinking(side: int, moves: list[int], limit: float | None) -> None:
                connection.send(("thinking", side, list(moves), limit))

            connection.send(("played", play(task, thinking=thinking)))
        except (EOFError, OSError, KeyboardInterrupt):  # the parent process has ended, or is ending
            return


@dataclass(eq=False)
class Worker:
    """A worker process, and the game that it plays."""

    process: BaseProcess
    connection: Connection
    task: GameTask | None = None
    side: int = 0  # whose turn it is
    moves: list[int] = field(default_factory=list)
    deadline: float = 0.0

    @classmethod
    def start(cls) -> Worker:
        connection, its_end = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=serve, args=(its_end, os.getpid()), daemon=True)
        process.start()
        its_end.close()
        return cls(process, connection)

    def assign(self, task: GameTask) -> None:
        self.task, self.side, self.moves = task, 0, task.opening.moves
        self.deadline = time.monotonic() + START
        self.connection.send(task)

    def handle(self, message: tuple[Any, ...], move_timeout: float) -> FinishedGame | None:
        """Handles a message: returns the game if it has ended, else updates the deadline."""
        if message[0] == "played":
            self.task = None
            played: FinishedGame = message[1]
            return played
        _, self.side, self.moves, limit = message
        self.deadline = time.monotonic() + (move_timeout if limit is None else limit + GRACE)
        return None

    def fail(self, reason: str) -> FinishedGame:
        """Kills the process, and returns its game, forfeited by the side to move."""
        assert self.task is not None
        code = self.end()
        spec = (self.task.first, self.task.second)[self.side]
        ended = f" (exit code {code})" if reason.startswith("ended") else ""
        return forfeit(self.task, self.moves, self.side, f"{spec} {reason}{ended}")

    def end(self) -> int | None:
        """Kills the process, and returns its exit code."""
        self.process.join(0.05 if self.process.exitcode is None else 1)
        self.process.kill()
        self.process.join()
        self.connection.close()
        return self.process.exitcode


class ProcessRunner:
    """Plays as many games at once as it has processes."""

    def __init__(self, processes: int, *, move_timeout: float = MOVE_TIMEOUT) -> None:
        self.processes = processes
        self.move_timeout = move_timeout

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        waiting = iter(tasks)
        workers: dict[Connection, Worker] = {}
        try:
            while True:
                busy = [worker for worker in workers.values() if worker.task is not None]
                free = [worker for worker in workers.values() if worker.task is None]
                while len(busy) < self.processes and (task := next(waiting, None)) is not None:
                    worker = free.pop() if free else Worker.start()
                    workers[worker.connection] = worker
                    worker.assign(task)
                    busy.append(worker)
                if not busy:
                    return
                if ended := self._await(workers, busy):
                    yield ended
        finally:
            for worker in workers.values():
                worker.process.kill()
            for worker in workers.values():
                worker.end()

    def _await(self, workers: dict[Connection, Worker], busy: list[Worker]) -> list[FinishedGame]:
        """The games that have ended by the next deadline."""
        timeout = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
        ready = wait([worker.connection for worker in busy], timeout)
        ended: list[FinishedGame] = []
        for worker in busy:
            played: FinishedGame | None = None
            if worker.connection in ready:
                try:
                    played = worker.handle(worker.connection.recv(), self.move_timeout)
                except (EOFError, OSError):
                    del workers[worker.connection]
                    played = worker.fail("ended its process")
            elif worker.deadline <= time.monotonic():
                del workers[worker.connection]
                played = worker.fail("did not answer in time and was stopped")
            if played is not None:
                ended.append(played)
        return ended
