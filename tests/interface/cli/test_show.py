"""`flipdrop show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop import Othello, game
from flipdrop.games.animation import animated_gif
from tests.interface.cli.support import check_usage_error, json_of, stdout_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "position"),
    [("othello", "f5d6c3"), ("othello4", "-----OX--XO----- X"), ("connect4", "4453"), ("othello", "")],
)
def test_text_and_json(name: str, position: str) -> None:
    expected = game(name).position(position)
    found = json_of("show", name, position)
    assert found["board"] == expected.board
    assert found["legal_moves"] == [expected.move_name(move) for move in expected.legal_moves]
    assert (found["is_over"], found["result"]) == (False, None)
    assert expected.board in stdout_of("show", name, position)


def test_last_move_and_svg(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    text = stdout_of("show", "othello", "f5", "--svg", str(picture), "--no-legal")
    assert Othello().play("f5").diagram(last_move="f5") in text
    assert picture.read_text() == Othello().play("f5").svg(last_move="f5")


def test_gif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "game.gif"
    stdout_of("show", "othello", "f5d6c3", "--gif", str(picture))
    assert picture.read_bytes() == animated_gif(Othello(), [37, 43, 18])
    check_usage_error(capsys, ("show", "othello", "--gif", str(picture)), "needs a transcript")
