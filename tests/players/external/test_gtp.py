"""Commands to a GTP engine, and parsing of its answers, without a process."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello
from flipdrop.games import OthelloGame
from flipdrop.games.history import GameHistory
from flipdrop.players import Clock
from flipdrop.players.external.gtp import gtp_time
from flipdrop.players.external.process import EngineError
from tests.players.external.scripted_engine import PRIVATE, SOON, check_message, commands_sent, gtp_engine, history
from tests.strategies import any_text, random_line, surrogates


def test_only_new_moves_are_sent() -> None:
    engine, session = gtp_engine()
    session.send_history(history(Othello(), "f5d6"), SOON)
    assert commands_sent(engine) == [
        "list_games",
        "set_game othello",
        "boardsize 8",
        "clear_board",
        "play black f5",
        "play white d6",
    ]
    session.send_history(history(Othello(), "f5d6c3d3"), SOON)
    assert commands_sent(engine) == ["play black c3", "play white d3"]
    session.send_history(history(Othello(), "f5d6c3d3"), SOON)
    assert commands_sent(engine) == []
    session.send_history(history(Othello(), "f5f6"), SOON)
    assert commands_sent(engine)[-3:] == ["clear_board", "play black f5", "play white f6"]


def test_its_own_move_is_not_sent_back() -> None:
    engine, session = gtp_engine()
    begun = history(Othello(), "f5d6")
    session.send_history(begun, SOON)
    after = begun.play(session.move(begun, None, SOON))
    reply = after.position.legal_moves[0]
    commands_sent(engine)
    session.send_history(after.play(reply), SOON)
    assert commands_sent(engine) == [f"play white {after.position.move_name(reply)}"]


BLACK_HAS_TO_PASS = "d3c3e6d2d1e1b2c1"


def test_passes_are_sent_or_left_out() -> None:
    begun = history(Othello(), BLACK_HAS_TO_PASS)
    assert begun.position.legal_moves == (begun.position.pass_move,)
    passed = begun.play("pass")
    for passes, expected in ((True, ["play black pass"]), (False, [])):
        engine, session = gtp_engine(passes=passes)
        session.send_history(begun, SOON)
        commands_sent(engine)
        session.send_history(passed, SOON)
        assert commands_sent(engine) == expected
        assert session.move(passed, None, SOON) in passed.position.legal_moves
        assert commands_sent(engine) == ["genmove white"]


def test_refused_pass() -> None:
    server_answers = {"play black pass": "? syntax error"}
    engine, session = gtp_engine()
    answer = engine.answer
    engine.answer = lambda line: [server_answers[line], ""] if line in server_answers else answer(line)
    with pytest.raises(EngineError, match=r"refused 'play black pass': syntax error; .* add the option passes=no"):
        session.send_history(history(Othello(), BLACK_HAS_TO_PASS + "pa"), SOON)


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (Othello(size=6), ["boardsize 6"]),
        (ConnectFour(), ["boardsize 7 6"]),
        (ConnectFour(columns=9, rows=9), ["boardsize 9"]),
        (ConnectFour(columns=9, rows=10), ["boardsize 9 10"]),
    ],
)
def test_boardsize_for_other_engines(start: Othello | ConnectFour, expected: list[str]) -> None:
    engine, session = gtp_engine(PRIVATE | {"set_game"}, boardsize="=")
    session.send_history(GameHistory.of(start), SOON)
    assert commands_sent(engine) == [*expected, "clear_board"]


def test_position_that_cannot_be_sent() -> None:
    _, session = gtp_engine()
    with pytest.raises(EngineError, match=r"the forbidden cell of connect4:forbid=c3: it does not know flipdrop-game"):
        session.send_history(GameHistory.of(ConnectFour(forbidden="c3")), SOON)
    late = random_line(OthelloGame(8), random.Random(3), plies=45)[-1]
    _, session = gtp_engine()
    with pytest.raises(EngineError, match="does not know flipdrop-position, and no move sequence to it was found"):
        session.send_history(GameHistory.of(late), SOON)
    _, session = gtp_engine(list_games="= Othello\nGo")
    with pytest.raises(EngineError, match="does not play Connect Four 7x6; its games are Othello, Go"):
        session.send_history(GameHistory.of(ConnectFour()), SOON)
    _, session = gtp_engine(boardsize="? unacceptable size")
    with pytest.raises(EngineError, match="refused 'boardsize 6': unacceptable size"):
        session.send_history(GameHistory.of(Othello(size=6)), SOON)


def test_the_usual_board_needs_no_size() -> None:
    for usual in (Othello(), ConnectFour()):
        engine, session = gtp_engine(PRIVATE | {"set_game"}, boardsize="? what is that")
        session.send_history(GameHistory.of(usual), SOON)
        assert commands_sent(engine)[-1] == "clear_board"


def test_position_sent_as_moves() -> None:
    engine, session = gtp_engine(PRIVATE | {"set_game"})
    session.send_history(GameHistory.of(Othello.from_transcript("f5d6c3")), SOON)
    assert commands_sent(engine)[2:] == ["play black f5", "play white d6", "play black c3"]


def test_private_commands() -> None:
    engine, session = gtp_engine(set())
    start = ConnectFour("----/----/-#--/OX-- X")
    session.send_history(GameHistory.of(start, [2]), SOON)
    assert commands_sent(engine) == [
        "flipdrop-game connect4:4x4,forbid=b2",
        "clear_board",
        "flipdrop-position ----/----/-+--/OX-- X",
        "play black 3",
    ]
    assert session.move(GameHistory.of(start, [2]), Clock(remaining=9.5, increment=0.25), SOON) in range(4)
    assert commands_sent(engine) == ["flipdrop-clock 9.5 0.25 -", "genmove white"]


@pytest.mark.parametrize(
    ("clock", "settings", "left"),
    [
        (None, "time_settings 0 1 0", ""),
        (Clock(), "time_settings 0 1 0", ""),
        (Clock(remaining=61.9), "time_settings 61 0 0", "61 0"),
        (Clock(move_limit=2.5), "time_settings 0 2 1", "2 1"),
        (Clock(move_limit=0.5), "time_settings 0 0 1", "0 1"),
        (Clock(remaining=600, move_limit=5), "time_settings 0 5 1", "5 1"),
        (Clock(remaining=31, move_limit=5), "time_settings 0 1 1", "1 1"),
    ],
)
def test_time_in_the_terms_of_gtp(clock: Clock | None, settings: str, left: str) -> None:
    assert gtp_time(Othello(), clock) == (settings, left)


def test_time_commands_for_other_engines() -> None:
    engine, session = gtp_engine(genmove="= d3")
    same, other = GameHistory.of(Othello()), history(Othello(), "f5d6")
    for game_now, clock, expected in [
        (same, None, []),
        (same, Clock(remaining=60), ["time_settings 60 0 0", "time_left black 60 0"]),
        (other, Clock(remaining=50), ["time_settings 50 0 0", "time_left black 50 0"]),  # another game
        (same, Clock(move_limit=5), ["time_settings 0 5 1", "time_left black 5 1"]),
        (same, None, ["time_settings 0 1 0"]),
        (same, None, []),
    ]:
        session.send_history(game_now, SOON)
        commands_sent(engine)
        with suppress(EngineError):  # d3 is not always a move
            session.move(game_now, clock, SOON)
        assert commands_sent(engine) == [*expected, "genmove black"]


def test_settings_of_a_game_are_sent_once() -> None:
    engine, session = gtp_engine()
    now = GameHistory.of(Othello())
    for left in (60, 50):
        session.send_history(now, SOON)
        now = now.play(session.move(now, Clock(remaining=left), SOON))
        now = now.play(now.position.legal_moves[0])
    settings = [line for line in commands_sent(engine) if line.startswith("time")]
    assert settings == ["time_settings 60 0 0", "time_left black 60 0", "time_left black 50 0"]


def test_engines_without_time_commands() -> None:
    engine, session = gtp_engine(PRIVATE | {"time_settings", "time_left"}, genmove="= d3")
    session.send_history(GameHistory.of(Othello()), SOON)
    commands_sent(engine)
    session.move(GameHistory.of(Othello()), Clock(remaining=60), SOON)
    assert commands_sent(engine) == ["genmove black"]


@given(any_text() | surrogates() | st.sampled_from(["= d3", "=d3", "=7 d3", "? no", "=", "?", "= resign", "= PASS"]))
def test_arbitrary_gtp_answers(text: str) -> None:
    _, session = gtp_engine(genmove=text)
    session.send_history(GameHistory.of(Othello()), SOON)
    try:
        assert session.move(GameHistory.of(Othello()), None, SOON) in Othello().legal_moves
    except EngineError as failure:
        check_message(failure)
