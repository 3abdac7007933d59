"""Statistics on simulated matches: error rates of sequential tests, coverage of intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.simulation import PairModel, simulate_matches, simulate_sprt
from flipdrop.arena.statistics import (
    Decision,
    Games,
    Pairs,
    Sprt,
    elo_of_score,
    estimate_after_sprt,
    estimate_elo,
)
from flipdrop.arena.statistics.elo import covered

MATCHES = 2_000
SEED = 2024

KINDS = {
    "no draws": {},
    "45% draws": {"draw_margin": 170.0},
    "openings decide": {"opening_bias": 300.0},
    "openings suit": {"draw_margin": 10.0, "opening_taste": 200.0},
}
"""Parameters of `PairModel` besides the Elo difference."""

TESTS = [
    (Sprt(0, 100), 1),
    (Sprt(0, 50), 1),
    (Sprt(0, 20), 1),
    (Sprt(0, 10), 8),
    (Sprt(-20, 20, alpha=0.1, beta=0.02), 1),
    (Sprt(0, 40, model="normalised"), 4),
]
"""Tests, and the number of pairs between their checks: close ones take thousands."""


def run(effort: float) -> None:
    """Prints every rate with its interval."""
    matches = max(100, round(MATCHES * effort))
    _errors_of_tests(matches)
    _coverage(10 * matches)
    _stopped(max(100, matches // 5))


def _errors_of_tests(matches: int) -> None:
    print(f"\nsequential tests: rates of error with their 95% intervals, {matches:,} simulated matches each")
    print(f"  {'test':>15} {'games':16} {'false positives, at elo0':>34} {'false negatives, at elo1':>34}")
    for sprt, every in TESTS:
        for kind, settings in KINDS.items():
            rates = []
            for elo, error, limit in ((sprt.elo0, Decision.H1, sprt.alpha), (sprt.elo1, Decision.H0, sprt.beta)):
                model = PairModel(elo, **settings)
                if sprt.model == "normalised":
                    model = _with_normalised_elo(elo, settings)
                runs = simulate_sprt(sprt, model, matches=matches, seed=SEED, every=every)
                rates.append(f"{_rate(runs.share(error), matches)} of {limit:.0%} in {runs.mean_games:6,.0f}")
            name = f"{sprt} {'n' if sprt.model == 'normalised' else ''}"
            print(f"  {name:>15} {kind:16} {rates[0]:>34} {rates[1]:>34}", flush=True)


def _with_normalised_elo(normalised: float, settings: dict[str, float]) -> PairModel:
    """The model whose normalised Elo is this: its Elo by bisection."""
    low, high = -400.0, 400.0
    for _ in range(50):
        middle = (low + high) / 2
        probabilities = PairModel(middle, **settings).probabilities()
        values = np.linspace(0, 1, 5)
        score = probabilities @ values
        deviation = np.sqrt(2 * probabilities @ (values - score) ** 2)
        low, high = (middle, high) if (score - 0.5) / deviation * 800 / np.log(10) < normalised else (low, middle)
    return PairModel((low + high) / 2, **settings)


def _rate(share: float, matches: int) -> str:
    wins = round(share * matches)
    low, high = estimate_elo(Games(wins=wins, losses=matches - wins)).score_interval
    return f"{share:6.1%} ({low:.1%} to {high:.1%})"


def _coverage(matches: int) -> None:
    print(f"\nwhat 95% intervals of Elo differences cover, ours and the normal one, {matches:,} simulated matches each")
    print(f"  {'pairs':>6} {'score':>6}  " + "  ".join(f"{kind:>16}" for kind in KINDS))
    for pairs in (5, 10, 20, 100, 1000):
        for score in (0.5, 0.6, 0.75, 0.9, 0.97):
            shares = []
            for settings in KINDS.values():
                model = PairModel(elo_of_score(score), **settings)
                counts = simulate_matches(model, pairs=pairs, matches=matches, seed=SEED).astype(np.float64)
                ours = np.mean(covered(counts, score))
                shares.append(f"{ours:7.1%} {np.mean(_covered_by_normal(counts, score)):7.1%}")
            print(f"  {pairs:6,} {score:6.0%}  " + "  ".join(f"{text:>16}" for text in shares), flush=True)


def _covered_by_normal(counts: NDArray[np.float64], score: float) -> NDArray[np.bool_]:
    """Whether the score is within 1.96 standard errors of the observed one."""
    values = np.linspace(0, 1, 5)
    n = counts.sum(axis=1)
    means = counts @ values / n
    variances = np.maximum(counts @ values**2 / n - means**2, 0)
    return np.asarray((means - score) ** 2 <= 1.96**2 * variances / n + 1e-12)


def _stopped(matches: int) -> None:
    print(
        f"\nestimates after a test has stopped the match, {matches:,} simulated matches each: "
        "cover the truth with 95% / are too large"
    )
    print(f"  {'test':>6} {'truth':>6} {'games':16} {'ours':>16} {'plain':>16}")
    for sprt in (Sprt(0, 20), Sprt(0, 100)):
        for elo in (sprt.elo0, (sprt.elo0 + sprt.elo1) / 2, sprt.elo1, 200.0):
            for kind in ("no draws", "openings decide"):
                runs = simulate_sprt(sprt, PairModel(elo, **KINDS[kind]), matches=matches, seed=SEED)
                results = [Pairs.from_counts(row) for row in runs.counts.tolist()]
                told = []
                for estimates in (
                    [estimate_after_sprt(sprt, result) for result in results],
                    [estimate_elo(result) for result in results],
                ):
                    covers = np.mean([e.elo_interval[0] <= elo <= e.elo_interval[1] for e in estimates])
                    above = np.mean([e.elo > elo for e in estimates])
                    told.append(f"{covers:7.1%} / {above:4.0%}")
                print(f"  {sprt!s:>6} {elo:6.0f} {kind:16} {told[0]:>16} {told[1]:>16}", flush=True)
