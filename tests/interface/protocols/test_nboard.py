"""The NBoard server: its answers, also to malformed commands."""

from __future__ import annotations

import io
import random
import re
import threading
import time
from typing import TYPE_CHECKING, TextIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import Othello
from flipdrop.games import OthelloGame
from flipdrop.games.records import GameRecord
from flipdrop.games.records.ggf import write_ggf
from flipdrop.interface.protocols.nboard import read_time, serve_nboard
from flipdrop.players import Clock, FunctionPlayer, RandomPlayer, player
from flipdrop.search import Solver
from flipdrop.search.values import WIN, in_discs
from tests.interface.protocols.support import Clocked
from tests.players.examples import PASSES, WIPED_OUT
from tests.strategies import any_text, random_line, surrogates

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.players import Player

FIRST = FunctionPlayer(lambda position: position.legal_moves[0], name="first of all")
START = "set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)"


class Patient:
    """Commands of a client that waits for each answer before it sends the next command."""

    def __init__(self, lines: tuple[str, ...], answers: io.StringIO) -> None:
        self._lines = [*lines, ""]
        self._answers = answers
        self._asked: int | None = None  # how much had been said when something was asked that takes time

    def readline(self, size: int) -> str:
        deadline = time.monotonic() + 60
        while self._asked is not None and not re.search(
            r"^(status|=== PA|status there is no .*)\n", self._answers.getvalue()[self._asked :], re.MULTILINE
        ):
            assert time.monotonic() < deadline
            time.sleep(0.001)
        line = self._lines.pop(0)
        self._asked = len(self._answers.getvalue()) if line.split()[:1] in (["go"], ["hint"]) else None
        return f"{line}\n" if self._lines else line


def conversation(*lines: str, who: Player = FIRST) -> list[str]:
    """The output of the server for a client that waits for answers."""
    answers = io.StringIO()
    serve_nboard(who, cast("TextIO", Patient(lines, answers)), answers)
    return answers.getvalue().split("\n")[:-1]


def game_line(start: Othello, moves: tuple[int, ...] = (), **properties: object) -> str:
    return f"set game {write_ggf([GameRecord(start, moves, **properties)]).strip()}"  # type: ignore[arg-type]


def test_name_and_pings() -> None:
    assert conversation("nboard 2", "set depth 5", "set contempt 0", START, "ping 1", "learn", "dance", "ping x y") == [
        "set myname first_of_all",
        "pong 1",
        "learned",
        "pong x y",
    ]


@pytest.mark.parametrize(
    ("lines", "move"),
    [
        ([START], "D3"),
        ([START, "move F5"], "F4"),
        ([START, "move f5/1.20/3.00", "move D6//2"], "C3"),
        ([START, "F5", "d6"], "C3"),
        ([], "D3"),
        ([game_line(Othello(), (37, 43))], "C3"),
        ([game_line(PASSES[0])], "PA"),  # type: ignore[arg-type]
        ([game_line(WIPED_OUT)], "PA"),
        ([game_line(WIPED_OUT), "move PA"], "PA"),
    ],
)
def test_go(lines: list[str], move: str) -> None:
    for answers in (conversation(*lines, "go"), conversation(*lines, "go", "go")):
        moves = [line for line in answers if line.startswith("===")]
        assert moves
        assert all(re.fullmatch(rf"=== {move}(//\d+\.\d\d)?", line) for line in moves)


def test_value_of_the_move() -> None:
    expected = player("iterative:depth=4").report(Othello())  # type: ignore[attr-defined]
    *_, answer, idle = conversation("set depth 4", START, "go", who=player("iterative"))
    name = Othello().move_name(expected.best).upper()
    assert re.fullmatch(rf"=== {name}/{expected.value:.2f}/\d+\.\d\d", answer)
    assert idle == "status"


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["iterative", "mcts:iterations=300", "level:6", "solver:seconds=1", "greedy", "random"]
)
def test_hints_are_as_nboard_reads_them(spec: str) -> None:
    position = Othello.from_transcript("f5d6c3")
    answers = conversation("set depth 3", game_line(Othello(), (37, 43, 18)), "hint 4", who=player(spec))
    hints = [line for line in answers if line.startswith("search")]
    assert hints
    names = {position.move_name(move).upper() for move in position.legal_moves}
    for line in hints:
        pv, value, games, depth, *_ = line.removeprefix("search ").split()
        assert pv[:2] in names
        assert re.fullmatch(r"-?\d+(\.\d\d)?", value)
        assert games == "0"
        assert re.match(r"\d", depth)
    last = [line.split()[1][:2] for line in hints[-4:]] if spec != "random" else []
    assert len(set(last)) == len(last)
    assert [line for line in answers if line.startswith("status")] == ["status thinking", "status"]


