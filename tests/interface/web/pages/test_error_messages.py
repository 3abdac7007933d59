"""Pages show every error in their language."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import flipdrop
from flipdrop.errors import FlipdropError
from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.i18n import LANGUAGES, Translator, texts
from flipdrop.interface.web.jobs.factory import JobFactory
from flipdrop.interface.web.jobs.manager import JobManager
from flipdrop.interface.web.pages.error_messages import localise, message_for
from flipdrop.interface.web.pages.game_panel import status_text
from flipdrop.interface.web.pages.job_forms import parse_fields
from flipdrop.interface.web.sessions.errors import FAILURE, error_info
from flipdrop.interface.web.sessions.validation import parse_player
from flipdrop.interface.web.sessions.view import view_of
from flipdrop.options import Option
from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
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
def test_every_kind_of_error_has_a_sentence(language: str) -> None:
    names = error_classes()
    assert {"BeyondLimits", "TooManyJobs", "BadNumber", "EngineError"} <= names
    assert {f"error.{name}" for name in names} <= texts(language).keys()


def test_every_sentence_has_an_error_class() -> None:
    kinds = {key.rpartition(".")[2] for key in texts("en") if key.startswith("error.")}
    assert kinds <= error_classes() | {FAILURE, "OSError"}


def test_a_sentence_for_the_context_comes_first() -> None:
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
    assert detail


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
def test_errors_of_a_game_are_translated(tmp_path: Path, path: str) -> None:
    async def run() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=2, open_sessions=3)) as manager:
            with pytest.raises(FlipdropError) as wrong:
                PATHS[path](manager)
            assert_said_in_chinese(wrong.value)

    asyncio.run(run())


def checked(spec: str, game: Game) -> str:
    return parse_player(spec, game, ServerConfig()).spec or ""


ORDERS: dict[str, Callable[[JobFactory], object]] = {
    "too many games": lambda factory: factory.match("random", "greedy", game="othello", games=10**9),
    "one player in a tournament": lambda factory: factory.tournament(["random"], game="othello"),
    "a test that is none": lambda factory: factory.match("random", "greedy", game="othello", sprt="soon"),
    "a clock that is none": lambda factory: factory.match("random", "greedy", game="othello", clock="soon"),
    "openings from a file": lambda factory: factory.match("random", "greedy", game="othello", openings="/etc/passwd"),
    "no ladder": lambda factory: factory.ladder("random", game="othello6"),
    "an unknown player": lambda factory: factory.ladder("alphago", game="othello"),
    "a run that takes too long": lambda factory: factory.learn(game="othello6", seconds=1e9),
    "a rate that is none": lambda factory: factory.learn(game="othello6", rate=-1.0, seconds=5),
    "a population too small": lambda factory: factory.evolve(game="othello", evaluation="D", population=1, seconds=5),
    "an evaluation that cannot evolve": lambda factory: factory.evolve(game="othello", evaluation="Nine", seconds=5),
    "a model that is not there": lambda factory: factory.spec("learned:nothing", desk_game()),
    "more jobs than can run": lambda factory: factory.match("random", "greedy", game="othello"),
    "a job that is not there": lambda factory: factory.jobs.find("nothing"),
    "no whole number": lambda _: parse_fields({"games": "many"}, {"games": Option("games", int, None, "games")}),
    "no number": lambda _: parse_fields({"rate": "fast"}, {"rate": Option("rate", float, None, "learning rate")}),
}


def desk_game() -> Game:
    return flipdrop.game("othello")


@pytest.mark.parametrize("path", ORDERS)
def test_errors_of_a_job_request_are_translated(tmp_path: Path, path: str) -> None:
    factory = JobFactory(JobManager(tmp_path / "jobs", max_jobs=0), tmp_path / "games.db", checked)
    with pytest.raises(FlipdropError) as wrong:
        ORDERS[path](factory)
    assert_said_in_chinese(wrong.value)


def test_errors_of_a_computer_are_translated(tmp_path: Path) -> None:
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


def test_errors_of_an_analysis_are_translated(tmp_path: Path) -> None:
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
