"""`lockstep run --check races` against an oracle that shares nothing with it: random programs of a few accesses, run in
grid order, and every pair of accesses compared by sets of what happened before. Which cells race must agree."""

import random
import re
import struct
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

from tool import KERNELS, CommandTest

CASES = 80
LOAD, STORE, RELAXED, ACQUIRE, RELEASE, BOTH, EXCHANGE, SWAP, VOLATILE, BLOCK = range(10)
ACQUIRES = {ACQUIRE, BOTH, EXCHANGE, SWAP}
RELEASES = {RELEASE, BOTH, EXCHANGE, SWAP}
ORDERS = [[], ["--threads", "1"], ["--schedule", "1"], ["--schedule", "2"], ["--schedule", "1", "--schedule-seed", "9"]]
Code = list[list[tuple[int, int]]]
MIXES = [
    [LOAD, STORE, BOTH, BOTH, EXCHANGE, SWAP],
    [LOAD, STORE, ACQUIRE, RELEASE, BOTH, BOTH],
    [LOAD, STORE, BOTH, RELAXED, RELEASE, ACQUIRE, SWAP, EXCHANGE, VOLATILE],
    [LOAD, STORE, BOTH, BLOCK, VOLATILE],
]


@dataclass
class Access:
    program: int
    act: int
    writes: bool


def value_after(act: int, old: int, stored: int) -> int:
    """What acts.py leaves in a cell."""
    if act in (LOAD, VOLATILE):
        return old
    if act == STORE:
        return stored
    if act == EXCHANGE:
        return 7
    if act == SWAP:
        return 9 if old == 7 else old
    return old + 1


def agree(a: int, b: int) -> bool:
    """Two atomics that cover each other never race."""
    return a >= RELAXED and b >= RELAXED and BLOCK not in (a, b)


def racing_cells(code: Code, cells: int) -> set[int]:
    memory, released = [0] * cells, [set() for _ in range(cells)]
    accesses: list[list[tuple[int, Access]]] = [[] for _ in range(cells)]
    racing, number = set(), 0
    for program, acts in enumerate(code):
        before: set[int] = set()
        for i, (act, cell) in enumerate(acts):
            writes = act not in (LOAD, VOLATILE) and (act != SWAP or memory[cell] == 7)
            if act in ACQUIRES:
                before |= released[cell]
            for at, other in accesses[cell]:
                is_conflict = other.program != program and (writes or other.writes) and not agree(act, other.act)
                if is_conflict and at not in before:
                    racing.add(cell)
            accesses[cell].append((number, Access(program, act, writes)))
            before.add(number)
            number += 1
            if act == STORE:
                released[cell] = set()
            elif writes and act in RELEASES:
                released[cell] = released[cell] | before
            memory[cell] = value_after(act, memory[cell], program * 64 + i + 1)
    return racing


def random_code(rng: random.Random, cells: int) -> Code:
    programs, steps, acts = rng.choice([2, 3, 4]), rng.choice([2, 3, 4]), rng.choice(MIXES)
    has_flag = rng.random() < 0.7  # cell 0 is for atomics, the others for data

    def access() -> tuple[int, int]:
        act, cell = rng.choice(acts), rng.randrange(cells)
        return act, cell if not has_flag else 0 if act >= RELAXED else 1 + rng.randrange(cells - 1)

    return [[access() for _ in range(steps)] for _ in range(programs)]


def write_array(path: Path, values: list[int]) -> None:
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    path.write_bytes(start + struct.pack(f"<{len(values)}i", *values))


class Races(CommandTest):
    def run_code(self, table: Path, code: Code, cells: int, exit_code: int, *words: str) -> set[int]:
        """The cells that findings name: one for each pair of lines."""
        write_array(table, [number for acts in code for access in acts for number in access])
        launch = ["run", f"{KERNELS}/acts.py::act", "--check", "races", "--grid", str(len(code)), f"code=@{table}"]
        launch += [f"cells=zeros:i32[{cells}]", f"seen=zeros:i32[{len(code)}]", f"STEPS={len(code[0])}"]
        done = self.check(exit_code, *launch, *words)
        found = re.findall(r"^.*?error: .*?cells\[(\d+)\].*$", done.stdout, re.MULTILINE)
        return {int(cell) for cell in found}

    def test_without_acquires_no_order_hides_a_race(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(CASES // 8):
                rng = random.Random(seed)
                acts = [LOAD, LOAD, STORE, RELEASE]
                code = [[(rng.choice(acts), rng.randrange(6)) for _ in range(2)] for _ in range(3)]
                expected = racing_cells(code, 6)
                for words in ORDERS:
                    found = self.run_code(Path(folder) / "code.npy", code, 6, 1 if expected else 0, *words)
                    self.assertLessEqual(found, expected, f"seed {seed}: {code}, {words}")

    def test_no_access_is_forgotten_however_many_there_are(self):
        launch = ["run", f"{KERNELS}/readers.py::readers", "--check", "races", "--grid", "40", "x=zeros:f32[1]"]
        launch += ["cells=zeros:i32[40]", "flags=zeros:i32[40]", "out=zeros:f32[40]"]
        self.check(0, *launch, "waits_from=0")
        found = self.check(1, *launch, "waits_from=1").stdout
        self.assertRegex(found, r"error: .*x\[0\].*program \(39,0,0\).* program \(0,0,0\)")

    def order_of(self, schedule: int, waits: int) -> list[int]:
        """Of six programs, as each says who came before it."""
        words = ["--grid", "6", "slot=zeros:i32[1]", "out=zeros:i32[6]", f"waits={waits}", "--print", "out"]
        done = self.check(0, "run", f"{KERNELS}/line.py::line", "--schedule", str(schedule), *words)
        before = [int(word) for word in re.search(r"out: i32\[6\]\n? *\[(.*?)\]", done.stdout, re.DOTALL)[1].split()]
        made = [before.index(0)]
        while len(made) < 6:
            made.append(before.index(made[-1] + 1))
        return made

    def test_orders_turn_one_pair_of_atomics_round(self):
        self.assertEqual(self.order_of(0, 0), [0, 1, 2, 3, 4, 5])
        for pair in range(5):
            turned = list(range(6))
            turned[pair], turned[pair + 1] = pair + 1, pair
            self.assertEqual(self.order_of(2 * pair + 1, 0), turned)
        self.assertNotEqual(self.order_of(11, 0), sorted(range(6)))  # there is no sixth pair: an order that is drawn
        for schedule in range(8):
            self.assertEqual(self.order_of(schedule, 1), [0, 1, 2, 3, 4, 5])  # they wait for each other

    def test_cells_that_race(self):
        racy = 0
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "code.npy"
            for seed in range(CASES):
                rng = random.Random(seed)
                cells = rng.choice([2, 3, 4])
                code = random_code(rng, cells)
                expected = racing_cells(code, cells)
                found = self.run_code(table, code, cells, 1 if expected else 0)
                self.assertLessEqual(found, expected, f"seed {seed}: {code}")
                self.assertEqual(bool(found), bool(expected), f"seed {seed}: {code}")
                racy += bool(expected)
        self.assertGreater(racy, CASES // 4)
        self.assertLess(racy, CASES * 3 // 4)


if __name__ == "__main__":
    unittest.main()
