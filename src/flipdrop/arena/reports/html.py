"""A tournament's report as one HTML file that needs nothing else: styles and pictures are inside it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from flipdrop.arena.reports.tables import cross_cells, remarks, setting_text, standing_cells, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flipdrop.arena.tournament import TournamentResult

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 2rem auto; max-width: 72rem;
       padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
p.setting { color: #6b6b6b; margin-top: 0.25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid #e5e5e5; white-space: nowrap; }
th { color: #6b6b6b; font-weight: 600; }
td.player, th.player { text-align: left; font-family: ui-monospace, monospace; font-size: 0.9em; white-space: normal;
       overflow-wrap: anywhere; min-width: 14rem; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
li.reason { list-style: none; font-family: ui-monospace, monospace; font-size: 0.9em; }
"""
_HEADS = ("#", "player", "Elo", "95%", "score", "games", "won", "drawn", "lost")


def html(table: TournamentResult, pictures: Iterable[tuple[str, bytes]]) -> str:
    """The whole report.

    :param pictures: the name of each, and the picture itself as SVG
    """
    cross = [
        [str(entry.rank), entry.player, *cells] for entry, cells in zip(table.entries, cross_cells(table), strict=True)
    ]
    ranks = [str(entry.rank) for entry in table.entries]
    notes = "".join(
        f'<li class="reason">{escape(line.strip())}</li>' if line.startswith("  ") else f"<li>{escape(line)}</li>"
        for line in remarks(table)
    )
    figures = "".join(
        f"<h2>{escape(name)}</h2><figure>{_embedded(picture, name)}</figure>\n" for name, picture in pictures
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title(table))}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title(table))}</h1>
<p class="setting">{escape(setting_text(table))}</p>
{_table(_HEADS, map(standing_cells, table.entries))}
<ul>{notes}</ul>
<h2>Score of each player (row) against each (column)</h2>
{_table(("#", "player", *ranks), cross)}
{figures}</body>
</html>
"""


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        classes = [' class="player"' if i == 1 else "" for i in range(len(cells))]
        return "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, classes, strict=True))

    body = "\n".join(f"<tr>{row(cells, 'td')}</tr>" for cells in rows)
    head = f"<thead><tr>{row(heads, 'th')}</tr></thead>"
    return f'<div class="wide"><table>\n{head}\n<tbody>\n{body}\n</tbody></table></div>'


def _embedded(picture: bytes, name: str) -> str:
    """An SVG file as part of a page: what comes before its root is left out, and names inside it are made its own.

    Several pictures in a page share one space of names, so each gets a prefix.
    """
    text = picture.decode()
    text = text[text.index("<svg") :]
    prefix = "".join(letter for letter in name.lower() if letter.isalnum()) + "-"
    for mark in ('id="', 'href="#', "url(#"):
        text = text.replace(mark, mark + prefix)
    return text.replace("<svg", f'<svg role="img" aria-label="{escape(name)}"', 1)
