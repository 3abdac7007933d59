"""Runs the server with uvicorn and opens the page in a browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flipdrop.interface.termination import TERMINATED, Terminated
from flipdrop.interface.web.app import create_app
from flipdrop.interface.web.connections import limited_protocol
from flipdrop.interface.web.services import Services

if TYPE_CHECKING:
    from flipdrop.interface.web.config import ServerConfig

_LARGEST_MESSAGE = 2**20  # bytes of one message from a page


def serve(config: ServerConfig, *, show: bool = False) -> None:
    """Serves until Ctrl-C or SIGTERM.

    :param show: open the page in a browser as soon as the server listens
    """
    import uvicorn

    services = Services(config)

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"flipdrop is at {config.address}", flush=True)
                if config.classroom is not None:
                    print("that is the teacher's link; keep it to yourself", flush=True)
                    print(f"students: {config.class_address}", flush=True)
                elif config.is_wildcard:
                    print("from other machines, use the name or address of this machine instead", flush=True)
                if show:
                    threading.Thread(target=_open_browser, args=(config.address,), daemon=True).start()

    server = Server(
        uvicorn.Config(
            create_app(services),
            http=limited_protocol(config.limits),
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
    status = 0
    try:
        server.run()
    except Terminated:  # uvicorn has shut down and raised the signal again
        status = TERMINATED
    except KeyboardInterrupt:
        pass
    finally:
        ended = services.shutdown()
    if not server.started:
        raise SystemExit(1)
    print("stopped; games are saved and continue after a restart", file=sys.stderr, flush=True)
    if not ended:
        os._exit(status)  # a search that cannot be interrupted would keep the process alive


def _open_browser(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)
