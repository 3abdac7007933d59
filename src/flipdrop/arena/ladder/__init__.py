"""The ladder: built-in opponents from random to the strongest, each with a rating, and the place of a player on it."""

from flipdrop.arena.ladder.climbing import Climb, Climber, Met, climb
from flipdrop.arena.ladder.measuring import Plan, measure
from flipdrop.arena.ladder.published import GAMES, Ladder, Rung, as_markdown, ladder, read_ladder, written

__all__ = [
    "GAMES",
    "Climb",
    "Climber",
    "Ladder",
    "Met",
    "Plan",
    "Rung",
    "as_markdown",
    "climb",
    "ladder",
    "measure",
    "read_ladder",
    "written",
]
