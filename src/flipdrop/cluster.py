"""`RayCluster`: tasks on a Ray cluster, an existing one or a local one that ends with the command.

Ray schedules the tasks on the cluster's cores. A task that is lost with a node is done again on another one.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import tempfile
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flipdrop.errors import ArenaError, FlipdropError, install_command, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from flipdrop.workers import Result, Shared, Task

LOCAL = "local"
MAX_ATTEMPTS = 5  # at a task: after them the task is at fault, not the machines
CONNECT_TIMEOUT = 10.0  # s for a cluster to answer
NO_NODES_TIMEOUT = 60.0  # s to wait for a machine when there is none
POLL = 5.0  # s between two counts of the machines
SHUTDOWN_WAIT = 1.5  # s for running tasks to end by themselves
SHUTDOWN_GRACE = 5.0  # s for running tasks to end after cancellation
_CLIENT_PORT = 10001
_OBJECT_STORE_BYTES = 100 * 2**20  # of a local cluster, for results that are not fetched yet


def run_task(function: Callable[[Shared, Task], Result], shared: Shared, task: Task, version: str) -> Result:
    """Runs one task, on a node of the cluster."""
    from flipdrop import __version__

    if version != __version__:
        raise ArenaError(f"a machine of it has flipdrop {__version__} and this one has {version}; install the same")
    _leave_terminal()
    return function(shared, task)


def _leave_terminal() -> None:
    """Keeps Ctrl-C in the terminal of a local cluster from this process; the command cancels its tasks.

    Otherwise the task would end while `RayCluster._stop` cancels it, and Ray would abort.
    """
    if hasattr(os, "setpgid") and os.getpgrp() != os.getpid():
        os.setpgid(0, 0)


class RayCluster:
    """`Workers` on a Ray cluster: one task at a time on each of its cores.

    It connects on first use and stays connected until it is closed.

    :param address: ``ray://HOST:PORT`` or, on one of the cluster's machines, ``HOST:PORT``; ``local`` for a cluster of
        this machine alone, which ends when this object is closed
    :param threads: how many tasks a local cluster does at once; all cores if it is None
    :param pack: puts files into a folder, which is the working directory of the tasks
    """

    tasks_a_chunk = 16  # a round trip takes some milliseconds

    def __init__(
        self, address: str, *, threads: int | None = None, pack: Callable[[Path], object] | None = None
    ) -> None:
        self.address = address
        self.threads = threads
        self.lost = 0
        """Tasks that were lost with a machine, and done again."""
        self.is_ours = False
        """Whether this object has connected the process to the cluster; otherwise it was connected before."""
        self._endpoint = _endpoint(address)
        self._pack = pack
        self._ray: Any = None
        self._folder: Path | None = None

    def __enter__(self) -> RayCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnects, and shuts a local cluster down. The object can be used again."""
        if self._ray is not None and self.is_ours:
            self._ray.shutdown()
        self._ray = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def map(
        self,
        function: Callable[[Shared, Task], Result],
        shared: Shared,
        tasks: Iterable[Task],
        *,
        describe: Callable[[Task], str] | None = None,
    ) -> Generator[tuple[Task, Result], None, None]:
        """See `flipdrop.workers.Workers.map`.

        :param describe: what a process did when it ended with a task, for the error
        """
        ray = self.connect()
        from flipdrop import __version__

        remote = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")(run_task)
        remote = remote.options(name=getattr(function, "__name__", "task"))
        shared_ref = ray.put(shared)
        waiting = iter(tasks)
        running: dict[Any, tuple[Task, int]] = {}
        cores = ClusterSize(ray, self.address)

        def send(task: Task, attempt: int) -> None:
            running[remote.remote(function, shared_ref, task, __version__)] = task, attempt

        try:
            while True:
                # No task is queued beyond the cores: Ray would start it when `_stop` cancels it.
                while len(running) < cores.count():
                    try:
                        send(next(waiting), 1)
                    except StopIteration:
                        break
                if not running:
                    return
                done, _ = ray.wait(list(running), num_returns=1, timeout=POLL)
                for ref in done:
                    task, attempt = running.pop(ref)
                    error = self._lost(ref)
                    if error is None:
                        yield task, ray.get(ref)
                    elif attempt >= MAX_ATTEMPTS:
                        raise ArenaError(
                            f"cluster {self.address}: {MAX_ATTEMPTS} processes in a row ended while they "
                            f"{describe(task) if describe else 'did the same task'}: {one_line(error)}"
                        ) from error
                    else:
                        self.lost += 1
                        send(task, attempt + 1)
        except ConnectionError as error:
            running.clear()
            raise ArenaError(f"cluster {self.address}: the connection is lost: {one_line(error)}") from error
        finally:
            self._stop(list(running))

    def connect(self) -> Any:
        """Connects to the cluster, sends files to it, and returns Ray."""
        if self._ray is not None:
            return self._ray
        ray = _import_ray()
        self.is_ours = not ray.is_initialized()
        if not self.is_ours:
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
                    object_store_memory=_OBJECT_STORE_BYTES,
                    _temp_dir=str(self._folder),
                    **quiet,
                )
            else:
                _check_reachable(self.address, *self._endpoint)
                if self._pack is not None:
                    self._pack(self._folder)
                environment = {} if self._pack is None else {"working_dir": str(self._folder)}
                ray.init(self.address, runtime_env=environment, **quiet)
        except BaseException as error:  # Ray's own errors have no common ancestor
            ray.shutdown()
            self.close()
            if isinstance(error, FlipdropError | KeyboardInterrupt):
                raise
            raise ArenaError(f"cluster {self.address}: {one_line(error)}{_TOKEN_HINT}") from error
        self._ray = ray
        return ray

    def _lost(self, ref: Any) -> Exception | None:
        """The error if a task was lost and has to be done again; raises the errors of the task itself."""
        errors = self._ray.exceptions
        try:
            self._ray.get(ref)
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, FlipdropError):
                raise ArenaError(f"cluster {self.address}: {one_line(cause, 500)}") from error
            if isinstance(cause, ModuleNotFoundError) and "flipdrop" in str(cause):
                raise ArenaError(f"cluster {self.address}: flipdrop is not installed on its machines") from error
            raise
        except errors.RuntimeEnvSetupError as error:
            raise ArenaError(f"cluster {self.address} cannot take the files: {one_line(error, 500)}") from error
        except errors.RayError as error:  # the process, the machine or the result is lost
            lost: Exception = error
            return lost
        return None

    def _stop(self, refs: Sequence[Any]) -> None:
        """Waits for running tasks for a moment, then cancels them, so that processes of players end too.

        Ray aborts when it cancels a task that starts or ends at the same moment.
        """
        if not refs or self._ray is None or not self._ray.is_initialized():
            return
        _, left = self._ray.wait(list(refs), num_returns=len(refs), timeout=SHUTDOWN_WAIT)
        if not left:
            return
        for ref in left:
            self._ray.cancel(ref)
        self._ray.wait(left, num_returns=len(left), timeout=SHUTDOWN_GRACE)