def test_a_solved_position_is_shown_in_discs() -> None:
    late = random_line(OthelloGame(8), random.Random(2), plies=54)[-1]
    assert isinstance(late, Othello)
    assert len(late.legal_moves) > 1
    scores = {move.move: move.lower for move in Solver(moves=True).solve(late).moves}
    answers = conversation("set depth 12", game_line(late), "hint 60", "go", who=player("iterative"))
    hints = [line.split() for line in answers if line.startswith("search ") and line.endswith(" 100%")]
    shown = {late.parse_move(pv[:2].lower()): float(value) for _, pv, value, _, _ in hints}
    assert shown == scores
    (answer,) = (line for line in answers if line.startswith("==="))
    assert answer.split("/")[1] == f"{max(scores.values()):.2f}"


@pytest.mark.parametrize(
    ("lines", "expected_error"),
    [
        (["set game nonsense"], "expected"),
        (["set game"], "a game in GGF"),
        (["set game (;GM[Go];)"], "it has to be GM[Othello]"),
        (["move A1"], "a1 for black; legal: d3 c4 f5 e6"),
        (["move what"], "a move is written F5"),
        (["set depth deep"], "is not a number of plies"),
        (["set time green main 5"], "write: set time black"),
        (["set time black main"], "write: set time black"),
    ],
)
def test_errors_as_status(lines: list[str], expected_error: str) -> None:
    answers = conversation(*lines, "ping 1")
    assert answers[0].startswith("status ")
    assert expected_error in answers[0]
    assert answers[-1] == "pong 1"


def test_game_that_cannot_be_read() -> None:
    for bad in ("set game nonsense", "move A1", "move what"):
        answers = conversation(START, bad, "move F5", "ping 1", START, "go")
        assert "status there is no game; send it with set game" in answers
        assert [line for line in answers if line.startswith("===")] == [answers[-2]]


@pytest.mark.parametrize(
    ("lines", "clock"),
    [
        ([START], None),
        ([game_line(Othello(), tags=(("TI", "15:00"),))], Clock(remaining=900)),
        ([game_line(Othello(), tags=(("TI", "01:30/00:02"),))], Clock(remaining=90, increment=2)),
        ([game_line(Othello(), tags=(("TI", "00:30"),)), "move F5//12.5", "move D6//20"], Clock(remaining=17.5)),
        ([game_line(Othello(), tags=(("TI", "00:10"),)), "move F5//12.5", "move D6"], Clock(remaining=0)),
        (
            [game_line(Othello(), tags=(("TI", "0:10/0:05"),)), "move F5//2", "move D6"],
            Clock(remaining=13, increment=5),
        ),
        ([game_line(Othello(), tags=(("TI", "whatever"),))], None),
        ([START, "set time black main 1500 inc 250"], Clock(remaining=1.5, increment=0.25)),
        ([START, "set time white main 1500"], None),
        ([game_line(Othello(), tags=(("TI", "15:00"),)), "set time black"], None),
        ([START, "set time b byoyomi 250"], Clock(move_limit=0.25)),
    ],
)
def test_time_reaches_the_player(lines: list[str], clock: Clock | None) -> None:
    clocked = Clocked()
    conversation(*lines, "go", who=clocked)
    assert clocked.clocks == [clock]


def test_times_of_ggf() -> None:
    assert read_time("1:00:00/0:02/2:00") == (3600, 2)
    assert read_time("5:30//02:00") == (330, 0)
    assert read_time("five") is None


