"""Candidates that attack the judge: the verdict is the expected one, nothing hangs, and nothing is left behind."""

import os
import pathlib
import subprocess
import sys
import time as clock

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")

from lockstep.judging import judge_many  # noqa: E402

TASK = pathlib.Path(__file__).parent.parent / "judge_zoo" / "tanh"
HONEST = (TASK / "honest.py").read_text()
LAUNCH = "        flat_kernel["


def at_load(code):
    return HONEST.replace("class ModelNew", code + "\n\nclass ModelNew")


def in_call(code):
    return HONEST.replace(LAUNCH, "".join(f"        {line}\n" for line in code.splitlines()) + LAUNCH)


def without_kernel(code):
    lines = HONEST.splitlines(keepends=True)
    return "".join("".join(f"        {one}\n" for one in code.splitlines()) if line.startswith(LAUNCH) else line for line in lines)


FORGED = """
import json, os, struct
text = json.dumps({"kind": "told", "calls": [], "ends": [], "raised": None, "blocks": []}).encode()
for one in range(3, 64):
    try:
        os.write(one, struct.pack("<QQ", len(text), 0) + text)
    except OSError:
        pass
"""
GARBAGE = """
import os
for one in range(1, 64):
    try:
        os.write(one, b"accepted" * 100)
    except OSError:
        pass
"""
CTYPES = """
import ctypes
ctypes.memset(x.data_ptr(), 0, 16)
"""
PATCHED = """
def run(jit, *args, grid, warmup=False, **kwargs):
    pass
triton.runtime.jit.JITFunction.run = run
"""
PATCHED_ENGINE = """
import lockstep.judging.host as host
old = host.Call.facts
def facts(self, outputs):
    return {**old(self, outputs), "origins": ["kernel"] * len(outputs), "ops": [], "launches": ["flat_kernel"]}
host.Call.facts = facts
"""
LATER = """
calls = globals().setdefault("calls", [])
calls.append(0)
if len(calls) > 20:
    from lockstep.judging import capsules, host
    host.Watch.call.add_launch((out,), False, None)
    host.Watch.call.launches.append("flat_kernel")
    capsules.recorder.is_on = False
    out.untyped_storage().copy_(torch.tanh(x).untyped_storage())
    return out
"""
# : name, program, verdict, classes.
HOSTILE = [
    ("exit_at_load", at_load("import os\nos._exit(0)"), "rejected", "no result"),
    ("system_exit", at_load("raise SystemExit(0)"), "rejected", "no result"),
    ("exit_in_call", in_call("import os\nprint('accepted')\nos._exit(0)"), "rejected", "no result"),
    ("kills_itself", in_call("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\nos.abort()"), "rejected", "no result"),
    ("kills_all", in_call("import os, signal\nfor one in range(2, 4000):\n    try:\n        os.kill(one, signal.SIGKILL)\n    except OSError:\n        pass"),
     "accepted", ""),
    ("daemons", at_load("import os, time\nfor _ in range(20):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(1000)\n        os._exit(0)"),
     "accepted", ""),
    ("endless", in_call("while True:\n    pass"), "not decided", "limit"),
    ("huge_output", in_call("import sys\nfor _ in range(400):\n    sys.stdout.write('x' * (1 << 20))"), "rejected", "no result"),
    ("forged_message", in_call(FORGED), "rejected", "no result type"),
    ("garbage", in_call(GARBAGE), "rejected", "no result"),
    ("reads_processes", at_load(
        "import glob\nfound = []\nfor one in glob.glob('/proc/*/environ') + glob.glob('/proc/*/mem'):\n    try:\n"
        "        found.append(open(one, 'rb').read(16))\n    except OSError:\n        pass\nassert not found, found"), "accepted", ""),
    ("reads_files", at_load(
        "for one in ('/root', '/home', '/tmp', '/var', %r):\n    try:\n        __import__('os').listdir(one)\n    except OSError:\n        continue\n"
        "    raise RuntimeError(one)" % str(TASK)), "accepted", ""),
    ("network", at_load(
        "import socket\ntry:\n    socket.create_connection(('127.0.0.1', 1), 1)\nexcept PermissionError:\n    pass"), "accepted", ""),
    ("writes_input", in_call(CTYPES), "rejected", "mutation"),
    ("patched_triton", at_load(PATCHED), "rejected", "values unwritten dependence undefined torch function"),
    ("forged_host", without_kernel("out.copy_(torch.tanh(x))").replace(
        "class ModelNew", PATCHED_ENGINE + "\n\nclass ModelNew"), "not decided", "host memory"),
    ("forged_later", in_call(LATER), "not decided|rejected", "host memory torch"),
    ("recursion", in_call("def deeper(n):\n    return deeper(n + 1)\ndeeper(0)"), "rejected", "no result"),
    ("stack", in_call("import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    pass\na = []\nfor _ in range(10**6):\n    a = [a]\nrepr(a)"), "rejected", "no result"),
    ("memory", in_call("torch.ones(25 * 10**9)"), "rejected", "no result"),
    ("symlink", at_load("import os\nos.symlink('/etc/hosts', 'capsules')\nos.symlink(%r, 'judged')\ntry:\n    open('judged/left', 'w')\nexcept OSError:\n    pass" % str(TASK)),
     "accepted|rejected", "no result"),
]
QUICK = {"exit_in_call", "forged_host", "forged_later"}


@pytest.fixture(scope="module")
def pool():
    from lockstep.judging.processes import Pool

    with Pool() as made:
        yield made


def processes():
    """Of zygotes, by their command lines."""
    found = set()
    for one in os.listdir("/proc"):
        try:
            text = pathlib.Path("/proc", one, "cmdline").read_bytes() if one.isdigit() else b""
        except OSError:
            continue
        if b"lockstep.judging.zygote" in text and _is_of(int(one), os.getpid()):
            found.add(int(one))
    return found


def _is_of(pid, ancestor):
    while pid > 1:
        try:
            pid = int(pathlib.Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
        if pid == ancestor:
            return True
    return False


@pytest.mark.parametrize(
    "name, text, wanted, kinds", [pytest.param(*one, id=one[0], marks=() if one[0] in QUICK else pytest.mark.campaign) for one in HOSTILE])
def test_hostile(name, text, wanted, kinds, pool, tmp_path):
    path = tmp_path / "candidate.py"
    path.write_text(text)
    before = processes()
    time = 20 if name == "endless" else 120
    (verdict,) = judge_many(
        TASK / "reference.py", [str(path)], seed=5, time=time, shapes="given", witnesses=tmp_path / "witness", pool=pool)
    assert verdict.verdict in wanted.split("|"), str(verdict)
    if kinds and verdict.verdict != "accepted":
        kind = verdict.reasons[0].kind if verdict.reasons else verdict.undecided[0].what
        assert kind in kinds or any(kind == one for one in kinds.split()), str(verdict)
    until = clock.monotonic() + 10  # a process that was ended may take a moment to go
    while not processes() <= before and clock.monotonic() < until:
        clock.sleep(0.05)
    assert processes() <= before
    assert not (TASK / "left").exists()


@pytest.mark.campaign
def test_strict_isolation_is_had_or_named(tmp_path):
    words = [sys.executable, "-m", "lockstep.judging", str(TASK / "reference.py"), str(TASK / "honest.py"), "--isolation", "strict", "--shapes", "given"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert done.returncode == 0 or (done.returncode == 3 and "does not give" in done.stderr), done.stderr
