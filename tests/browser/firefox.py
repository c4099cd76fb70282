"""Debian's Firefox, driven by its own Marionette protocol: what Playwright has for Firefox is a build that only npm offers, and
its BiDi driver sends commands that Debian's Firefox does not know (Playwright 1.5x, Firefox 153).

One command is `LENGTH:[0, ID, NAME, PARAMETERS]`, the answer `LENGTH:[1, ID, ERROR, RESULT]`. The fixture `firefox` is skipped
where Firefox is missing (apt: firefox-esr)."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 60.0  # seconds


class Firefox:
    """One window of 1,280 pixels."""

    def __init__(self, port: int) -> None:
        self.socket = self._connect(port)
        self.commands = 0
        self._receive()  # the greeting
        self._call("WebDriver:NewSession", capabilities={})
        self._call("WebDriver:SetWindowRect", width=1280, height=900)

    @staticmethod
    def _connect(port: int) -> socket.socket:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)

    def _receive(self) -> Any:
        length = b""
        while (byte := self.socket.recv(1)) != b":":
            assert byte, "Firefox closed the connection"
            length += byte
        text = b""
        while len(text) < int(length):
            text += self.socket.recv(int(length) - len(text))
        return json.loads(text)

    def _call(self, name: str, **parameters: Any) -> Any:
        self.commands += 1
        text = json.dumps([0, self.commands, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, number, error, result = self._receive()
        assert number == self.commands and error is None, error
        return result

    def open(self, address: str) -> None:
        self._call("WebDriver:Navigate", url=address)

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """What a function's body returns in the page."""
        return self._call("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]

    def wait(self, script: str, *arguments: Any) -> Any:
        """The first answer that is true."""
        until = time.monotonic() + PATIENCE
        while not (value := self.evaluate(script, *arguments)):
            assert time.monotonic() < until, f"{script}\n{self.evaluate('return document.body.innerText')}"
            time.sleep(0.1)
        return value

    def press(self, name: str) -> None:
        """Clicks the button that reads `name`, as soon as it is enabled."""
        self.wait(
            "const one = [...document.querySelectorAll('button')].find(b => b.textContent.trim() === arguments[0] && !b.disabled);"
            "if (one) one.click(); return one !== undefined;",
            name,
        )


@pytest.fixture
def firefox(tmp_path: Path, free_port: Callable[[], int]) -> Iterator[Firefox]:
    if FIREFOX is None:
        pytest.skip("no Firefox (apt: firefox-esr)")
    port = free_port()
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    command = [FIREFOX, "--headless", "--marionette", "--profile", str(profile)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield Firefox(port)
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def free_port() -> Callable[[], int]:
    def find() -> int:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            return int(one.getsockname()[1])

    return find
