"""What engines are told, and what is made of what they say, without a process in between."""

from __future__ import annotations

import random
import re
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello, game
from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.games import OthelloGame
from flipdrop.games.history import GameHistory
from flipdrop.games.records.ggf import read_ggf
from flipdrop.interface.protocols.gtp import GtpServer
from flipdrop.players import Clock, player
from flipdrop.players.external.gtp import GtpSession, gtp_time
from flipdrop.players.external.gtp_notation import SET_CLOCK, SET_GAME, SET_POSITION, read_clock, read_move, write_clock
from flipdrop.players.external.nboard import NboardSession, extension_time, game_time
from flipdrop.players.external.player import ExternalPlayer
from flipdrop.players.external.process import EngineError
from tests.strategies import all_games, any_text, random_line, randoms, surrogates

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.players.external.process import EngineProcess
    from tests.strategies import AnyGame

PRIVATE = {SET_GAME, SET_POSITION, SET_CLOCK}
SOON = 0.0  # nothing waits here


class Scripted:
    """Stands for an engine's process: answers lines by a function."""

    def __init__(self, answer: Callable[[str], list[str]]) -> None:
        self.answer = answer
        self.told: list[str] = []
        self.waiting: list[str] = []

    def send(self, line: str, deadline: float) -> None:
        assert "\n" not in line
        self.told.append(line)
        self.waiting += self.answer(line)

    def receive(self, deadline: float, *, after: str) -> str:
        if not self.waiting:
            raise EngineError(f"did not answer {after!r} in time")
        return self.waiting.pop(0)

    def unsolicited_line(self) -> str:
        return self.waiting.pop(0) if self.waiting else ""


def gtp_engine(unknown: set[str] = PRIVATE, **answers: str) -> tuple[Scripted, GtpSession]:
    """Our own server as an engine that does not know some commands, with some answers changed."""
    server = GtpServer(player("random"), OthelloGame())
    for command in unknown:
        del server._commands[command]

    def answer(line: str) -> list[str]:
        given = answers.get(line.split()[0])
        return [*(server.answer(line) if given is None else given).split("\n"), ""]

    scripted = Scripted(answer)
    return scripted, GtpSession(_as_process(scripted))


def nboard_engine(go: str = "=== D3", depth: int | None = None) -> tuple[Scripted, NboardSession]:
    def answer(line: str) -> list[str]:
        word, _, rest = line.partition(" ")
        return {"ping": ["status idle", f"pong {rest}"], "go": ["nodestats 5 0.1", *go.split("\n")]}.get(word, [])

    scripted = Scripted(answer)
    return scripted, NboardSession(_as_process(scripted), depth=depth)


def _as_process(scripted: Scripted) -> EngineProcess:
    return scripted  # type: ignore[return-value]


def commands_sent(scripted: Scripted) -> list[str]:
    """What it was told since the last call, but for questions what it knows."""
    lines = [line for line in scripted.told if not line.startswith(("known_command", "ping"))]
    scripted.told.clear()
    return lines


def history(start: Othello | ConnectFour, text: str) -> GameHistory:
    moves = []
    position = start
    for token in start.game.transcript_tokens(text):
        moves.append(position.parse_move(token))
        position = position.play(token)
    return GameHistory.of(start, moves)


def check_message(error: FlipdropError, pattern: str = ".") -> None:
    """A message is one line that says something."""
    assert re.search(pattern, str(error))
    assert "\n" not in str(error)


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


@given(
    st.builds(Clock, remaining=st.none() | st.floats(0, 1e9), increment=st.floats(0, 1e9), move_limit=st.floats(0, 9))
)
def test_a_clock_survives_being_written(clock: Clock) -> None:
    assert read_clock(write_clock(clock).split()) == clock


def test_no_limit_is_no_clock() -> None:
    assert read_clock(write_clock(None).split()) is None
    for bad in ("", "1 2", "1 2 x", "1 2 3 4", "-1 0 -", "nan 0 -", "inf 0 0"):
        with pytest.raises(PlayerError, match="REMAINING INCREMENT MOVE_LIMIT"):
            read_clock(bad.split())


@given(any_text() | surrogates() | st.sampled_from(["= d3", "=d3", "=7 d3", "? no", "=", "?", "= resign", "= PASS"]))
def test_arbitrary_gtp_answers(text: str) -> None:
    _, session = gtp_engine(genmove=text)
    session.send_history(GameHistory.of(Othello()), SOON)
    try:
        assert session.move(GameHistory.of(Othello()), None, SOON) in Othello().legal_moves
    except EngineError as failure:
        check_message(failure)


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


