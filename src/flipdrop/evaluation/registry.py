"""The named evaluations: terms with default weights, tables of squares, and named weight sets.

This module is the only place that declares defaults. `flipdrop.experiments` says which report a weight set comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.errors import UnknownEvaluation, WeightsError, did_you_mean, quoted
from flipdrop.evaluation.patterns import SHIPPED

if TYPE_CHECKING:
    from flipdrop.games import Game

FAMILIES = {"othello": "Othello", "connect4": "Connect Four"}
"""The titles of the game families that evaluations are for."""

# The top left quarter of 8x8, mirrored over the board. Smaller boards take parts of it: see
# kernel/evaluation/square_table.hpp.
# fmt: off
_PENALTY = (400, -30,  11,   8,
            -30, -70,  -4,   1,
             11,  -4,   2,   2,
              8,   1,   2,  -3)
_POSITIVE = (35,   2,   9,   9,
              2,   2,   3,   3,
              9,   3,   5,   5,
              9,   3,   5,   1)
_SWH = (1.00, -.25, .10, .05,
        -.25, -.25, .01, .01,
         .10,  .01, .05, .02,
         .05,  .01, .02, .01)
# fmt: on
TABLES: dict[str, tuple[float, ...]] = {"penalty": _PENALTY, "positive": _POSITIVE, "SWH": _SWH}
"""Tables of squares by name."""


@dataclass(frozen=True)
class TermKind:
    """One term of an evaluation: its name, its default weight, and what it measures."""

    name: str
    weight: float
    description: str


@dataclass(frozen=True)
class Definition:
    """A named evaluation. `game` is one of `FAMILIES`, `table` the name of its default table, if any."""

    name: str
    game: str
    description: str
    kinds: tuple[TermKind, ...]
    table: str | None = None

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(kind.name for kind in self.kinds)

    @property
    def defaults(self) -> tuple[float, ...]:
        return tuple(kind.weight for kind in self.kinds)


# A difference is own minus the opponent's. The names of terms are the kernel's (kernel/evaluation/*.hpp).
_TERMS: dict[str, tuple[tuple[str, float, str], ...]] = {
    "A": (("discs", 1, "disc difference"),),
    "B": (("squares", 1, "difference in square values"),),
    "C": (
        ("squares", 10, "difference in square values"),
        ("discs", 10, "disc difference"),
        ("mobility", 10, "moves of the side to move"),
        ("corners", 100, "corner difference"),
        ("x_squares", -32, "difference in X-squares (diagonally next to corners)"),
    ),
    "D": (
        ("corners", 15, "corner difference"),
        ("edges", 6, "difference in the other edge squares"),
        ("x_squares", -10, "difference in X-squares with an empty corner"),
        ("open_edges", -4, "difference in discs next to an empty edge square"),
        ("discs", 8, "disc difference"),
        ("mobility", 8, "moves of the side to move"),
    ),
    "Seven": (
        ("squares", 0.190777, "difference in square values"),
        ("discs", 0.173278, "the larger side's percentage of the discs, negative if that is the opponent"),
        ("near_corners", 0.125869, "-24.5 times the difference in discs beside empty corners"),
        (
            "mobility",
            0.118276,
            "-450 without a move, 150 if only the opponent has none, otherwise the percentage lead in moves",
        ),
        ("stability", 0.115697, "12.5 times the difference in discs whose four lines are full"),
        ("edge_stability", 0.135494, "2.5 times the difference in edge discs connected to an own corner"),
        ("corners", 0.140609, "25 times the corner difference"),
    ),
    "mobility": (("mobility", 1, "difference in moves"),),
    # Fitted to the 4,000 solved positions of Pons' sets (win, draw or loss, by logistic regression), rounded: tells
    # winner from loser in 73%, where 1, 4, 16, 32 does in 71%.
    "lines": (
        ("lines_of_1", 1, "difference in open lines of four cells with one own disc"),
        ("lines_of_2", 7, "the same with two own discs"),
        ("lines_of_3", 6, "the same with three own discs"),
        ("threats", 9, "difference in empty cells that complete four"),
    ),
    # Fitted to results of games of the engine against itself on random boards (logistic regression), in hundredths of a
    # logit. A cell is the side's own that gets it when all other columns are full: see kernel/evaluation.
    "parity": (
        ("landing_threats", 400, "difference in threats on which a disc can land now"),
        ("good_threats", 40, "difference in threats on the side's own cells, the lowest of each column"),
        ("bad_threats", 52, "difference in threats on the opponent's cells below the lowest good threat"),
        ("stacked_threats", 21, "difference in threats directly below another of the same side"),
        ("good_beginnings", 15, "difference in own cells on lines of two discs and two empty cells"),
        ("bad_beginnings", 10, "the same on cells of the opponent"),
        ("zugzwang", 18, "1 if the opponent has to move under a threat first once the other cells are full, else -1"),
        ("near_zugzwang", 284, "the same times the share of the cells that will be left then"),
    ),
}
DEFINITIONS = tuple(
    Definition(name, game, description, tuple(TermKind(*term) for term in _TERMS[name]), table)
    for name, game, description, table in (
        ("A", "othello", "disc difference", None),
        ("B", "othello", "a weight for each square", "penalty"),
        ("C", "othello", "squares, discs, moves and corners", "penalty"),
        ("D", "othello", "six terms of corners, edges, discs and moves", None),
        ("Seven", "othello", "seven terms on one scale; weights are divided by their sum", "penalty"),
        ("mobility", "othello", "difference in mobility", None),
        ("lines", "connect4", "lines that can still be completed", None),
        ("parity", "connect4", "threats by the parity of their cell, and who comes into zugzwang", None),
    )
)

_BY_NAME = {definition.name.lower(): definition for definition in DEFINITIONS}


@dataclass(frozen=True)
class Preset:
    """A named weight vector; the evaluation's defaults if `weights` is None."""

    name: str
    evaluation: str
    description: str
    weights: tuple[float, ...] | None = None


