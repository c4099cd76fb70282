"""Kernels made to cost: chains, graphs with ways without number, loops in loops, many accesses and findings, large storages.
Under all checkers each ends soon, and says what a smaller one says."""

import tempfile
import time
import unittest
from pathlib import Path

from tool import CommandTest

HEAD = """module {
  tt.func public @k(%p: !tt.ptr<i32>, %o: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %big = arith.constant 1000000 : i32
    %false = arith.constant false
"""
TAIL = "    tt.return\n  }\n}\n"
#: Of one launch, with what other tests use of the machine.
SECONDS = 30


class HostileChecks(CommandTest):
    def run_lines(self, lines: list[str], code: int, *words: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            kernel = Path(folder) / "k.ttir"
            kernel.write_text(HEAD + "".join(f"    {line}\n" for line in lines) + TAIL)
            given = ["p=ones:i32[16]", "o=zeros:i32[16]", "n=3"]
            started = time.monotonic()
            done = self.check(code, "run", str(kernel), "--grid", "2", "--check", "all,lints", *words, *given)
            self.assertLess(time.monotonic() - started, SECONDS)
            return done.stdout

    def test_two_equal_graphs_of_doublings(self):
        lines = ["%x0 = tt.load %p : !tt.ptr<i32>"]
        for name in "ab":
            previous = "%x0"
            for i in range(60):
                lines.append(f"%{name}{i} = arith.addi {previous}, {previous} : i32")
                previous = f"%{name}{i}"
            lines.append(f"%z{name} = arith.andi {previous}, %c1 : i32")
            lines.append(f"%q{name} = tt.addptr %o, %z{name} : !tt.ptr<i32>, i32")
        lines += ["%v = tt.load %qa : !tt.ptr<i32>", "%w = arith.addi %v, %c1 : i32", "tt.store %qb, %w : !tt.ptr<i32>"]
        lines += ["%r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>"]
        previous = "%n"
        for i in range(60):
            lines.append(f"%h{i} = arith.addi {previous}, {previous} : i32")
            previous = f"%h{i}"
        lines.append(f"%hint = arith.muli {previous}, %c0 {{tt.divisibility = 16 : i32}} : i32")
        lines += ["tt.store %o, %hint : !tt.ptr<i32>"]
        self.run_lines(lines, 1)  # both programs update one element

    def test_products_that_no_number_holds(self):
        lines = ["%x0 = tt.load %p : !tt.ptr<i32>", "%x = arith.muli %big, %x0 : i32"]
        previous = "%x"
        for i in range(12):
            lines.append(f"%a{i} = arith.muli {previous}, {previous} : i32")
            previous = f"%a{i}"
        lines.append(f"%q = tt.addptr %p, {previous} : !tt.ptr<i32>, i32")
        lines += ["%v = tt.load %q : !tt.ptr<i32>", "tt.store %o, %v : !tt.ptr<i32>"]
        self.assertIn("[LS501]", self.run_lines(lines, 1))

    def test_loops_in_loops(self):
        lines, depth = [], 24
        carried = "%c0"
        for i in range(depth):
            lines.append(f"%r{i} = scf.for %i{i} = %c0 to %c1 step %c1 iter_args(%a{i} = {carried}) -> (i32) : i32 {{")
            carried = f"%a{i}"
        lines.append(f"%s = arith.addi {carried}, %c1 : i32")
        inner = "%s"
        for i in reversed(range(depth)):
            lines += [f"scf.yield {inner} : i32", "}"]
            inner = f"%r{i}"
        lines += ["%q = tt.addptr %p, %r0 : !tt.ptr<i32>, i32", "%v = tt.load %q : !tt.ptr<i32>"]
        lines += ["tt.store %o, %v : !tt.ptr<i32>"]
        self.run_lines(lines, 0)

    def test_a_chain_of_many_ops(self):
        lines = ["%x0 = tt.load %o : !tt.ptr<i32>"]
        lines += [f"%x{i + 1} = arith.xori %x{i}, %c1 : i32" for i in range(30000)]
        lines += ["tt.store %o, %x30000 : !tt.ptr<i32>"]
        self.run_lines(lines, 1)

    def test_many_accesses(self):
        lines = []
        for i in range(2500):
            lines += [f"%v{i} = tt.load %p : !tt.ptr<i32>", f"tt.store %o, %v{i} : !tt.ptr<i32>"]
        self.run_lines(lines, 0, "--memory-model", "strict")

    def test_many_findings(self):
        lines = [f"%d{i} = arith.divsi %big, %c0 : i32\n    tt.store %o, %d{i} : !tt.ptr<i32>" for i in range(2000)]
        text = self.run_lines(lines, 1)
        self.assertEqual(text.count("[LS503]"), 2000)

    def test_many_masked_loads(self):
        lines = [f"%v{i} = tt.load %p, %false : !tt.ptr<i32>\n    tt.store %o, %v{i} : !tt.ptr<i32>" for i in range(1500)]
        text = self.run_lines(lines, 1)
        self.assertEqual(text.count("[LS205]"), 1500)


if __name__ == "__main__":
    unittest.main()
