"""Fitness against games that players outside the kernel play one by one."""

from __future__ import annotations

import itertools
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.arena.openings import random_plies
from flipdrop.evaluation import Evaluation
from flipdrop.evaluation.genetic_operators import Fitness, Population, Vector, random_vectors
from flipdrop.learning.genetic import Genome, genome
from flipdrop.learning.genetic.fitness import FitnessGames, compare_values, values_of
from flipdrop.search import Minimax
from flipdrop.workers import ThreadWorkers

if TYPE_CHECKING:
    from flipdrop.games import Position


def result(chosen: Genome, first: Vector, second: Vector, start: Position, depth: int) -> tuple[int, int]:
    """The result of a game for the side that moves first, and its margin in discs in Othello."""
    evaluations = [Evaluation(chosen.weights_of(vector)) for vector in (first, second)]
    position, turn = start, 0
    while not position.is_over:
        search = Minimax(algorithm="minimax", depth=depth, evaluation=evaluations[turn % 2])
        position = position.play(search.search(position).best)
        turn += 1
    sign = 1 if start.to_move == 0 else -1
    return sign * (position.result or 0), sign * (position.margin or 0)


def obvious(chosen: Genome, vectors: Population, start: Position, depth: int) -> tuple[Fitness, Fitness, Fitness]:
    """Points, wins minus losses, and discs of all vectors."""
    points, wins, discs = (np.zeros(len(vectors)) for _ in range(3))
    for first, second in itertools.permutations(range(len(vectors)), 2):
        outcome, margin = result(chosen, vectors[first], vectors[second], start, depth)
        for member, sign in ((first, 1), (second, -1)):
            points[member] += {1: 2, 0: 1, -1: 0}[sign * outcome]
            wins[member] += sign * outcome
            discs[member] += sign * margin
    return points, wins, discs


@pytest.mark.parametrize(
    ("name", "which", "depth", "plies"),
    [("othello6", "D", 2, 0), ("othello6", "Seven", 1, 7), ("connect4", "lines", 2, 5), ("othello4", "B", 1, 1)],
)
def test_round_robin_of_games(name: str, which: str, depth: int, plies: int) -> None:
    kind = game(name)
    chosen = genome(which, kind)
    vectors = random_vectors(chosen.signs, 5, np.random.default_rng(3))
    start = random_plies(kind.start(), plies, Random(2))[1]
    games = FitnessGames(chosen, depth, ThreadWorkers(2))
    results = games.round_robin(vectors, lambda *_: [start])
    points, wins, discs = obvious(chosen, vectors, start, depth)
    assert results.fitness("points").tolist() == points.tolist()
    assert results.fitness("wins").tolist() == wins.tolist()
    if which != "lines":
        assert results.fitness("discs").tolist() == discs.tolist()
    assert (games.played, games.reused) == (20, 0)


def test_cached_games() -> None:
    kind = game("othello6")
    chosen = genome("D", kind)
    vectors = random_vectors(chosen.signs, 6, np.random.default_rng(1))
    twins = np.vstack([vectors, vectors[:2]])
    start = [kind.start()]
    games = FitnessGames(chosen, 2, ThreadWorkers(2))
    games.round_robin(vectors, lambda *_: start)
    games.keep_only(vectors[:3])
    assert (games.played, len(games.cache)) == (30, 6)
    again = games.round_robin(twins, lambda *_: start)
    # New among six: all but those of the three. The twins' 26 games are known, but for each against its own twin:
    # that is one game, counted with both colours.
    assert (games.played, games.reused) == (30 + 24 + 2, 6 + 26 - 2)
    fresh = FitnessGames(chosen, 2, ThreadWorkers(1)).round_robin(twins, lambda *_: start)
    points, _, _ = obvious(chosen, twins, kind.start(), 2)
    assert again.fitness("points").tolist() == fresh.fitness("points").tolist() == points.tolist()


def test_several_starts() -> None:
    kind = game("othello6")
    chosen = genome("D", kind)
    vectors = random_vectors(chosen.signs, 3, np.random.default_rng(1))
    games = FitnessGames(chosen, 1, ThreadWorkers(1))
    lines = [random_plies(kind.start(), 4, Random(seed))[1] for seed in range(2)]
    results = games.round_robin(vectors, lambda *_: lines)
    assert games.played == 12
    assert results.games.tolist() == [[0, 4, 4], [4, 0, 4], [4, 4, 0]]
    for start in lines:
        games.round_robin(vectors, lambda *_, start=start: [start])
    assert games.played == 12


def test_members() -> None:
    kind = game("othello6")
    chosen = genome("D", kind)
    vectors = random_vectors(chosen.signs, 5, np.random.default_rng(5))
    games = FitnessGames(chosen, 1, ThreadWorkers(1))
    some = games.round_robin(vectors, lambda *_: [kind.start()], members=3)
    assert games.played == 20 - 2
    whole = games.round_robin(vectors, lambda *_: [kind.start()])
    assert (some.net == whole.net[:3]).all()
    assert (some.margin == whole.margin[:3]).all()


def test_cache_arrays() -> None:
    kind = game("othello4")
    chosen = genome("D", kind)
    games, other = FitnessGames(chosen, 1, ThreadWorkers(1)), FitnessGames(chosen, 1, ThreadWorkers(1))
    assert games.cache_arrays() == {}
    games.round_robin(random_vectors(chosen.signs, 4, np.random.default_rng(1)), lambda *_: [kind.start()])
    other.restore_cache(games.cache_arrays(), kind.start())
    assert other.cache == games.cache
    other.restore_cache({}, kind.start())
    assert other.cache == {}


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=12), st.data())
def test_compare_values(values: list[int], data: st.DataObject) -> None:
    """A point for the higher value; of equal ones for the later, as the printed programs count."""
    members = data.draw(st.integers(1, len(values)))
    points = [0.0] * members
    for one in range(members):
        for two in range(one + 1, members):
            points[one if values[one] > values[two] else two] += 1
        for competitor in values[members:]:
            points[one] += 1 if values[one] > competitor else 0.5 if values[one] == competitor else 0
    matrix = compare_values(np.array(values, dtype=float), members)
    assert matrix.fitness("value").tolist() == points
    assert matrix.fitness("points").tolist() == [2 * point for point in points]


def test_values_of() -> None:
    chosen = genome("Seven", game("othello"))
    vectors = random_vectors(chosen.signs, 4, np.random.default_rng(1))
    position = game("othello").position("f5d6c3d3c4f4")
    scores = [Evaluation(chosen.weights_of(vector)).score(position) for vector in vectors]
    assert values_of(chosen, vectors, position).tolist() == scores
