"""Placing one player among rated ones: by hand, at the extremes, and whether the interval is true."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.arena.statistics import (
    CrossTable,
    Games,
    Opponent,
    PairModel,
    Pairs,
    elo_of_score,
    estimate_elo,
    place,
    rate,
    score_of_elo,
)
from flipdrop.errors import ArenaError
from tests.arena.statistics.strategies import some_results

some_opponents = st.lists(
    st.builds(
        Opponent,
        name=st.just("someone"),
        rating=st.floats(-2000, 2000),
        results=some_results,
        error=st.one_of(st.just(0.0), st.floats(0, 300)),
    ),
    min_size=1,
    max_size=5,
)


def test_one_opponent_by_hand() -> None:
    placement = place([Opponent("rival", 1000, Games(losses=300, draws=200, wins=500))])
    assert placement.elo == pytest.approx(1000 + elo_of_score(0.6))
    seen = (300 * 0.36 + 200 * 0.01 + 500 * 0.16) / 1000
    dispersion = (1000 * seen / 0.24 + 4) / 1004
    assert placement.dispersion == pytest.approx(dispersion)
    assert placement.error == pytest.approx(400 / math.log(10) * math.sqrt(dispersion / (1000 * 0.24)))
    low, high = estimate_elo(Games(losses=300, draws=200, wins=500)).elo_interval
    assert placement.interval == pytest.approx((1000 + low, 1000 + high), abs=0.5)
    assert (placement.games, placement.score) == (1000, 0.6)


def test_the_expected_points_are_those_scored() -> None:
    opponents = [
        Opponent("weak", 0, Pairs(even=3, dw=2, ww=15)),
        Opponent("middle", 400, Pairs(ll=6, even=10, ww=4)),
        Opponent("strong", 900, Games(losses=9, wins=1)),
    ]
    for advantage in (0.0, 150.0):
        elo = place(opponents, advantage=advantage).elo
        expected = 0.0
        for opponent in opponents:
            for edge in (advantage, -advantage):
                expected += opponent.results.games * score_of_elo(elo - opponent.rating + edge) / 2
        assert expected == pytest.approx(sum(o.results.score * o.results.games for o in opponents), abs=1e-6)


def test_as_in_a_table_with_the_opponents_as_anchors() -> None:
    games = {"weak": Games(losses=5, draws=3, wins=22), "strong": Games(losses=20, draws=4, wins=6)}
    ratings = {"weak": 100.0, "strong": 700.0}
    table = CrossTable.from_games({("new", name): results for name, results in games.items()})
    expected = rate(table, anchors=ratings, errors="games")["new"]
    found = place([Opponent(name, ratings[name], results) for name, results in games.items()])
    assert found.elo == pytest.approx(expected.elo, abs=1e-5)
    assert found.error == pytest.approx(expected.error, rel=0.02)  # that one allows for what it fitted


def test_uncertain_opponents_make_an_uncertain_rating() -> None:
    many = Pairs(ll=20_000, ld=10_000, even=40_000, dw=10_000, ww=20_000)
    for error in (10.0, 60.0, 300.0):
        placement = place([Opponent("rival", 500, many, error=error)])
        assert placement.error == pytest.approx(error, rel=0.01)
        assert placement.interval == pytest.approx((500 - 1.96 * error, 500 + 1.96 * error), abs=0.03 * error)
    four = place([Opponent(name, 500, many, error=60) for name in "abcd"])
    assert four.error == pytest.approx(30, rel=0.01)


def test_all_won_or_lost() -> None:
    won = place([Opponent("weak", 0, Pairs(ww=20)), Opponent("rival", 300, Pairs(ww=20), error=30)])
    assert won.elo == won.error == won.interval[1] == math.inf
    assert 400 < won.interval[0] < 900
    lost = place([Opponent("strong", 800, Games(losses=20))])
    assert lost.elo == lost.interval[0] == -math.inf
    assert 300 < lost.interval[1] < 700
    # As honest as the interval of a match, which assumes nothing about pairs.
    assert place([Opponent("weak", 0, Pairs(ww=20))]).interval[0] < estimate_elo(Pairs(ww=20)).elo_interval[0] + 10


def test_little_or_nothing_played() -> None:
    nothing = place([Opponent("a", 100, Pairs()), Opponent("b", 300, Pairs())])
    assert nothing.elo == pytest.approx(200)
    assert (nothing.games, nothing.interval) == (0, (-math.inf, math.inf))
    assert place([Opponent("a", 100, Pairs(dw=1))]).interval == (-math.inf, math.inf)


@given(some_opponents, st.sampled_from([0.0, 200.0, -50.0]))
@settings(max_examples=150)
def test_whatever_the_results(opponents: list[Opponent], advantage: float) -> None:
    placement = place(opponents, advantage=advantage)
    low, high = placement.interval
    assert low <= placement.elo <= high
    assert placement.error > 0
    json.dumps(placement.to_json(), allow_nan=False)
    mirrored = place([Opponent(o.name, -o.rating, o.results.reversed, o.error) for o in opponents], advantage=advantage)
    assert mirrored.elo == pytest.approx(-placement.elo, abs=1e-3)
    assert mirrored.interval == pytest.approx((-high, -low), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [{}, {"opening_bias": 400.0}, {"draw_margin": 300.0}, {"opening_taste": 250.0}])
@pytest.mark.parametrize(
    ("truth", "pairs", "error"), [(400, 10, 0.0), (100, 10, 40.0), (900, 4, 40.0), (1400, 10, 0.0)]
)
def test_intervals_cover_the_truth(kind: dict[str, float], truth: float, pairs: int, error: float) -> None:
    ladder = (0, 200, 400, 600, 800)
    chances = [PairModel(truth - rating, **kind).probabilities() for rating in ladder]
    random = np.random.default_rng(3)
    hits, climbs = 0, 200
    for _ in range(climbs):
        opponents = [
            Opponent(
                str(rating),
                rating + error * random.standard_normal(),
                Pairs.from_counts(random.multinomial(pairs, chance).tolist()),
                error,
            )
            for rating, chance in zip(ladder, chances, strict=True)
        ]
        low, high = place(opponents).interval
        hits += low <= truth <= high
    assert hits / climbs > 0.95 - 2.5 * math.sqrt(0.95 * 0.05 / climbs)


def test_errors_quote_what_was_wrong() -> None:
    with pytest.raises(ArenaError, match="no opponents"):
        place([])
    with pytest.raises(ArenaError, match="rating=inf of 'a'; it has to be a finite number"):
        Opponent("a", math.inf, Pairs())
    with pytest.raises(ArenaError, match="error=-1 of 'a'"):
        Opponent("a", 0, Pairs(), error=-1)
    with pytest.raises(ArenaError, match="advantage=nan"):
        place([Opponent("a", 0, Pairs(ww=1))], advantage=math.nan)
    with pytest.raises(ArenaError, match="level=1"):
        place([Opponent("a", 0, Pairs(ww=1))], level=1)
