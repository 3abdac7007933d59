"""`flipdrop players`: who can play, with which options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from flipdrop.interface.cli.options import Json
from flipdrop.interface.cli.output import print_json
from flipdrop.players import KINDS, LEVELS, NAMES

if TYPE_CHECKING:
    from flipdrop.players import Option

_OWN = """\
path/to/my_agent.py:MyAgent: your own
  a class with choose(position) or choose(position, clock), made without arguments or with seed=, or such a function;
  it answers with a move's number or its name
gtp:COMMAND LINE, nboard:COMMAND LINE: another program
  that speaks one of these protocols; gtp[name=Edax,timeout=20]:COMMAND LINE names it and limits its time for a move"""


def players(json: Json = False) -> None:
    """List the players with their options and defaults, then the levels.

    A player is written NAME or NAME:option=value,option=value. Commas separate options, so the weights of an evaluation
    are separated by slashes: evaluation=D(15/6/-10/-4/8/8). It can also be a file, my.weights, or a Python function of
    a position, my_evaluation.py:score.

    Example: flipdrop players
    """
    if json:
        print_json(facts())
        return
    for kind in KINDS.values():
        typer.echo(f"{kind.name}: {kind.meaning}")
        like = next(other for other in KINDS.values() if other.options == kind.options)
        if like is kind:
            for option in kind.options:
                typer.echo(f"  {option.name:<18} {_default(option):<8} {option.meaning}")
        else:
            typer.echo(f"  options as for {like.name}")
        typer.echo("")
    typer.echo(f"{_OWN}\n")
    for number, level in LEVELS.items():
        typer.echo(f"level:{number}{_also(number)}, {level.meaning}")
        typer.echo(f"  Othello            {level.othello}")
        typer.echo(f"  Connect Four       {level.connect_four}")


def facts() -> dict[str, Any]:
    """Every kind of player with its options, and the levels, for programs."""
    return {
        "players": [
            {"name": kind.name, "meaning": kind.meaning, "options": [_option(option) for option in kind.options]}
            for kind in KINDS.values()
        ],
        "levels": [
            {
                "level": number,
                "name": next((name for name, named in NAMES.items() if named == number), None),
                "meaning": level.meaning,
                "othello": level.othello,
                "connect4": level.connect_four,
            }
            for number, level in LEVELS.items()
        ],
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "takes": option.takes,
        "default": option.default,
        "least": option.least,
        "most": option.most,
        "above": option.above,
        "meaning": option.meaning,
    }


def _default(option: Option) -> str:
    if option.default is None or option.default == "":
        return "-"
    return f"{option.default:.4g}" if isinstance(option.default, float) else option.write(option.default)


def _also(number: int) -> str:
    return "".join(f" or {name}" for name, named in NAMES.items() if named == number)
