"""Q-learning, Sarsa and TD(lambda) with a pattern network as the value function.

A position's value is that of the side to move, and the next position is the opponent's: so a value is moved towards
minus the next one. The three rules differ in which next position that is; `kernel/pattern/learning.hpp` says how.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import Evaluation, Networks, PatternModel
from flipdrop.games import ConnectFourGame, OthelloGame, native
from flipdrop.kernel import LearningRule, LearningSettings, OthelloPosition, new_pattern_network
from flipdrop.learning.benchmarking import scores_against
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.patterns.fitting import network_arrays, restore_network
from flipdrop.learning.patterns.sets import patterns_of
from flipdrop.players import player as player_of
from flipdrop.players.native import native_player
from flipdrop.players.search_player import SearchPlayer
from flipdrop.search import Minimax

if TYPE_CHECKING:
    import os

    from flipdrop.games import Game
    from flipdrop.kernel import NativePlayer, PatternNetwork

RULES = {"td": LearningRule.TD, "sarsa": LearningRule.SARSA, "q": LearningRule.Q}
_LESSON_RATE = 0.2  # with 1, a correction in one position undoes those in others
_STEP_SECONDS = 1.0
_FIRST_BATCH = 500  # games
_SAME_RATE = 10_000  # games
_MEASURING_PAIRS = 100
_MEASURING_SHARE = 0.05  # of the time may go into measuring


@dataclass(frozen=True, kw_only=True)
class PatternSettings:
    """What decides how a network learns. None stands for what is usual in the game: see `suited`.

    :param patterns: a set of `patterns_of`
    :param stages: so many parts of the game with weights of their own
    :param rate: how far a value moves towards its target at first
    :param decay: the rate is multiplied by this after every million games
    :param lambda_: how much of the rest of the game is in a target
    :param epsilon: share of random moves
    :param opening: games begin with up to so many random moves
    :param margin: share of the disc margin in a game's reward; the rest is win, draw and loss
    :param coherent: whether each weight adapts its own rate
    :param against: learns from games against this player instead of itself
    :param against_epsilon: share of random moves of that player
    :param solver_supervision_after: Connect Four: after this many self-play games the exact solver supervises: it
        corrects the choice of move in every position
    :param batch: games in a step; None for about a second of them
    """

    patterns: str | None = None
    stages: int | None = None
    rate: float = 1.0
    decay: float = 1.0
    lambda_: float | None = None
    epsilon: float | None = None
    opening: int | None = None
    margin: float | None = None
    coherent: bool = True
    against: str | None = None
    against_epsilon: float = 0.0
    solver_supervision_after: int | None = None
    batch: int | None = None

    def __post_init__(self) -> None:
        for name, low, high in (
            ("lambda_", 0, 1),
            ("epsilon", 0, 1),
            ("margin", 0, 1),
            ("against_epsilon", 0, 1),
            ("rate", 1e-9, 1000),
            ("decay", 1e-9, 1),
            ("stages", 1, 60),
            ("opening", 0, 60),
        ):
            value = getattr(self, name)
            if value is None:
                continue
            if not (math.isfinite(value) and low <= value <= high):
                raise LearningError(f"{name.rstrip('_')}={value}; it lies between {low} and {high}")
        if self.batch is not None and self.batch < 1:
            raise LearningError(f"batch={self.batch}; a step has at least one game")
        if self.solver_supervision_after is not None and self.solver_supervision_after < 0:
            raise LearningError(
                f"solver_supervision_after={self.solver_supervision_after}; lessons begin after no or some games"
            )

    def suited(self, game: Game) -> PatternSettings:
        """The same settings, with what is usual in a game instead of None.

        Discs stay where they are in Connect Four and mean the same to the end, so one stage is enough. Random moves,
        also at the beginning, pay in both games: without them a network of Othello never meets positions in which a
        side has hardly any discs left.
        """
        usual: dict[str, Any] = (
            {"patterns": "classic", "stages": 10, "lambda_": 0.5, "epsilon": 0.2, "opening": 16, "margin": 0.25}
            if isinstance(game, OthelloGame)
            else {"patterns": "blocks", "stages": 1, "lambda_": 0.3, "epsilon": 0.2, "opening": 12, "margin": 0.0}
        )
        return replace(self, **{name: value for name, value in usual.items() if getattr(self, name) is None})


class PatternLearner(Learner):
    """Learns a pattern network by playing.

    With one thread the same seed gives the same network; several threads write to the same weights without waiting for
    each other, and each run is a little different.

    :param opponents: whom the curve shows scores against; the usual ones if it is not given
    """

    def __init__(
        self,
        game: Game,
        rule: Literal["q", "sarsa", "td"],
        *,
        seed: int,
        threads: int = 1,
        opponents: tuple[str, ...] | None = None,
        **settings: Any,
    ) -> None:
        if rule not in RULES:
            raise LearningError(f"rule {rule!r}; there are {', '.join(RULES)}")
        self.name = self._rule = rule
        self.game = game
        self.seed = seed
        self.games = 0
        self._chosen = chosen = PatternSettings(**settings).suited(game)
        if chosen.solver_supervision_after is not None and not isinstance(game, ConnectFourGame):
            raise LearningError(
                f"solver_supervision_after: every position of a lesson is solved; {game.title} takes too long"
            )
        assert chosen.patterns is not None
        assert chosen.stages is not None
        self._patterns = patterns_of(chosen.patterns, game, seed)
        self._stages = stages_of(game, chosen.stages)
        self._threads = threads
        self._start = native(game.start())
        self._network: PatternNetwork = new_pattern_network(
            self._start,
            patterns=[list(pattern) for pattern in self._patterns],
            stages=list(self._stages),
        )
        self._opponents = default_opponents(game) if opponents is None else opponents
        self._against = _native(self._chosen.against, game)
        self._batch = self._chosen.batch or _FIRST_BATCH
        self._learning_seconds = 0.0
        self._measuring_seconds = 0.0

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it learns."""
        return asdict(self._chosen)

    def step(self) -> dict[str, float]:
        """Plays a batch of games, and measures once in a while."""
        began = perf_counter()
        games = self._learn(self._batch)
        self.games += games
        seconds = perf_counter() - began
        self._learning_seconds += seconds
        if self._chosen.batch is None:
            self._batch = max(1, min(2 * self._batch, round(games * _STEP_SECONDS / max(seconds, 1e-6))))
        if self._measuring_seconds > _MEASURING_SHARE * self._learning_seconds:
            return {}
        return self._measured()

    def _learn(self, games: int) -> int:
        """Plays about so many games, and learns from them. Returns how many there were."""
        solver_supervision_after = self._chosen.solver_supervision_after
        if solver_supervision_after is not None and self.games >= solver_supervision_after:
            return self._study(games)
        # The rate changes at certain games, whatever the batches: so how fast the machine is decides nothing else.
        games = min(games, _SAME_RATE - self.games % _SAME_RATE)
        if solver_supervision_after is not None:
            games = min(games, solver_supervision_after - self.games)
        self._network.learn(
            self._start,
            self._kernel_settings(),
            games=games,
            seed=derive_seed(self.seed, "games"),
            first=self.games,
            threads=self._threads,
            opponent=self._against,
        )
        return games

    def _study(self, games: int) -> int:
        """So many lessons."""
        assert not isinstance(self._start, OthelloPosition)
        settings = self._kernel_settings()
        settings.rate = _LESSON_RATE
        settings.coherent = False  # how sure a weight became in its own games says nothing about the truth
        self._network.train_supervised(
            self._start,
            settings,
            games=games,
            seed=derive_seed(self.seed, "lessons"),
            first=self.games,
            threads=self._threads,
        )
        return games

    def model(self) -> PatternModel:
        """The network as it is now."""
        made = {"learner": self.name, "settings": self.settings, "seed": self.seed, "games": self.games}
        return PatternModel(self.game, self._patterns, self._stages, self._network.weights, made=made)

    def player(self, depth: int = 1) -> SearchPlayer:
        """The player that the network is now."""
        evaluation = Evaluation(Networks("learning", (self.model(),)))
        return SearchPlayer(Minimax(algorithm="alphabeta", depth=depth, evaluation=evaluation))

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.pattern`` file."""
        self.model().write(path)

    def state(self) -> State:
        """Weights, what is remembered of their errors, and how far it has come."""
        return State(
            {"batch": self._batch, "learning": self._learning_seconds, "measuring": self._measuring_seconds},
            network_arrays(self._network),
        )

    def restore(self, state: State) -> None:
        """Goes on from there."""
        restore_network(self._network, state.arrays)
        self._batch = state.metadata["batch"]
        self._learning_seconds = state.metadata["learning"]
        self._measuring_seconds = state.metadata["measuring"]

    def _measured(self) -> dict[str, float]:
        began = perf_counter()
        seed = derive_seed(self.seed, "measuring")
        scores = scores_against(
            self.player(), self._opponents, self.game, pairs=_MEASURING_PAIRS, seed=seed, threads=self._threads
        )
        self._measuring_seconds += perf_counter() - began
        return scores

    def _kernel_settings(self) -> LearningSettings:
        chosen = self._chosen
        settings = LearningSettings()
        settings.rule = RULES[self._rule]
        settings.rate = chosen.rate * chosen.decay ** (self.games // _SAME_RATE * _SAME_RATE / 1e6)
        settings.trace = chosen.lambda_ or 0.0
        settings.epsilon = chosen.epsilon or 0.0
        settings.opening = chosen.opening or 0
        settings.margin = chosen.margin or 0.0
        settings.coherent = chosen.coherent
        settings.opponent_epsilon = chosen.against_epsilon
        return settings


def stages_of(game: Game, count: int) -> tuple[int, ...]:
    """The number of discs at which each stage begins: parts of the game of the same length."""
    first = sum(game.start().discs)
    cells = game.columns * game.rows
    return tuple(dict.fromkeys([0, *(first + (cells - first) * part // count for part in range(1, count))]))


def default_opponents(game: Game) -> tuple[str, ...]:
    """Whom a learning curve is measured against: opponents at one ply, like the learner."""
    if isinstance(game, OthelloGame):
        return ("random", *(f"greedy:evaluation={name}" for name in ("A", "B", "C", "D", "Seven")))
    return "random", "greedy", "mcts:iterations=100"


def _native(spec: str | None, game: Game) -> NativePlayer | None:
    """The opponent in the kernel."""
    if spec is None:
        return None
    made = native_player(player_of(spec, game=game, seed=0), game)
    if made is None:
        raise LearningError(f"against={spec}: it cannot play inside the kernel; try one without a clock or Python")
    return made.player
