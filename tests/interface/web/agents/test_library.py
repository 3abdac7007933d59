"""Agents by name: those of a folder and of a class, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop import game
from flipdrop.errors import PlayerError
from flipdrop.interface.web.agents.library import agent_name, agents_by_name, files_of, find_agent, pinned
from flipdrop.interface.web.agents.roster import RosterFolder
from flipdrop.interface.web.clients import client_of
from flipdrop.interface.web.config import ServerConfig
from flipdrop.interface.web.validation import parse_player

if TYPE_CHECKING:
    from pathlib import Path

FIRST = "class First:\n    def choose(self, position):\n        return position.legal_moves[0]\n"


@pytest.fixture
def config(tmp_path: Path) -> ServerConfig:
    agents = tmp_path / "agents"
    agents.mkdir()
    (agents / "one.py").write_text(FIRST)
    (agents / "two.py").write_text(FIRST + FIRST.replace("First", "Second"))
    (agents / "broken.py").write_text("class")
    (agents / "none.py").write_text("x = 1")
    (agents / "text.txt").write_text(FIRST)
    (tmp_path / "secret.py").write_text(FIRST)
    classroom = tmp_path / "class"
    folder = RosterFolder(classroom)
    folder.read()
    code = tmp_path / "sent.py"
    code.write_text(FIRST)
    folder.add("Ann", "client", "First", code, "othello")
    return ServerConfig(store=tmp_path / "games.db", allow_code=True, agents=agents, classroom=classroom)


def test_names(config: ServerConfig) -> None:
    assert agents_by_name(config) == {
        "agent:Ann@1": "Ann", "agent:one": "one", "agent:two.First": "two.First", "agent:two.Second": "two.Second",
    }  # fmt: skip
    assert list(files_of(config.agents)) == ["broken.py", "none.py", "one.py", "two.py"]
    assert agents_by_name(ServerConfig(store=config.store)) is None


def test_play(config: ServerConfig) -> None:
    for spec in ("agent:one", "agent:Ann@1"):
        agent = find_agent(spec, config)
        assert agent is not None
        player = agent.player()
        try:
            assert player.choose(game("othello").start()) == game("othello").start().legal_moves[0]
            assert player.name == spec[6:].partition("@")[0]
        finally:
            player.close()


def test_pinned(config: ServerConfig) -> None:
    """A game goes on with the version that it began with."""
    assert pinned("agent:Ann@1", config) == "agent:Ann@1"
    view = parse_player("agent:one", game("othello"), config)
    assert (view.spec, view.name) == ("agent:one", "one")


@pytest.mark.parametrize("spec", ["agent:secret", "agent:../secret", "agent:nobody", "agent:Ann@2", "agent:text"])
def test_unknown(config: ServerConfig, spec: str) -> None:
    with pytest.raises(PlayerError):
        parse_player(spec, game("othello"), config)
    assert agent_name("level:3") is None


def test_without_code(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="--allow-code --agents"):
        parse_player("agent:one", game("othello"), ServerConfig(store=tmp_path / "games.db"))


def test_students_name_no_files(config: ServerConfig, tmp_path: Path) -> None:
    """In a class, the teacher alone names files and programs."""
    from starlette.requests import HTTPConnection

    connection = HTTPConnection({"type": "http", "headers": [], "client": ("10.0.0.9", 1)})
    for spec in (f"{tmp_path / 'secret.py'}:First", "gtp:rm x", "mcts:evaluation=x.py:f"):
        with client_of(connection), pytest.raises(PlayerError):
            parse_player(spec, game("othello"), config)
    with client_of(connection, teacher=True):
        assert parse_player(f"{tmp_path / 'secret.py'}:First", game("othello"), config).spec
