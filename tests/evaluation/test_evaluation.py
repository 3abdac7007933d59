"""Terms of evaluations: against the oracle, against numbers computed by hand, and under symmetries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.evaluation import DEFINITIONS, TABLES, Breakdown, Evaluation, Term, evaluation
from flipdrop.games import ConnectFour, ConnectFourGame, Othello, OthelloGame
from flipdrop.kernel import _cpu
from tests.evaluation.positions import othello_positions, reference_of, reference_of_lines, strewn
from tests.kernel.test_kernel import run
from tests.reference import evaluations as oracle
from tests.strategies import OTHELLO_GAMES, connect_four_games, quiet_line, random_line, randoms

if TYPE_CHECKING:
    import random

    from tests.reference.othello import ReferenceOthello

TABLE = """\
D           feature  weight  score
corners           0      15      0
edges             0       6      0
x_squares         0     -10      0
open_edges        0      -4      0
discs            -3       8    -24
mobility          3       8     24
total                            0"""

QUARTERS = {"penalty": oracle.R2, "positive": oracle.R3}


def features(evaluation: Evaluation, position: Othello | ConnectFour) -> list[float]:
    return [term.feature for term in evaluation.explain(position).terms]


def measured(name: str, board: ReferenceOthello, table: oracle.Table) -> list[float]:
    match name:
        case "A":
            return oracle.terms_of_a(board)
        case "B":
            return oracle.terms_of_b(board, table)
        case "C":
            return oracle.terms_of_c(board, table)
        case "D":
            return oracle.terms_of_d(board)
        case "Seven":
            return oracle.terms_of_seven(board, table)
        case "mobility":
            return oracle.terms_of_mobility(board)
    raise AssertionError(name)


# Against the oracle --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", OTHELLO_GAMES, ids=lambda game: game.name)
@settings(max_examples=25)
@given(source=randoms())
def test_every_term_of_othello(game: OthelloGame, source: random.Random) -> None:
    for position in othello_positions(game, source):
        board = reference_of(position)
        for name in ("A", "B", "C", "D", "Seven", "mobility"):
            for table in ("penalty", "positive") if name in ("B", "C", "Seven") else (None,):
                found = features(evaluation(name, table=table), position)
                expected = measured(name, board, oracle.quarter_table(QUARTERS[table or "penalty"], game.size))
                assert found == pytest.approx(expected, rel=1e-12, abs=1e-12), (name, table, position)


@pytest.mark.slow
@settings(max_examples=60)
@given(game=connect_four_games(), source=randoms())
def test_every_term_of_connect_four(game: ConnectFourGame, source: random.Random) -> None:
    lines, parity = evaluation("lines"), evaluation("parity")
    for position in [*random_line(game, source)[::7], *quiet_line(game, source)[::5]]:
        assert isinstance(position, ConnectFour)
        board = reference_of_lines(position)
        assert features(lines, position) == oracle.terms_of_lines(board), position
        assert features(parity, position) == pytest.approx(oracle.terms_of_parity(board), abs=1e-12), position


@settings(max_examples=60)
@given(source=randoms())
def test_score_is_the_weighted_sum(source: random.Random) -> None:
    for definition in DEFINITIONS:
        weights = [source.uniform(-9, 9) for _ in definition.terms]
        scale = 1.0
        if definition.name == "Seven":
            weights = [abs(weight) for weight in weights]
            scale = sum(weights)
        scorer = evaluation(definition.name, weights=weights)
        game = ConnectFourGame() if definition.game == "connect4" else source.choice(OTHELLO_GAMES)
        position = source.choice(random_line(game, source))
        breakdown = scorer.explain(position)
        assert [term.name for term in breakdown.terms] == list(definition.terms)
        assert [term.weight for term in breakdown.terms] == pytest.approx([w / scale for w in weights], rel=1e-12)
        assert breakdown.total == scorer.score(position)
        assert sum(term.contribution for term in breakdown.terms) == pytest.approx(breakdown.total, abs=1e-9)


SAMPLE = """
import random
from flipdrop import game
from flipdrop.evaluation import DEFINITIONS, evaluation
source = random.Random(3)
for definition in DEFINITIONS:
    for _ in range(10):
        position = game(definition.game).start()
        while not position.is_over:
            weights = [source.random() for _ in definition.terms]
            print(evaluation(definition.name, weights=weights).score(position).hex())
            position = position.play(source.choice(position.legal_moves))
