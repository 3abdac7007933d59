"""SIGTERM ends every command as Ctrl-C does: what it has is saved, it says so, and its exit status is 143."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flipdrop.arena.store import Store
from flipdrop.interface.termination import Terminated, sigterm_interrupts
from tests.interface.cli.support import run_here

NEVER_ENDS = {
    "match": ["match", "iterative:depth=60", "random", "--store", "games.db"],
    "tournament": ["tournament", "iterative:depth=60", "perfect", "random", "--no-store"],
    "ladder": ["ladder", "iterative:depth=60", "--no-store"],
    "sweep": ["sweep", "alphabeta", "--option", "depth=50:51:1", "--against", "random", "--no-store"],
    "tune": ["tune", "alphabeta", "--option", "depth=50:60:int", "--against", "random", "--no-store"],
    "learn": ["learn", "q", "othello4", "--minutes", "60", "--out", "q.table", "--no-store"],
    "evolve": ["evolve", "othello", "--minutes", "60", "--out", "e.weights", "--no-store"],
    "train": ["train", "connect4", "--minutes", "60", "--out", "n.onnx", "--no-store"],
    "experiment": ["experiment", "all", "--no-store"],
    "book": ["book", "othello", "--positions", "100000", "--depth", "20", "--out", "my.book"],
    "solve": ["solve", "othello", "--no-book"],
    "dataset": ["dataset", "--self-play", "random", "--games", "2", "--label", "exact", "--empties", "50-60"],
    "review": ["review", "othello", "f5f6e6f4g6d7c3c5d3g4c6c4", "--time", "600"],
    "saiblo": ["saiblo", "engine", "--against", "engine:threads=1", "--seconds", "600", "--no-store"],
    "botzone": ["botzone"],
    "analyse": ["analyse", "othello", "--time", "3600", "--player", "iterative:depth=60"],
    "puzzles": ["puzzles", "othello", "--count", "10000", "--level", "5"],
    "perft": ["perft", "othello", "40"],
    "play": ["play", "othello", "--against", "iterative:depth=60"],
    "convert": ["convert", "-", "out.ggf", "--from", "ggf"],
    "gtp": ["gtp"],
    "nboard": ["nboard"],
    "serve": ["serve", "--no-open", "--store", "games.db", "--port", "{port}"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NEVER_ENDS)
def test_sigterm(name: str, tmp_path: Path) -> None:
    from tests.interface.web.test_run import free_port

    command = [argument.format(port=free_port()) for argument in NEVER_ENDS[name]]
    environment = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}  # for NiceGUI
    with subprocess.Popen(
        [sys.executable, "-m", "flipdrop", *command],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,  # open and silent: a command that reads it waits
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            wait_for_handler(process.pid)
            time.sleep(1.5)  # at any time after the handler is there, the command has to end
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        finally:
            process.kill()
        output, error = process.communicate()
    assert process.returncode == 143, error
    assert "Traceback" not in error
    # A game in the terminal ends with its moves; before the game has begun, the command says that it stopped.
    assert "stopped" in error or (name == "play" and "Moves: " in output)
    if name == "match":
        with Store(tmp_path / "games.db") as store:
            assert len(list(store.events())) <= 1  # whole, and can be resumed


def wait_for_handler(process: int) -> None:
    """Waits until a process handles SIGTERM: before, while Python imports, the signal simply ends it."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():  # not Linux
        time.sleep(5)
        return
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt:"))
        if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.02)
    raise AssertionError("SIGTERM is not handled")


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.default_int_handler])
def test_raised_where_ctrl_c_would_be(handler: signal.Handlers) -> None:
    before = signal.signal(signal.SIGINT, handler)
    term = signal.getsignal(signal.SIGTERM)
    try:
        with sigterm_interrupts() as termination:
            assert [termination.status(status) for status in (0, 1, 2, 130)] == [0, 1, 2, 130]
            with pytest.raises(Terminated):
                signal.raise_signal(signal.SIGTERM)
        assert [termination.status(status) for status in (0, 1, 2, 130)] == [143, 1, 2, 143]
        assert signal.getsignal(signal.SIGTERM) is term
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("where", ["typer.core.TyperGroup.make_context", "flipdrop.interface.cli.app"])
def test_interrupted_before_a_command_begins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupt)
    assert run_here(capsys, "players") == (130, "", "stopped\n")
