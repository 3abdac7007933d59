"""The network in PyTorch: forward pass, loss and updates. No other module imports PyTorch."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from flipdrop.evaluation.network.layers import PLANES, Layer, Layers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.learning.network.samples import Batch
    from flipdrop.learning.network.settings import TrainingSettings


class _Module(nn.Module):
    def __init__(self, settings: TrainingSettings, *, rows: int, columns: int, moves: int) -> None:
        super().__init__()
        convolutions, dense = settings.layers()
        self.convolutions, self.dense = nn.ModuleList(), nn.ModuleList()
        inputs = PLANES
        for channels in convolutions:
            self.convolutions.append(nn.Conv2d(inputs, channels, 3, padding=1))
            inputs = channels
        inputs *= rows * columns
        for size in dense:
            self.dense.append(nn.Linear(inputs, size))
            inputs = size
        self._residual = [settings.is_residual(n) for n in range(len(convolutions))]
        self.policy = nn.Linear(inputs, moves)
        self.value = nn.Linear(inputs, 1)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Policy logits, and values before tanh."""
        skipped = planes
        for layer, is_residual in zip(self.convolutions, self._residual, strict=True):
            before, planes = planes, layer(planes)
            planes = functional.relu(planes + skipped if is_residual else planes)
            skipped = before
        flat = planes.flatten(1)
        for layer in self.dense:
            flat = functional.relu(layer(flat))
        return self.policy(flat), self.value(flat).squeeze(1)


