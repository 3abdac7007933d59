"""Games, players and evaluations by name."""

from __future__ import annotations

from fastapi import APIRouter

from flipdrop.evaluation.registry import DEFINITIONS, PRESETS
from flipdrop.games import game as game_of
from flipdrop.games.catalogue import EXAMPLES
from flipdrop.interface.web.schemas import EvaluationCatalogue, GameView, LevelView, PlayerCatalogue
from flipdrop.players import LEVELS, PLAYER_TYPES

router = APIRouter()


@router.get("/games")
async def games() -> list[GameView]:
    """Examples of games; Connect Four is played on every board from 4x4 to 12x12."""
    return [GameView.model_validate(game_of(name)) for name in EXAMPLES]


@router.get("/players")
async def players() -> PlayerCatalogue:
    """Levels and types of players, with their options."""
    levels = [LevelView(spec=f"level:{number}", description=level.description) for number, level in LEVELS.items()]
    return PlayerCatalogue.model_validate({"levels": levels, "types": list(PLAYER_TYPES.values())})


@router.get("/evaluations")
async def evaluations() -> EvaluationCatalogue:
    """Evaluation functions and their weight sets by name."""
    return EvaluationCatalogue.model_validate({"evaluations": list(DEFINITIONS), "presets": list(PRESETS.values())})
