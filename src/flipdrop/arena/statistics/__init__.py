"""What results say: Elo differences with intervals, sequential tests, ratings. No files, no games, no players.

results      games and pairs of games, counted
likelihood   the likeliest distribution of results that has a given score
elo          the Elo difference of two players, with an interval
sprt         the sequential test that stops a match
brownian     a particle between two walls, which is what that test is like
stopped      the Elo difference after such a test
crosstable   who scored what against whom
bradley_terry, fitting, ratings   ratings of many players
placement    the rating of one new player among rated ones
simulation   matches drawn by lot, to see whether all this is true
"""

from flipdrop.arena.statistics.crosstable import CrossTable
from flipdrop.arena.statistics.elo import EloEstimate, elo_of_score, estimate_elo, score_of_elo
from flipdrop.arena.statistics.ratings import Difference, Rating, Ratings, rate
from flipdrop.arena.statistics.results import Games, Pairs, Tally
from flipdrop.arena.statistics.simulation import PairModel, SprtRuns, simulate_matches, simulate_sprt
from flipdrop.arena.statistics.single_rating import Opponent, Placement, place
from flipdrop.arena.statistics.sprt import Decision, Sprt, SprtResult
from flipdrop.arena.statistics.stopping_bias import estimate_after_sprt

__all__ = [
    "CrossTable",
    "Decision",
    "Difference",
    "EloEstimate",
    "Games",
    "Opponent",
    "PairModel",
    "Pairs",
    "Placement",
    "Rating",
    "Ratings",
    "Sprt",
    "SprtResult",
    "SprtRuns",
    "Tally",
    "elo_of_score",
    "estimate_after_sprt",
    "estimate_elo",
    "place",
    "rate",
    "score_of_elo",
    "simulate_matches",
    "simulate_sprt",
]
