"""R1.5: the best range of each weight of D, as the report reads it off its pairs."""

from __future__ import annotations

from flipdrop.experiments.conclusions import bonferroni_level, overall
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared, printed
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import SCORE, bars, table
from flipdrop.experiments.r1 import BEST_BY_HAND, DEPTH, minimax, short
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import listed, number

BASE = (15, 6, -10, -4, 8, 8)
"""The report's optimised weights; one of them is changed at a time."""
INSIDE = {term: tuple(int(end.replace("−", "-")) for end in ends.split(" to ")) for term, ends in printed("R1.5")}
"""The ends of the range that the report calls the best for each weight."""
OUTSIDE = {
    "corners": (5, 10, 25, 40),
    "edges": (0, 3, 10, 15),
    "X-squares": (0, -5, -20, -30),
    "open edges": (0, -2, -8, -12),
    "discs": (0, 3, 12, 20),
    "mobility": (0, 3, 12, 20),
}
"""Values to compare with them, ours."""
GAMES: dict[Size, int] = {"quick": 20, "full": 2000}


def _vector(place: int, value: int) -> str:
    return f"D({','.join(str(value if place == n else weight) for n, weight in enumerate(BASE))})"


def _key(term: str, outside: int, inside: int) -> str:
    return f"{term} {outside} against {inside}"


def _tasks(size: Size) -> list[Task]:
    players = {
        _key(term, outside, inside): (minimax(_vector(place, outside)), minimax(_vector(place, inside)))
        for place, (term, ends) in enumerate(INSIDE.items())
        for outside in OUTSIDE[term]
        for inside in ends
    }
    return [*matches(players, games=GAMES[size], seconds=0.0006)]


def outside_of(results: Results, term: str, level: float) -> tuple[list[int], list[int]]:
    """The values outside of a range that beat both of its ends, at a level, and those that lose to one, at 95%."""
    played = {value: [results[_key(term, value, end)] for end in INSIDE[term]] for value in OUTSIDE[term]}
    better = [value for value, of in played.items() if all(score_interval(match, level)[0] > 0.5 for match in of)]
    worse = [value for value, of in played.items() if any(match["score_interval"][1] < 0.5 for match in of)]
    return better, worse


def _conclude(results: Results) -> Finding:
    tried = sum(map(len, OUTSIDE.values()))
    level = bonferroni_level(tried)
    outside = {term: outside_of(results, term, level) for term in INSIDE}
    found: dict[str, Conclusion] = {}
    for term, (better, worse) in outside.items():
        all_worse = Conclusion.CONFIRMED if worse == list(OUTSIDE[term]) else Conclusion.UNDECIDED
        found[term] = Conclusion.REFUTED if better else all_worse

    def listed_of(conclusion: Conclusion) -> str:
        return listed([term for term, of in found.items() if of is conclusion] or ["none"])

    return Finding(
        conclusion=overall(list(found.values())),
        headline=f"Of the six ranges, confirmed: {listed_of(Conclusion.CONFIRMED)}; refuted: "
        f"{listed_of(Conclusion.REFUTED)}.",
        rule="A range is confirmed if each value outside loses to one of its ends (95% interval below 0.5), refuted if "
        f"a value outside beats both (one of {tried} suffices, so there the level is "
        f"{number(100 * level, 2)}%), else not decided; the claim of all six is refuted if one is, confirmed if all "
        f"are. The other weights are those of {short(BEST_BY_HAND)}, and both players search to depth {DEPTH}.",
        text=(
            f"Not decided: {listed_of(Conclusion.UNDECIDED)}. A weight of 0 is among the values outside of all "
            "but the corners.",
        ),
        tables=(
            table(
                "The range of each weight",
                "weight",
                outside,
                {
                    "report": dict(printed("R1.5")),
                    "conclusion": found,
                    "better outside": lambda of: ", ".join(number(value, 0) for value in of[0]),
                    "worse outside": lambda of: ", ".join(number(value, 0) for value in of[1]),
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
                "Score of values outside of the ranges against the first end of the range, with 95% intervals.",
                {
                    term: {f"{term} {number(value, 0)}": results[_key(term, value, ends[0])] for value in OUTSIDE[term]}
                    for term, ends in INSIDE.items()
                },
                horizontal=True,
                size=(7.5, 7.0),
            ),
        ),
    )


EXPERIMENT = declared("R1.5", _tasks, _conclude)
