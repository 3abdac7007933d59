"""Evolving the weights of evaluations by genetic algorithms or CMA-ES.

`genomes` say what evolves, `flipdrop.evaluation.genetic_operators` how vectors change, `fitness` how they are compared.
The learners are compositions of these; `methods` makes them by name.
"""

from flipdrop.learning.genetic.evolution import Evolution
from flipdrop.learning.genetic.evolution_strategy import EvolutionStrategy
from flipdrop.learning.genetic.genomes import Genome, genome
from flipdrop.learning.genetic.online_ga import OnlineGA
from flipdrop.learning.genetic.position_ga import PositionGA
from flipdrop.learning.genetic.tournament_ga import TournamentGA

__all__ = [
    "Evolution",
    "EvolutionStrategy",
    "Genome",
    "OnlineGA",
    "PositionGA",
    "TournamentGA",
    "genome",
]
