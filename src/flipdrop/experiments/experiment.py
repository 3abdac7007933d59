"""What an experiment is: a claim of a report, or a question that the reports left open, and the parts that answer it.

An experiment has parts (matches, runs of learners, timings). Each is run once and kept in the store. What they have
measured becomes a `Finding`: tables, figures, a verdict by a stated rule, and a paragraph. A finding is a function of
the stored values alone, so pages can be made again without running anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure as Canvas

    from flipdrop.experiments.parts import Part

Size = Literal["quick", "full"]
"""``quick`` is over in seconds and leaves wide intervals; ``full`` is what the pages are made of."""
SIZES: tuple[Size, ...] = ("quick", "full")
SEED = 1
"""Of every experiment, unless told otherwise."""

Values = dict[str, Any]
"""What a part has measured, as JSON can hold it."""


class Verdict(StrEnum):
    """What became of a claim."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDABLE = "undecidable at the report's sample size"
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

    :param headline: one sentence for the list of contents, with numbers from the results
    :param rule: how the verdict follows from the results
    :param text: paragraphs, each with numbers from the results
    """

    verdict: Verdict
    headline: str
    rule: str
    text: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Done:
    """A part that has been run: what decided it, what was measured, and how long that took on so many threads."""

    key: str
    seed: int
    settings: Values
    values: Values
    seconds: float
    threads: int
    ended: str = ""


@dataclass(frozen=True)
class Results:
    """What the parts of an experiment have measured, by their keys.

    ``results["100"]`` are the values of the part ``100``; `done` has its settings and seconds too.
    """

    size: Size
    seed: int
    done: dict[str, Done] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Values:
        return self.done[key].values

    def __iter__(self) -> Iterator[str]:
        return iter(self.done)

    def __len__(self) -> int:
        return len(self.done)

    @property
    def seconds(self) -> float:
        """How long all parts took."""
        return sum(part.seconds for part in self.done.values())

    @property
    def games(self) -> int:
        """How many games were counted."""
        return sum(int(part.values.get("games", 0)) for part in self.done.values())


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A table of a report, or an open question.

    :param name: ``R1.1`` or ``Q3``
    :param title: a few words
    :param question: what is asked, as a sentence
    :param parts: what has to be run, in order, for a size and a seed; keys are unique
    :param conclude: what the results mean; called when all parts are there
    """

    name: str
    title: str
    question: str
    claim: Claim
    parts: Callable[[Size, int], Sequence[Part]]
    conclude: Callable[[Results], Finding]

    @property
    def slug(self) -> str:
        """The name as part of a file's name or an address: ``r1-1``."""
        return self.name.lower().replace(".", "-")

    def estimate(self, size: Size, seed: int = SEED) -> float:
        """About how many seconds it takes on two cores."""
        return sum(part.estimate for part in self.parts(size, seed))
