"""Counts of games and pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.statistics import Games, Pairs, Tally
from flipdrop.errors import ArenaError
from tests.arena.statistics.strategies import scores, some_results

unfinished = st.one_of(st.none(), scores)
some_matches = st.lists(st.tuples(unfinished, unfinished), max_size=30)


def test_scores_of_pairs() -> None:
    for worth, name in enumerate(("ll", "ld", "even", "dw", "ww")):
        pair = Pairs(**{name: 1})
        assert pair.score == worth / 4
        assert (pair.total, pair.games) == (1, 2)


@given(some_results)
def test_reversed(results: Games | Pairs) -> None:
    assert results.reversed.score == pytest.approx(1 - results.score)
    assert results.reversed.reversed == results
    assert type(results).from_counts(results.counts) == results == eval(repr(results))


@given(some_matches)
def test_tally(match: list[tuple[float | None, float | None]]) -> None:
    tally = Tally.from_scores(match)
    finished = [score for pair in match for score in pair if score is not None]
    assert tally.games == Games(wins=finished.count(1), draws=finished.count(0.5), losses=finished.count(0))
    complete = [first + second for first, second in match if first is not None and second is not None]
    assert tally.pairs.counts == tuple(complete.count(points) for points in (0, 0.5, 1, 1.5, 2))


@given(some_matches, some_matches)
def test_sum_of_tallies(
    one: list[tuple[float | None, float | None]], more: list[tuple[float | None, float | None]]
) -> None:
    assert Tally.from_scores(one) + Tally.from_scores(more) == Tally.from_scores(one + more)


def test_unpaired_games() -> None:
    tally = Tally.from_scores([(1, 1), (None, 1), (0, None), (None, None)])
    assert tally.pairs == Pairs(ww=1)
    assert tally.games == Games(wins=3, losses=1)


def test_invalid_arguments() -> None:
    with pytest.raises(ArenaError, match=r"ww=-1 results; a count is a whole number from 0 up"):
        Pairs(ww=-1)
    with pytest.raises(ArenaError, match=r"wins=0\.5 results"):
        Games(wins=0.5)  # type: ignore[arg-type]
    with pytest.raises(ArenaError, match=r"\[1, 2\]: 2 counts; there are 3: losses, draws, wins"):
        Games.from_counts([1, 2])
    with pytest.raises(ArenaError, match=r"a game worth 2; a loss is 0, a draw 0\.5, a win 1"):
        Tally.from_scores([(2, 0)])
