from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from tests.interface.cli.support import run_here

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_self_play_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "set.npz"
    source = ("--self-play", "random", "--game", "connect4", "--games", "5", "--seed", "1")
    label = ("--label", "exact", "--empties", "1-25", "--out", str(out))
    _, text, _ = run_here(capsys, "dataset", "--json", *source, *label)
    made = json.loads(text)
    with np.load(out) as stored:
        assert made["positions"] == len(stored["value"])
        assert stored["proven"].all()
    games = tmp_path / "games.txt"
    games.write_text("1212121\n" * 2)
    _, shown, _ = run_here(capsys, "dataset", str(games), "--game", "connect4", "--out", str(out), "--unique")
    assert "7 positions of 2 games" in shown


def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--games", "1", "--empties", "few", "--out", str(tmp_path / "x.npz"))
    for arguments, message in (
        ((), "one of them"),
        (("--self-play", "random", "--out", "x.csv"), "ends in .npz or .parquet"),
        (("--self-play", "random", *few), "write two numbers"),
        (("--self-play", "random", "--games", "1", "--empties", "5-3"), "as in 3-5"),
    ):
        status, _, shown = run_here(capsys, "dataset", *arguments)
        assert status == 2
        assert message in shown
