"""The pages of experiments: one self-contained HTML file, and one Markdown file with figures beside it.

Both are rendered from the same `Content` by templates of `flipdrop.reporting`, and depend on the results alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from flipdrop.errors import ArenaError
from flipdrop.experiments.experiment import SEED, Experiment, Finding, Results, Size
from flipdrop.experiments.results_io import read_results, write_results
from flipdrop.files import atomic_write
from flipdrop.reporting.figures import Picture, inline_svg, svg_file
from flipdrop.reporting.formatting import listed, seconds
from flipdrop.reporting.tables import Table
from flipdrop.reporting.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from flipdrop.arena.store import ExperimentResult

PAGE = "results"
"""The name of the pages' files, without extension."""
FIGURES = "figures"
"""The folder of the figures, beside the pages."""
TITLE = "Five reports re-examined"
INTRODUCTION = (
    "Five reports describe programs that play Othello and Connect Four. Most rows of their tables rest on two games. "
    "Here every table is run again with many more games and 95% intervals, with the report's own settings where it "
    "states them. Games come in pairs: the same random opening, once with each colour. Then come the questions that "
    "the reports left open."
)


@dataclass(frozen=True)
class Section:
    """An experiment with its results and its finding."""

    experiment: Experiment
    results: Results
    finding: Finding

    @property
    def heading(self) -> str:
        return f"{self.experiment.name} {self.experiment.title}"

    @property
    def command(self) -> str:
        """The command that repeats the experiment."""
        quick = " --quick" if self.results.size == "quick" else ""
        seed = "" if self.results.seed == SEED else f" --seed {self.results.seed}"
        return f"flipdrop experiment {self.experiment.name}{quick}{seed}"

    @property
    def effort(self) -> str:
        """``86,400 games, seed 1, 3 min 20 s on 2 threads, flipdrop 1.0``; of a quick run also that it is small."""
        results = self.results
        threads = max((done.threads for done in results.done.values()), default=0)
        on = f" on {threads} thread{'s' if threads > 1 else ''}" if threads else ""
        games = f"{results.games:,} games, " if results.games else ""
        versions = sorted({done.version for done in results.done.values()} - {""})
        by = f", flipdrop {listed(versions)}" if versions else ""
        small = ", a quick run: its samples are small" if results.size == "quick" else ""
        return f"{games}seed {results.seed}, {seconds(results.seconds)}{on}{by}{small}"

    @property
    def runs(self) -> Table:
        """A row for each task."""
        heads = ("part", "players and settings", "games", "openings", "time")
        rows = tuple(_run_row(done) for done in self.results.done.values())
        return Table("What was run", heads, rows, text_columns=(1, 3))

    def figure_file(self, picture: Picture) -> str:
        return f"{self.experiment.slug}-{picture.name}.svg"


@dataclass(frozen=True)
class Content:
    """All sections, in order, and the names of experiments without results of their present settings."""

    sections: tuple[Section, ...]
    missing: tuple[str, ...] = ()

    @property
    def effort(self) -> str:
        games = sum(section.results.games for section in self.sections)
        time = sum(section.results.seconds for section in self.sections)
        sizes = {section.results.size for section in self.sections}
        run = "the full run" if sizes == {"full"} else "a quick run, whose intervals are wide"
        return f"{len(self.sections)} experiments, {games:,} games, {seconds(time)}: {run}."

    @property
    def overview(self) -> Table:
        """The table of contents of the Markdown page."""
        rows = []
        for section in self.sections:
            experiment, finding = section.experiment, section.finding
            aside = f" ({finding.underpowered})" if finding.underpowered else ""
            link = f"[{experiment.title}](#{experiment.slug})"
            rows.append((experiment.name, link, f"**{finding.conclusion}**{aside}", finding.headline))
        return Table("", ("", "", "conclusion", ""), tuple(rows), text_columns=(1, 2, 3))


def content_of(experiments: Iterable[Experiment], results: Mapping[str, Results]) -> Content:
    """The sections of the experiments that have results. Results of other settings than the present ones are left out,
    since the text of an experiment speaks of its present settings."""
    sections, missing = [], []
    for experiment in experiments:
        of = results.get(experiment.name)
        if of is not None and experiment.is_current(of):
            sections.append(Section(experiment, of, experiment.conclude(of)))
        else:
            missing.append(experiment.name)
    return Content(tuple(sections), tuple(missing))


def html(content: Content) -> str:
    return render("experiments.html", title=TITLE, introduction=INTRODUCTION, content=content, figure=_inline_figure)


def markdown(content: Content) -> str:
    return render("experiments.md", title=TITLE, introduction=INTRODUCTION, content=content)


def published_results(folder: Path, names: Iterable[str], *, size: Size, seed: int) -> dict[str, Results]:
    """The results in a folder of other experiments than these, which new pages have to keep.

    Raises ArenaError if they are of another size or seed, since a page shows one run.
    """
    path = folder / f"{PAGE}.json"
    if not path.exists():
        return {}
    new = set(names)
    kept = {name: of for name, of in read_results(path.read_text(), str(path)).items() if name not in new}
    for name, of in kept.items():
        if (of.size, of.seed) != (size, seed):
            raise ArenaError(
                f"{path} has {name} of size {of.size} with seed {of.seed}, not {size} with seed {seed}: name another "
                "folder, or run all"
            )
    return kept


def write_pages(folder: Path, experiments: Iterable[Experiment], results: Mapping[str, Results]) -> list[Path]:
    """Writes ``results.html``, ``results.md``, ``results.json`` and the figures; returns their paths.

    Removes figures and results of an earlier run that no page shows any more.
    """
    content = content_of(experiments, results)
    shown = {section.experiment.name: section.results for section in content.sections}
    (folder / FIGURES).mkdir(parents=True, exist_ok=True)
    files = {
        folder / f"{PAGE}.html": html(content).encode(),
        folder / f"{PAGE}.md": markdown(content).encode(),
        folder / f"{PAGE}.json": write_results(shown).encode(),
    }
    for section in content.sections:
        for picture in section.finding.pictures:
            files[folder / FIGURES / section.figure_file(picture)] = svg_file(picture)
    for path, data in files.items():
        atomic_write(path, data)
    for path in (folder / FIGURES).glob("*.svg"):
        if path not in files:
            path.unlink()
    return list(files)


def _inline_figure(picture: Picture, prefix: str) -> Markup:
    return Markup(inline_svg(picture, prefix).replace("<svg ", f'<svg aria-label="{escape(picture.caption)}" ', 1))


def _run_row(done: ExperimentResult) -> tuple[str, ...]:
    settings = {name: value for name, value in done.settings.items() if name not in ("needs", "kind")}
    first, second = done.values.get("players", (settings.get("first"), settings.get("second")))
    game = settings.pop("game", "othello")
    games, openings = settings.pop("games", ""), str(settings.pop("openings", ""))
    players = [] if first is None else [f"{first} against {second}" if second else str(first)]
    if first is not None:
        settings.pop("first")
        settings.pop("second", None)
    if game != "othello":
        players.append(f"game {game}")
    others = [f"{name.replace('_', ' ')} {_flatten(value)}" for name, value in settings.items()]
    counted = f"{games:,}" if isinstance(games, int) else str(games)
    return done.key, "; ".join(players + others), counted, openings, seconds(done.seconds)


def _flatten(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_flatten(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_flatten(one) for one in value)
    return str(value)
