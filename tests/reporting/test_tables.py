"""Tables: a cell for each head, and their Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.reporting.tables import Table, in_columns


def test_number_of_cells() -> None:
    with pytest.raises(ValueError, match="has 1 cells, not 2"):
        Table("t", ("a", "b"), (("1",),))


def test_markdown() -> None:
    table = Table("t", ("name", "player", "score"), (("x|y", "mcts", "0.5"), ("", "", "1")), text_columns=(1,))
    assert table.markdown(code_columns=(1,)).splitlines() == [
        "| name | player | score |",
        "| --- | --- | ---: |",
        "| x\\|y | `mcts` | 0.5 |",
        "|  |  | 1 |",
    ]


@pytest.mark.slow
@given(st.lists(st.lists(st.text("ab|", max_size=9), min_size=3, max_size=3), min_size=1, max_size=6))
def test_in_columns(rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for row, line in zip(rows, in_columns(rows, left=[1]), strict=True):
        padded = line.ljust(sum(widths) + 4)
        assert padded[: widths[0]] == row[0].rjust(widths[0])
        assert padded[widths[0] + 2 :][: widths[1]] == row[1].ljust(widths[1])
