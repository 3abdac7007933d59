"""`flipdrop puzzles`: makes puzzles."""

from __future__ import annotations

import json as json_module
from collections import Counter
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.store import Store, default_path
from flipdrop.arena.store.export import records_of
from flipdrop.errors import SearchError
from flipdrop.files import atomic_write
from flipdrop.games import game as game_of
from flipdrop.games.drawings import diagram
from flipdrop.games.records import read_games
from flipdrop.interface.cli.events import StorePath
from flipdrop.interface.cli.options import Json, Seed, seed_or_random
from flipdrop.interface.cli.output import print_json, progress_bar
from flipdrop.search.puzzles import GAMES, LEVELS, Puzzle, level_of, make_puzzles, puzzles_in_games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.games import Game

_ENDINGS = (".obf", ".json")


def puzzles(
    game: Annotated[str, typer.Argument(metavar="GAME", help=f"{', '.join(GAMES)}.")] = "othello",
    count: Annotated[int, typer.Option(min=1, max=10_000, metavar="N", help="Number of puzzles.")] = 5,
    level: Annotated[
        int | None,
        typer.Option(
            min=LEVELS[0],
            max=LEVELS[-1],
            metavar="N",
            help="1 (easy) to 5: the depth of the proof.",
            show_default="from easy to hard",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write them to a file: .obf (Othello) or .json (one per line).")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="GAMES",
            help="Take them from games that were played: store, or a file (GGF, WTHOR, transcripts).",
            show_default="games of the seed",
        ),
    ] = None,
    store: StorePath = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Make puzzles: positions in which one move alone wins.

    They come from games of the seed, or with --from from games that were played; the solver proves them. The same seed
    makes the same puzzles of the same games. The level is the depth of the proof: in Othello 6 to 14 empty squares, in
    Connect Four 2 to 12 moves to the win. The line holds the moves to find and the best replies between them.

    Example: flipdrop puzzles connect4 --count 10 --level 2 --seed 1 --out puzzles.json
    """
    kind, used = game_of(game), seed_or_random(seed)
    if out is not None and out.suffix not in _ENDINGS:
        raise SearchError(f"{out}: the name of a file of puzzles ends with {' or '.join(_ENDINGS)}")
    if out is not None and out.suffix == ".obf" and kind.family != "othello":
        raise SearchError(f"{out}: OBF files hold positions of Othello; write .json")
    found: list[Puzzle] = []
    with progress_bar("puzzles") as progress:
        for puzzle in _puzzles(kind, count, seed=used, level=level, source=source, store=store):
            found.append(puzzle)
            if progress is not None:
                progress(len(found), count)
            if json:
                print_json(puzzle.to_json())
    if not found:
        raise SearchError("these games hold no such puzzle; take more games, or another level")
    if out is not None:
        atomic_write(out, ("\n".join(_line(puzzle, out.suffix) for puzzle in found) + "\n").encode())
    if json:
        return
    if out is None:
        for puzzle in found:
            typer.echo(f"{diagram(puzzle.position)} and win\n{puzzle.position.board}")
            typer.echo(f"level {puzzle.level}; solution: {' '.join(puzzle.names)}")
            typer.echo(f"from {puzzle.origin}\n" if puzzle.origin else "")
    typer.echo(f"{len(found)} puzzles{f' in {out}' if out is not None else ''}, seed {used}")


def _puzzles(
    game: Game, count: int, *, seed: int, level: int | None, source: str | None, store: Path | None
) -> Iterator[Puzzle]:
    if source is None:
        return make_puzzles(game, count, seed=seed, level=level)
    if source == "store":
        with Store(store or default_path(), create=False) as opened:
            records = list(records_of(opened, game.name))
    else:
        records = read_games(source, game=game)
    by_level = {grade: puzzles_in_games(records, game, seed=seed, level=grade) for grade in LEVELS}
    wanted = Counter(level_of(number, count) if level is None else level for number in range(count))
    return chain.from_iterable(islice(by_level[grade], number) for grade, number in sorted(wanted.items()))


def _line(puzzle: Puzzle, ending: str) -> str:
    return puzzle.to_obf() if ending == ".obf" else json_module.dumps(puzzle.to_json())
