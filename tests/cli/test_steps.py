"""What checkers cost, without a clock: which launches `--check all` looks at with steps, tells programs apart in,
or makes twice. A kernel that gets a worse line here costs several times as much; docs/checking.md, "What it costs"."""

import re
import unittest

from tool import KERNELS, CommandTest

BENCH, IN_PLACE = "bench/kernels.py", f"{KERNELS}/in_place.py"
#: Kernel, arguments; with steps for, programs told apart for, made twice.
LAUNCHES = [
    (f"{BENCH}::vector_add", "--grid 4 x=randn:f32[4096] y=randn:f32[4096] out=empty:f32[4096] n=4096 BLOCK=1024",
     "", "", False),
    (f"{BENCH}::softmax", "--grid 9 x=randn:f32[9,70] out=zeros:f32[9,70] columns=70 BLOCK=128", "", "", False),
    (f"{BENCH}::matmul", ("--grid 4 a=randn:f32[128,128] b=randn:f32[128,128] out=zeros:f32[128,128] m=128 n=128 k=128 "
     "TILE_M=64 TILE_N=64 TILE_K=32 PRECISION='ieee'"), "", "", False),
    (f"{BENCH}::attention", ("--grid 4,2 q=randn:f16[2,256,64] k=randn:f16[2,256,64] v=randn:f16[2,256,64] "
     "out=zeros:f16[2,256,64] length=256 scale=0.125 TILE_M=64 TILE_N=64 DEPTH=64"), "", "", False),
    (f"{IN_PLACE}::scaled", "--grid 4 x=randn:f32[4096] n=4000 BLOCK=1024", "", "idempotence", False),
    (f"{IN_PLACE}::loss", ("--grid 8 x=randn:f32[8,300] target=zeros:i64[8] out=zeros:f32[8] columns=300 "
     "IGNORED=-100 BLOCK=128"), "", "lanes races", False),
    (f"{IN_PLACE}::in_two_rounds", "--grid 4 x=randn:f32[4096] n=4096 BLOCK=1024",
     "lanes", "idempotence", True),
    (f"{IN_PLACE}::shifted", "--grid 1 x=zeros:f32[128] n=64 BLOCK=64", "lanes", "lanes", True),
]  # fmt: skip
COST = re.compile(r"checkers of \w+: steps:(.*?); programs told apart:(.*?)(; ran twice)?$", re.MULTILINE)


class Steps(CommandTest):
    def test_no_more_is_looked_at_than_must_be(self) -> None:
        for kernel, words, steps, programs, twice in LAUNCHES:
            with self.subTest(kernel):
                words = ["run", kernel, *words.split(), "--check", "all", "--threads", "1"]
                done = self.check(0, *words, LOCKSTEP_LOG="debug")
                found = COST.search(done.stderr)
                self.assertIsNotNone(found, done.stderr)
                names = [" ".join(sorted(part.replace("(again)", "").split())) for part in found.groups()[:2]]
                self.assertEqual([*names, found[3] is not None], [steps, programs, twice])

    def test_what_boxes_do_not_settle_is_found(self) -> None:
        words = ["--grid", "1", "x=zeros:f32[128]", "n=64", "BLOCK=64", "--check", "all"]
        done = self.check(0, "run", f"{IN_PLACE}::shifted", *words)
        self.assertIn("[LS401]", done.stdout)


if __name__ == "__main__":
    unittest.main()