class Trainer:
    """A network in training and the exponential moving average of its weights, which plays better than the weights.

    Training uses one thread, and self-play the others at the same time. (Two PyTorch threads that share a small batch
    spend much of their time waiting for each other, and nearly all of it when another process keeps a core busy.)
    """

    def __init__(self, settings: TrainingSettings, *, rows: int, columns: int, moves: int, seed: int) -> None:
        torch.set_num_threads(1)
        self._settings = settings
        self._module = _Module(settings, rows=rows, columns=columns, moves=moves)
        self._parameters = list(self._module.parameters())
        random = np.random.default_rng(seed)
        with torch.no_grad():
            for name, parameter in self._module.named_parameters():
                values = _initial_values(name, tuple(parameter.shape), random)
                if name.startswith("convolutions.") and settings.is_residual(int(name.split(".")[1])):
                    values *= 0.1  # blocks begin near the identity, which keeps the activations of deep bodies small
                parameter.copy_(torch.from_numpy(values))
        self._mean = [parameter.detach().clone() for parameter in self._parameters]
        self._optimizer = torch.optim.AdamW(self._parameters, lr=settings.rate, weight_decay=settings.decay)
        self.updates = 0

    def load_weights(self, layers: Layers) -> None:
        """Takes the weights of other layers; ValueError if their shapes are different."""
        arrays = [
            array
            for layer in layers.all_layers
            for array in (layer.weight if layer.is_convolution else layer.weight.T, layer.bias)
        ]
        own = self.layers()
        if [tuple(array.shape) for array in arrays] != [tuple(parameter.shape) for parameter in self._parameters] or [
            layer.residual for layer in layers.body
        ] != [layer.residual for layer in own.body]:
            raise ValueError("layers of other shapes")
        with torch.no_grad():
            for array, parameter, mean in zip(arrays, self._parameters, self._mean, strict=True):
                parameter.copy_(torch.from_numpy(np.array(array)))
                mean.copy_(parameter)

    def update(self, batch: Batch, rate: float) -> tuple[float, float]:
        """Makes one update. Returns the policy loss and the value loss."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16, enabled=self._settings.bfloat16):
            logits, values = self._module(torch.from_numpy(batch.planes))
        logits, values = logits.float(), values.float()
        # Rows without a policy target are all zeros and add nothing to the policy loss.
        policies = torch.from_numpy(batch.policies)
        targets = policies.sum().clamp(min=1)
        policy_loss = -(policies * functional.log_softmax(logits, 1)).sum() / targets
        # A value of tanh(x) is a win probability of sigmoid(2x), whose natural loss is the cross entropy.
        win_probabilities = (torch.from_numpy(batch.values) + 1) / 2
        value_loss = functional.binary_cross_entropy_with_logits(2 * values, win_probabilities)
        self._optimizer.zero_grad()
        (policy_loss + value_loss).backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()
        self.updates += 1
        # Early averages forget faster, so that random initial weights do not stay in them.
        settings = self._settings
        keep = settings.average if settings.initial_model else min(settings.average, self.updates / (self.updates + 10))
        with torch.no_grad():
            for mean, parameter in zip(self._mean, self._parameters, strict=True):
                mean.lerp_(parameter, 1 - keep)
        return policy_loss.item(), value_loss.item()

    def errors(self, batch: Batch) -> tuple[float, float, float]:
        """Of the network that plays, on positions: policy loss, value loss, and how often its first move is the best.

        The policy loss is the cross entropy less the entropy of the targets: 0 for the same policies.
        """
        module = copy.deepcopy(self._module)
        with torch.no_grad():
            for parameter, mean in zip(module.parameters(), self._mean, strict=True):
                parameter.copy_(mean)
            logits, values = module(torch.from_numpy(batch.planes))
            policies = torch.from_numpy(batch.policies)
            # As in play, only legal moves count.
            logs = functional.log_softmax(logits.masked_fill(policies == 0, -1e9), 1)
            policy_loss = functional.kl_div(logs, policies, reduction="batchmean")
            win_probabilities = (torch.from_numpy(batch.values) + 1) / 2
            value_loss = functional.binary_cross_entropy_with_logits(2 * values, win_probabilities)
            agreed = (logs.argmax(1) == policies.argmax(1)).float().mean()
        return policy_loss.item(), value_loss.item(), agreed.item()

    def layers(self) -> Layers:
        """The moving average of the weights."""
        names = [name for name, _ in self._module.named_parameters()]
        arrays = {name: mean.numpy().copy() for name, mean in zip(names, self._mean, strict=True)}

        def layer(name: str) -> Layer:
            weight = arrays[f"{name}.weight"]
            kind, _, number = name.partition(".")
            residual = kind == "convolutions" and self._settings.is_residual(int(number))
            return Layer(
                weight if weight.ndim == 4 else np.ascontiguousarray(weight.T), arrays[f"{name}.bias"], residual
            )

        body = [f"convolutions.{n}" for n in range(len(self._module.convolutions))]
        body += [f"dense.{n}" for n in range(len(self._module.dense))]
        return Layers(tuple(map(layer, body)), layer("policy"), layer("value"))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Weights, their moving average, and the optimizer's state."""
        found: dict[str, NDArray[Any]] = {}
        for n, parameter in enumerate(self._parameters):
            kept = self._optimizer.state.get(parameter, {})
            parts = {"weights": parameter.detach(), "mean": self._mean[n]}
            parts |= {name: kept[name] for name in ("exp_avg", "exp_avg_sq") if name in kept}
            found |= {f"trainer.{n}.{name}": array.numpy().copy() for name, array in parts.items()}
        return found

    def restore(self, arrays: dict[str, NDArray[Any]], updates: int) -> None:
        self.updates = updates
        with torch.no_grad():
            for n, parameter in enumerate(self._parameters):
                parts = {
                    name.rpartition(".")[2]: torch.from_numpy(array.copy())
                    for name, array in arrays.items()
                    if name.startswith(f"trainer.{n}.")
                }
                parameter.copy_(parts["weights"])
                self._mean[n].copy_(parts["mean"])
                self._optimizer.state.pop(parameter, None)
                if "exp_avg" in parts:
                    self._optimizer.state[parameter] = {
                        "step": torch.tensor(float(updates)),
                        "exp_avg": parts["exp_avg"],
                        "exp_avg_sq": parts["exp_avg_sq"],
                    }


def _initial_values(name: str, shape: tuple[int, ...], random: np.random.Generator) -> NDArray[np.float32]:
    """Initial weights: He's for layers before a ReLU; small ones for the heads, so that outputs start near zero."""
    if name.endswith("bias"):
        return np.zeros(shape, np.float32)
    inputs = int(np.prod(shape[1:]))
    scale = 0.1 / inputs**0.5 if name.startswith(("policy", "value")) else (2 / inputs) ** 0.5
    return np.asarray(scale * random.standard_normal(shape), np.float32)
