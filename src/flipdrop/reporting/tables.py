"""Rows of cells as aligned text, as Markdown and as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


def markdown_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, left: Iterable[int] = (), code: Iterable[int] = ()
) -> str:
    """A Markdown table.

    :param left: columns that are aligned to the left
    :param code: columns whose cells are code

    >>> print(markdown_table(("#", "player"), [("1", "a|b")], left=[1], code=[1]))
    | # | player |
    | --: | :-- |
    | 1 | `a\\|b` |
    """
    to_left, as_code = set(left), set(code)
    ruler = [":--" if i in to_left else "--:" for i in range(len(heads))]
    escaped = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    body = ([f"`{cell}`" if i in as_code else cell for i, cell in enumerate(row)] for row in escaped)
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, ruler, *body))


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
