"""`flipdrop analyse`: the value of every move."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import PlayerError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import GameName, Json, PositionText, Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.cli.output import print_json
from flipdrop.players import (
    Clock,
    FlatMonteCarlo,
    GreedyPlayer,
    LevelPlayer,
    NetworkPlayer,
    SearchPlayer,
    SolverPlayer,
    analyse_with,
)
from flipdrop.players import player as player_of
from flipdrop.search import Mcts, Minimax
from flipdrop.search.analyse import DEFAULT_SECONDS, Analysis, best_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.text import Text

    from flipdrop.games import Position
    from flipdrop.players import Player
    from flipdrop.search import SearchReport
    from flipdrop.search.report import Progress

_LONGEST_LINE = 20


def analyse(
    game: GameName,
    position: PositionText = "",
    player: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="The player that analyses; see flipdrop players.",
            show_default="opening book and exact solver where they can prove the position in time, otherwise "
            "iterative with the best evaluation",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time", min=0.001, metavar="S", help="Time limit in seconds.", show_default="2 without another limit"
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Depth limit in plies; disables book and solver.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Limit on visited positions; disables book and solver.")
    ] = None,
    threads: Threads = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Rank the legal moves of a position by their value for the side to move.

    A proven value is a result: "win in 41 plies", "+4 discs", "draw". A percentage is the expected score, from 0%
    (loss) to 100% (win). Any other number is the score of the evaluation function; higher is better.

    JSON output has the fields of flipdrop solve (outcome, score, proven, exact) and for each move a value: the exact
    score if the search reached the end of the game, otherwise the estimate of the player. Expected scores are between
    -1 (loss) and 1 (win) there.

    Ctrl-C stops the analysis and prints the result so far.

    Example: flipdrop analyse othello f5d6c3 --time 5
    """
    analysed = game_of(game).position(position)
    if analysed.is_over:
        raise PlayerError(f"{analysed!r}: the game is over; there is no move to analyse")
    used_threads = thread_count(threads)
    usual = Analysis(seconds=seconds or DEFAULT_SECONDS, threads=used_threads)
    analyst: Player
    if player is None:
        analyst = SearchPlayer(usual.search_settings(analysed.game))
    else:
        analyst = player_of(player, game=analysed.game, seed=seed_or_random(seed), threads=used_threads)

    def report(progress: Progress) -> SearchReport:
        if player is None and not (depth or nodes):
            return usual.search(analysed, progress=progress)
        return _report(analyst, analysed, seconds, depth, nodes, progress)

    def describe(found: SearchReport) -> Text:
        return format_report(found, expected=is_expected_score(analyst, analysed))

    found, interrupted = _analysed(report, describe, live=not json and sys.stderr.isatty())
    if found is not None and json:
        print_json(found.to_json() | {"player": str(analyst)})
    elif found is not None:
        from rich.console import Console

        Console(highlight=False).print(describe(found), soft_wrap=True)
    if interrupted:
        raise typer.Exit(130)


def _report(
    player: Player,
    position: Position,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    progress: Progress,
) -> SearchReport:
    player = _for_game(player, position)
    if isinstance(player, SearchPlayer):
        return _limited(player.search, seconds, depth, nodes).search(position, progress=progress)
    if depth or nodes:
        raise PlayerError(f"{player.name} does not search a tree: --depth and --nodes do not apply")
    return analyse_with(player, position, Clock(move_limit=seconds))


def _for_game(player: Player, position: Position) -> Player:
    """The player that a level stands for in this game; any other player itself."""
    return player.player_of(position.game) if isinstance(player, LevelPlayer) else player


def is_expected_score(player: Player, position: Position) -> bool:
    """Whether a player's values are expected scores, from -1 (loss) to 1 (win)."""
    match _for_game(player, position):
        case SearchPlayer(search=Mcts() as search):
            return search.reward in ("", "win", "squashed")
        case SearchPlayer(search=Minimax(evaluation=evaluation)) | GreedyPlayer(evaluation=evaluation):
            return evaluation is not None and evaluation.networks is not None
        case SolverPlayer():  # positions that it cannot prove go to MCTS, or to a search with the best evaluation
            return position.game.family != "othello" or best_evaluation(position.game).networks is not None
        case NetworkPlayer() | FlatMonteCarlo():
            return True
    return False


def _limited(search: Minimax | Mcts, seconds: float | None, depth: int | None, nodes: int | None) -> Minimax | Mcts:
    if depth and isinstance(search, Mcts):
        raise PlayerError("--depth limits minimax, alphabeta and iterative; limit mcts by --time or --nodes")
    given = {"seconds": seconds, "depth": depth, "nodes": nodes}
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes and not search.is_limited:
        changes = {"seconds": DEFAULT_SECONDS}
    return search.with_options(**changes)


def _analysed(
    report: Callable[[Progress], SearchReport], describe: Callable[[SearchReport], Text], *, live: bool
) -> tuple[SearchReport | None, bool]:
    """The report, or the latest one before Ctrl-C, and whether Ctrl-C ended the search."""
    known: list[SearchReport] = []
    with _display(describe, live=live) as show:

        def progress(so_far: SearchReport) -> None:
            known[:] = [so_far]
            show(so_far)

        try:
            return report(progress), False
        except KeyboardInterrupt:
            return (known[0] if known else None), True


@contextmanager
def _display(describe: Callable[[SearchReport], Text], *, live: bool) -> Iterator[Callable[[SearchReport], object]]:
    """Shows the latest report on standard error while the block runs."""
    if not live:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live("searching ...", console=Console(stderr=True), transient=True) as display:
        yield lambda report: display.update(describe(report))


def format_report(report: SearchReport, *, expected: bool = False) -> Text:
    """A row for each move, the principal variation, and the cost of the search.

    :param expected: whether values are expected scores
    """
    from rich.text import Text

    name = report.position.move_name
    visited = any(m.visits for m in report.moves)  # solvers do not count visits
    text = Text()
    text.append(f"{'move':>6} {'value':>18}{'         visits' if visited else ''}\n", "bold")
    for m in report.moves:
        row = f"{name(m.move):>6} {report.value_of(m).format(expected_score=expected):>18}"
        row += f" {m.visits:>14,}\n" if visited else "\n"
        text.append(row, "green" if m.move == report.best else "")
    line = [name(move) for move in report.line]
    text.append(f"line: {' '.join(line[:_LONGEST_LINE])}{' ...' if len(line) > _LONGEST_LINE else ''}\n")
    details = ["proven"] if report.proven else []
    details += [report.note] if report.note else []
    details += [] if report.solved else [f"depth {report.depth}"]
    details += [f"{report.nodes:,} nodes in {report.seconds:.2f} s"] if report.nodes else []
    details += [] if report.seed is None else [f"seed {report.seed}"]
    return text.append("; ".join(details), "dim")
