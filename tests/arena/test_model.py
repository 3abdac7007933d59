"""Events: the seed determines players, openings and sides of every game."""

from __future__ import annotations

import json

import pytest

from flipdrop.arena.model import Event, TimeControl, gauntlet, round_robin
from flipdrop.errors import ArenaError
from tests.arena.events import event


def test_pairs() -> None:
    tasks = list(event("random", "greedy", "level:2", pairs=4).tasks())
    assert len(tasks) == 2 * 4 * 3
    for one, two in zip(tasks[::2], tasks[1::2], strict=True):
        assert (one.first, one.second) == (two.second, two.first)
        assert one.opening == two.opening
        assert one.seed != two.seed
    assert [task.number for task in tasks] == list(range(24))


def test_seeds() -> None:
    tasks = list(event("random", "greedy", "level:2", pairs=20).tasks())
    seeds = [seed for task in tasks for seed in task.seeds]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_longer_event() -> None:
    short, long = (event("random", "greedy", pairs=pairs, openings="random:4") for pairs in (3, 9))
    assert list(short.tasks()) == list(long.tasks())[: short.games]
    assert short.identity == long.identity
    assert short.identity != event("random", "greedy", seed=2, openings="random:4").identity


def test_order_of_pairings() -> None:
    three = event("random", "greedy", "level:2", pairs=2)
    assert [three.pairing_of(number) for number in range(three.games)] == [0, 0, 1, 1, 2, 2] * 2
    for task in three.tasks():
        one, two = three.pairings[three.pairing_of(task.number)]
        assert {task.first, task.second} == {three.players[one], three.players[two]}


def test_pairings() -> None:
    assert round_robin(3) == ((0, 1), (0, 2), (1, 2))
    assert gauntlet(4) == ((0, 1), (0, 2), (0, 3))
    assert gauntlet(4, 2) == ((0, 2), (0, 3), (1, 2), (1, 3))


def test_json_round_trip() -> None:
    for time in (None, TimeControl(total=5, increment=0.25), TimeControl(move=0.5)):
        one = event("random", "greedy", time=time)
        assert Event.from_json(json.loads(json.dumps(one.to_json()))) == one


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (("random",), {}, "no pairings"),
        (("random", "random"), {}, "takes part twice"),
        (("random", "greedy"), {"pairs": 0}, "pairs"),
    ],
)
def test_invalid_events(players: tuple[str, ...], options: dict[str, int], message: str) -> None:
    with pytest.raises(ArenaError, match=message):
        event(*players, **options)


@pytest.mark.parametrize(
    ("text", "expected"), [("60", (60, 0, None)), ("3+0.5", (3, 0.5, None)), ("2/move", (None, 0, 2))]
)
def test_time_control(text: str, expected: tuple[float | None, float, float | None]) -> None:
    time = TimeControl.parse(text)
    assert (time.total, time.increment, time.move) == expected
    assert TimeControl.parse(str(time)) == time


@pytest.mark.parametrize("text", ["", "x", "-1", "nan", "1+", "inf", "1+x", "/move", "1+2+3"])
def test_invalid_time_controls(text: str) -> None:
    if text == "1+":
        assert TimeControl.parse(text) == TimeControl(total=1)
        return
    with pytest.raises(ArenaError, match="write seconds"):
        TimeControl.parse(text)
