"""The self-play learner: games, updates, and gating matches that decide which network becomes the model."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.pairs import results_against
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError, install_command
from flipdrop.evaluation.network import Evaluator, Layer, Layers, Network, NetworkMetadata, write_network
from flipdrop.evaluation.network.network_file import check_installed, network_bytes, shape_of
from flipdrop.kernel import self_play
from flipdrop.learning.learner import Learner, OutOfTime, State
from flipdrop.learning.network.samples import add_samples, draw_batch
from flipdrop.learning.replay_buffer import ReplayBuffer
from flipdrop.players import NetworkPlayer, player
from flipdrop.search import Puct

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.learning.network.settings import TrainingSettings

_LOSS_EVERY = 5  # steps between two points of the losses on the curve


class NetworkLearner(Learner):
    """Network-guided self-play.

    A step trains on the samples so far while the next games are played with the network as it was at the start of the
    step. Both run in parallel, and the result does not depend on which is faster.

    The network that plays is the exponential moving average of the trained weights. In gating matches it meets the best
    network so far, the champion, and replaces it unless it scores less than half. The champion is the model.

    :param threads: for self-play and matches
    """

    name = "network"

    def __init__(self, game: Game, settings: TrainingSettings, *, seed: int, threads: int = 1) -> None:
        if find_spec("torch") is None:
            raise LearningError(f"training networks needs PyTorch: {install_command('train')}")
        check_installed()
        from flipdrop.learning.network.training import Trainer

        if settings.opponent:
            player(settings.opponent, game=game)  # raises for an unknown player
        self.game, self.seed, self.games = game, seed, 0
        self.threads = threads
        self.steps = 0
        self.samples = 0
        self._new_samples = 0  # of the last step's games
        self.options = settings
        rows, columns, moves = shape_of(game)
        self._trainer = Trainer(
            settings, rows=rows, columns=columns, moves=moves, seed=derive_seed(seed, "first weights")
        )
        self._buffer = ReplayBuffer(settings.window)
        self._champion: Layers | None = None
        self._start: Any = game.start()
        self._network(self._trainer.layers())  # loads onnxruntime now: Ctrl-C during its import would leave it broken

    @property
    def status(self) -> str:
        return f"{len(self._buffer):,} positions"

    def step(self) -> dict[str, float]:
        before = None if self.deadline is None else (self._trainer.arrays(), self._trainer.updates)
        try:
            return self._step()
        except OutOfTime:
            assert before is not None
            self._trainer.restore(*before)
            raise

    def _step(self) -> dict[str, float]:
        """A step; until all of it is done, it changes nothing but the trainer."""
        options, steps = self.options, self.steps + 1
        network = self._network(self._trainer.layers())
        with ThreadPoolExecutor(1) as background:
            playing = background.submit(self._play, network)
            losses = self._learn()
            samples = playing.result()
        values: dict[str, float] = {}
        if steps % _LOSS_EVERY == 0 and losses:
            policy_loss, value_loss = np.mean(losses, axis=0)
            values = {"loss of the policy": float(policy_loss), "loss of the value": float(value_loss)}
        if steps % options.gate_every == 0:
            values |= self._gate(steps)
        add_samples(self._buffer, *samples)
        self._new_samples = len(samples[0])
        self.samples += self._new_samples
        self.games += options.games
        self.steps = steps
        return values

    def _play(self, network: Evaluator) -> tuple[NDArray[Any], ...]:
        """Plays the games of a step: cells, policies, outcomes and values of their positions."""
        options = self.options
        samples = self_play(
            self._start,
            network,
            options.kernel_settings(derive_seed(self.seed, "games", self.steps)),
            games=options.games,
            slots=options.slots,
            threads=self.threads,
        )
        return samples[:4]

    def _learn(self) -> list[tuple[float, float]]:
        """Makes `reuse` updates per sample of the last step. Returns their policy and value losses."""
        options = self.options
        random = np.random.default_rng(derive_seed(self.seed, "updates", self.steps))
        losses = []
        for _ in range(math.ceil(options.reuse * self._new_samples / options.batch)):
            self.check_time()
            batch = draw_batch(self._buffer, self._start, options.batch, options.mix, random)
            losses.append(self._trainer.update(batch, options.rate_after(self.games)))
        return losses

    def _gate(self, steps: int) -> dict[str, float]:
        """Plays the gating match; the network becomes the champion unless it scores less than half."""
        options = self.options
        seed = derive_seed(self.seed, "gate", steps)
        layers = self._trainer.layers()
        values: dict[str, float] = {}
        if self._champion is not None:
            tally = results_against(
                self._player(layers, options.gate_simulations),
                self._player(self._champion, options.gate_simulations),
                self.game,
                pairs=options.gate_pairs,
                seed=seed,
                threads=self.threads,
            )
            values["score against the champion"] = tally.games.score
        if options.opponent:
            values |= self.scores_against(
                self._player(layers, None),
                [options.opponent],
                pairs=options.opponent_pairs,
                seed=seed,
                threads=self.threads,
            )
        if values.get("score against the champion", 1.0) >= 0.5:
            self._champion = layers
        return values

    def state(self) -> State:
        arrays = self._trainer.arrays() | self._buffer.arrays()
        if self._champion is not None:
            arrays |= _packed(self._champion)
        metadata = {
            "steps": self.steps,
            "samples": self.samples,
            "fresh": self._new_samples,
            "updates": self._trainer.updates,
        }
        return State(metadata, arrays)

    def restore(self, state: State) -> None:
        self.steps, self.samples = state.metadata["steps"], state.metadata["samples"]
        self._new_samples = state.metadata["fresh"]
        self._trainer.restore(state.arrays, state.metadata["updates"])
        self._buffer.restore(state.arrays)
        self._champion = _unpacked(state.arrays)

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the champion, or the current network before the first gating match."""
        write_network(path, self._champion or self._trainer.layers(), self._metadata())

    def _metadata(self) -> NetworkMetadata:
        made = {"seed": self.seed, "games": self.games, "steps": self.steps, "positions": self.samples}
        return NetworkMetadata(self.game.name, self.settings, made)

    def _network(self, layers: Layers) -> Evaluator:
        """The network, which raises `OutOfTime` after the deadline: self-play and matches end with it."""
        network = Network("the network", network_bytes(layers, NetworkMetadata(self.game.name)))

        def evaluate(planes: NDArray[np.float32]) -> Any:
            self.check_time()
            return network(planes)

        return evaluate

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
