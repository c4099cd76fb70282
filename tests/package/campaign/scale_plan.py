"""The plan that most tests of campaigns run: one kernel over types, lengths and blocks."""

SCALE = """
[[run]]
kind = "kernel"
file = "small_kernels.py"
kernel = "scale"
grid = "cdiv(n, BLOCK)"
arguments = { x = "randn:{dtype}[{n}]", out = "empty:{dtype}[{n}]", n = "{n}", FACTOR = 2, BLOCK = "{block}" }
"""
SCALE_AXES = """
[run.axes]
dtype = ["f32", "bf16"]
n = [1, 7, 100]
block = [16, 64]
"""
