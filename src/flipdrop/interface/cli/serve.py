"""`flipdrop serve`: the web page."""

from __future__ import annotations

import errno
import os
import secrets
import socket
from pathlib import Path
from typing import Annotated

import typer

from flipdrop.errors import FlipdropError, quoted

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_DEFAULT_PORT = 8080
_PORTS_TO_TRY = 20


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; other machines need the token that is printed.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, metavar="N", help="The port; a free one from 8080 on unless said.")
    ] = None,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="Let the page name players from files, and other programs.")
    ] = False,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="FILE", help="Where games are kept; your own store unless said.")
    ] = None,
    searches: Annotated[
        int | None, typer.Option(min=1, max=256, metavar="N", help="Searches at once; as many as cores unless said.")
    ] = None,
) -> None:
    """Open the web page: play, analyse, watch, compare.

    Games go on after a restart. Ctrl-C ends the server; matches and learners that were started from the page go on.

    Example: flipdrop serve --port 8000
    """
    from flipdrop.arena.store import default_path
    from flipdrop.interface.web.config import Limits, ServerConfig
    from flipdrop.interface.web.run import serve as run

    is_local = host in _LOOPBACK
    config = ServerConfig(
        host=host,
        port=_free_port(host) if port is None else _checked(host, port),
        token=None if is_local else secrets.token_urlsafe(18),
        allow_code=allow_code,
        store=(store or default_path()).absolute(),
        limits=Limits() if searches is None else Limits(searches=searches),
    )
    run(config, show=show)


def _free_port(host: str) -> int:
    """The first free port of some."""
    for port in range(_DEFAULT_PORT, _DEFAULT_PORT + _PORTS_TO_TRY):
        if _is_free(host, port):
            return port
    last = _DEFAULT_PORT + _PORTS_TO_TRY - 1
    raise FlipdropError(f"ports {_DEFAULT_PORT} to {last} of {host} are all in use; name a free one by --port")


def _checked(host: str, port: int) -> int:
    """The port, if one can listen there."""
    if not _is_free(host, port):
        raise FlipdropError(f"{host}:{port}: {os.strerror(errno.EADDRINUSE)}; choose another --host or --port")
    return port


def _is_free(host: str, port: int) -> bool:
    """Whether a port of this machine is in use by nobody; raises if nobody could ever listen there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise FlipdropError(f"--host {quoted(host)} is no address; write 127.0.0.1, 0.0.0.0 or a name") from None
    try:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        if error.errno == errno.EADDRNOTAVAIL:
            raise FlipdropError(f"--host {quoted(host)} is no address of this machine") from None
        raise FlipdropError(f"{host}:{port}: {error.strerror}; choose another --host or --port") from None
    return True
