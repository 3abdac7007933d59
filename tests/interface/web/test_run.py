"""The server as a process."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest

from flipdrop.interface.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


IN_CHINESE = {"accept": "text/html,*/*", "accept-language": "zh-CN,zh;q=0.9"}


COMMAND = (sys.executable, "-m", "flipdrop", "serve", "--no-open")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and the line that it prints when it is there."""
    command = [*COMMAND, "--port", str(free_port()), "--store", str(folder / "games.db"), *options]
    # NiceGUI would take itself for a part of the test.
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()
            process.communicate()


def address_in(line: str) -> str:
    found = re.search(r"http://\S+", line)
    assert found, line
    return found[0]


@pytest.mark.slow
def test_games_survive_a_kill(tmp_path: Path) -> None:
    with served(tmp_path) as (process, line), httpx.Client(base_url=address_in(line), timeout=60) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert "<title>" in page.text
        assert client.get("/nowhere").status_code == 404
        for path, status, said in (("/nowhere", 404, "找不到此页面"), ("/arena/1/1/x", 422, "链接不完整或有误")):
            wrong = client.get(path, headers=IN_CHINESE)
            assert wrong.status_code == status
            assert said in wrong.text
        assert client.get("/api/nowhere").json() == {"error": "Not Found"}
        view = client.post("/api/sessions", json={"game": "connect4", "second": "level:1"}).json()
        path = f"/api/sessions/{view['id']}"
        played = client.post(f"{path}/moves", json={"move": "4", "cursor": 0})
        assert played.status_code == 200
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    with served(tmp_path) as (_, line), httpx.Client(base_url=address_in(line), timeout=60) as client:
        again = client.get(path).json()
        assert again["transcript"].startswith("4")
        while again["turn"] == "second":  # the computer searches for the same move again
            again = client.get(path, params={"after": again["version"]}).json()
        assert again["cursor"] == 2


@pytest.mark.slow
def test_token(tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0") as (process, line):
        address = address_in(line)
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=(\S{20,})", address)
        assert match, line
        here = f"http://127.0.0.1:{match[1]}"
        with httpx.Client(timeout=60) as client:
            assert client.get(f"{here}/api/games").status_code == 401
            entered = client.get(f"{here}/api/games", params={"token": match[2]}, follow_redirects=True)
            assert entered.status_code == 200
            assert client.get(f"{here}/api/games").status_code == 200  # by the cookie
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def startup_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The error message of a command that fails to serve."""
    monkeypatch.setattr(sys, "argv", ["flipdrop", "serve", "--no-open", *options])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    return capsys.readouterr().err


def test_folder_with_comma(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "one, two" / "games.db"
    assert "comma" in startup_error(monkeypatch, capsys, "--port", str(free_port()), "--store", str(store))


def test_port_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = startup_error(monkeypatch, capsys, "--port", str(port), "--store", str(tmp_path / "games.db"))
    assert f"127.0.0.1:{port}: Address already in use" in said
