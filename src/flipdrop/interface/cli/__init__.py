"""The command line: one file for each command."""

from __future__ import annotations

import itertools
import re
from typing import Any

import typer
from typer.core import TyperCommand

import flipdrop as package
from flipdrop.errors import FlipdropError
from flipdrop.interface.cli.analyse import analyse
from flipdrop.interface.cli.book import book
from flipdrop.interface.cli.convert import convert
from flipdrop.interface.cli.evaluations import evaluations
from flipdrop.interface.cli.evolve import evolve
from flipdrop.interface.cli.experiment import experiment
from flipdrop.interface.cli.games import games
from flipdrop.interface.cli.gtp import gtp
from flipdrop.interface.cli.ladder import ladder
from flipdrop.interface.cli.learn import learn
from flipdrop.interface.cli.match import match
from flipdrop.interface.cli.nboard import nboard
from flipdrop.interface.cli.output import fail
from flipdrop.interface.cli.perft import perft
from flipdrop.interface.cli.play import play
from flipdrop.interface.cli.players import players
from flipdrop.interface.cli.serve import serve
from flipdrop.interface.cli.show import show
from flipdrop.interface.cli.solve import solve
from flipdrop.interface.cli.sweep import sweep
from flipdrop.interface.cli.tournament import tournament
from flipdrop.interface.cli.train import train
from flipdrop.interface.cli.tune import tune
from flipdrop.kernel import BUILD

# A board string may begin with a dash: what is no option is an argument, unless nobody could have meant a board.
_ALLOW_BOARDS = {"ignore_unknown_options": True}
_OPTION = re.compile(r"--[a-z][a-z0-9-]*")
_SMALLEST_BOARD = 16  # cells
_CELLS = set("-xobw0")


class PositionsCommand(TyperCommand):
    """A command that takes positions. An option that it does not know is refused all the same."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads what follows the command's name."""
        known = {name for param in self.get_params(ctx) for name in (*param.opts, *param.secondary_opts)}
        for argument in itertools.takewhile(lambda argument: argument != "--", args):
            name = argument.partition("=")[0]
            if name not in known and _OPTION.fullmatch(name) and not _may_be_board(name):
                ctx.ignore_unknown_options = False
                self.make_parser(ctx).parse_args([name])  # raises, and says what it may have meant
        return super().parse_args(ctx, args)


def _may_be_board(text: str) -> bool:
    return len(text) > _SMALLEST_BOARD and set(text) <= _CELLS


app = typer.Typer(
    name="flipdrop",
    help="A laboratory for Othello and Connect Four.",
    epilog="GAME is othello, othello6, othello4, connect4, connect4:9x10 (columns x rows) or "
    "connect4:12x12,forbid=c3. POSITION is a transcript (f5d6c3, 4453, or '' for the start) or a board string with "
    "the side to move.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help"]},
)
app.command()(serve)
app.command(cls=PositionsCommand, context_settings=_ALLOW_BOARDS)(play)
app.command(cls=PositionsCommand, context_settings=_ALLOW_BOARDS)(analyse)
app.command(cls=PositionsCommand, context_settings=_ALLOW_BOARDS)(solve)
app.command()(match)
app.command()(tournament)
app.command()(ladder)
app.command()(sweep)
app.command()(tune)
app.command()(train)
app.command()(evolve)
app.command()(learn)
app.command()(experiment)
app.command()(games)
app.command()(players)
app.command(cls=PositionsCommand, context_settings=_ALLOW_BOARDS)(show)
app.command(cls=PositionsCommand, context_settings=_ALLOW_BOARDS)(perft)
app.command()(book)
app.command()(convert)
app.command(cls=PositionsCommand, context_settings=_ALLOW_BOARDS)(evaluations)
app.command()(gtp)
app.command()(nboard)


def _print_version(asked: bool) -> None:
    if asked:
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
    """The `flipdrop` command. What the caller got wrong is one line on standard error and exit status 2."""
    try:
        app()
    except FlipdropError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
