"""Evolving the weights of evaluations: the genetic algorithms of reports R1, R2 and R5, and CMA-ES beside them.

`genomes` say what evolves, `operators` how vectors become other vectors, `meetings` how good they are. The learners are
compositions of these.
"""

from flipdrop.learning.genetic.evolution import Evolution
from flipdrop.learning.genetic.evolution_strategy import EvolutionStrategy
from flipdrop.learning.genetic.genomes import Genome, genome
from flipdrop.learning.genetic.online import OnlineGA
from flipdrop.learning.genetic.positions import PositionsGA
from flipdrop.learning.genetic.tournament import Contest, TournamentGA

__all__ = [
    "Contest",
    "Evolution",
    "EvolutionStrategy",
    "Genome",
    "OnlineGA",
    "PositionsGA",
    "TournamentGA",
    "genome",
]
