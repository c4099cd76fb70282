"""Generated kernels over operations and element types, against NumPy: more than 300 launches, every pair of types.

Each kernel asserts the types of its results at compile time, so Triton's own front end checks the promotion table that the
expected values rest on (test_triton_agrees_with_the_table).
"""

import element_types as et
import lockstep_tool
import numpy as np
import pytest

COUNT = 64
HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
PAIRS = [(a, b) for a in et.ALL for b in et.ALL]


def check_saved(result, expected: dict):
    """expected: output -> (element type, values)."""
    for name, (element, values) in expected.items():
        actual = et.from_file(result.saved[name], element)
        good = et.same(actual.reshape(-1), values.reshape(-1))
        where = int(np.argmin(good))
        assert good.all(), f"{name}[{where}] is {actual.reshape(-1)[where]!r}, not {values.reshape(-1)[where]!r}\n{result.text()}"


class Kernel:
    """A kernel that loads x and y and stores one output for each expression."""

    def __init__(self, loads: list[str]):
        self.lines = [f"    {name} = tl.load({name}_ptr + i)" for name in loads]
        self.loads = loads
        self.expected: dict = {}

    def store(self, expression: str, element: str, values: np.ndarray):
        name = f"o{len(self.expected)}"
        self.lines.append(f"    {name} = {expression}")
        self.lines.append(f"    tl.static_assert({name}.dtype == {et.LANGUAGE[element]})")
        stored = f"{name}.to(tl.int8)" if element == "i1" else name
        self.lines.append(f"    tl.store({name}_ptr + i, {stored})")
        self.expected[name] = ("i8" if element == "i1" else element, values)

    def text(self) -> str:
        parameters = ", ".join(f"{name}_ptr" for name in [*self.loads, *self.expected])
        return f"{HEAD}def kernel({parameters}, N: tl.constexpr):\n    i = tl.arange(0, N)\n" + "\n".join(self.lines) + "\n"

    def run(self, folder, inputs: dict):
        """inputs: name -> (element type, values)."""
        path = folder / "kernel.py"
        path.write_text(self.text())
        arguments = {f"{name}_ptr": et.to_file(values, element) for name, (element, values) in inputs.items()}
        arguments |= {f"{name}_ptr": f"zeros:{element}[{COUNT}]" for name, (element, _) in self.expected.items()}
        outputs = [f"{name}_ptr" for name in self.expected]
        result = lockstep_tool.run(f"{path}::kernel", "1", arguments | {"N": COUNT}, outputs)
        check_saved(result, {f"{name}_ptr": row for name, row in self.expected.items()})
        return result


def binary_kernel(a: str, b: str, seed: int):
    random = np.random.default_rng([seed, et.ALL.index(a), et.ALL.index(b)])
    x, y = et.random_values(a, COUNT, random), et.random_values(b, COUNT, np.random.default_rng(seed + 1))
    random.shuffle(y)
    kernel = Kernel(["x", "y"])
    both = et.promote(a, b)
    left, right = et.convert(x, a, both), et.convert(y, b, both)
    for operation in "+-*":
        kernel.store(f"x {operation} y", both, et.arithmetic(operation, left, right, both))
    comparisons = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}
    for operation, function in comparisons.items():
        kernel.store(f"x {operation} y", "i1", function(left, right).astype(np.int8))
    widened = et.promote(*("f32" if name == "bf16" else name for name in (a, b)))  # minimum and maximum take bf16 to f32 first
    low, high = (np.fmin, np.fmax) if et.is_float(both) else (np.minimum, np.maximum)
    kernel.store("tl.minimum(x, y)", widened, low(et.convert(x, a, widened), et.convert(y, b, widened)))
    kernel.store("tl.maximum(x, y)", widened, high(et.convert(x, a, widened), et.convert(y, b, widened)))
    kernel.store("tl.where(x != 0, x, y)", both, np.where(x != 0, left, right))
    if not et.is_float(both):
        for operation, function in {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}.items():
            kernel.store(f"x {operation} y", both, function(left, right))
        if "i1" not in (a, b):
            amount = right & 7
            kernel.store("x << (y & 7)", both, (left << amount).astype(et.NUMPY[both]))
            kernel.store("x >> (y & 7)", both, et.shift_right(left, amount, both, et.is_signed(a)))
    add_divisions(kernel, a, b, x, y)
    return kernel, {"x": (a, x), "y": (b, y)}


