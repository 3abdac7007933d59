"""Runs the server with uvicorn and opens the page in a browser."""

from __future__ import annotations

import os
import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.app import create_app
from flipdrop.interface.web.sessions.manager import SessionManager

if TYPE_CHECKING:
    from flipdrop.interface.web.config import ServerConfig

_LARGEST_MESSAGE = 2**20  # bytes of one message from a page


def serve(config: ServerConfig, *, show: bool = False) -> None:
    """Serves until Ctrl-C.

    :param show: open the page in a browser as soon as the server listens
    """
    import uvicorn

    manager = SessionManager(config)

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"flipdrop is at {config.address}", flush=True)
                if config.is_wildcard:
                    print("from other machines, use the name or address of this machine instead", flush=True)
                if show:
                    threading.Thread(target=_open_browser, args=(config.address,), daemon=True).start()

    server = Server(
        uvicorn.Config(
            create_app(manager),
            host=config.host,
            port=config.port,
            log_level="warning",
            access_log=False,
            ws_max_size=_LARGEST_MESSAGE,
            ws="wsproto",
            server_header=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
        )
    )
    try:
        with suppress(KeyboardInterrupt):
            server.run()
    finally:
        ended = manager.shutdown()
    if not ended:
        os._exit(0)  # a search that cannot be interrupted would keep the process alive; sessions are already saved
    if not server.started:
        raise SystemExit(1)


def _open_browser(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)
