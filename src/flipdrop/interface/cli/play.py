"""`flipdrop play`: a game in the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import FlipdropError, PlayerError, RecordError
from flipdrop.games import Othello, positions_along, read_transcript, write_transcript
from flipdrop.games import game as game_of
from flipdrop.games.records import GameRecord, encode_games, format_of, write_games
from flipdrop.interface.cli.analyse import is_expected_score
from flipdrop.interface.cli.options import GameName, Seed, Threads, seed_or_random, thread_count
from flipdrop.kernel import Side
from flipdrop.players import LEVELS, Clock, LevelPlayer, checked_move, send_history
from flipdrop.players import player as player_of

if TYPE_CHECKING:
    from rich.console import Console

    from flipdrop.games import Game, Position
    from flipdrop.players import SpecPlayer

DEFAULT_LEVEL = 3
HELP = "Type a move, or: undo, redo, hint, moves, board, save FILE, resign, quit, help."
_HINT_SECONDS = 1.0
_COLOURS = {"othello": ("bold cyan", "bold white"), "connect4": ("bold red", "bold yellow")}


class HumanSides(StrEnum):
    """The sides that people play."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NONE = "none"


_SIDES = {
    HumanSides.FIRST: {Side.FIRST},
    HumanSides.SECOND: {Side.SECOND},
    HumanSides.BOTH: {Side.FIRST, Side.SECOND},
    HumanSides.NONE: set(),
}


def play(
    game: GameName = "othello",
    seat: Annotated[HumanSides, typer.Option("--as", help="Your side; the first side moves first.")] = HumanSides.FIRST,
    level: Annotated[
        int | None,
        typer.Option(
            min=1, max=max(LEVELS), metavar="N", help="Level of the computer.", show_default=str(DEFAULT_LEVEL)
        ),
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="SPEC", help="The computer's player; see flipdrop players.")
    ] = None,
    position: Annotated[
        str, typer.Option(metavar="POSITION", help="Start position.", show_default="the start of the game")
    ] = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the game: .ggf or .txt.")] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--time", min=0.001, metavar="S", help="Time limit for a move of the computer in seconds."),
    ] = None,
    threads: Threads = None,
    seed: Seed = None,
) -> None:
    """Play against the computer, or two people at one terminal. Without a terminal the computer plays itself.

    Example: flipdrop play connect4 --as second --level 4
    """
    if level is not None and against is not None:
        raise PlayerError("--level and --against both name the computer's player; give one of them")
    table = Table.set_up(game_of(game), position)
    if save is not None:
        _check_can_save(table, save)
    used_seed = seed_or_random(seed)
    spec = against or f"level:{level or DEFAULT_LEVEL}"
    people = _SIDES[seat] if sys.stdin is not None and sys.stdin.isatty() else set()
    for side in set(Side) - people:
        own_seed = used_seed ^ side  # each side has a seed of its own
        table.players[side] = player_of(spec, game=table.position.game, seed=own_seed, threads=thread_count(threads))
    clock = None if seconds is None else Clock(move_limit=seconds)
    typer.echo(f"{table.position.game.title}: {table.names[0]} against {table.names[1]}, seed {used_seed}")
    interrupted = False
    try:
        TerminalSession(table, clock, thread_count(threads)).run()
    except KeyboardInterrupt:
        interrupted = True
        typer.echo("")
    finally:
        for made in table.players.values():
            made.close()
        typer.echo(f"Moves: {write_transcript(table.line[0], table.moves)}")
        if save is not None:
            write_games(save, [table.record()])
            typer.echo(f"Saved to {save}")
    if interrupted:
        raise typer.Exit(130)


@dataclass
class Table:
    """A game in progress: where it began, what was played, and who plays. A side without a player is a person's."""

    line: list[Position]
    moves: list[int]
    given: int
    """Moves that were there before anybody played."""
    players: dict[Side, SpecPlayer] = field(default_factory=dict)
    undone: list[int] = field(default_factory=list)
    """What could be played again, the next one last."""
    resigned: Side | None = None

    @classmethod
    def set_up(cls, game: Game, text: str) -> Table:
        """The table for a game from a position; the moves of a transcript belong to the game."""
        start, moves = game.position(text), []
        if not game.is_board(text):
            start = game.start()
            moves = read_transcript(start, text)[0]
        table = cls(positions_along(start, moves), moves, len(moves))
        if table.position.is_over:
            raise PlayerError(f"{table.position!r}: the game is already over")
        return table

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.line[-1]

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.position.is_over or self.resigned is not None

    @property
    def names(self) -> tuple[str, str]:
        """Who plays the first and the second side."""
        first, second = (self.players[side].name if side in self.players else "you" for side in Side)
        return first, second

    def play(self, move: int | str) -> None:
        """Plays a move of the side to move."""
        number = self.position.parse_move(move) if isinstance(move, str) else move
        self.line.append(self.position.play(number))
        self.moves.append(number)
        self.undone.clear()

    def undo(self) -> bool:
        """Takes back to the last time that a person had a choice; False if there was none."""
        choices = [i for i in range(self.given, len(self.moves)) if self._is_choice(self.line[i])]
        if not choices:
            return False
        self.undone += reversed(self.moves[choices[-1] :])
        del self.line[choices[-1] + 1 :], self.moves[choices[-1] :]
        return True

    def redo(self) -> bool:
        """Plays again what was taken back, up to the next time that a person had a choice; False if nothing was."""
        undone = list(self.undone)
        if not undone:
            return False
        while undone:
            self.play(undone.pop())
            if self._is_choice(self.position):
                break
        self.undone = undone
        return True

    def _is_choice(self, position: Position) -> bool:
        return position.to_move not in self.players and position.pass_move not in position.legal_moves

    def record(self) -> GameRecord:
        """The game for a file."""
        first, second = self.names
        score, ending = None, ""
        final = self.position
        if self.resigned is not None:
            cells = final.game.columns * final.game.rows
            score, ending = float(cells if self.resigned == Side.SECOND else -cells), "r"
        elif isinstance(final, Othello) and final.is_over:
            score = float(final.margin)
        date = datetime.now(UTC).strftime("%Y.%m.%d_%H:%M:%S.UTC")
        return GameRecord(
            self.line[0],
            tuple(self.moves),
            first=first,
            second=second,
            place="flipdrop",
            date=date,
            score=score,
            ending=ending,
        )


