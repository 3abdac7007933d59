"""What results say: Elo with its interval, sequential tests, ratings. Pure functions of counts."""

from flipdrop.arena.statistics.elo import EloEstimate, elo_of_score, estimate_elo, score_of_elo
from flipdrop.arena.statistics.results import Games, Pairs, Tally
from flipdrop.arena.statistics.sprt import Decision, Sprt, SprtResult

__all__ = [
    "Decision",
    "EloEstimate",
    "Games",
    "Pairs",
    "Sprt",
    "SprtResult",
    "Tally",
    "elo_of_score",
    "estimate_elo",
    "score_of_elo",
]
