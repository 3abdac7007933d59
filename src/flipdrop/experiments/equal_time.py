"""Equal time: the cost of a move for each of two players.

"At equal time" means that both players of a match have a fixed budget of simulations or nodes, chosen so that a move
takes both the same time on the machine on which the budgets were chosen. So the games are the same on any machine, and
other processes do not affect them, as they would with a time per move. The `timing` task beside each match measures
the actual ratio of times, in games from the same openings, and pages show it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from time import thread_time
from typing import TYPE_CHECKING

import numpy as np

from flipdrop.arena.match import Match
from flipdrop.arena.referee import referee
from flipdrop.arena.statistics.means import Mean
from flipdrop.errors import PlayerError
from flipdrop.experiments.tasks import MatchTask, MeasureTask, Task, TaskContext
from flipdrop.players import player, send_history
from flipdrop.reporting.formatting import between, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.arena.model import GameTask
    from flipdrop.experiments.experiment import Results, Values
    from flipdrop.games import Position
    from flipdrop.players import Clock, SpecPlayer

_SPARE = 20  # times as many games as are timed, since games in which a side never has a choice are not counted
FAIR = 1.15
"""Times that differ by at most this factor count as equal; twice the time is a small gain in strength."""


TIME = "time / opponent's (95%)"
"""Head of a column of `ratio`."""


def timing(match: MatchTask, *, pairs: int = 2, estimate: float = 1.0) -> MeasureTask:
    """The task that measures the cost of a move for the two players of a match.

    :param pairs: pairs of games to time, on one thread
    """
    parameters = {
        "kind": "time of moves",
        "game": match.game,
        "first": match.first,
        "second": match.second,
        "pairs": pairs,
        "openings": match.settings["openings"],
    }
    return MeasureTask(
        key=timing_key(match.key),
        parameters=parameters,
        measure=_measured,
        estimate=estimate,
        depends_on=match.depends_on,
    )


def match_and_timing(match: MatchTask, *, pairs: int, estimate: float) -> list[Task]:
    """A match, and the task that measures the times of its moves."""
    return [match, timing(match, pairs=pairs, estimate=estimate)]


def timing_key(key: str) -> str:
    return f"time of {key}"


def _measured(task: MeasureTask, context: TaskContext) -> Values:
    parameters, needed = task.parameters, task.dependencies(context)
    first, second = (parameters[side].format(**needed, folder=context.folder) for side in ("first", "second"))
    games, openings = 2 * _SPARE * parameters["pairs"], parameters["openings"]
    match = Match(players=(first, second), game=parameters["game"], games=games, openings=openings, seed=context.seed)
    by_game = (_cost(game)[:: -1 if game.number % 2 else 1] for game in match.first_event.tasks())
    pairs = ((one, two) for one, two in zip(by_game, by_game, strict=True) if min(*one, *two) > 0)
    costs = np.array(list(itertools.islice(pairs, parameters["pairs"])))  # by pair, game and player
    logarithm = Mean.of(np.log(costs[:, :, 0] / costs[:, :, 1]).mean(axis=1))  # games of a pair are alike
    costs = costs.reshape(-1, 2)
    return {
        "first_ms": 1000 * float(costs[:, 0].mean()),
        "second_ms": 1000 * float(costs[:, 1].mean()),
        "ratio": math.exp(logarithm.value),
        "ratio_interval": [None if end is None else math.exp(end) for end in logarithm.to_json()],
        "timed_games": len(costs),
    }


@dataclass
class _TimedPlayer:
    """A player, and the processor time of its moves that were a choice."""

    player: SpecPlayer
    seconds: float = 0.0
    choices: int = 0

    @property
    def name(self) -> str:
        return self.player.name

    def set_history(self, start: Position, moves: Sequence[int]) -> None:
        send_history(self.player, start, moves)

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        began = thread_time()
        move = self.player.choose(position, clock)
        if len(position.legal_moves) > 1:
            self.seconds += thread_time() - began
            self.choices += 1
        return move


def _cost(task: GameTask) -> tuple[float, float]:
    """Mean processor seconds of each side for a move with a choice, in one game."""
    specs = zip((task.first, task.second), task.seeds, strict=True)
    players = [_TimedPlayer(player(spec, game=task.opening.game, seed=seed)) for spec, seed in specs]
    try:
        played = referee(task, players)
    finally:
        for timed in players:
            timed.player.close()
    if played.termination:
        raise PlayerError(played.termination)
    first, second = (timed.seconds / max(1, timed.choices) for timed in players)
    return first, second


def ratio(results: Results, key: str) -> str:
    """The first player's time divided by the second's: ``1.02 (0.98 to 1.06)``."""
    values = results[timing_key(key)]
    return f"{number(values['ratio'])} ({between(values['ratio_interval'])})"


def favours(results: Results, key: str) -> int:
    """1 if the first player had more time than `FAIR` allows, -1 if the second had, 0 if both had the same."""
    ratio = float(results[timing_key(key)]["ratio"])
    return (ratio > FAIR) - (ratio < 1 / FAIR)


def fair_interval(results: Results, key: str, interval: Sequence[float]) -> tuple[float, float]:
    """The score interval at equal time: without its lower end if the first player had more time, and vice versa."""
    favoured = favours(results, key)
    return 0.0 if favoured > 0 else interval[0], 1.0 if favoured < 0 else interval[1]


RULE_OF_TIME = f"A player who had more than {FAIR} times the other's time is not said to win"


def farthest(results: Results, keys: list[str]) -> float:
    """The ratio of times that is farthest from 1."""
    return max((float(results[timing_key(key)]["ratio"]) for key in keys), key=lambda one: abs(math.log(one)))
