"""Sequential tests: reference values, known formulas, notation, and error rates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from benchmarks.simulation import PairModel, simulate_sprt
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.statistics import Decision, Games, Pairs, Sprt, score_of_elo
from flipdrop.errors import ArenaError
from tests.arena.statistics.strategies import GOLDEN, some_results

if TYPE_CHECKING:
    from flipdrop.arena.statistics.sprt import EloModel

models = st.sampled_from(["logistic", "normalised"])


def test_reference_values() -> None:
    for case in GOLDEN["sprt"]:
        results = (Pairs if len(case["counts"]) == 5 else Games).from_counts(case["counts"])
        sprt = Sprt(case["elo0"], case["elo1"], model=case["model"])
        assert sprt.llr(results) == pytest.approx(case["llr"], abs=1e-6)
        assert (sprt.lower, sprt.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_bounds() -> None:
    sprt = Sprt(0, 5, alpha=0.01, beta=0.1)
    assert sprt.lower == pytest.approx(math.log(0.1 / 0.99))
    assert sprt.upper == pytest.approx(math.log(0.9 / 0.01))


def test_games_without_draws() -> None:
    """The ratio of two binomial likelihoods."""
    for elo0, elo1 in ((0, 50), (-30, 10)):
        s0, s1 = score_of_elo(elo0), score_of_elo(elo1)
        expected = 70 * math.log(s1 / s0) + 50 * math.log((1 - s1) / (1 - s0))
        assert Sprt(elo0, elo1).llr(Games(losses=50, wins=70)) == pytest.approx(expected, abs=2e-3)


def test_models_agree_without_draws() -> None:
    results = Games(losses=4800, wins=5200)
    assert Sprt(0, 10).llr(results) == pytest.approx(Sprt(0, 10, model="normalised").llr(results), rel=0.01)


def test_normalised_elo_and_draws() -> None:
    """As many games with the same score beside their spread: t = 0.06 without draws, and with half of them drawn."""
    decided, drawn = Games(losses=470, wins=530), Games(losses=229, draws=500, wins=271)
    normalised, logistic = Sprt(0, 10, model="normalised"), Sprt(0, 10)
    assert normalised.llr(drawn) == pytest.approx(normalised.llr(decided), rel=0.02)
    assert logistic.llr(drawn) > 1.15 * logistic.llr(decided)


@given(some_results, st.floats(-150, 150), st.floats(-150, 150), models)
def test_symmetry(results: Games | Pairs, one: float, other: float, model: EloModel) -> None:
    low, high = sorted((one, other))
    if high - low < 1:
        high = low + 1
    ours, theirs = Sprt(low, high, model=model), Sprt(-high, -low, model=model)
    llr = ours.llr(results)
    assert math.isfinite(llr)
    assert theirs.llr(results.reversed) == pytest.approx(-llr, abs=1e-6)


@given(some_results)
def test_decisions(results: Games | Pairs) -> None:
    sprt = Sprt(0, 40)
    test = sprt.test(results)
    assert test.llr == sprt.llr(results)
    assert test.decision is (
        Decision.H1 if test.llr >= test.upper else Decision.H0 if test.llr <= test.lower else Decision.CONTINUE
    )
    assert test.upper == pytest.approx(sprt.upper * (1 + 1 / max(1, results.total)))
    if results.total:
        code = {Decision.H0: -1, Decision.CONTINUE: 0, Decision.H1: 1}[test.decision]
        assert int(sprt.decisions(np.array(results.counts, dtype=np.float64))) == code
    assert test.to_json()["decision"] in ("H0", "H1", "continue")


def test_course_of_a_match() -> None:
    sprt = Sprt.parse("0,50")
    assert sprt.test(Pairs()).to_json() == {
        "llr": 0.0,
        "lower": 2 * sprt.lower,
        "upper": 2 * sprt.upper,
        "decision": "continue",
    }
    assert sprt.test(Pairs(ww=1)).decision is Decision.CONTINUE
    assert sprt.test(Pairs(even=10, ww=40)).decision is Decision.H1
    assert sprt.test(Pairs(ll=40, even=10)).decision is Decision.H0
    assert str(sprt.test(Pairs(ww=40))) == "LLR 5.34 (-3.02 to 3.02): H1 accepted: better"


def test_parse() -> None:
    assert Sprt.parse(" -3, 1.5 ") == Sprt(-3.0, 1.5)
    assert Sprt.parse("0,5", alpha=0.1, model="normalised") == Sprt(0, 5, alpha=0.1, model="normalised")
    assert str(Sprt.parse("0,2.5")) == "0,2.5"
    assert Sprt.parse("0,5").to_json() == {"elo0": 0, "elo1": 5, "alpha": 0.05, "beta": 0.05, "model": "logistic"}


@pytest.mark.parametrize("text", ["", "5", "0,5,10", "a,b", "0;5", "0,", "1e,2"])
def test_invalid_text(text: str) -> None:
    with pytest.raises(ArenaError, match=r"it takes two numbers, elo0,elo1, such as 0,5") as caught:
        Sprt.parse(text)
    assert repr(text) in str(caught.value)


def test_invalid_arguments() -> None:
    with pytest.raises(ArenaError, match="elo0=5, elo1=0; elo0 has to be less than elo1"):
        Sprt.parse("5,0")
    with pytest.raises(ArenaError, match="elo0=5, elo1=5"):
        Sprt.parse("5,5")
    for text in ("nan,5", "0,inf", "-9999,0"):
        with pytest.raises(ArenaError, match="logistic Elo can be tested from -2000 to 2000"):
            Sprt.parse(text)
    with pytest.raises(ArenaError, match="elo1=300; normalised Elo can be tested from -200 to 200"):
        Sprt(0, 300, model="normalised")
    with pytest.raises(ArenaError, match=r"alpha=0\.7; it has to be between 0 and 0\.5"):
        Sprt(0, 5, alpha=0.7)
    with pytest.raises(ArenaError, match="beta=0; it has"):
        Sprt(0, 5, beta=0)
    with pytest.raises(ArenaError, match="model='bayes'; it can be logistic, normalised"):
        Sprt(0, 5, model="bayes")  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, {"draw_margin": 170.0}, {"opening_bias": 300.0}, {"opening_taste": 200.0}])
@pytest.mark.parametrize("bounds", [(0, 40), (0, 100), (100, 200)])
def test_error_rates(settings: dict[str, float], bounds: tuple[float, float]) -> None:
    matches, sprt = 800, Sprt(*bounds, alpha=0.05, beta=0.1)
    for elo, error, risk in ((sprt.elo0, Decision.H1, sprt.alpha), (sprt.elo1, Decision.H0, sprt.beta)):
        runs = simulate_sprt(sprt, PairModel(elo, **settings), matches=matches, seed=7)
        assert runs.share(Decision.CONTINUE) == 0
        assert runs.share(error) < risk + 2.5 * math.sqrt(risk * (1 - risk) / matches)


@pytest.mark.slow
def test_length_of_a_test() -> None:
    runs = {elo: simulate_sprt(Sprt(0, 40), PairModel(elo), matches=200, seed=3).mean_games for elo in (20, 40, 200)}
    assert runs[20] > runs[40] > 2 * runs[200]
    assert np.isfinite(list(runs.values())).all()
