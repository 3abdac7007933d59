"""The self-play learner: games, updates, and gating matches that decide which network becomes the model."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flipdrop.arena.quick_match import results_against
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError, install_command
from flipdrop.evaluation.network import Evaluator, Layer, Layers, Network, NetworkMetadata, write_network
from flipdrop.evaluation.network.network_file import check_installed, network_bytes, read_layers, shape_of
from flipdrop.kernel import self_play
from flipdrop.learning.learner import Learner, OutOfTime, State
from flipdrop.learning.network.samples import Batch, add_samples, concatenated, draw_batch
from flipdrop.learning.network.warm_start import WarmStart
from flipdrop.learning.replay_buffer import ReplayBuffer
from flipdrop.players import NetworkPlayer
from flipdrop.players.agent_process import isolated_player
from flipdrop.search import Puct
from flipdrop.workers import results_in_order

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.learning.network.settings import TrainingSettings
    from flipdrop.workers import Workers

_LOSS_EVERY = 5  # steps between two points of the losses on the curve
_WARM_STEP = 16  # updates of a step of the warm start: some seconds
_HELD_OUT_EVERY = 40  # steps of the warm start between two tests on positions that were held out
_WARM_LADDER_EVERY = 160  # steps of the warm start between two ratings: a rating takes as long as ten of them


class NetworkLearner(Learner):
    """Network-guided self-play, perhaps after a warm start from labelled positions.

    A step of the warm start is a number of updates. A later step trains on the samples so far while the next games are
    played with the network as it was at the start of the step. Both run in parallel, and the result does not depend on
    which is faster.

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
            isolated_player(settings.opponent, game=game).close()  # raises for an unknown player
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
        self._initial: dict[str, Any] = {}
        if settings.initial_model:
            self._load_initial_model(settings.initial_model)
        self._start: Any = game.start()
        self._warm = WarmStart(settings.warm_start, game) if settings.warm_start else None
        self._workers: Workers | None = None
        self._network(self._trainer.layers())  # loads onnxruntime now: Ctrl-C during its import would leave it broken

    def _load_initial_model(self, file: str) -> None:
        """Takes the weights of a network, which is the first champion."""
        try:
            layers, metadata = read_layers(file)
        except OSError as error:
            raise LearningError(f"initial_model={file}: {error.strerror or 'it cannot be read'}") from None
        if metadata.game != self.game.name:
            raise LearningError(f"initial_model={file} is a network for {metadata.game}, not for {self.game.name}")
        try:
            self._trainer.load_weights(layers)
        except ValueError:
            body = metadata.settings.get("body", "another one")
            raise LearningError(
                f"initial_model={file} has other layers ({body}) than body={self.options.body}"
            ) from None
        self._champion = layers
        self._initial = {"initial_model": {"settings": metadata.settings, "made": metadata.made}}

    @property
    def settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self.options.recorded()
        if self.options.actors == 1:
            del settings["actors"]  # as in checkpoints from before there were actors
        return settings

    def work_on(self, workers: Workers) -> None:
        """The self-play games: each actor is a task."""
        self._workers = workers

    @property
    def plan(self) -> str:
        options = self.options
        weights = sum(layer.weight.size + layer.bias.size for layer in self._trainer.layers().all_layers)
        begins = f", which begins as {options.initial_model}" if options.initial_model else ""
        lines = [f"network {options.body} with {weights:,} weights{begins}"]
        if self._warm is not None and not options.warm_updates:
            lines.append(f"{options.warm_share:.0%} of each batch out of {len(self._warm):,} labelled positions")
        elif self._warm is not None:
            lines.append(
                f"warm start: {options.warm_updates:,} updates of {options.batch} out of {len(self._warm):,} labelled "
                f"positions, {_WARM_STEP} in a step"
            )
        if options.games:
            lines.append(
                f"a step: {options.games} games of self-play ({options.simulations} simulations a move, mostly "
                f"{options.cheap_simulations}) {self._where_it_plays()}, while the network learns"
            )
            against = f" and {2 * options.opponent_pairs} against {options.opponent}" if options.opponent else ""
            lines.append(
                f"every {options.gate_every} steps: {2 * options.gate_pairs} games against the champion{against}"
            )
        return "\n".join(lines)

    def _where_it_plays(self) -> str:
        options = self.options
        if self._workers is not None:
            return f"as {options.actors} tasks for the workers"
        # A thread plays `slots` games at a time, whatever the number of threads, so that the result is the same.
        games, threads = math.ceil(options.games / options.actors), self.threads
        groups = math.ceil(games / options.slots)
        if groups >= threads:
            return f"on {threads} threads" if threads > 1 else "on 1 thread"
        slots = math.ceil(games / threads)  # equal groups, unless there are too few of them
        if math.ceil(games / slots) < threads:
            slots = max(1, games // threads)
        used = min(threads, math.ceil(games / slots))
        hint = f" (slots={slots} uses {'all' if used == threads else used})" if used > groups else ""
        return f"on {groups} of {threads} threads{hint}"

    def player(self) -> NetworkPlayer:
        """The network as it is now, not the champion, with the simulations that the player has by default."""
        return self._player(self._trainer.layers(), None)

    @property
    def ladder_every(self) -> int:
        """As often as gating matches; steps of the warm start are shorter."""
        return _WARM_LADDER_EVERY if self._warming else self.options.gate_every

    @property
    def phase(self) -> str:
        if not self.options.warm_updates or self._warm is None:
            return ""
        return "the warm start" if self._warming else "self-play"

    @property
    def status(self) -> str:
        if self._warming:
            return f"warm start, update {self._trainer.updates:,} of {self.options.warm_updates:,}"
        return f"{len(self._buffer):,} positions"

    @property
    def _warming(self) -> bool:
        return self._warm is not None and self._trainer.updates < self.options.warm_updates

    @property
    def finished(self) -> bool:
        return self.options.games == 0 and not self._warming

    def step(self) -> dict[str, float]:
        before = None if self.deadline is None else (self._trainer.arrays(), self._trainer.updates)
        try:
            return self._warm_step() if self._warming else self._step()
        except OutOfTime:
            assert before is not None
            self._trainer.restore(*before)
            raise

    def _warm_step(self) -> dict[str, float]:
        """Some updates on the labelled positions. The network at their end is the first champion."""
        options, trainer, steps = self.options, self._trainer, self.steps + 1
        assert self._warm is not None
        random = np.random.default_rng(derive_seed(self.seed, "warm start", trainer.updates))
        losses = []
        for _ in range(min(_WARM_STEP, options.warm_updates - trainer.updates)):
            self.check_time()
            batch = self._warm.draw(options.batch, random)
            losses.append(trainer.update(batch, options.warm_rate_after(trainer.updates)))
        values: dict[str, float] = {}
        if steps % _LOSS_EVERY == 0 or not self._warming:
            values = _mean_losses(losses)
        if (steps % _HELD_OUT_EVERY == 0 or not self._warming) and len(self._warm.held_out.values):
            policy, value, agreed = trainer.errors(self._warm.held_out)
            values |= {
                "divergence of the policy, held out": policy,
                "loss of the value, held out": value,
                "share of best moves, held out": agreed,
            }
        if not self._warming:
            values |= self._against_opponent(trainer.layers(), derive_seed(self.seed, "gate", steps))
            self._champion = trainer.layers()
        self.steps = steps
        return values

    def _step(self) -> dict[str, float]:
        """A step; until all of it is done, it changes nothing but the trainer."""
        options, steps = self.options, self.steps + 1
        layers = self._trainer.layers()
        with ThreadPoolExecutor(1) as background:
            playing = background.submit(self._play, layers)
            losses = self._learn()
            samples = playing.result()
        values: dict[str, float] = {}
        if steps % _LOSS_EVERY == 0 and losses:
            values = _mean_losses(losses)
        if steps % options.gate_every == 0:
            values |= self._gate(steps)
        add_samples(self._buffer, *samples)
        self._new_samples = len(samples[0])
        self.samples += self._new_samples
        self.games += options.games
        self.steps = steps
        return values

    def _play(self, layers: Layers) -> tuple[NDArray[Any], ...]:
        """Plays the games of a step: cells, policies, outcomes and values of their positions."""
        options, actors = self.options, self.options.actors
        ends = [options.games * n // actors for n in range(actors + 1)]
        seeds = [derive_seed(self.seed, "games", self.steps, *([n] if actors > 1 else [])) for n in range(actors)]
        tasks = [_Actor(seed, last - first) for seed, first, last in zip(seeds, ends[:-1], ends[1:], strict=True)]
        if self._workers is None:
            network = self._network(layers)
            found = [_self_play(self._start, network, options, task, threads=self.threads) for task in tasks]
        else:
            shared = network_bytes(layers, NetworkMetadata(self.game.name)), options, self._start
            found = []
            for samples in results_in_order(self._workers, _play_actor, shared, tasks):
                found.append(samples)
                self.check_time()
        return tuple(np.concatenate(column) for column in zip(*found, strict=True))

    def _learn(self) -> list[tuple[float, float]]:
        """Makes `reuse` updates per sample of the last step. Returns their policy and value losses."""
        options = self.options
        random = np.random.default_rng(derive_seed(self.seed, "updates", self.steps))
        losses = []
        for _ in range(math.ceil(options.reuse * self._new_samples / options.batch)):
            self.check_time()
            batch = self._draw(random)
            losses.append(self._trainer.update(batch, options.rate_after(self.games)))
        return losses

    def _draw(self, random: np.random.Generator) -> Batch:
        options = self.options
        labelled = 0 if self._warm is None else round(options.warm_share * options.batch)
        played = draw_batch(self._buffer, self._start, options.batch - labelled, options.mix, random)
        return played if self._warm is None else concatenated(played, self._warm.draw(labelled, random))

    def _against_opponent(self, layers: Layers, seed: int) -> dict[str, float]:
        options = self.options
        if not options.opponent:
            return {}
        return self.scores_against(
            self._player(layers, None),
            [options.opponent],
            pairs=options.opponent_pairs,
            seed=seed,
            threads=self.threads,
        )

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
        values |= self._against_opponent(layers, seed)
        if values.get("score against the champion", 1.0) >= 0.5:
            self._champion = layers
        return values

    def state(self) -> State:
        arrays = self._trainer.arrays() | self._buffer.arrays()
        if self._champion is not None:
            arrays |= _champion_arrays(self._champion)
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
        self._champion = _read_champion(state.arrays, self.options)

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the champion, or the current network before the first gating match."""
        write_network(path, self._champion or self._trainer.layers(), self._metadata())

    def _metadata(self) -> NetworkMetadata:
        made: dict[str, Any] = {
            "seed": self.seed,
            "games": self.games,
            "steps": self.steps,
            "positions": self.samples,
        }
        made |= self._initial
        if self._warm is not None:
            made["warm_start"] = {"positions": len(self._warm), "digest": self._warm.digest}
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


class _Actor(NamedTuple):
    """Self-play games that one worker plays."""

    seed: int
    games: int


def _self_play(
    start: Any, network: Evaluator, options: TrainingSettings, task: _Actor, *, threads: int
) -> tuple[NDArray[Any], ...]:
    settings, games = options.kernel_settings(task.seed), task.games
    return self_play(start, network, settings, games=games, slots=options.slots, threads=threads)[:4]


def _play_actor(shared: tuple[bytes, TrainingSettings, Any], task: _Actor) -> tuple[NDArray[Any], ...]:
    data, options, start = shared
    return _self_play(start, Network("the network", data), options, task, threads=1)


def _mean_losses(losses: list[tuple[float, float]]) -> dict[str, float]:
    policy_loss, value_loss = np.mean(losses, axis=0)
    return {"loss of the policy": float(policy_loss), "loss of the value": float(value_loss)}


def _champion_arrays(champion: Layers) -> dict[str, NDArray[Any]]:
    named = {f"body.{n}": layer for n, layer in enumerate(champion.body)}
    named |= {"policy": champion.policy, "value": champion.value}
    arrays = {}
    for name, layer in named.items():
        arrays[f"champion.{name}.weight"] = layer.weight
        arrays[f"champion.{name}.bias"] = layer.bias
    return arrays


def _read_champion(arrays: dict[str, NDArray[Any]], settings: TrainingSettings) -> Layers | None:
    if "champion.policy.weight" not in arrays:
        return None

    def layer(name: str, *, residual: bool = False) -> Layer:
        return Layer(arrays[f"champion.{name}.weight"], arrays[f"champion.{name}.bias"], residual)

    bodies = sum(name.startswith("champion.body.") and name.endswith(".weight") for name in arrays)
    convolutions = len(settings.layers()[0])
    body = (layer(f"body.{n}", residual=n < convolutions and settings.is_residual(n)) for n in range(bodies))
    return Layers(tuple(body), layer("policy"), layer("value"))
