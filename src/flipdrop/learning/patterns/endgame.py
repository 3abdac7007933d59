"""What orders the moves of Othello's exact solver: a pattern network that guesses the final score, in discs.

It begins as the package's network for Othello, and learns from games of that network, which knows all stages of the
game, with random moves among them, for a solver meets all kinds of moves. With few empty squares left both sides play
their best, and scores are exact. Before that positions are worth what a look some plies ahead finds with the network so
far: looks end where it knows better than where they begin, so the truth moves back from the end of the game.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flipdrop.arena.openings import random_plies
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError, OptionError
from flipdrop.evaluation import Evaluation, Networks, PatternModel
from flipdrop.evaluation.patterns import shipped_networks
from flipdrop.games import OthelloGame, native
from flipdrop.kernel import OthelloSolver, SolveRequest, play_games
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.patterns.fitting import fit, network_arrays, restore_network
from flipdrop.learning.patterns.memory import Memory
from flipdrop.options import check_options, option
from flipdrop.players.basic import GreedyPlayer
from flipdrop.players.native import native_player
from flipdrop.search import Minimax
from flipdrop.search.report import WIN

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.kernel import OthelloPosition

_DISCS = 22.0  # what a sum of 1 of the package's network for Othello is worth, by exact scores
_STAGES = (0, 46, 50, 54)  # discs: the solver asks with 44 to 54 on the board
_STRAYING = 0.5  # share of endgames that begin with a random move
_CELLS = 64
_TABLE = 4  # MB, of the solvers that tell the truth
_GAMES_IN_TASK = 16


@dataclass(frozen=True, kw_only=True)
class EndgameSettings:
    """What decides how a judge of endgames learns."""

    epsilon: float = option(0.1, "share of random moves", minimum=0, maximum=1)
    opening: int = option(16, "games begin with up to so many random moves", minimum=0, maximum=40)
    fewest: int = option(10, "positions with fewer empty squares are left out", minimum=1, maximum=40)
    solved: int = option(14, "with up to so many empty squares positions are solved", minimum=0, maximum=24)
    looked: int = option(25, "with up to so many they are valued by a look ahead", minimum=1, maximum=50)
    plies: int = option(4, "how far such a look goes", minimum=1, maximum=12)
    rate: float = option(0.3, "how far a value moves towards its target at first", above=0, maximum=1000)
    passes: float = option(3.0, "how often a position is learned from, about", minimum=1, maximum=1000)
    window: int = option(1_000_000, "positions that can be learned from again", minimum=1)
    batch: int = option(500, "games in a step", minimum=1)

    def __post_init__(self) -> None:
        try:
            check_options(self)
        except OptionError as error:
            raise LearningError(str(error)) from None
        if not self.fewest <= max(self.solved, self.looked):
            raise LearningError(
                f"fewest={self.fewest}, solved={self.solved}, looked={self.looked}: there is nothing to learn from"
            )


class _Played(NamedTuple):
    """A game."""

    number: int
    start: Any
    moves: list[int]


class _Example(NamedTuple):
    """A position that can be learned from.

    :param value: what it is worth to the side to move, in discs
    :param guess: what the network thought, before it has learned from it
    """

    position: Any
    empties: int
    value: float
    guess: float


class EndgameLearner(Learner):
    """Learns the judge of the endgame solver on 8x8, beginning with the package's network for Othello.

    Threads play, solve and look; the fit is one thread's. So the same seed gives the same network after the same number
    of games, whatever the number of threads.
    """

    name = "endgame"

    def __init__(self, game: Game, *, seed: int, threads: int = 1, **settings: Any) -> None:
        if game != OthelloGame():
            raise LearningError(f"endgame: the solver asks a network on Othello 8x8 alone, not in {game.title}")
        self.game, self.seed, self.games = game, seed, 0
        self._threads = threads
        self._chosen = EndgameSettings(**settings)
        begin = next(model for model in shipped_networks().models if model.game == game)
        self._patterns = begin.patterns
        epsilon = self._chosen.epsilon
        player = native_player(
            GreedyPlayer(evaluation=Evaluation(Networks("package", (begin,))), epsilon=epsilon), game
        )
        assert player is not None
        self._player = player.player
        self._network = PatternModel(game, begin.patterns, _STAGES, _first_weights(begin)).network()
        self._memory = Memory(game.rows, self._chosen.window)

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it learns."""
        return asdict(self._chosen)

    @property
    def status(self) -> str:
        """How much there is to learn from."""
        return f"{len(self._memory):,} positions"

    def step(self) -> dict[str, float]:
        """Plays a batch of games and learns from them. The errors are root mean squares, in discs, on these games
        before anything is learned from them."""
        examples = self._examples()
        self._learn(examples)
        self.games += self._chosen.batch
        return self._errors(examples)

    def model(self) -> PatternModel:
        """The network as it is now."""
        made = {"learner": self.name, "settings": self.settings, "seed": self.seed, "games": self.games}
        return PatternModel(self.game, self._patterns, _STAGES, self._network.weights, made=made)

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.pattern`` file, with weights of 16 bits: the solver rounds to hundredths of a disc anyway."""
        self.model().write(path, compact=True)

    def state(self) -> State:
        """The network, and the positions that it may learn from again."""
        return State({}, network_arrays(self._network) | self._memory.arrays())

    def restore(self, state: State) -> None:
        """Goes on from there."""
        restore_network(self._network, state.arrays)
        self._memory.restore(state.arrays)

    def _examples(self) -> list[_Example]:
        """StateSpace of new games, and their values."""
        evaluation = Evaluation(Networks("learning", (self.model(),)))
        games = self._play()
        tasks = [games[first : first + _GAMES_IN_TASK] for first in range(0, len(games), _GAMES_IN_TASK)]
        with ThreadPoolExecutor(self._threads) as pool:
            parts = pool.map(lambda task: self._valued(task, evaluation), tasks)
            return [example for part in parts for example in part]

    def _play(self) -> list[_Played]:
        """The games of a step."""
        numbers = range(self.games, self.games + self._chosen.batch)
        starts = [self._start(Random(derive_seed(self.seed, "opening", number))) for number in numbers]
        seeds = [
            (derive_seed(self.seed, "first", number), derive_seed(self.seed, "second", number)) for number in numbers
        ]
        games = play_games(starts, self._player, self._player, seeds=seeds, threads=self._threads)
        return [
            _Played(number, start, moves) for number, start, (moves, _, _) in zip(numbers, starts, games, strict=True)
        ]

    def _start(self, random: Random) -> Any:
        """A position after random moves, at which the game is not over."""
        plies = random.randint(0, self._chosen.opening)
        while True:
            _, position = random_plies(self.game.start(), plies, random)
            if not position.is_over:
                return native(position)

    def _valued(self, games: list[_Played], evaluation: Evaluation) -> list[_Example]:
        """What can be learned from some games. Their last moves are not theirs: from `solved` empty squares on both
        sides play their best, but for a random move before that in every other game, and one after it on the side.
        """
        chosen = self._chosen
        solver = OthelloSolver(_TABLE)  # a new one: which of several best lines it finds depends on what it has seen
        look = Minimax(algorithm="alphabeta", depth=chosen.plies, evaluation=evaluation)
        examples: list[_Example] = []
        for game in games:
            random = Random(derive_seed(self.seed, "endgame", game.number))
            position = game.start
            for move in game.moves:
                empties = _empties(position)
                if empties <= chosen.solved:
                    break
                if move != position.pass_move and chosen.fewest <= empties <= chosen.looked:
                    value = _in_discs(look.search(position).value)
                    examples.append(_Example(position, empties, value, _in_discs(evaluation.score(position))))
                strays = empties == chosen.solved + 1 and random.random() < _STRAYING
                position = position.play(random.choice(position.legal_moves) if strays else move)
            best = self._best_play(position, solver, evaluation)
            examples += best
            if best:
                position = random.choice(best).position
                position = position.play(random.choice(position.legal_moves))
                examples += self._best_play(position, solver, evaluation)
        return examples

    def _best_play(self, position: Any, solver: OthelloSolver, evaluation: Evaluation) -> list[_Example]:
        """The positions of best play by both sides, with their exact scores."""
        examples: list[_Example] = []
        if position.is_over or _empties(position) > self._chosen.solved:
            return examples
        solution = solver.solve(position, SolveRequest())
        score = float(solution.lower)
        for move in solution.line:
            empties = _empties(position)
            if empties < self._chosen.fewest:
                break
            if move != position.pass_move:
                examples.append(_Example(position, empties, score, _in_discs(evaluation.score(position))))
            position, score = position.play(move), -score
        return examples

    def _learn(self, examples: list[_Example]) -> None:
        """Fits the network to what is new and, so that it is not forgotten, to some of what is older."""
        random = np.random.default_rng(derive_seed(self.seed, "fit", self.games))
        values = np.array([example.value for example in examples], dtype=np.float32)
        self._memory.add([example.position for example in examples], values)
        known = len(self._memory)
        new = min(known, len(examples))
        again = random.integers(known, size=round((self._chosen.passes - 1) * new)) if known else np.empty(0, np.int64)
        rows = np.concatenate([np.arange(known - new, known), again])
        random.shuffle(rows)
        fit(self._network, *self._memory.take(rows), rate=self._chosen.rate)

    def _errors(self, examples: list[_Example]) -> dict[str, float]:
        """By the number of empty squares."""
        chosen = self._chosen
        halfway = (max(chosen.solved, chosen.fewest) + chosen.looked) // 2
        errors = {}
        for low, high in (
            (chosen.fewest, chosen.solved),
            (max(chosen.solved + 1, chosen.fewest), halfway),
            (halfway + 1, chosen.looked),
        ):
            squared = [(e.guess - e.value) ** 2 for e in examples if low <= e.empties <= high]
            if squared:
                span = f"{low} to {high}" if low < high else f"{low}"
                errors[f"error with {span} empty squares"] = float(np.sqrt(np.mean(squared)))
        return errors


def _empties(position: OthelloPosition) -> int:
    return _CELLS - sum(position.discs)


def _first_weights(begin: PatternModel) -> NDArray[np.float32]:
    """What the package's network knows, in discs. The first stage is that of the positions just before the second."""
    stages = begin.weights.reshape(len(begin.stages), -1)
    discs = (_STAGES[1] - 1, *_STAGES[1:])
    return np.float32(_DISCS) * np.concatenate(
        [stages[np.searchsorted(begin.stages, at, side="right") - 1] for at in discs]
    )


def _in_discs(value: float) -> float:
    """A value of a search or of the network, as a final score; minimax gives finished games a million more."""
    if abs(value) > WIN / 2:
        value -= WIN if value > 0 else -WIN
    return max(-float(_CELLS), min(float(_CELLS), value))
