"""OBF problems."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import FlipdropError, IllegalMove, NotationError, Othello
from flipdrop.games.problems import Problem, read_problem, read_problems, write_problem

START4 = "-----OX--XO----- X"


def test_a_line() -> None:
    problem = read_problem("-----OX--XO----- X; B1:+8; a2 : -4 ;D3:0; % from the book; A1:+1 % ")
    assert problem == Problem(Othello(size=4), {1: 8, 4: -4, 11: 0}, "from the book; A1:+1 %")
    assert (problem.score, problem.best) == (8, (1,))


def test_a_line_without_scores() -> None:
    for line in (START4, START4 + ";", START4 + ";;  % ", "-----OX--XO-----X"):
        assert read_problem(line) == Problem(Othello(size=4))
    assert (Problem(Othello()).score, Problem(Othello()).best) == (None, ())


def test_the_best_moves_are_all_of_them() -> None:
    assert Problem(Othello(), {19: -2, 26: -2, 37: -4}).best == (19, 26)


def test_a_pass_has_a_score() -> None:
    problem = read_problem("-----OXX-XX-XXXO O; PASS:-16;")
    assert problem.scores == {16: -16}
    assert read_problem(write_problem(problem)) == problem


def test_written_text() -> None:
    problem = Problem(Othello(size=4), {1: 8, 4: -4, 11: 0}, "why not")
    assert write_problem(problem) == "-----OX--XO----- X; B1:+8; A2:-4; D3:+0; % why not"
    assert write_problem(Problem(Othello(size=4))) == "-----OX--XO----- X;"


@pytest.mark.slow
@given(st.sampled_from([4, 6, 8]), st.integers(0, 25), st.randoms(use_true_random=False), st.text(max_size=10))
def test_problems_come_back(size: int, plies: int, chance: object, comment: str) -> None:
    position = Othello(size=size)
    for _ in range(plies):
        if not position.is_over:
            position = position.play(chance.choice(position.legal_moves))  # type: ignore[attr-defined]
    scores = {move: chance.randint(-(size**2), size**2) for move in position.legal_moves}  # type: ignore[attr-defined]
    problem = Problem(position, scores, " ".join(comment.split()))
    assert read_problem(write_problem(problem)) == problem


@pytest.mark.parametrize("comment", ["two\nlines", "\u2028x", " spaced "])
def test_comments_that_cannot_be_written(comment: str) -> None:
    with pytest.raises(NotationError, match="it is one line without spaces around it"):
        write_problem(Problem(Othello(), comment=comment))


@pytest.mark.parametrize(
    ("line", "error", "message"),
    [
        ("", NotationError, "board '': 0 marks"),
        ("hello; A1:+2", NotationError, "board 'hello': 'h' is no square"),
        ("-----OX--XO----- -;", NotationError, "ends with '-'; the side to move is X or O"),
        (START4 + "; B1", NotationError, "entry 1, 'B1': a move's score is written G8:+18"),
        (START4 + "; B1:+8; A2:high", NotationError, "entry 2, 'A2:high': a move's score is written"),
        (START4 + "; B1:" + "9" * 5000, NotationError, "entry 1, 'B1:9999"),
        (START4 + "; B1:+17", NotationError, "b1:17; a score is a disc difference, -16 to +16"),
        (START4 + "; B1:+8; b1:+6", NotationError, "entry 2, 'b1:+6': the move has a score already"),
        (START4 + "; A1:+8", IllegalMove, "a1 in -----OX--XO----- X; legal: b1 a2 d3 c4"),
        (START4 + "; Z1:+8", IllegalMove, "entry 1, 'Z1:+8': 'Z1' is not a move"),
        (START4 + "; B1:٣", NotationError, "entry 1, 'B1:٣': a move's score"),
    ],
)
def test_lines_that_cannot_be_read(line: str, error: type[FlipdropError], message: str) -> None:
    with pytest.raises(error) as caught:
        read_problem(line)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("move", [0, -1, 16, 99, 10**400])
def test_problems_have_legal_moves_only(move: int) -> None:
    with pytest.raises(IllegalMove, match=r"in -----OX--XO----- X; legal: b1 a2 d3 c4"):
        Problem(Othello(size=4), {move: 0})


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "problems.obf"
    path.write_bytes(b"\xef\xbb\xbf% title\r\n\r\n" + START4.encode() + b"; B1:+8;\r\n# more\n" + START4.encode())
    assert read_problems(path) == [Problem(Othello(size=4), {1: 8}), Problem(Othello(size=4))]


def test_errors_name_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "problems.obf"
    path.write_text(f"{START4}\n{START4}; A1:+8;\n")
    with pytest.raises(IllegalMove, match=r"problems\.obf: line 2: a1 in -----OX--XO----- X; legal: "):
        read_problems(path)
    path.write_bytes(b"\xff")
    with pytest.raises(FlipdropError, match=r"problems\.obf: line 1 is not UTF-8"):
        read_problems(path)
