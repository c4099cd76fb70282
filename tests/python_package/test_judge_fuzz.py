"""What comes from outside in any form: answers of a candidate's process, messages on its pipe, JSONL, task.yml. Each is taken or named,
and nothing else is raised."""

import copy
import json
import os
import pathlib
import random

import pytest

pytest.importorskip("numpy")

import lockstep  # noqa: E402
from lockstep.judging import processes, sides, tasks, wire  # noqa: E402
from lockstep.judging.tensors import Bits  # noqa: E402

NUMBERS = Bits("float32", (2, 3), bytes(24))
VALUES = [None, True, -1, 0, 1 << 70, 1.5, float("nan"), "", "x" * 50, [], {}, [[]], [None], {"a": 1}, "float32", [2, 3], [-2, -3], [1 << 40, 1 << 40]]
LOADED = ({"kind": "loaded", "names": ["w"], "state": [NUMBERS.head()], "configurations": 1}, [NUMBERS.data])
TOLD = ({
    "kind": "told", "raised": None, "ends": [[NUMBERS.head()]], "calls": [{
        "ops": [{"op": "view", "elements": 6, "flops": 0, "line": 3}], "launches": ["k"], "unknown": [], "narrow": False, "origins": ["kernel"],
        "findings": [{"code": "LS101", "tier": "error", "message": "m", "line": 2, "kernel": "k"}], "capsules": [0, 1], "asked": [[0]], "changed": [],
        "is_input": [False], "types": ["Tensor"], "threads": [], "outputs": [NUMBERS.head()]}]}, [NUMBERS.data, b"", NUMBERS.data])

OF_TESTS = (TOLD[0] | {"calls": [TOLD[0]["calls"][0] | {"value": ["u", [["t", 0], ["v", 3]]], "alias": [-1]}]}, TOLD[1])
MODULE = (LOADED[0] | {"attributes": {"f": ["function"], "k": ["kernel"], "N": ["value", ["v", 3]], "C": ["other", "the class C"]}}, LOADED[1])


def changed(value, rng):
    """The same with one part replaced, left out or twice."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        made = dict(value)
        if rng.random() < 0.15:
            del made[key]
        else:
            made[key] = changed(value[key], rng)
        return made
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return rng.choice([value[:at] + [changed(value[at], rng)] + value[at + 1 :], value + value, value[:at] + value[at + 1 :]])
    if isinstance(value, bytes):
        return rng.choice([b"", value[:-1], value + b"x", bytes(rng.randrange(256) for _ in value)])
    return copy.deepcopy(rng.choice(VALUES))


class Answers:
    """A candidate's process that gives these."""

    def __init__(self, folder):
        self.folder, self.given = folder, []

    def ask(self, message, blocks=None):
        return self.given.pop(0)

    def output(self):
        return ""


@pytest.fixture
def some_sides(tmp_path):
    made = sides.Sides.__new__(sides.Sides)
    made.texts, made.seed, made.candidate, made.told, made.configurations = ("", ""), 1, Answers(str(tmp_path)), [], 1
    return made


def loaded():
    return sides.Loaded({}, ["l", []], ["l", [["t", 0]]], ["w"], [NUMBERS])


def test_answers_of_a_candidate(some_sides):
    rng = random.Random(5)
    taken = 0
    for _ in range(1500):
        for valid, ask in ((LOADED, lambda one: some_sides.load_candidate(one, {})), (TOLD, lambda one: some_sides.run(one, [("new", [NUMBERS])])), (
            ({"kind": "host", "lines": [1, 2]}, []), lambda one: some_sides.host_lines()), (MODULE, lambda one: some_sides.load_candidate(one, {})), (
            OF_TESTS, lambda one: some_sides.run(one, [("new", [NUMBERS])], sides.How(function="f")))):
            answer, blocks = changed(valid[0], rng), changed(valid[1], rng) if rng.random() < 0.3 else valid[1]
            if type(answer) is not dict or type(blocks) is not list or any(type(one) is not bytes for one in blocks):
                continue  # the wire takes no such message
            some_sides.candidate.given = [(answer, blocks)]
            try:
                ask(loaded())
                taken += 1
            except (sides.Raised, sides.Rejected, sides.Stopped):
                pass
    assert taken > 200
    some_sides.candidate.given = [copy.deepcopy(OF_TESTS)]
    assert some_sides.run(loaded(), [("new", [NUMBERS])], sides.How(function="f"))[0].facts["alias"] == [-1]
    some_sides.candidate.given = [copy.deepcopy(TOLD)]
    assert len(some_sides.run(loaded(), [("new", [NUMBERS])])) == 1


