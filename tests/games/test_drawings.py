"""Text diagrams and SVG drawings of boards."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from flipdrop import ConnectFour, FlipdropError, IllegalMove, Othello, game
from flipdrop.games.drawings import CONNECT_FOUR, OTHELLO, format_score
from tests.strategies import ALL_GAMES, AnyGame, AnyPosition, random_line

SVG = "{http://www.w3.org/2000/svg}"

# Text ----------------------------------------------------------------------------------------------------------------


def test_othello_last_and_legal_moves() -> None:
    drawn = Othello.from_transcript("f5d6").diagram(last_move="d6", legal=True)
    assert drawn.splitlines() == [
        "  a b c d e f g h",
        "1 - - - - - - - -",
        "2 - - - - - - - -",
        "3 - - + - - - - -",
        "4 - - + O X - - -",
        "5 - - + O X X - -",
        "6 - - +[O]- - - -",
        "7 - - + - - - - -",
        "8 - - - - - - - -",
        "X black 3, O white 3; black to move",
    ]


def test_scores_widen_every_cell() -> None:
    position = Othello(size=4)
    drawn = position.diagram(scores={position.parse_move("b1"): -12, position.parse_move("d3"): 0.5})
    assert drawn.splitlines() == [
        "      a     b     c     d",
        "1     -   -12     -     -",
        "2     -     O     X     -",
        "3     -     X     O +0.50",
        "4     -     -     -     -",
        "X black 2, O white 2; black to move",
    ]


def test_connect_four_with_a_forbidden_cell() -> None:
    position = game("connect4:5x4,forbid=c2").position("112323")
    assert position.diagram(last_move="3", legal=True).splitlines() == [
        " 1 2 3 4 5",
        " - - + - -",
        " + +[O]- -",
        " O X # - -",
        " X X O + +",
        "X red 3, O yellow 3; red to move",
    ]


def test_won_connect_four_of_twelve_columns() -> None:
    position = game("connect4:12x4").position("c1c1c1c")
    assert position.diagram(last_move="c").splitlines() == [
        " 1 2 3 4 5 6 7 8 9 a b c",
        " - - - - - - - - - - -[X]",
        " O - - - - - - - - - - X",
        " O - - - - - - - - - - X",
        " O - - - - - - - - - - X",
        "X red 4, O yellow 3; red has won",
    ]


def test_the_bracket_stays_in_its_row() -> None:
    """A last move in the last column closes there, not before the next row's first cell."""
    lines = Othello.from_transcript("b1c1d3a1", size=4).diagram(last_move="d3").splitlines()
    assert lines[3:5] == ["3 - X X[X]", "4 - - - -"]


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda any_game: any_game.name)
def test_str_is_the_diagram(any_game: AnyGame) -> None:
    for position in random_line(any_game, random.Random(5)):
        lines = str(position).splitlines()
        assert str(position) == position.diagram() == f"{position}"
        assert len(lines) == any_game.rows + 2
        marks = [mark for line in lines[1:-1] for mark in line.split()[-any_game.columns :]]
        assert "".join(marks) == position.cells


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (3, "+3"),
        (-64, "-64"),
        (0, "0"),
        (0.0, "0"),
        (2.0, "+2"),
        (0.126, "+0.13"),
        (-12.6, "-13"),
        ("win", "win"),
        (True, "True"),
        (None, "None"),
    ],
)
def test_scores_as_text(score: object, text: str) -> None:
    assert format_score(score) == text


@pytest.mark.parametrize("score", [float("inf"), float("-inf"), float("nan")])
def test_scores_that_are_no_finite_numbers(score: float) -> None:
    drawn = Othello().diagram(scores={19: score})
    assert str(score).lstrip("-") in drawn


# SVG -----------------------------------------------------------------------------------------------------------------


def circles(picture: str) -> list[dict[str, str]]:
    return [dict(element.attrib) for element in ET.fromstring(picture).iter(f"{SVG}circle")]


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


def at(position: AnyPosition, cell: int) -> tuple[float, float]:
    """Where the middle of a cell is in the picture, from the board's own rectangle."""
    board = list(ET.fromstring(position.svg()).iter(f"{SVG}rect"))[1].attrib
    row, column = divmod(cell, position.game.columns)
    wide, high = float(board["width"]) / position.game.columns, float(board["height"]) / position.game.rows
    return float(board["x"]) + (column + 0.5) * wide, float(board["y"]) + (row + 0.5) * high


