"""Placements on the published ladder as tasks of experiments, and ratings from their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.statistics import CrossTable, Pairs, rate
from flipdrop.experiments.tasks import MeasureTask, TaskContext, play_events
from flipdrop.experiments.tournaments import finite_interval

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.experiments.experiment import Values
    from flipdrop.experiments.tasks import Task

_PLAYER = "player"


def placement(
    key: str,
    spec: str,
    *,
    games: int,
    opponents: int,
    estimate: float,
    game: str = "othello",
    depends_on: Mapping[str, Task] | None = None,
) -> MeasureTask:
    """The task that places a player on the ladder of its game.

    :param spec: may contain ``{name[value]}``, a value of a dependency, and ``{folder}``
    :param games: against each of the opponents near its rating
    """
    parameters = {"kind": "placement", "game": game, "player": spec, "games": games, "opponents": opponents}
    return MeasureTask(key, parameters=parameters, measure=place, estimate=estimate, depends_on=depends_on or {})


def place(task: MeasureTask, context: TaskContext) -> Values:
    """The place on the ladder, and the results against each opponent, from which `rating` computes the rating."""
    asked, needed = task.parameters, task.dependencies(context)
    games = LadderPlacement(
        player=asked["player"].format(**needed, folder=context.folder),
        game=asked["game"],
        games=asked["games"],
        opponents=asked["opponents"],
        seed=context.seed,
    )
    found = games.result(play_events(context, games))
    return {
        "player": asked["player"].format(**needed, folder="models"),
        "place": found.place,
        "entries": len(found.ladder.entries),
        "games": found.games.total,
        **found.games.to_json(),
        "score": found.games.score,
        "met": [
            {"opponent": met.entry.spec, "rating": met.entry.rating, "pairs": list(met.tally.pairs.counts)}
            for met in found.met
        ],
        "forfeits": found.forfeits,
    }


def rating(values: Values, *, level: float = 0.95) -> tuple[float, tuple[float | None, float | None]]:
    """The rating by Bradley-Terry, with the ladder's ratings fixed, and its interval; an infinite end is None."""
    table = CrossTable()
    for met in values["met"]:
        table.add_pairs(_PLAYER, met["opponent"], Pairs.from_counts(met["pairs"]))
    found = rate(table, anchors={met["opponent"]: met["rating"] for met in values["met"]}, level=level)[_PLAYER]
    return found.elo, finite_interval(found.interval)
