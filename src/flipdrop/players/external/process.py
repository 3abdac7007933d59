"""`EngineProcess`: starts an engine, exchanges lines with deadlines, and ends its whole process tree.

Whatever the engine does, a call returns soon after its deadline, and memory stays within the limits below. `supervisor`
ends the engine when this process dies.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from flipdrop.errors import FlipdropError, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_LINE = 64 * 1024  # bytes of one line
MAX_ANSWER = 8 * 1024 * 1024  # bytes of output per command
MAX_STDERR = 4 * 1024  # last bytes of standard error that are kept
_CHUNK = 64 * 1024
_REPORT_SECONDS = 1.0  # from the end of the output to the supervisor's report
_SUPERVISOR_SECONDS = 10.0  # for the supervisor to end an engine, which takes 0.3 s if the engine ignores SIGTERM
_SUPERVISOR = Path(__file__).with_name("supervisor.py")


class EngineError(FlipdropError):
    """A fault of an engine; the message continues a sentence that begins with its name."""


class EngineProcess:
    """A running engine.

    :param command: the program and its arguments
    :param folder: its working directory; the current one by default
    :param deadline: for the start, by `time.monotonic`
    :param show: called with what it writes to standard error, as it is read
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: str = "",
        deadline: float,
        show: Callable[[bytes], object] | None = None,
    ) -> None:
        if os.name != "posix":
            raise EngineError("cannot be started: external players need a POSIX system")
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                supervisor = subprocess.Popen(
                    [sys.executable or "python3", "-I", "-S", str(_SUPERVISOR), str(theirs.fileno()), *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    cwd=folder or None,
                    start_new_session=True,
                    pass_fds=(theirs.fileno(),),
                )
            except (OSError, ValueError) as error:
                ours.close()
                where = f" in the folder {quoted(folder, 200)}" if folder else ""
                reason = getattr(error, "strerror", None) or str(error)
                raise EngineError(f"cannot be started{where}: {reason}") from None
        self._supervisor = supervisor
        self._control = ours
        self._in, self._out, self._err = _pipes(supervisor)
        for pipe in _pipes(supervisor):
            os.set_blocking(pipe.fileno(), False)
        self._open = {self._out.fileno(), self._err.fileno(), ours.fileno()}
        self._unread = bytearray()
        self._answered = self._lines = 0  # bytes and lines since the last `send`
        self._errors = bytearray()
        self._show = show
        self._reports = bytearray()
        self._last_line = ""
        self.owner = os.getpid()
        """The process that started the engine; a fork of it must not use or end the engine."""
        self._release = weakref.finalize(self, _release, supervisor, ours, self.owner)
        self._wait_for_start(command[0], deadline)

    def send(self, line: str, deadline: float) -> None:
        """Writes a line. Earlier output that was not read stays buffered."""
        rest = memoryview(line.encode("utf-8", "replace") + b"\n")
        self._answered = self._lines = 0
        late = False
        while rest:
            try:
                rest = rest[os.write(self._in.fileno(), rest) :]
            except BlockingIOError:
                if late:
                    raise EngineError(f"does not read its input: {quoted(line, 40)}") from None
                late = not self._wait(deadline, writing=True)
                self._check_amount()
            except (BrokenPipeError, ValueError):  # ValueError: it was ended already
                raise EngineError(f"{self._how_it_ended('closed its input')} before {quoted(line, 40)}") from None

    def receive(self, deadline: float, *, after: str = "") -> str:
        """The next line of output, without its line end.

        :param after: the command that it answers, for error messages
        """
        asked = f" {quoted(after)}" if after else ""
        late = False
        while True:
            self._check_amount()
            line = self._buffered_line()
            if line is not None:
                self._last_line = line.strip() or self._last_line
                self._lines += 1
                # A buffered line is read even after the deadline, because this process may be late; at most 1,000 of
                # them.
                late = self._lines % 1000 == 0 and time.monotonic() >= deadline
                if not late:
                    return line
            elif self._out.fileno() not in self._open:
                raise EngineError(f"{self._how_it_ended('closed its output')} instead of answering{asked}")
            if late:
                last = f"; its last line was {quoted(self._last_line)}" if self._last_line else ""
                raise EngineError(f"did not answer{asked} in time{last if after else ''}")
            late = not self._wait(deadline)

    def unsolicited_line(self) -> str:
        """The first unread line that is not blank; empty if there is none."""
        self._wait(0)
        while (line := self._buffered_line()) is not None:
            if line.strip():
                return line
        return ""

    @property
    def stderr_tail(self) -> str:
        """The last lines of standard error, joined; empty if there are none."""
        text = self._errors.decode("utf-8", "replace")
        lines = [line for line in map(str.strip, text.splitlines()) if line]
        return one_line(" | ".join(lines[-3:]), 300)

    def interrupt(self) -> None:
        """Ends the engine's process tree from another thread than the one that waits for its answer."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)  # the supervisor sees the end of its input

    def end(self, *, timeout: float = 0.0) -> None:
        """Ends the engine's process tree.

        :param timeout: seconds to wait for the engine to exit by itself first
        """
        if self.owner == os.getpid():
            with suppress(OSError):
                self._in.close()
            self._wait_for_exit(timeout)
        self._release()

    # All waiting happens in `_wait`, which reads output, standard error and reports as they arrive.

    def _wait(self, deadline: float, *, writing: bool = False) -> bool:
        """Waits for input on any descriptor and reads it; False once the deadline has passed, even if it has read."""
        poll = select.poll()
        for descriptor in self._open:
            poll.register(descriptor, select.POLLIN)
        if writing:
            poll.register(self._in.fileno(), select.POLLOUT)
        ready = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
        for descriptor, _ in ready:
            if descriptor in self._open:
                self._read(descriptor)
        return time.monotonic() < deadline

    def _read(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        except OSError:  # the supervisor has died
            data = b""
        if not data:
            self._open.discard(descriptor)
        elif descriptor == self._out.fileno():
            self._unread += data
            self._answered += len(data)
        elif descriptor == self._err.fileno():
            self._errors = (self._errors + data)[-MAX_STDERR:]
            if self._show is not None:
                self._show(data)
        else:
            self._reports += data

    def _check_amount(self) -> None:
        if self._answered > MAX_ANSWER:
            raise EngineError(f"prints more than {MAX_ANSWER >> 20} MB for one command")

    def _buffered_line(self) -> str | None:
        end = self._unread.find(b"\n")
        if end < 0:
            if len(self._unread) > MAX_LINE:
                start = quoted(self._unread[:40].decode("utf-8", "replace"))
                raise EngineError(f"prints a line of more than {MAX_LINE >> 10} KB, which begins {start}")
            return None
        line = self._unread[:end].decode("utf-8", "replace")
        del self._unread[: end + 1]
        return line.rstrip("\r")

    def _wait_for_start(self, program: str, deadline: float) -> None:
        try:
            while not (report := self._report("started", "failed")):
                if self._control.fileno() not in self._open:
                    raise EngineError(f"cannot be started: {self.stderr_tail or 'its supervisor ended'}")
                if not self._wait(deadline):
                    raise EngineError("cannot be started in time")
            if report.startswith("failed"):
                raise EngineError(f"cannot be started: {quoted(program)}: {report.removeprefix('failed ')}")
        except BaseException:
            self.end()
            raise
        self._release.detach()
        pid = int(report.removeprefix("started "))
        self._release = weakref.finalize(self, _release, self._supervisor, self._control, self.owner, pid)

    def _report(self, *words: str) -> str:
        """The supervisor's report that begins with one of the words; empty if there is none yet."""
        lines = self._reports.decode("utf-8", "replace").split("\n")[:-1]
        return next((line for line in lines if line.startswith(words)), "")

    @property
    def _status(self) -> int | None:
        """The engine's exit status, or 128 plus the signal that ended it; None while it runs."""
        report = self._report("exited")
        return int(report.removeprefix("exited ")) if report else None

    def _wait_for_exit(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while self._status is None and self._control.fileno() in self._open and self._wait(deadline):
            self._unread.clear()

    def _how_it_ended(self, otherwise: str) -> str:
        """How the engine ended, or `otherwise` if it still runs. Reads the rest of its standard error."""
        self._wait_for_exit(_REPORT_SECONDS)
        if self._status is None:
            return otherwise
        if self._status > 128:
            with suppress(ValueError):
                return f"was ended by {signal.Signals(self._status - 128).name}"
        return f"ended with exit status {self._status}"


def _release(
    supervisor: subprocess.Popen[bytes], control: socket.socket, owner: int, engine: int | None = None
) -> None:
    """Makes the supervisor end the engine, and waits for it."""
    control.close()
    if owner == os.getpid():
        try:
            supervisor.wait(_SUPERVISOR_SECONDS)
        except subprocess.TimeoutExpired:
            supervisor.kill()
            supervisor.wait()
        if engine is not None and supervisor.returncode != 0:  # the supervisor failed
            with suppress(OSError):
                os.killpg(engine, signal.SIGKILL)
    else:  # in a fork, which does not own them
        supervisor.returncode = 0
    for pipe in _pipes(supervisor):
        with suppress(OSError):
            pipe.close()


def _pipes(supervisor: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    return [pipe for pipe in (supervisor.stdin, supervisor.stdout, supervisor.stderr) if pipe is not None]
