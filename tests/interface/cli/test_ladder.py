"""`flipdrop ladder`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.ladder import published_ladder, read_ladder
from flipdrop.arena.store import Store
from tests.interface.cli.support import flipdrop, json_of, stdout_of

if TYPE_CHECKING:
    from pathlib import Path

FEW = ("--games", "4", "--opponents", "3", "--seed", "2")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect4", "othello"])
def test_list(name: str) -> None:
    lines = stdout_of("ladder", "--game", name).splitlines()
    rungs = published_ladder(name).entries
    assert len(lines) == len(rungs) + 2
    assert lines[1].split()[-1] == rungs[-1].spec
    assert lines[-2].split()[-1] == "random"
    assert json_of("ladder", "--game", name) == published_ladder(name).to_json()


@pytest.mark.slow
def test_built_in_player() -> None:
    text = stdout_of("ladder", "mcts:iterations=25", "--game", "connect4", *FEW, "--no-store")
    assert text.startswith("rating ")
    assert "stronger than" in text
    assert "of 50 opponents" in text
    assert "expected" in text
    found = json_of("ladder", "mcts:iterations=25", "--game", "connect4", *FEW, "--no-store")
    assert found["games"] == found["wins"] + found["draws"] + found["losses"] == 8 + 8 + 3 * 4
    assert found["rating_interval"][0] < found["rating"] < found["rating_interval"][1]
    assert f"rating {found['rating']:.0f} " in text


@pytest.mark.slow
def test_agents(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(
        "class Middle:\n"
        "    def choose(self, position):\n"
        "        return min(position.legal_moves, key=lambda move: abs(move % 7 - 3))\n"
        "def fails(position):\n"
        "    raise RuntimeError('no idea')\n"
    )
    found = json_of("ladder", f"{agent}:Middle", "--game", "connect4", *FEW, "--no-store")
    assert found["player"] == f"{agent}:Middle"
    assert found["forfeits"] == 0
    text = stdout_of("ladder", f"{agent}:fails", "--game", "connect4", *FEW, "--no-store")
    assert "28 games forfeited by errors, illegal moves or on time:" in text
    assert "RuntimeError: no idea" in text
    assert "stronger than 0 of 50 opponents" in text
    assert "-inf to" in text


@pytest.mark.slow
def test_resume(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    command = ("ladder", "greedy:evaluation=mobility", *FEW[:4], "--store", store)
    found = json_of(*command, "--seed", "2")
    again = flipdrop(*command, "--seed", "2")
    assert again.returncode == 2
    assert "--resume" in again.stderr
    resumed = json_of(*command, "--resume")  # without the seed: the latest is found
    del found["seconds"], resumed["seconds"]
    assert resumed == found
    with Store(store) as opened:
        assert sum(stored.games for stored in opened.events()) == found["games"]


@pytest.mark.slow
def test_measured_ladder(tmp_path: Path) -> None:
    specs = tmp_path / "specs.txt"
    specs.write_text("random\n# the next one sees a bit\ngreedy\nmcts:iterations=50  # and this more\n")
    made = tmp_path / "mine.json"
    command = (
        "ladder",
        "--game",
        "othello6",
        "--measure",
        str(made),
        "--specs",
        str(specs),
        "--games",
        "8",
        "--seed",
        "4",
    )
    text = stdout_of(*command, "--no-store")
    assert "Othello 6x6: 24 games from random:4, seed 4" in text
    of = read_ladder(made)
    assert {rung.spec for rung in of.entries} == {"random", "greedy", "mcts:iterations=50"}
    assert of.command.startswith(
        "flipdrop ladder --game othello6 --measure mine.json --games 8 --seed 4 --specs specs.txt"
    )
    found = json_of("ladder", "mcts:iterations=10", "--ladder", str(made), *FEW, "--no-store")
    assert found["game"] == "othello6"
    assert found["opponents"] == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gredy",), "gredy"),
        (("greedy", "--games", "3"), "come in pairs"),
        (("greedy", "--game", "othello6"), "has no published ladder"),
        (("--game", "chess"), "chess"),
        (("greedy", "--ladder", "missing.json"), "missing.json"),
        (("greedy", "--specs", "x"), "need --measure FILE"),
        (("greedy", "--measure", "x.json"), "--measure rates the ladder itself"),
        (("--measure", "x.json", "--specs", "missing.txt"), "missing.txt"),
        (("--measure", "x.json", "--games", "5", "--no-store"), "games come in pairs"),
        (("missing.py:Agent",), "missing.py"),
        (("greedy", "--resume", "--no-store"), "nothing to resume"),
    ],
)
def test_invalid_arguments(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = flipdrop("ladder", *arguments)
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_json(tmp_path: Path) -> None:
    done = flipdrop("ladder", "random:seed=5", "--game", "connect4", *FEW, "--no-store", "--json")
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["place"] >= 1
    assert done.stderr == ""
