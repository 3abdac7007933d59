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
from flipdrop.games import game as game_of
from flipdrop.games.history import GameHistory
from flipdrop.games.records import GameRecord, encode_games, format_of, write_games
from flipdrop.interface.cli.engines import PlayerOptions
from flipdrop.interface.cli.options import GameName, seed_or_random, setting_option
from flipdrop.interface.cli.output import exit_stopped
from flipdrop.kernel import Side
from flipdrop.players import Clock, LevelPlayer, checked_move, send_history
from flipdrop.search import Minimax
from flipdrop.workers import thread_count

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


def play(
    options: PlayerOptions,
    game: GameName = "othello",
    own: Annotated[HumanSides, typer.Option("--as", help="Your side; the first side moves first.")] = HumanSides.FIRST,
    level: Annotated[
        int | None, setting_option(LevelPlayer, "number", flag="--level", show_default=str(DEFAULT_LEVEL))
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="SPEC", help="The computer's player; see flipdrop players.")
    ] = None,
    position: Annotated[
        str, typer.Option(metavar="POSITION", help="Start position.", show_default="the start of the game")
    ] = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the game: .ggf or .txt.")] = None,
    seconds: Annotated[
        float | None, setting_option(Minimax, "seconds", flag="--time", metavar="S", note=" for a move of the computer")
    ] = None,
) -> None:
    """Play against the computer, or two people at one terminal. Without a terminal the computer plays itself.

    Example: flipdrop play connect4 --as second --level 4
    """
    if level is not None and against is not None:
        raise PlayerError("--level and --against both name the computer's player; give one of them")
    played = TerminalGame.from_text(game_of(game), position)
    if save is not None:
        _check_can_save(played, save)
    seed = seed_or_random(options.seed)
    spec = against or f"level:{level or DEFAULT_LEVEL}"
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    clock = None if seconds is None else Clock(move_limit=seconds)
    interrupted = False
    try:
        for side in Side:
            if not at_terminal or own not in (HumanSides.BOTH, side.name.lower()):
                # Each side has a seed of its own.
                played.players[side] = options.make_player(spec, played.position.game, seed ^ side)
    except BaseException:
        played.close()
        raise
    typer.echo(f"{played.position.game.title}: {played.names[0]} against {played.names[1]}, seed {seed}")
    try:
        TerminalSession(played, clock, thread_count(options.threads)).run()
    except KeyboardInterrupt:
        interrupted = True
        typer.echo("")
    finally:
        played.close()
        typer.echo(f"Moves: {played.history.transcript}")
        if save is not None:
            write_games(save, [played.record()])
            typer.echo(f"Saved to {save}")
    if interrupted:
        exit_stopped(None)  # the moves say it


@dataclass
class TerminalGame:
    """A game in progress. A side without a player is a person's."""

    history: GameHistory
    players: dict[Side, SpecPlayer] = field(default_factory=dict)
    undone: list[int] = field(default_factory=list)
    """Moves to redo, the next one last."""
    resigned: Side | None = None
    setup: int = field(init=False)
    """Number of moves that were set up, which cannot be undone."""

    def __post_init__(self) -> None:
        self.setup = len(self.history)

    @classmethod
    def from_text(cls, game: Game, text: str) -> TerminalGame:
        """The game from a board string, or after the moves of a transcript."""
        if game.is_board(text):
            history = GameHistory.of(game.position(text))
        else:
            history = GameHistory.from_transcript(game.start(), text)
        if history.position.is_over:
            raise PlayerError(f"{history.position!r}: the game is already over")
        return cls(history)

    @property
    def position(self) -> Position:
        return self.history.position

    @property
    def is_over(self) -> bool:
        return self.position.is_over or self.resigned is not None

    @property
    def names(self) -> tuple[str, str]:
        """The names of the first and the second side's players."""
        first, second = (self.players[side].name if side in self.players else "you" for side in Side)
        return first, second

    def close(self) -> None:
        """Ends the processes of the players."""
        for made in self.players.values():
            made.close()

    def play(self, move: int | str) -> None:
        self.history = self.history.play(move)
        self.undone.clear()

    def undo(self) -> bool:
        """Goes back to the last position in which a person had a choice; False if there is none."""
        choices = [i for i in range(self.setup, len(self.history)) if self._is_choice(self.history.positions[i])]
        if not choices:
            return False
        self.undone += reversed(self.history.moves[choices[-1] :])
        self.history = self.history.first(choices[-1])
        return True

    def redo(self) -> bool:
        """Goes forward to the next position in which a person had a choice; False if no move was undone."""
        if not self.undone:
            return False
        while self.undone:
            self.history = self.history.play(self.undone.pop())
            if self._is_choice(self.position):
                break
        return True

    def _is_choice(self, position: Position) -> bool:
        return position.to_move not in self.players and position.pass_move not in position.legal_moves

    def record(self) -> GameRecord:
        first, second = self.names
        score, ending = None, ""
        final = self.position
        if self.resigned is not None:
            cells = final.game.columns * final.game.rows
            score, ending = float(cells if self.resigned == Side.SECOND else -cells), "r"
        elif final.is_over and final.margin is not None:
            score = float(final.margin)
        return GameRecord(
            self.history.start,
            self.history.moves,
            first=first,
            second=second,
            place="flipdrop",
            date=datetime.now(UTC).strftime("%Y.%m.%d_%H:%M:%S.UTC"),
            score=score,
            ending=ending,
        )


