"""Q-learning, Sarsa and TD(lambda) with a pattern network as the value function.

Values are for the side to move, and the next position is the opponent's, so a value is moved towards minus the next
one. The three rules differ in the choice of the next position; see `kernel/pattern/learning.hpp`.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.kernel import LearningRule, LearningSettings, OthelloPosition
from flipdrop.learning.learner import State
from flipdrop.learning.patterns.network_learner import PatternNetworkLearner, PatternNetworkSettings
from flipdrop.options import option
from flipdrop.players import player as player_of
from flipdrop.players.native import native_player
from flipdrop.players.search_player import SearchPlayer
from flipdrop.search import Minimax

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.kernel import NativePlayer

RULES = {"td": LearningRule.TD, "sarsa": LearningRule.SARSA, "q": LearningRule.Q}
_SUPERVISED_RATE = 0.2  # with 1, a correction in one position undoes those in others
_STEP_SECONDS = 1.0
_FIRST_BATCH = 500  # games
_RATE_INTERVAL = 10_000  # games between two changes of the learning rate
_BENCHMARK_PAIRS = 100
_BENCHMARK_SHARE = 0.05  # of the time


@dataclass(frozen=True, kw_only=True)
class PatternSettings(PatternNetworkSettings):
    """Settings of self-play learning."""

    decay: float = option(1.0, "factor of the learning rate per million games", above=0, maximum=1)
    lambda_: float | None = option(None, "weight of later positions in a target: TD(lambda)", minimum=0, maximum=1)
    epsilon: float | None = option(None, "share of random moves", minimum=0, maximum=1)
    opening: int | None = option(None, "most random moves at the start of a game", minimum=0, maximum=60)
    margin: float | None = option(None, "weight of the disc margin in the reward", minimum=0, maximum=1)
    coherent: bool = option(True, "adapt the learning rate of each weight (temporal coherence)")
    against: str | None = option(None, "learn from games against this player instead of self-play")
    against_epsilon: float = option(0.0, "share of random moves of that player", minimum=0, maximum=1)
    solver_supervision_after: int | None = option(
        None, "Connect Four: self-play games before the exact solver supervises every move", minimum=0
    )
    batch: int | None = option(None, "games per step; as many as take about a second if not given", minimum=1)


class PatternLearner(PatternNetworkLearner):
    """Learns a pattern network from games.

    With one thread the same seed gives the same network. Several threads write to the same weights without locks, so
    their runs differ slightly.

    :param opponents: opponents of the learning curve; the game's default ones if not given
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
            raise LearningError(f"unknown rule {rule!r}; there are {', '.join(RULES)}")
        self.name = self._rule = rule
        self.options = options = PatternSettings(**settings).with_defaults(game)
        if options.solver_supervision_after is not None and game.family != "connect4":
            raise LearningError(f"solver_supervision_after: solving every position of {game.title} takes too long")
        super().__init__(game, *options.shape(game, seed), seed=seed, threads=threads)
        self._start = game.start()
        self._opponents = default_opponents(game) if opponents is None else opponents
        self._against = _native_opponent(options.against, game)
        self._batch = options.batch or _FIRST_BATCH
        self._learning_seconds = 0.0
        self._benchmark_seconds = 0.0

    def step(self) -> dict[str, float]:
        began = perf_counter()
        games = self._learn(self._batch)
        self.games += games
        seconds = perf_counter() - began
        self._learning_seconds += seconds
        if self.options.batch is None:
            self._batch = max(1, min(2 * self._batch, round(games * _STEP_SECONDS / max(seconds, 1e-6))))
        if self._benchmark_seconds > _BENCHMARK_SHARE * self._learning_seconds:
            return {}
        return self._benchmark()

    def _learn(self, games: int) -> int:
        """Learns from at most this many games. Returns their number."""
        supervised_after = self.options.solver_supervision_after
        if supervised_after is not None and self.games >= supervised_after:
            return self._train_supervised(games)
        # The learning rate changes at fixed numbers of games, so that the size of a batch does not affect it.
        games = min(games, _RATE_INTERVAL - self.games % _RATE_INTERVAL)
        if supervised_after is not None:
            games = min(games, supervised_after - self.games)
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

    def _train_supervised(self, games: int) -> int:
        assert not isinstance(self._start, OthelloPosition)
        settings = self._kernel_settings()
        settings.rate = _SUPERVISED_RATE
        settings.coherent = False  # the coherence of self-play errors says nothing about the solver's values
        self._network.train_supervised(
            self._start,
            settings,
            games=games,
            seed=derive_seed(self.seed, "lessons"),
            first=self.games,
            threads=self._threads,
        )
        return games

    def player(self, depth: int = 1) -> SearchPlayer:
        """A player that searches with the network as it is now."""
        return SearchPlayer(Minimax(algorithm="alphabeta", depth=depth, evaluation=self.evaluation()))

    def state(self) -> State:
        metadata = {"batch": self._batch, "learning": self._learning_seconds, "measuring": self._benchmark_seconds}
        return State(metadata, super().state().arrays)

    def restore(self, state: State) -> None:
        super().restore(state)
        self._batch = state.metadata["batch"]
        self._learning_seconds = state.metadata["learning"]
        self._benchmark_seconds = state.metadata["measuring"]

    def _benchmark(self) -> dict[str, float]:
        began = perf_counter()
        seed = derive_seed(self.seed, "measuring")
        scores = self.scores_against(
            self.player(), self._opponents, pairs=_BENCHMARK_PAIRS, seed=seed, threads=self._threads
        )
        self._benchmark_seconds += perf_counter() - began
        return scores

    def _kernel_settings(self) -> LearningSettings:
        options = self.options
        settings = LearningSettings()
        settings.rule = RULES[self._rule]
        settings.rate = options.rate * options.decay ** (self.games // _RATE_INTERVAL * _RATE_INTERVAL / 1e6)
        settings.trace = options.lambda_
        settings.epsilon = options.epsilon
        settings.opening = options.opening
        settings.margin = options.margin
        settings.coherent = options.coherent
        settings.opponent_epsilon = options.against_epsilon
        return settings


def default_opponents(game: Game) -> tuple[str, ...]:
    """Opponents that look one ply ahead, like the learner."""
    if game.family == "othello":
        return ("random", *(f"greedy:evaluation={name}" for name in ("A", "B", "C", "D", "Seven")))
    return "random", "greedy", "mcts:iterations=100"


def _native_opponent(spec: str | None, game: Game) -> NativePlayer | None:
    if spec is None:
        return None
    made = native_player(player_of(spec, game=game, seed=0), game)
    if made is None:
        raise LearningError(f"against={spec}: it cannot play inside the kernel; try one without a clock or Python")
    return made.player
