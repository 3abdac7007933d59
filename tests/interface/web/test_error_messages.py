"""Pages show every error in their language."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import flipdrop
from flipdrop.errors import FlipdropError
from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.error_messages import localise, localise_detail, message_for
from flipdrop.interface.web.i18n import LANGUAGES, Translator, texts
from flipdrop.interface.web.jobs.manager import JobManager
from flipdrop.interface.web.jobs.requests import LearnRequest, MatchRequest
from flipdrop.interface.web.jobs.service import JobService
from flipdrop.interface.web.pages.game_panel import status_text
from flipdrop.interface.web.pages.job_forms import parse_field
from flipdrop.interface.web.sessions.errors import FAILURE, error_info
from flipdrop.interface.web.sessions.view import view_of
from flipdrop.players import player
from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.sessions.manager import SessionManager

CHINESE = re.compile("[\u4e00-\u9fff]")
OF_THE_KERNEL = {"IllegalMove", "IllegalPosition"}


@cache
def error_classes() -> set[str]:
    """The names of all errors of flipdrop's that are not private to a module."""
    bases: dict[str, set[str]] = {name: {"FlipdropError"} for name in OF_THE_KERNEL}
    for path in Path(flipdrop.__file__).parent.rglob("*.py"):
        for name, of in re.findall(r"^class (\w+)\(([\w, ]+)\):", path.read_text(encoding="utf-8"), re.MULTILINE):
            bases.setdefault(name, set()).update(of.split(", "))
    found = {"FlipdropError"}
    while more := {name for name, of in bases.items() if of & found} - found:
        found |= more
    return {name for name in found if not name.startswith("_")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_has_a_text(language: str) -> None:
    names = error_classes()
    assert {"BeyondLimits", "TooManyJobs", "BadNumber", "EngineError"} <= names
    assert {f"error.{name}" for name in names} <= texts(language).keys()


def test_every_text_has_an_error() -> None:
    kinds = {key.rpartition(".")[2] for key in texts("en") if key.startswith("error.")}
    assert kinds <= error_classes() | {FAILURE, "OSError"}


def test_details() -> None:
    t = Translator("zh")
    assert localise_detail(t, "d3 for white; legal: f4 d6") == "白方不能走 d3；可走：f4 d6"
    assert localise_detail(t, "games: enter a whole number, not 'many'") == "局数：请填写整数，而不是“many”"
    assert localise_detail(t, "a message without translation") == "a message without translation"
    assert localise_detail(Translator("en"), "there is nothing to take back") == "there is nothing to take back"


def test_context() -> None:
    t = Translator("en")
    assert message_for(t, "PlayerError", "game") != message_for(t, "PlayerError")
    assert message_for(t, "PlayerError", "nowhere") == message_for(t, "PlayerError")
    assert message_for(t, "NewError") == t("error.FlipdropError")
    assert localise(t, FileNotFoundError(2, "No such file", "x.db"))[1] == "x.db: No such file"


def assert_said_in_chinese(error: Exception) -> None:
    short, detail = localise(Translator("zh"), error)
    assert CHINESE.search(short)
    assert not re.search("[a-z]", short)
    assert short != Translator("zh")("error.FlipdropError")  # it says more than that
    assert CHINESE.search(detail)
    assert "Input should" not in str(error)  # pydantic's words
    assert "Value error" not in str(error)


PATHS: dict[str, Callable[[SessionManager], object]] = {
    "a move that is not allowed": lambda manager: manager.new("othello").play("a1"),
    "a move of another's turn": lambda manager: manager.new("othello", first="level:1", paused=True).play("f5"),
    "a move on a board that has changed": lambda manager: manager.new("othello").play("f5", cursor=3),
    "a move after the end": lambda manager: manager.new("connect4", position="1212121").play("4"),
    "nothing to take back": lambda manager: manager.new("othello").undo(),
    "taking back with a clock": lambda manager: manager.new("othello", position="f5d6", clock="60").undo(),
    "resigning twice": lambda manager: manager.new("connect4", position="1212121").resign(),
    "a place that is not in the record": lambda manager: manager.new("othello").jump(9),
    "a pace that is none": lambda manager: manager.new("othello").set_pace(-1),
    "an unknown game": lambda manager: manager.new("chess"),
    "a board too large": lambda manager: manager.new("connect4:40x40"),
    "a transcript with a wrong move": lambda manager: manager.new("othello", position="f5f5"),
    "a text that is none": lambda manager: manager.new("othello", position="hello!"),
    "a text too long": lambda manager: manager.new("othello", position="f5" * 9000),
    "a game in GGF that is broken": lambda manager: manager.new("othello", position="(;GM[Othello]BO[8 nonsense];)"),
    "a board that no game can reach": lambda manager: manager.new("connect4", position="XXXXXX-/" * 5 + "XXXXXXX X"),
    "an unknown player": lambda manager: manager.new("othello", second="alphago"),
    "a player with an unknown option": lambda manager: manager.new("othello", second="mcts:speed=9"),
    "a player from a file": lambda manager: manager.new("othello", second="agent.py:Agent"),
    "a player that takes too long": lambda manager: manager.new("othello", second="mcts:seconds=1000"),
    "a player that takes too much memory": lambda manager: manager.new("othello", second="iterative:table=9999"),
    "a player for the other game": lambda manager: manager.new("othello", second="mcts:decisive=tree"),
    "an unknown evaluation": lambda manager: manager.analysis.start(manager.new("othello"), evaluation="Nine"),
    "an evaluation of the other game": lambda manager: manager.analysis.start(
        manager.new("othello"), evaluation="lines"
    ),
    "an analysis that takes too long": lambda manager: manager.analysis.start(manager.new("othello"), seconds=1e6),
    "a review of nothing": lambda manager: manager.analysis.review(manager.new("othello")),
    "a game that is not there": lambda manager: manager.find("nothing"),
    "more games than there is room for": lambda manager: [
        manager.new("othello").subscribe(lambda _: None) for _ in range(2 * manager.limits.open_sessions + 1)
    ],
}


@pytest.mark.parametrize("path", PATHS)
def test_session_errors(tmp_path: Path, path: str) -> None:
    async def run() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=2, open_sessions=3)) as manager:
            with pytest.raises(FlipdropError) as wrong:
                PATHS[path](manager)
            assert_said_in_chinese(wrong.value)

    asyncio.run(run())


