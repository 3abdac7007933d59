"""`flipdrop play`: without a terminal, and at a terminal."""

from __future__ import annotations

import itertools
import random
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop import game
from flipdrop.games import OthelloGame
from flipdrop.games.records import read_games
from flipdrop.interface.cli.play import TerminalGame
from tests.interface.cli.support import Terminal, check_usage_error, run_here, stdout_of
from tests.players.examples import must_pass
from tests.strategies import random_line

if TYPE_CHECKING:
    from pathlib import Path

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("connect4", "--seed", "7"),
        ("othello4", "--seed", "7", "--level", "2"),
        ("connect4:5x4", "--seed", "7", "--against", "mcts:iterations=50", "--threads", "1"),
        ("othello6", "--seed", "7", "--as", "none", "--against", "greedy"),
    ],
)
def test_without_a_terminal(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    first, status, again = stdout_of("play", *arguments), *run_here(capsys, "play", *arguments)[:2]
    assert status == 0
    assert first == again
    assert "seed 7" in first.splitlines()[0]
    assert "\x1b" not in first
    transcript = first.splitlines()[-1].removeprefix("Moves: ")
    assert game(arguments[0]).position(transcript).is_over


def test_a_random_seed_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    _, fresh, _ = run_here(capsys, "play", "connect4", "--level", "1")
    printed = re.search(r"seed (\d+)", fresh)
    assert printed is not None
    assert run_here(capsys, "play", "connect4", "--level", "1", "--seed", printed[1])[1] == fresh


def test_save(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    _, text, _ = run_here(
        capsys, "play", "othello6", "--position", "c2d2e2", "--level", "1", "--save", str(path), "--seed", "1"
    )
    (record,) = read_games(path)
    assert f"Moves: {record.transcript}\nSaved to {path}\n" in text
    assert record.transcript.startswith("c2d2e2")
    assert (record.first, record.second) == ("level:1", "level:1")
    assert record.result is not None
    assert record.score == record.margin


def test_a_game_from_a_board_string(capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = run_here(
        capsys, "play", "connect4:4x4", "--position", "----/----/----/-X-- O", "--level", "1", "--seed", "1"
    )
    assert "  2. yellow" in text.splitlines()[1]


@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("chess",), "'chess'"),
        (("othello", "--level", "3", "--against", "random"), "give one of them"),
        (("othello", "--against", "randm"), "did you mean random?"),
        (("connect4", "--against", "mcts:corners=yes"), "belongs to Othello"),
        (("othello", "--position", "f5f5"), "'f5'"),
        (("connect4", "--position", "1212121"), "the game is already over"),
        (("othello", "--save", "game.pgn"), "formats are ggf (.ggf), plain (.txt), or name"),
        (("connect4", "--save", "game.ggf"), "GGF holds games of Othello"),
        (("othello", "--save", "/no/such/folder/game.ggf"), "the folder /no/such/folder does not exist"),
        (("othello", "--against", "no_agent.py:Me"), "no_agent.py: No such file"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected_error: str) -> None:
    check_usage_error(capsys, ("play", *arguments), expected_error)


def test_illegal_move_of_an_agent(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    agent, path = tmp_path / "cheat.py", tmp_path / "game.txt"
    agent.write_text("def cheat(position):\n    return position.legal_moves[0] if position.ply < 3 else 'a1'\n")
    status, _, error = run_here(capsys, "play", "othello", "--against", f"{agent}:cheat", "--save", str(path))
    assert status == 2
    assert "cheat.py:cheat answered 'a1' in Othello(" in error
    (record,) = read_games(path)
    assert len(record.moves) == 3


@pytest.mark.slow
def test_help_ends_with_an_example() -> None:
    assert "Example: flipdrop play" in stdout_of("play", "--help")


@pytest.mark.slow
def test_a_game_at_the_keyboard(tmp_path: Path) -> None:
    terminal = Terminal("play", "connect4:4x4", "--level", "1", "--seed", "3")
    assert "X red 0, O yellow 0" in terminal.read_until("Your move: ")
    assert "'9' is not a move" in terminal.ask("9")
    assert "'nonsense' is not a move" in terminal.ask("nonsense")
    assert terminal.ask("") == "\r\nYour move: "
    assert "no move to undo" in terminal.ask("undo")
    assert "no move to redo" in terminal.ask("redo")
    assert re.search(r"Hint: [1-4] \(.*\); line [1-4]", terminal.ask("hint"))
    assert "undo, redo, hint" in terminal.ask("help")
    assert "1 2 3 4" in terminal.ask("moves")
    assert "X red 0, O yellow 0" in terminal.ask("board")
    assert "X red 1, O yellow 1" in terminal.ask("2")
    assert "X red 0, O yellow 0" in terminal.ask("UNDO")
    assert "X red 1, O yellow 1" in terminal.ask("redo")
    assert "no move to redo" in terminal.ask("redo")
    assert "X red 2, O yellow 2" in terminal.ask("3")
    assert "X red 1, O yellow 1" in terminal.ask("undo")
    assert "X red 0, O yellow 0" in terminal.ask("undo")
    assert "X red 1, O yellow 1" in terminal.ask("redo")
    assert "X red 2, O yellow 2" in terminal.ask("redo")
    assert "Name a file" in terminal.ask("save")
    assert "has no known file name ending" in terminal.ask("save My.Game")
    assert "No such file" in terminal.ask("save /no/such/folder/game.txt")
    path = tmp_path / "Game.txt"
    assert f"Saved to {path}" in terminal.ask(f"save {path}")
    terminal.type("quit")
    assert terminal.close() == 0
    (record,) = read_games(path)
    assert len(record.moves) == 4
    assert f"Moves: {record.transcript}" in terminal.screen
    assert "\x1b[" in terminal.raw  # there were colours


@pytest.mark.slow
def test_two_people(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    terminal = Terminal("play", "othello", "--as", "both", "--save", str(path))
    assert "you against you" in terminal.read_until("Your move: ")
    assert "white to move" in terminal.ask("f5")
    assert "black to move" in terminal.ask("d6")
    assert "white to move" in terminal.ask("undo")
    assert "black to move" in terminal.ask("f6")
    assert "f6 for black; legal: d3" in terminal.ask("f6")
    terminal.type("resign")
    assert terminal.close() == 0
    assert "black resigns" in terminal.screen
    assert "Moves: f5f6" in terminal.screen
    (record,) = read_games(path)
    assert (record.transcript, record.score, record.ending, record.outcome) == ("f5f6", -64, "r", -1)


def test_undo_goes_back_behind_a_pass() -> None:
    """To the choice before it: the pass would only be played once more."""
    lines = (random_line(OthelloGame(6), random.Random(seed)) for seed in itertools.count())
    line, passed = next((line, i) for line in lines for i, position in enumerate(line) if must_pass(position))
    played = TerminalGame.from_text(OthelloGame(6), "")
    for before, after in itertools.pairwise(line[: passed + 2]):
        played.play(next(move for move in before.legal_moves if before.play(move) == after))
    assert played.position == line[passed + 1]
    assert played.undo()
    assert played.position == line[passed - 1]
    assert played.redo()
    assert played.position == line[passed + 1]
    assert not played.redo()


@pytest.mark.slow
def test_second_side() -> None:
    terminal = Terminal("play", "connect4", "--as", "second", "--against", "random", "--time", "0.5")
    shown = terminal.read_until("Your move: ")
    assert "random against you" in shown
    assert "  1. red" in shown
    assert "X red 1, O yellow 0" in shown
    terminal.type("\x04")  # Ctrl-D
    assert terminal.close() == 0


@pytest.mark.slow
def test_ctrl_c_saves_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    terminal = Terminal("play", "othello", "--level", "1", "--save", str(path))
    terminal.read_until("Your move: ")
    terminal.ask("f5")
    time.sleep(0.5)  # let it get from the prompt into waiting for a key
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert "Traceback" not in terminal.screen
    assert "Moves: f5" in terminal.screen
    (record,) = read_games(path)
    assert len(record.moves) == 2


THINKER = """
from pathlib import Path
from flipdrop.search import Mcts

def thinks(position):
    Path(__file__).with_name("started").touch()
    return Mcts(seconds=600, threads=2).search(position).best
"""


@pytest.mark.slow
def test_ctrl_c_interrupts_the_computer(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(THINKER)
    terminal = Terminal("play", "othello", "--against", f"{tmp_path / 'agent.py'}:thinks")
    terminal.read_until("Your move: ")
    terminal.type("f5")
    deadline = time.monotonic() + 120
    while not (tmp_path / "started").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.2)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert "Moves: f5" in terminal.screen


def test_closed_standard_input() -> None:
    command = [sys.executable, "-m", "flipdrop", "play", "othello4", "--level", "1", "--seed", "3"]
    done = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *command], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "has won" in done.stdout or "drawn" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("word", ["q", "exit"])
def test_other_words_for_quit(word: str) -> None:
    terminal = Terminal("play", "connect4:4x4", "--level", "1")
    terminal.read_until("Your move: ")
    terminal.type(word)
    assert terminal.close() == 0
    assert "Moves: " in terminal.screen
