"""A client of the Debug Adapter Protocol for tests: sends requests, waits for answers and events, keeps all of it.

Every message that comes is held against the published schema (protocol.py). Messages are read one at a time, in the order
in which they were sent, so that a transcript is the same every time. Waiting is bounded.
"""

import json
import os
import re
import select
import socket
import subprocess
import time
from pathlib import Path

from protocol import Protocol

ROOT = Path(__file__).resolve().parents[3]
LIMIT = 60.0  # seconds for anything


class Lost(Exception):
    """The stream ended, or what was waited for did not come."""


class Client:
    def __init__(self, read: int, write: int) -> None:
        self.read_from, self.write_to = read, write
        self.buffer = b""
        self.next_seq = 1
        self.log: list[tuple[str, dict]] = []  # "->" or "<-", message
        self.protocol = Protocol()
        self.problems: list[str] = []

    def send_bytes(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.write_to, data) :]

    def send(self, command: str, arguments: dict | None = None) -> int:
        seq = self.next_seq
        self.next_seq += 1
        message = {"seq": seq, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        self.log.append(("->", message))
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return seq

    def fill(self, deadline: float) -> None:
        ready, _, _ = select.select([self.read_from], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise Lost(f"nothing came within {LIMIT} s; so far:\n{self.tail()}")
        data = os.read(self.read_from, 1 << 16)
        if not data:
            raise Lost(f"the stream ended; so far:\n{self.tail()}")
        self.buffer += data

    def tail(self) -> str:
        return "\n".join(f"{way} {json.dumps(message)[:400]}" for way, message in self.log[-8:])

    def receive(self, limit: float = LIMIT) -> dict:
        """The next message."""
        deadline = time.monotonic() + limit
        while b"\r\n\r\n" not in self.buffer:
            self.fill(deadline)
        header, rest = self.buffer.split(b"\r\n\r\n", 1)
        length = int(re.fullmatch(rb"Content-Length: (\d+)", header).group(1))
        while len(rest) < length:
            self.fill(deadline)
            rest = self.buffer.split(b"\r\n\r\n", 1)[1]
        self.buffer = rest[length:]
        message = json.loads(rest[:length].decode("utf-8"))
        self.log.append(("<-", message))
        self.problems += [f"{problem}\n  in {json.dumps(message)[:600]}" for problem in self.protocol.problems(message)]
        return message

    def response(self, seq: int) -> dict:
        while True:
            message = self.receive()
            if message["type"] == "response" and message["request_seq"] == seq:
                return message

    def request(self, command: str, arguments: dict | None = None) -> dict:
        """The response, success or not."""
        return self.response(self.send(command, arguments))

    def ask(self, command: str, **arguments: object) -> dict:
        """The body of a success."""
        answer = self.request(command, arguments)
        if not answer["success"]:
            raise AssertionError(f"{command}: {answer.get('message')}")
        return answer.get("body", {})

    def event(self, name: str) -> dict:
        """The body of the next event of that name; what comes before it is passed over (and logged)."""
        while True:
            message = self.receive()
            if message["type"] == "event" and message["event"] == name:
                return message.get("body", {})

    def start(self, kernel: str, *words: str, **options: object) -> None:
        """initialize and launch, up to where breakpoints are set."""
        self.ask("initialize", adapterID="lockstep", supportsInvalidatedEvent=True)
        self.ask("launch", program=kernel, args=list(words), **options)
        self.event("initialized")

    def go(self) -> dict:
        """configurationDone, and where it stops first."""
        self.ask("configurationDone")
        return self.event("stopped")

    def step(self, command: str, thread: int = 1, **arguments: object) -> dict:
        self.ask(command, threadId=thread, **arguments)
        return self.event("stopped")

    def frames(self, thread: int = 1) -> list[dict]:
        return self.ask("stackTrace", threadId=thread)["stackFrames"]

    def evaluate(self, expression: str, **arguments: object) -> str:
        return self.ask("evaluate", expression=expression, **arguments)["result"]


def settings() -> dict[str, str]:
    """Of processes under test."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP_")}
    return kept | {"LOCKSTEP_CACHE_DIR": "off"}


class Process(Client):
    """Over standard input and output of a `lockstep dap` of its own."""

    def __init__(self, lockstep: str, *words: str) -> None:
        self.process = subprocess.Popen(
            [lockstep, "dap", *words],
            cwd=ROOT,
            env=settings(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        super().__init__(self.process.stdout.fileno(), self.process.stdin.fileno())

    def end(self) -> tuple[int, str]:
        """Closes its input; exit code and what it wrote to standard error."""
        self.process.stdin.close()
        try:
            code = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Lost("the server does not end") from None
        error = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return code, error


class Connection(Client):
    """To a server that listens."""

    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), LIMIT)
        super().__init__(self.socket.fileno(), self.socket.fileno())

    def close(self) -> None:
        self.socket.close()


class Waiting(Connection):
    """To a `lockstep debug --listen` that waits for an editor."""

    def __init__(self, lockstep: str, *words: str) -> None:
        self.process = subprocess.Popen(
            [lockstep, "debug", *words, "--listen", "0"],
            cwd=ROOT,
            env=settings(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        said = self.process.stderr.readline()
        self.port = int(re.fullmatch(r"lockstep: waiting for an editor on 127\.0\.0\.1:(\d+)\n", said).group(1))
        super().__init__("127.0.0.1", self.port)

    def end(self) -> tuple[int, str]:
        """Goes; exit code and what it wrote to standard error."""
        self.close()
        self.written, error = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, error
