"""Games as tables of pandas: `to_pandas`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from flipdrop.arena.store import Store
from flipdrop.arena.store.export import COLUMNS, table_rows
from flipdrop.errors import RecordError, install_command
from flipdrop.games.records import read_games

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flipdrop.games.records import GameRecord


def to_pandas(games: str | os.PathLike[str] | Store | Iterable[GameRecord], *, event: int | None = None) -> Any:
    """A table with a row for each game.

    >>> from flipdrop import Store, match
    >>> with Store(None) as store:
    ...     _ = match("greedy", "random", games=4, seed=1, store=store)
    ...     to_pandas(store)[["first", "second", "result"]].shape
    (4, 3)

    :param games: a file of games (.ggf, .wtb, .txt), records, or a store of matches and tournaments
    :param event: of a store; all events by default
    """
    try:
        import pandas as pd
    except ModuleNotFoundError:
        raise RecordError(f"to_pandas needs pandas, which is not installed: {install_command('data')}") from None
    if isinstance(games, Store):
        rows = [
            row
            for stored in games.events()
            if event in (None, stored.id)
            for row in table_rows(games.games(stored.id), stored)
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS))
    records = read_games(games) if isinstance(games, str | os.PathLike) else games
    return pd.DataFrame(
        [
            {
                "game": record.game.name,
                "first": record.first,
                "second": record.second,
                "result": record.outcome,
                "margin": record.margin,
                "plies": len(record.moves),
                "moves": record.transcript,
                "event": record.event,
                "date": record.date,
                "first_rating": record.first_rating,
                "second_rating": record.second_rating,
            }
            for record in records
        ]
    )
