"""The command line: one module for each command, imported when the command is used."""

from __future__ import annotations

import importlib
import itertools
import re
import sys
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

import flipdrop as package
from flipdrop.errors import FlipdropError
from flipdrop.interface.cli.options import expand_groups
from flipdrop.interface.cli.output import exit_stopped, fail
from flipdrop.interface.termination import INTERRUPTED, sigterm_interrupts
from flipdrop.kernel import BUILD

COMMANDS = (
    *("serve", "play", "analyse", "review", "solve"),
    *("match", "tournament", "ladder", "sweep", "tune", "run"),
    *("train", "evolve", "learn", "dataset", "experiment"),
    *("games", "players", "show", "perft", "book", "puzzles", "convert", "evaluations"),
    *("gtp", "nboard", "botzone", "saiblo"),
)
ALIASES = {"analyze": "analyse"}
_TAKE_POSITIONS = ("play", "analyse", "review", "solve", "show", "perft", "evaluations")

_OPTION = re.compile(r"--[a-z][a-z0-9-]*")
_SMALLEST_BOARD = 16  # cells
_CELLS = set("-xobw0")


class PositionsCommand(TyperCommand):
    """A command that takes positions. A board string may begin with dashes; a mistyped option is still an error."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        known = {name for param in self.get_params(ctx) for name in (*param.opts, *param.secondary_opts)}
        for argument in itertools.takewhile(lambda argument: argument != "--", args):
            name = argument.partition("=")[0]
            if name not in known and _OPTION.fullmatch(name) and not _may_be_board(name):
                ctx.ignore_unknown_options = False
                self.make_parser(ctx).parse_args([name])  # raises an error that suggests similar options
        return super().parse_args(ctx, args)


def _may_be_board(text: str) -> bool:
    return len(text) > _SMALLEST_BOARD and set(text) <= _CELLS


class LazyGroup(TyperGroup):
    """Imports the module of a command when the command is used."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # the names, for suggestions

    def list_commands(self, _ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in COMMANDS:
            return None
        function = getattr(importlib.import_module(f"{__name__}.{name}"), name)
        single = typer.Typer(add_completion=False)
        if name in _TAKE_POSITIONS:
            single.command(cls=PositionsCommand, context_settings={"ignore_unknown_options": True})(
                expand_groups(function)
            )
        else:
            single.command()(expand_groups(function))
        return typer.main.get_command(single)

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        try:
            return super().make_context(*arguments, **settings)
        except KeyboardInterrupt:
            exit_stopped("stopped")

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            exit_stopped("stopped")


app = typer.Typer(
    name="flipdrop",
    cls=LazyGroup,
    help="A laboratory for Othello and Connect Four.",
    epilog="GAME is othello, othello6, othello4, connect4, connect4:9x10 (columns x rows) or "
    "connect4:12x12,forbid=c3. POSITION is a transcript (f5d6c3, 4453, or '' for the start) or a board string with "
    "the side to move.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help"]},
)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"flipdrop {package.__version__} ({BUILD} kernel)")
        raise typer.Exit


@app.callback()
def flipdrop(
    version: bool = typer.Option(
        False, "--version", help="Print the version and the kernel's build.", callback=_print_version, is_eager=True
    ),
) -> None:
    """A laboratory for Othello and Connect Four."""


def main() -> None:
    """The `flipdrop` command.

    A mistake of the caller prints one line to standard error; the exit status is 2. After Ctrl-C it is 130, after
    SIGTERM 143.
    """
    with sigterm_interrupts() as termination:
        try:
            app()
        except FlipdropError as error:
            fail(str(error))
        except OSError as error:
            fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except KeyboardInterrupt:  # before the command began
            sys.stderr.write("stopped\n")
            sys.exit(termination.status(INTERRUPTED))
        except SystemExit as end:
            if isinstance(end.code, int | None):
                sys.exit(termination.status(end.code or 0))
            raise
