"""Sweeps: the strength of a player over a grid of values of its options."""

from flipdrop.arena.sweep.axes import Axis
from flipdrop.arena.sweep.result import GridPoint, SweepResult
from flipdrop.arena.sweep.settings import value_of, with_values
from flipdrop.arena.sweep.sweep import Sweep

__all__ = ["Axis", "GridPoint", "Sweep", "SweepResult", "value_of", "with_values"]
