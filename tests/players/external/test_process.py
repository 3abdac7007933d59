"""Engines that misbehave: the error names the engine, comes in time, and no process stays behind."""

from __future__ import annotations

import os
import time
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from flipdrop import Othello
from flipdrop.errors import PlayerError
from flipdrop.players import Clock, SpecPlayer, checked_move, player
from flipdrop.players.external.external_player import GRACE
from flipdrop.players.external.process import EngineError, EngineProcess
from tests.players.external.engines import all_gone, engine, processes

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 0.3  # where it is what ends the waiting
BUSY = 15.0  # s that a busy machine may take on top of it all, to start an engine and to end it

IGNORE_SIGNALS = "for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(number, signal.SIG_IGN)"
FORK = f"""
if os.fork() == 0:
    {IGNORE_SIGNALS}
    time.sleep(1000)
"""
DETACH = f"""
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        {IGNORE_SIGNALS}
        time.sleep(1000)
    os._exit(0)
"""

# What the engine does instead of answering, and the message about it.
WRONG = {
    "crash": (
        "sys.stderr.write('no memory\\nfor this'); sys.exit(3)",
        "ended with exit status 3.*no memory \\| for this",
    ),
    "segmentation fault": ("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by SIGSEGV"),
    "exception": ("raise RuntimeError('so much for that')", "exit status 1.*RuntimeError: so much for that"),
    "closed output": ("os.close(1); time.sleep(1000)", "closed its output"),
    "closed everything": ("os.close(0); os.close(1); os.close(2); time.sleep(1000)", "closed its output"),
    "silence": ("time.sleep(1000)", "did not answer .* in time"),
    "busy loop": ("while True: pass", "did not answer .* in time"),
    "stopped": ("os.kill(os.getpid(), signal.SIGSTOP)", "did not answer .* in time"),
    "endless line": ("while True: sys.stdout.write('x' * 10000)", "prints a line of more than 64 KB"),
    "zero bytes": ("while True: os.write(1, bytes(10000))", "prints a line of more than 64 KB"),
    "endless slow line": ("while True: sys.stdout.write('x'); sys.stdout.flush(); time.sleep(.01)", "in time"),
    "loud and silent": ("while True: os.write(2, b'so many words' * 5000)", "in time.*so many words"),
    "ignores everything": (f"{IGNORE_SIGNALS}\ntime.sleep(1000)", "in time"),
    "forks": (f"{FORK}\ntime.sleep(1000)", "in time"),
    "forks and crashes": (f"{FORK}\nos._exit(9)", "ended with exit status 9"),
    "forks detached children": (f"{DETACH}\ntime.sleep(1000)", "in time"),
    "forks detached children and crashes": (f"{DETACH}\nos._exit(9)", "ended with exit status 9"),
    "kills its supervisor": ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(1000)", "closed its output"),
}
WRONG_GTP = {
    **WRONG,
    "garbage": ("print('Thinking about it', flush=True)", "answered 'Thinking about it' to 'genmove black'"),
    "binary garbage": ("os.write(1, b'\\xff\\xfe\\x00\\x9f\\n')", "begins with = or ?"),
    "half an answer": (
        "sys.stdout.write('= d3\\n'); sys.stdout.flush()",
        "did not answer .* in time; its last line was '= d3'",
    ),
    "endless answer": (
        "sys.stdout.write('= d3\\n')\nwhile True: sys.stdout.write('x\\n' * 5000)",
        "with more than 1000 lines",
    ),
    "endless empty lines": ("while True: sys.stdout.write('\\n' * 9000)", "prints more than 8 MB|in time"),
    "illegal move": ("answer('a1')", "answered 'a1' .* not a legal move; legal: d3 c4 f5 e6"),
    "no move": ("answer('maybe')", "answered 'maybe' .* no move"),
    "no answer in the answer": ("answer()", "answered '' .* no move"),
    "a pass too many": ("answer('pass')", "'pass' .* not a legal move"),
    "resignation": ("answer('resign')", "resigned"),
    "refusal": ("print('? I do not want to\\n', flush=True)", "refused 'genmove black': I do not want to"),
    "refusal without a reason": ("print('?\\n', flush=True)", "refused 'genmove black': no reason given"),
}
WRONG_NBOARD = {
    **WRONG,
    "garbage": ("print('Thinking about it', flush=True)", "in time; its last line was 'Thinking about it'"),
    "endless lines": ("while True: sys.stdout.write('status x\\n' * 999)", "prints more than 8 MB|in time"),
    "slow endless lines": (
        "while True: print('status', flush=True); time.sleep(.01)",
        "in time.*last line was 'status'",
    ),
    "illegal move": ("print('=== A1/0/0', flush=True)", "answered '=== A1/0/0' .* legal: d3 c4 f5 e6"),
    "no move": ("print('=== maybe', flush=True)", "no move"),
    "no answer in the answer": ("print('===', flush=True)", "no move"),
}


