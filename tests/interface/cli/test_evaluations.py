"""`flipdrop evaluations` as a person or a program calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop import game
from flipdrop.evaluation import DEFINITIONS, TABLES, Weights, evaluation, write_weights
from tests.evaluation.test_patterns import made_up
from tests.interface.cli.support import flipdrop, json_of, stdout_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_list() -> None:
    listed = json_of("evaluations")
    found = {entry["name"]: entry for entry in listed["evaluations"]}
    assert set(found) == {definition.name for definition in DEFINITIONS} | {"patterns"}
    assert {network["game"] for network in found["patterns"]["networks"]} == {"othello", "connect4"}
    assert {name: tuple(table) for name, table in listed["tables"].items()} == TABLES
    for definition in DEFINITIONS:
        entry = found[definition.name]
        assert [(term["name"], term["weight"]) for term in entry["terms"]] == list(
            zip(definition.terms, definition.defaults, strict=True)
        )
        assert entry["game"] == definition.game
    assert found["D"]["presets"]["D.baseline"]
    text = stdout_of("evaluations")
    for definition in DEFINITIONS:
        assert definition.description in text
        assert all(term in text for term in definition.terms)
    assert "patterns (Connect Four 7x6 and Othello 8x8): " in text
    assert all(f"  {table}, top left quarter" in text for table in TABLES)


@pytest.mark.slow
def test_one_evaluation_in_the_list() -> None:
    (found,) = json_of("evaluations", "--evaluation", "B@positive")["evaluations"]
    assert (found["spec"], found["table"][0]) == ("B@positive", 35)


@pytest.mark.slow
def test_networks_in_the_list(tmp_path: Path) -> None:
    path = tmp_path / "my.pattern"
    made_up(game("othello6"), ((0, 1, 2), (3, 4)), (0,), seed=3).write(path)
    found = json_of("evaluations", "--evaluation", str(path), "--evaluation", "patterns")["evaluations"]
    assert [entry["name"] for entry in found] == ["my.pattern", "patterns"]
    assert [(network["game"], network["patterns"]) for network in found[0]["networks"]] == [("othello6", 2)]
    assert "my.pattern (Othello 6x6): " in stdout_of("evaluations", "--evaluation", str(path))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "position"), [("othello", "f5d6c3"), ("othello4", "-----OX--XO----- X"), ("connect4", "4453")]
)
def test_scores_of_a_position(name: str, position: str) -> None:
    expected = game(name).position(position)
    found = json_of("evaluations", name, position)
    assert (found["game"], found["board"]) == (name, expected.board)
    assert [entry["evaluation"] for entry in found["evaluations"]] == [
        *(definition.name for definition in DEFINITIONS if name.startswith(definition.game)),
        *(["patterns"] if evaluation("patterns").supports(expected.game) else []),
    ]
    for entry in found["evaluations"]:
        assert entry == evaluation(entry["evaluation"]).explain(expected).to_dict()
    text = stdout_of("evaluations", name, position)
    assert expected.diagram() in text
    for entry in found["evaluations"]:
        assert str(evaluation(entry["evaluation"]).explain(expected)) in text


@pytest.mark.slow
def test_named_evaluations_and_files(tmp_path: Path) -> None:
    path = tmp_path / "my.weights"
    write_weights(path, Weights("D", (1, 2, 3, 4, 5, 6)))
    specs = ("Seven.averaged", "D(1,2,3,4,5,6)", str(path))
    options = [argument for spec in specs for argument in ("--evaluation", spec)]
    found = json_of("evaluations", "othello", "f5", *options)["evaluations"]
    assert [entry["evaluation"] for entry in found] == ["Seven.averaged", "D(1,2,3,4,5,6)", "D(1,2,3,4,5,6)"]
    assert found[1]["score"] == found[2]["score"] == 5 * -3 + 6 * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("--evaluation", "sevn"), "did you mean Seven"),
        (("--evaluation", "patern"), "did you mean patterns"),
        (
            ("--evaluation", "x"),
            "with another table B@positive or B@SWH, with weights D(15,6,-10,-4,8,8), files named *.weights",
        ),
        (("othello6", "", "--evaluation", "patterns"), "flipdrop learn td othello6 --with patterns --out my.pattern"),
        (("--evaluation", "D(1)"), "1 weights for evaluation D; it takes 6"),
        (("--evaluation", "no.weights"), "no.weights: No such file"),
        (("connect4", "", "--evaluation", "D"), "evaluation D is for Othello"),
        (("chess",), "'chess'"),
        (("othello", "f5f5"), "'f5'"),
    ],
)
def test_errors(arguments: tuple[str, ...], expected_error: str) -> None:
    done = flipdrop("evaluations", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert expected_error in done.stderr
    assert done.stderr.startswith("flipdrop: ")
    assert done.stderr.count("\n") == 1


def test_help_has_an_example() -> None:
    assert "Example: flipdrop evaluations" in stdout_of("evaluations", "--help")