class TerminalSession:
    """The dialogue of a game at the terminal."""

    def __init__(self, game: TerminalGame, clock: Clock | None, threads: int) -> None:
        from rich.console import Console

        self.game = game
        self.clock = clock
        self.adviser = LevelPlayer(9, threads=threads)
        self.console: Console = Console(highlight=False)

    def run(self) -> None:
        watched = len(self.game.players) == len(Side)
        if not watched:
            self.say(HELP)
        while not self.game.is_over:
            if self.game.position.to_move in self.game.players:
                self.computer_moves()
            elif not self.person_moves():
                return
        self.show()

    def say(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)

    def show(self) -> None:
        from rich.text import Text

        position = self.game.position
        last = self.game.history.last_move
        board = Text("\n" + position.diagram(last_move=last, legal=not position.is_over))
        colours = _COLOURS[position.game.family]
        for mark, colour in zip("XO", colours, strict=True):
            board.highlight_regex(rf"(?<!\w){mark}(?!\w)", colour)
        board.highlight_regex(r"(?<![^\s\[\]])\+(?![^\s\[\]])", "dim green")
        self.console.print(board, soft_wrap=True)

    def computer_moves(self) -> None:
        position = self.game.position
        mover = self.game.players[position.to_move]
        send_history(mover, self.game.history.start, self.game.history.moves)
        move = checked_move(mover, position, self.clock)
        self.game.play(move)
        self.say(f"{position.ply + 1:3}. {position.game.sides[position.to_move]} {position.move_name(move)}")

    def person_moves(self) -> bool:
        """Asks until the board changes; False if the person quits."""
        position = self.game.position
        self.show()
        if position.pass_move in position.legal_moves:
            self.say("You have no legal move and pass.")
            self.game.play("pass")
            return True
        while True:
            try:
                answer = input("Your move: ").strip()
            except EOFError:
                self.say("")
                return False
            word, _, rest = answer.partition(" ")
            match word.lower():
                case "":
                    pass
                case "quit" | "exit" | "q":
                    return False
                case "resign":
                    self.game.resigned = position.to_move
                    self.say(f"{position.game.sides[position.to_move]} resigns.")
                    return True
                case "undo" | "redo" as command:
                    if self.game.undo() if command == "undo" else self.game.redo():
                        return True
                    self.say(f"There is no move to {command}.")
                case "help":
                    self.say(HELP)
                case "board":
                    self.show()
                case "moves":
                    self.say(" ".join(map(position.move_name, position.legal_moves)))
                case "hint":
                    self.hint(position)
                case "save":
                    self.save(rest.strip())
                case _:
                    try:
                        self.game.play(answer.lower())
                    except FlipdropError as error:
                        self.say(str(error))
                    else:
                        return True

    def hint(self, position: Position) -> None:
        limit = None if self.clock is None else self.clock.move_limit
        report = self.adviser.report(position, Clock(move_limit=min(_HINT_SECONDS, limit or _HINT_SECONDS)))
        line = " ".join(map(position.move_name, report.line[:6]))
        value = report.position_value.format()
        self.say(f"Hint: {position.move_name(report.best)} ({value}); line {line}")

    def save(self, name: str) -> None:
        if not name:
            self.say("Name a file: save game.ggf")
            return
        try:
            write_games(Path(name), [self.game.record()])
        except FlipdropError as error:
            self.say(str(error))
        except OSError as error:
            self.say(f"{name}: {error.strerror}")
        else:
            self.say(f"Saved to {name}")


def _check_can_save(played: TerminalGame, path: Path) -> None:
    """Raises before the game instead of after it."""
    encode_games([played.record()], format_of(path, writing=True))
    if not path.resolve().parent.is_dir():
        raise RecordError(f"{path}: the folder {path.resolve().parent} does not exist")
