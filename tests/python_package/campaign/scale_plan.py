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
#: A softmax that pads its rows with 0 in place of -inf: wrong where BLOCK is larger than the row.
SOFTMAX = """
[[run]]
kind = "kernel"
file = "small_softmax.py"
kernel = "softmax"
grid = "rows"
reference = "numpy:small_sources:softmax"
arguments = { x = "randn:f32[{rows},{columns}]", out = "empty:f32[{rows},{columns}]", columns = "{columns}", rows = "{rows}", BLOCK = "{next_power_of_2(columns)}" }
"""
