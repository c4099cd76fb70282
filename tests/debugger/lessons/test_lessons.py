#!/usr/bin/env python3
"""The lessons of the page: each solution is clean and gives what the task says, each start does not.

  test_lessons.py LOCKSTEP

What a lesson asks for is computed here in plain Python from the arguments as they were, without its solution."""

import ast
import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

LESSONS = Path(__file__).resolve().parents[3] / "debugger" / "web" / "lessons"
KEYS = {"title", "question", "belief", "look", "text", "grid", "arguments", "outputs", "hints", "after"}
FORMATS = {"<f4": "f", "<f2": "e", "<i4": "i"}
LOCKSTEP = ""


def read_npy(path: Path) -> list:
    """The elements of a .npy file (version 1), in order."""
    data = path.read_bytes()
    assert data[:7] == b"\x93NUMPY\x01", path
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    header = ast.literal_eval(data[10:start].decode("latin-1"))
    assert not header["fortran_order"]
    count = math.prod(header["shape"])
    return list(struct.unpack_from(f"<{count}{FORMATS[header['descr']]}", data, start))


def rows_of(values: list, columns: int) -> list:
    return [values[i : i + columns] for i in range(0, len(values), columns)]


def softmax(row: list) -> list:
    powers = [math.exp(value - max(row)) for value in row]
    return [power / math.fsum(powers) for power in powers]


def product(a: list, b: list, inner: int, columns: int) -> list:
    rows = rows_of(a, inner)
    return [math.fsum(row[k] * b[k * columns + j] for k in range(inner)) for row in rows for j in range(columns)]


def columns(values: list, count: int) -> list:
    return [math.fsum(values[column::count]) for column in range(count)]


def running(values: list) -> list:
    return [sum(values[: i + 1]) for i in range(len(values))]


def log_sum(row: list) -> float:
    return max(row) + math.log(math.fsum(math.exp(value - max(row)) for value in row))


def smoothed(x: list) -> list:
    return [0.0, *((x[i - 1] + x[i] + x[i + 1]) / 3 for i in range(1, len(x) - 1)), 0.0]


def spread(row: list) -> float:
    mean = math.fsum(row) / len(row)
    return math.fsum((value - mean) ** 2 for value in row) / len(row)


def scores(old: dict) -> list:
    return [[math.fsum(a * b for a, b in zip(query, key)) for key in rows_of(old["k"], 16)] for query in rows_of(old["q"], 16)]


def attended(old: dict, sees: Callable[[int, int], bool]) -> list:
    """Attention of queries of depth 16, in plain Python."""
    made = []
    for query, row in enumerate(scores(old)):
        weights = softmax([one if sees(query, key) else -math.inf for key, one in enumerate(row)])
        made += [math.fsum(w * value[d] for w, value in zip(weights, rows_of(old["v"], 16))) for d in range(16)]
    return made


