"""Results of matches, and the pair at which a sequential test is decided."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.competition import from_json
from flipdrop.arena.match import Match, SprtMonitor, match_result
from flipdrop.arena.run_event import EventProgress, run_event
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.arena.statistics import Pairs, Sprt, estimate_elo
from flipdrop.arena.store import GameResult, Store
from tests.arena.events import event


def _progress(outcomes: list[int], **options: int) -> EventProgress:
    """A match whose games have ended for the first of its players as given; None for one that is not over."""
    of = event("random", "greedy", pairs=len(outcomes) // 2, **options)
    results = {}
    for number, outcome in enumerate(outcomes):
        result = outcome if number % 2 == 0 else -outcome
        results[number] = GameResult(number, result, 4 * result, "")
    return EventProgress(of, results)


def test_match_result() -> None:
    found = match_result(_progress([1, 1, 1, 0, 0, 0, -1, 1, -1, 0, -1, -1]))
    assert (found.tally.games.wins, found.tally.games.draws, found.tally.games.losses) == (4, 4, 4)
    assert found.tally.pairs == Pairs(ll=1, ld=1, even=2, dw=1, ww=1)
    assert found.elo == estimate_elo(Pairs(ll=1, ld=1, even=2, dw=1, ww=1))
    assert found.margin == 0
    assert match_result(_progress([1, 1])).margin == 4


def test_unpaired_games() -> None:
    state = _progress([1, 1, 1, -1])
    del state.results[3]
    found = match_result(state)
    assert found.tally.games.total == 3
    assert found.tally.pairs.total == 1


def test_terminations() -> None:
    state = _progress([-1, -1, 1, 1])
    state.results[0] = GameResult(0, -1, -16, "A did something")
    state.results[3] = GameResult(3, -1, -16, "B did something")
    found = match_result(state)
    assert found.forfeits == (1, 1)
    assert found.terminations == ("A did something", "B did something")


@pytest.mark.timing
def test_cost_of_a_result() -> None:
    state = _progress([1, 1, 0, -1])
    planned = EventProgress(replace(state.event, pairs=10**7), state.results)
    began = time.process_time()
    assert match_result(planned).tally == match_result(state).tally
    assert time.process_time() - began < 1


@given(st.dictionaries(st.integers(0, 40), st.sampled_from((-1, 0, 1))), st.none() | st.integers(0, 9))
def test_result_of_each_pairing(outcomes: dict[int, int], pairs: int | None) -> None:
    of = event("random", "greedy", "level:1", pairs=6)  # three pairings: numbers from 36 on are of a longer event
    state = EventProgress(
        of, {number: GameResult(number, result, 2 * result, "") for number, result in outcomes.items()}
    )
    for pairing in range(3):
        own = [
            (number, result if number % 2 == 0 else -result)
            for number, result in outcomes.items()
            if number // 2 % 3 == pairing and number // 6 < min(6, 6 if pairs is None else pairs)
        ]
        found = match_result(state, pairing=pairing, pairs=pairs)
        games = found.tally.games
        assert (games.wins, games.draws, games.losses) == tuple(
            sum(result == kind for _, result in own) for kind in (1, 0, -1)
        )
        numbers = {number for number, _ in own}
        assert found.tally.pairs.total == sum(number % 2 == 0 and number + 1 in numbers for number in numbers)
        assert found.by_side[1].total == sum(number % 2 for number in numbers)


def test_json() -> None:
    with Store(None) as store:
        plan = Match(players=("random", "greedy"), game="othello4", games=6, sprt=Sprt(0, 50), seed=1)
        found = plan.run(store, ThreadRunner(1)).to_json()
    assert json.loads(json.dumps(found)) == found
    needed = {"games", "wins", "draws", "losses", "score", "elo", "elo_interval", "los", "llr", "seconds", "seed"}
    assert needed <= set(found)
    assert found["games"] == found["wins"] + found["draws"] + found["losses"]


@pytest.mark.slow
def test_sprt_ignores_the_order_of_games() -> None:
    source = random.Random(4)
    sprt = Sprt(0, 60)
    decided = set()
    for trial in range(20):
        outcomes = [source.choices((1, 0, -1), (5, 2, 3))[0] for _ in range(800)]
        whole = _progress(outcomes)
        expected = SprtMonitor(sprt)
        pair_by_pair = next(
            (n for n in range(1, 401) if sprt.test(match_result(whole, pairs=n).tally.pairs).decision != "continue"),
            None,
        )
        assert expected.decided(whole) == (pair_by_pair is not None)
        assert expected.decided_at_pair == pair_by_pair
        decided.add(pair_by_pair)

        state, monitor = EventProgress(whole.event), SprtMonitor(sprt)
        shuffled = sorted(whole.results, key=lambda number: number + source.randrange(40))
        for number in shuffled:
            state.results[number] = whole.results[number]
            if monitor.decided(state):
                break
        assert monitor.decided_at_pair == pair_by_pair, trial
    assert len(decided) > 5


def test_sprt_stops_and_resumes() -> None:
    plan = Match(
        players=("greedy", "random"), games=4000, game="othello6", openings="random:4", seed=1, sprt=Sprt(0, 200)
    )
    assert from_json(json.loads(json.dumps(plan.to_json()))) == plan
    results = []
    with Store(None) as store:
        for threads in (1, 3, 1):
            found = plan.run(store, ThreadRunner(threads))
            results.append((found.tally.pairs, found.sprt))
            assert found.sprt is not None
            assert found.sprt.decision != "continue"
            assert found.tally.games.total < plan.games
        played = store.results(store.event_id_for(plan.first_event))
        assert len(played) < plan.games
    with Store(None) as store:
        found = plan.run(store, ThreadRunner(2))
        results.append((found.tally.pairs, found.sprt))
    assert len(set(results)) == 1


def test_progress_and_interruption() -> None:
    seen = []

    def progress(state: EventProgress) -> None:
        seen.append(len(state.results))
        if len(seen) == 3:
            raise KeyboardInterrupt

    of = event("random", "greedy", pairs=200)
    with Store(None) as store:
        with pytest.raises(KeyboardInterrupt):
            run_event(of, store, ThreadRunner(2), progress=progress)
        assert len(store.results(store.event_id_for(of))) == seen[-1]
        assert len(run_event(of, store, ThreadRunner(2)).results) == of.games
