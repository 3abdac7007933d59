"""`flipdrop analyse`: for people, for programs, and interrupted."""

from __future__ import annotations

import json
import re
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop import ConnectFour, Othello, game
from flipdrop.games import OthelloGame
from flipdrop.players import analyse_with, player
from flipdrop.search import Engine, Minimax
from flipdrop.search.values import Value
from tests.interface.cli.support import Terminal, check_usage_error, json_of, run_here, stdout_of
from tests.search.test_solver import late_positions

if TYPE_CHECKING:
    from pathlib import Path

KEYS = {"best", "value", "line", "moves", "nodes", "seconds", "proven"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("othello", "f5d6c3", ("--depth", "5")),
        ("othello6", "", ("--nodes", "20000", "--threads", "1")),
        ("connect4", "4453", ("--time", "0.3")),
        ("connect4:9x10", "55", ("--player", "mcts:iterations=500", "--seed", "5")),
        ("othello4", "-----OX--XO----- X", ("--player", "alphabeta:depth=4", "--depth", "2")),
        ("othello", "", ("--player", "level:8", "--depth", "3")),
        ("connect4", "", ("--player", "level:3")),
        ("connect4", "4453", ("--player", "level:10")),
        ("connect4", "44444432222", ()),
        ("othello", "", ("--time", "0.4")),
        ("othello", "", ("--player", "greedy")),
        ("othello", "", ("--player", "flat:games=1000000000", "--time", "0.2")),
        ("othello", "", ("--player", "mcts", "--nodes", "500")),
    ],
)
def test_json(capsys: pytest.CaptureFixture[str], name: str, text: str, options: tuple[str, ...]) -> None:
    position = game(name).position(text)
    found = json.loads(run_here(capsys, "analyse", name, text, *options, "--json")[1])
    assert set(found) >= KEYS
    legal = {position.move_name(move) for move in position.legal_moves}
    assert {move["move"] for move in found["moves"]} == legal
    for known in (found, *found["moves"]):
        assert -64 <= known["value"] <= 64 or known["score"] is None
        assert abs(known["value"]) < 10_000  # no internal numbers
        assert known["proven"] == (known["outcome"] is not None)
        assert known["exact"] == (known["score"] is not None)
    assert found["moves"][0]["move"] == found["best"] == found["line"][0]
    assert all({"value", "visits", "depth"} <= set(move) for move in found["moves"])
    assert found["board"] == position.board
    assert found["seconds"] < 5


@pytest.mark.slow
def test_the_values_are_those_of_the_search() -> None:
    found = json_of("analyse", "othello", "f5d6c3", "--depth", "6", "--threads", "1")
    expected = Engine(depth=6).with_all_moves().search(Othello.from_transcript("f5d6c3"))
    assert found["moves"] == expected.to_json()["moves"]
    assert not any(move["bound"] or move["proven"] or move["exact"] for move in found["moves"])


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints."""
    return run_here(capsys, *arguments)[1]


def json_here(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command says as JSON."""
    return json.loads(shown(capsys, *arguments, "--json"))


