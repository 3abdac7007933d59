"""Ratings: reference values, tables solved by hand, unconnected players, and the coverage of the intervals."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from benchmarks.simulation import PairModel
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from flipdrop.arena.statistics import CrossTable, Games, elo_of_score, estimate_elo, rate, score_of_elo
from flipdrop.errors import ArenaError
from tests.arena.statistics.strategies import GOLDEN

NAMES = ("ann", "bob", "cem", "dee")
few_games = st.builds(Games, losses=st.integers(0, 2), draws=st.integers(0, 1), wins=st.integers(0, 2))
some_tables = st.dictionaries(st.sampled_from(list(permutations(NAMES, 2))), few_games, min_size=1, max_size=12)


def a_tournament() -> CrossTable:
    random = np.random.default_rng(1)
    table = CrossTable()
    for first, second in permutations(NAMES, 2):
        for half, count in enumerate(random.multinomial(40, [0.3, 0.2, 0.5])):
            table.add_game(first, second, half / 2, count=int(count))
    return table


def test_reference_values() -> None:
    known = GOLDEN["bradley_terry"]
    games = {}
    for players, (wins, draws, losses) in known["results"].items():
        first, second = players.split("-")
        games[first, second] = Games(wins=wins, draws=draws, losses=losses)
    ratings = rate(CrossTable.from_games(games))
    assert ratings.errors == "model"
    for name, elo in known["elo"].items():
        assert ratings[name].elo == pytest.approx(elo, abs=1e-6)
        assert ratings[name].error == pytest.approx(known["standard_error"][name], abs=1e-6)


def test_two_players() -> None:
    table = CrossTable.from_games({("ann", "bob"): Games(wins=50, draws=20, losses=30)})
    ratings = rate(table)
    difference = ratings.difference("ann", "bob")
    assert difference.elo == pytest.approx(elo_of_score(0.6))
    assert ratings["ann"].elo == pytest.approx(elo_of_score(0.6) / 2)
    assert difference.error == pytest.approx(400 / math.log(10) / math.sqrt(100 * 0.6 * 0.4))
    assert ratings["ann"].error == pytest.approx(difference.error / 2)
    assert [rating.name for rating in ratings.players] == ["ann", "bob"]
    assert ratings["bob"].games == 100
    assert ratings["bob"].score == pytest.approx(0.4)


def test_advantage_of_moving_first() -> None:
    table = CrossTable.from_games(
        {("ann", "bob"): Games(wins=80, losses=20), ("bob", "ann"): Games(wins=60, losses=40)}
    )
    ratings = rate(table, advantage=True)
    by_ann, by_bob = elo_of_score(0.8), elo_of_score(0.6)
    assert ratings.advantage is not None
    assert ratings.advantage.elo == pytest.approx((by_ann + by_bob) / 2)
    assert ratings.difference("ann", "bob").elo == pytest.approx((by_ann - by_bob) / 2)
    # Each is half the difference, or the sum, of two independent numbers.
    errors = [400 / math.log(10) / math.sqrt(100 * p * (1 - p)) for p in (0.8, 0.6)]
    assert ratings.advantage.error == pytest.approx(math.hypot(*errors) / 2)
    assert rate(table).advantage is None


def test_expected_scores() -> None:
    table = a_tournament()
    for advantage in (False, True):
        ratings = rate(table, advantage=advantage)
        bonus = 0.0 if ratings.advantage is None else ratings.advantage.elo
        assert sum(rating.elo for rating in ratings.players) == pytest.approx(0, abs=1e-9)
        for rating in ratings.players:
            expected = 0.0
            for other in ratings.players:
                if other.name != rating.name:
                    expected += 40 * score_of_elo(rating.elo - other.elo + bonus)
                    expected += 40 * score_of_elo(rating.elo - other.elo - bonus)
            assert expected == pytest.approx(rating.score * rating.games, abs=1e-6)


def test_anchor() -> None:
    table = a_tournament()
    free, anchored = rate(table), rate(table, anchors={"bob": 1500})
    for name in NAMES:
        assert anchored[name].elo - 1500 == pytest.approx(free[name].elo - free["bob"].elo, abs=1e-6)
        assert anchored[name].error == pytest.approx(free.difference(name, "bob").error, abs=1e-6)
    assert anchored["bob"].interval == (1500, 1500)
    for one, other in combinations(NAMES, 2):
        assert anchored.difference(one, other).error == pytest.approx(free.difference(one, other).error, abs=1e-6)


def test_several_anchors() -> None:
    ratings = rate(a_tournament(), anchors={"ann": 0, "bob": 300})
    assert (ratings["ann"].elo, ratings["bob"].elo) == pytest.approx((0, 300))
    assert ratings["cem"].error > 0


def tells_colours_from_strength(table: CrossTable) -> bool:
    """Whether no strengths can stand in for the advantage: no assignment makes first - second the same in all games."""
    design = [
        [1] + [(name == first) - (name == second) for name in table.players[1:]]
        for first, second in table.pairwise_games()
    ]
    return int(np.linalg.matrix_rank(design)) == len(table.players)


@pytest.mark.slow
@given(some_tables, st.booleans())
@settings(max_examples=150)
def test_any_table(games: dict[tuple[str, str], Games], advantage: bool) -> None:
    table = CrossTable.from_games(games)
    if not table.pairwise_games() or len(table.groups()) > 1:
        with pytest.raises(ArenaError, match="no game"):
            rate(table, advantage=advantage)
        return
    if advantage and not tells_colours_from_strength(table):
        with pytest.raises(ArenaError, match="both colours"):
            rate(table, advantage=True)
        return
    ratings = rate(table, advantage=advantage)
    for rating in ratings.players:
        assert math.isfinite(rating.elo)
        assert 0 < rating.error < 2000
        low, high = rating.interval
        assert low < rating.elo < high
        assert (high == math.inf) == (rating.bound == "at least")
        assert (low == -math.inf) == (rating.bound == "at most")


@pytest.mark.slow
@given(some_tables)
@settings(max_examples=150)
def test_when_ratings_diverge(
    games: dict[tuple[str, str], Games],
) -> None:
    """That is: the graph of who took points from whom is strongly connected."""
    table = CrossTable.from_games(games)
    assume(len(table.pairwise_games()) > 0)
    assume(len(table.groups()) == 1)
    gained = np.zeros((4, 4))
    for (first, second), results in table.pairwise_games().items():
        i, j = NAMES.index(first), NAMES.index(second)
        gained[i, j] += results.score > 0
        gained[j, i] += results.score < 1
    present = [NAMES.index(name) for name in table.players]
    parts, part = connected_components(gained[np.ix_(present, present)], connection="strong")
    ratings = rate(table)
    assert (ratings.virtual_draws == 0) == (parts == 1)
    part_of = dict(zip(table.players, part, strict=True))
    for one, other in combinations(table.players, 2):
        # Two that can be told apart without end are so marked, and no others; those in between may be either.
        if part_of[one] == part_of[other]:
            assert ratings.difference(one, other).bound == ""
    if parts == len(table.players) == 2:
        assert {rating.bound for rating in ratings.players} == {"at least", "at most"}


def test_bounds() -> None:
    table = a_tournament()
    table.add_game("max", "ann", 1, count=10)
    table.add_game("bob", "max", 0, count=10)
    table.add_game("cem", "min", 1, count=10)
    ratings = rate(table)
    assert ratings.virtual_draws == 1
    assert {rating.name: rating.bound for rating in ratings.players if rating.bound} == {
        "max": "at least",
        "min": "at most",
    }
    assert ratings.players[0].name == "max"
    assert ratings.players[0].interval[1] == math.inf
    assert ratings.players[-1].interval[0] == -math.inf
    assert ratings.difference("max", "min").interval[1] == math.inf
    assert ratings.difference("ann", "max").bound == "at most"
    # The others are told apart as before, but for one drawn game each.
    assert ratings.difference("ann", "cem").elo == pytest.approx(
        rate(a_tournament()).difference("ann", "cem").elo, abs=5
    )


def test_first_mover_always_wins() -> None:
    table = CrossTable()
    table.add_pair("ann", "bob", as_first=1, as_second=0, count=20)
    ratings = rate(table, advantage=True)
    assert ratings.advantage is not None
    assert ratings.advantage.bound == "at least"
    assert ratings.advantage.interval[1] == math.inf
    assert ratings.difference("ann", "bob").elo == pytest.approx(0, abs=1e-6)
    assert ratings.difference("ann", "bob").bound == ""


def test_equal_pairs() -> None:
    table = CrossTable()
    table.add_pair("ann", "bob", as_first=1, as_second=0, count=10)
    difference = rate(table).difference("ann", "bob")
    assert rate(table).errors == "pairs"
    high = estimate_elo(table.pairs("ann", "bob")).elo_interval[1]
    assert 0.5 * high < difference.interval[1] < high


def test_errors_by_pairs() -> None:
    """The spread of the pairs, mixed with that of the model as if four more pairs had shown it."""
    table = CrossTable()
    for as_first, as_second, count in ((1, 0, 60), (1, 1, 25), (0, 0, 15)):
        table.add_pair("ann", "bob", as_first=as_first, as_second=as_second, count=count)
    score, n = 0.55, 100
    seen = (60 * (1 - 2 * score) ** 2 + 25 * (2 - 2 * score) ** 2 + 15 * (2 * score) ** 2) / n
    model = 2 * score * (1 - score)
    spread = (n * seen + 4 * model) / (n + 4) * n / (n - 1)
    error = math.sqrt(n * spread) / (2 * n * score * (1 - score)) * 400 / math.log(10)
    assert rate(table, errors="pairs").difference("ann", "bob").error == pytest.approx(error)
    # These pairs are steadier than independent games, so the model overstates the error.
    assert rate(table, errors="model").difference("ann", "bob").error > 1.1 * error


def test_symmetry() -> None:
    random = np.random.default_rng(4)
    one, other = CrossTable(), CrossTable()
    for a, b in combinations(NAMES, 2):
        for _ in range(12):
            x, y = random.integers(0, 3, size=2) / 2
            one.add_pair(a, b, as_first=x, as_second=y)
            other.add_pair(b, a, as_first=1 - y, as_second=1 - x)
    first, second = rate(one, advantage=True), rate(other, advantage=True)
    assert first.advantage is not None
    assert second.advantage is not None
    assert first.advantage.error == pytest.approx(second.advantage.error)
    for name in NAMES:
        assert first[name].elo == pytest.approx(second[name].elo, abs=1e-6)
        assert first[name].error == pytest.approx(second[name].error, abs=1e-6)


def simulated(model_of: dict[tuple[str, str], PairModel], pairs: int, random: np.random.Generator) -> CrossTable:
    table = CrossTable()
    for (one, other), model in model_of.items():
        drawn = random.multinomial(pairs, model.joint().ravel()).reshape(3, 3)
        for first, second in np.argwhere(drawn):
            count = int(drawn[first, second])
            table.add_pair(one, other, as_first=first / 2, as_second=second / 2, count=count)
    return table


@pytest.mark.slow
@pytest.mark.parametrize("kind", [{}, {"opening_bias": 400.0}, {"draw_margin": 300.0}, {"opening_taste": 250.0}])
def test_coverage(kind: dict[str, float]) -> None:
    truth = {"ann": 150.0, "bob": 50.0, "cem": -200.0}
    models = {(a, b): PairModel(truth[a] - truth[b], **kind) for a, b in combinations(truth, 2)}
    random = np.random.default_rng(12)
    covered = {"pairs": 0, "model": 0}
    tournaments = 150
    for _ in range(tournaments):
        table = simulated(models, 25, random)
        ratings = rate(table, errors="pairs")
        naive = rate(table, errors="model")
        for one, other in combinations(truth, 2):
            for name, found in (("pairs", ratings), ("model", naive)):
                low, high = found.difference(one, other).interval
                covered[name] += low <= truth[one] - truth[other] <= high
    share = covered["pairs"] / (3 * tournaments)
    assert 0.91 < share < 0.99
    if "opening_taste" in kind:  # pairs that go the same way: the model takes twice the evidence for granted
        assert covered["model"] < covered["pairs"]
    if "draw_margin" in kind:
        assert covered["model"] / (3 * tournaments) > 0.985  # wider than need be


def test_unconnected_groups() -> None:
    table = CrossTable.from_games(
        {("ann", "bob"): Games(wins=5, losses=5), ("cem", "dee"): Games(wins=5, draws=2, losses=5)}
    )
    with pytest.raises(ArenaError, match="2 groups of players with no game between them") as caught:
        rate(table)
    assert "ann, bob; cem, dee" in str(caught.value)
    with pytest.raises(ArenaError, match="2 groups"):
        rate(table, anchors={"ann": 0})
    ratings = rate(table, anchors={"ann": 0, "dee": 1000})
    assert ratings["bob"].elo == pytest.approx(0, abs=1e-6)
    assert ratings["cem"].elo == pytest.approx(1000, abs=1e-6)


def test_invalid_arguments() -> None:
    table = CrossTable.from_games({("ann", "bob"): Games(wins=5, losses=5)})
    with pytest.raises(ArenaError, match="no games in the table"):
        rate(CrossTable())
    with pytest.raises(ArenaError, match="anchor 'zoe' is not among the players: ann, bob"):
        rate(table, anchors={"zoe": 0})
    with pytest.raises(ArenaError, match="anchor 'ann' at nan"):
        rate(table, anchors={"ann": math.nan})
    with pytest.raises(ArenaError, match="it takes players that meet with both colours"):
        rate(table, advantage=True)
    with pytest.raises(ArenaError, match="errors='bootstrap'; they can rest on model, pairs"):
        rate(table, errors="bootstrap")  # type: ignore[arg-type]
    with pytest.raises(ArenaError, match="level=2"):
        rate(table, level=2)
    with pytest.raises(ArenaError, match="no player 'zoe'; there are ann, bob"):
        rate(table)["zoe"]


def test_text() -> None:
    text = str(rate(CrossTable.from_games({("ann", "bob"): Games(wins=50, draws=20, losses=30)})))
    assert text.splitlines()[1].split() == ["ann", "+35.2", "17.7", "+0.5", "+70.0", "100", "60.0%"]
