"""Games, players and evaluations by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.responses import Response  # noqa: TC002 - read at run time

from flipdrop.evaluation.registry import DEFINITIONS, PRESETS
from flipdrop.games import game as game_of
from flipdrop.games.catalogue import EXAMPLES
from flipdrop.interface.web.api.responses import json_response
from flipdrop.players import LEVELS, PLAYER_TYPES

if TYPE_CHECKING:
    from fastapi import APIRouter


def add_routes(router: APIRouter) -> None:
    @router.get("/games")
    async def games() -> Response:
        """Examples of games; Connect Four is played on every board from 4x4 to 12x12."""
        found = [game_of(name) for name in EXAMPLES]
        return json_response([{"name": game.name, "title": game.title, "sides": list(game.sides)} for game in found])

    @router.get("/players")
    async def players() -> Response:
        """Levels and types of players, with their options."""
        kinds = [
            {
                "name": kind.name,
                "meaning": kind.meaning,
                "options": [
                    {"name": option.name, "takes": option.expected, "meaning": option.description}
                    for option in kind.options
                ],
            }
            for kind in PLAYER_TYPES.values()
        ]
        levels = [{"spec": f"level:{number}", "meaning": level.meaning} for number, level in LEVELS.items()]
        return json_response({"levels": levels, "kinds": kinds})

    @router.get("/evaluations")
    async def evaluations() -> Response:
        """Evaluations by name."""
        named = [{"name": one.name, "game": one.game, "description": one.description} for one in DEFINITIONS]
        presets = [{"name": one.name, "evaluation": one.evaluation} for one in PRESETS.values()]
        return json_response({"evaluations": named, "presets": presets})