@pytest.mark.parametrize("options", [("--time", "0.3", "--threads", "1"), ("--player", "level:10")])
def test_book_of_connect_four(capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    analysed, solved = (
        json_here(capsys, "analyse", "connect4", "", *options),
        json_here(capsys, "solve", "connect4", "", "--moves"),
    )
    keys = ("score", "outcome", "exact", "proven", "best")
    assert [analysed[key] for key in keys] == [solved[key] for key in keys] == [1, 1, True, True, "4"]
    assert {move["move"]: move["score"] for move in analysed["moves"]} == {
        move["move"]: move["score"] for move in solved["moves"]
    }
    text = shown(capsys, "analyse", "connect4", "", *options)
    assert re.search(r"^ +4 +win in 41 plies$", text, re.MULTILINE)
    assert re.search(r"^ +3 +draw, proven$", text, re.MULTILINE)
    assert text.rstrip().endswith("proven; from the opening book")


def test_an_endgame_of_othello_is_proven(capsys: pytest.CaptureFixture[str]) -> None:
    position = next(p for p in late_positions(OthelloGame(8), 14, 40, seed=1) if p.cells.count("-") == 14)
    analysed = json_here(capsys, "analyse", "othello", position.board, "--time", "20")
    solved = json_here(capsys, "solve", "othello", position.board, "--moves")
    assert (analysed["score"], analysed["proven"]) == (solved["score"], True)
    assert {move["move"]: move["score"] for move in analysed["moves"]} == {
        move["move"]: move["score"] for move in solved["moves"]
    }
    assert f"{solved['score']:+} discs, proven" in shown(capsys, "analyse", "othello", position.board, "--time", "20")


def test_values_that_are_not_proven(capsys: pytest.CaptureFixture[str]) -> None:
    learned = shown(capsys, "analyse", "othello", "f5d6c3", "--player", "pattern:depth=4,all_moves=yes")
    assert len(re.findall(r"^ +\w\d +\d\d\.\d% +[\d,]+$", learned, re.MULTILINE)) == 4
    by_engine = shown(capsys, "analyse", "othello", "f5d6c3", "--depth", "4")
    assert len(re.findall(r"^ +\w\d +[+-]\d+ discs?$", by_engine, re.MULTILINE)) == 4
    assert "depth 4 at 73%" in by_engine
    by_hand = shown(
        capsys, "analyse", "othello", "f5d6c3", "--player", "alphabeta:depth=3,evaluation=Seven,all_moves=yes"
    )
    assert len(re.findall(r"^ +\w\d +[+-]\d+\.\d\d +[\d,]+$", by_hand, re.MULTILINE)) == 4
    assert "proven" not in learned + by_hand


@pytest.mark.parametrize(
    ("name", "spec", "expected"),
    [
        ("othello", "pattern:depth=2", True),
        ("othello", "greedy:evaluation=patterns", True),
        ("othello", "greedy", False),
        ("othello", "iterative:depth=2,evaluation=Seven", False),
        ("othello", "level:8", False),
        ("othello6", "level:8", False),
        ("othello", "mcts:iterations=50", True),
        ("othello", "mcts:iterations=50,reward=margin", False),
        ("othello", "solver:seconds=0.1", False),
        ("othello6", "solver:seconds=0.1", False),
        ("connect4:9x9", "solver:seconds=0.1", True),
        ("connect4", "flat:games=20", True),
        ("connect4", "network:simulations=10", True),
    ],
)
def test_expected_scores(capsys: pytest.CaptureFixture[str], name: str, spec: str, expected: bool) -> None:
    position = game(name).start()
    assert analyse_with(player(spec), position).expected_score == expected
    limit = ("--depth", "3") if spec == "level:8" else ()
    text = shown(capsys, "analyse", name, "", "--player", spec, *limit, "--seed", "1")
    assert bool(re.search(r"\d\.\d%", text)) == expected


def test_seed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("analyse", "othello", "f5", "--player", "mcts:iterations=300", "--threads", "1", "--seed", "4")
    first, again = (json.loads(run_here(capsys, *arguments, "--json")[1]) for _ in range(2))
    assert first["seed"] == 4
    assert first["moves"] == again["moves"]


@pytest.mark.slow
def test_a_table_for_people() -> None:
    text = stdout_of("analyse", "connect4", "121212", "--depth", "3")
    first, *_ = text.splitlines()[1:]
    assert re.fullmatch(r" +1 +win in 1 ply", first)
    assert "proven" in text
    assert "line: 1\n" in text
    assert "\x1b" not in text


def test_proven_values(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_here(capsys, "analyse", "othello4", "", "--time", "20")
    assert found["proven"]
    # 4x4 Othello is lost for the first side by 8 (3 to 11), and by 10 with the empty squares for the winner.
    assert (found["value"], found["score"], found["outcome"], found["exact"]) == (-10, -10, -1, True)
    assert found["seconds"] < 20
    assert "-10 discs, proven" in shown(capsys, "analyse", "othello4", "", "--time", "20")


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [("121212", "win in 1 ply"), ("4455", "win in 3 plies"), ("44556", "loss in 2 plies")],
)
def test_a_win_in_connect_four_says_how_soon(transcript: str, expected: str) -> None:
    position = ConnectFour.from_transcript(transcript)
    assert Value(position, Minimax(depth=4).search(position).value).format() == expected


def test_a_guess_is_a_number() -> None:
    assert Value(Othello(), -3.14159).format() == "-3.14"
    assert Value(Othello(), -0.0001).format() == "+0.00"


@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("chess",), "'chess'"),
        (("othello", "f5f5"), "'f5'"),
        (("connect4", "1212121"), "the game is over; there is no move to analyse"),
        (("othello", "", "--player", "random"), "random chooses a move and cannot say"),
        (("othello", "", "--player", "greedy", "--depth", "3"), "limits of depth and nodes do not apply"),
        (("othello", "", "--player", "mcts", "--depth", "3"), "limit mcts and puct by time or nodes"),
        (("othello", "", "--player", "iterative:evaluation=lines"), "lines is for Connect Four"),
        (("othello", "", "--player", "iterativ"), "did you mean iterative or"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected_error: str) -> None:
    check_usage_error(capsys, ("analyse", *arguments), expected_error)


def test_an_evaluation_that_fails_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("def score(position):\n    return float('nan')\n")
    check_usage_error(capsys, ("analyse", "othello", "", "--player", f"alphabeta:evaluation={path}:score"), "score")


@pytest.mark.slow
def test_help_ends_with_an_example() -> None:
    assert "Example: flipdrop analyse" in stdout_of("analyse", "--help")


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--player", "iterative:all_moves=yes"), ("--player", "mcts")])
def test_ctrl_c(options: tuple[str, ...]) -> None:
    outside_the_book = "f5f4g3g4h3"
    terminal = Terminal("analyse", "othello", outside_the_book, "--time", "600", *options)
    terminal.read_until("line: ")  # the first report is there while the search goes on
    time.sleep(0.5)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    shown = terminal.screen
    assert "Traceback" not in shown
    *_, report, last = shown.rstrip().splitlines()
    assert re.search(r"depth \d+(?: at \d+%)?; [\d,]+ nodes in \d", report)
    assert last == "stopped"
