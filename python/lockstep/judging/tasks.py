"""Tasks and candidates in the forms that they come in: KernelBench pairs and folders, functions, folders of GPU MODE, JSONL."""

from __future__ import annotations

import ast
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any

from lockstep.judging import JudgeError


# : Characters of a value in a row of tests.
MOST_OF_A_VALUE = 1000


@dataclass
class Task:
    """A reference. `described`: the task for the reference's process (reference_side.Reference)."""

    name: str
    path: str
    text: str
    described: dict[str, Any]
    entry: dict[str, str]  # what a candidate's file must have
    tests: int = 1  # of GPU MODE


@dataclass
class Candidate:
    """A program to judge."""

    name: str
    text: str
    entry: dict[str, str] = field(default_factory=dict)


def read(path: str) -> str:
    """A file's text. Raises JudgeError."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise JudgeError(f"{path} cannot be read: {error}", 2) from error


def task_of(reference: str, inputs: str | None = None) -> Task:
    """The task that a word of the command line names. inputs: "FILE.py::maker" of a function's task. Raises JudgeError."""
    from lockstep.judging import suite_tasks

    if suite_tasks.is_suite(reference):
        return suite_tasks.of_tests(reference)
    if reference.startswith("aten::"):
        return suite_tasks.of_operator(reference)
    if os.path.isdir(reference) and os.path.exists(os.path.join(reference, "task.yml")):
        return _gpu_mode(reference)
    if os.path.isdir(reference):
        reference = os.path.join(reference, "reference.py")
    path, _, name = reference.partition("::")
    text = read(path)
    if not name:
        return Task(reference, path, text, {"kind": "model"}, {"kind": "model", "name": "ModelNew"})
    if not inputs:
        raise JudgeError(f"{reference} is a function: --inputs FILE.py::MAKER has its inputs", 2)
    maker_path, _, maker = inputs.partition("::")
    described = {
        "kind": "function", "name": name, "maker": maker or "get_inputs", "maker_text": read(maker_path),
        "maker_path": os.path.abspath(maker_path)}
    return Task(reference, path, text, described, {"kind": "function", "name": name})


def _gpu_mode(folder: str) -> Task:
    tests = tests_of(read(os.path.join(folder, "task.yml")), os.path.join(folder, "task.yml"))
    path = os.path.join(folder, "reference.py")
    text = read(path)
    has = {name for name in ("ref_kernel", "generate_input", "check_implementation") if re.search(rf"^(def )?{name}\b", text, re.M)}
    if "generate_input" not in has or len(has) < 2:
        raise JudgeError(f"{path} has no generate_input, or neither ref_kernel nor check_implementation", 2)
    if "ref_kernel" not in has:
        from lockstep.judging import suite_tasks

        return suite_tasks.of_check(folder, text, tests)
    helpers = [one for one in ("utils.py", "task.py") if os.path.exists(os.path.join(folder, one))]
    imported = [one[:-3] for one in helpers if re.search(rf"^(from|import) {one[:-3]}\b", text, re.M)]
    parts = [read(os.path.join(folder, f"{one}.py")) for one in imported]
    described = {"kind": "gpumode", "name": "ref_kernel", "arguments": tests, "helpers": dict(zip(imported, parts, strict=True))}
    return Task(folder, path, text, described, {"kind": "function", "name": "custom_kernel"}, len(tests))


def tests_of(text: str, name: str) -> list[dict[str, Any]]:
    """The rows of `tests:` in a task.yml. Reads lists of flow mappings, and of block mappings of numbers and words. Raises JudgeError."""
    rows: list[dict[str, Any]] = []
    is_inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"[A-Za-z_]+\s*:", line):
            is_inside = line.split(":")[0].strip() == "tests"
            continue
        stripped = line.split("#")[0].strip()
        if not is_inside or not stripped:
            continue
        try:
            if stripped.startswith("-"):
                rows.append({})
                stripped = stripped[1:].strip()
            if stripped.startswith("{"):
                rows[-1].update(_flow(stripped))
            elif stripped:
                key, _, value = stripped.partition(":")
                rows[-1][key.strip()] = _scalar(value)
        except (ValueError, IndexError, SyntaxError) as error:
            raise JudgeError(f"{name}:{number}: this row of tests cannot be read", 2) from error
    if not rows:
        raise JudgeError(f"{name} has no tests", 2)
    return rows


def _scalar(text: str) -> Any:
    text = text.strip()
    if text.lower() in ("true", "false", "null", "~"):
        return {"true": True, "false": False}.get(text.lower())
    try:
        if len(text) > MOST_OF_A_VALUE:
            raise ValueError(text[:40])
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        if len(text) > MOST_OF_A_VALUE or not re.fullmatch(r"[\w.+/-]*", text):
            raise ValueError(text) from None
        return text


def _flow(text: str) -> dict[str, Any]:
    if not text.endswith("}"):
        raise ValueError(text)
    parts, depth, start = [], 0, 1
    for i, one in enumerate(text[1:-1], 1):
        depth += one in "[{("
        depth -= one in ")}]"
        if one == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:-1])
    made = {}
    for part in parts:
        if part.strip():
            key, colon, value = part.partition(":")
            if not colon:
                raise ValueError(part)
            made[key.strip().strip("\"'")] = _scalar(value)
    return made


def candidates_of(word: str, task: Task) -> list[Candidate]:
    """A file, FILE.py::NAME, a folder of .py files, or JSONL with "code" (and "name") in each line. A model's class is ModelNew, or
    Model where the file has no ModelNew. Raises JudgeError."""
    return [_with_entry(one) for one in _candidates_of(word, task)]


def _with_entry(one: Candidate) -> Candidate:
    has_old_name = re.search(r"^class Model\b", one.text, re.M) and not re.search(r"\bModelNew\b", one.text)
    is_model = one.entry.get("kind") == "model" and one.entry["name"] == "ModelNew"
    return Candidate(one.name, one.text, one.entry | {"name": "Model"}) if is_model and has_old_name else one


def _candidates_of(word: str, task: Task) -> list[Candidate]:
    if os.path.isdir(word):
        files = sorted(one for one in os.listdir(word) if one.endswith(".py") and one != "reference.py")
        if not files:
            raise JudgeError(f"{word} has no .py files", 2)
        return [Candidate(os.path.join(word, one), read(os.path.join(word, one)), task.entry) for one in files]
    if word.endswith(".jsonl"):
        return _lines(word, task)
    path, _, name = word.partition("::")
    return [Candidate(word, read(path), task.entry | ({"name": name} if name else {}))]


def _is_encodable(text: str) -> bool:
    """JSON may hold halves of characters, which no file can have."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _lines(path: str, task: Task) -> list[Candidate]:
    found = []
    for number, line in enumerate(read(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            code, name = row["code"], row.get("name", f"{path}:{number}")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise JudgeError(f'{path}:{number}: not an object with "code"', 2) from error
        if not all(isinstance(one, str) and _is_encodable(one) for one in (code, name)):
            raise JudgeError(f'{path}:{number}: "code" and "name" are texts', 2)
        found.append(Candidate(name, code, task.entry))
    return found
