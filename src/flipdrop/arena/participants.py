"""`Participants`: the players of a competition, given as specs or as Python objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.arena.running.serial_runner import SerialRunner
from flipdrop.errors import FlipdropError
from flipdrop.players import FunctionPlayer
from flipdrop.players import player as player_of
from flipdrop.players.agent_loader import split_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flipdrop.arena.running import Runner
    from flipdrop.games import Game
    from flipdrop.players import PlayerLike, SpecPlayer


class Participants:
    """The specs of players, and the objects among them that no spec describes.

    Results name such an object ``python:NAME``. It exists in this process only, so `runner` plays in the thread of the
    caller, one game after the other: the same seed gives the same games, output and Ctrl-C work as everywhere.

    :param players: the same object may take part once
    :param game: that all of them have to support
    """

    def __init__(self, players: Iterable[PlayerLike], *, game: Game | str) -> None:
        self.game = game if isinstance(game, str) else game.name
        self._makers: dict[str, Callable[[int], SpecPlayer]] = {}
        self.specs = tuple(map(self._spec, players))

    def runner(self) -> Runner | None:
        """The runner for objects; None if every player has a spec, so that any runner will do."""
        return SerialRunner(self._makers) if self._makers else None

    def _spec(self, given: PlayerLike) -> str:
        if isinstance(given, str):
            return given
        made = player_of(given, game=self.game, seed=0)
        if _describes(made.spec, made):
            return made.spec
        name = base = f"python:{made.name}"
        number = 1
        while name in self._makers:
            number += 1
            name = f"{base}-{number}"
        self._makers[name] = lambda seed: player_of(given, game=self.game, seed=seed)
        return name


def _describes(spec: str, made: SpecPlayer) -> bool:
    """Whether another process can make an equal player from the spec."""
    if isinstance(made, FunctionPlayer):
        return split_path(spec) is not None
    try:
        again = player_of(spec)
    except FlipdropError:
        return False
    one, two = _evaluation(made), _evaluation(again)
    return type(again) is type(made) and again.spec == spec and (one == two or (one.is_function and bool(one.source)))


def _evaluation(made: SpecPlayer) -> Any:
    return getattr(getattr(made, "search", made), "evaluation", None)
