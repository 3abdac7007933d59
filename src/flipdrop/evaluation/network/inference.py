"""Inference of networks by onnxruntime, which is imported on first use."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from flipdrop.errors import ModelError
from flipdrop.evaluation.network.network_file import NetworkMetadata, read_bytes, validated_metadata
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.games import Game

SHIPPED_GAMES = ("connect4", "othello", "othello6")
"""The games for which the package contains a network."""


class Evaluator(Protocol):
    """A callable from board planes to policy and value."""

    def __call__(self, planes: NDArray[np.float32], /) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits of every move (batch x moves) and expected outcomes for the side to move (batch).

        :param planes: batch x planes x rows x columns
        """


class Network:
    """A loaded network. Several threads may call it at once; each call runs on the caller's thread."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.metadata: NetworkMetadata = validated_metadata(name, data)
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # errors are raised anyway
        try:
            self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
            self(np.zeros(self._session_shape(), np.float32))
        except Exception as error:  # onnxruntime's own errors have no common class
            raise ModelError(f"{name} is no network that runs: {str(error).splitlines()[0]}") from None

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Network:
        return cls(os.fspath(path), read_bytes(path))

    def __call__(self, planes: NDArray[np.float32], /) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policy logits and values of a batch."""
        policy, value = self._session.run(["policy", "value"], {"planes": planes})
        return cast("Any", policy), cast("Any", value)

    def _session_shape(self) -> tuple[int, int, int, int]:
        _, planes, rows, columns = self._session.get_inputs()[0].shape
        return 1, planes, rows, columns

    def check_plays(self, game: Game) -> None:
        """Raises ModelError unless the network is for this game and size."""
        if game_of(self.metadata.game) != game:
            raise ModelError(f"{self.name} is a network for {self.metadata.game}, not for {game.name}")


def network_for(game: Game, path: str | os.PathLike[str] | None = None) -> Network:
    """The network in a file, or the package's own for a game.

    Networks are cached; a file that changes is read again.
    """
    if path is None:
        network = _shipped(game.name)
    else:
        state = Path(path).stat()
        network = _cached(os.fspath(path), state.st_mtime_ns, state.st_size)
    network.check_plays(game)
    return network


@lru_cache(maxsize=16)
def _cached(path: str, _changed: int, _size: int) -> Network:
    return Network.read(path)


@lru_cache
def _shipped(game: str) -> Network:
    if game not in SHIPPED_GAMES:
        raise ModelError(
            f"no network for {game} comes with flipdrop, only for {', '.join(SHIPPED_GAMES)}; "
            f"train one (flipdrop train {game} --out my.onnx) and name it, network:model=my.onnx"
        )
    name = f"{game}.onnx"
    data = (resources.files("flipdrop.evaluation.network") / "data" / name).read_bytes()
    return Network(name, data)
