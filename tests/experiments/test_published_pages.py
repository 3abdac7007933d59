"""The pages in docs/experiments say what their results say, and the results are of the experiments as they are."""

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


def test_the_results_are_of_a_full_run_of_experiments_as_they_are_now() -> None:
    """An experiment that has changed since the published run is named as not run; its old results are not kept."""
    published = read_results(RESULTS.read_text())
    assert list(published) == [section.experiment.name for section in content().sections]
    for section in content().sections:
        results = section.results
        assert results.size == "full"
        tasks = section.experiment.tasks(results.size)
        assert list(results.done) == [task.key for task in tasks]
        for task in tasks:
            assert results.done[task.key].settings == task.settings, f"{section.experiment.name}, {task.key}"
    assert {section.experiment.name for section in content().sections} | set(content().missing) == set(experiments())


def test_the_markdown_page_says_what_the_results_say() -> None:
    assert (FOLDER / "results.md").read_text() == markdown(content())


@pytest.mark.slow
def test_the_html_page_says_what_the_results_say() -> None:
    def without_figures(page: str) -> str:  # they depend on the version of the library that draws them
        return re.sub(r"<svg.*?</svg>", "", page, flags=re.S)

    assert without_figures((FOLDER / "results.html").read_text()) == without_figures(html(content()))


def test_the_figures_are_those_that_the_page_shows() -> None:
    shown = {section.figure_file(picture) for section in content().sections for picture in section.finding.pictures}
    assert {path.name for path in (FOLDER / "figures").iterdir()} == shown
