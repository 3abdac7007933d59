"""Ladder placements of players whose strength is known."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.ladder import Ladder, LadderEntry, LadderPlacement, PlacementResult, published_ladder
from flipdrop.arena.model import FinishedGame, GameTask
from flipdrop.arena.running import runner_for
from flipdrop.arena.statistics import Games, Tally
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

SPECS = ("random", *(f"mcts:iterations={i}" for i in range(1, 30)))
RUNGS = tuple(LadderEntry(spec, 50.0 * i, (50.0 * i - 10, 50.0 * i + 10), 100) for i, spec in enumerate(SPECS))
MADE_UP = Ladder("othello4", RUNGS, (), "random:2", 1, "0", "made up")
AGENT = "greedy"


class Dice:
    """Plays no games, but lets chance decide them as the ratings say."""

    def __init__(self, strength: float, seed: int = 0, draws: float = 0.0) -> None:
        self.strength = strength
        self.draws = draws
        self.random = random.Random(seed)
        self.ratings = {entry.spec: entry.rating for entry in RUNGS} | {AGENT: strength}
        self.met: list[str] = []

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        for task in tasks:
            self.met += [spec for spec in (task.first, task.second) if spec != AGENT]
            edge = self.ratings[task.first] - self.ratings[task.second]
            chance = 1 / (1 + 10 ** (-edge / 400))
            result = 1 if self.random.random() < chance else -1
            if self.random.random() < self.draws:
                result = 0
            yield [FinishedGame(task, tuple(task.opening.moves), result, result)]


@pytest.fixture(autouse=True)
def _games_of_dice_are_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdrop.arena.run_event.replayed", lambda game: game)


def placed(runner: Dice, *, games: int = 20, opponents: int = 12, seed: int = 1) -> PlacementResult:
    with Store(None) as store:
        of = LadderPlacement(player=AGENT, ladder=MADE_UP, games=games, opponents=opponents, seed=seed)
        return of.run(store, runner)


@pytest.mark.slow
def test_coverage_of_intervals() -> None:
    strengths = [1450 * i / 39 for i in range(40)]
    results = [placed(Dice(strength, seed), games=8) for seed, strength in enumerate(strengths)]
    errors = [result.rating - strength for result, strength in zip(results, strengths, strict=True)]
    inside = sum(low <= strength <= high for (low, high), strength in zip(_intervals(results), strengths, strict=True))
    assert inside >= 33  # 38 are expected; fewer than 33 happen in one of 2,000 cases if the intervals are right
    assert abs(sum(errors)) / 40 < 25


def _intervals(results: list[PlacementResult]) -> list[tuple[float, float]]:
    return [result.interval for result in results]


def test_opponents_near_the_rating() -> None:
    runner = Dice(300.0, 3)
    result = placed(runner)
    near = [spec for spec in runner.met if abs(runner.ratings[spec] - 300) <= 400]
    assert len(near) > 0.85 * len(runner.met)
    assert len(runner.met) == result.games.total == 8 + 8 + 12 * 20


def test_result() -> None:
    result = placed(Dice(700.0, 1, draws=0.2))
    assert result.place == MADE_UP.place(result.rating) + 1
    assert result.below is not None
    assert result.above is not None
    assert result.below.rating <= result.rating <= result.above.rating
    assert sum((met.games for met in result.met), Games()) == result.games
    places = [met.place for met in result.met]
    assert places == sorted(set(places))
    for met in result.met:
        assert met.entry == RUNGS[met.place - 1]
        assert met.expected == pytest.approx(1 / (1 + 10 ** ((met.entry.rating - result.rating) / 400)))
    weakest, best = result.surprises(-1), result.surprises(1)
    assert all(met.z_score < 0 for met in weakest)
    assert all(met.z_score > 0 for met in best)
    assert weakest[0].z_score == min(met.z_score for met in result.met)
    assert best[0].z_score == max(met.z_score for met in result.met)
    data = result.to_json()
    assert data["rating"] == result.rating
    assert len(data["met"]) == len(result.met)


@pytest.mark.parametrize(("strength", "place"), [(9000.0, 31), (-9000.0, 1)])
def test_players_beyond_the_ladder(strength: float, place: int) -> None:
    result = placed(Dice(strength))
    assert result.place == place
    assert math.inf in (result.interval[1], -result.interval[0])
    assert (result.above is None) == (place == 31)
    assert (result.below is None) == (place == 1)
    assert None in result.to_json()["rating_interval"]


def test_reproducible_and_resumable() -> None:
    real = published_ladder("othello")

    placement = LadderPlacement(player="greedy:evaluation=D", ladder=real, games=4, opponents=3, seed=7)
    runner = runner_for(["greedy:evaluation=D"], threads=2)
    with Store(None) as store:
        once = placement.run(store, runner)
        events = [(stored.event, stored.games) for stored in store.events()]
        again = placement.run(store, Stopped())  # everything is in the store: nothing is left to play
    assert _comparable(again) == _comparable(once)
    assert all(LadderPlacement.seed_of(event) == 7 for event, _ in events)
    assert sum(games for _, games in events) == once.games.total
    with Store(None) as store:
        with pytest.raises(KeyboardInterrupt):
            placement.run(store, Stopped(after=11))
        assert sum(stored.games for stored in store.events()) == 11
        assert _comparable(placement.run(store, runner)) == _comparable(once)


class Stopped:
    """Plays a few games, then raises KeyboardInterrupt."""

    def __init__(self, after: int = 0) -> None:
        self.left = after

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        for task in tasks:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            yield from runner_for([task.first, task.second], threads=1).run([task])


def test_player_of_the_ladder() -> None:
    spec = MADE_UP.entries[15].spec
    placement = LadderPlacement(player=f"{spec},seed=0", ladder=MADE_UP, games=2, opponents=40, seed=1)
    assert 15 not in placement.available
    assert len(placement.neighbourhood({})) == 29


def test_estimate() -> None:
    placement = LadderPlacement(player=AGENT, ladder=MADE_UP, games=2, opponents=3, seed=1)
    middle = MADE_UP.entries[15].rating
    assert placement.estimate({}) == pytest.approx(middle, abs=1e-3)
    tallies = {15: Tally(games=Games(wins=3, losses=1))}
    assert placement.estimate(tallies) == pytest.approx(middle + 400 * math.log10(2), abs=1e-3)
    assert placement.neighbourhood(tallies) == [16, 17, 18]  # 870 Elo: 850 is nearest, then 900 and 800 on either side


@pytest.mark.parametrize(
    ("options", "message"),
    [({"games": 3}, "3 games against each opponent"), ({"opponents": 0}, "0 opponents"), ({"games": 0}, "0 games")],
)
def test_invalid_settings(options: dict[str, int], message: str) -> None:
    with pytest.raises(ArenaError, match=message):
        LadderPlacement(player=AGENT, ladder=MADE_UP, **{"games": 2, "opponents": 3, "seed": 1} | options)  # type: ignore[arg-type]


def _comparable(result: PlacementResult) -> dict[str, object]:
    return {name: value for name, value in result.to_json().items() if name != "seconds"}
