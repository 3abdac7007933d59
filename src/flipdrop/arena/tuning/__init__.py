"""Tuning: a search for good values of a player's options, and an honest figure for what it found."""

from flipdrop.arena.tuning.ranges import Range
from flipdrop.arena.tuning.tuning import Trial, Tuned, Tuning, TuningRun

__all__ = ["Range", "Trial", "Tuned", "Tuning", "TuningRun"]
