"""The page as one HTML file that needs nothing else: styles and figures are inside it, for light and dark readers."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from flipdrop.experiments.pages.content import INTRODUCTION, TITLE
from flipdrop.experiments.pages.drawing import svg_part

if TYPE_CHECKING:
    from flipdrop.experiments.experiment import Claim, Finding, Picture, Table
    from flipdrop.experiments.pages.content import Content, Section

_STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --faint: #656d76; --line: #d8dee4; --soft: #f6f8fa;
  --good: #1a7f37; --bad: #cf222e; --open: #8a6100; --plain: #0a5cc0; }
@media (prefers-color-scheme: dark) { :root { --paper: #0f1419; --ink: #e3e8ee; --faint: #8d97a3; --line: #2c343d;
  --soft: #181f27; --good: #4cc26b; --bad: #ff7b72; --open: #d9a72b; --plain: #6cb0ff; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0 auto; max-width: 62rem; padding: 2.5rem 1.25rem 6rem; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 0; }
h2 .name, .contents .name { color: var(--faint); font-variant-numeric: tabular-nums; font-weight: 600; }
h3 { font-size: 1rem; margin: 1.75rem 0 .4rem; }
p { margin: .6rem 0; max-width: 46rem; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
.faint, figcaption, .rule { color: var(--faint); font-size: .9rem; }
.contents { list-style: none; padding: 0; margin: 2rem 0 0; border-top: 1px solid var(--line); }
.contents li { display: grid; grid-template-columns: 3.2rem 1fr auto; gap: .1rem 1rem; padding: .65rem 0;
  border-bottom: 1px solid var(--line); }
.contents .headline { grid-column: 2 / -1; color: var(--faint); font-size: .92rem; line-height: 1.45; }
.badge { display: inline-block; font-size: .78rem; font-weight: 600; line-height: 1; padding: .35em .7em;
  border-radius: 1em; border: 1px solid currentColor; white-space: nowrap; align-self: center; }
.confirmed { color: var(--good); } .refuted { color: var(--bad); } .not, .still { color: var(--open); }
.answered { color: var(--plain); } .aside { color: var(--faint); font-weight: 400; }
.badges { display: flex; flex-wrap: wrap; gap: .3rem; justify-content: end; align-items: center; }
section { margin-top: 4.5rem; }
.head { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; padding-bottom: .5rem;
  border-bottom: 1px solid var(--line); }
.question { font-size: 1.1rem; line-height: 1.45; margin-top: 1rem; }
.claim { background: var(--soft); border-left: 3px solid var(--line); border-radius: 0 .4rem .4rem 0;
  padding: .5rem 1rem; margin: 1rem 0; max-width: 46rem; }
.claim p { margin: .3rem 0; }
.wide { overflow-x: auto; margin: .5rem 0 1rem; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .75rem 0 .4rem; }
th, td { padding: .3rem .9rem .3rem 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--faint); font-weight: 600; vertical-align: bottom; }
thead th { white-space: normal; }
td:first-child, th:first-child, .word { text-align: left; }
.runs td { font-size: .8rem; } .runs td.word:nth-child(2) { white-space: normal; overflow-wrap: anywhere; }
.runs td.word:nth-child(2), .runs td:first-child { font-family: ui-monospace, "Cascadia Mono", Menlo, monospace;
  font-size: .76rem; }
.runs .word:nth-child(2) { min-width: 22rem; } .runs td:first-child { white-space: normal; min-width: 8rem; }
figure { margin: 1.25rem 0; } figure svg { display: block; width: 100%; height: auto; }
figure svg text { font-family: inherit !important; }
details { margin: .5rem 0; } summary { cursor: pointer; color: var(--faint); font-size: .9rem; }
code { font: .88em ui-monospace, "Cascadia Mono", Menlo, monospace; background: var(--soft); border-radius: .3em;
  padding: .12em .35em; }
@media (max-width: 40rem) { .contents li { grid-template-columns: 3.2rem 1fr; } .contents .badges { grid-column: 2;
  justify-content: start; } body { padding-top: 1.25rem; } h1 { font-size: 1.6rem; } }
@media print { section { break-inside: avoid-page; } }
"""


