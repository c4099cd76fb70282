"""lockstep.debug(port=0): an editor attaches to a launch of a running program by the Debug Adapter Protocol."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import lockstep
import pytest

HERE = Path(__file__).resolve().parent
PROGRAM = """
import torch, debug_kernels, lockstep
from lockstep import debug_console
debug_console.Console.outer_frames = lambda self, file, line: [("the compiled graph 0", file, 1), (f"node of line {line}", "model.py", 7)]
x, out = torch.arange(30.0), torch.zeros(30)
lockstep.debug(port=0)
debug_kernels.scale[(4,)](x, out, 3.0, 30, BLOCK=8)
print("sum", out.sum().item())
"""


class Editor:
    def __init__(self, address):
        host, _, port = address.rpartition(":")
        self.stream = socket.create_connection((host, int(port)), timeout=60).makefile("rwb")
        self.count = 0

    def ask(self, command, **arguments):
        self.count += 1
        message = {"seq": self.count, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self.stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.stream.flush()
        return self.until(lambda one: one["type"] == "response" and one["request_seq"] == self.count)

    def event(self, name):
        return self.until(lambda one: one["type"] == "event" and one["event"] == name)

    def until(self, is_it):
        while True:
            size = 0
            while line := self.stream.readline().strip():
                size = int(line.partition(b":")[2])
            assert size, "the other side went away"
            message = json.loads(self.stream.read(size))
            if is_it(message):
                return message


@pytest.fixture
def program():
    package = str(Path(lockstep.__file__).parents[1])
    path = os.pathsep.join([package, str(HERE), os.environ.get("PYTHONPATH", "")])
    known = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP")}
    running = subprocess.Popen(
        [sys.executable, "-m", "lockstep", "-c", PROGRAM], text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**known, "PYTHONPATH": path},
    )  # fmt: skip
    yield running
    running.kill()
    running.communicate()


def attach(program):
    announced = program.stderr.readline()
    assert announced.startswith("lockstep: waiting for an editor on 127.0.0.1:"), announced
    editor = Editor(announced.split()[-1])
    assert editor.ask("initialize", adapterID="lockstep")["success"]
    assert editor.ask("attach")["success"]
    lines = {"source": {"path": str(HERE / "debug_kernels.py")}, "breakpoints": [{"line": 13, "condition": "row == 1"}]}
    assert editor.ask("setBreakpoints", **lines)["body"]["breakpoints"][0]["verified"]
    assert editor.ask("configurationDone")["success"]
    thread = editor.event("stopped")["body"]["threadId"]
    assert editor.ask("continue", threadId=thread)["success"]
    stopped = editor.event("stopped")["body"]
    frames = editor.ask("stackTrace", threadId=stopped["threadId"])["body"]["stackFrames"]
    assert frames[0]["line"] == 13
    return editor, frames[0]["id"]


def test_an_editor_attaches_looks_changes_and_leaves(program):
    editor, frame = attach(program)
    assert editor.ask("evaluate", expression="row", frameId=frame)["body"]["result"] == "1"
    frames = editor.ask("stackTrace", threadId=2)["body"]["stackFrames"]
    assert [one["name"] for one in frames[1:]] == ["the compiled graph 0", "node of line 13"], "frames of a compiled model follow the kernel's"
    assert editor.ask("scopes", frameId=frames[-1]["id"])["body"]["scopes"] == []
    assert editor.ask("setExpression", expression="scaled[0]", value="1000", frameId=frame)["success"]
    assert editor.ask("disconnect")["success"]
    out, err = program.communicate(timeout=120)
    assert out == "sum 2281.0\n", err
    assert program.returncode == 0


def test_an_editor_ends_the_program(program):
    editor, _ = attach(program)
    assert editor.ask("terminate")["success"]
    editor.ask("disconnect")
    out, err = program.communicate(timeout=120)
    assert out == ""
    assert "lockstep.errors.DebuggerQuit: scale was ended in the debugger" in err
