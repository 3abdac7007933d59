"""`flipdrop serve`: the web server."""

from __future__ import annotations

import errno
import os
import secrets
import socket
from pathlib import Path
from typing import Annotated, Any

import typer

from flipdrop.errors import FlipdropError, quoted

_DEFAULT_PORT = 8080
_PORTS_TO_TRY = 20
_TYPED = "abcdefghijkmnpqrstuvwxyz23456789"  # without those that look alike


def serve(
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Address to listen on; clients on other machines need the printed token."),
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, metavar="N", help="Port.", show_default="first free port from 8080")
    ] = None,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="Allow players from Python files and external engines.")
    ] = False,
    agents: Annotated[
        Path | None,
        typer.Option("--agents", metavar="FOLDER", help="Offer the agents of this folder by name; with --allow-code."),
    ] = None,
    classroom: Annotated[
        Path | None,
        typer.Option(
            "--class",
            metavar="FOLDER",
            help="A class tournament: students upload agents, which play by themselves; with --allow-code.",
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store", metavar="FILE", help="Database of games.", show_default="your user store, or the class's own"
        ),
    ] = None,
    searches: Annotated[
        int | None, typer.Option(min=1, max=256, metavar="N", help="Concurrent searches.", show_default="all cores")
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            min=1,
            max=3600,
            metavar="S",
            help="Longest search: seconds a move in clocks and in specs of players.",
            show_default="60",
        ),
    ] = None,
) -> None:
    """Start the web server and open its page: play, analyse, watch, compare.

    Ctrl-C stops the server. Games are saved and continue after a restart; matches and learners that were started from
    the page keep running.

    Example: flipdrop serve --port 8000

    A class in a lecture room: flipdrop serve --host 0.0.0.0 --allow-code --class ai-course
    """
    from flipdrop.arena.store import default_path
    from flipdrop.interface.web.config import LOOPBACK, Limits, ServerConfig
    from flipdrop.interface.web.run import serve as run

    _check_code(allow_code, agents, classroom)
    is_local = host in LOOPBACK
    limits: dict[str, Any] = {"searches": searches, "seconds": max_seconds}
    config = ServerConfig(
        host=host,
        port=_choose_port(host, port),
        token=None if is_local else _short_token() if classroom else secrets.token_urlsafe(18),
        allow_code=allow_code,
        agents=agents and agents.absolute(),
        classroom=classroom and classroom.absolute(),
        teacher_key=secrets.token_urlsafe(18) if classroom else "",
        store=(store or (classroom / "games.db" if classroom else default_path())).absolute(),
        limits=Limits(**{name: value for name, value in limits.items() if value is not None}),
    )
    run(config, show=show)


def _check_code(allow_code: bool, agents: Path | None, classroom: Path | None) -> None:
    """Raises if options that run code of others lack the one that allows it, or name no folder."""
    for option, folder in (("--agents", agents), ("--class", classroom)):
        if folder is not None and not allow_code:
            raise FlipdropError(
                f"{option} runs Python code from files with your rights; if you want that, add --allow-code "
                f"(flipdrop serve --allow-code {option} {folder})"
            )
    if agents is not None and not agents.is_dir():
        raise FlipdropError(f"--agents {quoted(str(agents))} is not a folder")
    if classroom is not None and classroom.exists() and not classroom.is_dir():
        raise FlipdropError(f"--class {quoted(str(classroom))} is a file; name a folder (a missing one is created)")


def _short_token() -> str:
    """A token that a room can type from a projector: 8 of 32 characters, 40 bits."""
    return "".join(secrets.choice(_TYPED) for _ in range(8))


def _choose_port(host: str, port: int | None) -> int:
    """The given port, or the first free one from the default on; an error if there is none."""
    ports = range(_DEFAULT_PORT, _DEFAULT_PORT + _PORTS_TO_TRY) if port is None else (port,)
    for candidate in ports:
        if _is_free(host, candidate):
            return candidate
    if port is not None:
        raise FlipdropError(f"{host}:{port}: {os.strerror(errno.EADDRINUSE)}; choose another --host or --port")
    raise FlipdropError(f"ports {ports[0]} to {ports[-1]} of {host} are all in use; choose a free one by --port")


def _is_free(host: str, port: int) -> bool:
    """Whether the port is free; raises if this machine cannot listen on the address at all."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise FlipdropError(
            f"--host {quoted(host)} is not an address; write 127.0.0.1, 0.0.0.0 or a host name"
        ) from None
    try:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        if error.errno == errno.EADDRNOTAVAIL:
            raise FlipdropError(f"--host {quoted(host)} is not an address of this machine") from None
        raise FlipdropError(f"{host}:{port}: {error.strerror}; choose another --host or --port") from None
    return True
