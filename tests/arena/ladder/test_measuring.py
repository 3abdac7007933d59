"""Measuring a ladder: pairings of neighbours, repeatability, and resuming."""

from __future__ import annotations

import pytest

from flipdrop.arena.ladder import LadderPlan, measure
from flipdrop.arena.ladder.measuring import APART
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError, PlayerError

SPECS = ("random", "mcts:iterations=4", "greedy", "mcts:iterations=30", "alphabeta:depth=3", "mcts:iterations=200")
PLAN = LadderPlan("othello6", SPECS, "random:4", seed=3, pairs=12)


@pytest.mark.slow
def test_measure() -> None:
    with Store(None) as store:
        rounds = list(measure(PLAN, store, threads=2, command="the command"))
        again = list(measure(PLAN, store, threads=2, command="the command"))
        from_store = list(
            measure(LadderPlan("othello6", SPECS, "random:4", 3, 12, seconds=0), store, command="the command")
        )
    assert [made.games for made in rounds] == [2 * pairs * len(PLAN.links) for pairs in (5, 10, 12)]
    last = rounds[-1]
    assert again[-1] == from_store[-1] == last
    assert last.entries[0].spec == "random"
    assert last.entries[0].rating == 0
    assert {entry.spec for entry in last.entries} == set(SPECS)
    assert last.entries[-1].spec in ("mcts:iterations=200", "alphabeta:depth=3")
    assert all(link.one < link.two for link in last.links)
    assert (last.command, last.seed, last.openings) == ("the command", 3, "random:4")


@pytest.mark.slow
def test_other_opponents_reuse_links() -> None:
    with Store(None) as store:
        *_, _ = measure(PLAN, store, threads=2)
        before = {stored.event.identity: stored.games for stored in store.events()}
        changed = LadderPlan("othello6", ("random", "mcts:iterations=7", *SPECS[2:]), "random:4", seed=3, pairs=12)
        *_, made = measure(changed, store, threads=2)
        after = {stored.event.identity: stored.games for stored in store.events()}
    assert all(after[identity] == games for identity, games in before.items())
    new = [identity for identity in after if identity not in before]
    assert new
    assert all("mcts:iterations=7" in identity for identity in new)
    assert made.games == 24 * len(changed.links)


@pytest.mark.slow
def test_extended_ladder() -> None:
    with Store(None) as store:
        *_, known = measure(PLAN, store, threads=2)
    with Store(None) as store:
        specs = ("mcts:iterations=7", *reversed(SPECS[1:]), "random")
        wider = LadderPlan("othello6", specs, "random:4", seed=4, pairs=5)
        *_, made = measure(wider, store, threads=2, known=known)
        played = [stored.event.players for stored in store.events()]
    assert played
    assert all("mcts:iterations=7" in players for players in played)
    assert made.games == known.games + 10 * len(played)
    results = {(made.entries[link.one].spec, made.entries[link.two].spec): link.pairs for link in made.links}
    for link in known.links:
        one, two = known.entries[link.one].spec, known.entries[link.two].spec
        assert results.get((one, two)) == link.pairs or results[two, one] == link.pairs.reversed
    with Store(None) as store, pytest.raises(ArenaError, match="openings random:4; it cannot be extended by games of"):
        next(measure(LadderPlan("othello6", SPECS, "random:8", 3, 5), store, known=known))


def test_links() -> None:
    plan = LadderPlan("othello6", tuple(map(str, range(50))), "random:4", seed=1, pairs=1)
    assert len(set(plan.links)) == len(plan.links) == sum(50 - apart for apart in APART)
    assert {two - one for one, two in plan.links} == set(APART)
    seeds = {plan.event(*link, 1).seed for link in plan.links}
    assert len(seeds) == len(plan.links)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"specs": ("random",)}, "a ladder of 1 opponents"), ({"pairs": 0}, "0 pairs of games for each link")],
)
def test_invalid_plans(options: dict[str, object], message: str) -> None:
    with pytest.raises(ArenaError, match=message):
        LadderPlan(**{"game": "othello6", "specs": SPECS, "openings": "random:4", "seed": 1, "pairs": 1} | options)  # type: ignore[arg-type]


def test_unknown_opponent() -> None:
    with Store(None) as store:
        with pytest.raises(PlayerError, match="gredy"):
            next(measure(LadderPlan("othello6", ("random", "gredy"), "random:4", 1, 1), store))
        assert list(store.events()) == []
