"""Tuning: a search for good values of a player's options, and an unbiased measurement of the result."""

from flipdrop.arena.tuning.ranges import Range
from flipdrop.arena.tuning.tuning import Trial, Tuning, TuningResult

__all__ = ["Range", "Trial", "Tuning", "TuningResult"]
