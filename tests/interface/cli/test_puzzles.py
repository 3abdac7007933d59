"""`flipdrop puzzles`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.store import Store
from flipdrop.arena.store.export import records_of
from flipdrop.games.problems import read_problems
from flipdrop.games.records import write_games
from tests.interface.cli.support import check_usage_error, stdout_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_puzzles(tmp_path: Path) -> None:
    shown = stdout_of("puzzles", "connect4", "--count", "2", "--level", "1", "--seed", "3")
    assert shown.count("to move and win") == 2
    assert "2 puzzles, seed 3" in shown
    lines = stdout_of("puzzles", "connect4", "--count", "2", "--level", "1", "--seed", "3", "--json").splitlines()
    made = [json.loads(line) for line in lines]
    assert all(one["board"] in shown for one in made)
    out = tmp_path / "a.obf"
    stdout_of("puzzles", "othello", "--count", "3", "--level", "1", "--seed", "1", "--out", str(out))
    problems = read_problems(out)
    assert len(problems) == 3
    assert all(len(problem.best) == 1 for problem in problems)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("puzzles", "othello4"), "puzzles are for"),
        (("puzzles", "othello", "--out", "a.txt"), ".obf or .json"),
        (("puzzles", "connect4", "--out", "a.obf"), "positions of Othello"),
    ],
)
def test_wrong_puzzles(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], error: str) -> None:
    check_usage_error(capsys, arguments, error)


@pytest.mark.slow
def test_puzzles_from_played_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, file = tmp_path / "store.db", tmp_path / "games.ggf"
    stdout_of("match", "random", "greedy", "--game", "othello6", "--games", "20", "--seed", "1", "--store", str(store))
    arguments = ("puzzles", "othello6", "--from", "store", "--store", str(store), "--level", "2", "--seed", "1")
    shown = stdout_of(*arguments, "--count", "1")
    assert "from random – greedy, flipdrop match 1, game" in shown or "from greedy – random, flipdrop match 1" in shown
    assert stdout_of(*arguments, "--count", "1") == shown
    with Store(store) as opened:
        records = list(records_of(opened, "othello6"))
    assert len(records) == 20
    write_games(file, records)
    lines = stdout_of(
        "puzzles", "othello6", "--from", str(file), "--level", "2", "--seed", "1", "--count", "1", "--json"
    )
    assert json.loads(lines)["board"] in shown
    check_usage_error(capsys, ("puzzles", "connect4", "--from", "store", "--store", str(store)), "no such puzzle")
    check_usage_error(capsys, ("puzzles", "--from", "store", "--store", str(tmp_path / "none.db")), "No such file")
