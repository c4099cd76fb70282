#!/usr/bin/env python3
"""No contradiction: random integer programs, and random kernels of the fuzzer, against what `lockstep prove` says of them.

Of a kernel that holds, launches of small sizes inside the conditions are run, and are clean; of one that fails, the launch that is
printed fails again with the code that was announced. Proofs are read by tools/check_proof.py.
Usage: random_programs.py LOCKSTEP [PROGRAMS [KERNELS]]     (KERNELS: TTIR of the fuzzer; needs PYTHONPATH with the package)
"""

import collections
import concurrent.futures
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]

from check_proof import check  # noqa: E402
from proof_checker.algebra import Refused  # noqa: E402

HEAD = "import triton\nimport triton.language as tl\n\n\n"
LAUNCHES = 5  # of a kernel that holds


class Program:
    """A kernel whose addresses are random arithmetic, with its contract."""

    def __init__(self, number):
        self.pick, self.name = random.Random(number), f"random{number}"
        self.block = self.pick.choice([1, 4, 8])
        self.grid = self.pick.choice(["cdiv(n, BLOCK)", "n", "m", "3", "cdiv(n*m, BLOCK)"])
        self.has_loop = self.pick.random() < 0.4
        self.lengths = [self.pick.choice(["n", "n*m", "n + m"]) for _ in range(2)]

    def leaf(self):
        names = ["lane", "pid", "n", "m", "offs", "offs", str(self.pick.randrange(0, 9))] + (["k"] * 2 if self.has_loop else [])
        return self.pick.choice(names)

    def number(self, depth):
        """Of the kernel's lanes: an expression of i32."""
        if depth == 0 or self.pick.random() < 0.2:
            return self.leaf()
        a, b = self.number(depth - 1), self.number(depth - 1)
        size = self.pick.choice(["n", "m", "2", "3", "4", "7"])
        return self.pick.choice([
            f"({a} + {b})", f"({a} - {b})", f"({a} * {size})", f"({a} // {size})", f"({a} % {size})", f"tl.minimum({a}, {b})",
            f"tl.maximum({a}, {b})", f"tl.where({self.test(depth - 1)}, {a}, {b})", f"({a} & {self.pick.choice([1, 3, 7])})", f"({a} >> {self.pick.choice([1, 2])})",
        ])  # fmt: skip

    def test(self, depth):
        a, b = self.number(max(depth, 0)), self.leaf()
        return f"({a} {self.pick.choice(['<', '<=', '>', '>=', '=='])} {b})"

    def mask(self, index, length):
        parts = [f"({index} < {length})"] if self.pick.random() < 0.9 else []
        parts += [f"({index} >= 0)"] if self.pick.random() < 0.8 else []
        parts += [self.test(1)] if self.pick.random() < 0.3 or not parts else []
        return " & ".join(parts)

    def access(self, place, indent):
        index, length = self.number(self.pick.randrange(1, 4)), self.lengths[place]
        if self.pick.random() < 0.3:
            index = self.pick.choice(["offs", "offs", "pid * m + lane", "lane * m + pid"])
        lines = [f"at{place} = ({index}) + lane * 0", f"on{place} = {self.mask(f'at{place}', length)}"]
        lines.append("value = tl.load(x + at0, on0, other=0.0)" if place == 0 else "tl.store(out + at1, value, on1)")
        return "".join(f"{indent}{line}\n" for line in lines)

    def text(self):
        body = "    pid = tl.program_id(0)\n    lane = tl.arange(0, BLOCK)\n    offs = pid * BLOCK + lane\n"
        indent = "    "
        if self.has_loop:
            body += f"    for k in range(0, {self.pick.choice(['n', 'm', '3', 'tl.cdiv(n, m)'])}, {self.pick.choice(['1', '2', 'BLOCK', 'm'])}):\n"
            indent = "        "
        body += self.access(0, indent) + self.access(1, indent)
        return f"{HEAD}@triton.jit\ndef {self.name}(x, out, n, m, BLOCK: tl.constexpr):\n{body}"

    def contract(self):
        return ["--grid", self.grid, f"x=f32[{self.lengths[0]}]", f"out=f32[{self.lengths[1]}]", f"BLOCK={self.block}"]


