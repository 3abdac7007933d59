"""Players that are written in Python, wherever a spec is accepted: functions, classes, objects, and searches."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from flipdrop.errors import PlayerError
from flipdrop.players.agent_loader import agent_of
from flipdrop.players.player import Player, SpecPlayer
from flipdrop.players.search_player import SearchPlayer
from flipdrop.players.solver_player import SolverPlayer
from flipdrop.players.validation import name_of, short_repr
from flipdrop.search import Engine, GuidedSearch, Mcts, Minimax, Puct, Solver
from flipdrop.search.search import Search


class Agent(Protocol):
    """An object with ``choose(position)`` or ``choose(position, clock)``, which gives a move's number or name."""

    @property
    def choose(self) -> Callable[..., Any]: ...


PlayerLike: TypeAlias = str | Player | Agent | Search | Solver | type | Callable[..., Any]
"""A spec, a player, a search, a class or an object with ``choose(position)`` or ``choose(position, clock)``, or a
function with the same arguments."""


def player_of_object(given: object, *, seed: int = 0) -> SpecPlayer:
    """The player that a Python object makes.

    :param seed: for a class that takes one
    """
    match given:
        case SpecPlayer():
            return given
        case Engine() | Minimax() | Mcts() | GuidedSearch():
            return SearchPlayer(given)
        case Solver():
            return SolverPlayer(seconds=given.seconds, threads=given.threads, table=given.table)
        case Puct():
            raise PlayerError("Puct needs a network; write network:model=my.onnx, or NetworkPlayer(Puct(), model)")
    if not (inspect.isclass(given) or callable(getattr(given, "choose", given))):
        raise TypeError(
            f"a player is a spec such as 'mcts:iterations=800', a search, a function, or a class or an object with "
            f"choose; not {short_repr(given)}"
        )
    return agent_of(given, _name(given), seed=seed)


def _name(given: object) -> str:
    """``f`` for a function that is defined in another one, ``lambda`` for one without a name."""
    own = given if inspect.isclass(given) or inspect.isroutine(given) else None
    name: str = name_of(given) if own is None else own.__name__
    return name.strip("<>")
