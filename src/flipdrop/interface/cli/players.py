"""`flipdrop players`: lists players and their options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from flipdrop.errors import FlipdropError
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.interface.cli.options import Json
from flipdrop.interface.cli.output import print_json
from flipdrop.players import LEVEL_NAMES, LEVELS, PLAYER_TYPES
from flipdrop.players.plugins import plugin_names, plugin_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.players import Level, Option, PlayerType

_CUSTOM = """\
path/to/my_agent.py:MyAgent: your own agent
  a class with choose(position) or choose(position, clock), whose constructor takes no argument or seed=, or a function
  like choose; it returns the number or the name of a move
gtp:COMMAND LINE, nboard:COMMAND LINE: an external engine
  that speaks this protocol; gtp[name=Edax,timeout=20]:COMMAND LINE sets its name and its time limit for a move"""


def players(json: Json = False) -> None:
    """List the players with their options and defaults, then the levels.

    A player is written NAME or NAME:option=value,option=value. Commas separate options, so slashes separate the weights
    of an evaluation: evaluation=D(15/6/-10/-4/8/8). An evaluation can also be a file, my.weights, or a Python function
    of a position, my_evaluation.py:score.

    Example: flipdrop players
    """
    if json:
        print_json(_players_info())
        return
    for kind in PLAYER_TYPES.values():
        typer.echo(f"{kind.name}: {kind.description}")
        like = next(other for other in PLAYER_TYPES.values() if other.options == kind.options)
        if like is kind:
            _print_options(kind)
        else:
            typer.echo(f"  options as for {like.name}")
        typer.echo("")
    for name, plugin in _plugins():
        _print_plugin(name, plugin)
    typer.echo(f"{_CUSTOM}\n")
    for number, level in LEVELS.items():
        typer.echo(f"level:{number}{_level_names(number)}, {level.description}")
        for where, spec in _boards(level):
            typer.echo(f"  {where:<18} {spec}")


def _print_options(kind: PlayerType) -> None:
    for option in kind.options:
        typer.echo(f"  {option.name:<18} {_default(kind, option):<8} {_description(kind, option)}")


def _print_plugin(name: str, kind: PlayerType | FlipdropError) -> None:
    if isinstance(kind, FlipdropError):
        typer.echo(f"{name}: a player of another package; {kind}\n")
        return
    typer.echo(f"{name}: {kind.description} (a player of another package)")
    _print_options(kind)
    typer.echo("")


def _plugins() -> Iterator[tuple[str, PlayerType | FlipdropError]]:
    """The players of other packages, or what is wrong with their code."""
    for name in plugin_names():
        try:
            kind = plugin_type(name)
        except FlipdropError as error:
            yield name, error
        else:
            if kind is not None:
                yield name, kind


def _boards(level: Level) -> Iterator[tuple[str, str]]:
    """The board sizes and the player of each; a level may have another player on some boards."""
    if level.eight_by_eight:
        yield "Othello 8x8", level.eight_by_eight
    if level.six_by_six:
        yield "Othello 6x6", level.six_by_six
    yield "Othello, else" if level.eight_by_eight else "Othello", level.othello
    if level.seven_by_six:
        yield "Connect Four 7x6", level.seven_by_six
    yield "Connect Four, else" if level.seven_by_six else "Connect Four", level.connect_four


def _players_info() -> dict[str, Any]:
    return {
        "players": [_type_info(kind) for kind in PLAYER_TYPES.values()],
        "plugins": [
            {"name": name, "error": str(plugin)} if isinstance(plugin, FlipdropError) else _type_info(plugin)
            for name, plugin in _plugins()
        ],
        "levels": [
            {
                "level": number,
                "name": next((name for name, named in LEVEL_NAMES.items() if named == number), None),
                "description": level.description,
                "othello": level.othello,
                "othello_8x8": level.spec(OthelloGame(8)),
                "othello_6x6": level.spec(OthelloGame(6)),
                "connect4": level.connect_four,
                "connect4_7x6": level.spec(ConnectFourGame()),
            }
            for number, level in LEVELS.items()
        ],
    }


def _type_info(kind: PlayerType) -> dict[str, Any]:
    return {
        "name": kind.name,
        "description": kind.description,
        "options": [_option(kind, option) for option in kind.options],
    }


def _option(kind: PlayerType, option: Option) -> dict[str, Any]:
    return {**option.to_json(), "unlimited": kind.unlimited.get(option.name)}


def _default(kind: PlayerType, option: Option) -> str:
    if option.name in kind.unlimited:
        return str(kind.unlimited[option.name])
    if option.default is None or option.default == "":
        return "-"
    return f"{option.default:.4g}" if isinstance(option.default, float) else option.format(option.default)


def _description(kind: PlayerType, option: Option) -> str:
    """The description of an option, with the default that applies if nothing limits the search."""
    value = kind.unlimited.get(option.name)
    return option.description if value is None else f"{option.description}; {value} if nothing limits the search"


def _level_names(number: int) -> str:
    return "".join(f" or {name}" for name, named in LEVEL_NAMES.items() if named == number)