def add_divisions(kernel: Kernel, a: str, b: str, x: np.ndarray, y: np.ndarray):
    both = et.promote(a, b, divides=True)
    with np.errstate(all="ignore"):
        if et.is_float(a) or et.is_float(b):
            left, right = et.convert(x, a, both), et.convert(y, b, both)
            kernel.store("x / y", both, left / right)
            kernel.store("x % y", both, np.fmod(left, right))
            return
        if both is None:
            return  # Triton refuses / and % of integers of different sign
        kernel.store("x / y", "f32", x.astype(np.float32) / y.astype(np.float32))
    if "i1" in (a, b):
        return
    # A divisor that is neither zero nor -1: those are findings, and have tests of their own.
    left = et.convert(x, a, both)
    divisor = et.convert(np.where((y == 0) | (y == et.NUMPY[b](-1 if et.is_signed(b) else 1)), et.NUMPY[b](3), y), b, both)
    avoid = "(y == 0) | (y == -1)" if et.is_signed(b) else "(y == 0) | (y == 1)"
    kernel.store(f"x // tl.where({avoid}, 3, y)", both, et.divide_towards_zero(left, divisor))
    kernel.store(f"x % tl.where({avoid}, 3, y)", both, et.remainder_of_dividend(left, divisor))


@pytest.mark.parametrize("a,b", PAIRS, ids=lambda name: name)
def test_binary_operations(a, b, tmp_path):
    kernel, inputs = binary_kernel(a, b, 1)
    kernel.run(tmp_path, inputs)


@pytest.mark.parametrize("a,b", [pair for pair in PAIRS if pair[0] != "i1"], ids=lambda name: name)
def test_casts(a, b, tmp_path):
    """x.to(type): integers wrap, floats round once (f16 and bf16 through f32) and truncate to integers inside their range."""
    random = np.random.default_rng([2, et.ALL.index(a), et.ALL.index(b)])
    x = et.random_values(a, COUNT, random, special=not et.is_float(a) or et.is_float(b))
    if et.is_float(a) and not et.is_float(b) and b != "i1":
        bounds = np.iinfo(et.NUMPY[b])
        x = et.round_to(a, np.clip(x.astype(np.float64), bounds.min / 2, bounds.max / 2))
    kernel = Kernel(["x"])
    kernel.store(f"x.to({et.LANGUAGE[b]})", b, et.convert(x, a, b).astype(np.int8 if b == "i1" else et.NUMPY[b]))
    kernel.run(tmp_path, {"x": (a, x)})


@pytest.mark.parametrize("a", et.ALL)
def test_literals_are_weak_in_arithmetic_and_strong_in_comparisons(a, tmp_path):
    random = np.random.default_rng([3, et.ALL.index(a)])
    x = et.random_values(a, COUNT, random)
    kernel = Kernel(["x"])
    whole = a if a != "i1" else "i32"
    kernel.store("x + 3", whole, et.arithmetic("+", et.convert(x, a, whole), et.convert(np.full(COUNT, 3), "i64", whole), whole))
    kernel.store("5 * x", whole, et.arithmetic("*", et.convert(np.full(COUNT, 5), "i64", whole), et.convert(x, a, whole), whole))
    broken = a if et.is_float(a) else "f32"
    half = et.convert(np.full(COUNT, 0.3), "f64", broken)
    kernel.store("x * 0.3", broken, et.arithmetic("*", et.convert(x, a, broken), half, broken))
    # The literal of a comparison is an i32 or f32 of its own.
    common, strong = et.promote(a, "i32"), et.promote(a, "f32")
    kernel.store("x < 300", "i1", (et.convert(x, a, common) < et.convert(np.full(COUNT, 300), "i64", common)).astype(np.int8))
    kernel.store("x > 0.5", "i1", (et.convert(x, a, strong) > et.NUMPY[strong](0.5)).astype(np.int8))
    kernel.store("tl.maximum(x, 7)", "f32" if common == "bf16" else common, maximum(x, a, common))
    negated = et.arithmetic("-", et.convert(np.zeros(COUNT), "f64", a), x, a) if et.is_float(a) else et.wrap(a, 0 - x)
    kernel.store("-x", a, negated)
    if not et.is_float(a):
        kernel.store("~x", a, et.wrap(a, ~x))
    if et.is_float(a) or et.is_signed(a):
        with np.errstate(all="ignore"):
            kernel.store("tl.abs(x)", a, np.abs(x))
    kernel.run(tmp_path, {"x": (a, x)})


def maximum(x, a, common):
    function = np.fmax if et.is_float(common) else np.maximum
    return function(et.convert(x, a, common), et.convert(np.full(COUNT, 7), "i64", common))


REDUCED = {"i8": "i32", "u8": "u32", "i16": "i32", "u16": "u32", "i1": "i32"}