def test_values_for_people() -> None:
    assert in_discs(-12.5) == -12.5
    assert in_discs(WIN + 6) == 6
    assert in_discs(-WIN - 64) == -64


def sleeping(position: Position) -> int:
    for _ in range(6000):
        time.sleep(0.01)
    return position.legal_moves[0]


class Slow:
    """Commands that arrive some time after each other."""

    def __init__(self, *lines: str) -> None:
        self._lines = [*lines, ""]

    def readline(self, size: int) -> str:
        time.sleep(0.15)
        line = self._lines.pop(0)
        return f"{line}\n" if self._lines else line


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize("command", ["go", "hint 3"])
@pytest.mark.parametrize(
    "who",
    [
        FunctionPlayer(sleeping, name="sleeping"),
        player("mcts:seconds=60"),
        player("iterative:seconds=60,endgame=no"),
        player("perfect"),
        player("flat:games=10000000"),
    ],
    ids=lambda who: who.name,
)
def test_command_interrupts_search(who: Player, command: str) -> None:
    answers = io.StringIO()
    began = time.monotonic()
    serve_nboard(who, cast("TextIO", Slow(START, command, "ping 5", "ping 6", command, "quit")), answers)
    assert time.monotonic() - began < 20
    said = answers.getvalue().split("\n")
    assert not any(line.startswith("===") for line in said)
    ended = said.index("status", said.index("status thinking"))
    assert said[ended + 1 : ended + 3] == ["pong 5", "pong 6"]


def test_without_signals() -> None:
    answers = io.StringIO()
    server = threading.Thread(target=lambda: serve_nboard(FIRST, io.StringIO(f"{START}\ngo\nping 5\n"), answers))
    server.start()
    server.join(30)
    assert re.search(r"=== D3.*\n(.*\n)*pong 5\n$", answers.getvalue())


def test_end_of_input() -> None:
    answers = io.StringIO()
    serve_nboard(player("mcts:seconds=0.3"), io.StringIO(f"{START}\ngo\n"), answers)
    assert "=== " in answers.getvalue()


COMMANDS = ["nboard", "set depth", "set game", "set contempt", "set time", "set", "move", "go", "hint", "ping", "learn"]
WORDS = [
    "analyze",
    "F5",
    "PA",
    "d6/1/2",
    "0",
    "1",
    "9",
    "99999999999",
    "-1",
    "black",
    "white",
    "main",
    "inc",
    "byoyomi",
]


def lines() -> st.SearchStrategy[str]:
    games = st.sampled_from([START, game_line(WIPED_OUT), game_line(PASSES[0]), START.replace(";)", "B[F5]TI[0:01];)")])  # type: ignore[arg-type]
    sensible = st.tuples(
        st.sampled_from(COMMANDS + WORDS), st.lists(st.sampled_from(WORDS) | any_text(), max_size=4)
    ).map(lambda parts: " ".join([parts[0], *parts[1]]))
    return (games | sensible | any_text() | surrogates()).map(lambda text: text.replace("\n", " "))


@given(st.lists(lines(), max_size=20), st.sampled_from(["random", "iterative", "mcts:iterations=20", "level:2"]))
def test_every_ping_is_answered(said: list[str], spec: str) -> None:
    answers = io.StringIO()
    said = [line for line in said if not line.strip().startswith(("quit", "ping"))]
    asked = [text for i, line in enumerate(said) for text in ("set depth 2", line, f"ping {i}")]
    serve_nboard(player(spec), io.StringIO("".join(f"{line}\n" for line in asked)), answers)
    text = answers.getvalue()
    assert text.isascii()
    assert [line for line in text.split("\n") if line.startswith("pong")] == [f"pong {i}" for i in range(len(said))]
    assert "internal error" not in text


def test_random_player_as_engine() -> None:
    expected = Othello().move_name(RandomPlayer(seed=3).choose(Othello())).upper()
    assert any(line.startswith(f"=== {expected}/") for line in conversation(START, "go", who=RandomPlayer(seed=3)))
