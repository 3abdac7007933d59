"""Games, players and evaluations by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from flipdrop.evaluation.registry import DEFINITIONS, PRESETS
from flipdrop.games import game as game_of
from flipdrop.games.catalogue import EXAMPLES
from flipdrop.players import LEVELS, PLAYER_TYPES

if TYPE_CHECKING:
    from fastapi import APIRouter


class CatalogueEntry(BaseModel):
    """A view of an object of the package, by its attributes."""

    model_config = ConfigDict(from_attributes=True)


class GameInfo(CatalogueEntry):
    """A game."""

    name: str
    title: str
    sides: list[str]


class LevelInfo(CatalogueEntry):
    """A level of play."""

    spec: str
    description: str


class OptionInfo(CatalogueEntry):
    """An option of a player."""

    name: str
    expected: str
    description: str


class PlayerTypeInfo(CatalogueEntry):
    """A type of player."""

    name: str
    description: str
    options: list[OptionInfo]


class PlayerCatalogue(BaseModel):
    """All players of flipdrop's own."""

    levels: list[LevelInfo]
    types: list[PlayerTypeInfo]


class EvaluationInfo(CatalogueEntry):
    """An evaluation function."""

    name: str
    game: str
    description: str


class PresetInfo(CatalogueEntry):
    """Weights of an evaluation function."""

    name: str
    evaluation: str


class EvaluationCatalogue(BaseModel):
    """All evaluation functions, and weights for them."""

    evaluations: list[EvaluationInfo]
    presets: list[PresetInfo]


def add_routes(router: APIRouter) -> None:
    @router.get("/games")
    async def games() -> list[GameInfo]:
        """Examples of games; Connect Four is played on every board from 4x4 to 12x12."""
        return [GameInfo.model_validate(game_of(name)) for name in EXAMPLES]

    @router.get("/players")
    async def players() -> PlayerCatalogue:
        """Levels and types of players, with their options."""
        return PlayerCatalogue(
            levels=[LevelInfo(spec=f"level:{n}", description=level.description) for n, level in LEVELS.items()],
            types=[PlayerTypeInfo.model_validate(kind) for kind in PLAYER_TYPES.values()],
        )

    @router.get("/evaluations")
    async def evaluations() -> EvaluationCatalogue:
        """Evaluation functions and their weight sets by name."""
        return EvaluationCatalogue(
            evaluations=[EvaluationInfo.model_validate(definition) for definition in DEFINITIONS],
            presets=[PresetInfo.model_validate(preset) for preset in PRESETS.values()],
        )
