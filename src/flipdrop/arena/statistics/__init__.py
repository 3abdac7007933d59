"""What results say: Elo differences with intervals, sequential tests, ratings. No files, no games, no players."""

from flipdrop.arena.statistics.crosstable import CrossTable
from flipdrop.arena.statistics.elo import EloEstimate, elo_of_score, estimate_elo, score_of_elo
from flipdrop.arena.statistics.ratings import Difference, Rating, Ratings, rate
from flipdrop.arena.statistics.results import Games, Pairs, Tally
from flipdrop.arena.statistics.sprt import Decision, Sprt, SprtResult
from flipdrop.arena.statistics.stopped import estimate_after_sprt

__all__ = [
    "CrossTable",
    "Decision",
    "Difference",
    "EloEstimate",
    "Games",
    "Pairs",
    "Rating",
    "Ratings",
    "Sprt",
    "SprtResult",
    "Tally",
    "elo_of_score",
    "estimate_after_sprt",
    "estimate_elo",
    "rate",
    "score_of_elo",
]
