"""R1.5: the best range of each weight of D, as the report reads it off its pairs."""

from __future__ import annotations

from dataclasses import replace

from flipdrop.experiments.conclusions import bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared, printed
from flipdrop.experiments.measures import difference, score_interval
from flipdrop.experiments.presentation import SCORE, claims_table, interval_picture, table
from flipdrop.experiments.r1 import BEST_BY_HAND, DEPTH, minimax, short
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import between, listed, number

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


def _without(term: str) -> str:
    return f"{term} 0 against all six"


def _negated(term: str) -> str:
    return f"{term} with the other sign against 0"


def _tasks(size: Size) -> list[Task]:
    ranges = {
        _key(term, outside, inside): (minimax(_vector(place, outside)), minimax(_vector(place, inside)))
        for place, (term, ends) in enumerate(INSIDE.items())
        for outside in OUTSIDE[term]
        for inside in ends
    }
    signs = {
        key: (minimax(_vector(place, first)), minimax(_vector(place, second)))
        for place, (term, weight) in enumerate(zip(INSIDE, BASE, strict=True))
        for key, first, second in ((_without(term), 0, weight), (_negated(term), -weight, 0))
    }
    tasks = matches(ranges | signs, games=GAMES[size], seconds=0.0006)
    return [replace(task, own_openings=task.key in signs) for task in tasks]


def outside_of(results: Results, term: str, level: float) -> tuple[list[int], list[int]]:
    """The values outside of a range that beat both of its ends, at a level, and those that lose to one, at 95%."""
    played = {value: [results[_key(term, value, end)] for end in INSIDE[term]] for value in OUTSIDE[term]}
    better = [value for value, of in played.items() if all(score_interval(match, level)[0] > 0.5 for match in of)]
    worse = [value for value, of in played.items() if any(match["score_interval"][1] < 0.5 for match in of)]
    return better, worse


def _signs(results: Results) -> tuple[Conclusion, str]:
    """Whether every weight is better with its sign than 0, and 0 better than the other sign."""
    keys = [key(term) for term in INSIDE for key in (_without, _negated)]
    level = bonferroni_level(len(keys))
    conclusion = overall(
        [by_side(results[key]["score_interval"], 0.5, claimed=-1) for key in keys],
        [by_side(score_interval(results[key], level), 0.5, claimed=-1) for key in keys],
    )
    scores = "; ".join(
        f"{term} {number(results[_without(term)]['score'])} and {number(results[_negated(term)]['score'])}"
        for term in INSIDE
    )
    return conclusion, f"scores of 0 against the weight, and of the other sign against 0: {scores}"


def _most_important(results: Results) -> tuple[Conclusion, str]:
    """Whether the evaluation loses most without its corners."""
    corners, *others = (results[_without(term)] for term in INSIDE)
    conclusion, strict = (
        [by_side(difference(corners, other, level)[1], 0, claimed=-1) for other in others]
        for level in (0.95, bonferroni_level(len(others)))
    )
    scores = sorted(other["score"] for other in others)
    return overall(conclusion, strict), (
        f"without its corners the evaluation scores {number(corners['score'])} against all six terms, without another "
        f"term {between((scores[0], scores[-1]))}"
    )


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
        "are. Likewise for the signs (0 loses to the weight, the other sign loses to 0) and for the corners (the "
        "score without them is lower than without any other term). The other weights are those of "
        f"{short(BEST_BY_HAND)}, and both players search to depth {DEPTH}.",
        text=(
            f"Not decided: {listed_of(Conclusion.UNDECIDED)}. Of every weight but that of the corners, 0 is one of the "
            "values outside.",
        ),
        tables=(
            claims_table(
                {
                    "X-squares and open edges want negative weights, the other four positive ones": _signs(results),
                    "corners matter most": _most_important(results),
                }
            ),
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
            interval_picture(
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
