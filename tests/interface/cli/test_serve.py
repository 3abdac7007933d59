"""`flipdrop serve`: addresses and ports. The pages are tested in tests/interface/web."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from flipdrop.interface.cli.serve import _choose_port
from flipdrop.interface.web import run
from tests.interface.cli.support import check_usage_error, run_here

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.interface.web.config import ServerConfig


@pytest.mark.parametrize(
    ("host", "says"),
    [
        ("256.1.1.1", "--host '256.1.1.1' is not an address;"),
        ("", "--host '' is not an address;"),
        ("no host", "--host 'no host' is not an address;"),
        ("x" * 80, "is not an address;"),
        ("192.0.2.1", "--host '192.0.2.1' is not an address of this machine"),  # reserved for documentation
    ],
)
@pytest.mark.parametrize("port", [(), ("--port", "8080")])
def test_invalid_address(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, host: str, says: str, port: tuple[str, ...]
) -> None:
    store = ("--store", str(tmp_path / "games.db"))
    check_usage_error(capsys, ("serve", "--no-open", "--host", host, *port, *store), says)


def test_a_port_in_use_is_skipped() -> None:
    first = _choose_port("127.0.0.1", None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first))
        taken.listen()
        assert _choose_port("127.0.0.1", None) > first


def test_max_seconds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    configs: list[ServerConfig] = []
    monkeypatch.setattr(run, "serve", lambda config, **_: configs.append(config))
    arguments = ("serve", "--no-open", "--store", str(tmp_path / "games.db"))
    assert run_here(capsys, *arguments)[0] == 0
    assert run_here(capsys, *arguments, "--max-seconds", "120", "--searches", "3")[0] == 0
    assert [config.limits.seconds for config in configs] == [60, 120]
    assert configs[1].limits.searches == 3


@pytest.mark.parametrize("option", ["--class", "--agents"])
def test_code_has_to_be_allowed(capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str) -> None:
    arguments = ("serve", "--no-open", "--store", str(tmp_path / "games.db"), option, str(tmp_path))
    check_usage_error(capsys, arguments, f"flipdrop serve --allow-code {option}")


def test_folders(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    check_usage_error(capsys, ("serve", "--allow-code", "--agents", str(tmp_path / "none")), "is not a folder")
    check_usage_error(capsys, ("serve", "--allow-code", "--class", str(tmp_path / "file")), "is a file")


def test_class(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A class keeps its games in its own folder, with a token that can be typed."""
    configs: list[ServerConfig] = []
    monkeypatch.setattr(run, "serve", lambda config, **_: configs.append(config))
    arguments = ("serve", "--no-open", "--allow-code", "--host", "0.0.0.0", "--class", str(tmp_path / "course"))
    assert run_here(capsys, *arguments)[0] == 0
    assert run_here(capsys, *arguments)[0] == 0
    one, two = configs
    assert one.store == tmp_path / "course" / "games.db"
    assert one.token is not None
    assert len(one.token) == 8
    assert one.token != two.token
    assert one.teacher_key != two.teacher_key
