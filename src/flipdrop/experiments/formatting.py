"""The values of matches as text: what tables and paragraphs of experiments are written with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flipdrop.reporting.formatting import number, with_interval
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flipdrop.experiments.experiment import Results, Values

MATCH_HEADS = ("won / drawn / lost", "score (95%)", "Elo (95%)")
"""Column heads of `match_cells`."""


def score(values: Values, digits: int = 3) -> str:
    """A match's score with its interval."""
    return with_interval(values["score"], values["score_interval"], digits)


def elo(values: Values) -> str:
    """A match's Elo difference with its interval."""
    return with_interval(elo_of(values), values["elo_interval"], 0)


def elo_of(values: Values) -> float:
    """A match's Elo difference: infinite, with the sign of the score, if all games were won or lost."""
    return math.copysign(math.inf, values["score"] - 0.5) if values["elo"] is None else float(values["elo"])


def wins_draws_losses(values: Values) -> str:
    """``1,736 / 34 / 230``."""
    return " / ".join(f"{values[name]:,}" for name in ("wins", "draws", "losses"))


def discs(values: Values, squares: int = 64) -> str:
    """Mean discs of both sides, ``36.2 : 27.8``, of a match or of one side of it (``values["as_first"]``)."""
    mine = (squares + values["margin"]) / 2
    return f"{number(mine, 1)} : {number(squares - mine, 1)}"


def discs_by_side(values: Values) -> str:
    """Mean discs as first and as second player."""
    return f"{discs(values['as_first'])}, {discs(values['as_second'])}"


def match_cells(values: Values) -> tuple[str, str, str]:
    """The cells under `MATCH_HEADS`."""
    return wins_draws_losses(values), score(values), elo(values)


def match_table(
    title: str, head: str, results: Results, keys: Mapping[str, str], more: Mapping[str, Callable[[str], str]]
) -> Table:
    """A row for each match: its name, both players, `match_cells`, and further columns.

    :param head: of the names
    :param keys: keys of the matches by the names of the rows
    :param more: functions of a match's key by their heads
    """
    rows = [
        (name, *results[key]["players"], *match_cells(results[key]), *(cell(key) for cell in more.values()))
        for name, key in keys.items()
    ]
    return Table(title, (head, "player", "opponent", *MATCH_HEADS, *more), tuple(rows), text_columns=(1, 2))


def percent(share: float, games: int) -> str:
    """A share in percent; ``less than 3.3%`` where it is smaller than 1 of so many games, which cannot show it.

    >>> percent(0.25, 30), percent(0.0, 30)
    ('25.0%', 'less than 3.3%')
    """
    return f"{number(100 * share, 1)}%" if share * games >= 1 else f"less than {number(100 / games, 1)}%"


def spec_with(kind: str, **options: Any) -> str:
    """A spec from options: ``spec_with("mcts", iterations=10)`` is ``mcts:iterations=10``."""
    return f"{kind}:{','.join(f'{name}={value}' for name, value in options.items())}" if options else kind
