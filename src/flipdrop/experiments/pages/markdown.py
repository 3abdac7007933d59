"""The same page as Markdown, with figures as files beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.experiments.pages.content import INTRODUCTION, TITLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.experiments.experiment import Claim, Experiment, Finding, Picture, Table
    from flipdrop.experiments.pages.content import Content, Section

FIGURES = "figures"
"""The folder of the figures, beside the page."""


def picture_file(experiment: Experiment, picture: Picture) -> str:
    """What the file of a picture is called."""
    return f"{experiment.slug}-{picture.name}.svg"


def markdown(content: Content) -> str:
    """The whole page."""
    blocks = [f"# {TITLE}", INTRODUCTION, content.effort, _contents(content)]
    if content.missing:
        blocks.append(f"Not yet run: {', '.join(content.missing)}.")
    for section in content.sections:
        blocks += _section(section)
    return "\n\n".join(blocks) + "\n"


def _contents(content: Content) -> str:
    rows = [
        (
            section.experiment.name,
            f"[{section.experiment.title}](#{section.experiment.slug})",
            f"**{section.finding.conclusion}**" + _aside(section.finding),
            section.finding.headline,
        )
        for section in content.sections
    ]
    return _lines(("", "", "conclusion", ""), rows, words=range(4))


def _section(section: Section) -> list[str]:
    experiment, finding = section.experiment, section.finding
    blocks = [
        f'<a id="{experiment.slug}"></a>\n\n## {section.heading}',
        f"*{experiment.question}* **{str(finding.conclusion).capitalize()}**{_aside(finding)}.",
        *_claim(experiment.claim),
        *finding.text,
    ]
    for picture in finding.pictures:
        file = f"{FIGURES}/{picture_file(experiment, picture)}"
        blocks += [f"![{picture.caption}]({file})", f"*{picture.caption}*"]
    for table in finding.tables:
        blocks += [f"**{table.title}**", _table(table)]
    blocks += [
        f"*The rule.* {finding.rule}",
        _folded(f"What was run: {section.effort}", _table(section.runs, code=(0, 1))),
        f"Again: `{section.command}`",
    ]
    return blocks


def _aside(finding: Finding) -> str:
    return f" ({finding.underpowered})" if finding.underpowered else ""


def _claim(claim: Claim) -> list[str]:
    if not claim.text:
        return []
    source = f"**{claim.source} says:** " if claim.source else ""
    blocks = [f"> {source}{claim.text}"]
    if claim.table:
        blocks.append(_folded(claim.table.title, _table(claim.table)))
    return blocks


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"


def _table(table: Table, code: Sequence[int] = ()) -> str:
    rows = [tuple(f"`{cell}`" if i in code and cell else cell for i, cell in enumerate(cells)) for cells in table.rows]
    return _lines(table.heads, rows, words=(0, *table.words))


def _lines(heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int]) -> str:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    under = line(["---" if i in words else "---:" for i in range(len(heads))])
    return "\n".join([line(heads), under, *map(line, rows)])
