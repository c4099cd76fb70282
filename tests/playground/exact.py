#!/usr/bin/env python3
"""The module in node beside `lockstep dap`: exact.py LOCKSTEP BUILD [--some N] [NAME...]: every example, lesson and bug to find is launched
in both under all checks; where each stops, what each finds, and the bytes of every tensor must be the same. Prints one line a difference.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import make_learn  # noqa: E402

# Addresses, and how long something took, are each machine's own.
OWN = re.compile(r"0x[0-9a-f]{5,}|\b\d+(\.\d+)? (ns|us|ms|s)\b")


class Server:
    """One conversation; requests one after the other."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seq = 0
        self.events: list[dict] = []
        self.ask("initialize", {"adapterID": "lockstep"})

    def read(self) -> dict:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            byte = self.process.stdout.read(1)
            if not byte:
                raise EOFError("the server is gone")
            head += byte
        return json.loads(self.process.stdout.read(int(head.split(b":")[1])))

    def ask(self, command: str, arguments: dict | None = None) -> dict:
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments or {}}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        while True:
            message = self.read()
            if message["type"] == "response" and message["request_seq"] == self.seq:
                return {"success": message["success"], "body": message.get("body"), "message": message.get("message")}
            self.events.append(message)

    def event(self, *names: str) -> dict:
        while True:
            for i, message in enumerate(self.events):
                if message.get("event") in names:
                    del self.events[: i + 1]
                    return message
            self.events.append(self.read())

    def end(self) -> None:
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()


def seen(command: list[str], case: dict) -> list:
    """Everything that can be compared of one launch."""
    server = Server(command)
    try:
        words = [f"kernel.py::{case['kernel']}", *([f"--grid={case['grid']}"] if case["grid"] else []), *case["arguments"], *case.get("options", [])]
        launched = server.ask("launch", {"args": words, "sources": [{"path": "kernel.py", "text": case["text"]}], "stopAtEnd": True})
        found = [launched]
        if not launched["success"]:
            return found
        server.event("initialized")
        found.append(server.ask("setExceptionBreakpoints", {"filters": ["error"]}))
        server.ask("configurationDone")
        for stop in range(3):  # where it stops, and on
            stopped = server.event("stopped", "terminated")
            found.append(stopped.get("body"))
            if stopped.get("event") != "stopped" or stopped["body"].get("reason") == "end":
                break
            found.append(server.ask("stackTrace", {"threadId": stopped["body"]["threadId"]}))
            if stop < 2:  # tensors are asked for while it stands
                server.ask("continue", {"threadId": stopped["body"]["threadId"]})
        found.append(server.ask("lockstep/report"))
        for argument in case["arguments"]:
            name, _, value = argument.partition("=")
            if ":" in value or "(" in value:
                found.append([name, server.ask("lockstep/tile", {"expression": f"{name}[:]"})])
        return found
    finally:
        server.end()


def cases() -> list[tuple[str, dict]]:
    made = [(f"example {one['name']}", one) for one in make_learn.examples()]
    for lesson in make_learn.lessons():
        for part in ("start", "solution"):
            made.append((f"lesson {lesson['id']} {part}", {**lesson, "text": lesson[part]}))
    for bug in make_learn.bugs():
        made.append((f"bug {bug['id']}", {**bug, "text": bug["start"]}))
        made.append((f"repaired {bug['id']}", {**bug, "text": bug["solution"], **bug.get("repaired", {})}))
    return made


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("build")
    parser.add_argument("--some", type=int, default=1, help="each Nth case")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    native = [given.lockstep, "dap"]
    module = ["node", str(ROOT / "tests/playground/dap_in_node.js"), given.build]
    chosen = [(name, case) for name, case in cases()[:: given.some] if not given.names or any(one in name for one in given.names)]
    differences = 0
    for name, case in chosen:
        try:
            pair = [OWN.sub("OWN", json.dumps(seen(command, case), sort_keys=True)) for command in (native, module)]
        except (EOFError, BrokenPipeError) as error:
            pair = [str(error), ""]
        if pair[0] != pair[1]:
            differences += 1
            at = next((i for i, (a, b) in enumerate(zip(*pair)) if a != b), min(map(len, pair)))
            print(f"{name}: native ...{pair[0][max(0, at - 80) : at + 160]}\n  module ...{pair[1][max(0, at - 80) : at + 160]}", flush=True)
    print(f"{len(chosen)} launches, {differences} differ")
    return 1 if differences or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
