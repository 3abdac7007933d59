"""Checks an agent before it is taken: it loads, and plays legal moves in time."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from flipdrop.errors import PlayerError
from flipdrop.interface.web.agents.code import LOAD_SECONDS
from flipdrop.interface.web.agents.source import AgentRefused
from flipdrop.players.clock import Clock

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.agents.code import AgentCode

_LATE = "did not answer in time"
_DEPTHS = (0, 6, 12, 18)
"""Random moves before each position that the agent has to move in."""


def check_agent(agent: AgentCode, game: Game, *, seconds: float, load_seconds: float = LOAD_SECONDS) -> None:
    """Raises `AgentRefused` with the reason, unless the agent loads and plays legal moves within the time."""
    player = agent.player(move_timeout=load_seconds)
    try:
        try:
            player.check_supported(game)
        except PlayerError as error:
            if _LATE in str(error):
                raise AgentRefused(
                    f"it was not loaded within {load_seconds:g} s; code outside of functions must end soon"
                ) from None
            raise
        for position in _positions(game):
            began = time.monotonic()
            try:
                player.choose(position, Clock(move_limit=seconds))
            except PlayerError as error:
                if _LATE not in str(error):
                    raise
            if (taken := time.monotonic() - began) > seconds:
                raise AgentRefused(f"it took {taken:.1f} s for a move in {position!r}; the limit is {seconds:g} s")
    except AgentRefused:
        raise
    except PlayerError as error:
        raise AgentRefused(str(error)) from None
    finally:
        player.close()


def _positions(game: Game) -> list[Position]:
    """The start, and positions of a random game in which there is a choice."""
    found = []
    for depth in _DEPTHS:
        random, position = Random(depth), game.start()
        for _ in range(depth):
            if not position.is_over:
                position = position.play(random.choice(position.legal_moves))
        if not position.is_over and len(position.legal_moves) > 1:
            found.append(position)
    return found
