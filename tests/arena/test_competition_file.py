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


MATCH = """
kind = "match"
players = ["random", "greedy"]
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
        ("kind = []", "kind = .*; it can be match"),
        (MATCH.replace('["random", "greedy"]', '"random"'), "players = 'random'; it has to be a list"),
        (MATCH.replace('["random", "greedy"]', "5"), "players = 5; it has to be a list"),
        (MATCH.replace('["random", "greedy"]', "[1, 2]"), "it has to be a list of texts"),
        (MATCH.replace('["random", "greedy"]', '["random"]'), "two players, not 1"),
        (MATCH.replace('["random", "greedy"]', '["random", "greedy", "flat"]'), "two players, not 3"),
        (MATCH + 'games = "many"', "games = 'many'; it has to be a whole number"),
        (MATCH + "games = true", "games = True; it has to be a whole number"),
        (MATCH + "games = 2.5", "games = 2.5; it has to be a whole number"),
        (MATCH + "games = 100000000000000000000", "games=100000000000000000000: expected a whole number"),
        (MATCH + 'seed = "x"', "seed = 'x'; it has to be a whole number"),
        (MATCH + "seed = -1", "seed -1; it has to be a whole number of at least 0"),
        (MATCH + "sprt = 5", "sprt = 5; it has to be a text"),
        (MATCH + "sprt = [1]", "it takes two numbers"),
        (MATCH + "clock = true", "clock = True; it has to be a text"),
        (MATCH + "openings = 5", "openings = 5; it has to be a text"),
        (MATCH + "game = 5", "game = 5; it has to be a text"),
        (MATCH + 'game = "chess"', "event.toml: unknown game 'chess'"),
        ('kind = "ladder"\nplayer = 5', "player = 5; it has to be a text"),
        ('kind = "ladder"\nplayer = "random"\nopponents = "x"', "opponents = 'x'; it has to be a whole number"),
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


def test_sprt_as_a_list(tmp_path: Path) -> None:
    found = read_competition(written(tmp_path, MATCH + "sprt = [0, 20.5]"))
    assert isinstance(found, Match)
    assert found.sprt == Sprt(0, 20.5)


def test_resume_without_a_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file has no seed: every run has another, and the latest one is resumed."""
    file = str(written(tmp_path, MATCH + 'games = 2\ngame = "othello4"'))
    store = ("--store", str(tmp_path / "games.db"))
    first = json.loads(run_here(capsys, "run", file, *store, "--json")[1])
    resumed = json.loads(run_here(capsys, "run", file, *store, "--json", "--resume")[1])
    assert (resumed["games"], resumed["seed"]) == (2, first["seed"])
    status, _, error = run_here(capsys, "run", file, *store, "--resume", "--seed", str(first["seed"] + 1))
    assert status == 2
    assert "nothing to resume" in error
