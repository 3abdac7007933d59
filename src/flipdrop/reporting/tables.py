"""Tables of text, and their Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence


@dataclass(frozen=True)
class Table:
    """Rows of text. The first column names the row; the others hold numbers and are right-aligned.

    :param text_columns: indices of further columns that hold text and are left-aligned
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.heads):
                raise ValueError(f"table {self.title!r}: {row!r} has {len(row)} cells, not {len(self.heads)}")

    def markdown(self, code_columns: Container[int] = ()) -> str:
        """The table without its title.

        :param code_columns: indices of columns whose cells are set as code
        """
        rows = [
            [f"`{cell}`" if i in code_columns and cell else cell for i, cell in enumerate(row)] for row in self.rows
        ]
        under = ["---" if i in (0, *self.text_columns) else "---:" for i in range(len(self.heads))]
        return "\n".join(map(_markdown_row, [self.heads, under, *rows]))


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
