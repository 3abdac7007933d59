"""Report R5: what it printed."""

from __future__ import annotations

from flipdrop.experiments.experiment import printed

GENETIC, BY_HAND = "genetic", "by hand"
PRINTED_RATES = {
    name: {int(row[0]): float(row[place]) for row in printed("R5.1")}
    for place, name in enumerate((GENETIC, BY_HAND), 1)
}
"""Share of games won against random moves by a search of depth 4, by the origin of its weights and by games."""
PRINTED_MEAN = (0.15, 0.25, 0.2, 0.1, 0.3, 0.05, 0.1)
"""The mean of the weights, which adds up to 1.15."""
EXTRACT = [tuple(map(float, weights)) for _, *weights in printed("R5.1", 1)]
"""Weight vectors of single positions and generations."""
DEPTH, POSITIONS, GENERATIONS = 4, 20, 30
