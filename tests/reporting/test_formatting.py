"""Numbers and names as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.reporting.formatting import elo_text, share_text, wrapped


@given(st.text("abc,/=", max_size=300), st.integers(5, 40), st.integers(1, 4))
def test_wrapped_specs_fit_and_lose_nothing_if_they_are_short(spec: str, length: int, lines: int) -> None:
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
def test_shares(share: float, text: str) -> None:
    assert share_text(share) == text


def test_elo_of_nothing_has_no_sign() -> None:
    assert [elo_text(number) for number in (0.3, -0.3, 12.6, float("-inf"))] == ["0", "0", "+13", "-inf"]
