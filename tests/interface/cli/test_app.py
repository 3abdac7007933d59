"""The commands as a person or a program calls them: help, version, mistakes in the call."""

from __future__ import annotations

import itertools

import pytest

from flipdrop import game
from flipdrop.interface.cli import COMMANDS
from tests.interface.cli.support import flipdrop, json_of, run_here, stdout_of


@pytest.mark.slow
def test_help_of_every_command() -> None:
    overview = stdout_of("--help")
    for command in ("play", "show", "perft", "convert"):
        assert command in overview
        text = stdout_of(command, "--help")
        assert f"Example: flipdrop {command}" in text


@pytest.mark.slow
def test_help_is_wrapped_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A paragraph is one line on a wide terminal: line breaks of the source are not kept."""
    monkeypatch.setenv("COLUMNS", "2000")
    for command in COMMANDS:
        _, text, _ = run_here(capsys, command, "--help")
        lines = [line.strip() for line in text.partition("╭")[0].splitlines()]
        assert not [pair for pair in itertools.pairwise(lines) if all(pair)], command


def test_version_names_the_kernel() -> None:
    assert stdout_of("--version").startswith("flipdrop 0.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "expected_error"),
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
def test_errors(arguments: tuple[str, ...], expected_error: str) -> None:
    done = flipdrop(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert expected_error in done.stderr
    assert done.stderr.startswith("flipdrop: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("perft", "othello", "-3"), ("perft", "othello", "x"), ("nonsense",), ("perft",)]
)
def test_misused_option(arguments: tuple[str, ...]) -> None:
    done = flipdrop(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.slow
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
def test_mistyped_option(arguments: tuple[str, ...], meant: str) -> None:
    done = flipdrop(*arguments)
    assert done.returncode == 2
    assert "No such option" in done.stderr
    assert meant in done.stderr


@pytest.mark.slow
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
