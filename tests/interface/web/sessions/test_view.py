"""Views agree with the slow rules in tests/reference; values of searches as views show them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.games import ConnectFour, Othello, OthelloGame
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.view import describe_value, view_of
from flipdrop.search.values import WIN, Value
from flipdrop.search.win_probability import ENGINE_SCALE, WinProbabilityScale
from tests.reference.connect_four import ReferenceConnectFour
from tests.reference.othello import ReferenceOthello
from tests.strategies import connect_four_games, randoms

if TYPE_CHECKING:
    from flipdrop.interface.web.schemas import SessionView


MARKS = {"": "-", "first": "X", "second": "O", "forbidden": "#"}


def marks(view: SessionView) -> str:
    return "".join(MARKS[cell] for cell in view.cells)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(size=st.sampled_from([4, 6, 8]), source=randoms())
def test_othello(size: int, source: object) -> None:
    reference = ReferenceOthello.start(size)
    session = Session("a", OthelloGame(size).start())
    while True:
        view = view_of(session)
        json.dumps(view.model_dump(), allow_nan=False)
        assert marks(view) == reference.cells
        assert (view.counts["first"], view.counts["second"]) == reference.discs
        assert view.over == reference.is_over
        assert view.columns * view.rows == len(view.cells)
        legal = reference.legal_moves()
        assert view.must_pass == (legal == [reference.pass_move])
        assert [entry.cell for entry in view.legal] == [move for move in legal if move != reference.pass_move]
        if reference.is_over:
            winner = {1: "first", 0: "draw", -1: "second"}[reference.result or 0]
            assert view.result is not None
            found = (view.result.winner, view.result.reason, view.result.margin)
            assert found == (winner, "board", reference.margin)
            return
        assert view.turn == ("first" if reference.to_move == "X" else "second")
        move = source.choice(legal)  # type: ignore[attr-defined]
        flipped, mover = reference.flipped_by(move), view.turn
        session.push(move)
        reference = reference.play(move)
        last = view_of(session).last
        assert last is not None
        assert (sorted(last.flipped), last.by) == (flipped, mover)
        assert last.passed == (move == reference.pass_move)


@settings(max_examples=25, deadline=None)
@given(game=connect_four_games(7), source=randoms())
def test_connect_four(game: object, source: object) -> None:
    start = game.start()  # type: ignore[attr-defined]
    reference = ReferenceConnectFour.start(start.columns, start.rows, start.forbidden)
    session = Session("a", start)
    while not session.is_over:
        view = view_of(session)
        move = source.choice([entry.move for entry in view.legal])  # type: ignore[attr-defined]
        landing = next(entry.cell for entry in view.legal if entry.move == move)
        assert landing is not None
        assert view.cells[landing] == ""
        session.play(move)
        reference = reference.play(session.moves[-1])
        after = view_of(session)
        assert marks(after) == reference.cells
        assert after.cells[landing] == view.turn
        assert after.last is not None
        assert after.last.model_dump() == {
            "move": move,
            "cell": landing,
            "by": view.turn,
            "flipped": [],
            "passed": False,
        }
    final = view_of(session)
    assert final.result is not None
    assert final.result.winner == {1: "first", 0: "draw", -1: "second"}[reference.result or 0]
    if final.result.winner != "draw":
        assert len(final.winning_line) >= 4
        assert {final.cells[cell] for cell in final.winning_line} == {final.result.winner}


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1e300, -1e300, 0.0])
@pytest.mark.parametrize("half_point", [0.0, 60.0])
def test_extreme_values(value: float, half_point: float) -> None:
    for outcome in (1, None):
        shown = describe_value(Value(Othello(), value, outcome), WinProbabilityScale(half_point))
        json.dumps(shown.model_dump(), allow_nan=False)
        assert 0 <= shown.win_probability <= 1


@settings(deadline=None)
@given(low=st.floats(-1e4, 1e4), high=st.floats(-1e4, 1e4), half_point=st.sampled_from([0.0, 40.0]))
def test_monotonic_win_probability(low: float, high: float, half_point: float) -> None:
    low, high = min(low, high), max(low, high)
    scale = WinProbabilityScale(half_point)
    chances = [
        describe_value(Value(Othello(), value), scale).win_probability
        for value in (-WIN - 64, low, high, WIN + 2, WIN + 64)
    ]
    assert chances[1] <= chances[2]
    assert chances[3] <= chances[4]
    assert chances[0] < 0.1


@pytest.mark.parametrize("number", [0.9999, 1.0, -1.0, WIN + 64, -WIN - 64])
def test_unproven_values_are_never_certain(number: float) -> None:
    shown = describe_value(Value(Othello(), number), WinProbabilityScale())
    assert shown.percent == shown.text == ("99%" if number > 0 else "1%")
    proven = describe_value(Value(Othello(), number, 1 if number > 0 else -1), WinProbabilityScale())
    assert proven.percent == ("100%" if number > 0 else "0%")


def test_values_in_discs() -> None:
    engine = describe_value(Value(Othello(), 4.0, discs=True), ENGINE_SCALE)
    assert (engine.text, engine.discs, engine.percent) == ("+4", 4.0, "73%")
    proven = describe_value(Value(Othello(), -WIN - 12, -1, -12), ENGINE_SCALE)
    assert (proven.text, proven.discs, proven.percent) == ("-12", -12.0, "0%")
    draw = describe_value(Value(Othello(), 0.0, 0, 0), ENGINE_SCALE)
    assert (draw.text, draw.discs, draw.percent) == ("=", 0.0, "50%")
    simulated = describe_value(Value(Othello(), 0.2, expected_score=True), WinProbabilityScale())
    assert (simulated.text, simulated.discs) == ("60%", None)
    drop = describe_value(Value(ConnectFour(), 0.2, expected_score=True), WinProbabilityScale())
    assert (drop.text, drop.discs) == ("60%", None)
