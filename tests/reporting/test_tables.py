"""Tables: a cell for each head, and their Markdown."""

from __future__ import annotations

import pytest

from flipdrop.reporting.tables import Table


def test_every_row_has_a_cell_for_each_head() -> None:
    with pytest.raises(ValueError, match="has 1 cells, not 2"):
        Table("t", ("a", "b"), (("1",),))


def test_markdown_aligns_numbers_and_escapes_bars() -> None:
    table = Table("t", ("name", "player", "score"), (("x|y", "mcts", "0.5"), ("", "", "1")), text_columns=(1,))
    assert table.markdown(code_columns=(1,)).splitlines() == [
        "| name | player | score |",
        "| --- | --- | ---: |",
        "| x\\|y | `mcts` | 0.5 |",
        "|  |  | 1 |",
    ]
