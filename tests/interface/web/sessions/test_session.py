"""A session: moves, taking back, resigning, the clock, announcements, and storage."""

from __future__ import annotations

import itertools
import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.errors import IllegalMove
from flipdrop.games import ConnectFour, Othello, OthelloGame
from flipdrop.interface.web.schemas import PERSON, ClockView, GameResult, PlayerView
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.interface.web.sessions.errors import OutOfRange, SessionError
from flipdrop.interface.web.sessions.session import SIDES, Session
from flipdrop.interface.web.sessions.view import view_of
from flipdrop.kernel import Side
from tests.strategies import AnyGame, all_games, random_line, randoms

FIRST, SECOND = Side.FIRST, Side.SECOND


COMPUTER = PlayerView(spec="level:1", name="level:1")


class Watch:
    """A clock that advances only when a test sets it."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def clocked(control: str, **options: object) -> tuple[Session, Watch]:
    watch = Watch()
    return Session("a", Othello(), clock=SessionClock.of(control, now=watch), **options), watch  # type: ignore[arg-type]


def clock_of(session: Session) -> ClockView:
    clock = view_of(session).clock
    assert clock is not None
    return clock


@settings(max_examples=40, deadline=None)
@given(game=all_games(), source=randoms())
def test_whole_game(game: AnyGame, source: object) -> None:
    line = random_line(game, source)  # type: ignore[arg-type]
    session = Session("a", game.start())
    versions = [session.version]
    for before, after in itertools.pairwise(line):
        view = view_of(session)
        assert view.over is False
        names = [legal.move for legal in view.legal] or ["pass"]
        assert names == [before.move_name(move) for move in before.legal_moves]
        move = next(move for move in before.legal_moves if before.play(move) == after)
        session.play(before.move_name(move), cursor=session.cursor)
        versions.append(session.version)
        assert session.position == after
    assert versions == sorted(set(versions))
    assert session.ending is not None
    assert session.ending.reason == "board"
    with pytest.raises(SessionError, match="over"):
        session.play("pass")


@settings(max_examples=50, deadline=None)
@given(
    source=randoms(),
    actions=st.lists(st.sampled_from(["play", "undo", "redo", "jump", "resign", "branch"]), max_size=60),
    players=st.tuples(st.booleans(), st.booleans()),
)
def test_any_actions(source: object, actions: list[str], players: tuple[bool, bool]) -> None:
    choose = source.choice  # type: ignore[attr-defined]
    first, second = (PERSON if person else COMPUTER for person in players)
    session = Session("a", Othello(size=4), players=(first, second))
    for action in actions:
        moves_before = session.moves
        try:
            match action:
                case "play" if session.computer_to_move is not None:
                    session.push(choose(session.position.legal_moves))
                case "play" if not session.position.is_over:
                    session.play(session.position.move_name(choose(session.position.legal_moves)))
                case "undo":
                    session.undo()
                case "redo":
                    session.redo()
                case "jump":
                    session.jump(choose(range(-1, len(session.moves) + 2)))
                case "resign":
                    session.resign()
                case "branch":
                    session.truncate()
        except SessionError:
            assert session.moves == moves_before
        if action in ("undo", "redo", "jump", "resign"):
            assert session.moves == moves_before  # the record is whole
        replayed = Othello(size=4)
        for move in session.moves[: session.cursor]:
            replayed = replayed.play(move)
        assert session.position == replayed
        assert len(session.positions) == len(session.moves) + 1
        view = view_of(session)
        assert (view.turn is None) == view.over
        assert (view.result is not None) == (view.over and session.is_at_end)
        kept = Session.from_json(json.loads(json.dumps(session.to_json())))
        ignored = {"version": 0, "thinking": None}
        assert view_of(kept).model_copy(update=ignored) == view.model_copy(update=ignored)


def test_undo() -> None:
    session = Session("a", Othello(), players=(PERSON, COMPUTER))
    session.play("f5")
    session.push(Othello().parse_move("d6"))
    session.play("c3")
    session.push(Othello().parse_move("d3"))
    session.undo()
    assert (session.cursor, session.transcript) == (2, "f5d6")
    session.undo()
    assert session.cursor == 0
    with pytest.raises(SessionError, match="nothing to take back"):
        session.undo()
    session.redo()
    assert session.cursor == 2
    session.play("c5")  # what came after is replaced
    assert [m.move for m in view_of(session).moves] == ["f5", "d6", "c5"]
    with pytest.raises(SessionError, match="nothing to replay"):
        session.redo()


def test_undo_over_pass() -> None:
    source = random.Random(1)
    line = random_line(OthelloGame(4), source)
    while not any(position.legal_moves == (position.move_space - 1,) for position in line):
        line = random_line(OthelloGame(4), source)
    session = Session("a", line[0])
    for before, after in itertools.pairwise(line):
        session.push(next(move for move in before.legal_moves if before.play(move) == after))
    passed = next(number for number, position in enumerate(line) if position.legal_moves == (position.move_space - 1,))
    session.jump(passed)
    view = view_of(session)
    assert (view.must_pass, view.legal, view.human_to_move) == (True, [], True)
    session.play("pass")
    last = view_of(session).last
    assert last is not None
    assert (last.move, last.cell, last.flipped, last.passed) == ("pass", None, [], True)
    session.undo()
    assert session.cursor == passed - 1


def test_move_for_computer() -> None:
    session = Session("a", Othello(), players=(COMPUTER, PERSON))
    assert session.computer_to_move == FIRST
    with pytest.raises(SessionError, match="turn of level:1"):
        session.play("f5")
    assert view_of(session).human_to_move is False


@pytest.mark.parametrize("move", ["e4", "z9", "", "pass", "\ud800", "f55", "４"])
def test_illegal_move(move: str) -> None:
    session = Session("a", Othello())
    before = view_of(session)
    with pytest.raises(IllegalMove):
        session.play(move)
    assert view_of(session) == before


def test_two_clicks() -> None:
    session = Session("a", ConnectFour())
    session.play("4", cursor=0)
    with pytest.raises(SessionError, match="board changed"):
        session.play("4", cursor=0)
    assert session.transcript == "4"


def test_resigning_and_taking_it_back() -> None:
    session = Session("a", Othello(), players=(COMPUTER, PERSON))
    session.push(Othello().parse_move("f5"))
    session.resign()  # the only person
    assert session.ending == GameResult(winner="first", reason="resign")
    view = view_of(session)
    assert view.result == GameResult(winner="first", reason="resign", margin=None)
    assert view.turn is None
    with pytest.raises(SessionError):
        session.resign()
    session.undo()
    assert session.ending is None
    assert session.cursor == 1
    session.resign(SIDES["first"])
    assert session.ending == GameResult(winner="second", reason="resign")


def test_subscribers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = Session("a", Othello())
    heard: list[int] = []

    def broken(_: Session) -> None:
        raise RuntimeError("a page has gone")

    session.subscribe(broken)
    stop = session.subscribe(lambda changed: heard.append(changed.version))
    session.play("f5")
    session.undo()
    stop()
    session.redo()
    assert len(heard) == 2
    assert heard[1] > heard[0]
    assert "a page has gone" in caplog.text


def test_announcements() -> None:
    """What the hook changes joins the announcement; what a subscriber changes is announced after it."""
    session = Session("a", Othello(), players=(PERSON, COMPUTER))
    heard: list[tuple[str, int, Side | None]] = []
    session.attach(lambda changed: changed.set_thinking(changed.computer_to_move))

    def second(changed: Session) -> None:
        heard.append(("second", changed.cursor, changed.thinking))

    def first(changed: Session) -> None:
        heard.append(("first", changed.cursor, changed.thinking))
        if changed.cursor == 1:
            changed.push(changed.position.legal_moves[0])

    session.subscribe(first)
    session.subscribe(second)
    session.play("f5")
    # `second` sees the state of now, which `first` has changed already, twice: both changes were announced to both.
    assert heard == [("first", 1, SECOND), ("second", 2, None), ("first", 2, None), ("second", 2, None)]


def test_clock() -> None:
    session, watch = clocked("60+2")
    watch.time += 30
    session.play("f5")  # no clock ran before it
    assert clock_of(session).remaining["first"] == 62
    watch.time += 10
    assert view_of(session).clock == ClockView(
        remaining={"first": 62.0, "second": 50.0}, running="second", increment=2.0, control="60+2"
    )
    session.play("d6")
    watch.time += 62.5
    with pytest.raises(SessionError, match="over"):
        session.play("c3")
    assert session.ending == GameResult(winner="second", reason="time")
    assert clock_of(session).running is None


def test_undo_after_loss_on_time() -> None:
    """Its clock would fall again at once; taking back a resignation is another matter."""
    session, watch = clocked("60")
    session.play("f5")
    session.play("d6")
    watch.time += 61
    session.check_time()
    assert session.ending == GameResult(winner="second", reason="time")
    assert view_of(session).can_undo is False
    for act in (session.undo, session.truncate, lambda: session.restart(Othello())):
        with pytest.raises(SessionError, match="time was up"):
            act()
    session.jump(1)  # looking is allowed
    with pytest.raises(SessionError, match="time was up"):
        session.play("f6")
    assert session.ending == GameResult(winner="second", reason="time")

    session, _ = clocked("60")
    session.play("f5")
    session.resign()
    session.undo()
    assert session.ending is None


def test_undo_with_clock() -> None:
    session, _ = clocked("60")
    session.play("f5")
    assert view_of(session).can_undo is False
    for act in (session.undo, session.truncate):
        with pytest.raises(SessionError, match="clock"):
            act()
    session.jump(0)  # looking is allowed
    with pytest.raises(SessionError, match="clock"):
        session.play("d3")


def test_clock_of_computer() -> None:
    session, watch = clocked("60", players=(PERSON, COMPUTER))
    session.play("f5")
    session.set_thinking(SECOND, waiting=True)
    watch.time += 20
    assert clock_of(session).remaining["second"] == 60
    session.set_thinking(SECOND)
    watch.time += 5
    session.push(session.position.legal_moves[0])
    assert clock_of(session).remaining["second"] == 55


def test_clock_after_restart() -> None:
    session, watch = clocked("60")
    session.play("f5")
    watch.time += 20
    session.play("d6")
    kept = Session.from_json(json.loads(json.dumps(session.to_json())))
    assert kept.clock is not None
    assert kept.clock.remaining == [60, 40]
    assert kept.clock.running == FIRST
    assert kept.transcript == "f5d6"


def branching(text: str = "") -> Session:
    made = Session("test", Othello(), branching=True)
    for name in re.findall("..", text):
        made.play(name)
    return made


def test_play_line() -> None:
    session = branching("f5d6c3")
    session.jump(1)
    session.play_line(["f6", "e6"])
    assert session.tree is not None
    assert session.tree.text == "f5d6(f6e6)c3"
    assert session.transcript == "f5f6e6"
    session.undo_edit()  # the whole line
    assert session.transcript == "f5"
    assert session.tree.text == "f5d6c3"
    with pytest.raises(IllegalMove):
        session.play_line(["f6", "a1"])
    with pytest.raises(SessionError):
        Session("test", Othello()).play_line(["f5"])


def test_variations_overwrite_nothing() -> None:
    session = branching("f5d6c3")
    session.jump(1)
    session.play("f6")
    session.play("e6")
    assert session.tree is not None
    assert session.tree.text == "f5d6(f6e6)c3"
    assert session.transcript == "f5f6e6"
    view = view_of(session)
    assert view.branch == 1
    assert [move.move for move in view.game_moves] == ["f5", "d6", "c3"]
    assert [(one.after, [move.move for move in one.moves]) for one in view.variations] == [(1, ["f6", "e6"])]
    session.jump(1)  # forward from here follows the game again
    session.redo()
    assert session.transcript == "f5d6"
    assert view_of(session).branch is None
    session.jump(1)
    session.play("f6")  # a known move follows its line
    assert session.tree.text == "f5d6(f6e6)c3"
    assert [move.move for move in view_of(session).moves] == ["f5", "f6", "e6"]


def test_promoted_deleted_and_left_variations() -> None:
    session = branching("f5d6c3")
    session.go_to(["f5"])
    session.play("f6")
    session.return_to_game()
    assert session.transcript == "f5"
    with pytest.raises(OutOfRange):
        session.go_to(["d3"])
    session.go_to(["f5", "f6"])
    session.promote_variation()
    assert session.tree is not None
    assert session.tree.text == "f5f6(d6c3)"
    session.go_to(["f5", "d6", "c3"])
    session.delete_variation()
    assert (session.tree.text, session.transcript) == ("f5f6", "f5")
    session.undo_edit()
    assert (session.tree.text, session.transcript) == ("f5f6(d6c3)", "f5d6c3")
    session.undo_edit()
    assert session.tree.text == "f5d6(f6)c3"
    session.redo_edit()
    session.redo_edit()
    session.redo_edit()  # nothing left
    assert session.tree.text == "f5f6"
    session.delete_variation()  # the game itself stays
    assert session.tree.text == "f5f6"


def test_undo_of_a_loaded_game() -> None:
    session = branching("f5d6")
    session.restart(Othello("-----OX--XO----- X"))
    assert session.game.name == "othello4"
    session.undo_edit()
    assert session.transcript == "f5d6"