def limits(reason: str) -> str:
    """The options of an engine that fails for a reason: time is short only where the test waits for its end."""
    return f"[name=Bad,timeout={TIMEOUT}]" if "in time" in reason else "[name=Bad,timeout=60]"


def check_failure(failing: SpecPlayer, reason: str, folder: Path, *, within: float, clock: Clock | None = None) -> None:
    """It fails for the reason, by its name, in time, and leaves nothing behind."""
    began = time.monotonic()
    with pytest.raises(PlayerError, match=f"(?s)^{failing.name} .*{reason}"):
        checked_move(failing, Othello(), clock)
    assert time.monotonic() - began < within + GRACE + BUSY
    assert processes(folder) == []


@pytest.mark.slow
@pytest.mark.parametrize("fault_name", WRONG_GTP)
def test_faults_of_a_gtp_engine(fault_name: str, tmp_path: Path) -> None:
    fault, reason = WRONG_GTP[fault_name]
    bad = player(f"gtp{limits(reason)}:{engine(tmp_path, fault)}")
    check_failure(bad, reason, tmp_path, within=TIMEOUT)


@pytest.mark.slow
@pytest.mark.parametrize("fault_name", WRONG_NBOARD)
def test_faults_of_an_nboard_engine(fault_name: str, tmp_path: Path) -> None:
    fault, reason = WRONG_NBOARD[fault_name]
    bad = player(f"nboard{limits(reason)}:{engine(tmp_path, fault, when='go', kind='nboard')}")
    check_failure(bad, reason, tmp_path, within=TIMEOUT)


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault_name", "when"),
    [
        (fault_name, when)
        for fault_name in ("crash", "silence", "garbage", "refusal", "endless line")
        for when in ("known_command", "clear_board", "play")
        if (fault_name, when) != ("refusal", "known_command")  # which only means that it knows no private commands
    ],
)
def test_fault_at_any_command(fault_name: str, when: str, tmp_path: Path) -> None:
    fault, _ = WRONG_GTP[fault_name]
    command = engine(tmp_path, fault, when=when)
    startup = 3 if fault_name == "silence" and when == "known_command" else 60  # it has to start first
    bad = player(f"gtp[name=Bad,timeout={TIMEOUT if fault_name == 'silence' else 60},startup={startup}]:{command}")
    began = time.monotonic()
    with pytest.raises(PlayerError, match=rf"^Bad (.*'{when}[ ']|prints a line)"):
        bad.choose(Othello().play("f5").play("d6"))
    assert time.monotonic() - began < startup + GRACE + BUSY
    assert processes(tmp_path) == []


def test_an_answer_without_a_command(tmp_path: Path) -> None:
    bad = player(f"gtp[name=Bad]:{engine(tmp_path, 'answer(); answer()', when='clear_board')}")
    with pytest.raises(PlayerError, match=r"Bad (sent '= ' without a command|answered '' .* which is no move)"):
        bad.choose(Othello())
    assert processes(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("sys.stderr.write('the book is missing'); sys.exit(2)", "ended with exit status 2 .*the book is missing"),
        ("time.sleep(1000)", "did not answer 'known_command .* in time"),
        ("print('Welcome to Bad 1.0!', flush=True)", "Welcome to Bad 1.0!"),
        ("while True: print('Welcome!')", "Welcome!"),
    ],
    ids=["ends", "sleeps", "greets", "greets for ever"],
)
def test_engine_that_does_not_start(before: str, reason: str, tmp_path: Path) -> None:
    startup = 3 if "in time" in reason else 60
    bad = player(f"gtp[name=Bad,startup={startup}]:{engine(tmp_path, before=before)}")
    check_failure(bad, reason, tmp_path, within=startup)


