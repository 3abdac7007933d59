"""What an experiment is: a claim of a report, or a question that the reports left open, and the tasks that answer it.

An experiment has tasks (matches, training runs, timings). Each task runs once and its result is stored. From the
results `conclude` makes a `Finding`: tables, figures, a conclusion by a stated rule, and paragraphs. A finding is a
function of the stored values alone, so pages can be regenerated without running anything.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flipdrop.arena.store import ExperimentResult
    from flipdrop.experiments.tasks import Task
    from flipdrop.reporting.figures import Picture

Size = Literal["quick", "full"]
"""``quick`` takes seconds and has wide intervals; ``full`` is the size of the published pages."""
SIZES: tuple[Size, ...] = ("quick", "full")
SEED = 1
"""The default seed of experiments."""

Values = dict[str, Any]
"""The measurements of a task; JSON-serialisable."""


class Conclusion(StrEnum):
    """The conclusion about a claim or a question."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDED = "not decided by this run"
    """The intervals contain both answers, or the run is too small."""
    ANSWERED = "answered"
    """Of questions that no report claims to have answered."""
    OPEN = "still open"
    """Of such questions, if the intervals contain both answers."""


@dataclass(frozen=True)
class Claim:
    """What a report said, in our words.

    :param source: ``R1`` to ``R5``; empty for a question that no report answers
    :param tables: its numbers, as printed
    """

    source: str
    text: str
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What follows from the results.

    :param underpowered: a note if the report's own games leave its claim open; shown as a second badge
    :param headline: one sentence for the list of contents, with numbers from the results
    :param rule: how the conclusion follows from the results
    :param text: paragraphs, each with numbers from the results
    """

    conclusion: Conclusion
    headline: str
    rule: str
    text: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    underpowered: str = ""


@dataclass(frozen=True)
class Results:
    """The results of an experiment's tasks by their keys: ``results["100"]`` are the values of the task ``100``."""

    size: Size
    seed: int
    done: dict[str, ExperimentResult] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Values:
        return self.done[key].values

    def __iter__(self) -> Iterator[str]:
        return iter(self.done)

    def __len__(self) -> int:
        return len(self.done)

    @property
    def seconds(self) -> float:
        return sum(task.seconds for task in self.done.values())

    @property
    def games(self) -> int:
        return sum(int(task.values.get("games", 0)) for task in self.done.values())


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A table of a report, or an open question.

    :param name: ``R1.1`` or ``Q3``
    :param settings_from: where the settings come from: the section of the report, and what is ours
    :param tasks: the tasks of a size, in order; keys are unique
    :param conclude: makes the finding from the results of all tasks
    """

    name: str
    title: str
    question: str
    claim: Claim
    tasks: Callable[[Size], Sequence[Task]]
    conclude: Callable[[Results], Finding]
    settings_from: str = ""

    @property
    def slug(self) -> str:
        """The name in file names and anchors: ``r1-1``."""
        return self.name.lower().replace(".", "-")

    def estimate(self, size: Size) -> float:
        """Estimated seconds on two cores."""
        return sum(task.estimate for task in self.tasks(size))

    def is_current(self, results: Results) -> bool:
        """Whether results are of all tasks of this experiment with the settings that they have now."""
        tasks = [(task.key, task.settings) for task in self.tasks(results.size)]
        return tasks == [(key, done.settings) for key, done in results.done.items()]


def declared(name: str, tasks: Callable[[Size], Sequence[Task]], conclude: Callable[[Results], Finding]) -> Experiment:
    """The experiment of this name in ``reports.toml``, which holds what the reports say and print."""
    said = _declarations()[name]
    return Experiment(
        name=name,
        title=said["title"],
        question=said["question"],
        claim=Claim(said.get("source", ""), said["claim"], tuple(_table(**table) for table in said.get("tables", ()))),
        settings_from=said["settings_from"],
        tasks=tasks,
        conclude=conclude,
    )


def printed(name: str, place: int = 0) -> list[list[str]]:
    """The rows of a report's table that belongs to an experiment, as printed."""
    rows: list[list[str]] = _declarations()[name]["tables"][place]["rows"]
    return rows


@cache
def _declarations() -> dict[str, Any]:
    return tomllib.loads((files("flipdrop.experiments") / "reports.toml").read_text(encoding="utf-8"))


def _table(title: str, heads: list[str], rows: list[list[str]], text_columns: Sequence[int] = ()) -> Table:
    return Table(title, tuple(heads), tuple(map(tuple, rows)), tuple(text_columns))