def run(lockstep, *words):
    done = subprocess.run([lockstep, *map(str, words)], capture_output=True, text=True, errors="replace", timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def conditions(text):
    return [line[2:].split("  ")[0] for line in text.splitlines() if re.match(r"  \S.* (<=|>=) ", line)]


def check_held(lockstep, path, program, text, proof):
    """Small launches inside the conditions are clean."""
    check(proof.read_text())
    needed, made = conditions(text), 0
    sizes = [(n, m) for n in range(1, 13) for m in range(1, 7)]
    program.pick.shuffle(sizes)
    for n, m in sizes:
        scope = {"n": n, "m": m, "cdiv": lambda a, b: -(-a // b), "min": min, "max": max, "BLOCK": program.block}
        if not all(eval(one, scope) for one in needed):  # noqa: S307 (our own text)
            continue
        owned = [eval(one, scope) for one in program.lengths]  # noqa: S307
        grid = eval(program.grid, scope)  # noqa: S307
        words = ["run", f"{path}::{program.name}", "--check", "none", "--grid", grid, f"x=zeros:f32[{owned[0]}]", f"out=zeros:f32[{owned[1]}]",
                 f"n={n}", f"m={m}", f"BLOCK={program.block}"]  # fmt: skip
        code, output = run(lockstep, *words)
        made += 1
        if code != 0:
            return made, f"{shlex.join(map(str, words))}: exit {code} inside of the conditions\n{output}\n{text}"
        if made == LAUNCHES:
            break
    return made, ""


def check_failed(lockstep, text):
    command = next(line.strip() for line in text.splitlines() if line.startswith("  lockstep run "))
    codes = re.findall(r"fails with (LS\d+)", text)
    code, output = run(lockstep, *shlex.split(command)[1:])
    return "" if code == 1 and any(one in output for one in codes) else f"{command}: exit {code}, announced {codes}\n{output}"


def try_program(lockstep, folder, number):
    """(answer, launches, what is wrong)"""
    program = Program(number)
    path, proof = Path(folder) / f"{program.name}.py", Path(folder) / f"{program.name}.proof"
    path.write_text(program.text())
    code, text = run(lockstep, "prove", f"{path}::{program.name}", *program.contract(), "--proof", proof)
    made, wrong = 0, ""
    try:
        if code == 0:
            made, wrong = check_held(lockstep, path, program, text, proof)
        elif code == 1:
            wrong = check_failed(lockstep, text)
        elif code not in (2, 4):
            wrong = f"exit {code}\n{text}"
    except Refused as refused:
        wrong = f"the checker refuses the proof: {refused}"
    if wrong:
        wrong = f"program {number}: {wrong}\n{path.read_text()}\n{program.contract()}"
    path.unlink()
    proof.unlink(missing_ok=True)
    return {0: "holds", 1: "fails", 2: "not compiled", 4: "not decided"}.get(code, f"exit {code}"), made, wrong


def try_kernel(lockstep, folder, number):
    """A kernel of the fuzzer, as TTIR, with any sizes: what holds was tried by the prover's own launches."""
    from lockstep import _native

    path, proof = Path(folder) / f"fuzzed{number}.ttir", Path(folder) / f"fuzzed{number}.proof"
    path.write_text(_native.random_kernel(number, 3 + number % 9))
    code, text = run(lockstep, "prove", path, "--proof", proof)
    wrong = "" if code in (0, 1, 4) else f"random kernel {number}: exit {code}\n{text}"
    if proof.exists():
        try:
            check(proof.read_text())
        except Refused as refused:
            wrong = f"random kernel {number}: the checker refuses the proof: {refused}"
    path.unlink()
    proof.unlink(missing_ok=True)
    return {0: "holds", 1: "fails", 4: "not decided"}.get(code, f"exit {code}"), 0, wrong


def main():
    lockstep = sys.argv[1]
    programs, kernels = (int(sys.argv[i]) if len(sys.argv) > i else 0 for i in (2, 3))
    wrong = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for what, function, count in (("programs", try_program, programs or 60), ("kernels of the fuzzer", try_kernel, kernels)):
            answers, launches = collections.Counter(), 0
            for answer, made, problem in pool.map(lambda number, function=function: function(lockstep, folder, number), range(count)):
                answers[answer] += 1
                launches += made
                wrong += [problem] if problem else []
            if count:
                print(f"{count} {what}: {dict(answers.most_common())}; {launches} more launches")
    print("\n".join(wrong[:10]))
    print(f"{len(wrong)} contradictions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
