"""The configuration of a server."""

from __future__ import annotations

import pytest

from flipdrop.interface.web.config import ServerConfig


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:8080"),  # which no browser opens everywhere
        ("::", "http://[::1]:8080"),
        ("fe80::1", "http://[fe80::1]:8080"),
        ("manager.local", "http://manager.local:8080"),
    ],
)
def test_address(host: str, address: str) -> None:
    assert ServerConfig(host=host).address == address
    assert ServerConfig(host=host, token="x").address == f"{address}/?token=x"
