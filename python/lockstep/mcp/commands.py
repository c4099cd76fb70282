"""Runs Lockstep's command for a tool: in a process that a cancelled call ends, with files below the roots alone."""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp.server.mcpserver.exceptions import ResourceError, ToolError

# : Characters of an answer; the rest is a resource.
MOST_SHOWN = 12_000
MOST_KEPT = 64  # answers that are kept as resources
MOST_SECONDS = 600.0
MOST_SESSIONS = 16
MOST_QUESTIONS = 200
_ARGUMENT = re.compile(r"[A-Za-z_]\w*=[^\0\n]*")
_KERNEL = re.compile(r"(?P<path>[^\0\n]+?)(::(?P<name>[A-Za-z_]\w*))?")


class Refused(ToolError, ResourceError):
    """A request that is not carried out; the text says why, and the client gets it."""


def shown(given: str) -> str:
    """A client's word in a message."""
    return repr(given if len(given) <= 200 else f"{given[:200]}...")


@dataclass
class Answer:
    """What a command printed."""

    code: int
    output: str
    errors: str


@dataclass
class Session:
    """A debugging session: the launch, and the commands so far. A launch is deterministic, so a question runs them all again."""

    words: list[str]
    asked: list[str] = field(default_factory=list)


class Place:
    """Roots, the temporary folder, kept answers and sessions of one server."""

    def __init__(self, roots: list[str]) -> None:
        self.roots = [os.path.realpath(one) for one in roots]
        self.folder = tempfile.mkdtemp(prefix="lockstep-mcp-")
        self.witnesses = os.path.join(self.folder, "witness")
        self.kept: dict[str, str] = {}
        self.sessions: dict[str, Session] = {}
        self._number = 0

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- what may be read ----

    def path(self, given: str) -> str:
        """The real path of a file or folder below a root. Raises Refused."""
        try:
            real = os.path.realpath(os.path.join(self.roots[0], given))
            os.fsencode(given)
        except (ValueError, OSError) as error:
            raise Refused(f"{shown(given)} is not a path") from error
        if not any(real == root or real.startswith(root + os.sep) for root in [*self.roots, self.folder]):
            raise Refused(f"{shown(given)} is outside of the roots {', '.join(self.roots)}")
        if not os.path.exists(real):
            raise Refused(f"{shown(given)} does not exist")
        return real

    def kernel(self, given: str) -> str:
        """FILE.py, FILE.py::KERNEL and the like, below a root."""
        match = _KERNEL.fullmatch(given)
        if match is None or given.startswith("-"):
            raise Refused(f"{shown(given)} is not FILE.py::KERNEL")
        return self.path(match["path"]) + (f"::{match['name']}" if match["name"] else "")

    def arguments(self, given: list[str]) -> list[str]:
        """NAME=VALUE words; files in them are below a root."""
        for one in given:
            if not _ARGUMENT.fullmatch(one):
                raise Refused(f"{shown(one)} is not NAME=VALUE")
            for file in re.findall(r"@([^\s,:\[\]]+)", one):
                self.path(file)
        return [re.sub(r"@([^\s,:\[\]]+)", lambda found: "@" + self.path(found[1]), one) for one in given]

    def text_file(self, text: str, name: str) -> str:
        """A file of this server with this text."""
        if any("\ud800" <= one <= "\udfff" for one in text):
            raise Refused("the text has halves of characters, which no file can have")
        self._number += 1
        path = os.path.join(self.folder, f"{self._number}-{name}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    # ---- answers ----

    def shown(self, text: str) -> tuple[str, str]:
        """As much of it as is sent, and the address of all of it ("": it is all there)."""
        if len(text) <= MOST_SHOWN:
            return text, ""
        self._number += 1
        name = f"{self._number:x}"
        while len(self.kept) >= MOST_KEPT:
            del self.kept[next(iter(self.kept))]
        self.kept[name] = text
        return text[:MOST_SHOWN], f"lockstep://result/{name}"

    def result(self, answer: Answer) -> dict[str, Any]:
        output, rest = self.shown(answer.output)
        return {"exit_code": answer.code, "output": output, "rest": rest, "errors": answer.errors[-2000:]}

    def new_session(self, words: list[str]) -> str:
        if len(self.sessions) >= MOST_SESSIONS:
            raise Refused(f"{MOST_SESSIONS} debugging sessions are open: end one (debug_end)")
        self._number += 1
        name = f"debug-{self._number}"
        self.sessions[name] = Session(words)
        return name

    def session(self, name: str) -> Session:
        if name not in self.sessions:
            raise Refused(f"no session {shown(name)} is open; debug_start opens one")
        return self.sessions[name]


def command() -> list[str]:
    """Lockstep's command. Raises Refused."""
    found = os.environ.get("LOCKSTEP_COMMAND") or os.environ.get("LOCKSTEP_EXECUTABLE") or shutil.which("lockstep")
    if not found:
        raise Refused("the command lockstep is not on PATH, nor in LOCKSTEP_COMMAND")
    return [found]


async def ran(words: list[str], seconds: float) -> Answer:
    """Runs it to its end, for at most so many seconds; a cancelled call kills it and all that it started."""
    if math.isnan(seconds):
        raise Refused("seconds is not a number")
    limit = min(max(seconds, 1.0), MOST_SECONDS)
    try:
        process = await anyio.open_process(words, stdin=-3, start_new_session=True)  # -3: DEVNULL
    except (OSError, ValueError) as error:  # too long, or with characters that no command line has
        raise Refused(f"these words are not a command line: {type(error).__name__}") from error
    try:
        with anyio.fail_after(limit):
            parts: dict[str, bytes] = {}

            async def read(name: str, stream: Any) -> None:
                data = b""
                async for part in stream:
                    data = (data + part)[: 4 << 20]
                parts[name] = data

            async with anyio.create_task_group() as group:
                group.start_soon(read, "output", process.stdout)
                group.start_soon(read, "errors", process.stderr)
            await process.wait()
    except TimeoutError:
        return Answer(124, "", f"ended after {limit:g} s")
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            with anyio.CancelScope(shield=True):
                await process.wait()
        with anyio.CancelScope(shield=True):
            await process.aclose()
    texts = {name: data.decode("utf-8", "replace") for name, data in parts.items()}
    return Answer(int(process.returncode or 0), texts["output"], texts["errors"])


def python_module(module: str) -> list[str]:
    return [sys.executable, "-m", module]
