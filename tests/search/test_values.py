"""`Value`: numbers of searches as outcomes, scores and texts."""

from __future__ import annotations

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.search.values import WIN, Value, decode_score, encode_score, in_discs, is_decided

OTHELLO, CONNECT4 = Othello(), ConnectFour()


def test_decided_numbers() -> None:
    assert [is_decided(number) for number in (0, 64, -64, WIN + 64, -WIN - 2, float("inf"))] == [
        False,
        False,
        False,
        True,
        True,
        False,
    ]
    assert [in_discs(number) for number in (-12.5, WIN + 6, -WIN - 64)] == [-12.5, 6, -64]


@pytest.mark.parametrize(
    "position", [OTHELLO, OTHELLO.play("f5"), CONNECT4, CONNECT4.play("4"), ConnectFour(columns=5, rows=5)]
)
def test_numbers_of_scores(position: Othello | ConnectFour) -> None:
    for score in (*range(-12, 0), *range(1, 13)):
        assert decode_score(position, encode_score(position, score)) == score
    assert encode_score(position, 0) == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value(OTHELLO, WIN + 12, outcome=1, score=12), "+12 discs, proven"),
        (Value(OTHELLO, WIN + 12, outcome=1), "win by 12 or more"),
        (Value(OTHELLO, -WIN - 4, outcome=-1, score=-4), "-4 discs, proven"),
        (Value(OTHELLO, -WIN - 4), "loss by 4"),
        (Value(OTHELLO, WIN + 4, outcome=1, bound=True), "win"),
        (Value(OTHELLO, 0, outcome=0, score=0), "draw, proven"),
        (Value(OTHELLO, -3.2, discs=True), "-3 discs"),
        (Value(OTHELLO, 1.4, discs=True, bound=True), "<= +1 disc"),
        (Value(OTHELLO, -0.001), "+0.00"),
        (Value(CONNECT4, encode_score(CONNECT4, 1), outcome=1, score=1), "win in 41 plies"),
        (Value(CONNECT4, encode_score(CONNECT4, -1), outcome=-1, score=-1), "loss in 42 plies"),
        (Value(CONNECT4, 0.2, expected_score=True), "60.0%"),
        (Value(CONNECT4, 1.0, expected_score=True), "99.9%"),
        (Value(CONNECT4, 1.0, outcome=1, expected_score=True), "win"),
    ],
)
def test_texts(value: Value, text: str) -> None:
    assert value.format() == text
    assert value.describe() == (text if value.proven else "")


def test_json() -> None:
    assert Value(OTHELLO, WIN + 12, outcome=1, score=12).to_json() == {
        "value": 12,
        "bound": False,
        "outcome": 1,
        "score": 12,
        "proven": True,
        "exact": True,
    }
