"""A Firefox that tests drive by WebDriver BiDi, since Playwright drives only a Firefox that it has patched."""

from __future__ import annotations

import json
import re
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from websockets.sync.client import ClientConnection

_LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_PREFERENCES = {"intl.accept_languages": "en-GB", "ui.prefersReducedMotion": 1, "datareporting.policy.firstRunURL": ""}


class Firefox:
    """One window of a Firefox that runs.

    :ivar errors: messages of exceptions that no script has caught
    """

    def __init__(self, socket: ClientConnection, timeout: float) -> None:
        self._socket, self._timeout, self._number = socket, timeout, 0
        self.errors: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._window = self._send("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, url: str) -> None:
        self._send("browsingContext.navigate", context=self._window, url=url, wait="complete")

    def evaluate(self, script: str) -> Any:
        """The value of an expression, as JSON knows it."""
        found = self._send(
            "script.evaluate",
            expression=f"JSON.stringify({script})",
            target={"context": self._window},
            awaitPromise=True,
        )
        if found["type"] != "success":
            raise AssertionError(f"{script}: {found['exceptionDetails']['text']}")
        return json.loads(found["result"].get("value") or "null")

    def wait_for(self, script: str) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + self._timeout
        while not self.evaluate(f"Boolean({script})"):
            assert time.monotonic() < end, f"{script} in vain: {self.evaluate('document.body.innerText')}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """Clicks the middle of an element."""
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y = self.evaluate(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({box})")
        steps = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._send(
            "input.performActions", context=self._window, actions=[{"type": "pointer", "id": "m", "actions": steps}]
        )

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(self._timeout))
            entry = message["params"] if message.get("method") == "log.entryAdded" else {}
            # Messages of the console do not count: sockets complain there of pages that are left.
            if entry.get("level") == "error" and entry["type"] == "javascript":
                self.errors.append(str(entry["text"]))
            if message.get("id") == self._number:
                assert message["type"] == "success", message
                result: dict[str, Any] = message["result"]
                return result


@contextmanager
def firefox(program: str, profile: Path, timeout: float) -> Iterator[Firefox]:
    """Starts a Firefox without a screen and with a new profile.

    :param timeout: seconds for its start and for each command
    """
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items())
    (profile / "user.js").write_text("\n".join(lines))
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            found = next(filter(None, map(_LISTENING.search, process.stderr)), None)
            assert found is not None, "Firefox has ended"
            with connect(f"{found[1]}/session", max_size=None, open_timeout=timeout) as socket:
                yield Firefox(socket, timeout)
        finally:
            process.terminate()
            process.stderr.read()
