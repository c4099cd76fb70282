"""The same bytes and the same report for 1, 2 and 7 threads, also where programs share memory."""

import lockstep_tool
import numpy as np
import pytest

RANDOM = np.random.default_rng(0)
NUMBERS = (RANDOM.standard_normal(50000) * 10.0 ** RANDOM.integers(-4, 5, 50000)).astype(np.float32)
CASES = {
    "float_sum": ("391", {"x": NUMBERS, "out": "zeros:f32[129]", "n": 50000, "BLOCK": 128}, "out"),
    "tickets": ("3000", {"counter": "zeros:i32[1]", "out": "zeros:i32[3000]"}, "out"),
    "last_store_wins": ("997", {"out": "zeros:i32[256]", "BLOCK": 256}, "out"),
    "chain": ("2000", {"x": "zeros:i32[2001]"}, "x"),
    "read_after_the_end": ("391", {"x": NUMBERS, "out": "zeros:f32[50000]", "n": 50000, "BLOCK": 128}, "out"),
}


@pytest.mark.parametrize("name", CASES)
def test_same_bytes(name):
    grid, arguments, output = CASES[name]
    saved, reports = set(), set()
    for threads in (1, 2, 7, 2, 7):
        kernel = f"tests/triton_oracle/kernels/sharing.py::{name}"
        result = lockstep_tool.run(kernel, grid, arguments, [output], ["--threads", str(threads)], expect_exit=None)
        assert result.exit_code in (0, 1), result.text()
        saved.add(result.saved[output].tobytes())
        lines = (result.output + result.errors).splitlines()
        reports.add("\n".join(line for line in lines if "[LS" in line))
    assert len(saved) == 1
    assert len(reports) == 1
    if name == "read_after_the_end":
        assert "LS101" in reports.pop()
    if name == "tickets":
        assert sorted(np.frombuffer(saved.pop(), dtype=np.int32)) == list(range(3000))