_FIRST_POPULATION = "in the first population of tournament-ga"
PRESETS = {
    preset.name.lower(): preset
    for preset in (
        Preset("D.hand-tuned", "D", "tuned by hand, the default"),
        Preset("D.baseline", "D", "the opponent of learners and tree searches", (15, 6, -8, -6, 4, 4)),
        Preset("D.initial-1", "D", _FIRST_POPULATION, (5, 5, -10, -4, 4, 4)),
        Preset("D.initial-2", "D", _FIRST_POPULATION, (15, 6, -8, -4, 2, 2)),
        Preset("D.initial-3", "D", _FIRST_POPULATION, (13, 5, -9, -3, 3, 3)),
        Preset("D.initial-4", "D", _FIRST_POPULATION, (15, 3, -6, -6, 4, 2)),
        Preset("D.initial-5", "D", _FIRST_POPULATION, (10, 8, -7, -4, 3, 5)),
        Preset("Seven.evolved", "Seven", "found by online-ga, the default"),
        Preset(
            "Seven.averaged",
            "Seven",
            "average of the winners of position-ga; adds up to 1.15",
            (0.15, 0.25, 0.2, 0.1, 0.3, 0.05, 0.1),
        ),
    )
}
"""Presets by lower-case name."""


def definition_of(name: str) -> Definition:
    """The evaluation called `name`; case does not matter."""
    if not isinstance(name, str):
        raise TypeError(f"an evaluation's name is a string such as 'D', not {name!r}")
    found = _BY_NAME.get(name.strip().lower())
    if found is not None:
        return found
    shown = [d.name for d in DEFINITIONS] + [p.name for p in PRESETS.values()] + [SHIPPED]
    tables = " or ".join(f"B@{table}" for table in TABLES if table != _BY_NAME["b"].table)
    raise UnknownEvaluation(
        f"unknown evaluation {quoted(name)}; {did_you_mean(name, shown)}"
        f"evaluations are {', '.join(d.name for d in DEFINITIONS)} and {SHIPPED}, with another table {tables}, with "
        "weights D(15,6,-10,-4,8,8), files named *.weights and *.pattern, and for players functions my.py:score; see "
        "flipdrop evaluations"
    )


def table_of(name: str) -> tuple[float, ...]:
    found = next((table for known, table in TABLES.items() if known.lower() == name.strip().lower()), None)
    if found is None:
        raise WeightsError(f"unknown table {quoted(name)}; tables are {', '.join(TABLES)}, or give the numbers")
    return found


def definitions_for_game(game: Game) -> list[Definition]:
    return [definition for definition in DEFINITIONS if definition.game == game.family]