def test_a_program_that_cannot_be_run(tmp_path: Path) -> None:
    plain, broken = tmp_path / "plain.txt", tmp_path / "broken"
    plain.write_text("hello")
    broken.write_text("neither a script nor a program")
    broken.chmod(0o755)
    for program, reason in [
        ("/no/such/engine", "No such file"),
        ("no-such-engine", "No such file"),
        (str(plain), "Permission denied"),
        (str(tmp_path), "Permission denied"),
        (str(broken), "Exec format error"),
    ]:
        check_failure(player(f"gtp[name=Bad]:{program}"), f"cannot be started: .*{reason}", tmp_path, within=0)
    nowhere = player(f"gtp[name=Bad,folder={tmp_path / 'nowhere'}]:cat")
    check_failure(nowhere, "cannot be started in the folder .*nowhere.*No such file", tmp_path, within=0)


@pytest.mark.slow
@pytest.mark.parametrize("clock", [Clock(move_limit=0.3), Clock(remaining=0.3), Clock(remaining=60, move_limit=0.3)])
def test_clock_limits_the_wait(clock: Clock, tmp_path: Path) -> None:
    bad = player(f"gtp[name=Bad]:{engine(tmp_path, 'time.sleep(1000)')}")
    bad.set_history(Othello(), [])  # type: ignore[attr-defined]
    check_failure(bad, "did not answer 'genmove black' in time", tmp_path, within=0.3, clock=clock)


def test_new_process_after_a_failure(tmp_path: Path) -> None:
    once = f"""
if os.path.exists({str(tmp_path / "failed")!r}):
    answer("d3")
else:
    open({str(tmp_path / "failed")!r}, "w").close()
    os._exit(1)
"""
    bad = player(f"gtp[name=Bad]:{engine(tmp_path, once)}")
    with pytest.raises(PlayerError, match="exit status 1"):
        bad.choose(Othello())
    assert Othello().move_name(bad.choose(Othello())) == "d3"
    bad.close()
    assert processes(tmp_path) == []


def test_long_standard_error(tmp_path: Path) -> None:
    long_output = "for _ in range(300): os.write(2, b'x' * 65536)\nanswer('d3')"
    bad = player(f"gtp:{engine(tmp_path, long_output)}")
    bad.set_history(Othello(), [])  # type: ignore[attr-defined]
    tracemalloc.start()
    try:
        assert Othello().move_name(bad.choose(Othello())) == "d3"
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
    bad.close()


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gtp", "nboard"])
@pytest.mark.parametrize("before", ["", IGNORE_SIGNALS], ids=["willing", "unwilling"])
@pytest.mark.parametrize("quit_does", ["sys.exit()", "time.sleep(1000)", "sys.stdout.write('x' * 200000)"])
def test_close_ends_the_engine(kind: str, before: str, quit_does: str, tmp_path: Path) -> None:
    command = engine(tmp_path, quit_does, when="quit", before=before, kind=kind)
    closed = player(f"{kind}:{command}")
    closed.choose(Othello())
    assert len(processes(tmp_path)) == 2  # the engine and its supervisor
    began = time.monotonic()
    closed.close()
    assert time.monotonic() - began < BUSY
    assert processes(tmp_path) == []
    closed.close()  # once more is as good as once
    closed.choose(Othello())
    closed.close()


def test_engine_ends_with_its_player(tmp_path: Path) -> None:
    forgotten = player(f"gtp:{engine(tmp_path)}")
    forgotten.choose(Othello())
    assert processes(tmp_path)
    del forgotten
    assert all_gone(tmp_path, within=BUSY)


@pytest.mark.timing
def test_an_engine_that_does_not_read(tmp_path: Path) -> None:
    script = engine(tmp_path, before="time.sleep(1000)").split()
    process = EngineProcess(script, deadline=time.monotonic() + 10)
    try:
        began = time.monotonic()
        with pytest.raises(EngineError, match="does not read its input"):
            process.send("x" * 10**6, began + 0.5)
        assert time.monotonic() - began < 0.5 + BUSY
    finally:
        process.end()
    assert processes(tmp_path) == []
    with pytest.raises(EngineError, match="closed its input"):
        process.send("hello?", time.monotonic() + 1)


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - the directory itself would be one

    good, bad = player(f"gtp:{engine(tmp_path)}"), player("gtp:/no/such/engine")
    good.choose(Othello())
    good.close()
    before = count()
    for _ in range(3):
        good.choose(Othello())
        good.close()
        with pytest.raises(PlayerError, match="cannot be started"):
            bad.choose(Othello())
    assert count() == before
