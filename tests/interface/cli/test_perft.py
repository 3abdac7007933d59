"""`flipdrop perft`."""

from __future__ import annotations

import pytest

from flipdrop import game
from tests.interface.cli.support import json_of, stdout_of


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [("othello", 5, 1396), ("connect4", 7, 823536), ("othello6", 4, 244), ("connect4:4x4", 0, 1)],
)
def test_perft_counts(name: str, depth: int, count: int) -> None:
    found = json_of("perft", name, str(depth))
    assert (found["game"], found["depth"], found["count"]) == (name, depth, count)
    assert found["seconds"] >= 0
    assert f"{count:,}" in stdout_of("perft", name, str(depth))


def test_divide() -> None:
    found = json_of("perft", "connect4", "4", "--position", "4453", "--divide", "--threads", "2")
    assert list(found["divide"]) == ["1", "2", "3", "4", "5", "6", "7"]
    assert sum(found["divide"].values()) == found["count"] == game("connect4").position("4453").perft(4)
