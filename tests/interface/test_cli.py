"""The commands as a person or a program calls them: as processes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flipdrop import Othello, game


def flipdrop(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flipdrop", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60, check=False)


def answer(*arguments: str, stdin: str = "") -> str:
    done = flipdrop(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def json_of(*arguments: str) -> Any:
    return json.loads(answer(*arguments, "--json"))


def test_every_command_explains_itself_with_an_example() -> None:
    overview = answer("--help")
    for command in ("play", "show", "perft", "convert"):
        assert command in overview
        text = answer(command, "--help")
        assert f"Example: flipdrop {command}" in text


def test_version_names_the_kernel() -> None:
    assert answer("--version").startswith("flipdrop 0.")


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [("othello", 5, 1396), ("connect4", 7, 823536), ("othello6", 4, 244), ("connect4:4x4", 0, 1)],
)
def test_perft_counts(name: str, depth: int, count: int) -> None:
    found = json_of("perft", name, str(depth))
    assert (found["game"], found["depth"], found["count"]) == (name, depth, count)
    assert found["seconds"] >= 0
    assert f"{count:,}" in answer("perft", name, str(depth))


def test_perft_from_a_position_divided_by_its_first_moves() -> None:
    found = json_of("perft", "connect4", "4", "--position", "4453", "--divide", "--threads", "2")
    assert list(found["divide"]) == ["1", "2", "3", "4", "5", "6", "7"]
    assert sum(found["divide"].values()) == found["count"] == game("connect4").position("4453").perft(4)


@pytest.mark.parametrize(
    ("name", "position"),
    [("othello", "f5d6c3"), ("othello4", "-----OX--XO----- X"), ("connect4", "4453"), ("othello", "")],
)
def test_show_says_what_the_rules_say(name: str, position: str) -> None:
    expected = game(name).position(position)
    found = json_of("show", name, position)
    assert found["board"] == expected.board
    assert found["legal_moves"] == [expected.move_name(move) for move in expected.legal_moves]
    assert (found["is_over"], found["result"]) == (False, None)
    assert expected.board in answer("show", name, position)


def test_show_marks_the_last_move_and_draws_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    text = answer("show", "othello", "f5", "--svg", str(picture), "--no-legal")
    assert Othello().play("f5").diagram(last_move="f5") in text
    assert picture.read_text() == Othello().play("f5").svg(last_move="f5")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("show", "otelo"), "did you mean othello"),
        (("show", "othello", "f5f5"), "'f5'"),
        (("show", "connect4", "9"), "'9' is not a move"),
        (("show", "connect4", "----/----/X---/---- O"), "hangs in the air"),
        (("perft", "connect4:99x2", "3"), "4x4 to 12x12"),
        (("convert", "no-such-file.ggf", "out.txt"), "no-such-file.ggf"),
        (("play", "chess"), "'chess'"),
        (("show", "connect4", "xx"), "'xx' is neither a transcript such as 4453 nor a board"),
        (("solve", "connect4", "#"), "'#' is neither a transcript such as 4453 nor a board"),
        (("show", "connect4", "----/---- Y"), "ends with 'Y'; the side to move is X or O"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(arguments: tuple[str, ...], complaint: str) -> None:
    done = flipdrop(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert complaint in done.stderr
    assert done.stderr.startswith("flipdrop: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("perft", "othello", "-3"), ("perft", "othello", "x"), ("nonsense",), ("perft",)]
)
def test_a_misused_option_exits_2_without_a_traceback(arguments: tuple[str, ...]) -> None:
    done = flipdrop(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("solve", "connect4", "4444", "--move"), "--moves"),
        (("analyse", "othello", "--deptt", "3"), "--depth"),
        (("show", "connect4", "----/----/----/---- X", "--legl"), "--legal"),
        (("perft", "othello", "3", "--postion=f5"), "--position"),
        (("play", "othello", "--svae", "x.ggf"), "--save"),
        (("evaluations", "othello", "--jsn"), "--json"),
    ],
)
def test_an_option_that_is_mistyped_is_no_position(arguments: tuple[str, ...], meant: str) -> None:
    done = flipdrop(*arguments)
    assert done.returncode == 2
    assert "No such option" in done.stderr
    assert meant in done.stderr


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("connect4:4x4", "----/----/----/--xo x"),
        ("othello4", "-----OX--XO-----X"),
        ("othello4", "--b--bb--bw-----w"),
        ("othello4", "--x--xx--xo-----o"),
    ],
)
def test_a_board_may_begin_with_dashes(name: str, position: str) -> None:
    assert json_of("show", name, position)["board"] == game(name).position(position).board


def test_convert_there_and_back(tmp_path: Path) -> None:
    plain, ggf, again = (tmp_path / name for name in ("games.txt", "games.ggf", "again.txt"))
    plain.write_text("f5d6c3\nf5f6e6f4\n")
    assert json_of("convert", str(plain), str(ggf)) == {"games": 2, "inputs": [str(plain)], "output": str(ggf)}
    assert "2 games written" in answer("convert", str(ggf), str(again))
    assert again.read_text().splitlines()[-2:] == ["f5d6c3", "f5f6e6f4"]


def test_convert_joins_files_and_pipes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("4453\n")
    text = answer(
        *("convert", str(tmp_path / "a.txt"), "-", "-", "--from", "plain", "--to", "plain", "--game", "connect4"),
        stdin="12\n",
    )
    assert text.splitlines() == ["# game: connect4", "4453", "12"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("only.txt",), "name the files to read"),
        (("-", "x.txt"), "say --from"),
        (("a.pgn", "b.ggf"), "'a.pgn' does not tell its format"),
    ],
)
def test_convert_complains(arguments: tuple[str, ...], complaint: str) -> None:
    done = flipdrop("convert", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_convert_keeps_the_old_file_when_a_game_is_illegal(tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.txt", tmp_path / "out.ggf"
    bad.write_text("f5d6\nf5f5\n")
    out.write_text("precious")
    done = flipdrop("convert", str(bad), str(out))
    assert done.returncode == 2
    assert "bad.txt" in done.stderr
    assert out.read_text() == "precious"