@pytest.mark.parametrize(
    ("name", "text", "move"),
    [
        ("othello", "F5", 37),
        ("othello", " f5 ", 37),
        ("othello", "PASS", 64),
        ("connect4", "4", 3),
        ("connect4", "d", 3),
        ("connect4", "G", 6),
        ("connect4", "d1", 3),
        ("connect4:9x9", "i", 8),
        ("connect4:12x12", "a", 9),
        ("connect4:12x12", "10", 9),
        ("connect4:12x12", "12", 11),
        ("connect4:12x12", "l1", 11),
        ("connect4:12x12,forbid=c1", "c2", 2),
    ],
)
def test_notations_of_moves(name: str, text: str, move: int) -> None:
    assert read_move(game(name).start(), text) == move


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("connect4", "h"),
        ("connect4", "8"),
        ("connect4", "10"),
        ("connect4", "d2"),
        ("connect4", "h1"),
        ("connect4:12x12", "d"),
        ("connect4:12x12", "13"),
        ("connect4", "pass"),
        ("connect4", ""),
        ("othello", "i9"),
        ("othello", "37"),
    ],
)
def test_texts_that_are_no_move(name: str, text: str) -> None:
    with pytest.raises(FlipdropError):
        read_move(game(name).start(), text)


@given(all_games(), randoms())
def test_moves_are_read_as_flipdrop_names_them(kind: AnyGame, source: random.Random) -> None:
    for position in random_line(kind, source)[:-1]:
        for move in position.legal_moves:
            assert read_move(position, position.move_name(move)) == move
            assert read_move(position, position.move_name(move).upper()) == move


@given(all_games(), any_text() | surrogates())
def test_any_text_is_a_move_or_an_error(kind: AnyGame, text: str) -> None:
    with suppress(FlipdropError):
        assert 0 <= read_move(kind.start(), text) < kind.start().move_space


@pytest.mark.parametrize(
    ("spec", "canonical", "name"),
    [
        ("gtp:edax -gtp", "gtp:edax -gtp", "edax -gtp"),
        (" GTP : /opt/edax/bin/edax  -gtp ", "gtp:/opt/edax/bin/edax -gtp", "edax -gtp"),
        ("nboard:'my engine' --name \"a b\"", "nboard:'my engine' --name 'a b'", "'my engine' --name 'a b'"),
        ("gtp[name=Edax 4.6, timeout=20]:edax", "gtp[name=Edax 4.6,timeout=20]:edax", "Edax 4.6"),
        ("nboard[depth=9,folder=/opt/x]:./x", "nboard[folder=/opt/x,depth=9]:./x", "x"),
        ("gtp[startup=30]:x", "gtp:x", "x"),
        ("gtp:x.py:Agent [a=b]", "gtp:x.py:Agent '[a=b]'", "x.py:Agent '[a=b]'"),
        ("gtp[]:python engine.py", "gtp:python engine.py", "python engine.py"),
    ],
)
def test_a_spec_and_its_canonical_form(spec: str, canonical: str, name: str) -> None:
    made = player(spec)
    assert isinstance(made, ExternalPlayer)
    assert (made.spec, made.name) == (canonical, name)
    assert player(made.spec).spec == made.spec
    assert repr(made) == f"player({canonical!r})"


@given(st.sampled_from(["gtp", "nboard"]), st.lists(st.text(min_size=1), min_size=1), st.floats(0.001, 1e6))
def test_command_lines_round_trip(kind: str, words: list[str], timeout: float) -> None:
    spec = f"{kind}[timeout={timeout!r},name=N]:{shlex.join(words)}"
    try:
        made = player(spec)
    except PlayerError as error:
        check_message(error, "null character|surrogates")
        return
    assert isinstance(made, ExternalPlayer)
    assert made.command == tuple(words)
    again = player(made.spec)
    assert again.spec == made.spec


@given(st.sampled_from(["gtp", "nboard"]), any_text() | surrogates(), any_text())
def test_arbitrary_command_lines(kind: str, text: str, options: str) -> None:
    for spec in (f"{kind}:{text}", f"{kind}[{options}]:{text}"):
        try:
            made = player(spec)
        except FlipdropError as error:
            check_message(error)
        else:
            assert player(made.spec).spec == made.spec


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("gtp:", "say which program to run"),
        ("gtp: ", "say which program to run"),
        ("nboard:''", "say which program to run"),
        ("gtp:edax 'x", "No closing quotation"),
        ("gtp:edax \0", "null character"),
        ("gtp[timeout=0]:x", "more than 0"),
        ("gtp[timeout=soon]:x", "expected a number"),
        ("gtp[depth=4]:x", "no option 'depth'"),
        ("nboard[depth=0]:x", "at least 1"),
        ("gtp[speed=4]:x", "options are name, timeout, startup, folder"),
        ("gtp[name=a\tb]:x", "printable text"),
        ("gtp", "players are"),
        ("gpt:x", "players are"),
    ],
)
def test_spec_errors(spec: str, complaint: str) -> None:
    with pytest.raises(PlayerError, match=complaint):
        player(spec)


def test_programs_that_are_not_allowed() -> None:
    for spec in ("gtp:edax", "nboard[name=x]:edax", "gtp:"):
        with pytest.raises(PlayerError, match="programs are not run here"):
            player(spec, allow_code=False)


def test_unsupported_games() -> None:
    with pytest.raises(PlayerError, match="cannot play Othello 6x6: the protocol of NBoard is for Othello 8x8"):
        player("nboard:cat", game="othello6")
    with pytest.raises(PlayerError, match="there is no program 'no-such-engine'"):
        player("gtp:no-such-engine", game="othello")
    assert player("gtp:cat", game="connect4").spec == "gtp:cat"
    with pytest.raises(PlayerError, match="cannot play Connect Four"):
        player("nboard:cat").choose(ConnectFour())
