"""Weights as values, evaluations by name, and errors for numbers that do not fit."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, FlipdropError, Othello, game
from flipdrop.errors import UnknownEvaluation, WeightsError
from flipdrop.evaluation import (
    DEFINITIONS,
    PRESETS,
    Evaluation,
    Weights,
    default_evaluation,
    definitions_for_game,
    evaluation,
)
from flipdrop.kernel import Evaluation as KernelEvaluation
from tests.strategies import any_text

D = (15, 6, -10, -4, 8, 8)
NUMBERS = st.floats(-1e6, 1e6)


def discs(position: Othello) -> int:
    return position.discs[0]


@st.composite
def any_weights(draw: st.DrawFn) -> Weights:
    """Weights of any evaluation with any numbers that fit."""
    definition = draw(st.sampled_from(DEFINITIONS))
    count = len(definition.terms)
    positive = definition.name == "Seven"
    values = draw(st.lists(st.floats(0.01, 1e6) if positive else NUMBERS, min_size=count, max_size=count))
    if definition.table is None:
        return Weights(definition.name, values)
    tables = [st.lists(NUMBERS, min_size=n, max_size=n) for n in (16, 36, 64)]
    return Weights(definition.name, values, table=draw(st.one_of(st.sampled_from(["penalty", "positive"]), *tables)))


def assert_one_line(error: FlipdropError) -> None:
    assert "\n" not in str(error)


# Values --------------------------------------------------------------------------------------------------------------


def test_weights_are_a_mapping() -> None:
    weights = Weights("D", D)
    assert isinstance(weights, Mapping)
    assert dict(weights) == dict(
        zip(("corners", "edges", "x_squares", "open_edges", "discs", "mobility"), D, strict=True)
    )
    assert weights["open_edges"] == -4
    assert (weights.evaluation, weights.game, weights.vector, weights.table) == ("D", "othello", D, ())
    assert "squares" not in weights
    with pytest.raises(KeyError):
        weights["squares"]
    assert Weights("lines").game == "connect4"


def test_weights_do_not_change() -> None:
    with pytest.raises(AttributeError):
        Weights("D").vector = (1.0,)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        evaluation("D").weights = None  # type: ignore[misc]


def test_defaults_of_missing_weights() -> None:
    assert Weights("d").vector == D
    assert Weights("D", {"corners": 20}).vector == (20, *D[1:])
    assert evaluation("D", weights={"mobility": 1}).weights == Weights("D", (*D[:-1], 1))


@given(weights=any_weights())
def test_repr_pickle_and_copy(weights: Weights) -> None:
    scorer = evaluation(weights)
    for value in (weights, scorer):
        for again in (eval(repr(value)), pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
            assert again == value
            assert hash(again) == hash(value)
    position = ConnectFour() if weights.game == "connect4" else Othello(size={36: 6}.get(len(weights.table), 8))
    assert pickle.loads(pickle.dumps(scorer)).score(position) == scorer.score(position)


@given(weights=any_weights())
def test_a_text_with_a_named_table_reads_back(weights: Weights) -> None:
    scorer = evaluation(weights)
    if not str(scorer).startswith("evaluation("):
        assert evaluation(str(scorer)) == scorer
    else:
        assert weights.table not in (Weights("B").table, Weights("B", table="positive").table)


def test_equality_looks_at_every_number() -> None:
    different = [
        *(evaluation(definition.name) for definition in DEFINITIONS),
        *(evaluation(name) for name in ("B@positive", "C@positive", "D.baseline", "Seven.averaged")),
        evaluation("D", weights=(15, 6, -10, -4, 8, 9)),
        evaluation(discs),
        evaluation(len),
    ]
    assert len(set(different)) == len(different)
    assert evaluation(discs) == evaluation(discs)


def test_an_importable_function_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(evaluation(discs))) == evaluation(discs)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(evaluation(lambda _: 0))


# Names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: definition.name)
def test_registry_matches_the_kernel(definition: Any) -> None:
    start = game(definition.game).start()
    breakdown = evaluation(definition.name).explain(start)
    assert tuple(term.name for term in breakdown.terms) == definition.terms
    assert [term.weight for term in breakdown.terms] == pytest.approx(definition.defaults)
    assert evaluation(definition.name.swapcase()) == evaluation(definition.name)
    assert definition in definitions_for_game(start.game)
    assert evaluation(definition.name).supports(start.game)
    assert evaluation(discs).supports(start.game)


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("D.hand-tuned", Weights("D", D)),
        ("D.baseline", Weights("D", (15, 6, -8, -6, 4, 4))),
        ("D.initial-1", Weights("D", (5, 5, -10, -4, 4, 4))),
        ("D.initial-2", Weights("D", (15, 6, -8, -4, 2, 2))),
        ("D.initial-3", Weights("D", (13, 5, -9, -3, 3, 3))),
        ("D.initial-4", Weights("D", (15, 3, -6, -6, 4, 2))),
        ("D.initial-5", Weights("D", (10, 8, -7, -4, 3, 5))),
        (
            "Seven.evolved",
            Weights("Seven", (0.190777, 0.173278, 0.125869, 0.118276, 0.115697, 0.135494, 0.140609), table="penalty"),
        ),
        ("Seven.averaged", Weights("Seven", (0.15, 0.25, 0.2, 0.1, 0.3, 0.05, 0.1))),
        ("B", Weights("B", table="penalty")),
        ("B@positive", Weights("B", (1,), table="positive")),
        ("C@positive", Weights("C", (10, 10, 10, 100, -32), table="positive")),
        ("Seven.averaged@positive", Weights("Seven", (0.15, 0.25, 0.2, 0.1, 0.3, 0.05, 0.1), table="positive")),
        (" d ( 1, 2.5 -3e1,4 5,6 ) ", Weights("D", (1, 2.5, -30, 4, 5, 6))),
        ("D(15/6/-8/-6/4/4)", Weights("D", (15, 6, -8, -6, 4, 4))),
        ("c @ Positive (1,2,3,4,5)", Weights("C", (1, 2, 3, 4, 5), table="positive")),
    ],
)
def test_names_presets_and_weights_in_text(text: str, weights: Weights) -> None:
    assert evaluation(text).weights == weights


def test_every_preset_is_tested_above() -> None:
    marks = getattr(test_names_presets_and_weights_in_text, "pytestmark")  # noqa: B009 - mypy does not know it
    tested = {text.lower() for text, _ in marks[0].args[1]}
    assert set(PRESETS) <= tested


def test_seven_divides_by_the_sum() -> None:
    position = Othello.from_transcript("f5d6c3d3c4f4f6")
    once, doubled = evaluation("Seven.averaged"), evaluation("Seven", weights=(0.3, 0.5, 0.4, 0.2, 0.6, 0.1, 0.2))
    assert once.score(position) == pytest.approx(doubled.score(position), rel=1e-12)
    assert sum(term.weight for term in once.explain(position).terms) == pytest.approx(1)
    assert once.weights is not None
    assert once.weights["discs"] == 0.25  # as given


def test_the_default_of_a_game() -> None:
    assert [default_evaluation(game(name)).name for name in ("othello", "othello4", "connect4:9x10")] == [
        *("D", "D", "lines"),
    ]


def test_an_evaluation_is_its_own_name() -> None:
    scorer = evaluation("D")
    assert evaluation(scorer) is scorer
    assert evaluation("D", weights=Weights("D", (1, 2, 3, 4, 5, 6))).weights == Weights("D", (1, 2, 3, 4, 5, 6))


# What does not fit ---------------------------------------------------------------------------------------------------

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("arguments", "options", "expected_error"),
    [
        (("E",), {}, "evaluations are A, B, C, D, Seven, mobility, lines"),
        (("sevne",), {}, "did you mean Seven"),
        (("mobilty",), {}, "did you mean mobility?"),
        (("D.intial-2",), {}, "did you mean D.initial-2"),
        (("",), {}, "evaluation ''"),
        (("D(",), {}, "write a name such as D"),
        (("D(1)(2)",), {}, "write a name such as D"),
        (("D(1,x,3,4,5,6)",), {}, "'x' in evaluation 'D(1,x,3,4,5,6)' is not a number"),
        (("D(1,2,3)",), {}, "3 weights for evaluation D; it takes 6: corners, edges"),
        (("D@penalty",), {}, "evaluation D takes no table"),
        (("B@",), {}, "tables are penalty, positive"),
        (("B@positive@penalty",), {}, "write a name such as D"),
        (("D()",), {}, "0 weights for evaluation D"),
        (("D(nan,2,3,4,5,6)",), {}, "weight corners of evaluation D is nan"),
        (("D",), {"weights": (1, 2, 3, 4, 5)}, "5 weights for evaluation D; it takes 6"),
        (("D",), {"weights": (1, 2, 3, 4, 5, 6, 7)}, "7 weights"),
        (("D",), {"weights": (1, 2, 3, 4, 5, NAN)}, "weight mobility of evaluation D is nan"),
        (("D",), {"weights": (1, INF, 3, 4, 5, 6)}, "weight edges of evaluation D is inf"),
        (("D",), {"weights": (1, 2, 3, 4, -1e101, 6)}, "weight discs of evaluation D is -1e+101"),
        (("D",), {"weights": (1, 2, 3, 4, 10**400, 6)}, "a huge number"),
        (("D",), {"weights": (1, 2, 3, 4, "5", 6)}, "'5'"),
        (("D",), {"weights": (1, 2, 3, 4, None, 6)}, "None"),
        (("D",), {"weights": 5}, "numbers such as (1, 2.5) are needed"),
        (("D",), {"weights": {"corner": 1}}, "did you mean corners?"),
        (("D",), {"weights": {3: 1}}, "terms are corners, edges"),
        (("D",), {"weights": Weights("A")}, "weights of A for evaluation D"),
        (("D",), {"table": "penalty"}, "evaluation D takes no table"),
        (("lines",), {"table": [0.0] * 42}, "evaluation lines takes no table"),
        (("B",), {"table": "R4"}, "tables are penalty, positive"),
        (("B",), {"table": [1.0] * 63}, "a table of 63 squares"),
        (("B",), {"table": []}, "a table of 0 squares"),
        (("B",), {"table": [1.0] * 63 + [NAN]}, "square 63 in the table of evaluation B is nan"),
        (("B",), {"table": [[1.0] * 8] * 7}, "a table of 56 squares"),
        (("B",), {"table": [[[1.0]]]}, "[1.0]"),
        (("B@positive",), {"table": "penalty"}, "has its own table"),
        (("Seven.averaged",), {"weights": (1,) * 7}, "has its own weights"),
        (("B",), {"weights": Weights("B"), "table": "penalty"}, "bring their own table"),
        (("Seven",), {"weights": (0,) * 7}, "add up to 0"),
        (("Seven",), {"weights": (1, -2, 0, 0, 0, 0, 0)}, "add up to -1"),
        (("Seven",), {"weights": (1e100, -1e100, 1e-100, 0, 0, 0, 0)}, "weight squares of evaluation Seven is 1e+200"),
        (("Seven",), {"weights": (NAN,) * 7}, "weight squares of evaluation Seven is nan"),
        ((Weights("D"),), {"weights": D}, "go with the name of an evaluation"),
        ((discs,), {"weights": (1,)}, "go with the name of an evaluation"),
    ],
)
def test_numbers_that_do_not_fit(arguments: tuple[Any], options: dict[str, Any], expected_error: str) -> None:
    with pytest.raises((WeightsError, UnknownEvaluation)) as caught:
        evaluation(*arguments, **options)
    assert expected_error in str(caught.value)
    assert "\n" not in str(caught.value)


@given(text=any_text())
def test_any_text_is_an_evaluation_or_an_error(text: str) -> None:
    if "/" in text or text.lower().endswith(".weights"):
        return  # a file's name
    try:
        assert isinstance(evaluation(text), Evaluation)
    except FlipdropError as error:
        assert_one_line(error)


@pytest.mark.parametrize(
    ("name", "position", "expected_error"),
    [
        ("D", ConnectFour(), "evaluation D is for Othello; Connect Four has lines"),
        ("lines", Othello(), "evaluation lines is for Connect Four; Othello has A, B"),
        ("B", Othello(size=6), "a table of 64 squares for evaluation B on 6x6; it takes 36, or 16"),
        ("B", Othello(size=4), "a table of 64 squares for evaluation B on 4x4; it takes 16"),
    ],
)
def test_positions_of_other_games(name: str, position: Any, expected_error: str) -> None:
    scorer = evaluation(name, table=[0.5] * 64) if name == "B" else evaluation(name)
    for call in (scorer.score, scorer.explain):
        with pytest.raises(FlipdropError) as caught:
            call(position)
        assert expected_error in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, "f5d6", Othello])
def test_score_of_other_objects(value: Any) -> None:
    with pytest.raises(TypeError, match="a position such as"):
        evaluation("D").score(value)


def test_the_kernel_checks_for_itself() -> None:
    for name, weights, table, expected_error in (
        ("E", [1.0], [], "evaluation 'E'; Othello has A"),
        ("\ud800", [1.0], [], "evaluation '\\ud800'"),
        ("A", [], [], "0 weights for evaluation A; it takes 1: discs"),
        ("A", [NAN], [], "weight discs of evaluation A is nan"),
        ("B", [1.0], [1.0] * 15, "a table of 15 squares"),
        ("lines", [1.0] * 4, [1.0], "takes no table"),
    ):
        with pytest.raises(FlipdropError) as caught:
            KernelEvaluation(name, weights, table)
        assert expected_error in str(caught.value)
