"""The pages: complete, without external resources, consistent with the results."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import ArenaError
from flipdrop.experiments.experiment import Claim
from flipdrop.experiments.pages import content_of, html, markdown, published_results, write_pages
from flipdrop.experiments.results_io import read_results
from flipdrop.reporting.figures import Picture, inline_svg, svg_file
from flipdrop.reporting.plots import FAINT, GRID, INK, error_bars, even_line, legend, new_axes
from tests.experiments.examples import SMALL, match_values, results_of

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from flipdrop.experiments.experiment import Finding, Results, Size
    from flipdrop.experiments.tasks import Task

_ALONE = {"meta", "br", "path", "use", "image", "rect", "line", "circle", "polyline"}


class Checker(HTMLParser):
    """Raises where elements are not nested, and collects what the page names and says."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [value for value in [found.get("id")] if value]
        self.links += [value for value in (found.get("href"), found.get("src"), found.get("xlink:href")) if value]
        if tag not in _ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _ALONE:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _ALONE:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture
def results() -> dict[str, Results]:
    return {SMALL.name: results_of(SMALL, lambda task: match_values(0.7) | {"spec": "x"})}


def test_the_page_is_whole_and_stands_alone(results: dict[str, Results]) -> None:
    checker = Checker()
    page = html(content_of([SMALL], results))
    checker.feed(page)
    checker.close()
    assert checker.open == []
    assert len(set(checker.ids)) == len(checker.ids)
    for link in checker.links:
        assert link.startswith("data:") or link.removeprefix("#") in checker.ids
    assert not re.search(r"<(script|link|img|iframe)\b|@import|url\((?!#)", page)


def test_both_pages_say_everything(results: dict[str, Results]) -> None:
    content = content_of([SMALL], results)
    checker = Checker()
    checker.feed(html(content))
    read, written = "".join(checker.text), markdown(content)
    finding = content.sections[0].finding
    said = [SMALL.title, SMALL.question, SMALL.claim.text, "confirmed", finding.headline, finding.rule]
    said += ["A line & a caption", "Another, with <b> & |.", "flipdrop experiment R9.9", "greedy against random"]
    said += [cell for table in finding.tables for row in table.rows for cell in row]
    for words in said:
        assert words in read
        assert words.lower() in written.lower()
    assert "A paragraph with code." in read


def test_tables_of_the_markdown_page_have_a_cell_for_each_head(results: dict[str, Results]) -> None:
    blocks = re.findall(r"(?:^\|.*\n)+", markdown(content_of([SMALL], results)), re.M)
    assert len(blocks) == 4  # contents, the claim, the result, what was run
    for block in blocks:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_what_is_missing_is_said(results: dict[str, Results]) -> None:
    content = content_of([SMALL], {})
    assert content.missing == ("R9.9",)
    assert "Not run since their last change: R9.9" in html(content)
    assert "Not run since their last change: R9.9" in markdown(content)
    assert "Not run since" not in html(content_of([SMALL], results))


def test_results_of_other_settings_are_not_shown_with_the_present_text(
    results: dict[str, Results], tmp_path: Path
) -> None:
    def fewer(size: Size) -> list[Task]:
        return list(SMALL.tasks(size))[:-1]

    changed = dataclasses.replace(SMALL, tasks=fewer)
    assert SMALL.is_current(results[SMALL.name])
    assert not changed.is_current(results[SMALL.name])
    assert content_of([changed], results).missing == ("R9.9",)
    write_pages(tmp_path, [changed], results)
    assert read_results((tmp_path / "results.json").read_text()) == {}


def test_where_settings_come_from_is_said(results: dict[str, Results]) -> None:
    content = content_of([dataclasses.replace(SMALL, settings_from="R9, section 3.")], results)
    for page in (html(content), markdown(content)):
        assert re.search(r"Settings taken from:\W+(strong\W+)?R9, section 3\.", page)
        assert "Settings taken from" not in html(content_of([SMALL], results))


def test_a_quick_run_is_said_to_be_small() -> None:
    quick = {SMALL.name: results_of(SMALL, lambda task: match_values(0.7, 6) | {"spec": "x"}, "quick")}
    assert "its samples are small" in markdown(content_of([SMALL], quick))


def test_what_the_reports_games_could_not_tell_is_a_second_badge(results: dict[str, Results]) -> None:
    def conclude(of: Results) -> Finding:
        return dataclasses.replace(SMALL.conclude(of), underpowered="the report's 2 games are too few to decide")

    content = content_of([dataclasses.replace(SMALL, conclude=conclude)], results)
    assert html(content).count("are too few to decide</span>") == 2
    assert "**Confirmed** (the report's 2 games are too few to decide)." in markdown(content)
    assert "badge aside" not in html(content_of([SMALL], results))


def test_new_pages_keep_what_a_folder_has_of_other_experiments(results: dict[str, Results], tmp_path: Path) -> None:
    assert published_results(tmp_path, ["R1.1"], size="full", seed=1) == {}
    write_pages(tmp_path, [SMALL], results)
    assert published_results(tmp_path, ["R1.1"], size="full", seed=1) == results
    assert published_results(tmp_path, [SMALL.name], size="quick", seed=2) == {}
    with pytest.raises(ArenaError, match=r"R9\.9 of size full with seed 1, not full with seed 2"):
        published_results(tmp_path, ["R1.1"], size="full", seed=2)


def test_a_question_without_a_claim(results: dict[str, Results]) -> None:
    parameters = dataclasses.replace(SMALL, claim=Claim("", ""))
    assert 'class="claim"' not in html(content_of([parameters], results))
    assert "says:" not in markdown(content_of([parameters], results))


@pytest.mark.slow
def test_the_files_of_a_folder(results: dict[str, Results], tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "r0-0-old.svg").write_text("<svg/>")
    (tmp_path / "README.md").write_text("mine")
    paths = write_pages(tmp_path, [SMALL], results)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in paths) == [
        "figures/r9-9-line.svg",
        "results.html",
        "results.json",
        "results.md",
    ]
    assert not (tmp_path / "figures" / "r0-0-old.svg").exists()
    assert (tmp_path / "README.md").read_text() == "mine"
    assert read_results((tmp_path / "results.json").read_text()) == results
    for name in re.findall(r"\]\((figures/[^)]+)\)", (tmp_path / "results.md").read_text()):
        assert (tmp_path / name).exists()
    before = {path: path.read_bytes() for path in paths}
    write_pages(tmp_path, [SMALL], read_results((tmp_path / "results.json").read_text()))
    assert {path: path.read_bytes() for path in paths} == before  # the same results make the same pages


def _drawn(figure: Figure) -> None:
    axes = new_axes(figure, x_label="x", y_label="y")
    even_line(axes, 0.5)
    error_bars(axes, [1, 2], [0.4, 0.6], [(0.3, 0.5), (None, 0.7)], label="bars")
    legend(axes)


@pytest.mark.slow
def test_figures_follow_the_page_or_stand_alone() -> None:
    picture = Picture("p", "caption", _drawn)
    inside, alone = inline_svg(picture, "a-b"), svg_file(picture).decode()
    assert inside.startswith("<svg")
    for colour in (INK, FAINT, GRID):
        assert colour not in inside
        assert colour in alone
    assert "var(--ink)" in inside
    assert ">bars</text>" in inside
    assert all(name.startswith("a-b-") for name in re.findall(r'id="([^"]+)"', inside))
    assert inline_svg(picture, "a-b") == inside