"""


@pytest.mark.slow
@pytest.mark.skipif(not _cpu.has_v3(), reason="this CPU runs the baseline build only")
def test_same_scores_in_both_builds() -> None:
    baseline, v3 = run(SAMPLE, FLIPDROP_KERNEL="baseline"), run(SAMPLE, FLIPDROP_KERNEL="v3")
    assert len(baseline.stdout.splitlines()) > 3000, baseline.stderr
    assert baseline.stdout == v3.stdout


# By hand -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_start_of_othello(size: int) -> None:
    start = Othello(size=size)
    scores = {name: evaluation(name).score(start) for name in ("A", "B", "C", "D", "Seven", "mobility")}
    # Equal discs on equal squares, and four moves for either side: 10 * 4 in C, 8 * 4 in D. On 4x4 the centre squares
    # are the X-squares, two of either side.
    assert scores == {"A": 0, "B": 0, "C": 40, "D": 32, "Seven": 0, "mobility": 0}


def test_first_disc_of_connect_four() -> None:
    assert evaluation("lines").score(ConnectFour()) == 0
    # A disc in the middle of the bottom row is in 4 lines across, 1 up and 2 aslant: they are the opponent's.
    assert features(evaluation("lines"), ConnectFour.from_transcript("4")) == [-7, 0, 0, 0]


def test_after_the_first_move() -> None:
    # White, to move, has d4 against d5, e4, e5 and f5, and 3 moves: d6, f4, f6. Black would have c3, c4, d3.
    position = Othello.from_transcript("f5")
    assert features(evaluation("A"), position) == [-3]
    assert features(evaluation("B"), position) == [-3 - (-3 - 3 - 3 + 2)]
    assert features(evaluation("C"), position) == [4, -3, 3, 0, 0]
    assert features(evaluation("D"), position) == [0, 0, 0, 0, -3, 3]
    assert features(evaluation("Seven"), position) == [4, -80, 0, 0, 0, 0, 0]
    assert evaluation("Seven").score(position) == pytest.approx(0.190777 * 4 - 0.173278 * 80)


DRAWN = """
    X X O - - - - -
    X X - - - - - -
    - - X - - - - -
    - - - O X - - -
    - - - X O - - -
    - - - - - O - -
    - - - - - - O -
    - - - - - - - -
    X