class ClusterSize:
    """Counts the cores of a cluster, whose nodes may join and leave."""

    def __init__(self, ray: Any, address: str) -> None:
        self._ray = ray
        self._address = address
        self._count = 0
        self._counted_at = -POLL
        self._empty_since: float | None = None

    def count(self) -> int:
        """The number of cores, at least 1; raises if there was none for `NO_NODES_TIMEOUT`."""
        now = monotonic()
        if now - self._counted_at < POLL:
            return max(1, self._count)
        self._counted_at = now
        self._count = int(self._ray.cluster_resources().get("CPU", 0))
        if self._count:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = now
        elif now - self._empty_since > NO_NODES_TIMEOUT:
            raise ArenaError(f"cluster {self._address} has had no machine to play on for {NO_NODES_TIMEOUT:.0f} s")
        return max(1, self._count)


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
_SETTINGS_FRAME = 4  # the type of a frame is its fourth byte


def _check_reachable(address: str, host: str, port: int) -> None:
    """Raises ArenaError unless Ray answers within `CONNECT_TIMEOUT`; Ray itself tries for minutes. Ray's servers speak
    HTTP/2."""
    try:
        with socket.create_connection((host, port), timeout=CONNECT_TIMEOUT) as connection:
            connection.sendall(_HTTP2_PREFACE)
            answer = connection.recv(4, socket.MSG_WAITALL)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ArenaError(f"cluster {address} cannot be reached: {reason}; is Ray running there?") from None
    if len(answer) < 4 or answer[3] != _SETTINGS_FRAME:
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
