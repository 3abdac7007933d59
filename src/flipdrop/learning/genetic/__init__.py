"""Evolving the weights of evaluations: the genetic algorithms of reports R1, R2 and R5, and CMA-ES beside them.

`genomes` say what evolves, `operators` how vectors become other vectors, `meetings` how good they are. The learners are
compositions of these.
"""

from flipdrop.learning.genetic.evolution import Evolution
from flipdrop.learning.genetic.evolution_strategy import EvolutionStrategy
from flipdrop.learning.genetic.genomes import Genome, genome
from flipdrop.learning.genetic.online_ga import OnlineGA
from flipdrop.learning.genetic.position_ga import PositionGA
from flipdrop.learning.genetic.tournament_ga import RoundRobin, TournamentGA

__all__ = [
    "Evolution",
    "EvolutionStrategy",
    "Genome",
    "OnlineGA",
    "PositionGA",
    "RoundRobin",
    "TournamentGA",
    "genome",
]
