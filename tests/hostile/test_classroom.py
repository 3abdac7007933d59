"""Uploads that try to do harm: the class, its server and its other agents go on."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop import game
from flipdrop.interface.web.agents.checking import check_agent
from flipdrop.interface.web.agents.code import MEGABYTES, PROCESSES, AgentCode
from flipdrop.interface.web.agents.roster import ClassError
from flipdrop.interface.web.agents.source import MAX_BYTES, AgentRefused
from flipdrop.interface.web.classroom.service import ClassroomService
from flipdrop.interface.web.config import ServerConfig
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from pathlib import Path

FIRST = b"def choose(position):\n    return position.legal_moves[0]\n"


@pytest.fixture
def service(tmp_path: Path) -> ClassroomService:
    """Not started: nothing plays."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "mine.py").write_bytes(FIRST)
    (tmp_path / "secret.py").write_bytes(FIRST)
    folder = tmp_path / "class"
    config = ServerConfig(store=folder / "games.db", allow_code=True, agents=tmp_path / "agents", classroom=folder)
    service = ClassroomService(config)
    service.set_up(game="othello4", seconds=20, games=2)
    return service


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(pid)


@pytest.mark.parametrize(
    "name",
    ["../../x", "/etc/passwd", "..", "a/../b", "<script>alert(1)</script>", "x\0y", "a" * 10_000, "con:x", "\u202e"],
)
def test_names(service: ClassroomService, tmp_path: Path, name: str) -> None:
    with pytest.raises(ClassError):
        service.submit(name, FIRST, client="a")
    assert not list(tmp_path.rglob("agent.py"))


@pytest.mark.parametrize("file", ["../secret.py", "secret.py", "/etc/passwd", "", "mine.py\0", "."])
def test_files_outside_of_the_folder(service: ClassroomService, file: str) -> None:
    assert service.files == ("mine.py",)
    with pytest.raises(ClassError, match="no file"):
        service.submit("Ann", file, client="a")


@pytest.mark.slow
def test_file_of_the_folder(service: ClassroomService) -> None:
    assert service.submit("Ann", "mine.py", client="a").current.number == 1


def test_huge_file(service: ClassroomService) -> None:
    with pytest.raises(AgentRefused, match="at most"):
        service.submit("Ann", b"#" * (MAX_BYTES + 1), client="a")


@pytest.mark.slow
def test_endless_import(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_bytes(b"while True: pass\n" + FIRST)
    agent = AgentCode("Ann", str(tmp_path), "agent.py:choose")
    with pytest.raises(AgentRefused, match="not loaded within 1 s"):
        check_agent(agent, game("othello4"), seconds=20, load_seconds=1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "child = os.fork()\nif child == 0: time.sleep(3600)",
        "child = os.fork()\nif child == 0:\n    os.setsid()\n    time.sleep(3600)",
    ],
)
def test_fork(service: ClassroomService, tmp_path: Path, body: str) -> None:
    """What an agent leaves behind ends with its check."""
    pid = tmp_path / "pid"
    code = f"import os, time\n{body}\nopen({str(pid)!r}, 'w').write(str(child))\n".encode() + FIRST
    service.submit("Ann", code, client="a")
    assert gone(int(pid.read_text()))


@pytest.mark.slow
def test_limits_of_the_process(service: ClassroomService) -> None:
    code = (
        "import resource\n"
        f"assert resource.getrlimit(resource.RLIMIT_DATA)[0] == {MEGABYTES} * 2**20\n"
        "import glob, os\n"
        "tasks = len([t for t in glob.glob('/proc/[0-9]*/task/*')])\n"
        f"assert resource.getrlimit(resource.RLIMIT_NPROC)[0] <= tasks + 2 * {PROCESSES} + 1000\n"
    )
    service.submit("Ann", code.encode() + FIRST, client="a")
    with pytest.raises(AgentRefused, match="MemoryError"):
        service.submit("Bob", b"def choose(p):\n    return len(bytearray(2**31))", client="b")


@pytest.mark.slow
def test_output_cannot_break_the_page(service: ClassroomService) -> None:
    """Errors are shown as text, on one line, of limited length."""
    code = b"def choose(p):\n    print('<script>' * 100000)\n    raise ValueError('<script>alert(1)</script>\\n' * 99)"
    with pytest.raises(AgentRefused) as refused:
        service.submit("Ann", code, client="a")
    message = str(refused.value)
    assert len(message) < 1500
    assert "\n" not in message
    service.submit("Ann", FIRST, client="a")
    service.folder.record_check("Ann", 1, "othello4", message)
    standings = service.results.standings()
    page = render("class_agents", t=Translator("en"), standings=standings, url=str)
    assert "&lt;script&gt;" in page
    assert "<script>" not in page


@pytest.mark.slow
def test_name_of_another(service: ClassroomService) -> None:
    service.submit("Ann", FIRST, client="a")
    for name in ("Ann", "ANN", "Ａｎｎ", " Ann "):  # full-width letters look alike
        with pytest.raises(ClassError, match="another browser"):
            service.submit(name, FIRST, client="b")
