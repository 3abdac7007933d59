"""R1.5: the best range of each weight of D, as the report reads it off its pairs."""

from __future__ import annotations

from dataclasses import dataclass

from flipdrop.experiments.conclusions import bonferroni_level, overall, side_of
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared, printed
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import SCORE, bars, table
from flipdrop.experiments.r1 import BEST_BY_HAND, DEPTH, READING_OF_D, minimax, short
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.formatting import listed, number

BASE = (15, 6, -10, -4, 8, 8)
"""The report's optimised weights; one of them is changed at a time."""


@dataclass(frozen=True)
class Range:
    """What the report calls the best range of a weight.

    :param inside: its ends
    :param outside: values to compare with them, ours
    """

    term: str
    inside: tuple[int, ...]
    outside: tuple[int, ...]

    def __str__(self) -> str:
        return " to ".join(number(value, 0) for value in self.inside)


OUTSIDE = {
    "corners": (5, 10, 25, 40),
    "edges": (0, 3, 10, 15),
    "X-squares": (0, -5, -20, -30),
    "open edges": (0, -2, -8, -12),
    "discs": (0, 3, 12, 20),
    "mobility": (0, 3, 12, 20),
}
RANGES = tuple(
    Range(term, tuple(int(end.replace("−", "-")) for end in ends.split(" to ")), OUTSIDE[term])
    for term, ends in printed("R1.5")
)
GAMES: dict[Size, int] = {"quick": 20, "full": 2000}


def _vector(place: int, value: int) -> str:
    return f"D({','.join(str(value if place == n else weight) for n, weight in enumerate(BASE))})"


def _key(term: str, outside: int, inside: int) -> str:
    return f"{term} {outside} against {inside}"


def _tasks(size: Size) -> list[Task]:
    return [
        MatchTask(
            _key(one.term, outside, inside),
            minimax(_vector(place, outside)),
            minimax(_vector(place, inside)),
            games=GAMES[size],
            estimate=0.02 + 0.0006 * GAMES[size],
        )
        for place, one in enumerate(RANGES)
        for outside in one.outside
        for inside in one.inside
    ]


def _better_outside(results: Results, one: Range, level: float) -> list[int]:
    """The values outside of a range that beat both of its ends."""
    return [
        outside
        for outside in one.outside
        if all(side_of(score_interval(results[_key(one.term, outside, end)], level), 0.5) == 1 for end in one.inside)
    ]


def _worse_outside(results: Results, one: Range) -> list[int]:
    """The values outside of a range that lose to one of its ends."""
    return [
        outside
        for outside in one.outside
        if any(side_of(results[_key(one.term, outside, end)]["score_interval"], 0.5) == -1 for end in one.inside)
    ]


def conclusion_of(results: Results, one: Range, level: float) -> Conclusion:
    if _better_outside(results, one, level):
        return Conclusion.REFUTED
    return Conclusion.CONFIRMED if _worse_outside(results, one) == list(one.outside) else Conclusion.UNDECIDED


def _conclude(results: Results) -> Finding:
    level = bonferroni_level(sum(len(one.outside) for one in RANGES))
    found = {one.term: conclusion_of(results, one, level) for one in RANGES}
    ranges = {one.term: one for one in RANGES}

    def listed_of(conclusion: Conclusion) -> str:
        return listed([term for term, of in found.items() if of is conclusion] or ["none"])

    return Finding(
        conclusion=overall(list(found.values())),
        headline=f"Of the six ranges, confirmed: {listed_of(Conclusion.CONFIRMED)}; refuted: "
        f"{listed_of(Conclusion.REFUTED)}.",
        rule="A range is confirmed if each value outside loses to one of its ends (95% interval below 0.5), refuted if "
        f"a value outside beats both (one of {len(RANGES) * len(RANGES[0].outside)} suffices, so there the level is "
        f"{number(100 * level, 2)}%), else not decided; the claim of all six is refuted if one is, confirmed if all "
        f"are. The other weights are those of {short(BEST_BY_HAND)}, and both players search to depth {DEPTH}.",
        text=(
            f"Confirmed: {listed_of(Conclusion.CONFIRMED)}. Refuted: {listed_of(Conclusion.REFUTED)}. Not decided: "
            f"{listed_of(Conclusion.UNDECIDED)}. A weight of 0 is among the values outside where the report says that "
            "the factor is good or bad for a side.",
            READING_OF_D,
        ),
        tables=(
            table(
                "The range of each weight",
                "weight",
                ranges,
                {
                    "report": lambda one: str(one),
                    "conclusion": lambda one: str(found[one.term]),
                    "better outside": lambda one: _values(_better_outside(results, one, level)),
                    "worse outside": lambda one: _values(_worse_outside(results, one)),
                },
            ),
            table(
                "Values outside against the ends of the range",
                "match",
                {key: results[key] for key in results},
                SCORE,
                lambda key: key.replace(" -", " −"),
            ),
        ),
        pictures=(
            bars(
                "ranges",
                "Score of values outside of the report's ranges against the end of the range that is nearer, with 95% "
                "intervals.",
                {
                    one.term: {
                        f"{one.term} {number(outside, 0)}": results[
                            _key(one.term, outside, min(one.inside, key=lambda end: abs(end - outside)))
                        ]
                        for outside in one.outside
                    }
                    for one in RANGES
                },
                horizontal=True,
                size=(7.5, 7.0),
            ),
        ),
    )


def _values(values: list[int]) -> str:
    return ", ".join(number(value, 0) for value in values)


EXPERIMENT = declared("R1.5", _tasks, _conclude)
