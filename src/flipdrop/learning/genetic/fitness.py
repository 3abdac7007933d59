"""Fitness: everybody meets everybody, in whole games or by what they think of a position.

Games are played inside the kernel, on all threads. The players there are searches to a depth, without chance and
without a clock, so a game follows from its two vectors and its start: what was played before need not be played again.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from flipdrop.evaluation import Evaluation
from flipdrop.games import Position, native
from flipdrop.kernel import NativePlayer, play_games
from flipdrop.search import Minimax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Fitness, Population

FitnessMeasure = Literal["points", "wins", "discs"]
"""What a game is worth: 2, 1 or 0 points for win, draw and loss; 1, 0 or -1; or its margin, in discs or in plies."""
FITNESS_MEASURES: tuple[FitnessMeasure, ...] = ("points", "wins", "discs")

GameKey: TypeAlias = tuple[bytes, bytes, Position]
"""A game: the vector that moves first, the one that moves second, and the start."""
Outcome: TypeAlias = tuple[int, int]
"""How a game ended for whoever moved first: 1, 0 or -1, and the margin."""

_HANDFUL = 8  # games that a thread takes at a time


@dataclass(frozen=True)
class ResultMatrix:
    """How each of a population (rows) did against everybody (columns), who need not all be of the population.

    :param net: wins minus losses
    :param margin: margins, added up
    :param games: how many games, or comparisons, each two had
    """

    net: NDArray[np.float64]
    margin: NDArray[np.float64]
    games: NDArray[np.float64]

    def fitness(self, measure: FitnessMeasure) -> Fitness:
        """What each row has earned."""
        # 2, 1 and 0 points are one more than 1, 0 and -1.
        by_measure = {"points": self.games + self.net, "wins": self.net, "discs": self.margin}
        earned: Fitness = by_measure[measure].sum(axis=1)
        return earned


def compared(values: Fitness, members: int) -> ResultMatrix:
    """ResultMatrix by value: of two, the one that thinks better of a position wins.

    :param values: of the population, and after it of those who only compete with it
    """
    margin = values[:members, None] - values[None, :]
    games = np.ones(margin.shape)
    np.fill_diagonal(games, 0.0)
    return ResultMatrix(np.sign(margin), margin, games)


def values_of(genome: Genome, vectors: Population, position: Position) -> Fitness:
    """What each vector thinks of a position, for the side to move."""
    return np.array([Evaluation(genome.weights_of(vector)).score(position) for vector in vectors])


class Games:
    """Plays vectors against each other.

    :param depth: how far they look ahead, by alpha-beta
    """

    def __init__(self, genome: Genome, depth: int, threads: int) -> None:
        self.genome = genome
        self.search = Minimax(algorithm="alphabeta", depth=depth)
        self.threads = threads
        self.played = 0
        self.reused = 0
        """How many games were not played, because they were played before."""
        self.known: dict[GameKey, Outcome] = {}
        """Games that need not be played again."""

    def forget_all_but(self, vectors: Population) -> None:
        """Keeps only games between these vectors."""
        names = {vector.tobytes() for vector in vectors}
        self.known = {key: outcome for key, outcome in self.known.items() if names.issuperset(key[:2])}

    def remembered(self) -> dict[str, NDArray[Any]]:
        """The known games as arrays, if all of them begin at the same start."""
        if not self.known:
            return {}
        firsts, seconds, _ = zip(*self.known, strict=True)
        vectors = np.frombuffer(b"".join(firsts + seconds)).reshape(2, len(firsts), -1)
        return {"known_vectors": vectors, "known_outcomes": np.array(list(self.known.values()))}

    def remember(self, arrays: Mapping[str, NDArray[Any]], start: Position) -> None:
        """Knows what `remembered` has told, and nothing else."""
        self.known.clear()
        if "known_vectors" in arrays:
            firsts, seconds = arrays["known_vectors"]
            for first, second, (result, margin) in zip(firsts, seconds, arrays["known_outcomes"], strict=True):
                self.known[first.tobytes(), second.tobytes(), start] = int(result), int(margin)

    def meet(
        self,
        vectors: Population,
        starts: Callable[[int, int], Sequence[Position]],
        *,
        members: int | None = None,
    ) -> ResultMatrix:
        """Everybody plays everybody, twice from each start, once with either colour.

        :param starts: where two of them begin, the lower row first; as many for all
        :param members: the size of the population; the rows after it play with it, but not with each other
        """
        members = len(vectors) if members is None else members
        names = [vector.tobytes() for vector in vectors]
        everybody = range(len(vectors))
        pairs = [
            (one, two, tuple(starts(one, two))) for one, two in itertools.combinations(everybody, 2) if one < members
        ]
        new: dict[GameKey, tuple[int, int]] = {}
        again = 0
        for one, two, begin in pairs:
            for first, second in ((one, two), (two, one)):
                for start in begin:
                    key = names[first], names[second], start
                    if key in self.known or key in new:
                        again += 1
                    else:
                        new[key] = first, second
        self.known |= self._play(vectors, new)
        self.played += len(new)
        self.reused += again
        net, margin, games = (np.zeros((len(vectors), len(vectors))) for _ in range(3))
        for one, two, begin in pairs:
            there = [self.known[names[one], names[two], start] for start in begin]
            back = [self.known[names[two], names[one], start] for start in begin]
            net[one, two] = sum(game[0] for game in there) - sum(game[0] for game in back)
            margin[one, two] = sum(game[1] for game in there) - sum(game[1] for game in back)
            games[one, two] = games[two, one] = len(there) + len(back)
        return ResultMatrix((net - net.T)[:members], (margin - margin.T)[:members], games[:members])

    def _player(self, vector: NDArray[np.float64]) -> NativePlayer:
        return NativePlayer.minimax(self.search.kernel_settings(), self.genome.weights_of(vector).kernel())

    def _play(self, vectors: Population, new: Mapping[GameKey, tuple[int, int]]) -> dict[GameKey, Outcome]:
        players = [self._player(vector) for vector in vectors]
        stopped = False

        def work(handful: Iterable[tuple[GameKey, tuple[int, int]]]) -> list[tuple[GameKey, Outcome]]:
            done = []
            for key, (first, second) in handful:
                if stopped:
                    break
                start: Any = native(key[2])
                ((_, result, margin),) = play_games([start], players[first], players[second], seeds=[(0, 0)])
                done.append((key, (result, margin)))
            return done

        items = list(new.items())
        with ThreadPoolExecutor(self.threads, thread_name_prefix="flipdrop-meeting") as pool:
            try:
                handfuls = [items[n : n + _HANDFUL] for n in range(0, len(items), _HANDFUL)]
                return dict(itertools.chain.from_iterable(pool.map(work, handfuls)))
            finally:  # Ctrl-C ends the threads after the games that they are playing
                stopped = True
