"""`PlayerPool`: keeps players between games, so that an external engine does not start anew for each of them."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from flipdrop.players import player
from flipdrop.players.agent_process import AgentLimits
from flipdrop.players.spec import runs_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from flipdrop.games import Game
    from flipdrop.players import SpecPlayer

    Makers: TypeAlias = Mapping[str, Callable[[int], SpecPlayer]]
    """Functions that make a player from a seed."""


MAX_IDLE = 16
"""Engines without a game that stay alive, of all specs together; the one that has been idle longest ends first."""


class PlayerPool:
    """Makes the players of games, and keeps those that are reusable. Several threads may use it.

    A player that is taken belongs to the caller until it is given back, so an engine plays one game at a time.

    :param makers: make players that only this process has, by the name that tasks use as the spec
    :param agents: limits of agents from files
    """

    def __init__(self, makers: Makers | None = None, agents: AgentLimits | None = None) -> None:
        self._makers = makers or {}
        self._agents = agents or AgentLimits()
        self._taken: dict[int, SpecPlayer] = {}  # by id: not every player can be hashed
        self._idle: list[tuple[str, SpecPlayer]] = []
        self._lock = Lock()

    def __enter__(self) -> PlayerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self, spec: str, *, game: Game, seed: int) -> SpecPlayer:
        """A player for a game: an idle one of the same spec, or a new one."""
        with self._lock:
            place = next((place for place, (of, _) in enumerate(self._idle) if of == spec), None)
            kept = None if place is None else self._idle.pop(place)[1]
        if kept is None:
            made = self._made(spec, game, seed)
        else:
            made = kept
            try:
                made.reseed(seed)
                made.check_supported(game)
            except BaseException:
                made.close()
                raise
        with self._lock:
            self._taken[id(made)] = made
        return made

    def _made(self, spec: str, game: Game, seed: int) -> SpecPlayer:
        if spec in self._makers:
            return self._makers[spec](seed)
        return self._agents.make(spec, seed=seed) if runs_code(spec) else player(spec, game=game, seed=seed)

    def give_back(self, spec: str, used: SpecPlayer) -> None:
        """Keeps a player for another game with the same spec, or closes it."""
        with self._lock:
            self._taken.pop(id(used), None)
        surplus = [used]
        if used.is_reusable:
            used.new_game()
            with self._lock:
                self._idle.append((spec, used))
                surplus = [one for _, one in self._idle[:-MAX_IDLE]]
                del self._idle[:-MAX_IDLE]
        for one in surplus:
            one.close()

    def interrupt(self) -> None:
        """Makes players that other threads wait for fail soon."""
        with self._lock:
            taken = list(self._taken.values())
        for one in taken:
            one.interrupt()

    def close(self) -> None:
        """Closes the idle players. The pool can be used again."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, one in idle:
            one.close()
