"""Games, players and evaluations by name."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from flipdrop.evaluation.registry import DEFINITIONS, PRESETS
from flipdrop.games import game as game_of
from flipdrop.games.catalogue import EXAMPLES
from flipdrop.players import LEVELS, PLAYER_TYPES

router = APIRouter()


@router.get("/games")
async def games() -> list[dict[str, Any]]:
    """Examples of games; Connect Four is played on every board from 4x4 to 12x12."""
    found = [game_of(name) for name in EXAMPLES]
    return [{"name": game.name, "title": game.title, "sides": game.sides} for game in found]


@router.get("/players")
async def players() -> dict[str, list[dict[str, Any]]]:
    """Levels and types of players, with their options."""
    return {
        "levels": [{"spec": f"level:{number}", "description": level.description} for number, level in LEVELS.items()],
        "types": [
            {
                "name": kind.name,
                "description": kind.description,
                "options": [
                    {"name": option.name, "expected": option.expected, "description": option.description}
                    for option in kind.options
                ],
            }
            for kind in PLAYER_TYPES.values()
        ],
    }


@router.get("/evaluations")
async def evaluations() -> dict[str, list[dict[str, Any]]]:
    """Evaluation functions and their weight sets by name."""
    return {
        "evaluations": [{"name": one.name, "game": one.game, "description": one.description} for one in DEFINITIONS],
        "presets": [{"name": one.name, "evaluation": one.evaluation} for one in PRESETS.values()],
    }
