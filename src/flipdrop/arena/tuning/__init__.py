"""Tuning: a search for good values of a player's options, and an honest figure for what it found."""

from flipdrop.arena.tuning.ranges import Range
from flipdrop.arena.tuning.tuning import Trial, Tuning, TuningResult

__all__ = ["Range", "Trial", "Tuning", "TuningResult"]
