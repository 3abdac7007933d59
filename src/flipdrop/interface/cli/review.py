"""`flipdrop review`: what each move of a game cost, and what was better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import RecordError, counted, quoted
from flipdrop.games import GameHistory
from flipdrop.games import game as game_of
from flipdrop.games.opening_names import named_opening
from flipdrop.games.pasted import read_pasted
from flipdrop.games.records import read_games
from flipdrop.interface.cli.options import GameName, Json, Threads
from flipdrop.interface.cli.output import print_json, progress_bar
from flipdrop.search.review import REVIEW_SECONDS
from flipdrop.search.review import review as review_game
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.search.review import GameReview, SideSummary


def review(
    game: GameName,
    moves: Annotated[
        str, typer.Argument(metavar="MOVES", help="The moves of a game, in any usual form.", show_default="see --file")
    ] = "",
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file of games: GGF, WTHOR or one transcript per line.")
    ] = None,
    number: Annotated[int, typer.Option(min=1, metavar="N", help="The game of the file, from 1.")] = 1,
    seconds: Annotated[
        float, typer.Option("--time", min=0.001, max=600, metavar="S", help="Seconds for each move.")
    ] = REVIEW_SECONDS,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Review a game: the value of every move, what it cost, and which move was best.

    A move is compared with the best one. It is an inaccuracy (?!), a mistake (?) or a blunder (??) if it loses 6%, 12%
    or 25% of win probability, or 4, 8 or 16 discs. The accuracy of a side is 100% if none of its moves lost anything.

    Example: flipdrop review othello f5d6c3d3c4f4f6f3e6e7 --time 1
    """
    kind = game_of(game)
    history = _history(kind, moves, file, number)
    if not len(history):
        raise RecordError(
            "there are no moves to review; give them as in flipdrop review othello f5d6c3, or --file FILE"
        )
    with progress_bar("moves") as progress:
        found = review_game(history, seconds=seconds, threads=thread_count(threads), progress=progress)
    if json:
        print_json(found.to_json())
        return
    opening = named_opening(history.start, history.moves)
    if opening is not None:
        typer.echo(f"opening: {opening.name}")
    _print_moves(found)
    for side, summary in found.summary.items():
        typer.echo(f"{side}: {_summary_text(summary)}")


def _history(kind: Game, moves: str, file: Path | None, number: int) -> GameHistory:
    if file is None:
        return GameHistory.of(*read_pasted(moves, kind))
    if moves:
        raise RecordError("give either the moves or --file, not both")
    records = read_games(file, game=kind)
    if number > len(records):
        raise RecordError(f"{quoted(str(file))} holds {counted(len(records), 'game')}; there is no game {number}")
    record = records[number - 1]
    return GameHistory.of(record.start, record.moves)


def _print_moves(found: GameReview) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("ply", justify="right")
    table.add_column("side")
    table.add_column("move")
    table.add_column("value", justify="right")
    table.add_column("lost", justify="right")
    table.add_column("best")
    styles = {"??": "red", "?": "yellow", "?!": "cyan"}
    for one in found.moves:
        lost = one.cost > 0
        table.add_row(
            str(one.ply),
            one.side,
            one.move + one.mark,
            one.value.format(),
            found.loss_text(one) if lost else "",
            f"{one.best} ({one.best_value.format()})" if lost else "",
            style=styles.get(one.mark),
        )
    Console(highlight=False).print(table)


def _summary_text(summary: SideSummary) -> str:
    counts = (
        (summary.inaccuracies, "inaccuracy", "inaccuracies"),
        (summary.mistakes, "mistake", "mistakes"),
        (summary.blunders, "blunder", "blunders"),
    )
    parts = [] if summary.accuracy is None else [f"accuracy {summary.accuracy:.0f}%"]
    parts += [counted(*count) for count in counts]
    if summary.lost_discs is not None:
        parts.append(f"{counted(round(summary.lost_discs), 'disc')} lost")
    return ", ".join(parts)
