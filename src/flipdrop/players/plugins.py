"""Players of other packages, by name: the entry points ``flipdrop.players``.

An entry point is a class or a function as in a file of an agent, a `SpecPlayer` with options, or a `PlayerType`. It is
loaded when it is named.
"""

from __future__ import annotations

import dataclasses
import inspect
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError, one_line
from flipdrop.options import Option, options_of
from flipdrop.players.agent_loader import agent_of
from flipdrop.players.player import SpecPlayer
from flipdrop.players.registry import PlayerType

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "flipdrop.players"
_SEED = Option("seed", int, 0, "of every random choice", minimum=0)


def plugin_names() -> list[str]:
    """The names of the players of other packages."""
    return sorted(entry_points(group=GROUP).names)


def plugin_type(name: str) -> PlayerType | None:
    """The type of a player of another package; None if no package has one of this name."""
    found: list[EntryPoint] = list(entry_points(group=GROUP, name=name))
    if not found:
        return None
    try:
        loaded: Any = found[0].load()
    except Exception as error:  # another package's code may raise anything
        raise PlayerError(f"{found[0].value} cannot be loaded: {type(error).__name__}: {one_line(error)}") from error
    if isinstance(loaded, PlayerType):
        return loaded
    description = (inspect.getdoc(loaded) or found[0].value).partition("\n")[0]
    if inspect.isclass(loaded) and issubclass(loaded, SpecPlayer):
        if inspect.isabstract(loaded):
            missing = ", ".join(sorted(loaded.__abstractmethods__))
            raise PlayerError(f"{found[0].value} cannot be made: it does not define {missing}")
        if not dataclasses.is_dataclass(loaded) or loaded.kind is SpecPlayer.kind:
            raise PlayerError(f"{found[0].value} cannot be made: it has to be a dataclass with kind = {name!r}")
        return PlayerType(name, description, options_of(loaded), loaded)
    return PlayerType(name, description, (_SEED,), lambda seed=0: agent_of(loaded, name, seed=seed))
