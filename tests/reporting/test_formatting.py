"""Numbers, intervals and lists as text."""

from __future__ import annotations

import pytest

from flipdrop.reporting.formatting import listed, number, seconds, with_interval


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
def test_what_numbers_look_like(text: str, expected: str) -> None:
    assert text == expected
