"""`flipdrop convert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.interface.cli.support import flipdrop, json_of, stdout_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_convert_there_and_back(tmp_path: Path) -> None:
    plain, ggf, again = (tmp_path / name for name in ("games.txt", "games.ggf", "again.txt"))
    plain.write_text("f5d6c3\nf5f6e6f4\n")
    assert json_of("convert", str(plain), str(ggf)) == {"games": 2, "inputs": [str(plain)], "output": str(ggf)}
    assert "2 games written" in stdout_of("convert", str(ggf), str(again))
    assert again.read_text().splitlines()[-2:] == ["f5d6c3", "f5f6e6f4"]


def test_convert_joins_files_and_pipes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("4453\n")
    text = stdout_of(
        *("convert", str(tmp_path / "a.txt"), "-", "-", "--from", "plain", "--to", "plain", "--game", "connect4"),
        stdin="12\n",
    )
    assert text.splitlines() == ["# game: connect4", "4453", "12"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("only.txt",), "name the files to read"),
        (("-", "x.txt"), "give its format by --from"),
        (("a.pgn", "b.ggf"), "'a.pgn' has no known file name ending"),
    ],
)
def test_convert_complains(arguments: tuple[str, ...], expected_error: str) -> None:
    done = flipdrop("convert", *arguments)
    assert done.returncode == 2
    assert expected_error in done.stderr


def test_illegal_game_keeps_the_old_file(tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.txt", tmp_path / "out.ggf"
    bad.write_text("f5d6\nf5f5\n")
    out.write_text("precious")
    done = flipdrop("convert", str(bad), str(out))
    assert done.returncode == 2
    assert "bad.txt" in done.stderr
    assert out.read_text() == "precious"
