"""`flipdrop solve`: exact scores."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import FlipdropError, NotationError
from flipdrop.games import game as game_of
from flipdrop.games.records.parsing import decode_text
from flipdrop.interface.cli.options import Cluster, GameName, Json, Threads, setting_option, workers_for
from flipdrop.interface.cli.output import print_json
from flipdrop.search import Solver
from flipdrop.search.solver import DEFAULT_TABLE
from flipdrop.workers import results_in_order, thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from flipdrop.games import Game, Position
    from flipdrop.search import Solution


def solve(
    game: GameName,
    positions: Annotated[
        list[str] | None, typer.Argument(metavar="POSITION...", help="Transcripts or board strings.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="F", help="File with one position per line; - for standard input.")
    ] = None,
    wld: Annotated[bool, setting_option(Solver, "outcome_only", flag="--wld")] = False,
    moves: Annotated[bool, setting_option(Solver, "moves")] = False,
    seconds: Annotated[
        float | None, setting_option(Solver, "seconds", flag="--time", metavar="S", note=" for each position")
    ] = None,
    nodes: Annotated[int | None, setting_option(Solver, "nodes")] = None,
    table: Annotated[int, setting_option(Solver, "table", metavar="MB")] = DEFAULT_TABLE,
    book: Annotated[bool, setting_option(Solver, "book", flag="--book/--no-book")] = True,
    ordering: Annotated[Path | None, setting_option(Solver, "ordering", metavar="FILE")] = None,
    threads: Threads = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Solve positions exactly: the score with best play by both sides, and the principal variation.

    The score in Othello is the final disc difference for the side to move, with empty squares counted for the winner.
    In Connect Four it is the number of discs that the winner still has when it wins, including the winning disc; a loss
    is negative, a draw 0.

    In a file, the rest of a line after the position (after a space in Connect Four, after a semicolon in Othello) is
    ignored, so that problem files can be read. Each solution is printed at once.

    Example: flipdrop solve connect4 4444 --moves
    """
    kind = game_of(game)
    requested = list(_read_positions(kind, positions or [], file))
    solver = Solver(
        seconds=seconds,
        nodes=nodes,
        threads=thread_count(threads) if cluster is None else 1,
        outcome_only=wld,
        moves=moves,
        table=table,
        book=book,
        ordering=ordering,
    )
    total_nodes, total_seconds, unproven = 0, 0.0, 0
    for solution in _solutions(solver, requested, cluster, thread_count(threads)):
        total_nodes, total_seconds = total_nodes + solution.nodes, total_seconds + solution.seconds
        unproven += not solution.proven
        if json:
            print_json(solution.to_json())
        else:
            typer.echo(solution.describe(outcome_only=wld))
        sys.stdout.flush()
    if not json and len(requested) > 1:
        open_ones = f", {unproven} not proven" if unproven else ""
        typer.echo(f"{len(requested)} positions{open_ones}: {total_nodes:,} nodes in {total_seconds:.2f} s", err=True)


def _solutions(
    solver: Solver, positions: list[Position], cluster: str | None, threads: int
) -> Generator[Solution, None, None]:
    """One position after the other on all threads; or on a cluster, as many at once as it has cores."""
    if cluster is not None:
        yield from results_in_order(workers_for(cluster, threads), _solve, solver, positions)
        return
    for number, position in enumerate(positions, 1):
        with _display(f"{number} of {len(positions)}", live=sys.stderr.isatty()) as show:
            solution = solver.solve(position, progress=show)
        yield solution


def _solve(solver: Solver, position: Position) -> Solution:
    return solver.solve(position)


def _read_positions(game: Game, texts: list[str], file: Path | None) -> Iterator[Position]:
    """The positions of the command line and of the file; all are read before the first is solved."""
    if file is None and not texts:
        texts = [""]
    yield from (game.position(text) for text in texts)
    if file is None:
        return
    content = sys.stdin.read() if str(file) == "-" else decode_text(file.read_bytes())
    for number, line in enumerate(content.splitlines(), 1):
        text = line.split("%")[0].split(";")[0].strip()
        if game.family == "connect4" and "/" not in text:
            text = text.split(" ")[0]  # a transcript; a score may follow it
        if not text:
            continue
        try:
            yield game.position(text)
        except FlipdropError as error:
            raise NotationError(f"{file}, line {number}: {error}") from None


@contextmanager
def _display(title: str, *, live: bool) -> Iterator[Callable[[Solution], None] | None]:
    """Shows nodes and bounds on standard error while the block runs."""
    if not live:
        yield None
        return
    from rich.console import Console
    from rich.status import Status

    with Status(title, console=Console(stderr=True)) as status:

        def show(solution: Solution) -> None:
            status.update(f"{title}: {solution.nodes:,} nodes, score {solution.lower:+} to {solution.upper:+}")

        yield show
