"""Many positions in one call: games stepped together, arrays, and batch evaluation, solving and analysis.

The layout of all arrays stands in docs/how-to/arrays.md.
"""

from flipdrop.batch.arrays import from_numpy, legal_masks, to_numpy
from flipdrop.batch.games import Games, Step
from flipdrop.batch.values import Analyses, Solutions, analyse, evaluate, solve

__all__ = [
    "Analyses",
    "Games",
    "Solutions",
    "Step",
    "analyse",
    "evaluate",
    "from_numpy",
    "legal_masks",
    "solve",
    "to_numpy",
]
