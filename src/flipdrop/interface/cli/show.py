"""`flipdrop show`: draws a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flipdrop.errors import RecordError
from flipdrop.games import game as game_of
from flipdrop.games import read_transcript
from flipdrop.interface.cli.options import GameName, Json, PositionText
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from flipdrop.games import Game, Position


def show(
    game: GameName,
    position: PositionText = "",
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the board as an SVG image.", dir_okay=False)
    ] = None,
    gif: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the moves of a transcript as an animated GIF.", dir_okay=False),
    ] = None,
    legal: Annotated[bool, typer.Option("--legal/--no-legal", help="Mark the legal moves.")] = True,
    json: Json = False,
) -> None:
    """Draw a position and list its legal moves.

    Example: flipdrop show othello f5d6c3 --svg board.svg
    """
    shown = game_of(game).position(position)
    moves = _moves(shown.game, position)
    last = moves[-1] if moves else None
    if svg is not None:
        svg.write_text(shown.svg(last_move=last, legal=legal), encoding="utf-8")
    if gif is not None:
        from flipdrop.games.animation import animated_gif  # NumPy takes a while to load

        if not moves:
            raise RecordError(f"{gif}: an animation needs a transcript with moves, such as f5d6c3")
        gif.write_bytes(animated_gif(shown.game.start(), moves))
    if json:
        print_json(position_info(shown))
        return
    typer.echo(shown.diagram(last_move=last, legal=legal))
    typer.echo(f"board: {shown.board}")
    if not shown.is_over:
        typer.echo(f"legal: {' '.join(map(shown.move_name, shown.legal_moves))}")


def position_info(position: Position) -> dict[str, Any]:
    return {
        "game": position.game.name,
        "board": position.board,
        "to_move": position.game.sides[position.to_move],
        "ply": position.ply,
        "discs": list(position.discs),
        "legal_moves": [position.move_name(move) for move in position.legal_moves],
        "is_over": position.is_over,
        "result": position.result,
    }


def _moves(game: Game, text: str) -> list[int]:
    """The moves of a transcript; none for a board string."""
    return [] if game.is_board(text) else read_transcript(game.start(), text)[0]
