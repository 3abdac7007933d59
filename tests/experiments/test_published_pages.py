"""The pages in docs/experiments agree with the published results, and those with the experiments of today."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop.experiments.catalogue import experiments
from flipdrop.experiments.pages import content_of, html, markdown
from flipdrop.experiments.results_io import read_results

if TYPE_CHECKING:
    from flipdrop.experiments.pages import Content

FOLDER = Path(__file__).parents[2] / "docs" / "experiments"
RESULTS = FOLDER / "results.json"


@cache
def content() -> Content:
    return content_of(experiments().values(), read_results(RESULTS.read_text()))


@pytest.mark.slow
def test_the_results_are_of_a_full_run_of_experiments_as_they_are_now() -> None:
    published = read_results(RESULTS.read_text())
    assert list(published) == [section.experiment.name for section in content().sections]
    for section in content().sections:
        results = section.results
        assert results.size == "full"
        tasks = section.experiment.tasks(results.size)
        assert list(results.done) == [task.key for task in tasks]
        for task in tasks:
            assert results.done[task.key].settings == task.settings, f"{section.experiment.name}, {task.key}"
    assert content().missing == ()


@pytest.mark.slow
def test_the_markdown_page_says_what_the_results_say() -> None:
    assert (FOLDER / "results.md").read_text() == markdown(content())


@pytest.mark.slow
def test_the_html_page_says_what_the_results_say() -> None:
    def without_figures(page: str) -> str:  # they depend on the version of the library that draws them
        return re.sub(r"<svg.*?</svg>", "", page, flags=re.S)

    assert without_figures((FOLDER / "results.html").read_text()) == without_figures(html(content()))


def test_the_readme_has_the_numbers_of_the_results() -> None:
    """Each number of a finding, as far as it is a measurement, stands in an experiment that the finding links to."""
    page = markdown(content())
    sections = dict(re.findall(r'<a id="(\S+)"></a>(.*?)(?=<a id=|\Z)', page, flags=re.S))
    for section in content().sections:
        sections[section.experiment.slug] += section.finding.headline
    readme = (FOLDER.parents[1] / "README.md").read_text()
    chapter = readme.partition("## Five reports re-examined")[2].partition("\n## ")[0]
    introduction, *findings = chapter.split("\n- ")
    games = sum(section.results.games for section in content().sections)
    minutes = sum(section.results.seconds for section in content().sections) // 60
    assert f"{games:,} games in {minutes:.0f} minutes" in introduction
    checked = 0
    for finding in findings:
        linked = re.findall(r"results\.md#([\w-]+)", finding)
        assert linked, finding
        text = "".join(sections[slug] for slug in linked)
        numbers = re.findall(r"\d+\.\d+|\d{1,3}(?:,\d{3})+", re.sub(r"\[\w+\.\d\]", "", finding))
        assert [number for number in numbers if number not in text] == [], finding
        checked += len(numbers)
    assert checked >= 8


def test_the_figures_are_those_that_the_page_shows() -> None:
    shown = {section.figure_file(picture) for section in content().sections for picture in section.finding.pictures}
    assert {path.name for path in (FOLDER / "figures").iterdir()} == shown
