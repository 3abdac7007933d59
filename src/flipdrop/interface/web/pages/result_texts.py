"""Ratings, counts and times of results as people read them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flipdrop.interface.web.pages.charts import typographic_minus
from flipdrop.interface.web.pages.display_names import breakable_player_name, short_player_name
from flipdrop.reporting import formatting

if TYPE_CHECKING:
    from flipdrop.arena.statistics import Games
    from flipdrop.interface.web.i18n import Translator


def counts_text(t: Translator, games: Games) -> str:
    return t("arena.counts", won=games.wins, drawn=games.draws, lost=games.losses)


def elo(value: float) -> str:
    return typographic_minus(formatting.elo_text(value).replace("inf", "∞"))


def interval_text(ends: tuple[float, float]) -> str:
    return typographic_minus(formatting.interval_text(ends).replace("inf", "∞").replace(" to ", " … "))


def ago(t: Translator, moment: str) -> str:
    """How long ago an ISO 8601 time was; its date after a day."""
    then = datetime.fromisoformat(moment)
    seconds = (datetime.now(UTC) - then).total_seconds()
    if seconds < 60:
        return t("ago.now")
    if seconds < 3600:
        return t("ago.minutes", count=int(seconds // 60))
    if seconds < 86_400:
        return t("ago.hours", count=int(seconds // 3600))
    return then.date().isoformat()


def likelihood_text(share: float) -> str:
    """A likelihood of superiority, which is never certain.

    >>> likelihood_text(0.882), likelihood_text(0.99999), likelihood_text(0.0)
    ('88.2%', '> 99.9%', '< 0.1%')
    """
    if share > 0.9995:
        return "> 99.9%"
    return "< 0.1%" if share < 0.0005 else f"{100 * share:.1f}%"


FORMATS = {
    "ago": ago,
    "counts_text": counts_text,
    "elo": elo,
    "interval_text": interval_text,
    "likelihood_text": likelihood_text,
    "minus": typographic_minus,
    "player": short_player_name,
    "player_cell": breakable_player_name,
    "share_text": formatting.share_text,
}
"""Functions that the templates of the arena and of learning use."""
