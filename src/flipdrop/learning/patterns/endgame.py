"""Learning the network that orders the moves of Othello's exact solver: it predicts the final score, in discs.

It starts as the package's network for Othello and learns from that network's games, with random moves among them, since
a solver visits all kinds of moves. With few empty squares left both sides play perfectly, and scores are exact. Earlier
positions are labelled by a shallow search with the network so far: a search ends in positions that the network knows
better than the position it starts from, so accuracy spreads backwards from the end of the game.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flipdrop.arena.openings import random_plies
from flipdrop.arena.pairs import native_games
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import Evaluation, Networks, PatternModel
from flipdrop.evaluation.patterns import shipped_networks
from flipdrop.games import OthelloGame
from flipdrop.kernel import OthelloPosition, OthelloSolver, Side, SolveRequest, sample_cells
from flipdrop.learning.learner import State
from flipdrop.learning.patterns.fitting import PatternNetworkLearner
from flipdrop.learning.replay_buffer import ReplayBuffer
from flipdrop.options import check_options, option
from flipdrop.players.basic import GreedyPlayer
from flipdrop.players.native import native_player
from flipdrop.search import Minimax
from flipdrop.search.values import in_discs

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from flipdrop.games import Game

_DISCS = 22.0  # discs per unit of the package's network for Othello, measured on exact scores
_STAGES = (0, 46, 50, 54)  # discs: the solver uses the network with 44 to 54 on the board
_RANDOM_START = 0.5  # share of endgames that start with a random move
_CELLS = 64
_TABLE = 4  # MB, of the solvers that label positions
_GAMES_IN_TASK = 16
_LETTERS = np.frombuffer(b"-XO", dtype=np.uint8)  # codes of `sample_cells`: empty, side to move, opponent


@dataclass(frozen=True, kw_only=True)
class EndgameSettings:
    """Settings of the endgame learner."""

    epsilon: float = option(0.1, "share of random moves", minimum=0, maximum=1)
    opening: int = option(16, "most random moves at the start of a game", minimum=0, maximum=40)
    fewest: int = option(10, "fewest empty squares of a position to learn from", minimum=1, maximum=40)
    solved: int = option(14, "most empty squares of a position labelled by the solver", minimum=0, maximum=24)
    searched: int = option(25, "most empty squares of a position labelled by a shallow search", minimum=1, maximum=50)
    plies: int = option(4, "depth of the shallow search", minimum=1, maximum=12)
    rate: float = option(0.3, "initial learning rate", above=0, maximum=1000)
    passes: float = option(3.0, "mean number of times that a position is learned from", minimum=1, maximum=1000)
    window: int = option(1_000_000, "newest positions to learn from again", minimum=1)
    batch: int = option(500, "games per step", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)
        if not self.fewest <= max(self.solved, self.searched):
            raise LearningError(
                f"fewest={self.fewest}, solved={self.solved}, searched={self.searched}: no position can be learned from"
            )


class _Example(NamedTuple):
    """A labelled position.

    :param value: for the side to move, in discs
    :param prediction: the network's, before it has learned from the position
    """

    position: Any
    empties: int
    value: float
    prediction: float


class EndgameLearner(PatternNetworkLearner):
    """Learns the solver's move-ordering network on 8x8, starting from the package's network for Othello.

    Threads play, solve and search; one thread fits. So the same seed gives the same network after the same number of
    games, whatever the number of threads.
    """

    name = "endgame"

    def __init__(self, game: Game, *, seed: int, threads: int = 1, **settings: Any) -> None:
        if game != OthelloGame():
            raise LearningError(f"endgame: the solver uses a network on Othello 8x8 only, not in {game.title}")
        self.options = EndgameSettings(**settings)
        initial = next(model for model in shipped_networks().models if model.game == game)
        super().__init__(game, initial.patterns, _STAGES, seed=seed, threads=threads, weights=_first_weights(initial))
        evaluation = Evaluation(Networks("package", (initial,)))
        player = native_player(GreedyPlayer(evaluation=evaluation, epsilon=self.options.epsilon), game)
        assert player is not None
        self._player = player.player
        self._buffer = ReplayBuffer(self.options.window)

    @property
    def status(self) -> str:
        return f"{len(self._buffer):,} positions"

    def step(self) -> dict[str, float]:
        """Plays a batch of games and learns from them. The errors are root mean squares in discs, on these games
        before they are learned from."""
        examples = self._examples()
        self._learn(examples)
        self.games += self.options.batch
        return self._errors(examples)

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.pattern`` file with 16-bit weights: the solver rounds to hundredths of a disc anyway."""
        self.model().write(path, compact=True)

    def state(self) -> State:
        return State({}, super().state().arrays | self._buffer.arrays())

    def restore(self, state: State) -> None:
        super().restore(state)
        self._buffer.restore(state.arrays)

    def _examples(self) -> list[_Example]:
        """Positions of new games with their values."""
        evaluation = self.evaluation()
        numbers = range(self.games, self.games + self.options.batch)
        tasks = [numbers[first : first + _GAMES_IN_TASK] for first in range(0, len(numbers), _GAMES_IN_TASK)]
        with ThreadPoolExecutor(self._threads) as pool:
            parts = pool.map(lambda task: self._label(task, evaluation), tasks)
            return [example for part in parts for example in part]

    def _start(self, random: Random) -> Any:
        """A position after random moves in which the game is not over."""
        plies = random.randint(0, self.options.opening)
        while True:
            _, position = random_plies(self.game.start(), plies, random)
            if not position.is_over:
                return position

    def _label(self, numbers: range, evaluation: Evaluation) -> list[_Example]:
        """Plays games and takes examples from them. From `solved` empty squares on, perfect play replaces the moves of
        the game, in half of the games after a random move; a second perfect line starts with a random move off the
        first.

        :param numbers: of the games
        """
        options = self.options
        starts = [self._start(Random(derive_seed(self.seed, "opening", number))) for number in numbers]
        seeds = [[derive_seed(self.seed, side, number) for side in ("first", "second")] for number in numbers]
        games = native_games(starts, self._player, self._player, seeds=seeds)
        solver = OthelloSolver(_TABLE)  # a new one: its choice among equal lines depends on the table's contents
        shallow = Minimax(algorithm="alphabeta", depth=options.plies, evaluation=evaluation)
        examples: list[_Example] = []
        for number, position, (moves, _, _) in zip(numbers, starts, games, strict=True):
            random = Random(derive_seed(self.seed, "endgame", number))
            for move in moves:
                empties = _empties(position)
                if empties <= options.solved:
                    break
                if move != position.pass_move and options.fewest <= empties <= options.searched:
                    value = _in_discs(shallow.search(position).value)
                    examples.append(_Example(position, empties, value, _in_discs(evaluation.score(position))))
                is_random = empties == options.solved + 1 and random.random() < _RANDOM_START
                position = position.play(random.choice(position.legal_moves) if is_random else move)
            best = self._best_play(position, solver, evaluation)
            examples += best
            if best:
                position = random.choice(best).position
                position = position.play(random.choice(position.legal_moves))
                examples += self._best_play(position, solver, evaluation)
        return examples

    def _best_play(self, position: Any, solver: OthelloSolver, evaluation: Evaluation) -> list[_Example]:
        """The positions of perfect play by both sides, with their exact scores."""
        examples: list[_Example] = []
        if position.is_over or _empties(position) > self.options.solved:
            return examples
        solution = solver.solve(position, SolveRequest())
        score = float(solution.lower)
        for move in solution.line:
            empties = _empties(position)
            if empties < self.options.fewest:
                break
            if move != position.pass_move:
                examples.append(_Example(position, empties, score, _in_discs(evaluation.score(position))))
            position, score = position.play(move), -score
        return examples

    def _learn(self, examples: list[_Example]) -> None:
        """Fits the network to the new examples and, against forgetting, to a sample of older ones."""
        random = np.random.default_rng(derive_seed(self.seed, "fit", self.games))
        values = np.array([example.value for example in examples], dtype=np.float32)
        columns = pack_positions([example.position for example in examples], self.game.rows)
        self._buffer.add(**columns, values=values)
        known = len(self._buffer)
        new = min(known, len(examples))
        again = random.integers(known, size=round((self.options.passes - 1) * new)) if known else np.empty(0, np.int64)
        rows = np.concatenate([np.arange(known - new, known), again])
        random.shuffle(rows)
        drawn = self._buffer.rows(rows)
        self._fit(unpack_positions(drawn, self.game.rows), drawn["values"], rate=self.options.rate)

    def _errors(self, examples: list[_Example]) -> dict[str, float]:
        options = self.options
        halfway = (max(options.solved, options.fewest) + options.searched) // 2
        errors = {}
        for low, high in (
            (options.fewest, options.solved),
            (max(options.solved + 1, options.fewest), halfway),
            (halfway + 1, options.searched),
        ):
            squared = [(e.prediction - e.value) ** 2 for e in examples if low <= e.empties <= high]
            if squared:
                span = f"{low} to {high}" if low < high else f"{low}"
                errors[f"error with {span} empty squares"] = float(np.sqrt(np.mean(squared)))
        return errors


