"""The ladder: rated built-in opponents from random moves to the strongest, and the placement of a player on it."""

from flipdrop.arena.ladder.measuring import LadderPlan, measure
from flipdrop.arena.ladder.placement import LadderPlacement, OpponentResult, PlacementResult, place_on_ladder
from flipdrop.arena.ladder.published import (
    GAMES,
    Ladder,
    LadderEntry,
    as_markdown,
    file_content,
    published_ladder,
    read_ladder,
)
from flipdrop.arena.ladder.quick_rating import QuickRating, rate_quickly

__all__ = [
    "GAMES",
    "Ladder",
    "LadderEntry",
    "LadderPlacement",
    "LadderPlan",
    "OpponentResult",
    "PlacementResult",
    "QuickRating",
    "as_markdown",
    "file_content",
    "measure",
    "place_on_ladder",
    "published_ladder",
    "rate_quickly",
    "read_ladder",
]
