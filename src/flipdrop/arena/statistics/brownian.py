"""A particle that drifts and diffuses between two walls, and sticks to the wall that it hits first.

This is what the log-likelihood ratio of a sequential test does when it moves in many small steps::

    1 ---------------------------------   the upper wall
              .  /\\    /\\  .
    x  ._/\\_/ \\/  \\/\\/  \\/ . y
    0 ---------------------------------   the lower wall
       0                     time

Everything is in units of the distance between the walls, and of the time in which the particle diffuses about as far:
walls at 0 and 1, a variance of 1 for each unit of time, the start at x.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

IMAGES = 2.0 * np.arange(-5, 6)
WAVES = np.arange(1, 41)

SHORT = 0.1
"""Up to this time the sum over mirror images needs few terms; from it on the sine series does."""


def chance_below(start: float, drift: float, time: float, height: float) -> float:
    """The chance that the particle passes below the point (time, height).

    That is: it has stuck to the lower wall before, or it is still free and lower than `height`. At height 0 only the
    former counts; at height 1 all that has not stuck to the upper wall before.
    """
    if height >= 1:
        chance = 1 - chance_below(1 - start, -drift, time, 0.0)
    elif time < SHORT:
        chance = _stuck_to_lower(start, drift, time) + _free_below(start, drift, time, height)
    else:
        chance = _by_sine_series(start, drift, time, height)
    return min(1.0, max(0.0, chance))


def _stuck_to_lower(start: float, drift: float, time: float) -> float:
    """The chance of having reached the lower wall, and not the upper one before.

    The density of the first passage is that of a particle without walls, summed over the mirror images of the start;
    each term integrates to the inverse Gaussian distribution.
    """
    distances = start + IMAGES
    away, speed, spread = np.abs(distances), abs(drift), math.sqrt(time)
    before = special.log_ndtr((speed * time - away) / spread) - speed * away
    after = special.log_ndtr(-(speed * time + away) / spread) + speed * away
    return float((np.sign(distances) * (np.exp(before - drift * start) + np.exp(after - drift * start))).sum())


def _free_below(start: float, drift: float, time: float, height: float) -> float:
    """The chance of having met no wall, and being lower than `height`."""
    spread = math.sqrt(time)
    chance = 0.0
    for sign, shifts in ((1.0, IMAGES), (-1.0, IMAGES - 2 * start)):
        low, high = ((edge - start - shifts - drift * time) / spread for edge in (0.0, height))
        flipped = low > 0  # take the difference in the tail, where it is not that of two numbers close to 1
        one = special.log_ndtr(np.where(flipped, -low, high)) + drift * shifts
        other = special.log_ndtr(np.where(flipped, -high, low)) + drift * shifts
        chance += sign * float((np.exp(one) - np.exp(other)).sum())
    return chance


def _by_sine_series(start: float, drift: float, time: float, height: float) -> float:
    """The whole chance, from the expansion of the density in sine waves.

    The chance of ending at the lower wall, ``h(x) = (e^(-2mx) - e^(-2m)) / (1 - e^(-2m))``, plus that of being free
    below `height`, minus that of being free now and ending at the lower wall; each wave's integral is elementary.
    """
    pi_n = math.pi * WAVES
    waves = np.exp(-(pi_n**2) * time / 2) * np.sin(pi_n * start)
    integrals = (drift * np.sin(pi_n * height) - pi_n * np.cos(pi_n * height)) / (drift**2 + pi_n**2)
    correction = 2 * math.exp(drift * (height - start) - drift**2 * time / 2) * float((waves * integrals).sum())
    return _ends_at_lower(start, drift) + correction


def _ends_at_lower(start: float, drift: float) -> float:
    """The chance that the particle ends at the lower wall."""
    if abs(drift) < 1e-12:
        return 1 - start  # the limit: the formula below would divide nothing by nothing
    if drift < 0:
        return 1 - _ends_at_lower(1 - start, -drift)
    return math.exp(-2 * drift * start) * math.expm1(-2 * drift * (1 - start)) / math.expm1(-2 * drift)
