"""The learner: games of the network against itself, updates, and now and then a match that decides which network is
kept as the model.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation.network import Layer, Layers, Network, NetworkMetadata, write_network
from flipdrop.evaluation.network.network_file import check_installed, network_bytes, shape_of
from flipdrop.games import native
from flipdrop.kernel import self_play
from flipdrop.learning.benchmarking import results_against, scores_against
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.network.replay import Replay
from flipdrop.players import NetworkPlayer, player
from flipdrop.search import Puct

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.learning.network.settings import TrainingSettings

_TOLD = 5  # steps between two points of the losses on the curve


class NetworkLearner(Learner):
    """Network-guided self-play.

    A step learns from the games so far, and meanwhile plays the next ones with the network as it was when the step
    began: both on all cores, and without a choice that depends on which is faster.

    The network that plays is the running mean of the one that learns. From time to time it meets the champion, the best
    so far, and takes its place if it is not beaten: the champion is the model.

    :param threads: for self-play and matches
    """

    name = "network"

    def __init__(self, game: Game, settings: TrainingSettings, *, seed: int, threads: int = 1) -> None:
        if find_spec("torch") is None:
            raise LearningError('training networks needs: pip install "flipdrop[train]"')
        check_installed()
        from flipdrop.learning.network.training import Trainer

        if settings.opponent:
            player(settings.opponent, game=game)  # raises if there is no such player
        self.game, self.seed, self.games = game, seed, 0
        self.threads = threads
        self.steps = 0
        self.samples = 0
        self._fresh = 0  # positions of the last step's games
        self._training = settings
        rows, columns, moves = shape_of(game)
        self._trainer = Trainer(
            settings, rows=rows, columns=columns, moves=moves, seed=derive_seed(seed, "first weights")
        )
        self._replay = Replay(game, settings.window)
        self._champion: Layers | None = None
        self._start: Any = native(game.start())
        self._network(self._trainer.layers())  # what it loads does not like to be interrupted in the middle

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that decides what is learned."""
        return self._training.to_json()

    @property
    def status(self) -> str:
        """How much there is to learn from."""
        return f"{len(self._replay):,} positions"

    def step(self) -> dict[str, float]:
        """Some games, and meanwhile updates from the positions of those before them."""
        plan = self._training
        network = self._network(self._trainer.layers())
        with ThreadPoolExecutor(1) as background:
            playing = background.submit(self._play, network)
            losses = self._learn()
            rows = playing.result()
        self._replay.add(*rows)
        self._fresh = len(rows[0])
        self.samples += self._fresh
        self.games += plan.games
        self.steps += 1
        told: dict[str, float] = {}
        if self.steps % _TOLD == 0 and losses:
            policy_loss, value_loss = np.mean(losses, axis=0)
            told = {"loss of the policy": float(policy_loss), "loss of the value": float(value_loss)}
        if self.steps % plan.gate_every == 0:
            told |= self._gate()
        return told

    def _play(self, network: Network) -> tuple[NDArray[Any], ...]:
        """The games of a step, as the replay takes them."""
        plan = self._training
        rows = self_play(
            self._start,
            network,
            plan.kernel_settings(derive_seed(self.seed, "games", self.steps)),
            games=plan.games,
            slots=plan.slots,
            threads=self.threads,
        )
        return rows[:4]

    def _learn(self) -> list[tuple[float, float]]:
        """As many updates as the last step's games are worth. Returns their losses."""
        plan = self._training
        random = np.random.default_rng(derive_seed(self.seed, "updates", self.steps))
        return [
            self._trainer.update(self._replay.batch(plan.batch, plan.mix, random), plan.rate_after(self.games))
            for _ in range(math.ceil(plan.reuse * self._fresh / plan.batch))
        ]

    def _gate(self) -> dict[str, float]:
        """The match with the champion, which decides who is the champion from now on."""
        plan = self._training
        seed = derive_seed(self.seed, "gate", self.steps)
        layers = self._trainer.layers()
        told: dict[str, float] = {}
        if self._champion is not None:
            tally = results_against(
                self._player(layers, plan.gate_simulations),
                self._player(self._champion, plan.gate_simulations),
                self.game,
                pairs=plan.gate_pairs,
                seed=seed,
                threads=self.threads,
            )
            told["score against the champion"] = tally.games.score
        if told.get("score against the champion", 1.0) >= 0.5:
            self._champion = layers
        if plan.opponent:
            told |= scores_against(
                self._player(layers, None),
                [plan.opponent],
                self.game,
                pairs=plan.opponent_pairs,
                seed=seed,
                threads=self.threads,
            )
        return told

    def state(self) -> State:
        """Weights, positions, and the champion."""
        arrays = self._trainer.arrays() | self._replay.arrays()
        if self._champion is not None:
            arrays |= _packed(self._champion)
        metadata = {
            "steps": self.steps,
            "samples": self.samples,
            "fresh": self._fresh,
            "updates": self._trainer.updates,
        }
        return State(metadata, arrays)

    def restore(self, state: State) -> None:
        """Goes on from there."""
        self.steps, self.samples = state.metadata["steps"], state.metadata["samples"]
        self._fresh = state.metadata["fresh"]
        self._trainer.restore(state.arrays, state.metadata["updates"])
        self._replay.restore(state.arrays)
        self._champion = _unpacked(state.arrays)

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the champion; before there is one, the network of the moment."""
        write_network(path, self._champion or self._trainer.layers(), self._facts())

    def _facts(self) -> NetworkMetadata:
        made = {"seed": self.seed, "games": self.games, "steps": self.steps, "positions": self.samples}
        return NetworkMetadata(self.game.name, self.settings, made)

    def _network(self, layers: Layers) -> Network:
        return Network("the network", network_bytes(layers, NetworkMetadata(self.game.name)))

    def _player(self, layers: Layers, simulations: int | None) -> NetworkPlayer:
        return NetworkPlayer(Puct(simulations=simulations), evaluator=self._network(layers))


def _packed(champion: Layers) -> dict[str, NDArray[Any]]:
    named = {f"body.{n}": layer for n, layer in enumerate(champion.body)}
    named |= {"policy": champion.policy, "value": champion.value}
    arrays = {}
    for name, layer in named.items():
        arrays[f"champion.{name}.weight"] = layer.weight
        arrays[f"champion.{name}.bias"] = layer.bias
    return arrays


def _unpacked(arrays: dict[str, NDArray[Any]]) -> Layers | None:
    if "champion.policy.weight" not in arrays:
        return None

    def layer(name: str) -> Layer:
        return Layer(arrays[f"champion.{name}.weight"], arrays[f"champion.{name}.bias"])

    bodies = sum(name.startswith("champion.body.") and name.endswith(".weight") for name in arrays)
    return Layers(tuple(layer(f"body.{n}") for n in range(bodies)), layer("policy"), layer("value"))