#: What each lesson's output holds, of the arguments as they were before.
REFERENCES = {
    "01_programs": lambda old: [p * p for p in range(8)],
    "02_tiles": lambda old: [a + b for a, b in zip(old["x"], old["y"])],
    "03_masks": lambda old: [2 * value for value in old["x"]],
    "04_other": lambda old: [max(row) for row in rows_of(old["x"], 50)],
    "05_strides": lambda old: [old["base"][3 + 16 * i + j] for i in range(6) for j in range(10)],
    "06_broadcast": lambda old: [a - b for a in old["a"] for b in old["b"]],
    "07_reductions": lambda old: [math.fsum(row) / 20 for row in rows_of(old["x"], 20)],
    "08_softmax": lambda old: [value for row in rows_of(old["x"], 40) for value in softmax(row)],
    "09_loops": lambda old: [math.fsum(row) for row in rows_of(old["x"], 300)],
    "10_precision": lambda old: [math.fsum(old["x"])],
    "11_dot": lambda old: product(old["a"], old["b"], 40, 32),
    "12_online_softmax": lambda old: [log_sum(row) for row in rows_of(old["x"], 200)],
    "13_scans": lambda old: running(old["x"]),
    "14_atomics": lambda old: [old["x"].count(value) for value in range(8)],
    "15_races": lambda old: smoothed(old["x"]),
    "16_waiting": lambda old: [i * 0.5 for i in range(64)],
    "17_tiles_over_k": lambda old: product(old["a"], old["b"], 48, 32),
    "18_padding": lambda old: [spread(row) for row in rows_of(old["x"], 50)],
    "19_reduction_order": lambda old: [old["base"][0] + math.fsum(old["x"])],
    "20_bfloat16": lambda old: [3 * value for value in old["x"]],
    "21_tf32": lambda old: product(old["a"], old["b"], 16, 16),
    "22_orders": lambda old: [7],
    "23_deadlock": lambda old: [1, 0],
    "24_descriptors": lambda old: [math.fsum(row) for row in rows_of(old["x"], 20)],
    "25_flash_scores": lambda old: [math.fsum(math.exp(one - max(row)) for one in row) for row in scores(old)],
    "26_flash_rescale": lambda old: attended(old, lambda query, key: True),
    "27_flash_causal": lambda old: attended(old, lambda query, key: query >= key),
    **dict.fromkeys(("28_two_stages", "29_producer_and_consumer", "30_phases", "31_who_waits_for_whom"), lambda old: columns(old["x"], 128)),
}


def is_near(got: float, expected: float) -> bool:
    return abs(got - expected) <= 1e-5 * max(1.0, abs(expected))


class Lessons(unittest.TestCase):
    def launch(self, folder: Path, file: str, lesson: dict, *more: str) -> subprocess.CompletedProcess:
        arguments = [f"{name}={value}" for name, value in lesson["arguments"].items()]
        command = [LOCKSTEP, "run", str(folder / file), "--grid", lesson["grid"], *arguments, "--check", "all", *more]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    def check(self, folder: Path, scratch: Path) -> None:
        lesson = json.loads((folder / "lesson.json").read_text(encoding="utf-8"))
        self.assertEqual(set(lesson), KEYS)
        look = lesson["look"]
        start = next(folder.glob("start.*"))
        self.assertLessEqual(set(look), {"line", "value", "program", "says"})
        self.assertEqual(start.read_text(encoding="utf-8").count(look["line"]), 1, look["line"])
        for text in (lesson["question"], lesson["belief"], look["says"]):
            self.assertEqual(text.count("`") % 2, 0, text)
            self.assertTrue(text.endswith((".", "?")), text)
        self.assertTrue(lesson["hints"] and lesson["text"] and set(lesson["outputs"]) <= set(lesson["arguments"]))
        tensors = [name for name, value in lesson["arguments"].items() if ":" in value and not value.startswith("view")]
        saved = [word for name in tensors for word in ("--save", f"{name}=@{scratch / name}.npy")]
        ended = self.launch(folder, "solution" + start.suffix, lesson, *saved)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertNotIn(" warning: ", ended.stdout)
        after = {name: read_npy(scratch / f"{name}.npy") for name in tensors}
        (output,) = lesson["outputs"]
        expected = REFERENCES[folder.name](after)  # no solution changes what it reads
        self.assertEqual(len(after[output]), len(expected))
        worst = [pair for pair in zip(after[output], expected) if not is_near(*pair)]
        self.assertEqual(worst, [], "the solution's output and the reference")
        wanted = f"{output}=@{scratch / output}.npy"
        tolerance = str(lesson["outputs"][output])
        begun = self.launch(folder, start.name, lesson, "--expect", wanted, "--rtol", tolerance, "--atol", tolerance)
        self.assertEqual(begun.returncode, 1, begun.stdout + begun.stderr)

    def test_each_lesson_can_be_solved_and_is_not_at_the_start(self) -> None:
        folders = sorted(path.parent for path in LESSONS.glob("*/lesson.json"))
        self.assertEqual([folder.name for folder in folders], sorted(REFERENCES))
        for folder in folders:
            with self.subTest(folder.name), tempfile.TemporaryDirectory() as scratch:
                self.check(folder, Path(scratch))


if __name__ == "__main__":
    LOCKSTEP = sys.argv.pop(1)
    unittest.main()
