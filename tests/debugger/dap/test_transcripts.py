"""Sessions with `lockstep dap`, message by message: transcripts/NAME.jsonl is what a client does, NAME.expected all that
goes over the wire. Every message of the server is held against the published schema. LOCKSTEP_BLESS=1 writes .expected.

A line of a script is a request, {"request": "next", "arguments": {...}}, or {"await": "stopped"}: waits for an event. A
first line {"waiting": [...], "exit": 0} is a launch that waits for an editor, by `lockstep debug --listen`. In
arguments, "$frameId" stands for what an earlier answer had under that name last: id of the first frame (frameId), of the
scope or variable of that name ("$Arguments", "$acc"), or a member of the last body ("$memoryReference", "$dataId").
"""

import json
import os
import re
import sys
import unittest
from pathlib import Path

from client import ROOT, Client, Process, Waiting

LOCKSTEP = sys.argv.pop(1) if len(sys.argv) > 1 else "build/lockstep"
FOLDER = Path(__file__).parent / "transcripts"
KERNELS = "tests/debugger/dap/kernels"
os.environ["LOCKSTEP_Z3"] = os.environ["LOCKSTEP_ISL"] = "off"  # which not every machine has


class Names:
    """What "$name" in a script means."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def learn(self, body: dict) -> None:
        if body.get("stackFrames"):
            self.values["frameId"] = body["stackFrames"][0]["id"]
            for frame in body["stackFrames"]:
                self.values[f"frame {frame['name']}"] = frame["id"]
        for key in ("scopes", "variables"):
            for one in body.get(key, []):
                self.values[one["name"]] = one["variablesReference"]
        for key in ("targets", "instructions"):
            if body.get(key):
                self.values[key] = body[key][0].get("id", body[key][0].get("address"))
        for one in body.get("variables", []):
            if "memoryReference" in one:
                self.values["memoryReference"] = one["memoryReference"]
            if "declarationLocationReference" in one:
                self.values["locationReference"] = one["declarationLocationReference"]
        self.values |= {key: value for key, value in body.items() if isinstance(value, (str, int))}

    def fill(self, value: object) -> object:
        if isinstance(value, dict):
            return {key: self.fill(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.fill(inner) for inner in value]
        return self.values[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def plain(message: dict) -> str:
    """Without what differs from run to run: numbers of messages, addresses of memory, the project's folder."""
    shown = {key: value for key, value in message.items() if key not in ("seq", "request_seq", "type")}
    text = json.dumps(shown, ensure_ascii=False).replace(str(ROOT), "{root}")
    return re.sub(r"0x[0-9a-f]{7,}", "0xADDRESS", text)


def steps_of(script: Path) -> list[dict]:
    lines = [line for line in script.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return [json.loads(line.replace("{kernels}", KERNELS)) for line in lines]


def play(client: Client, steps: list[dict]) -> str:
    names = Names()
    for step in steps:
        if "await" in step:
            client.event(step["await"])
        else:
            answer = client.request(step["request"], names.fill(step.get("arguments")))
            names.learn(answer.get("body") or {})
    return "\n".join(f"{way} {plain(message)}" for way, message in client.log) + "\n"


class Transcripts(unittest.TestCase):
    def play_and_compare(self, name: str) -> None:
        steps = steps_of(FOLDER / f"{name}.jsonl")
        waiting = steps.pop(0) if "waiting" in steps[0] else None
        client = Waiting(LOCKSTEP, *waiting["waiting"]) if waiting else Process(LOCKSTEP)
        try:
            shown = play(client, steps)
        finally:
            code, error = client.end()
        self.assertEqual((code, error), (waiting["exit"] if waiting else 0, ""))
        self.assertEqual(client.problems, [])
        expected = FOLDER / f"{name}.expected"
        if os.environ.get("LOCKSTEP_BLESS"):
            expected.write_text(shown)
        self.maxDiff = None
        self.assertEqual(shown, expected.read_text())

    def test_every_request_is_in_a_transcript(self):
        asked = set()
        for script in FOLDER.glob("*.jsonl"):
            asked |= set(re.findall(r'"request": "([^"]+)"', script.read_text()))
        source = (ROOT / "debugger" / "dap" / "dispatch.cpp").read_text()
        handled = set(re.findall(r'\{"([\w/]+)", Need::', source))
        self.assertGreater(len(handled), 35)
        self.assertEqual(handled - asked, set())


for one in sorted(FOLDER.glob("*.jsonl")):
    setattr(Transcripts, f"test_{one.stem}", lambda self, name=one.stem: self.play_and_compare(name))

if __name__ == "__main__":
    unittest.main()
