"""Runs commands as a person or a program does: as processes, in this process, and at a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from functools import partial
from typing import Any

import pytest

from flipdrop.interface.cli import main

STOPPED = (130, -signal.SIGINT)
"""Exit statuses after Ctrl-C. A shell reports 130 for both: Python ends by the signal itself if Ctrl-C comes while an
import executes a string, as dataclasses do, even though the command handles it."""

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def flipdrop(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flipdrop", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=300, check=False)


def stdout_of(*arguments: str, stdin: str = "") -> str:
    done = flipdrop(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def json_of(*arguments: str) -> Any:
    return json.loads(stdout_of(*arguments, "--json"))


def run_here(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Runs a command in this process, which is quicker: its status, standard output and standard error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["flipdrop", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
    captured = capsys.readouterr()
    return int(left.value.code or 0), captured.out, captured.err


def check_usage_error(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected_error: str) -> None:
    """A mistake is one line on standard error, and exit status 2."""
    status, out, error = run_here(capsys, *arguments)
    assert (status, out) == (2, "")
    assert expected_error in error
    assert error.startswith("flipdrop: ")
    assert error.count("\n") == 1


class Terminal:
    """A person at a keyboard: types lines, reads the screen."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "flipdrop", *arguments]
        # A test runner in the background ignores Ctrl-C, and children inherit that: a person's shell does not.
        hear_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, preexec_fn=hear_ctrl_c, env=environment
        )
        os.close(slave)
        self.raw = ""
        self.seen = 0

    @property
    def screen(self) -> str:
        """What was shown and not read yet, without colours."""
        return _ESCAPES.sub("", self.raw)[self.seen :]

    def read_until(self, text: str) -> str:
        """What was shown since the last call, up to and including `text`."""
        deadline = time.monotonic() + 120
        while text not in self.screen:
            assert time.monotonic() < deadline, f"waited in vain for {text!r} after {self.screen!r}"
            self._read()
        seen = self.screen[: self.screen.index(text) + len(text)]
        self.seen += len(seen)
        return seen

    def _read(self) -> bool:
        if not select.select([self.master], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.master, 4096)
        except OSError:  # the other end is closed
            return False
        self.raw += data.decode(errors="replace")
        return bool(data)

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\n")

    def ask(self, line: str) -> str:
        """Types a line and gives what was shown before the next prompt."""
        self.type(line)
        return self.read_until("Your move: ")

    def close(self) -> int:
        """Reads the rest, until the program ends."""
        deadline = time.monotonic() + 120
        while self._read() and self.process.poll() is None:
            assert time.monotonic() < deadline, f"still running after {self.screen!r}"
        while self._read() and select.select([self.master], [], [], 0)[0]:
            pass
        status = self.process.wait(timeout=30)
        os.close(self.master)
        return status
