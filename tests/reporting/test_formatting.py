"""Numbers, intervals and lists as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.reporting.formatting import elo_text, listed, number, seconds, share_text, with_interval, wrapped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (number(-0.001), "0.00"),
        (number(-1234.5, 1), "−1,234.5"),
        (with_interval(0.5, (0.25, 0.75)), "0.50 (0.25 to 0.75)"),
        (with_interval(None, (120.0, None), 0), "∞ (120 to ∞)"),
        (with_interval(None, (None, -120.0), 0), "−∞ (−∞ to −120)"),
        (seconds(0.04), "0.0 s"),
        (seconds(9.96), "10 s"),
        (seconds(119.4), "119 s"),
        (seconds(119.6), "2 min"),
        (seconds(200), "3 min 20 s"),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"]), "a, b and c"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert text == expected


@given(st.text("abc,/=", max_size=300), st.integers(5, 40), st.integers(1, 4))
def test_wrapped(spec: str, length: int, lines: int) -> None:
    made = wrapped(spec, length, lines)
    assert len(made.splitlines()) <= lines
    assert all(len(line) <= length for line in made.splitlines())
    if "…" not in made:
        assert made.replace("\n", "") == spec
    else:
        head, tail = made.replace("\n", "").split("…")
        assert spec.startswith(head)
        assert spec.endswith(tail)


@pytest.mark.parametrize(("share", "text"), [(1, "1.00"), (0.9996, "1.00"), (0.75, ".750"), (0, ".000")])
def test_share_text(share: float, text: str) -> None:
    assert share_text(share) == text


def test_elo_text() -> None:
    assert [elo_text(number) for number in (0.3, -0.3, 12.6, float("-inf"))] == ["0", "0", "+13", "-inf"]