MATCH = {"kind": "match", "game": "othello", "first": "random", "second": "greedy"}
LEARN = {"kind": "learn", "game": "othello6", "seconds": 5}
EVOLVE = {"kind": "evolve", "game": "othello", "evaluation": "D", "seconds": 5}
REQUESTS: dict[str, dict[str, Any]] = {
    "too many games": MATCH | {"games": 10**9},
    "one player in a tournament": {"kind": "tournament", "game": "othello", "players": ["random"]},
    "bad test": MATCH | {"sprt": "soon"},
    "bad clock": MATCH | {"clock": "soon"},
    "openings from a file": MATCH | {"openings": "/etc/passwd"},
    "no ladder": {"kind": "ladder", "game": "othello6", "player": "random"},
    "unknown player": {"kind": "ladder", "game": "othello", "player": "alphago"},
    "unknown model": MATCH | {"first": "learned:nothing"},
    "too many seconds": LEARN | {"seconds": 1e9},
    "bad rate": LEARN | {"rate": -1.0},
    "small population": EVOLVE | {"population": 1},
    "evaluation that cannot evolve": EVOLVE | {"evaluation": "Nine"},
    "games that are no number": MATCH | {"games": parse_field(MatchRequest, "games", "many")},
    "rate that is no number": LEARN | {"rate": parse_field(LearnRequest, "rate", "fast")},
    "no number of games": MATCH | {"games": parse_field(MatchRequest, "games", " ")},
    "too many jobs": MATCH,
}


@pytest.mark.parametrize("settings", REQUESTS.values(), ids=REQUESTS.keys())
def test_request_errors(tmp_path: Path, settings: dict[str, Any]) -> None:
    service = JobService(ServerConfig(store=tmp_path / "games.db"))
    service.manager.max_jobs = 0
    with pytest.raises(FlipdropError) as wrong:
        service.start_form(settings["kind"], settings)
    assert_said_in_chinese(wrong.value)


def test_unknown_job() -> None:
    with pytest.raises(FlipdropError) as wrong:
        JobManager("none").find("nothing")
    assert_said_in_chinese(wrong.value)


def test_computer_errors(tmp_path: Path) -> None:
    """An error of a player, and one of the program itself, whose details go to the log."""
    agent = tmp_path / "agent.py"
    agent.write_text("class Agent:\n    def choose(self, position):\n        raise RuntimeError('lost my way')\n")

    async def run() -> None:
        async with running_manager(tmp_path, allow_code=True) as manager:
            session = manager.new("othello", first=f"{agent}:Agent")
            await until(lambda: session.error)
            view = view_of(session)
            assert view.error is not None
            assert "lost my way" in view.error.message
            said, _ = status_text(Translator("zh"), view)
            assert said == Translator("zh")("error.game.PlayerError")
            session.set_error(error_info(ZeroDivisionError("division by zero"), "the computer failed; see the log"))
            view = view_of(session)
            assert view.error is not None
            assert view.error.message == "the computer failed; see the log"
            assert status_text(Translator("zh"), view)[0] == Translator("zh")("error.game.Failure")
            assert CHINESE.search(status_text(Translator("zh"), view)[0])

    asyncio.run(run())


def test_analysis_errors(tmp_path: Path) -> None:
    async def run() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=1, waiting=0)) as manager:
            session = manager.new("othello", position="f5d6")
            manager.analysis.start(session)
            manager.analysis.review(session)
            for found in (session.analysis, session.review):
                assert found is not None
                assert found.done
                assert found.error is not None
                assert CHINESE.search(message_for(Translator("zh"), found.error.kind, "analysis"))
                assert "searches wait already" in found.error.message
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello")
            manager.analysis.start(session, "random")
            await until(lambda: session.analysis and session.analysis.error)
            assert session.analysis is not None
            assert session.analysis.error is not None
            assert message_for(Translator("zh"), session.analysis.error.kind, "analysis") == "这个棋手不能用于分析。"

    asyncio.run(run())


def test_list_of_players_in_chinese() -> None:
    with pytest.raises(FlipdropError) as caught:
        player("mcst")
    detail = localise_detail(Translator("zh"), str(caught.value))
    assert detail.startswith("没有棋手“mcst”，是否想用 mcts？")
    assert "level:1 至 level:10" in detail
    assert "such as" not in detail
