"""Statistics of results: Elo differences with intervals, sequential tests, ratings. No files, no games, no players.

results            counts of games and of pairs of games
likelihood         the maximum likelihood distribution of results with a given score
elo                the Elo difference of two players, with an interval
sprt               the sequential probability ratio test that stops a match
brownian           Brownian motion between two absorbing walls, a model of that test
stopping_bias      the Elo difference after such a test
crosstable         results of each pairing, by colour
bradley_terry      the model of ratings, and its maximum likelihood
ratings            ratings of many players with intervals
means              means with intervals, and which of them may be the highest
"""

from flipdrop.arena.statistics.crosstable import CrossTable
from flipdrop.arena.statistics.elo import EloEstimate, elo_of_score, estimate_elo, score_of_elo
from flipdrop.arena.statistics.ratings import Difference, Rating, Ratings, rate
from flipdrop.arena.statistics.results import Games, Pairs, Tally
from flipdrop.arena.statistics.sprt import Decision, Sprt, SprtResult
from flipdrop.arena.statistics.stopping_bias import estimate_after_sprt

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
