"""Games on a Ray cluster: an existing one, or a local one that ends with the runner.

Ray schedules batches of games on the cluster's cores. A batch that is lost with a node is played again on another one.
The task determines the game, so the results are those of any other runner.
"""

from __future__ import annotations

import itertools
import os
import secrets
import shutil
import socket
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from flipdrop.arena.model import FinishedGame
from flipdrop.arena.running.agent_bundle import AgentBundle
from flipdrop.errors import ArenaError, FlipdropError, install_command, quoted
from flipdrop.players.validation import one_line

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from flipdrop.arena.model import GameTask
    from flipdrop.arena.running.batch import BatchPlayer

LOCAL = "local"
BATCH_SECONDS = 1.0  # target duration of a batch; the round trip takes some milliseconds
PYTHON_BATCH_SECONDS = 5.0  # where a process is started for each batch
MOST_GAMES = 5000  # in a batch
MOST_ATTEMPTS = 5  # at a batch: then its players are at fault, not the machines
REACHABLE = 10.0  # s for a cluster to answer
NO_NODES_TIMEOUT = 60.0  # s to wait for a machine when there is none
POLL = 5.0  # s between two counts of the machines
SHUTDOWN_GRACE = 5.0  # s for running games to end after cancellation
_CLIENT_PORT = 10001
_OBJECTS = 100 * 2**20  # bytes for results on their way, of a cluster of our own

Row: TypeAlias = "tuple[tuple[int, ...], int, int, str, tuple[float, float] | None]"
"""A game on its way back: all of `FinishedGame` but the task."""


def play_remote(tasks: list[GameTask], move_timeout: float | None, version: str) -> tuple[list[Row], int]:
    """Runs on a node: plays games in their order, and returns them with the ideal size of a batch."""
    from flipdrop import __version__

    if version != __version__:
        raise ArenaError(f"a machine of it has flipdrop {__version__} and this one has {version}; install the same")
    _leave_the_terminal()
    began = perf_counter()
    games, target = _play(tasks, move_timeout)
    by_number = {played.task.number: played for played in games}
    ordered = [by_number[task.number] for task in tasks]
    rows: list[Row] = [(game.moves, game.result, game.margin, game.termination, game.seconds) for game in ordered]
    return rows, round(len(tasks) * target / max(perf_counter() - began, 1e-6))


def _leave_the_terminal() -> None:
    """Keeps Ctrl-C in the terminal of a local cluster from this process; the command cancels its batches.

    Otherwise the batch would end while `RayRunner._stop` cancels it, and Ray would abort.
    """
    if hasattr(os, "setpgid") and os.getpgrp() != os.getpid():
        os.setpgid(0, 0)


_players: list[BatchPlayer] = []  # of this process, which plays many batches: it remembers what it has made


def _play(tasks: list[GameTask], move_timeout: float | None) -> tuple[list[FinishedGame], float]:
    from flipdrop.arena.running.batch import BatchPlayer
    from flipdrop.arena.running.processes import ProcessRunner
    from flipdrop.arena.running.runner import runner_for

    runner = runner_for(
        {spec for task in tasks for spec in (task.first, task.second)}, threads=1, move_timeout=move_timeout
    )
    if isinstance(runner, ProcessRunner):
        # A player in Python may hang, or take its process down with it: it has to lose its game, and nothing else.
        with _nameless_main():
            return list(itertools.chain.from_iterable(runner.run(tasks))), PYTHON_BATCH_SECONDS
    if not _players:
        _players.append(BatchPlayer())
    return _players[0].play(tasks, watch=lambda: None), BATCH_SECONDS  # Ctrl-C comes in while it watches


@contextmanager
def _nameless_main() -> Iterator[None]:
    """Hides the main module from child processes, which would import it again: Ray's takes seconds."""
    main = sys.modules["__main__"]
    file = main.__dict__.pop("__file__", None)
    try:
        yield
    finally:
        if file is not None:
            main.__file__ = file


@dataclass
class Batch:
    """Games that a node is playing."""

    tasks: list[GameTask]
    attempts: int = 1


