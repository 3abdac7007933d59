"""The GTP server: its answers, also to malformed commands."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello, game
from flipdrop.interface.protocols.gtp import GtpClock, GtpServer, serve_gtp
from flipdrop.interface.protocols.streams import MAX_LINE_LENGTH
from flipdrop.kernel import Side
from flipdrop.players import Clock, FunctionPlayer, RandomPlayer, player
from tests.interface.protocols.support import Clocked
from tests.players.examples import PASSES
from tests.strategies import all_games, any_text, randoms, surrogates

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from flipdrop.games import Position
    from flipdrop.players import Player
    from tests.strategies import AnyGame

FIRST = FunctionPlayer(lambda position: position.legal_moves[0], name="first")


def conversation(*lines: str, name: str = "othello", who: Player = FIRST) -> list[str]:
    """The answers to some lines."""
    answers = io.StringIO()
    serve_gtp(who, game(name), io.StringIO("".join(f"{line}\n" for line in lines)), answers)
    return answers_in(answers.getvalue())


def answers_in(text: str) -> list[str]:
    """Answers end with an empty line, begin with = or ?, and are of ASCII characters."""
    assert text.isascii()
    assert text == "" or text.endswith("\n\n")
    answers = text.split("\n\n")[:-1]
    assert all(answer[0] in "=?" for answer in answers)
    return answers


def test_name_and_version() -> None:
    version, name, own, known, unknown, commands = conversation(
        "protocol_version", "name", "version", "known_command genmove", "known_command dance", "list_commands"
    )
    assert (version, name, known, unknown) == ("= 2", "= flipdrop", "= true", "= false")
    assert own.endswith(" first")
    listed = commands.removeprefix("= ").split("\n")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(listed)
    assert all(answer == "= true" for answer in conversation(*(f"known_command {command}" for command in listed)))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("protocol_version", "= 2"),
        ("7 protocol_version", "=7 2"),
        ("007 protocol_version", "=007 2"),
        ("\t12\tprotocol_version  \r", "=12 2"),
        ("protocol_version # what is it", "= 2"),
        ("proto\x07col_ver\x00sion", "= 2"),
        ("5 dance", "?5 unknown command"),
        ("dance", "? unknown command"),
        ("5", "?5 unknown command"),
        ("5 6 name", "?5 unknown command"),
        ("NAME", "? unknown command"),
        ("play", "? play takes a colour and a move, as in: play black d3"),
        ("play green d3", "? unknown colour 'green'; it is black (the first side) or white (the second)"),
        ("play white d3", "? it is not the turn of white"),
        ("genmove white", "? it is not the turn of white"),
        ("genmove", "? genmove takes a colour, as in: genmove black"),
        ("genmove b", "= d3"),
        ("genmove BLACK", "= d3"),
        ("boardsize 7", "? unacceptable size: Othello of size 7; it is played on 4x4, 6x6 or 8x8"),
        ("boardsize 19", "? unacceptable size: Othello of size 19; it is played on 4x4, 6x6 or 8x8"),
        ("boardsize -8", "? '-8' is not a whole number"),
        ("boardsize", "? boardsize takes a number, or columns and rows"),
        ("undo", "? cannot undo"),
        ("final_score", "? the game is not over"),
        ("komi 6.5", "="),
        ("time_left black x 0", "? 'x' is not a number of seconds"),
        ("time_left black inf 0", "? 'inf' is not a number of seconds"),
    ],
)
def test_a_line_and_its_answer(line: str, answer: str) -> None:
    assert conversation(line) == [answer]


def test_lines_without_a_command() -> None:
    assert conversation("", "  ", "# a comment", "\t#", "\x01", "name") == ["= flipdrop"]


def test_quit() -> None:
    assert conversation("3 quit", "name") == ["=3"]


def test_an_illegal_move_changes_nothing() -> None:
    before, illegal, after = conversation("showboard", "play black a1", "showboard")
    assert illegal == "? a1 for black; legal: d3 c4 f5 e6"
    assert before == after == f"=\n{Othello().diagram()}"


def test_undo_takes_back_one_move() -> None:
    *_, board = conversation("play black f5", "play white d6", "genmove black", "undo", "undo", "showboard")
    assert board == f"=\n{Othello().play('f5').diagram(last_move='f5')}"


@pytest.mark.parametrize("position", PASSES[:3], ids=lambda position: position.game.name)
def test_passes(position: Othello) -> None:
    passing, other = ("black", "white") if position.to_move == Side.FIRST else ("white", "black")
    setup = f"flipdrop-position {position.board}"
    after = position.play("pass")
    assert conversation(setup, f"genmove {passing}", name=position.game.name) == ["=", "= pass"]
    assert conversation(setup, f"play {passing} pass", name=position.game.name) == ["=", "="]
    expected = after.move_name(after.legal_moves[0])
    for lines in ([f"play {passing} pass", f"genmove {other}"], [f"genmove {other}"]):
        assert conversation(setup, *lines, name=position.game.name)[-1] == f"= {expected}"
    # What cannot be played after an implied pass leaves nothing of it behind.
    *_, wrong, board = conversation(setup, f"play {other} pass", "showboard", name=position.game.name)
    assert wrong.startswith("? ")
    assert board == f"=\n{position.diagram()}"


@pytest.mark.parametrize(
    ("name", "moves", "score"),
    [
        ("othello", "f5d6c5f4e7f6g5e6e3", "= B+64"),
        ("connect4", "1212121", "= B+1"),
        ("connect4", "17171727", "= W+1"),
    ],
)
def test_passes_after_the_end(name: str, moves: str, score: str) -> None:
    kind = game(name)
    lines, position = [], kind.start()
    for token in kind.transcript_tokens(moves):
        lines.append(f"play {'black' if position.to_move == Side.FIRST else 'white'} {token}")
        position = position.play(token)
    if position.result == -1:
        assert name == "connect4"
    answers = conversation(
        *lines, "genmove black", "genmove white", "play black pass", "play white pass", "final_score", name=name
    )
    assert answers[: len(lines)] == ["="] * len(lines)
    assert answers[len(lines) :] == ["= pass", "= pass", "=", "=", score]
    refused, taken, one, two, three, board = conversation(
        *lines, "play black 1", "play white pass", "undo", "undo", "undo", "showboard", name=name
    )[len(lines) :]
    assert refused.startswith("? ")
    assert (taken, one, two, three) == ("=", "=", "=", "=")
    assert board.startswith("=")


def test_the_game_can_be_changed() -> None:
    answers = conversation(
        *("boardsize 6", "showboard", "flipdrop-game connect4:9x10,forbid=c3", "showboard"),
        *("boardsize 9 10", "showboard", "boardsize 4", "showboard", "set_game Othello", "genmove b", "list_games"),
    )
    boards = [answer.removeprefix("=\n") for answer in answers[1:8:2]]
    forbidding = ConnectFour(columns=9, rows=10, forbidden="c3")
    expected: Sequence[Position] = [Othello(size=6), forbidding, forbidding, ConnectFour(columns=4, rows=4)]
    assert boards == [position.diagram() for position in expected]
    assert answers[8:10] == ["=", "= d3"]
    assert "connect4" in answers[10]


@pytest.mark.parametrize("board", ["----/----/-#--/OX-- X", "----/----/----/-X-- O"], ids=["forbidden", "plain"])
def test_any_position_can_be_set(board: str) -> None:
    position = ConnectFour(board)
    name = position.game.name
    _, shown, moved = conversation(
        f"flipdrop-position {board.replace('#', '+')}",
        "showboard",
        f"play {'black' if position.to_move == Side.FIRST else 'white'} 3",
        name=name,
    )
    assert (shown, moved) == (f"=\n{position.diagram()}", "=")
    assert conversation("flipdrop-position 33", "play black 3", "flipdrop-position 39", name=name)[1:] == [
        "=",
        "? move 2 of the transcript, after '3': '9' is not a move; a move is a column from 1 to 4",
    ]


@pytest.mark.parametrize(
    ("lines", "clock"),
    [
        ([], None),
        (["time_settings 0 1 0"], None),
        (["time_settings 60 0 0"], Clock(remaining=60)),
        (["time_settings 0 10 1"], Clock(move_limit=10)),
        (["time_settings 0 10 4"], Clock(move_limit=2.5)),
        (["time_settings 60 10 5"], Clock(remaining=60, increment=2)),
        (["time_settings 60 0 0", "time_left black 12.5 0"], Clock(remaining=12.5)),
        (["time_settings 60 0 0", "time_left white 12.5 0"], Clock(remaining=60)),
        (["time_left black 12 3"], Clock(move_limit=4)),
        (["time_settings 60 0 0", "flipdrop-clock 7.25 0.5 3"], Clock(remaining=7.25, increment=0.5, move_limit=3)),
        (["time_settings 60 0 0", "flipdrop-clock - 0 -"], None),
    ],
)
def test_time_reaches_the_player(lines: list[str], clock: Clock | None) -> None:
    clocked = Clocked()
    conversation(*lines, "genmove black", who=clocked)
    assert clocked.clocks == [clock]


def test_time_without_time_left() -> None:
    times = GtpClock(10, 6, 3)
    seen = []
    for spent in (4, 7, 2, 2, 2, 1):
        seen.append(times.clock(Side.FIRST))
        times.spend(Side.FIRST, spent)
    assert seen == [
        Clock(remaining=10, increment=2),
        Clock(remaining=6, increment=2),
        Clock(move_limit=2),
        Clock(move_limit=2),
        Clock(move_limit=2),
        Clock(move_limit=2),
    ]
    assert times.clock(Side.SECOND) == Clock(remaining=10, increment=2)


def test_a_player_that_fails_is_an_answer() -> None:
    def fail(position: Position) -> int:
        raise RuntimeError("no idea\nat all")

    assert conversation("genmove black", "name", who=FunctionPlayer(fail, name="fail")) == [
        f"? fail failed in {Othello()!r}: RuntimeError: no idea at all",
        "= flipdrop",
    ]


def test_an_endless_line_is_cut() -> None:
    answers = conversation("known_command " + "x" * (3 * MAX_LINE_LENGTH), "name", "y" * MAX_LINE_LENGTH, "name")
    assert answers == ["= false", "= flipdrop", "? unknown command", "= flipdrop"]


COMMANDS = list(GtpServer(FIRST, game("othello"))._commands)
WORDS = st.sampled_from(
    ["black", "white", "b", "w", "red", "pass", "resign", "d3", "f5", "1", "10", "a", "c3", "-", "X"]
)
NUMBERS = st.sampled_from(
    ["0", "4", "6", "7", "8", "-1", "1e9", "1e999", "nan", "othello6", "connect4", "connect4:4x4"]
)


def lines() -> st.SearchStrategy[str]:
    sensible = st.tuples(st.sampled_from(COMMANDS), st.lists(WORDS | NUMBERS | any_text(), max_size=4)).map(
        lambda parts: " ".join([parts[0], *parts[1]])
    )
    numbered = st.tuples(st.integers(0, 10**30), sensible).map(lambda parts: f"{parts[0]} {parts[1]}")
    return (sensible | numbered | any_text() | surrogates()).map(lambda text: text.replace("\n", " "))


@pytest.mark.slow
@given(all_games(), st.lists(lines(), max_size=30))
def test_one_answer_per_command(kind: AnyGame, said: list[str]) -> None:
    answers = conversation(*said, name=kind.name, who=RandomPlayer())
    expected = 0
    for line in said:
        content = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.split("#")[0]).split()
        expected += bool(content)
        if "quit" in content[:2] and (content[0] == "quit" or content[0].isdigit()):
            break
    assert len(answers) == expected
    assert not any("internal error" in answer for answer in answers)


@given(all_games(), randoms())
def test_whole_games_are_played(kind: AnyGame, source: random.Random) -> None:
    who = player("random", seed=source.randrange(1000))
    server = GtpServer(who, kind)
    position: Position = kind.start()
    while not position.is_over:
        colour = "black" if position.to_move == Side.FIRST else "white"
        if source.random() < 0.5:
            move = who.choose(position)
            assert server.answer(f"genmove {colour}") == f"= {position.move_name(move)}"
        else:
            move = source.choice(position.legal_moves)
            assert server.answer(f"play {colour} {position.move_name(move)}") == "="
        position = position.play(move)
        assert server.position == position


def test_analysis() -> None:
    (answer,) = conversation("flipdrop-analyse 0.1", name="connect4")
    lines = answer.removeprefix("= ").splitlines()
    assert len(lines) == 7
    assert re.match(r"info move 4 visits \d+ winrate 10000 proven true value .+ order 0 pv 4 ", lines[0])
    assert [int(line.split("order ")[1].split()[0]) for line in lines] == list(range(7))
    wrong, over = conversation("flipdrop-analyse fast", "flipdrop-analyse 1 2")
    assert wrong.startswith("? 'fast' is not a number of seconds")
    assert over.startswith("? flipdrop-analyse takes seconds")
