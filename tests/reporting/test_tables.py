"""Rows of cells as aligned text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flipdrop.reporting.tables import in_columns


@given(st.lists(st.lists(st.text("ab|", max_size=9), min_size=3, max_size=3), min_size=1, max_size=6))
def test_columns_are_aligned(rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for row, line in zip(rows, in_columns(rows, left=[1]), strict=True):
        padded = line.ljust(sum(widths) + 4)
        assert padded[: widths[0]] == row[0].rjust(widths[0])
        assert padded[widths[0] + 2 :][: widths[1]] == row[1].ljust(widths[1])
