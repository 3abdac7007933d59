"""Commands to an NBoard engine, and parsing of its answers, without a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from flipdrop import Othello
from flipdrop.games import OthelloGame
from flipdrop.games.history import GameHistory
from flipdrop.games.records.ggf import read_ggf
from flipdrop.players import Clock
from flipdrop.players.external.nboard import extension_time, game_time
from flipdrop.players.external.process import EngineError
from tests.players.external.scripted_engine import SOON, check_message, commands_sent, history, nboard_engine
from tests.strategies import any_text, random_line, randoms, surrogates

if TYPE_CHECKING:
    import random


@given(any_text() | surrogates() | st.sampled_from(["=== d3", "===D3/1/2", "=== PA", "===", "=== /", "d3\n=== F5 1 2"]))
def test_arbitrary_nboard_answers(text: str) -> None:
    _, session = nboard_engine(text)
    session.handshake(SOON)
    session.send_history(GameHistory.of(Othello()), SOON)
    try:
        assert session.move(GameHistory.of(Othello()), None, SOON) in Othello().legal_moves
    except EngineError as failure:
        check_message(failure)


def test_nboard_game_and_new_moves() -> None:
    engine, session = nboard_engine()
    session.handshake(SOON)
    assert commands_sent(engine) == ["nboard 2", "set depth 12"]
    session.send_history(history(Othello(), "f5d6"), SOON)
    (line,) = commands_sent(engine)
    (record,) = read_ggf(line.removeprefix("set game "))
    assert (record.start, record.transcript) == (Othello(), "f5d6")
    session.send_history(history(Othello(), "f5d6c3d3"), SOON)
    assert commands_sent(engine) == ["move C3", "move D3"]
    session.send_history(history(Othello(), "f5f6"), SOON)
    assert commands_sent(engine)[0].startswith("set game ")


@given(randoms())
def test_nboard_gets_any_position_and_passes(source: random.Random) -> None:
    line = random_line(OthelloGame(8), source)
    first = source.randrange(len(line))
    moves = [
        next(m for m in line[i].legal_moves if line[i].play(m) == line[i + 1]) for i in range(first, len(line) - 1)
    ]
    engine, session = nboard_engine()
    session.send_history(GameHistory.of(line[first], moves), SOON)
    (text,) = commands_sent(engine)
    (record,) = read_ggf(text.removeprefix("set game "))
    assert (record.start, record.moves) == (line[first], tuple(moves))


def test_nboard_time() -> None:
    engine, session = nboard_engine()
    begun = GameHistory.of(Othello())
    session.send_history(begun, SOON)
    commands_sent(engine)
    session.move(begun, Clock(remaining=90.7, increment=2), SOON)
    game_line, *rest = commands_sent(engine)
    assert dict(next(read_ggf(game_line.removeprefix("set game "))).tags)["TI"] == "01:30/00:02"
    assert rest == ["set time black main 90700 inc 2000", "set depth 60", "go"]
    later = begun.play(19, 18)
    session.send_history(later, SOON)
    assert commands_sent(engine) == ["move D3//0.00", "move C3"]


def test_nboard_depth_option() -> None:
    engine, session = nboard_engine(depth=7)
    session.handshake(SOON)
    session.send_history(GameHistory.of(Othello()), SOON)
    session.move(GameHistory.of(Othello()), Clock(move_limit=1), SOON)
    assert [line for line in commands_sent(engine) if "depth" in line] == ["set depth 7"]


def test_nboard_times() -> None:
    assert game_time(Clock(remaining=3661.5)) == "61:01"
    assert extension_time(None) == ""
    assert extension_time(Clock(move_limit=0.25)) == " byoyomi 250"
