"""A class: agents are checked and taken, play by themselves, and go on after a crash."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.store import Store
from flipdrop.interface.web.agents.roster import ClassError
from flipdrop.interface.web.agents.source import AgentRefused
from flipdrop.interface.web.classroom.games import placement_of, read_history
from flipdrop.interface.web.classroom.service import ClassroomService
from flipdrop.interface.web.config import ServerConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TIMEOUT = 300.0  # s, on a machine that has much else to do
FIRST = b"class First:\n    def choose(self, position):\n        return position.legal_moves[0]\n"
LAST = b"def choose(position, clock):\n    clock.limit + 1\n    return position.move_name(position.legal_moves[-1])\n"
SLOW = b"import time\ndef choose(position):\n    time.sleep(0.02)\n    return position.legal_moves[0]\n"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks often."""
    monkeypatch.setattr("flipdrop.interface.web.classroom.service._WATCH_SECONDS", 0.05)
    monkeypatch.setattr("flipdrop.interface.web.classroom.results.STANDINGS_SECONDS", 0.0)


@contextmanager
def classroom(folder: Path, *, start: bool = True) -> Iterator[ClassroomService]:
    service = ClassroomService(ServerConfig(store=folder / "games.db", allow_code=True, classroom=folder))
    if start:
        service.start()
    try:
        yield service
    finally:
        service.close()


def wait(until: Callable[[], object]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not until():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.05)


def games(folder: Path) -> dict[tuple[str, str, int], tuple[int, ...]]:
    """The moves of all games by players and number."""
    if not (folder / "games.db").exists():
        return {}
    with Store(folder / "games.db") as store:
        return {
            (game.task.first, game.task.second, game.task.number): game.moves
            for stored in store.events()
            for game in store.games(stored.id)
        }


@pytest.mark.slow
def test_class(tmp_path: Path) -> None:
    with classroom(tmp_path) as service:
        assert service.results.standings().state == "waiting"
        service.set_up(game="othello4", seconds=20, games=4)
        service.submit("Ann", FIRST, client="a")
        service.submit("Bob", LAST, client="b")
        wait(lambda: service.results.standings().state == "done")
        standings = service.results.standings()
        assert (standings.games, standings.planned) == (4, 4)
        assert [row.rank for row in standings.rows] == [1, 2]
        assert sum(row.points for row in standings.rows) == 4
        assert all(row.games == 4 and row.forfeits == 0 and row.ladder is None for row in standings.rows)

        # A new version replaces the old one, whose games stay in the store.
        before = games(tmp_path)
        assert service.submit("Ann", LAST, client="a").current.number == 2
        wait(lambda: service.results.standings().state == "done")
        after = games(tmp_path)
        assert before.items() <= after.items()
        assert {players for players in after if "agent:Ann@2" in players[:2]}
        assert len(after) == 8
        results = service.results.agent("ann")
        assert results is not None
        assert [version.number for version in results.versions] == [1, 2]
        ((name, counts, _),) = results.opponents
        assert (name, counts.total) == ("Bob", 4)
        assert len(results.lost) == counts.losses
        assert results.game == "othello4"
        with Store(tmp_path / "games.db") as store:
            for lost in results.lost:
                played = {game.task.number: game for game in store.games(lost.event)}[lost.number]
                assert (played.task.first == "agent:Ann@2") == (lost.side == "first")
                assert played.margin == (-lost.margin if lost.side == "first" else lost.margin)

        # Exports hold the same numbers.
        rows = list(csv.DictReader(io.StringIO(service.results.export("csv").decode())))
        assert [row["name"] for row in rows] == [row.name for row in service.results.standings().rows]
        assert {row["version"] for row in rows} == {"1", "2"}
        data = json.loads(service.results.export("json"))
        assert [row["rank"] for row in data["rows"]] == [1, 2]
        assert str(tmp_path) not in service.results.export("json").decode() + service.results.export("csv").decode()
        assert read_history(tmp_path, service.folder.read().settings)

        service.remove("Bob")
        assert [row.name for row in service.results.standings().rows] == ["Ann"]
        assert service.results.agent("Bob") is None
        with pytest.raises(ClassError, match="for a move"):
            service.set_up(game="othello4", seconds=0, games=4)
        with pytest.raises(ClassError, match="even number"):
            service.set_up(game="othello4", seconds=1, games=5)


