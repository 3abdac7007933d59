"""`flipdrop play`: a game against the computer in the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.games import write_transcript
from flipdrop.interface.cli.options import Seed, Threads, seed_or_fresh, threads_or_all
from flipdrop.kernel import Side
from flipdrop.players import FlatMonteCarlo

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players import Player

HELP = "Type a move, or: undo, hint, moves, help, quit."


class Seat(StrEnum):
    """Who moves first."""

    FIRST = "first"
    SECOND = "second"


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="othello, connect4, connect4:9x10, ...")] = "othello",
    seat: Annotated[Seat, typer.Option("--as", help="Your side; the first moves first.")] = Seat.FIRST,
    demo: Annotated[bool, typer.Option("--demo", help="Watch the computer play itself.")] = False,
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Random games the computer tries for each move.")
    ] = 2000,
    threads: Threads = None,
    seed: Seed = None,
) -> None:
    """Play against the computer. Without a keyboard, watch it play itself.

    Example: flipdrop play connect4 --as second
    """
    used_seed = seed_or_fresh(seed)
    computer = FlatMonteCarlo(games=games, seed=used_seed, threads=threads_or_all(threads))
    table = Table(game_of(game), computer)
    nobody_types = demo or not sys.stdin.isatty()
    typer.echo(f"{table.game.title}, seed {used_seed}")
    if nobody_types:
        _watch(table)
    else:
        typer.echo(HELP)
        _play(table, Side.FIRST if seat is Seat.FIRST else Side.SECOND)
    typer.echo(f"Moves: {write_transcript(table.game.start(), table.moves)}")


@dataclass
class Table:
    """A game in progress against the computer."""

    game: Game
    computer: Player
    moves: list[int] = field(default_factory=list)
    line: list[Position] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.line.append(self.game.start())

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.line[-1]

    def play(self, move: int | str) -> None:
        """Plays a move of the side to move."""
        self.line.append(self.position.play(move))
        self.moves.append(self.line[-2].parse_move(move) if isinstance(move, str) else move)

    def undo(self, side: Side) -> bool:
        """Takes back the last move of `side` and what followed; False if there is none."""
        own = [i for i, position in enumerate(self.line[:-1]) if position.to_move == side]
        if not own:
            return False
        del self.line[own[-1] + 1 :], self.moves[own[-1] :]
        return True

    def show(self) -> None:
        """Draws the board."""
        last = self.moves[-1] if self.moves else None
        typer.echo("\n" + self.position.diagram(last_move=last, legal=not self.position.is_over))


def _watch(table: Table) -> None:
    while not table.position.is_over:
        _computer_moves(table)
    table.show()


def _computer_moves(table: Table) -> None:
    position = table.position
    move = table.computer.choose(position)
    table.play(move)
    typer.echo(f"{position.ply + 1:3}. {position.game.sides[position.to_move]} {position.move_name(move)}")


def _play(table: Table, human: Side) -> None:
    while not table.position.is_over:
        if table.position.to_move != human:
            _computer_moves(table)
            continue
        table.show()
        if not _human_moves(table, human):
            return
    table.show()


def _human_moves(table: Table, human: Side) -> bool:
    """Asks until a move is made; False if the game is given up."""
    position = table.position
    if position.pass_move in position.legal_moves:
        typer.echo("You have no move and pass.")
        table.play("pass")
        return True
    while True:
        try:
            answer = input("Your move: ").strip().lower()
        except EOFError:
            typer.echo("")
            return False
        match answer:
            case "":
                continue
            case "quit" | "exit":
                return False
            case "help":
                typer.echo(HELP)
            case "moves":
                typer.echo(" ".join(map(position.move_name, position.legal_moves)))
            case "hint":
                typer.echo(f"The computer would play {position.move_name(table.computer.choose(position))}.")
            case "undo":
                if table.undo(human):
                    return True
                typer.echo("There is nothing to take back.")
            case move:
                try:
                    table.play(move)
                except FlipdropError as error:
                    typer.echo(str(error))
                else:
                    return True
