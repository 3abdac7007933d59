"""Environments for reinforcement learning: Gymnasium, PettingZoo and OpenSpiel (extra ``env``).

``GameEnv`` and ``VectorGameEnv`` (Gymnasium), ``aec_env`` and ``parallel_env`` (PettingZoo), and
`flipdrop.envs.openspiel`. Each name needs its own library only. Layouts of observations and actions are those of
docs/how-to/arrays.md.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from flipdrop.errors import FlipdropError, install_command

if TYPE_CHECKING:
    from flipdrop.envs.gym import GameEnv
    from flipdrop.envs.gym_vector import VectorGameEnv
    from flipdrop.envs.zoo import AecGameEnv, ParallelGameEnv, aec_env, parallel_env

_MODULES = {
    "AecGameEnv": "zoo",
    "GameEnv": "gym",
    "ParallelGameEnv": "zoo",
    "VectorGameEnv": "gym_vector",
    "aec_env": "zoo",
    "parallel_env": "zoo",
}

__all__ = ["AecGameEnv", "GameEnv", "ParallelGameEnv", "VectorGameEnv", "aec_env", "parallel_env"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'flipdrop.envs' has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"flipdrop.envs.{_MODULES[name]}"), name)
    except ModuleNotFoundError as error:
        raise FlipdropError(f"{name} needs {error.name}, which is not installed: {install_command('env')}") from error


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
