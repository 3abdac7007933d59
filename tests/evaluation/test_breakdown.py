"""Breakdowns: for people and for programs."""

from __future__ import annotations

import json

from flipdrop import Othello
from flipdrop.evaluation import Breakdown, Term, evaluation

TABLE = """\
D           feature  weight  score
corners           0      15      0
edges             0       6      0
x_squares         0     -10      0
open_edges        0      -4      0
discs            -3       8    -24
mobility          3       8     24
total                            0"""


def test_a_table_for_people() -> None:
    assert str(evaluation("D").explain(Othello.from_transcript("f5"))) == TABLE


def test_numbers_for_programs() -> None:
    breakdown = evaluation("A", weights=(2,)).explain(Othello.from_transcript("f5"))
    assert json.loads(json.dumps(breakdown.to_dict())) == {
        "evaluation": "A(2)",
        "score": -6,
        "terms": [{"name": "discs", "feature": -3, "weight": 2, "contribution": -6}],
    }


def test_a_breakdown_is_a_value() -> None:
    position = Othello()
    assert evaluation("D").explain(position) == evaluation("D").explain(position)
    assert Term("discs", 2, 1.5).contribution == 3
    assert Breakdown("A", (Term("discs", 2, 1),), 2) != Breakdown("A", (Term("discs", 3, 1),), 3)


def test_nothing_is_minus_zero() -> None:
    for name in ("A", "B", "C", "D", "Seven", "mobility"):
        assert "-0 " not in f"{evaluation(name).explain(Othello())} ".replace("\n", " ")


def test_the_name_of_a_breakdown_stays_short() -> None:
    assert evaluation("B", table=range(64)).explain(Othello()).evaluation == "B"
