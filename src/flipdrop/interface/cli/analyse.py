"""`flipdrop analyse`: the value of every move."""

from __future__ import annotations

import dataclasses
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import PlayerError
from flipdrop.games import game as game_of
from flipdrop.games import read_transcript
from flipdrop.games.opening_names import named_opening
from flipdrop.interface.cli.options import GameName, Json, PositionText, Seed, Threads, seed_or_random, setting_option
from flipdrop.interface.cli.output import exit_stopped, print_json
from flipdrop.players import SearchPlayer
from flipdrop.players import player as player_of
from flipdrop.players.analysing import report_within
from flipdrop.players.spec import check_analyses
from flipdrop.search import Minimax
from flipdrop.search.analyse import DEFAULT_SECONDS, Analysis
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.text import Text

    from flipdrop.players import Player
    from flipdrop.search import SearchReport


def analyse(
    game: GameName,
    position: PositionText = "",
    player: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="The player that analyses; see flipdrop players.",
            show_default="opening book where it has the position, exact solver where it can prove the position in "
            "time, otherwise the engine",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        setting_option(Minimax, "seconds", flag="--time", metavar="S", show_default="2 without another limit"),
    ] = None,
    depth: Annotated[int | None, setting_option(Minimax, "depth", note="; disables book and solver")] = None,
    nodes: Annotated[int | None, setting_option(Minimax, "nodes", note="; disables book and solver")] = None,
    threads: Threads = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Rank the legal moves of a position by their value for the side to move.

    A proven value is a result: "win in 41 plies", "+4 discs", "draw". A percentage is the expected score, from 0%
    (loss) to 100% (win). Any other number is the score of the evaluation function; higher is better.

    In Othello values are discs, and an opening that has a name is shown with it. Values from the opening book are
    backed up from longer lines; the depth shown with them is that of the searches at their ends.

    JSON output has the fields of flipdrop solve (outcome, score, proven, exact) and for each move a value: the exact
    score if the search reached the end of the game, otherwise the estimate of the player. Expected scores are between
    -1 (loss) and 1 (win) there.

    Ctrl-C stops the analysis and prints the result so far.

    Example: flipdrop analyse othello f5d6c3 --time 5
    """
    kind = game_of(game)
    analysed = kind.position(position)
    moves = [] if kind.is_board(position) else read_transcript(kind.start(), position)[0]
    opening = named_opening(kind.start(), moves)
    if analysed.is_over:
        raise PlayerError(f"{analysed!r}: the game is over; there is no move to analyse")
    used_threads = thread_count(threads)
    usual = Analysis(seconds=DEFAULT_SECONDS if seconds is None else seconds, threads=used_threads)
    analyst: Player
    if player is None:
        analyst = SearchPlayer(usual.search_settings(analysed.game))
    else:
        check_analyses(player)
        analyst = player_of(player, game=analysed.game, seed=seed_or_random(seed), threads=used_threads)
    found: SearchReport | None = None
    interrupted = False
    with _display(live=not json and sys.stderr.isatty()) as show:

        def progress(report: SearchReport) -> None:
            nonlocal found
            found = report
            show(report)

        try:
            if player is None and not (depth or nodes):
                found = usual.search(analysed, progress=progress)
            else:
                limits = {"seconds": seconds, "depth": depth, "nodes": nodes}
                given = {name: limit for name, limit in limits.items() if limit is not None}
                found = report_within(analyst, analysed, given, progress)
        except KeyboardInterrupt:
            interrupted = True
    if found is not None and json:
        named = None if opening is None else dataclasses.asdict(opening)
        print_json(found.to_json() | {"opening": named, "player": str(analyst)})
    elif found is not None:
        from rich.console import Console

        if opening is not None:
            typer.echo(f"opening: {opening.name}")
        Console(highlight=False).print(styled(found), soft_wrap=True)
    if interrupted:
        exit_stopped(None if json else "stopped")


@contextmanager
def _display(*, live: bool) -> Iterator[Callable[[SearchReport], object]]:
    """Shows the latest report on standard error while the block runs."""
    if not live:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live("searching ...", console=Console(stderr=True), transient=True) as display:
        yield lambda report: display.update(styled(report))


def styled(report: SearchReport) -> Text:
    """The report's text with its heading in bold, the best move in green and the cost dimmed."""
    from rich.text import Text

    heading, *rows, cost = str(report).splitlines()
    styles = {number: "green" for number, entry in enumerate(report.moves) if entry.move == report.best}
    parts = [(heading, "bold"), *((row, styles.get(number, "")) for number, row in enumerate(rows)), (cost, "dim")]
    return Text("\n").join(Text(text, style) for text, style in parts)