def test_messages_on_a_pipe():
    rng = random.Random(6)
    message = wire.pack(*TOLD)
    nested = b'{"blocks": [], "a": ' + b"[" * 50000 + b"]" * 50000 + b"}"
    made = [wire._HEAD.pack(len(nested), 0) + nested]
    for text in ('{"blocks": [0.0, 5.0]}', '{"blocks": [5, true]}', '{"blocks": {"a": 5}}', '{"blocks": "aaaaa"}', "[5]", "5", '{"blocks": [6, -1]}'):
        made.append(wire._HEAD.pack(len(text), 5) + text.encode() + b"12345")
    for _ in range(300):
        data = bytearray(message)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        made.append(bytes(data[: rng.randrange(len(data)) if rng.random() < 0.5 else len(data)]))
    for one in made:
        source, target = os.pipe()
        os.write(target, one[:60000])
        os.close(target)
        try:
            wire.receive(source)
        except wire.WireError:
            pass
        finally:
            os.close(source)


def test_lines_of_candidates(tmp_path):
    rng = random.Random(7)
    task = tasks.Task("t", "t", "", {}, {"kind": "model", "name": "ModelNew"})
    valid = '{"code": "import torch", "name": "a"}'
    lines = ["[" * 100000, '{"code": 3}', '{"code": "\\ud800", "name": "b"}', "null", "{}", '{"code": "a", "name": null}', "\0", "1e999"]
    for _ in range(300):
        text = list(valid)
        for _ in range(rng.randrange(1, 5)):
            text[rng.randrange(len(text))] = chr(rng.choice([0, 10, 34, 44, 92, 123, 125, 233, 0x4E00, rng.randrange(32, 127)]))
        lines.append("".join(text))
    path = tmp_path / "c.jsonl"
    for line in lines:
        path.write_text(valid + "\n" + line, encoding="utf-8")
        try:
            for one in tasks.candidates_of(str(path), task):
                assert isinstance(one.text, str) and isinstance(one.name, str)
                one.text.encode()
        except lockstep.JudgeError as error:
            assert "c.jsonl" in str(error)


def test_rows_of_a_task():
    rng = random.Random(8)
    valid = "tests:\n  - {m: 64, n: 1e-3, kind: 'a', list: [1, 2], flag: true}\n  - m: 3\n    n: 4\nbenchmarks:\n  - {m: 1}\n"
    for text in ["tests:\n - {a: " + "(" * 20000, "tests:\n - {a: " + "-" * 100000 + "1}", "tests:\n - {a: " + "9" * 5000 + "}"]:
        with pytest.raises(lockstep.JudgeError):
            tasks.tests_of(text, "task.yml")
    for _ in range(1500):
        text = list(valid)
        for _ in range(rng.randrange(1, 6)):
            text[rng.randrange(len(text))] = chr(rng.choice([0, 9, 10, 34, 39, 40, 44, 58, 91, 92, 93, 123, 125, 45, rng.randrange(32, 300)]))
        try:
            json.dumps(tasks.tests_of("".join(text), "task.yml"), default=str)
        except lockstep.JudgeError as error:
            assert "task.yml" in str(error)


def test_the_folder_of_a_process_stays(tmp_path):
    """What the judge reads back of a candidate's folder: plain files alone."""
    from lockstep.judging import engine

    folder = tmp_path / engine.FOLDER
    folder.mkdir()
    os.mkfifo(folder / "0000-a.capsule")
    (folder / "0001-a.capsule").symlink_to("/etc/hosts")
    (folder / "0002-a.capsule").write_bytes(b"PK\3\4" + bytes(50))
    (folder / "x-a.capsule").write_bytes(b"a")
    (folder / "0003-a.capsule").mkdir()
    (folder / "\u0663-a.capsule").write_bytes(b"a")
    (tmp_path / "out").mkdir()
    taken = engine._taken(str(folder), str(tmp_path / "out"))
    assert sorted(taken) == [2]
    assert engine._memory_after(taken[2]) == []
    assert pathlib.Path(processes.__file__).exists()
