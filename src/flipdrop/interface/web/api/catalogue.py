"""Games, players and evaluations by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel

from flipdrop.evaluation.registry import DEFINITIONS, PRESETS
from flipdrop.games import game as game_of
from flipdrop.games.catalogue import EXAMPLES
from flipdrop.players import KINDS, LEVELS

if TYPE_CHECKING:
    from fastapi import APIRouter


class GameInfo(BaseModel):
    """A game."""

    name: str
    title: str
    sides: list[str]


class LevelInfo(BaseModel):
    """A level."""

    spec: str
    meaning: str


class OptionInfo(BaseModel):
    """An option of a player."""

    name: str
    takes: str
    meaning: str


class PlayerTypeInfo(BaseModel):
    """A type of player."""

    name: str
    meaning: str
    options: list[OptionInfo]


class PlayerCatalogue(BaseModel):
    """All players of flipdrop's own."""

    levels: list[LevelInfo]
    kinds: list[PlayerTypeInfo]


class EvaluationInfo(BaseModel):
    """An evaluation function."""

    name: str
    game: str
    description: str


class PresetInfo(BaseModel):
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
        found = [game_of(name) for name in EXAMPLES]
        return [GameInfo(name=game.name, title=game.title, sides=list(game.sides)) for game in found]

    @router.get("/players")
    async def players() -> PlayerCatalogue:
        """Levels and types of players, with their options."""
        kinds = [
            PlayerTypeInfo(
                name=kind.name,
                meaning=kind.meaning,
                options=[
                    OptionInfo(name=option.name, takes=option.takes, meaning=option.meaning) for option in kind.options
                ],
            )
            for kind in KINDS.values()
        ]
        levels = [LevelInfo(spec=f"level:{number}", meaning=level.meaning) for number, level in LEVELS.items()]
        return PlayerCatalogue(levels=levels, kinds=kinds)

    @router.get("/evaluations")
    async def evaluations() -> EvaluationCatalogue:
        """Evaluation functions and their weight sets by name."""
        return EvaluationCatalogue(
            evaluations=[
                EvaluationInfo(name=one.name, game=one.game, description=one.description) for one in DEFINITIONS
            ],
            presets=[PresetInfo(name=one.name, evaluation=one.evaluation) for one in PRESETS.values()],
        )
