"""What the pages say, without how it looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.experiments.experiment import SEED, Table
from flipdrop.experiments.formatting import listed, seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flipdrop.experiments.experiment import Experiment, Finding, Results, TaskResult, Values

TITLE = "What holds of five reports"
INTRODUCTION = (
    "Five reports describe programs that play Othello and Connect Four, and tables in which most rows are decided by "
    "two games. Here every table is run again with the report's own settings and enough games for an answer: pairs of "
    "games from the same random opening, once with each colour, and 95% intervals. Then come the questions that the "
    "reports left open."
)


@dataclass(frozen=True)
class Section:
    """An experiment with its results and what they mean."""

    experiment: Experiment
    results: Results
    finding: Finding

    @property
    def heading(self) -> str:
        """Name and title."""
        return f"{self.experiment.name} {self.experiment.title}"

    @property
    def command(self) -> str:
        """What repeats it."""
        quick = " --quick" if self.results.size == "quick" else ""
        seed = "" if self.results.seed == SEED else f" --seed {self.results.seed}"
        return f"flipdrop experiment {self.experiment.name}{quick}{seed}"

    @property
    def effort(self) -> str:
        """``86,400 games, seed 1, 3 min 20 s on 2 threads, flipdrop 1.0``."""
        results = self.results
        threads = sorted({done.threads for done in results.done.values()})
        on = "" if not threads else f" on {threads[-1]} thread{'s' if threads[-1] > 1 else ''}"
        games = f"{results.games:,} games, " if results.games else ""
        versions = sorted({done.version for done in results.done.values()} - {""})
        by = f", flipdrop {listed(versions)}" if versions else ""
        return f"{games}seed {results.seed}, {seconds(results.seconds)}{on}{by}"

    @property
    def runs(self) -> Table:
        """What was run: a row for each task."""
        return Table(
            "What was run",
            ("part", "players and settings", "games", "openings", "time"),
            tuple(_row(done) for done in self.results.done.values()),
            words=(1, 3),
        )


@dataclass(frozen=True)
class Content:
    """All sections, in order, and the names of experiments that have yet to be run."""

    sections: tuple[Section, ...]
    missing: tuple[str, ...] = ()

    @property
    def effort(self) -> str:
        """What all of it took."""
        games = sum(section.results.games for section in self.sections)
        time = sum(section.results.seconds for section in self.sections)
        sizes = {section.results.size for section in self.sections}
        run = "the full run" if sizes == {"full"} else "a quick run, whose intervals are wide"
        return f"{len(self.sections)} experiments, {games:,} games, {seconds(time)}: {run}."


def content_of(experiments: Iterable[Experiment], results: Mapping[str, Results]) -> Content:
    """What can be said of some experiments."""
    sections, missing = [], []
    for experiment in experiments:
        if experiment.name in results:
            of = results[experiment.name]
            sections.append(Section(experiment, of, experiment.conclude(of)))
        else:
            missing.append(experiment.name)
    return Content(tuple(sections), tuple(missing))


def _row(done: TaskResult) -> tuple[str, ...]:
    settings = dict(done.settings)
    settings.pop("needs", None)
    settings.pop("kind", None)
    first, second = done.values.get("players", (settings.get("first"), settings.get("second")))
    game = settings.pop("game", "othello")
    games, openings = settings.pop("games", ""), str(settings.pop("openings", ""))
    players = [] if first is None else [f"{first} against {second}" if second else str(first)]
    if first is not None:
        settings.pop("first")
        settings.pop("second", None)
    if game != "othello":
        players.append(f"game {game}")
    others = [f"{name.replace('_', ' ')} {_plain(value)}" for name, value in settings.items()]
    counted = f"{games:,}" if isinstance(games, int) else str(games)
    return done.key, "; ".join(players + others), counted, openings, seconds(done.seconds)


def _plain(value: Values | Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_plain(one) for one in value)
    return str(value)
