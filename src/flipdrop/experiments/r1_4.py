"""R1.4: the thirteen pairs of weights of D that the report prints, and all its vectors against each other."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations

from flipdrop.experiments.conclusions import bonferroni_level, by_side, overall, side_of
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared, printed
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import ReportedGames, score_interval
from flipdrop.experiments.presentation import DISCS, SCORE, claims_table, table
from flipdrop.experiments.r1 import BEST_BY_HAND, OPPONENT, START, minimax, short, weights
from flipdrop.experiments.tasks import Task, matches
from flipdrop.experiments.tournaments import RATING, ratings, ratings_picture
from flipdrop.reporting.formatting import listed, number

Pair = tuple[str, str]
REPORTED: dict[Pair, ReportedGames] = {
    (weights(one), weights(two)): ReportedGames.of(*games) for one, two, *games in printed("R1.4")
}
VECTORS = tuple(dict.fromkeys([*chain(*REPORTED), OPPONENT, *START]))
"""All that the report prints: those of the pairs, the opponent of the other tables, and the first population."""
FIRST, DEEPER = 2, 4
GAMES: dict[Size, dict[int, int]] = {"quick": {FIRST: 60}, "full": {FIRST: 1600, DEEPER: 500}}
"""Games of each pair by depth."""
SECONDS = {FIRST: 0.0006, DEEPER: 0.006}  # a game, about


def pairs(size: Size, depth: int) -> list[Pair]:
    """The report's pairs and the best by hand against all others; at the first depth of the full size every pair."""
    everyone = size == "full" and depth == FIRST
    more = combinations(VECTORS, 2) if everyone else ((BEST_BY_HAND, other) for other in VECTORS)
    return [*REPORTED, *(one for one in more if one not in REPORTED and one[::-1] not in REPORTED and one[0] != one[1])]


def _key(one: str, two: str, depth: int) -> str:
    return f"{one} against {two} at depth {depth}"


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for depth, games in GAMES[size].items():
        players = {
            _key(*pair, depth): (minimax(pair[0], depth), minimax(pair[1], depth)) for pair in pairs(size, depth)
        }
        tasks += matches(players, games=games, seconds=SECONDS[depth])
    return tasks


def _conclude(results: Results) -> Finding:
    depths = list(GAMES[results.size])
    against = [
        (results[_key(*pair, depth)], 1 if pair[0] == BEST_BY_HAND else -1)  # the side on which the best by hand wins
        for depth in depths
        for pair in pairs(results.size, depth)
        if BEST_BY_HAND in pair
    ]
    level = bonferroni_level(len(against))
    strict = [by_side(score_interval(match, level), 0.5, claimed=side) for match, side in against]
    found = ratings({pair: results[_key(*pair, FIRST)] for pair in pairs(results.size, FIRST)})
    order = [rating.name for rating in found.players]
    best = found[order[0]]
    by_hand = found[BEST_BY_HAND]
    rows = {depth: {pair: results[_key(*pair, depth)] for pair in REPORTED} for depth in depths}
    deeper = {
        f"score at depth {depth} (95%)": {pair: score(values) for pair, values in rows[depth].items()}
        for depth in depths[1:]
    }
    return Finding(
        conclusion=overall([by_side(match["score_interval"], 0.5, claimed=side) for match, side in against], strict),
        headline=f"{short(BEST_BY_HAND)}, the report's best by hand, is number {order.index(BEST_BY_HAND) + 1} of its "
        f"{len(VECTORS)} vectors; {short(best.name)} is the best.",
        rule=f"We take the claim to be that {short(BEST_BY_HAND)} is the best of the report's vectors: confirmed if it "
        f"beats every other one (95% interval above 0.5) at depth {listed(list(map(str, depths)))}, which the report "
        f"does not state, refuted if some other one beats it at some depth (one of {len(against)} suffices, so there "
        f"the level is {number(100 * level, 2)}%), and else not decided.",
        text=(
            f"By rating at depth {FIRST}, {short(BEST_BY_HAND)} is number {order.index(BEST_BY_HAND) + 1} of "
            f"{len(VECTORS)}, {number(best.elo - by_hand.elo, 0)} Elo behind {short(best.name)}. In "
            f"{strict.count(Conclusion.REFUTED)} of its {len(against)} matches it is beaten beyond doubt, in "
            f"{strict.count(Conclusion.CONFIRMED)} it wins beyond doubt.",
            _on_printed_games(rows[FIRST]),
        ),
        tables=(
            claims_table({"Othello has no transitivity": _on_transitivity(results)}),
            table(
                f"The report's pairs at depth {FIRST}; discs as first and as second player",
                "vector",
                rows[FIRST],
                {"against": {pair: short(pair[1]) for pair in REPORTED}, "report": REPORTED} | DISCS | SCORE | deeper,
                lambda pair: short(pair[0]),
            ),
            table(
                f"All vectors (corners, edges, X-squares, open edges, discs, mobility) by rating, depth {FIRST}",
                "weights",
                {rating.name: rating for rating in found.players},
                RATING,
                short,
            ),
        ),
        pictures=(
            ratings_picture(
                "vectors",
                f"Elo of the report's {len(VECTORS)} vectors at depth {FIRST}, their mean at 0, with 95% intervals.",
                found,
                (7.5, 5.2),
            ),
        ),
    )


def _on_printed_games(rows: dict[Pair, Values]) -> str:
    """What became of the pairs in which one vector won both of the report's games."""
    swept = {pair: games.games.score for pair, games in REPORTED.items() if games.games.score in (0.0, 1.0)}
    held = [pair for pair, won in swept.items() if side_of(rows[pair]["score_interval"], 0.5) == (1 if won else -1)]
    clear = [pair for pair, values in rows.items() if side_of(values["score_interval"], 0.5)]
    return (
        f"In {len(swept)} of the {len(REPORTED)} printed pairs one vector wins both games; in {len(held)} of these it "
        f"is the better one here. In the other {len(REPORTED) - len(swept)} each wins one, so that the report's games "
        f"say nothing; here {len(clear)} of all {len(REPORTED)} are decided."
    )


def _on_transitivity(results: Results) -> tuple[Conclusion, str]:
    """Whether some vectors beat each other in a circle."""
    played = pairs(results.size, FIRST)
    level = bonferroni_level(len(played))
    sides = {pair: side_of(score_interval(results[_key(*pair, FIRST)], level), 0.5) for pair in played}
    beaten: dict[str, set[str]] = {vector: set() for vector in VECTORS}
    for (one, two), side in sides.items():
        if side:
            winner, loser = (one, two) if side == 1 else (two, one)
            beaten[winner].add(loser)
    decided = sum(map(abs, sides.values()))
    certain = f"of {len(played)} pairs at depth {FIRST}, {decided} are decided (level {number(100 * level, 2)}%)"
    try:
        TopologicalSorter(beaten).prepare()
    except CycleError as error:
        circle = " beats ".join(map(short, error.args[1][::-1]))
        return Conclusion.CONFIRMED, f"{certain}, and {circle}"
    complete = decided == len(VECTORS) * (len(VECTORS) - 1) // 2
    return (Conclusion.REFUTED if complete else Conclusion.UNDECIDED), f"{certain}, and no vectors beat in a circle"


EXPERIMENT = declared("R1.4", _tasks, _conclude)
