"""R4.2: whether draws count as losses or lie between wins and losses."""

from __future__ import annotations

from flipdrop.experiments import r4
from flipdrop.experiments.conclusions import RULE_OF_NO_EFFECT, no_effect
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.presentation import ELO, PLAYERS, SCORE, table_and_picture
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import number

GAME = "connect4"
ITERATIONS = 3000
GAMES: dict[Size, int] = {"quick": 20, "full": 2000}
RANDOM_GAMES: dict[Size, int] = {"quick": 200, "full": 20_000}
RANDOM = "random play"
MAIN = "draws as 0, C' = 2C"
BETWEEN: dict[str, float] = {"draw": 0, "opponent_draw": 0}
VARIANTS: dict[str, dict[str, float]] = {
    MAIN: BETWEEN,
    "draws as 0, the same C": BETWEEN | {"c": round(r4.C, 4)},
    "draws as losses, half of C": {"c": round(r4.C, 4)},
}


def _tasks(size: Size) -> list[Task]:
    players = {name: (r4.program(ITERATIONS, **changed), r4.program(ITERATIONS)) for name, changed in VARIANTS.items()}
    random = ("random", "greedy:epsilon=1")  # the same player twice, but a match has two specs
    return [
        *matches(players, games=GAMES[size], seconds=0.011, game=GAME),
        *matches({RANDOM: random}, games=RANDOM_GAMES[size], seconds=5e-5, game=GAME),
    ]


def _conclude(results: Results) -> Finding:
    rows = {name: results[name] for name in VARIANTS}
    main, random = rows[MAIN], results[RANDOM]
    others = "; ".join(f"{name} {score(values)}" for name, values in rows.items() if name != MAIN)
    return Finding(
        conclusion=no_effect(main["score_interval"]),
        headline=f"With draws between wins and losses, and twice the C, R4's search scores {number(main['score'], 3)} "
        f"against itself; {number(100 * random['draws'] / random['games'], 2)}% of random games are drawn.",
        rule=f"The claim is that counting draws has no effect if C is doubled: {RULE_OF_NO_EFFECT}.",
        text=(
            f"With {ITERATIONS:,} simulations for both, {MAIN}, scores {score(main)} against the report's program. "
            f"Others: {others}.",
            f"The argument holds where there are no draws: rewards of 1 and -1 instead of 1 and 0 turn a mean w into "
            "2w - 1, and twice the C keeps the order of all children, move by move. What remains is how draws count. "
            f"Of {random['games']:,} games of random play {random['draws']:,} are drawn; of {main['games']:,} games "
            f"between the two searches {main['draws']:,}.",
        ),
        **table_and_picture(
            "draws", "Against the report's program, draws as losses", "change", rows, PLAYERS | SCORE | ELO
        ),
    )


EXPERIMENT = declared("R4.2", _tasks, _conclude)
