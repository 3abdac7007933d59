"""The report of experiments: the store's own results where there are any, the published ones elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.store import ExperimentResult, Store, save_result
from flipdrop.experiments.catalogue import experiments
from flipdrop.experiments.results_io import write_results
from flipdrop.interface.web.pages.experiments import Report, with_theme
from tests.experiments.examples import results_of
from tests.experiments.made_up import measured

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.experiments.experiment import Results, Size, Values
    from flipdrop.experiments.tasks import Task

NAME, OTHER = "R1.2", "R2.2"


def made_up(name: str, size: Size, share: float) -> Results:
    def values(task: Task) -> Values:
        return measured(task, lambda _: share)

    return results_of(experiments()[name], values, size)


def keep(path: Path, name: str, results: Results) -> None:
    with Store(path) as store:
        for done in results.done.values():
            part = ExperimentResult(
                experiment=name,
                size=results.size,
                key=done.key,
                seed=done.seed,
                settings=done.settings,
                values=done.values,
                seconds=done.seconds,
                threads=done.threads,
            )
            save_result(store, part)


def test_no_results(tmp_path: Path) -> None:
    report = Report(tmp_path / "games.db", published=(tmp_path,))
    assert report.results() == ({}, False)
    assert report.html() is None


@pytest.mark.slow
def test_own_results_first(tmp_path: Path) -> None:
    published = tmp_path / "results.json"
    published.write_text(write_results({NAME: made_up(NAME, "full", 0.3), OTHER: made_up(OTHER, "full", 0.9)}))
    report = Report(tmp_path / "games.db", published=(tmp_path / "missing", tmp_path))
    found, own = report.results()
    assert (sorted(found), own) == ([NAME, OTHER], False)

    keep(tmp_path / "games.db", NAME, made_up(NAME, "quick", 0.6))
    found, own = report.results()
    assert (found[NAME].size, own) == ("full", False), "a quick run says less than the published full one"
    keep(tmp_path / "games.db", NAME, made_up(NAME, "full", 0.8))
    found, own = report.results()
    assert own
    assert found[NAME].done.keys() == made_up(NAME, "full", 0.8).done.keys()
    assert {done.values["score"] for done in found[NAME].done.values()} == {0.8}


@pytest.mark.slow
def test_quick_results(tmp_path: Path) -> None:
    keep(tmp_path / "games.db", NAME, made_up(NAME, "quick", 0.6))
    report = Report(tmp_path / "games.db", published=())
    found, own = report.results()
    assert (list(found), found[NAME].size, own) == ([NAME], "quick", True)
    page = report.html()
    assert page is not None
    assert experiments()[NAME].title in page
    assert report.html() is page, "it is not made again"


@pytest.mark.slow
@pytest.mark.parametrize(("chosen", "media"), [(None, "(prefers-color-scheme: dark)"), ("1", "all"), ("0", "not all")])
def test_theme(tmp_path: Path, chosen: str | None, media: str) -> None:
    keep(tmp_path / "games.db", NAME, made_up(NAME, "quick", 0.6))
    page = Report(tmp_path / "games.db", published=()).html()
    assert page is not None
    assert f"@media {media} {{" in with_theme(page, chosen)
    assert with_theme(page, "nonsense") == page


@pytest.mark.slow
def test_published_page(tmp_path: Path) -> None:
    """Without results in the store nothing is drawn, so matplotlib need not be installed."""
    (tmp_path / "results.json").write_text(write_results({NAME: made_up(NAME, "full", 0.3)}))
    (tmp_path / "results.html").write_text("<p>published</p>")
    report = Report(tmp_path / "games.db", published=(tmp_path,))
    assert report.html() == "<p>published</p>"
    keep(tmp_path / "games.db", NAME, made_up(NAME, "full", 0.6))
    assert "published</p>" not in (report.html() or "")
