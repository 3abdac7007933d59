"""Options that several commands share, and groups of options declared as dataclasses."""

from __future__ import annotations

import atexit
import dataclasses
import functools
import inspect
import re
import secrets
import typing
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from flipdrop.options import LARGEST
from flipdrop.workers import ThreadWorkers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from flipdrop.arena.running.ray_runner import RayRunner
    from flipdrop.cluster import RayCluster
    from flipdrop.players.agent_process import AgentLimits
    from flipdrop.workers import Workers

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="othello, othello6, othello4, connect4, connect4:9x10, ...")
]
PositionText = Annotated[
    str, typer.Argument(metavar="POSITION", help="A transcript, or a board string with the side to move.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Threads = Annotated[
    int | None, typer.Option(min=1, max=1024, metavar="N", help="Number of threads.", show_default="all cores")
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Work on a Ray cluster: ray://HOST:10001, HOST:PORT, or local for a new one."),
]
Seed = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Seed of every random choice.", show_default="random, and printed"),
]

Settings: TypeAlias = dict[str, Any]
"""Values of the fields of a dataclass that `flipdrop.options.option` declares; see `expand_groups`."""

LARGEST_SEED = 2**64 - 1
_METAVARS: dict[Any, str] = {"against": "SPEC", int: "N", float: "X", str: "TEXT", list[str]: "TEXT"}


def workers_for(cluster: str | None, threads: int) -> Workers:
    """The workers of ``--cluster`` and ``--threads``."""
    return ThreadWorkers(threads) if cluster is None else ray_cluster(cluster, threads)


def ray_cluster(address: str, threads: int) -> RayCluster:
    """The cluster of ``--cluster``. One that the command starts ends with it."""
    from flipdrop.cluster import RayCluster  # Ray is an optional extra

    cluster = RayCluster(address, threads=threads)
    atexit.register(cluster.close)
    cluster.connect()
    return cluster


def ray_runner(address: str, specs: Iterable[str], *, threads: int, agents: AgentLimits | None = None) -> RayRunner:
    """A runner of these players on the cluster of ``--cluster``. One that the command starts ends with it."""
    from flipdrop.arena.running.ray_runner import RayRunner  # Ray is an optional extra

    runner = RayRunner(address, specs=specs, threads=threads, agents=agents)
    atexit.register(runner.close)
    runner.connect()
    return runner


def seed_or_random(seed: int | None) -> int:
    """The value of ``--seed``; a random number of at most six digits, easy to type again, if it is None."""
    return secrets.randbelow(10**6) if seed is None else seed


def expand_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Makes command-line options of the fields of every parameter whose type is a dataclass.

    The command is called with instances of these dataclasses. Fields declared with `flipdrop.options.option` get their
    range, choices, default and help text from there; fields of type ``Annotated[..., typer.Option(...)]`` are options
    as they stand. A parameter of type ``Annotated[Settings, SOME_DATACLASS]`` gets a dict of the values of those fields
    that `option` declares.
    """
    hints = typing.get_type_hints(command, include_extras=True)
    groups: dict[str, tuple[Callable[..., Any], list[inspect.Parameter]]] = {}
    parameters: list[inspect.Parameter] = []
    shared: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        hint = hints[name]
        if dataclasses.is_dataclass(hint):
            groups[name] = hint, list(_parameters(hint))  # type: ignore[assignment]
            shared += groups[name][1]
        elif typing.get_args(hint)[:1] == (Settings,):
            groups[name] = dict, list(_parameters(typing.get_args(hint)[1], declared_only=True))
            parameters += groups[name][1]
        else:
            parameters.append(parameter.replace(annotation=hint, kind=inspect.Parameter.KEYWORD_ONLY))

    parameters += sorted(shared, key=lambda parameter: (parameter.name == "json") - (parameter.name == "game"))

    @functools.wraps(command)
    def run(**values: Any) -> None:
        _check_sizes(parameters, values)
        for name, (make, members) in groups.items():
            values[name] = make(**{member.name: values.pop(member.name) for member in members})
        command(**values)

    # Typer keeps the line breaks of a docstring.
    run.__doc__ = re.sub(r"(?<=\S)\n(?=\S)", " ", inspect.getdoc(command) or "")
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _check_sizes(parameters: list[inspect.Parameter], values: dict[str, Any]) -> None:
    """Raises a usage error for whole numbers that kernel and store, which count in 64 bits, cannot take."""
    for parameter in parameters:
        name, value = parameter.name, values[parameter.name]
        largest = LARGEST_SEED if name == "seed" else LARGEST
        if isinstance(value, int) and not -LARGEST <= value <= largest:
            (declared,) = typing.get_args(parameter.annotation)[-1:]
            is_argument = isinstance(declared, typer.models.ArgumentInfo)
            shown = name.upper() if is_argument else "--" + name.strip("_").replace("_", "-")
            raise typer.BadParameter(f"Input should be less than or equal to {largest}", param_hint=f"'{shown}'")


def _parameters(group: Any, *, declared_only: bool = False) -> Iterator[inspect.Parameter]:
    hints = typing.get_type_hints(group, include_extras=True)
    for field in dataclasses.fields(group):
        if declared_only and "description" not in field.metadata:
            continue
        hint = hints[field.name]
        if typing.get_origin(hint) is not Annotated:
            hint = Annotated[hint, _option(field, hint)]
        default = inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
        yield inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def setting_option(settings: Any, name: str, **changes: Any) -> Any:
    """The command-line option of one field of a settings dataclass; `changes` as for `_option`."""
    field = next(field for field in dataclasses.fields(settings) if field.name == name)
    return _option(field, typing.get_type_hints(settings)[name], **changes)


def _option(
    field: dataclasses.Field[Any],
    hint: Any,
    *,
    flag: str | None = None,
    metavar: str | None = None,
    note: str = "",
    show_default: bool | str = True,
    panel: str | None = None,
) -> Any:
    """The command-line option of a field that `flipdrop.options.option` declares.

    :param flag: its name; that of the field by default
    :param note: appended to the description
    :param panel: the group of options in the help text
    """
    about = field.metadata
    kinds = [kind for kind in (typing.get_args(hint) or (hint,)) if kind is not type(None)]
    text: str = about["description"] + note
    return typer.Option(
        flag or "--" + field.name.strip("_").replace("_", "-"),
        min=about["minimum"],
        max=about["maximum"],
        metavar=metavar or _METAVARS.get(field.name) or _METAVARS.get(kinds[0]),
        help=f"{text[0].upper() if text.split()[0].isalpha() else text[0]}{text[1:]}.",
        show_default=show_default,
        rich_help_panel=panel,
    )