class TerminalSession:
    """The dialogue of a game at the terminal."""

    def __init__(self, table: Table, clock: Clock | None, threads: int) -> None:
        from rich.console import Console

        self.table = table
        self.clock = clock
        self.adviser = LevelPlayer(9, threads=threads)
        self.console: Console = Console(highlight=False)

    def run(self) -> None:
        watched = len(self.table.players) == len(Side)
        if not watched:
            self.say(HELP)
        while not self.table.is_over:
            if self.table.position.to_move in self.table.players:
                self.computer_moves()
            elif not self.person_moves():
                return
        self.show()

    def say(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)

    def show(self) -> None:
        from rich.text import Text

        position = self.table.position
        last = self.table.moves[-1] if self.table.moves else None
        board = Text("\n" + position.diagram(last_move=last, legal=not position.is_over))
        colours = _COLOURS["othello" if isinstance(position, Othello) else "connect4"]
        for mark, colour in zip("XO", colours, strict=True):
            board.highlight_regex(rf"(?<!\w){mark}(?!\w)", colour)
        board.highlight_regex(r"(?<![^\s\[\]])\+(?![^\s\[\]])", "dim green")
        self.console.print(board, soft_wrap=True)

    def computer_moves(self) -> None:
        position = self.table.position
        mover = self.table.players[position.to_move]
        send_history(mover, self.table.line[0], self.table.moves)
        move = checked_move(mover, position, self.clock)
        self.table.play(move)
        self.say(f"{position.ply + 1:3}. {position.game.sides[position.to_move]} {position.move_name(move)}")

    def person_moves(self) -> bool:
        """Asks until the board changes; False if the person quits."""
        position = self.table.position
        self.show()
        if position.pass_move in position.legal_moves:
            self.say("You have no legal move and pass.")
            self.table.play("pass")
            return True
        while True:
            try:
                answer = input("Your move: ").strip()
            except EOFError:
                self.say("")
                return False
            word, _, rest = answer.partition(" ")
            match word.lower():
                case "quit" | "exit":
                    return False
                case "resign":
                    self.table.resigned = position.to_move
                    self.say(f"{position.game.sides[position.to_move]} resigns.")
                    return True
                case "undo" if self.table.undo():
                    return True
                case "redo" if self.table.redo():
                    return True
                case "":
                    continue
                case command:
                    if self.answer(command, rest.strip()):
                        continue
            try:
                self.table.play(answer.lower())
            except FlipdropError as error:
                self.say(str(error))
            else:
                return True

    def answer(self, command: str, rest: str) -> bool:
        """Runs a command that does not change the board; False if the word is not a command."""
        position = self.table.position
        match command:
            case "help":
                self.say(HELP)
            case "board":
                self.show()
            case "moves":
                self.say(" ".join(map(position.move_name, position.legal_moves)))
            case "hint":
                self.hint(position)
            case "save":
                self.save(rest)
            case "undo":
                self.say("There is no move to undo.")
            case "redo":
                self.say("There is no move to redo.")
            case _:
                return False
        return True

    def hint(self, position: Position) -> None:
        limit = None if self.clock is None else self.clock.move_limit
        report = self.adviser.report(position, Clock(move_limit=min(_HINT_SECONDS, limit or _HINT_SECONDS)))
        line = " ".join(map(position.move_name, report.line[:6]))
        value = report.position_value.format(expected_score=is_expected_score(self.adviser, position))
        self.say(f"Hint: {position.move_name(report.best)} ({value}); line {line}")

    def save(self, name: str) -> None:
        if not name:
            self.say("Name a file: save game.ggf")
            return
        try:
            write_games(Path(name), [self.table.record()])
        except FlipdropError as error:
            self.say(str(error))
        except OSError as error:
            self.say(f"{name}: {error.strerror}")
        else:
            self.say(f"Saved to {name}")


def _check_can_save(table: Table, path: Path) -> None:
    """Raises before the game instead of after it."""
    encode_games([table.record()], format_of(path, writing=True))
    if not path.resolve().parent.is_dir():
        raise RecordError(f"{path}: the folder {path.resolve().parent} does not exist")
