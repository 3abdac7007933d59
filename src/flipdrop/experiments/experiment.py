"""What an experiment is: a claim of a report, or a question that the reports left open, and the tasks that answer it.

An experiment has tasks (matches, training runs, timings). Each task runs once and its result is stored. From the
results `conclude` makes a `Finding`: tables, figures, a conclusion by a stated rule, and paragraphs. A finding is a
function of the stored values alone, so pages can be regenerated without running anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure as Canvas

    from flipdrop.experiments.tasks import Task

Size = Literal["quick", "full"]
"""``quick`` is over in seconds and leaves wide intervals; ``full`` is what the pages are made of."""
SIZES: tuple[Size, ...] = ("quick", "full")
SEED = 1
"""Of every experiment, unless told otherwise."""

Values = dict[str, Any]
"""What a task has measured, as JSON can hold it."""


class Conclusion(StrEnum):
    """What became of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDED = "not decided by this run"
    """The intervals measured here hold both, or the run is too small to ask."""
    ANSWERED = "answered"
    """For questions that no report claims to know the answer to."""
    OPEN = "still open"
    """The same, where the intervals hold both answers."""


@dataclass(frozen=True)
class Table:
    """Rows of text. The first column names the row; cells of the others are numbers and are set to the right.

    :param words: the numbers of further columns that hold words, and are set to the left
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.heads):
                raise ValueError(f"table {self.title!r}: {row!r} has {len(row)} cells, not {len(self.heads)}")


@dataclass(frozen=True)
class Picture:
    """A figure of a page.

    :param name: its file's name, without ending; unlike those of the experiment's other pictures
    :param caption: what it shows, and what to see in it
    :param draw: draws it on an empty matplotlib figure (see `plots`)
    :param size: width and height in inches
    """

    name: str
    caption: str
    draw: Callable[[Canvas], object]
    size: tuple[float, float] = (7.5, 4.0)


@dataclass(frozen=True)
class Claim:
    """What a report said, in our words.

    :param source: ``R1`` to ``R5``; empty for an open question that no report has an answer to
    :param text: what it said
    :param table: its numbers, as printed
    """

    source: str
    text: str
    table: Table | None = None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What came out.

    :param underpowered: if the report's own games leave its claim open, so in a few words; a second badge
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
class TaskResult:
    """A task that has been run: what decided it, what was measured, and how long that took on so many threads.

    :param version: of flipdrop, with which it was run; a task is not run again because there is a newer one
    """

    key: str
    seed: int
    settings: Values
    values: Values
    seconds: float
    threads: int
    ended: str = ""
    version: str = ""


@dataclass(frozen=True)
class Results:
    """What the tasks of an experiment have measured, by their keys.

    ``results["100"]`` are the values of the task ``100``; `done` has its settings and seconds too.
    """

    size: Size
    seed: int
    done: dict[str, TaskResult] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Values:
        return self.done[key].values

    def __iter__(self) -> Iterator[str]:
        return iter(self.done)

    def __len__(self) -> int:
        return len(self.done)

    @property
    def seconds(self) -> float:
        """How long all tasks took."""
        return sum(task.seconds for task in self.done.values())

    @property
    def games(self) -> int:
        """How many games were counted."""
        return sum(int(task.values.get("games", 0)) for task in self.done.values())


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A table of a report, or an open question.

    :param name: ``R1.1`` or ``Q3``
    :param title: a few words
    :param question: what is asked, as a sentence
    :param tasks: what has to be run, in order, for a size and a seed; keys are unique
    :param conclude: what the results mean; called when all tasks are there
    """

    name: str
    title: str
    question: str
    claim: Claim
    tasks: Callable[[Size, int], Sequence[Task]]
    conclude: Callable[[Results], Finding]

    @property
    def slug(self) -> str:
        """The name as task of a file's name or an address: ``r1-1``."""
        return self.name.lower().replace(".", "-")

    def estimate(self, size: Size, seed: int = SEED) -> float:
        """About how many seconds it takes on two cores."""
        return sum(task.estimate for task in self.tasks(size, seed))
