"""The configuration of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop.interface.web.config import ServerConfig

if TYPE_CHECKING:
    from pathlib import Path


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


def test_class_addresses(tmp_path: Path) -> None:
    config = ServerConfig(host="192.168.1.5", token="t", classroom=tmp_path, teacher_key="k")
    assert config.address == "http://192.168.1.5:8080/class/teacher?token=t&teacher=k"
    assert config.class_address == "http://192.168.1.5:8080/class?token=t"
    assert ServerConfig(classroom=tmp_path, teacher_key="k").class_address == "http://127.0.0.1:8080/class"
    everywhere = ServerConfig(host="0.0.0.0", token="t", classroom=tmp_path, teacher_key="k")
    assert "teacher" not in everywhere.class_address
    assert "0.0.0.0" not in everywhere.class_address
