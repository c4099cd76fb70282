"""`lockstep mcp` over standard input and output with hostile messages: broken JSON-RPC, wrong types, huge texts, paths outside of the roots,
cancelled calls. The server must live on, answer each well-formed request, keep to its limits, and show nothing from outside.

`python mcp_fuzz.py [--seconds S] [--seed N]`; prints what it sent and exits with 1 at the first violation."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

SECRET = "token-that-must-not-be-seen-7c21"
MOST_ANSWER = 200_000  # characters of one answer
PATIENCE = 60.0  # seconds for the answer of a call that asks for at most 2
KERNEL = """import triton
import triton.language as tl


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)
"""
LAUNCH = {"kernel": "k.py::double", "grid": "2", "arguments": ["x=randn:f32[50]", "out=empty:f32[50]", "n=50", "BLOCK=32"]}
VALID = [
    ("run", LAUNCH), ("check", LAUNCH), ("enclose", LAUNCH), ("explain", {"topic": "LS101"}), ("check_language", {"text": KERNEL}),
    ("check_language", {"path": "k.py"}), ("debug_start", LAUNCH), ("debug_ask", {"session": "debug-1", "question": "p n"}), ("debug_end", {"session": "debug-9"}),
    ("judge", {"reference": "k.py", "candidate_text": KERNEL, "seconds": 1.0}), ("run", {**LAUNCH, "depends": "out[3]", "real": True}),
]
HOSTILE = [
    None, True, -1, 0, 1 << 70, 1e308, float("nan"), float("inf"), "", " ", "\0", "\ud800", "--help", "-", "/etc/passwd", "../secret.py", "link.py", "link", "/proc/self/environ", "k.py::../x", "k.py::double",
    "..", ".", "x" * 100_000, "k.py\n--trace=out", "x=@../secret.npy", "x=@link.py", "x=@/etc/passwd", "x=file:../secret.py", "$(id)", "`id`", "; id", "out[9999999999999]", "%s%n", [], {}, [[]],
    [None], {"a": {"b": []}}, ["x=1"] * 3000, "9" * 400, "é" * 50, "lockstep://witness/../../secret", "NaN", [1, 2, 3], "1,1,1", "99999999,99999999", "1/0", "2**9**9**9", "rows",
]
PLACES = ["lockstep://explain/LS101", "lockstep://explain/../x", "lockstep://witness/00000000", "lockstep://witness/..%2f..%2fsecret", "lockstep://result/1", "file:///etc/passwd", "lockstep://", "x" * 9000]
METHODS = ["ping", "tools/list", "tools/call", "resources/read", "resources/list", "prompts/get", "initialize", "notifications/cancelled", "logging/setLevel", "completion/complete", "x/y", "", "\0"]
_CRASH = re.compile(r"Error executing tool \w+|Error creating resource from template \S+")


class Violation(Exception):
    """What must not be."""


class Server:
    """The server, with a root that has a link out of it."""

    def __init__(self, folder: pathlib.Path) -> None:
        root = folder / "root"
        root.mkdir()
        (folder / "secret.py").write_text(f"# {SECRET}\n{KERNEL}")
        (root / "k.py").write_text(KERNEL)
        (root / "link.py").symlink_to(folder / "secret.py")
        (root / "link").symlink_to(folder)
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self._errors = open(folder / "errors.txt", "wb")  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lockstep.mcp", "--root", str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
            env={**os.environ, "TMPDIR": str(self.temporary), "FUZZ_SECRET": SECRET}, start_new_session=True)
        self._behind = b""
        self.sent = b""

    def send(self, line: bytes) -> None:
        data = memoryview(line + b"\n")
        until = time.monotonic() + PATIENCE
        while data:
            if not select.select([], [self.process.stdin], [], max(until - time.monotonic(), 0))[1]:
                raise Violation("it takes no input")
            data = data[os.write(self.process.stdin.fileno(), data[: 1 << 16]) :]

    def answers(self, until: float) -> list[dict]:
        """What is there now, or comes until then; at least one if any comes."""
        while b"\n" not in self._behind:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return []
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            if not part:
                raise Violation(f"it ended with {self.process.wait()}")
            self._behind += part
        *lines, self._behind = self._behind.split(b"\n")
        return [self._looked_at(one) for one in lines]

    @staticmethod
    def _looked_at(line: bytes) -> dict:
        if len(line) > MOST_ANSWER and b"-32601" not in line[:200] + line[-200:]:  # the SDK names the method that it does not find
            raise Violation(f"an answer of {len(line)} bytes")
        if SECRET.encode() in line:
            raise Violation(f"it shows what is outside of its roots: {line[:2000]!r}")
        told = json.loads(line)
        if told.get("jsonrpc") != "2.0":
            raise Violation(f"no message: {line[:300]!r}")
        if b"Traceback (most recent call last)" in line and b"lockstep/mcp" in line:
            raise Violation(f"an error of its own: {line[:2000]!r}")
        texts = [str(told.get("error", {}).get("message"))] + [str(one.get("text")) for one in told.get("result", {}).get("content", [])]
        if any(_CRASH.fullmatch(one) for one in texts):  # the SDK says no more of an exception that the tool did not mean
            raise Violation(f"an error that is not named: {texts}")
        return told

    def close(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for one in (self.process.stdin, self.process.stdout, self._errors):
            one.close()


def changed(value: object, rng: random.Random) -> object:
    """The same with one part replaced or left out."""
    if isinstance(value, dict) and value and rng.random() < 0.95:
        key = rng.choice(sorted(value))
        made = dict(value)
        if rng.random() < 0.1:
            del made[key]
        else:
            made[key] = changed(value[key], rng)
        return made
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    if isinstance(value, str) and rng.random() < 0.3:
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice(["\0", "..", "/", "::", "=", "[", "-", "@", "\n", "\u202e", "9" * 30]) + value[at:]
    return rng.choice(HOSTILE)


def message(number: int, rng: random.Random) -> tuple[bytes, bool]:
    """A line, and whether it is a call of a tool or a resource that must be answered under this number."""
    kind = rng.random()
    if kind < 0.6:
        name, arguments = rng.choice(VALID)
        arguments = changed(arguments, rng) if rng.random() < 0.85 else arguments
        if isinstance(arguments, dict) and "seconds" not in arguments and name in ("run", "check", "enclose", "debug_ask"):
            arguments = {**arguments, "seconds": rng.choice([1, 2, 0, -5, 1.5])}
        name = name if rng.random() < 0.95 else rng.choice(["nope", "", "judge\0"])
        told = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        if isinstance(arguments, dict):
            return json.dumps(told).encode(), "\\ud800" not in json.dumps(told)
        return json.dumps(told).encode(), False
    if kind < 0.7:
        return json.dumps({"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": rng.choice(PLACES)}}).encode(), True
    if kind < 0.85:
        told = {"jsonrpc": "2.0", "id": number, "method": rng.choice(METHODS), "params": rng.choice(HOSTILE[:40])}
        return json.dumps(changed(told, rng)).encode(), False
    text = bytearray(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "explain", "arguments": {"topic": "LS101"}}}).encode())
    if kind < 0.97:
        for _ in range(rng.randrange(1, 5)):
            text[rng.randrange(len(text))] = rng.randrange(256)
        return bytes(text).replace(b"\n", b" "), False
    return rng.choice([b"[" * 200_000, b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"a" * 3_000_000 + b'"}', b"{" * 5000, b"", b"\xff" * 1000]), False


def session(server: Server, seconds: float, rng: random.Random) -> dict[str, int]:
    """Sends for so long; returns counts. Raises Violation."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}
    server.send(json.dumps({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello}).encode())
    server.answers(time.monotonic() + PATIENCE)
    server.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    until, counts, waiting = time.monotonic() + seconds, {"sent": 0, "answered": 0, "cancelled": 0, "refused": 0}, {}
    while time.monotonic() < until or waiting:
        if time.monotonic() < until and len(waiting) < 4:
            counts["sent"] += 1
            line, must = message(counts["sent"], rng)
            server.send(line)
            server.sent = line
            if must:
                waiting[counts["sent"]] = (time.monotonic(), line)
                if rng.random() < 0.1:
                    server.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": counts["sent"]}}).encode())
                    counts["cancelled"] += 1
                    del waiting[counts["sent"]]
            if rng.random() < 0.2:
                server.send(json.dumps({"jsonrpc": "2.0", "id": f"ping-{counts['sent']}", "method": "ping"}).encode())
                waiting[f"ping-{counts['sent']}"] = (time.monotonic(), b"ping")
        for told in server.answers(time.monotonic() + (0.02 if len(waiting) < 4 else 1.0)):
            if waiting.pop(told.get("id") if isinstance(told.get("id"), int | str) else None, None) is not None:
                counts["answered"] += 1
                counts["refused"] += "error" in told or bool(told.get("result", {}).get("isError"))
        late = [line for begun, line in waiting.values() if time.monotonic() - begun > PATIENCE]
        if late:
            raise Violation(f"no answer in {PATIENCE:g} s: {late[0][:1000]!r}")
    return counts


def children(server: Server) -> list[str]:
    """Processes that the server left running."""
    found = []
    for one in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"FUZZ_SECRET={SECRET}".encode() in one.read_bytes() and one.parent.name != str(server.process.pid) and str(server.temporary).encode() in one.read_bytes():
                found.append((one.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(pathlib.Path(folder))
        try:
            counts = session(server, given.seconds, random.Random(given.seed))
            time.sleep(0.5)
            if left := children(server):
                raise Violation(f"processes are left: {left[:3]}")
            outside = sorted(one.name for one in pathlib.Path(folder).iterdir())
            inside = sorted(one.name for one in (pathlib.Path(folder) / "root").iterdir() if one.name != "__pycache__")
            if outside != ["errors.txt", "root", "secret.py", "temporary"] or inside != ["k.py", "link", "link.py"]:
                raise Violation(f"files are left: {outside} {inside}")
        except Violation as error:
            print(f"seed {given.seed}: {error}; last sent: {server.sent[:500]!r}")
            return 1
        finally:
            server.close()
    print(f"seed {given.seed}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
