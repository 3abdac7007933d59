"""The numbers that reports R2 to R5 print, typed a second time, and that the pages show them row by row."""

from __future__ import annotations

import pytest

from flipdrop.evaluation import evaluation
from flipdrop.experiments import r2, r3, r4, r5
from flipdrop.experiments.catalogue import experiment

R2_WEIGHTS = """
1 0.180024 0.158421 0.115637 0.148765 0.131673 0.132948 0.132531
2 0.191451 0.1672 0.131378 0.13384 0.131794 0.119331 0.125007
3 0.200374 0.165651 0.131179 0.130374 0.116644 0.127976 0.127801
4 0.194079 0.177424 0.126681 0.128813 0.120654 0.123919 0.12843
5 0.190731 0.172747 0.130905 0.1286 0.117932 0.126022 0.133063
6 0.190668 0.16921 0.132587 0.12919 0.119907 0.126999 0.13144
7 0.188288 0.171056 0.132032 0.128138 0.121742 0.126442 0.1323
8 0.187779 0.172125 0.132753 0.128525 0.121523 0.126784 0.13051
9 0.188166 0.172904 0.132355 0.127499 0.119512 0.129152 0.130412
10 0.186478 0.175266 0.130976 0.127504 0.117202 0.130896 0.131678
converged 0.190777 0.173278 0.125869 0.118276 0.115697 0.135494 0.140609
"""


def shown(name: str) -> list[tuple[str, ...]]:
    """The rows of the report's table on the page of an experiment."""
    claimed = experiment(name).claim.table
    assert claimed is not None
    return list(claimed.rows)


def test_r2_1_has_all_eleven_rows() -> None:
    lines = [line.split() for line in R2_WEIGHTS.strip().splitlines()]
    assert {name: tuple(map(float, row)) for name, *row in lines} == r2.PRINTED_WEIGHTS
    assert shown("R2.1") == [tuple(line) for line in lines]
    for row in r2.PRINTED_WEIGHTS.values():
        assert sum(row) == pytest.approx(1, abs=3e-6)


def test_r2_s_converged_weights_are_those_of_the_named_evaluation() -> None:
    named, written = evaluation("Seven.evolved").weights, evaluation(r2.EVOLVED).weights
    assert named is not None
    assert written is not None
    assert tuple(named.vector) == r2.WEIGHTS
    assert tuple(written.vector) == pytest.approx(r2.WEIGHTS)


def test_r2_2() -> None:
    assert shown("R2.2") == [("10", "1.0"), ("20", "1.0"), ("30", "1.0"), ("50", "0.98"), ("100", "0.97")]
    assert r2.PRINTED_RATES == {10: 1, 20: 1, 30: 1, 50: 0.98, 100: 0.97}


def test_r3() -> None:
    assert shown("R3.1") == [(level, "1 of 1", "1 of 1") for level in ("beginner", "intermediate", "advanced")]
    assert (r3.CLOSE, r3.REPEATS) == ((40, 65), 3)
    assert (r3.WIN_BONUS, r3.CORNER_BONUS, r3.GUIDE_BONUS) == (50, 10, 1000)
    assert (r3.GUIDE["guide"], r3.GUIDE["guide_discs"], r3.TREE["expand"]) == (6, 28, 0.5)


def test_r4() -> None:
    assert (r4.WON, r4.LOST, r4.DRAWN, r4.GAMES) == (96, 4, 0, 100)
    assert shown("R4.1") == [
        ("R4's program", "0.96"),
        ("ten playouts a leaf", "0.88"),
        ("decisive playouts", "0.95"),
        ("a search with an error", "0.30"),
        ("the same with decisive moves", "0.70"),
    ]
    assert r4.BY_PLAYOUTS == {1: 0.95, 10: 0.88}


def test_r5() -> None:
    assert shown("R5.1") == [("10", "0.8", "1"), ("20", "0.85", "0.85"), ("100", "0.79", "0.75")]
    assert r5.PRINTED_RATES == {"genetic": {10: 0.8, 20: 0.85, 100: 0.79}, "by hand": {10: 1, 20: 0.85, 100: 0.75}}
    named = evaluation("Seven.averaged").weights
    assert named is not None
    assert tuple(named.vector) == r5.PRINTED_MEAN == (0.15, 0.25, 0.2, 0.1, 0.3, 0.05, 0.1)
    assert (r5.DEPTH, r5.POSITIONS, r5.GENERATIONS) == (4, 20, 30)