@pytest.mark.parametrize("shape", [(64, 1), (1, 64), (4, 16), (16, 4)], ids=str)
@pytest.mark.parametrize("a", [name for name in et.ALL if name != "i1"])
def test_reductions_and_scans(a, shape, tmp_path):
    """Small whole numbers, whose sums are exact in every type and order."""
    random = np.random.default_rng([4, et.ALL.index(a), shape[0]])
    low = -2 if et.is_signed(a) or et.is_float(a) else 0
    x = random.integers(low, 3, shape).astype(et.NUMPY[a])
    rows, columns = shape
    total = REDUCED.get(a, a)
    largest = "f32" if a in ("f16", "bf16") else total
    scanned = {"bf16": "f32"}.get(a, total)
    body = f"""def kernel(x, sums, tops, lows, args, scan, back, all):
    r = tl.arange(0, {rows})
    c = tl.arange(0, {columns})
    place = r[:, None] * {columns} + c[None, :]
    v = tl.load(x + place)
    tl.store(sums + c, tl.sum(v, axis=0))
    tl.store(tops + r, tl.max(v, axis=1))
    tl.store(lows + c, tl.min(v, axis=0))
    tl.store(args + r, tl.argmax(v, axis=1))
    tl.store(scan + place, tl.cumsum(v, axis=1))
    tl.store(back + place, tl.cumsum(v, axis=0, reverse=True))
    tl.store(all, tl.sum(v))
"""
    path = tmp_path / "kernel.py"
    path.write_text(HEAD + body)
    wide = x.astype(np.float64 if et.is_float(a) else np.int64)
    expected = {
        "sums": (total, wide.sum(0)),
        "tops": (largest, wide.max(1)),
        "lows": (largest, wide.min(0)),
        "args": ("i32", wide.argmax(1)),
        "scan": (scanned, wide.cumsum(1)),
        "back": (scanned, wide[::-1].cumsum(0)[::-1]),
        "all": (total, wide.sum().reshape(1)),
    }
    arguments = {"x": et.to_file(x, a)}
    for name, (element, values) in expected.items():
        arguments[name] = f"zeros:{element}[{','.join(map(str, values.shape))}]"
    result = lockstep_tool.run(f"{path}::kernel", "1", arguments, list(expected))
    check_saved(result, {name: (element, values.astype(et.NUMPY[element])) for name, (element, values) in expected.items()})


@pytest.mark.parametrize("size", [(16, 16, 16), (32, 16, 64), (16, 64, 32), (1, 16, 16)], ids=str)
@pytest.mark.parametrize("a,result", [("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("f32", "f32"), ("f64", "f64"), ("i8", "i32")])
def test_dot_of_small_whole_numbers_is_exact(a, result, size, tmp_path):
    m, n, k = (max(extent, 32) if a == "i8" and index == 2 else extent for index, extent in enumerate(size))
    random = np.random.default_rng([5, m, n, k])
    left, right = random.integers(-3, 4, (m, k)).astype(et.NUMPY[a]), random.integers(-3, 4, (k, n)).astype(et.NUMPY[a])
    path = tmp_path / "kernel.py"
    path.write_text(
        f"""{HEAD}def kernel(a, b, out):
    m = tl.arange(0, {m})[:, None]
    n = tl.arange(0, {n})[None, :]
    left = tl.load(a + m * {k} + tl.arange(0, {k})[None, :])
    right = tl.load(b + tl.arange(0, {k})[:, None] * {n} + n)
    tl.store(out + m * {n} + n, tl.dot(left, right, out_dtype={et.LANGUAGE[result]}))
"""
    )
    arguments = {"a": et.to_file(left, a), "b": et.to_file(right, a), "out": f"zeros:{result}[{m},{n}]"}
    done = lockstep_tool.run(f"{path}::kernel", "1", arguments, ["out"])
    exact = left.astype(np.float64) @ right.astype(np.float64)
    check_saved(done, {"out": (result, exact.astype(et.NUMPY[result]))})


@pytest.mark.parametrize("a", et.ALL)
def test_triton_agrees_with_the_table(a, tmp_path):
    """Triton's front end accepts every generated kernel, with its assertions on types."""
    pytest.importorskip("triton", reason="needs triton (tests/triton_oracle/requirements.txt)")
    import specialise
    import triton_oracle

    for number, b in enumerate(et.ALL):
        kernel, inputs = binary_kernel(a, b, 1)
        path = tmp_path / f"kernel_{number}.py"
        path.write_text(kernel.text())
        types = {**{n: element for n, (element, _) in inputs.items()}, **{n: element for n, (element, _) in kernel.expected.items()}}
        sig = ",".join(f"{name}_ptr=*{specialise.TYPES[element]}" for name, element in types.items())
        function = triton_oracle.load_kernel(str(path), "kernel")
        assert "tt.store" in str(triton_oracle.lower(function, sig, "", {"N": COUNT}))
