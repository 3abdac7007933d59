"""Players and evaluations that other packages add by entry points."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flipdrop import Othello, PlayerError, evaluation, match, player
from tests.interface.cli.support import run_here

if TYPE_CHECKING:
    from pathlib import Path

CODE = '''
from dataclasses import dataclass
from random import Random
from flipdrop.options import option
from flipdrop.players.player import SpecPlayer

class Seeded:
    """Random moves."""
    def __init__(self, seed=0):
        self.random = Random(seed)
    def choose(self, position):
        return self.random.choice(position.legal_moves)

@dataclass(repr=False)
class Nth(SpecPlayer):
    """The nth legal move."""
    kind = "nth"
    n: int = option(0, "which move", minimum=0, maximum=60)
    def _choose(self, position, clock):
        return position.legal_moves[min(self.n, len(position.legal_moves) - 1)]

@dataclass(repr=False)
class Unfinished(SpecPlayer):
    kind = "unfinished"

@dataclass(repr=False)
class Nameless(SpecPlayer):
    def _choose(self, position, clock):
        return position.legal_moves[0]

def moves(position):
    return len(position.legal_moves)
'''
ENTRIES = """[flipdrop.players]
seeded = flipdrop_test_plugin:Seeded
nth = flipdrop_test_plugin:Nth
broken = flipdrop_test_plugin:missing
unfinished = flipdrop_test_plugin:Unfinished
nameless = flipdrop_test_plugin:Nameless

[flipdrop.evaluations]
moves = flipdrop_test_plugin:moves
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip installs it."""
    (tmp_path / "flipdrop_test_plugin.py").write_text(CODE)
    about = tmp_path / "flipdrop_test_plugin-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: flipdrop-test-plugin\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("package")
def test_players_by_name() -> None:
    nth = player("nth:n=2")
    assert nth.spec == "nth:n=2"
    assert nth.choose(Othello()) == Othello().legal_moves[2]
    assert player("seeded", seed=5).spec == "seeded:seed=5"
    with pytest.raises(PlayerError, match="no option 'm'"):
        player("nth:m=3")
    with pytest.raises(PlayerError, match="cannot be loaded"):
        player("broken")
    with pytest.raises(PlayerError, match="Unfinished cannot be made: it does not define _choose"):
        player("unfinished")
    with pytest.raises(PlayerError, match="has to be a dataclass with kind = 'nameless'"):
        player("nameless")
    with pytest.raises(PlayerError, match="unknown player"):
        player("nth", allow_code=False)


@pytest.mark.slow
@pytest.mark.usefixtures("package")
def test_a_match_in_other_processes() -> None:
    result = match("seeded", "nth:n=1", game="connect4", games=4, seed=1)
    assert result.forfeits == (0, 0)
    assert result.event.players == ("seeded", "nth:n=1")


@pytest.mark.usefixtures("package")
def test_evaluations_by_name() -> None:
    assert evaluation("moves").score(Othello()) == 4
    greedy = player("greedy:evaluation=moves")
    assert greedy.spec == "greedy:evaluation=moves"
    with pytest.raises(PlayerError, match="code of other packages is not run here"):
        player("greedy:evaluation=moves", allow_code=False)


@pytest.mark.usefixtures("package")
def test_the_list_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_here(capsys, "players")[1]
    assert "\nseeded: Random moves. (a player of another package)\n  seed               0 " in text
    assert "\nnth: The nth legal move. (a player of another package)\n  n                  0        which move" in text
    assert "\nbroken: a player of another package; flipdrop_test_plugin:missing cannot be loaded: Attr" in text


@pytest.mark.usefixtures("package")
def test_the_list_of_players_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = {one["name"]: one for one in json.loads(run_here(capsys, "players", "--json")[1])["plugins"]}
    assert set(found) == {"seeded", "nth", "broken", "unfinished", "nameless"}
    assert [option["name"] for option in found["nth"]["options"]] == ["n"]
    assert "AttributeError" in found["broken"]["error"]
