"""Tables as Markdown and as aligned text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


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


def in_columns(rows: Iterable[Sequence[str]], left: Iterable[int] = ()) -> list[str]:
    """Lines of text with columns aligned to the right, or to the left for those in `left`.

    >>> in_columns([("#", "player"), ("10", "me")], left=[1])
    [' #  player', '10  me']
    """
    rows = list(rows)
    to_left = set(left)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i in to_left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