"""


def test_a_position_with_a_corner() -> None:
    # Black moves to d1, d3, c4, f5, e6, h8; white would to a3, e3, f4, c5, d6.
    position = Othello(DRAWN)
    squares = (400 - 30 - 30 - 70 + 2 - 3 - 3) - (11 - 3 - 3 + 2 - 70)
    assert features(evaluation("A"), position) == [7 - 5]
    assert features(evaluation("mobility"), position) == [6 - 5]
    assert features(evaluation("C"), position) == [squares, 2, 6, 1, 1 - 1]
    assert evaluation("C").score(position) == 10 * squares + 10 * 2 + 10 * 6 + 100
    # b2 has a3 open; g7 has f8, g8, h6 and h7 open, and its corner is empty.
    assert features(evaluation("D"), position) == [1, 2 - 1, 0 - 1, 1 - 4, 2, 6]
    assert evaluation("D").score(position) == 15 + 6 + 10 + 12 + 16 + 48
    # a1-b1 and a1-a2 are the runs from the corner.
    near, runs = 24.5, 2.5 * (2 + 2)
    seven = [squares, 100 * 7 / 12, near, 100 * 6 / 11, 0, runs, 25]
    assert features(evaluation("Seven"), position) == pytest.approx(seven)


def test_seven_without_moves() -> None:
    # Only O can move in the first two, neither side in the third.
    for board, mobility in (("----OXX--XX----- O", 150), ("----OXX--XX----- X", -450), ("XXXXXXXXXXXXXXX- O", -450)):
        assert features(evaluation("Seven"), Othello(board))[3] == mobility


def test_seven_on_a_full_board() -> None:
    # All sixteen discs lie in full lines; four runs of four, each from both of its corners.
    terms = features(evaluation("Seven"), Othello("XXXXXXXXXXXXXXXX X"))
    assert terms[1:] == [100, 0, -450, 12.5 * 16, 2.5 * 32, 25 * 4]


def test_lines_by_hand() -> None:
    # Red's three in the bottom row wait for a or e; yellow's three upright for d4. Red's turn.
    position = ConnectFour("-------/-------/-------/-O-----/-O-----/-OXXX-- X")
    terms = features(evaluation("lines"), position)
    red_threes, yellow_threes = 1, 1  # c-d-e-f across; b1-b4 upright. a-b-c-d and b-c-d-e hold a disc of yellow's
    assert terms[2] == red_threes - yellow_threes
    assert terms[3] == 1 - 1  # f1; b4


# Symmetries ----------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(source=randoms())
def test_symmetric_positions_have_equal_scores(source: random.Random) -> None:
    for game in OTHELLO_GAMES:
        position = strewn(game.size, source)
        for scorer in [
            evaluation(name) for name in ("A", "B", "B@positive", "C", "C@positive", "D", "Seven", "mobility")
        ]:
            images = {scorer.score(position.transformed(symmetry)) for symmetry in range(position.symmetries)}
            assert max(images) - min(images) < 1e-9, (scorer, position)


@settings(max_examples=40)
@given(game=connect_four_games(), source=randoms())
def test_mirror_image_of_connect_four(game: ConnectFourGame, source: random.Random) -> None:
    position = source.choice(random_line(game, source))
    assert evaluation("lines").score(position) == evaluation("lines").score(position.transformed(1))


@settings(max_examples=60)
@given(source=randoms())
def test_score_of_the_other_side(source: random.Random) -> None:
    """All terms but the side to move's own mobility, and Seven's special cases, change their sign with the turn."""
    position = strewn(source.choice([4, 6, 8]), source)
    turned = Othello(f"{position.cells} {'OX'[position.to_move]}")
    for name in ("A", "B", "mobility"):
        assert evaluation(name).score(position) == -evaluation(name).score(turned)
    for name in ("C", "D"):
        without_mobility = evaluation(name, weights={"mobility": 0})
        assert without_mobility.score(position) == -without_mobility.score(turned)
    here, there = features(evaluation("Seven"), position), features(evaluation("Seven"), turned)
    can_move = {here[3], there[3]}.isdisjoint({-450, 150})
    for i in range(7):
        if i != 3 or can_move:
            assert here[i] == -there[i]


# Tables of squares ---------------------------------------------------------------------------------------------------

QUARTER = [float(2**i) for i in range(16)]  # every sum of them tells its summands

# fmt: off
ON_6X6 = [0,  1,  3,  3,  1,  0,
          4,  5,  7,  7,  5,  4,
         12, 13, 15, 15, 13, 12,
         12, 13, 15, 15, 13, 12,
          4,  5,  7,  7,  5,  4,
          0,  1,  3,  3,  1,  0]
ON_4X4 = [0,  1,  1,  0,
          4, 15, 15,  4,
          4, 15, 15,  4,
          0,  1,  1,  0]
# fmt: on


def weight_sum(position: Othello, places: list[int]) -> float:
    own = "XO"[position.to_move]
    signs = [0 if mark == "-" else 1 if mark == own else -1 for mark in position.cells]
    return sum(sign * QUARTER[place] for sign, place in zip(signs, places, strict=True))


@settings(max_examples=50)
@given(source=randoms())
def test_quarter_tables_on_smaller_boards(source: random.Random) -> None:
    scorer = evaluation("B", table=QUARTER)
    for size, places in ((6, ON_6X6), (4, ON_4X4)):
        position = strewn(size, source)
        assert scorer.score(position) == weight_sum(position, places)


@settings(max_examples=50)
@given(source=randoms(), size=st.sampled_from([6, 8]))
def test_full_tables(source: random.Random, size: int) -> None:
    table = [float(source.randrange(-1000, 1000)) for _ in range(size * size)]
    rows = [table[i : i + size] for i in range(0, size * size, size)]
    position = strewn(size, source)
    expected = oracle.terms_of_b(reference_of(position), oracle.full_table(table, size))
    assert features(evaluation("B", table=table), position) == expected
    assert features(evaluation("B", table=rows), position) == expected


def test_the_tables_of_the_reports() -> None:
    for name, quarter in QUARTERS.items():
        assert list(TABLES[name]) == [weight for row in quarter for weight in row]


def test_a_table_for_people() -> None:
    assert str(evaluation("D").explain(Othello.from_transcript("f5"))) == TABLE


def test_numbers_for_programs() -> None:
    breakdown = evaluation("A", weights=(2,)).explain(Othello.from_transcript("f5"))
    assert json.loads(json.dumps(breakdown.to_dict())) == {
        "evaluation": "A(2)",
        "score": -6,
        "terms": [{"name": "discs", "feature": -3, "weight": 2, "contribution": -6}],
    }


def test_a_breakdown_is_a_value() -> None:
    position = Othello()
    assert evaluation("D").explain(position) == evaluation("D").explain(position)
    assert Term("discs", 2, 1.5).contribution == 3
    assert Breakdown("A", (Term("discs", 2, 1),), 2) != Breakdown("A", (Term("discs", 3, 1),), 3)


def test_no_minus_zero() -> None:
    for name in ("A", "B", "C", "D", "Seven", "mobility"):
        assert "-0 " not in f"{evaluation(name).explain(Othello())} ".replace("\n", " ")


def test_the_name_of_a_breakdown_stays_short() -> None:
    assert evaluation("B", table=range(64)).explain(Othello()).evaluation == "B"