def _empties(position: OthelloPosition) -> int:
    return _CELLS - sum(position.discs)


def _first_weights(initial: PatternModel) -> NDArray[np.float32]:
    """The package's network in discs. The first stage takes the weights of positions just before the second."""
    stages = initial.weights.reshape(len(initial.stages), -1)
    discs = (_STAGES[1] - 1, *_STAGES[1:])
    return np.float32(_DISCS) * np.concatenate(
        [stages[np.searchsorted(initial.stages, at, side="right") - 1] for at in discs]
    )


def _in_discs(value: float) -> float:
    """A value of a search or of the network as a final score."""
    return max(-float(_CELLS), min(float(_CELLS), in_discs(value)))


def pack_positions(positions: Sequence[OthelloPosition], size: int) -> dict[str, NDArray[Any]]:
    """The columns ``own`` and ``other``, seen by the side to move.

    :param size: rows and columns of the board
    """
    cells = np.array([sample_cells(position) for position in positions]).reshape(-1, size * size)
    return {"own": np.packbits(cells == 1, axis=1), "other": np.packbits(cells == 2, axis=1)}


def unpack_positions(columns: Mapping[str, NDArray[Any]], size: int) -> list[OthelloPosition]:
    """The positions with colours normalised: the first side is to move. Values for the side to move stay valid."""
    count = size * size
    own, other = (np.unpackbits(columns[name], axis=1, count=count) for name in ("own", "other"))
    text = _LETTERS[own + 2 * other].tobytes().decode()
    return [OthelloPosition(size, text[i : i + count], Side.FIRST) for i in range(0, len(text), count)]
