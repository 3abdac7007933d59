"""Values of options: axes, ranges, and specs with options set."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flipdrop.arena.option_values import Axis, Range, value_of, with_values
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.games import game
from flipdrop.players import PLAYER_TYPES, player

OTHELLO, CONNECT_FOUR = game("othello"), game("connect4")

decimals = st.decimals(-1000, 1000, places=3)

steps = st.decimals("0.001", 500, places=3)


@given(decimals, st.integers(0, 50), steps, st.decimals(0, "0.999", places=3))
def test_axis_of_numbers(low: Decimal, count: int, step: Decimal, rest: Decimal) -> None:
    high = low + (count + rest) * step
    axis = Axis.parse(f"c={low}:{high}:{step}")
    assert [Decimal(value) for value in axis.values] == [low + i * step for i in range(count + 1)]
    assert Axis.parse(str(axis)) == axis
    assert axis.is_numeric


@given(st.integers(0, 10), st.integers(1, 9), st.integers(1, 4), st.integers(1, 3))
def test_refined_axis(at: int, tenths: int, reach: int, step: int) -> None:
    axis = Axis.parse(f"c=-3:{-3 + 10 * step}:{step}")
    fine = Decimal(tenths) / 10 * step
    values = [Decimal(value) for value in axis.refine(axis.values[at], fine, reach)]
    middle = Decimal(axis.values[at])
    assert middle in values
    assert all(one - before == fine for before, one in itertools.pairwise(values))
    low, high = max(Decimal(-3), middle - reach * step), min(Decimal(-3 + 10 * step), middle + reach * step)
    assert low <= values[0] < low + fine
    assert high - fine < values[-1] <= high


@pytest.mark.parametrize(
    ("text", "expected_error"),
    [
        ("", "NAME=FROM:TO:STEP"),
        ("c", "NAME=FROM:TO:STEP"),
        ("c=1", "NAME=FROM:TO:STEP"),
        ("=1:2:1", "NAME=FROM:TO:STEP"),
        ("c=1:2", "NAME=FROM:TO:STEP"),
        ("c=a|", "NAME=a|b|c"),
        ("c=2:1:1", "FROM <= TO"),
        ("c=1:2:0", "STEP above 0"),
        ("c=1:2:-1", "STEP above 0"),
        ("c=0:1:0.0001", "more than 1000 values"),
        ("c=0:1e300:1", "numbers go up to"),
        ("c=nan:1:1", "NAME=FROM:TO:STEP"),
        ("c=a|b|a", "names a value twice"),
    ],
)
def test_invalid_axes(text: str, expected_error: str) -> None:
    with pytest.raises(ArenaError) as raised:
        Axis.parse(text)
    assert expected_error in str(raised.value)
    assert repr(text) in str(raised.value)


@given(st.sampled_from(["c=1", "iterations=9,c=0.5", "iterations=50, playout=depth ,depth=3"]), st.integers(1, 500))
def test_set_option(options: str, iterations: int) -> None:
    spec = f"mcts:{options}"
    made = with_values(spec, {"iterations": str(iterations)}, OTHELLO)
    assert value_of(made, "iterations", OTHELLO) == iterations
    for option in PLAYER_TYPES["mcts"].options:
        if option.name != "iterations":
            assert value_of(made, option.name, OTHELLO) == value_of(spec, option.name, OTHELLO)
    assert player(made).spec == player(with_values(made, {}, OTHELLO)).spec


@given(st.integers(-50, 50), st.floats(-9, 9).map(lambda number: round(number, 3)))
def test_set_weight(corners: int, mobility: float) -> None:
    changes = {"evaluation.corners": str(corners), "evaluation.mobility": str(mobility)}
    made = with_values("alphabeta:depth=2,evaluation=D.baseline", changes, OTHELLO)
    found = [
        value_of(made, f"evaluation.{term}", OTHELLO)
        for term in ("corners", "edges", "x_squares", "open_edges", "discs", "mobility")
    ]
    assert found == [corners, 6, -8, -6, 4, mobility]


def test_default_evaluation() -> None:
    assert with_values("greedy", {"evaluation.threats": "3"}, CONNECT_FOUR) == "greedy:evaluation=lines(1/7/6/3)"
    assert (
        with_values("greedy:evaluation=B@positive", {"evaluation.squares": "2"}, OTHELLO)
        == "greedy:evaluation=B@positive(2)"
    )


def test_set_evaluation_and_weight() -> None:
    made = with_values("greedy", {"evaluation.discs": "3", "evaluation": "C"}, OTHELLO)
    assert made == "greedy:evaluation=C(10/3/10/100/-32)"


@pytest.mark.parametrize(
    ("spec", "values", "expected_error"),
    [
        ("level:4", {"c": "1"}, "has no options to set"),
        ("nobody", {"c": "1"}, "players are"),
        ("mcts", {"C": "1"}, "did you mean c?"),
        ("mcts", {"iterations": "1.5"}, "a whole number"),
        ("mcts", {"playout": "middle"}, "playout"),
        ("random", {"evaluation.corners": "1"}, "has no option 'evaluation'"),
        ("greedy", {"evaluation.corner": "1"}, "did you mean corners"),
        ("greedy", {"evaluation.corners": "many"}, "a weight is a number"),
        ("greedy:evaluation=lines", {"evaluation.threats": "2"}, "lines"),
    ],
)
def test_invalid_options(spec: str, values: dict[str, str], expected_error: str) -> None:
    with pytest.raises(FlipdropError) as raised:
        with_values(spec, values, OTHELLO)
    assert expected_error in str(raised.value)


@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.booleans(), st.floats(0, 1))
def test_range_values(low: float, high: float, is_log: bool, share: float) -> None:
    assume(high > low * 1.01)
    one = Range("c", low, high, is_log=is_log)
    value = float(one.text(share))
    assert low <= value <= high
    assert Range.parse(str(one)) == one
    back = one.unit_value(value)
    assert back is not None
    where = low * (high / low) ** back if is_log else low + back * (high - low)
    assert where == pytest.approx(value, rel=1e-9)
    exact = low * (high / low) ** share if is_log else low + share * (high - low)
    assert value == pytest.approx(exact, rel=1e-3)


@given(st.integers(-20, 20), st.integers(1, 30), st.floats(0, 1))
def test_range_of_whole_numbers(low: int, width: int, share: float) -> None:
    one = Range.parse(f"n={low}:{low + width}:int")
    assert int(one.text(share)) in range(low, low + width + 1)
    assert (one.text(0), one.text(1)) == (str(low), str(low + width))


def test_range_of_words() -> None:
    one = Range.parse("playout=end|depth")
    assert [one.text(share) for share in (0, 0.49, 0.51, 1)] == ["end", "end", "depth", "depth"]
    assert all(one.text(one.unit_value(word) or 0) == word for word in one.words)
    assert one.unit_value("middle") is None
    assert str(one) == "playout=end|depth"


def test_range_for_player() -> None:
    assert Range.parse("iterations=10:100:log").for_player("mcts").is_int
    assert not Range.parse("c=1:10").for_player("mcts").is_int
    with pytest.raises(ArenaError, match="whole numbers lie between whole numbers"):
        Range.parse("iterations=0.5:10").for_player("mcts")


@pytest.mark.parametrize(
    ("text", "expected_error"),
    [
        ("", "write NAME=LOW:HIGH"),
        ("c=1", "write NAME=LOW:HIGH"),
        ("c=1:2:3", "write NAME=LOW:HIGH"),
        ("c=1:2:cube", "write NAME=LOW:HIGH"),
        ("c=2:1", "LOW has to be below HIGH"),
        ("c=0:1:log", "only numbers above 0"),
        ("c=0.5:3:int", "whole numbers"),
        ("c=1:1e999", "finite"),
        ("c=a|a", "twice"),
    ],
)
def test_invalid_ranges(text: str, expected_error: str) -> None:
    with pytest.raises(ArenaError, match=expected_error):
        Range.parse(text)
