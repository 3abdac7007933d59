from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flipdrop import ArenaError
from flipdrop.arena.competition_file import read_competition
from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.match import Match
from flipdrop.arena.model import TimeControl
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.tournament import Tournament
from tests.interface.cli.support import run_here

if TYPE_CHECKING:
    from pathlib import Path

TOURNAMENT = """
kind = "tournament"
game = "connect4"
players = ["random", "greedy", "mcts:iterations=20"]
games = 4
gauntlet = 1
openings = "random:4"
seed = 3
"""


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "event.toml"
    file.write_text(text)
    return file


def test_the_kinds(tmp_path: Path) -> None:
    assert read_competition(written(tmp_path, TOURNAMENT)) == Tournament(
        game="connect4", players=("random", "greedy", "mcts:iterations=20"), games=4, gauntlet=1,
        openings="random:4", seed=3,
    )  # fmt: skip
    text = 'kind = "match"\nplayers = ["random", "greedy"]\nsprt = "0,20"\nclock = "1/move"\nseed = 1'
    assert read_competition(written(tmp_path, text), seed=9) == Match(
        players=("random", "greedy"), sprt=Sprt(0, 20), time=TimeControl(move=1), seed=9
    )
    ladder = read_competition(written(tmp_path, 'kind = "ladder"\nplayer = "random"\ngame = "connect4"'))
    assert isinstance(ladder, LadderPlacement)
    assert ladder.ladder.game == "connect4"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind = ", "is no TOML file"),
        ("", "it can be match, tournament, ladder"),
        ('kind = "match"', "a match needs players"),
        (
            'kind = "match"\nplayers = ["random", "greedy"]\ngame_s = 4',
            "game_s is no setting of a match; did you mean game",
        ),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ArenaError, match=message):
        read_competition(written(tmp_path, text))


def test_the_command_plays_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(written(tmp_path, TOURNAMENT))
    status, shown, _ = run_here(capsys, "run", file, "--no-store", "--json")
    assert status == 0
    result = json.loads(shown)
    assert (result["games"], result["seed"]) == (8, 3)
    _, text, _ = run_here(capsys, "run", file, "--store", str(tmp_path / "games.db"))
    assert "score" in text
    again, _, error = run_here(capsys, "run", file, "--store", str(tmp_path / "games.db"))
    assert again == 2
    assert "--resume continues it" in error
