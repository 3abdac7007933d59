"""Fitness of vectors by a round robin: of games, or of comparisons by their values of a position.

Games are played inside the kernel, many at once. The players are fixed-depth searches without randomness, so the two
vectors and the start determine a game, and results are cached.
"""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from flipdrop.arena.quick_match import native_games
from flipdrop.evaluation import Evaluation
from flipdrop.games import Position
from flipdrop.kernel import NativePlayer
from flipdrop.search import Minimax

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from flipdrop.evaluation.genetic_operators import Fitness, Population
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.workers import Workers

FitnessMeasure = Literal["points", "wins", "discs"]
"""Points of a game: 2, 1 and 0 for win, draw and loss; 1, 0 and -1; or its margin, in discs or in plies."""
FITNESS_MEASURES: tuple[FitnessMeasure, ...] = ("points", "wins", "discs")
PositionFitness = Literal["value", "points", "wins", "discs"]
"""On a single position: 1 and 0 points for the higher and the lower value of it, or points of games from it."""
POSITION_FITNESSES: tuple[PositionFitness, ...] = ("value", *FITNESS_MEASURES)

GameKey: TypeAlias = tuple[bytes, bytes, Position]
"""A game: the vector that moves first, the one that moves second, and the start."""
Outcome: TypeAlias = tuple[int, int]
"""The result of a game for the vector that moved first, 1, 0 or -1, and its margin."""

_BATCH = 8  # games that a worker takes at a time


@dataclass(frozen=True)
class ResultMatrix:
    """Results of a population (rows) against all vectors (columns), which may include others.

    :param net: wins minus losses
    :param margin: margins, added up
    :param games: number of games or comparisons of each pair
    """

    net: NDArray[np.float64]
    margin: NDArray[np.float64]
    games: NDArray[np.float64]

    def fitness(self, measure: PositionFitness) -> Fitness:
        points = self.games + self.net  # 2, 1 and 0 are one more than 1, 0 and -1
        by_measure = {"value": points / 2, "points": points, "wins": self.net, "discs": self.margin}
        earned: Fitness = by_measure[measure].sum(axis=1)
        return earned


def compare_values(values: Fitness, members: int) -> ResultMatrix:
    """Comparisons by value: of two vectors, the one with the higher value of a position wins.

    Of equal members of the population the later one wins; one that equals a competitor draws.

    :param values: of the population, followed by those of competitors
    """
    margin = values[:members, None] - values[None, :]
    later = np.tri(members, len(values), k=-1)
    later[:, :members] -= later[:, :members].T
    games = np.ones(margin.shape)
    np.fill_diagonal(games, 0.0)
    return ResultMatrix(np.where(margin == 0, later, np.sign(margin)), margin, games)


def values_of(genome: Genome, vectors: Population, position: Position) -> Fitness:
    """Each vector's value of a position for the side to move."""
    return np.array([Evaluation(genome.weights_of(vector)).score(position) for vector in vectors])


class FitnessGames:
    """Games between vectors, with a cache of results.

    :param depth: search depth of alpha-beta
    :param check: called after each batch of games; an exception that it raises ends the round robin
    """

    def __init__(
        self, genome: Genome, depth: int, workers: Workers, *, check: Callable[[], object] = lambda: None
    ) -> None:
        self.genome = genome
        self.search = Minimax(algorithm="alphabeta", depth=depth)
        self.workers = workers
        self.played = 0
        self.reused = 0
        self.cache: dict[GameKey, Outcome] = {}
        self._check = check

    def keep_only(self, vectors: Population) -> None:
        """Drops cached games with other vectors."""
        names = {vector.tobytes() for vector in vectors}
        self.cache = {key: outcome for key, outcome in self.cache.items() if names.issuperset(key[:2])}

    def cache_arrays(self) -> dict[str, NDArray[Any]]:
        """The cache as arrays, if all games have the same start."""
        if not self.cache:
            return {}
        firsts, seconds, _ = zip(*self.cache, strict=True)
        vectors = np.frombuffer(b"".join(firsts + seconds)).reshape(2, len(firsts), -1)
        return {"known_vectors": vectors, "known_outcomes": np.array(list(self.cache.values()))}

    def restore_cache(self, arrays: Mapping[str, NDArray[Any]], start: Position) -> None:
        self.cache.clear()
        if "known_vectors" in arrays:
            firsts, seconds = arrays["known_vectors"]
            for first, second, (result, margin) in zip(firsts, seconds, arrays["known_outcomes"], strict=True):
                self.cache[first.tobytes(), second.tobytes(), start] = int(result), int(margin)

    def round_robin(
        self,
        vectors: Population,
        starts: Callable[[int, int], Sequence[Position]],
        *,
        members: int | None = None,
    ) -> ResultMatrix:
        """Each two vectors play twice from each start, once with either colour.

        :param starts: the start positions of two rows, the lower row first; the same number for all
        :param members: the size of the population; later rows play against it, but not with each other
        """
        members = len(vectors) if members is None else members
        names = [vector.tobytes() for vector in vectors]
        pairs = [
            (one, two, tuple(starts(one, two)))
            for one, two in itertools.combinations(range(len(vectors)), 2)
            if one < members
        ]
        new: dict[GameKey, None] = {}  # in order
        reused = 0
        for one, two, openings in pairs:
            for first, second in ((one, two), (two, one)):
                for start in openings:
                    key = names[first], names[second], start
                    if key in self.cache or key in new:
                        reused += 1
                    else:
                        new[key] = None
        self.cache |= self._play(list(new))
        self.played += len(new)
        self.reused += reused
        net, margin, games = (np.zeros((len(vectors), len(vectors))) for _ in range(3))
        for one, two, openings in pairs:
            as_first = [self.cache[names[one], names[two], start] for start in openings]
            as_second = [self.cache[names[two], names[one], start] for start in openings]
            net[one, two] = sum(game[0] for game in as_first) - sum(game[0] for game in as_second)
            margin[one, two] = sum(game[1] for game in as_first) - sum(game[1] for game in as_second)
            games[one, two] = games[two, one] = len(as_first) + len(as_second)
        return ResultMatrix((net - net.T)[:members], (margin - margin.T)[:members], games[:members])

    def _play(self, keys: Sequence[GameKey]) -> dict[GameKey, Outcome]:
        size = _BATCH * self.workers.tasks_a_chunk
        batches = [keys[first : first + size] for first in range(0, len(keys), size)]
        played: dict[GameKey, Outcome] = {}
        with closing(self.workers.map(play_batch, (self.genome, self.search), batches)) as results:
            for batch, outcomes in results:
                played |= dict(zip(batch, outcomes, strict=True))
                self._check()
        return played


def play_batch(shared: tuple[Genome, Minimax], games: Sequence[GameKey]) -> list[Outcome]:
    """Plays games between vectors of a genome."""
    genome, search = shared
    players: dict[bytes, NativePlayer] = {}

    def player(vector: bytes) -> NativePlayer:
        if vector not in players:
            weights = genome.weights_of(np.frombuffer(vector))
            players[vector] = NativePlayer.minimax(search.kernel_settings(), weights.kernel())
        return players[vector]

    outcomes = []
    for first, second, start in games:
        ((_, result, margin),) = native_games([start], player(first), player(second), seeds=[(0, 0)])
        outcomes.append((result, margin))
    return outcomes
