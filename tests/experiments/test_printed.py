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


R5_EXTRACT = """
0.118715 0.0474599 0.0820541 0.406253 0.0837423 0.211214 0.0455612
0.101621 0.25132 0.187868 0.20652 0.0252135 0.122785 0.104861
0.0621216 0.260733 0.28112 0.212138 0.0545068 0.108532 0.020849
0.181935 0.272466 0.316085 0.00890415 0.0392359 0.15151 0.0293634
0.0496528 0.107295 0.121381 0.22426 0.286124 0.152228 0.0590597
0.0843375 0.247587 0.154348 0.0261199 0.301987 0.0700135 0.115607
0.109217 0.255759 0.198605 0.0298836 0.318184 0.0569039 0.0314485
0.128122 0.260306 0.198877 0.08358597 0.31501 0.0109095 0.00318459
0.18641 0.148306 0.138029 0.0922368 0.30242 0.049404 0.0826946
0.194259 0.152363 0.13287 0.099259 0.304242 0.0290752 0.0942327
0.15438 0.254647 0.0934263 0.088121 0.307303 0.0252044 0.0764182
0.158253 0.134685 0.141733 0.0930956 0.31018 0.0516368 0.11342
0.204777 0.0709432 0.161427 0.0793043 0.298624 0.0661732 0.118752
0.183891 0.301602 0.0904167 0.164266 0.0967004 0.0774991 0.0856246
0.161471 0.292817 0.0839126 0.154672 0.128238 0.0361695 0.15203
0.243581 0.271186 0.106578 0.0167714 0.133032 0.0434442 0.185407
0.167671 0.304922 0.150987 0.139182 0.10963 0.0250636 0.102545
0.148203 0.273752 0.218279 0.0992101 0.0802153 0.0315204 0.14948
0.148203 0.273752 0.218279 0.0992101 0.0802887 0.0315204 0.14948
0.148203 0.273752 0.218279 0.0992101 0.0802887 0.0319229 0.151633
"""


def shown(name: str, place: int = 0) -> list[tuple[str, ...]]:
    """The rows of one of the report's tables on the page of an experiment."""
    return list(experiment(name).claim.tables[place].rows)


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


def test_r5_s_extract_of_weights() -> None:
    rows = [line.split() for line in R5_EXTRACT.strip().splitlines()]
    assert shown("R5.1", 1) == [(str(number), *row) for number, row in enumerate(rows, 1)]
    assert [tuple(map(float, row)) for row in rows] == r5.EXTRACT
    for vector in r5.EXTRACT:
        assert sum(vector) == pytest.approx(1, abs=0.01)