class RayRunner:
    """Plays games on a Ray cluster, as many at once as the cluster has cores.

    It connects when it is first needed, and stays connected until it is closed.

    :param address: ``ray://HOST:PORT`` or, on one of the cluster's machines, ``HOST:PORT``; ``local`` for a cluster of
        this machine alone, which ends when the runner is closed
    :param specs: the players that will take part. Those from files are sent to the cluster with the folder they are in
    :param threads: how many games a local cluster plays at once; all cores if it is None
    :param move_timeout: seconds that a player from a file may take for a move where there is no clock
    """

    def __init__(
        self, address: str, *, specs: Iterable[str] = (), threads: int | None = None, move_timeout: float | None = None
    ) -> None:
        self.address = address
        self.threads = threads
        self.move_timeout = move_timeout
        self._endpoint = _endpoint(address)
        self._bundle = AgentBundle() if address == LOCAL else AgentBundle.of(specs)
        self._ray: Any = None
        self._is_ours = False
        self._folder: Path | None = None

    def __enter__(self) -> RayRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnects, and shuts a local cluster down. The runner can be used again."""
        if self._ray is not None and self._is_ours:
            self._ray.shutdown()
        self._ray = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        ray = self.connect()
        from flipdrop import __version__

        play = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")(play_remote)

        def send(batch: Batch) -> None:
            remote = [
                replace(task, first=bundle.to_remote(task.first), second=bundle.to_remote(task.second))
                for task in batch.tasks
            ]
            running[play.remote(remote, self.move_timeout, __version__)] = batch

        bundle = self._bundle
        waiting = iter(tasks)
        running: dict[Any, Batch] = {}
        cores = ClusterSize(ray, self.address)
        size = 1
        try:
            while True:
                # No batch is queued beyond the cores: Ray would start it when `_stop` cancels it.
                while len(running) < cores.count() and (more := list(itertools.islice(waiting, size))):
                    send(Batch(more))
                if not running:
                    return
                done, _ = ray.wait(list(running), num_returns=1, timeout=POLL)
                for ref in done:
                    batch = running.pop(ref)
                    result = self._result(ref, batch)
                    if result is None:
                        send(Batch(batch.tasks, batch.attempts + 1))
                        continue
                    rows, fitting = result
                    size = max(1, min(MOST_GAMES, fitting, 2 * size))
                    yield [_played(task, row, bundle) for task, row in zip(batch.tasks, rows, strict=True)]
        except ConnectionError as error:
            running.clear()
            raise ArenaError(f"cluster {self.address}: the connection is lost: {one_line(error)}") from error
        finally:
            self._stop(list(running))

    def connect(self) -> Any:
        """Connects to the cluster, sends the files of agents to it, and returns Ray."""
        if self._ray is not None:
            return self._ray
        ray = _import_ray()
        self._is_ours = not ray.is_initialized()
        if not self._is_ours:
            self._bundle = AgentBundle()  # the process that connected has sent its files already
            self._ray = ray
            return ray
        self._folder = Path(tempfile.mkdtemp(prefix="flipdrop-"))
        quiet = {"log_to_driver": False, "logging_level": "error"}
        try:
            if self._endpoint is None:
                _set_own_token()
                ray.init(
                    LOCAL,
                    num_cpus=self.threads,
                    include_dashboard=False,
                    object_store_memory=_OBJECTS,
                    _temp_dir=str(self._folder),
                    **quiet,
                )
            else:
                _check_reachable(self.address, *self._endpoint)
                self._bundle.pack(self._folder)
                environment = {"working_dir": str(self._folder)} if self._bundle.folders else {}
                ray.init(self.address, runtime_env=environment, **quiet)
        except BaseException as error:  # Ray's own errors have no common ancestor
            ray.shutdown()
            self.close()
            if isinstance(error, FlipdropError | KeyboardInterrupt):
                raise
            raise ArenaError(f"cluster {self.address}: {one_line(error)}{_TOKEN_HINT}") from error
        self._ray = ray
        return ray

    def _result(self, ref: Any, batch: Batch) -> tuple[list[Row], int] | None:
        """The result of a batch; None if it was lost and has to be played again."""
        errors = self._ray.exceptions
        try:
            result: tuple[list[Row], int] = self._ray.get(ref)
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, FlipdropError):
                raise ArenaError(f"cluster {self.address}: {self._bundle.to_local(one_line(cause, 500))}") from error
            if isinstance(cause, ModuleNotFoundError) and "flipdrop" in str(cause):
                raise ArenaError(f"cluster {self.address}: flipdrop is not installed on its machines") from error
            raise
        except errors.RuntimeEnvSetupError as error:
            raise ArenaError(f"cluster {self.address} cannot take the players: {one_line(error, 500)}") from error
        except errors.RayError as error:  # the process, the machine or the result is lost
            if batch.attempts >= MOST_ATTEMPTS:
                raise ArenaError(
                    f"cluster {self.address}: {MOST_ATTEMPTS} processes in a row ended while they played game "
                    f"{batch.tasks[0].number} and the {len(batch.tasks) - 1} after it: {one_line(error)}"
                ) from error
            return None
        return result

    def _stop(self, refs: Sequence[Any]) -> None:
        """Waits for running batches for a moment, then cancels them, so that processes of players end too.

        Ray aborts when it cancels a batch that starts or ends at the same moment.
        """
        if not refs or self._ray is None or not self._ray.is_initialized():
            return
        _, left = self._ray.wait(list(refs), num_returns=len(refs), timeout=1.5 * BATCH_SECONDS)
        if not left:
            return
        for ref in left:
            self._ray.cancel(ref)
        self._ray.wait(left, num_returns=len(left), timeout=SHUTDOWN_GRACE)


class ClusterSize:
    """The current number of cores of a cluster, whose nodes may join and leave."""

    def __init__(self, ray: Any, address: str) -> None:
        self._ray = ray
        self._address = address
        self._count = 0
        self._looked = -POLL
        self._empty_since: float | None = None

    def count(self) -> int:
        """The number of cores, at least 1; raises if there was none for `NO_NODES_TIMEOUT`."""
        now = monotonic()
        if now - self._looked < POLL:
            return max(1, self._count)
        self._looked = now
        self._count = int(self._ray.cluster_resources().get("CPU", 0))
        if self._count:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = now
        elif now - self._empty_since > NO_NODES_TIMEOUT:
            raise ArenaError(f"cluster {self._address} has had no machine to play on for {NO_NODES_TIMEOUT:.0f} s")
        return max(1, self._count)


def _played(task: GameTask, row: Row, bundle: AgentBundle) -> FinishedGame:
    moves, result, margin, termination, seconds = row
    return FinishedGame(task, moves, result, margin, bundle.to_local(termination), seconds)


def _endpoint(address: str) -> tuple[str, int] | None:
    """Host and port of a cluster; None for a local one."""
    if address == LOCAL:
        return None
    scheme, separator, rest = address.rpartition("://")
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if scheme == "ray" and port is None:
        port = _CLIENT_PORT
    if (separator and scheme != "ray") or not host or port is None:
        raise ArenaError(f"cluster {quoted(address)}; write ray://HOST:{_CLIENT_PORT}, HOST:PORT or {LOCAL}")
    return host, port


# The HTTP/2 connection preface with an empty SETTINGS frame.
_HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
_SETTINGS = 4  # type of the SETTINGS frame, the fourth byte of the answer


def _check_reachable(address: str, host: str, port: int) -> None:
    """Raises after seconds if no Ray answers, where Ray itself tries for minutes. Its servers speak HTTP/2."""
    try:
        with socket.create_connection((host, port), timeout=REACHABLE) as connection:
            connection.sendall(_HTTP2_PREFACE)
            answer = connection.recv(4, socket.MSG_WAITALL)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ArenaError(f"cluster {address} cannot be reached: {reason}; is Ray running there?") from None
    if len(answer) < 4 or answer[3] != _SETTINGS:
        raise ArenaError(f"cluster {address}: what answers there is not Ray")


_TOKEN_HINT = "; a cluster that demands a token needs RAY_AUTH_MODE=token and its RAY_AUTH_TOKEN here too"
_TOKEN_SETTINGS = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")


def _set_own_token() -> None:
    """Sets a token for a local cluster, valid for this process, unless the user has set one.

    The cluster's ports are open to the network, so Ray demands a token. Ray would otherwise store one in the user's
    home directory, and other clusters of this user would demand it too.
    """
    if not any(os.environ.get(name) for name in _TOKEN_SETTINGS):
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)


def _import_ray() -> Any:
    # Ray reads these when it is imported: no usage statistics, no warnings of future changes.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise ArenaError(f"a cluster needs Ray, which is not installed: {install_command('cluster')}") from None
    return ray
