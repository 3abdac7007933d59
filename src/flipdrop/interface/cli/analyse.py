"""`flipdrop analyse`: what every move is worth."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import PlayerError
from flipdrop.games import Othello
from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import GameName, Json, PositionText, Seed, Threads, seed_or_fresh, threads_or_all
from flipdrop.interface.cli.output import print_json
from flipdrop.players import Clock, LevelPlayer, SearchPlayer, report_of
from flipdrop.players import player as player_of
from flipdrop.search import Mcts, Minimax
from flipdrop.search.report import WIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.text import Text

    from flipdrop.games import Position
    from flipdrop.players import Player
    from flipdrop.search import SearchReport

DEFAULT_SECONDS = 2.0
# D, the default evaluation of searches, counts the moves of the side to move alone: its values jump with every ply.
_OTHELLO = "deepening:evaluation=Seven,all_moves=yes"
_CONNECT_FOUR = "deepening:all_moves=yes"
_LONGEST_LINE = 20


def analyse(
    game: GameName,
    position: PositionText = "",
    player: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who analyses: see flipdrop players; deepening unless said.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--time", min=0.001, metavar="S", help="Seconds; 2 if nothing limits the search.")
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="Plies to look ahead.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Positions to look at.")] = None,
    threads: Threads = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Rank the moves of a position: what each is worth to the side to move, and how the game would go on.

    Ctrl-C ends the analysis with what was found so far.

    Example: flipdrop analyse othello f5d6c3 --time 5
    """
    analysed = game_of(game).position(position)
    if analysed.is_over:
        raise PlayerError(f"{analysed!r}: the game is over, there is no move to analyse")
    spec = player or (_OTHELLO if isinstance(analysed, Othello) else _CONNECT_FOUR)
    analyst = player_of(spec, game=analysed.game, seed=seed_or_fresh(seed), threads=threads_or_all(threads))
    found, interrupted = _analysed(
        lambda progress: _report(analyst, analysed, seconds, depth, nodes, progress),
        live=not json and sys.stderr.isatty(),
    )
    if found is not None and json:
        print_json(found.to_json() | {"player": str(analyst)})
    elif found is not None:
        from rich.console import Console

        Console(highlight=False).print(described(found), soft_wrap=True)
    if interrupted:
        raise typer.Exit(130)


def _report(
    player: Player,
    position: Position,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    progress: Callable[[SearchReport], None],
) -> SearchReport:
    """The report of a player with the limits that were asked for."""
    if isinstance(player, LevelPlayer):
        player = player.player_of(position.game)
    if isinstance(player, SearchPlayer):
        return _limited(player.search, seconds, depth, nodes).search(position, progress=progress)
    if depth or nodes:
        raise PlayerError(f"{player.name} has no depth and no nodes to limit; leave out --depth and --nodes")
    return report_of(player, position, Clock(move_limit=seconds))


def _limited(search: Minimax | Mcts, seconds: float | None, depth: int | None, nodes: int | None) -> Minimax | Mcts:
    if isinstance(search, Mcts):
        if depth:
            raise PlayerError("--depth limits minimax, alphabeta and deepening; limit mcts by --time or --nodes")
        has_own = bool(search.iterations or search.schedule)
    else:
        has_own = search.depth is not None
    given = {"seconds": seconds, "depth": depth, "nodes": nodes}
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes and not (has_own or search.seconds or search.nodes):
        changes = {"seconds": DEFAULT_SECONDS}
    return search.with_options(**changes)


def _analysed(
    report: Callable[[Callable[[SearchReport], None]], SearchReport], *, live: bool
) -> tuple[SearchReport | None, bool]:
    """The report, or what was known when Ctrl-C ended it, and whether it did. Progress is shown if `live`."""
    known: list[SearchReport] = []
    with _display(live) as show:

        def progress(so_far: SearchReport) -> None:
            known[:] = [so_far]
            show(so_far)

        try:
            return report(progress), False
        except KeyboardInterrupt:
            return (known[0] if known else None), True


@contextmanager
def _display(live: bool) -> Iterator[Callable[[SearchReport], object]]:
    """A place on standard error that shows one report at a time, and nothing when it is left."""
    if not live:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live("searching ...", console=Console(stderr=True), transient=True) as display:
        yield lambda report: display.update(described(report))


def described(report: SearchReport) -> Text:
    """A report for people: a row for each move, the line, and what it took."""
    from rich.text import Text

    name = report.position.move_name
    text = Text()
    text.append(f"{'move':>6} {'value':>14} {'visits':>14}\n", "bold")
    for m in report.moves:
        bound = "" if m.exact else "<= "
        row = f"{name(m.move):>6} {bound + value_text(report.position, m.value):>14} {m.visits:>14,}\n"
        text.append(row, "green" if m.move == report.best else "")
    line = [name(move) for move in report.line]
    text.append(f"line: {' '.join(line[:_LONGEST_LINE])}{' ...' if len(line) > _LONGEST_LINE else ''}\n")
    facts = ["proven"] if report.proven else []
    facts += [f"depth {report.depth}", f"{report.nodes:,} nodes in {report.seconds:.2f} s"]
    facts += [] if report.seed is None else [f"seed {report.seed}"]
    facts += [report.note] if report.note else []
    return text.append("; ".join(facts), "dim")


def value_text(position: Position, value: float) -> str:
    """What a value means: how a finished game ends, or the searcher's own number."""
    if abs(value) < WIN / 2:
        return f"{value:+.2f}"
    word = "win" if value > 0 else "loss"
    margin = round(abs(value) - WIN)
    if isinstance(position, Othello):
        return f"{word} by {margin}"
    # Connect Four counts the cells that stay empty, and one: the fewer moves a win takes, the more there are.
    return f"{word} in {position.cells.count('-') - (margin - 1)}"
