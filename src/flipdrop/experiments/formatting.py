"""The values of matches as text: what tables and paragraphs of experiments are written with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flipdrop.experiments.measures import win_rate
from flipdrop.reporting.formatting import number, with_interval

if TYPE_CHECKING:
    from flipdrop.experiments.experiment import Values


def score(values: Values, digits: int = 3) -> str:
    """A match's score with its interval."""
    return with_interval(values["score"], values["score_interval"], digits)


def elo(values: Values) -> str:
    """A match's Elo difference with its interval."""
    return with_interval(elo_of(values), values["elo_interval"], 0)


def elo_of(values: Values) -> float:
    """A match's Elo difference: infinite, with the sign of the score, if all games were won or lost."""
    return math.copysign(math.inf, values["score"] - 0.5) if values["elo"] is None else float(values["elo"])


def won(values: Values) -> str:
    """The share of independent games that were won, with its interval."""
    return with_interval(*win_rate(values), 3)


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


def percent(share: float) -> str:
    """A share in percent, never 0.0% for something that can happen, or 100.0% for something that need not.

    >>> percent(0.25), percent(0.0001), percent(0.9999)
    ('25.0%', 'less than 0.1%', 'more than 99.9%')
    """
    if 0.9995 <= share < 1:
        return "more than 99.9%"
    return "less than 0.1%" if 0 < share < 0.0005 else f"{number(100 * share, 1)}%"


def spec_with(kind: str, **options: Any) -> str:
    """A spec from options: ``spec_with("mcts", iterations=10)`` is ``mcts:iterations=10``."""
    return f"{kind}:{','.join(f'{name}={value}' for name, value in options.items())}" if options else kind
