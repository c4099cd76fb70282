"""`lockstep mcp` with the SDK's own client, in memory and over standard input and output."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

mcp = pytest.importorskip("mcp")
pytest.importorskip("torch")
pytest.importorskip("triton")

import anyio  # noqa: E402
from mcp.client import Client  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

from lockstep.mcp.commands import MOST_SHOWN  # noqa: E402
from lockstep.mcp.server import make_server  # noqa: E402

ROOT = pathlib.Path(__file__).parent.parent.parent
TOOLS = {"judge", "run", "check", "enclose", "explain", "check_language", "debug_start", "debug_ask", "debug_end"}
LAUNCH = {
    "kernel": "examples/softmax.py::softmax", "grid": "rows",
    "arguments": ["x=randn:f32[rows,columns]", "out=empty:f32[rows,columns]", "x_stride=100", "out_stride=100", "rows=8", "columns=100", "BLOCK=128"],
}
needs_command = pytest.mark.skipif("LOCKSTEP_EXECUTABLE" not in os.environ, reason="LOCKSTEP_EXECUTABLE has no command")


def with_client(talk, roots=(str(ROOT),)):
    async def go():
        server, place = make_server(list(roots))
        try:
            async with Client(server) as client:
                return await talk(client)
        finally:
            place.close()

    return anyio.run(go)


async def called(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    text = result.content[0].text
    return (text if result.is_error else result.structured_content or json.loads(text)), result.is_error


def test_tools_have_schemas():
    async def talk(client):
        return (await client.list_tools()).tools

    tools = {one.name: one for one in with_client(talk)}
    assert set(tools) == TOOLS
    assert {"reference", "candidate_text"} <= set(tools["judge"].input_schema["properties"])
    assert all(one.description for one in tools.values())


@needs_command
def test_a_launch_is_run_enclosed_explained_and_debugged():
    async def talk(client):
        ran, _ = await called(client, "run", **LAUNCH, depends="out[3,17]")
        assert "x[3,0:100] as value" in ran["output"], ran
        checked, _ = await called(client, "check", **LAUNCH)
        assert json.loads(checked["output"]) is not None
        enclosed, _ = await called(client, "enclose", **LAUNCH)
        assert enclosed["exit_code"] == 0 and "out" in enclosed["output"]
        explained, _ = await called(client, "explain", topic="LS101")
        assert "LS101" in explained["output"]
        language, _ = await called(client, "check_language", text="import triton\n")
        assert language["exit_code"] in (0, 1)
        begun, _ = await called(client, "debug_start", **LAUNCH)
        assert begun["session"]
        await called(client, "debug_ask", session=begun["session"], question="continue")
        why, _ = await called(client, "debug_ask", session=begun["session"], question="why out[3,5]")
        assert "x[3,0] to x[3,99]" in why["output"] and "softmax.py:17" in why["output"]
        wrong, _ = await called(client, "debug_ask", session=begun["session"], question="nonsense")
        assert wrong["exit_code"] != 0
        assert (await called(client, "debug_end", session=begun["session"]))[0] == {"ended": begun["session"]}
        assert (await called(client, "debug_ask", session=begun["session"], question="p row"))[1]
        page = await client.read_resource("lockstep://explain/LS101")
        assert "LS101" in page.contents[0].text

    with_client(talk)


def test_what_is_outside_of_the_roots_is_not_read(tmp_path):
    (tmp_path / "link.py").symlink_to("/etc/passwd")

    async def talk(client):
        for arguments in (
            {"kernel": "/etc/passwd", "grid": "1", "arguments": []}, {"kernel": "../x.py", "grid": "1", "arguments": []},
            {"kernel": "link.py", "grid": "1", "arguments": []}, {"kernel": "--help", "grid": "1", "arguments": []},
            {"kernel": ".", "grid": "1", "arguments": ["--trace=/tmp/x"]}, {"kernel": ".", "grid": "1", "arguments": ["x=@/etc/passwd"]},
            {"kernel": ".", "grid": "--help", "arguments": []},
        ):
            _, is_error = await called(client, "run", **arguments)
            assert is_error, arguments
        assert (await called(client, "judge", reference="/etc/passwd", candidate_text="x"))[1]
        assert (await called(client, "explain", topic="--help"))[1]

    with_client(talk, [str(tmp_path)])


def test_what_is_refused_is_said_to_the_client(tmp_path):
    """The SDK shows the text of an error that a tool means, and of no other."""
    (tmp_path / "k.py").write_text("import triton\n")

    async def talk(client):
        for tool, arguments, told in (
            ("run", {"kernel": "/etc/passwd", "grid": "1", "arguments": []}, "outside of the roots"),
            ("check_language", {"path": "k\0.py"}, "is not a path"), ("check_language", {"text": "\ud800"}, "halves of characters"),
            ("run", {"kernel": "k.py", "grid": "1", "arguments": ["x=1"] * 2, "depends": "\0"}, "not a command line"),
            ("run", {"kernel": "k.py", "grid": "1", "arguments": ["x=" + "1" * 3_000_000]}, "not a command line"),
            ("explain", {"topic": "--" * 5000}, "not a code or words"), ("debug_ask", {"session": "s" * 9000, "question": "p x"}, "no session"),
        ):
            text, is_error = await called(client, tool, **arguments)
            assert is_error and told in text and len(text) < 600, (tool, text[:600])
        with pytest.raises(mcp.MCPError, match="no witness"):
            await client.read_resource("lockstep://witness/00000000")

    os.environ.setdefault("LOCKSTEP_COMMAND", sys.executable)  # nothing is run here
    with_client(talk, [str(tmp_path)])


@needs_command
def test_hostile_messages():
    """Some seconds of tests/fuzz/mcp_fuzz.py; 300 are the campaign."""
    done = subprocess.run([sys.executable, str(ROOT / "tests" / "fuzz" / "mcp_fuzz.py"), "--seconds", "5", "--seed", "3"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_long_answers_are_cut_and_kept():
    server, place = make_server([str(ROOT)])
    shown, rest = place.shown("x" * (MOST_SHOWN + 1))
    place.close()
    assert len(shown) == MOST_SHOWN and place.kept[rest.rpartition("/")[2]] == "x" * (MOST_SHOWN + 1)


def test_a_cancelled_call_ends_its_process(tmp_path):
    from lockstep.mcp import commands

    mark = tmp_path / "pid"
    program = f"import os, time\nopen({str(mark)!r}, 'w').write(str(os.getpid()))\ntime.sleep(100)\n"

    async def go():
        with anyio.move_on_after(1.5):
            await commands.ran([sys.executable, "-c", program], 60)

    anyio.run(go)
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


def test_over_standard_input():
    async def go():
        words = StdioServerParameters(command=sys.executable, args=["-m", "lockstep.mcp", "--root", str(ROOT)], env={**os.environ})
        async with Client(stdio_client(words)) as client:
            assert {one.name for one in (await client.list_tools()).tools} == TOOLS
            assert (await called(client, "explain", topic="--help"))[1]

    anyio.run(go)


@pytest.mark.campaign
def test_from_rejected_to_accepted_over_standard_input():
    """A session: the witness of a rejection is the only hint for the next attempt."""
    zoo = ROOT / "tests" / "judge_zoo" / "gelu"

    async def go():
        told = []
        words = StdioServerParameters(
            command=sys.executable, args=["-m", "lockstep.mcp", "--root", str(zoo)], env={**os.environ})
        async with Client(stdio_client(words)) as client:
            async def note(progress, total, message):
                told.append(message)

            wrong = (zoo / "cheat_tanh.py").read_text()
            result = await client.call_tool(
                "judge", {"reference": "reference.py", "candidate_text": wrong, "seed": 7, "shapes": "given"}, progress_callback=note)
            verdict = json.loads(result.content[0].text)
            assert verdict["verdict"] == "rejected", verdict
            seen = json.loads((await client.read_resource(verdict["reasons"][0]["witness"])).contents[0].text)
            assert "expected" in seen["replay"] and seen["history"]["inputs"]
            right = (zoo / "honest.py").read_text()
            result = await client.call_tool(
                "judge", {"reference": "reference.py", "candidate_text": right, "seed": 7, "shapes": "given"})
            assert json.loads(result.content[0].text)["verdict"] == "accepted"
        assert any("judging" in one for one in told)

    anyio.run(go)