@pytest.mark.slow
def test_killed(tmp_path: Path) -> None:
    """SIGKILL loses no finished game, and the class goes on by itself: first the job, then the server dies."""
    with classroom(tmp_path) as service:
        service.set_up(game="othello4", seconds=20, games=40)
        service.submit("Ann", SLOW, client="a")
        service.submit("Bob", LAST, client="b")
        wait(lambda: len(games(tmp_path)) >= 4)
        job = service._job()
        assert job is not None
        os.killpg(int((job.folder / "pid").read_text()), signal.SIGKILL)
        before = games(tmp_path)
        wait(lambda: len(games(tmp_path)) > len(before))
        assert before.items() <= games(tmp_path).items()
        service.pause(True)
        wait(lambda: not service._is_running())
        assert service.results.standings().state == "paused"
        paused = games(tmp_path)
    with classroom(tmp_path) as service:  # another server, later
        assert service.results.standings().state == "paused"
        service.set_up(game="othello4", seconds=20, games=len(paused) + len(paused) % 2 + 2)
        service.pause(False)
        wait(lambda: service.results.standings().state == "done")
        assert paused.items() <= games(tmp_path).items()
        assert service.results.standings().games == service.results.standings().planned


@pytest.mark.slow
def test_another_game(tmp_path: Path) -> None:
    """Agents are checked again for another game; one that cannot play it does not play, and says why."""
    othello_only = b"def choose(position):\n    position.discs\n    return position.legal_moves[0]\n"
    with classroom(tmp_path) as service:
        service.set_up(game="othello4", seconds=20, games=2)
        service.submit("Ann", othello_only.replace(b"position.discs", b"assert len(position.board) < 20"), client="a")
        service.submit("Bob", LAST, client="b")
        service.set_up(game="othello6", seconds=20, games=2)
        wait(lambda: all(row.refused is not None for row in service.results.standings().rows))
        refused = {row.name: row.refused for row in service.results.standings().rows}
        assert refused["Bob"] == ""
        assert "AssertionError" in (refused["Ann"] or "")
        assert "(line 2)" in (refused["Ann"] or "")


def test_placement(tmp_path: Path) -> None:
    with classroom(tmp_path, start=False) as service:
        settings = service.folder.read().settings
        placement = placement_of(settings, "agent:Ann@1")
        assert placement is not None
        assert placement.games_planned == 32
        service.set_up(game="othello6", seconds=1, games=2)
        assert placement_of(service.folder.read().settings, "agent:Ann@1") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (b"x =", "line 1: invalid syntax"),
        (b"x = 1", "defines no player"),
        (b"1/0\ndef choose(p): ...", r"ZeroDivisionError: division by zero \(line 1\)"),
        (b"def choose(p): return 99", "answered 99 in .*, which is not a legal move"),
        (b"def choose(p):\n    return {}['x']", r"KeyError: 'x' \(line 2\)"),
        (b"def choose(p): raise OSError(__file__)", r"OSError: agent\.py \(line 1\)"),
        (b"import time\ndef choose(p):\n    time.sleep(40)\n    return p.legal_moves[0]", r"took \d+\.\d s for a move"),
    ],
)
def test_refused(tmp_path: Path, code: bytes, reason: str) -> None:
    """The student reads why, without paths; the class is as it was."""
    with classroom(tmp_path, start=False) as service:
        service.set_up(game="othello4", seconds=0.2 if b"sleep" in code else 20, games=2)
        before = service.folder.read()
        with pytest.raises(AgentRefused, match=reason) as refused:
            service.submit("Ann", code, client="a")
        assert str(tmp_path) not in str(refused.value)
        assert service.folder.read() == before
        assert not list(tmp_path.rglob("agent.py"))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["othello", "connect4"])
def test_example(tmp_path: Path, game: str) -> None:
    """The example that the page offers is taken."""
    from flipdrop.interface.web.pages.classroom import EXAMPLE

    with classroom(tmp_path, start=False) as service:
        service.set_up(game=game, seconds=20, games=2)
        assert service.submit("Ann", EXAMPLE.encode(), client="a").current.player == "MyAgent"