def middle(circle: dict[str, str]) -> tuple[float, float]:
    return float(circle["cx"]), float(circle["cy"])


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda any_game: any_game.name)
def test_every_disc_is_drawn_in_its_place(any_game: AnyGame) -> None:
    line = random_line(any_game, random.Random(6))
    palette = OTHELLO if isinstance(line[0], Othello) else CONNECT_FOUR
    for position in (line[0], line[len(line) // 2], line[-1]):
        drawn = circles(position.svg())
        for mark, colour in palette.discs.items():
            places = sorted(middle(circle) for circle in drawn if circle["fill"] == colour)
            assert places == sorted(at(position, cell) for cell, found in enumerate(position.cells) if found == mark)
        counted = Counter(circle["fill"] for circle in drawn)
        if palette.hole is not None:
            assert counted[palette.hole] == position.cells.count("-")
            assert counted[palette.grid] == position.cells.count("#")
        assert len(drawn) == len(position.cells) - (position.cells.count("-") if palette.hole is None else 0)


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda any_game: any_game.name)
def test_the_frame_of_the_picture(any_game: AnyGame) -> None:
    root = ET.fromstring(any_game.start().svg(width=200))
    assert root.tag == f"{SVG}svg"
    _, _, wide, high = (float(part) for part in root.attrib["viewBox"].split())
    assert (root.attrib["width"], root.attrib["height"]) == ("200", str(round(200 * high / wide)))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text is not None
    assert any_game.title in title.text
    assert f"{any_game.sides[0]} to move" in title.text
    assert any_game.start().svg() == any_game.start()._repr_svg_()


def test_the_last_move_has_a_dot() -> None:
    for position, move in (
        (Othello.from_transcript("f5d6"), "d6"),
        (ConnectFour.from_transcript("44"), "4"),
        (game("connect4:4x4,forbid=b1").position("2"), "2"),
    ):
        number = position.parse_move(move)
        plain, marked = circles(position.svg()), circles(position.svg(last_move=move))
        (dot,) = [circle for circle in marked if circle not in plain]
        assert isinstance(position, Othello | ConnectFour)
        cell = position.last_cell(number)
        assert cell is not None
        assert middle(dot) == at(position, cell)
        assert position.svg(last_move=number) == position.svg(last_move=move)


def test_a_pass_has_no_dot() -> None:
    position = Othello.from_transcript("b1c1d3a1pass", size=4)
    assert position.svg(last_move="pass") == position.svg()
    assert position.diagram(last_move="pass") == position.diagram()


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda any_game: any_game.name)
def test_legal_moves_are_marked(any_game: AnyGame) -> None:
    position = any_game.start()
    plain, marked = circles(position.svg()), circles(position.svg(legal=True))
    cells = [position.cell_of(move) for move in position.legal_moves]
    hints = sorted(middle(circle) for circle in marked if circle not in plain)
    assert hints == sorted(at(position, cell) for cell in cells if cell is not None)
    assert position.diagram(legal=True).count("+") == len(position.legal_moves)


def test_best_score_stands_out() -> None:
    position = Othello()
    scores = dict(zip(position.legal_moves, (-2, 7, 0, 1.5), strict=True))
    picture = position.svg(scores=scores)
    assert [text for text in texts(picture) if text in ("-2", "+7", "0", "+1.50")] == ["-2", "+7", "0", "+1.50"]
    (ring,) = [circle for circle in circles(picture) if circle["fill"] == "none"]
    assert middle(ring) == at(position, position.legal_moves[1])
    heavy = [e.text for e in ET.fromstring(picture).iter(f"{SVG}text") if e.attrib["font-weight"] == "700"]
    assert heavy == ["+7"]


def test_scores_without_numbers() -> None:
    picture = Othello().svg(scores={19: None, 26: "?"})
    assert [circle for circle in circles(picture) if circle["fill"] == "none"] == []


def test_the_winning_line_stands_out() -> None:
    position = ConnectFour.from_transcript("1212121")
    thick = [circle for circle in circles(position.svg()) if circle.get("stroke-width") == "4"]
    assert sorted(map(middle, thick)) == sorted(at(position, cell) for cell in position.winning_cells)
    assert len(thick) == 4
    before = ConnectFour.from_transcript("121212")
    assert not [circle for circle in circles(before.svg()) if circle.get("stroke-width") == "4"]


def test_hostile_scores_are_escaped() -> None:
    hostile = "</text><script>alert(1)</script>&\"'<!--]]>"
    picture = Othello().svg(scores={19: hostile})
    assert hostile in texts(picture)
    assert not list(ET.fromstring(picture).iter(f"{SVG}script"))
    assert "<script" not in picture


@pytest.mark.parametrize("hostile", ["\0", "\x1b[31m", "\x08", "￾"])
def test_control_characters_in_scores(hostile: str) -> None:
    assert texts(Othello().svg(scores={19: hostile}))


def test_moves_that_do_not_exist() -> None:
    with pytest.raises(IllegalMove):
        ConnectFour().svg(scores={7: 1})
    with pytest.raises(IllegalMove, match="'z9'"):
        Othello().diagram(last_move="z9")


@pytest.mark.parametrize("move", [-1, 65, 1000])
def test_scores_of_squares_that_do_not_exist(move: int) -> None:
    with pytest.raises(FlipdropError):
        Othello().diagram(scores={move: 1})