def html(content: Content) -> str:
    """The whole page."""
    missing = f'<p class="faint">Not yet run: {escape(", ".join(content.missing))}.</p>\n' if content.missing else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(TITLE)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(TITLE)}</h1>
<p>{_text(INTRODUCTION)}</p>
<p class="faint">{_text(content.effort)}</p>
<ol class="contents">
{"".join(map(_entry, content.sections))}</ol>
{missing}{"".join(map(_section, content.sections))}</body>
</html>
"""


def _entry(section: Section) -> str:
    experiment = section.experiment
    return (
        f'<li><span class="name">{escape(experiment.name)}</span>'
        f'<a href="#{experiment.slug}">{escape(experiment.title)}</a>{_badges(section.finding)}'
        f'<span class="headline">{_text(section.finding.headline)}</span></li>\n'
    )


def _section(section: Section) -> str:
    experiment, finding = section.experiment, section.finding
    return f"""<section id="{experiment.slug}">
<div class="head"><h2><span class="name">{escape(experiment.name)}</span> {escape(experiment.title)}</h2>
{_badges(finding)}</div>
<p class="question">{_text(experiment.question)}</p>
{_claim(experiment.claim)}
{"".join(f"<p>{_text(paragraph)}</p>{chr(10)}" for paragraph in finding.text)}
{"".join(_figure(picture, experiment.slug) for picture in finding.pictures)}
{"".join(_table(table) for table in finding.tables)}
<p class="rule"><strong>The rule.</strong> {_text(finding.rule)}</p>
<details><summary>What was run: {escape(section.effort)}</summary>
{_table(section.runs, "runs", caption=False)}</details>
<p class="rule">Again: <code>{escape(section.command)}</code></p>
</section>
"""


def _claim(claim: Claim) -> str:
    if not claim.text:
        return ""
    source = f"<strong>{escape(claim.source)} says:</strong> " if claim.source else ""
    table = claim.table
    numbers = (
        f"<details><summary>{escape(table.title)}</summary>{_table(table, caption=False)}</details>" if table else ""
    )
    return f'<div class="claim"><p>{source}{_text(claim.text)}</p>{numbers}</div>'


def _badges(finding: Finding) -> str:
    """The conclusion, and beside it that the report's own games could not have found it, where that is so."""
    conclusion, aside = finding.conclusion, finding.underpowered
    second = f'<span class="badge aside">{escape(aside)}</span>' if aside else ""
    return (
        f'<span class="badges"><span class="badge {conclusion.split()[0]}">{escape(conclusion)}</span>{second}</span>'
    )


def _figure(picture: Picture, slug: str) -> str:
    label = f'<svg aria-label="{escape(picture.caption)}" '
    drawn = svg_part(picture, f"{slug}-{picture.name}").replace("<svg ", label, 1)
    return f"<figure>{drawn}<figcaption>{_text(picture.caption)}</figcaption></figure>\n"


def _table(table: Table, kind: str = "", *, caption: bool = True) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        classes = [' class="word"' if i in table.words else "" for i in range(len(cells))]
        return "".join(f"<{tag}{of}>{_text(cell)}</{tag}>" for cell, of in zip(cells, classes, strict=True))

    title = f"<caption>{_text(table.title)}</caption>" if caption and table.title else ""
    body = "\n".join(f"<tr>{row(cells, 'td')}</tr>" for cells in table.rows)
    of_kind = f' class="{kind}"' if kind else ""
    return (
        f'<div class="wide"><table{of_kind}>{title}<thead><tr>{row(table.heads, "th")}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>\n"
    )


def _text(text: str) -> str:
    """Text with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
