"""What learners of pattern networks share: fitting one to known values, and what a checkpoint keeps of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.kernel import LearningSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.kernel import PatternNetwork


def fit(
    network: PatternNetwork, positions: list[Any], values: NDArray[np.float32], *, rate: float, threads: int = 1
) -> float:
    """Moves the network's sums towards the values of positions, one after the other; several threads write to the same
    weights without waiting for each other.

    :param positions: the kernel's, with the value of each for the side to move
    :returns: the root mean square of the errors, each as it was before the position was learned
    """
    settings = LearningSettings()
    settings.rate = rate
    return float(np.sqrt(network.fit(positions, values, settings, linear=True, threads=threads)))


def network_arrays(network: PatternNetwork) -> dict[str, NDArray[Any]]:
    """Its weights, and what is remembered of their errors."""
    net, absolute = network.coherence
    return {"weights": network.weights, "net": net, "absolute": absolute}


def restore_network(network: PatternNetwork, arrays: dict[str, NDArray[Any]]) -> None:
    """Takes back what `network_arrays` gave."""
    network.weights = arrays["weights"].astype(np.float32)
    network.coherence = (arrays["net"], arrays["absolute"])
