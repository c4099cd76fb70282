"""`lockstep run --check lanes` against an oracle that shares nothing with it: random accesses of one program to one
array, element by element, under the model `tile`: which kinds of hazards there are must agree. Most accesses are whole
boxes, which the checker compares as such before it looks at lanes."""

import random
import re
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

from tool import CommandTest

CASES = 90
LOAD, STORE, UPDATE = "load", "store", "update"
SIZE = 64
HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef case(x, out):\n"


@dataclass
class Access:
    """Element start + row * pitch + column * step of `x` for each lane of a tile; of a row only the first `width`."""

    kind: str
    rows: int
    columns: int
    start: int
    pitch: int
    step: int
    width: int

    def lanes(self) -> list[tuple[int, int]]:
        """Lane and element."""
        pairs = [(row * self.columns + column, self.start + row * self.pitch + column * self.step)
                 for row in range(self.rows) for column in range(self.width)]  # fmt: skip
        return [(lane, at) for lane, at in pairs if 0 <= at < SIZE]

    def text(self, number: int) -> str:
        flat, tall = f"tl.arange(0, {self.columns})", f"tl.arange(0, {self.rows})[:, None]"
        column = flat if self.rows == 1 else f"{flat}[None, :]"
        at = f"{self.start} + {column} * {self.step}" + (f" + {tall} * {self.pitch}" if self.rows > 1 else "")
        shape = f"[{self.columns}]" if self.rows == 1 else f"[{self.rows}, {self.columns}]"
        lane = f"({column} + {tall} * {self.columns})" if self.rows > 1 else column
        mask = f"({column} < {self.width}) & ({at} >= 0) & ({at} < {SIZE})"
        if self.kind == UPDATE:
            return f"    tl.atomic_add(x + {at}, 1, mask={mask}, sem='relaxed')\n"
        if self.kind == STORE:
            return f"    tl.store(x + {at}, tl.zeros({shape}, tl.int32) + {lane} + {1000 * number + 1000}, mask={mask})\n"
        return f"    tl.store(out + {64 * number} + {lane}, tl.load(x + {at}, mask={mask}, other=0))\n"


def draw(rng: random.Random) -> list[Access | None]:
    """None: a barrier."""
    code: list[Access | None] = []
    for _ in range(rng.randint(2, 6)):
        if rng.random() < 0.15:
            code.append(None)
        rows, columns = rng.choice([(1, 8), (1, 8), (1, 16), (4, 4), (2, 4)])
        step, pitch = rng.choice([(1, columns), (1, columns), (2, 1), (rows, 1), (0, 4), (-1, 8), (3, 16)])
        start = rng.choice([0, 0, 0, 4, 8, 1, 20, 40])
        kind = rng.choice([LOAD, LOAD, STORE, STORE, UPDATE])
        code.append(Access(kind, rows, columns, start, pitch, step, rng.choice([columns, columns, 3])))
    if rng.random() < 0.4:
        code.append(rng.choice(code))
    return code


def hazards(code: list[Access | None]) -> set[str]:
    """Codes, worked out element by element."""
    found: set[str] = set()
    store: dict[int, tuple[int, object, str]] = {}  # the last store or update of an element
    loads: dict[int, set[object]] = {}
    for number, access in enumerate(code):
        if access is None:
            store, loads = {}, {}
            continue
        shape = (access.rows, access.columns) if access.rows > 1 else (access.columns,)
        for lane, at in access.lanes():
            who = (shape, lane)
            if access.kind == LOAD:
                if at in store and store[at][1] != who:
                    found.add("LS401")
                loads.setdefault(at, set()).add(who)
                continue
            if at in store and store[at][0] == number:
                found |= {"LS404"} if access.kind == STORE else set()
            elif at in store and store[at][1] != who and {access.kind, store[at][2]} != {UPDATE}:
                found.add("LS403")
            if loads.pop(at, set()) - {who}:
                found.add("LS402")
            store[at] = (number, who, access.kind)
    return found


class Lanes(CommandTest):
    def test_hazards_agree_with_the_oracle(self) -> None:
        rng = random.Random(20261122)
        kinds: set[str] = set()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "case.py"
            for case in range(CASES):
                code = draw(rng)
                body = "".join(one.text(i) if one else "    tl.debug_barrier()\n" for i, one in enumerate(code))
                path.write_text(HEAD + body)
                words = [f"{path}::case", "--grid", "1", f"x=zeros:i32[{SIZE}]", "out=zeros:i32[512]"]
                done = self.check(0, "run", *words, "--check", "lanes", "--fail-on", "none")
                found = set(re.findall(r"\[(LS4\d\d)\]", done.stdout))
                expected = hazards(code)
                self.assertEqual(found, expected, f"case {case}\n{body}{done.stdout}")
                kinds |= expected
        self.assertEqual(kinds, {"LS401", "LS402", "LS403", "LS404"})


if __name__ == "__main__":
    unittest.main()
