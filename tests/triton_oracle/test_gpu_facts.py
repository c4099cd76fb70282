"""What an H200 stored for these kernels with Triton 3.6.0, element by element. Rows are facts; none is computed here."""

import lockstep_tool
import numpy as np
import pytest

NAN, INF = float("nan"), float("inf")
SAME_TYPE = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16, "f32": np.float32, "f64": np.float64}


def argument(element, values):
    """A tensor argument, with bf16 and f8 as bits. f8 values are given as bits."""
    if element == "bf16":
        return lockstep_tool.bf16_bits(np.array(values, dtype=np.float32)), element
    if element.startswith("f8"):
        return np.array(values, dtype=np.uint8), element
    return np.array(values, dtype=SAME_TYPE[element])


def read(element, array):
    return lockstep_tool.bf16_values(array) if element == "bf16" else array


def run(kernel, inputs, out, count, grid="1", **constants):
    arguments = {name: argument(*row) if isinstance(row, tuple) else row for name, row in inputs.items()}
    arguments |= {"out": f"zeros:{out}[{count}]", **constants}
    file = "facts" if "::" not in kernel else kernel.partition("::")[0]
    path = f"tests/triton_oracle/kernels/{file}.py::{kernel.rpartition('::')[2]}"
    result = lockstep_tool.run(path, grid, arguments, ["out"], expect_exit=None)
    assert result.exit_code in (0, 1), result.text()  # division by zero and the like may be findings
    return read(out, result.saved["out"]).reshape(-1)


def check(actual, expected):
    expected = np.array(expected).astype(actual.dtype)
    good = (actual == expected) | ((actual != actual) & (expected != expected))
    assert good.all(), f"{actual.tolist()} but an H200 stored {expected.tolist()}"


CASTS = [
    ("f32", "bf16", [1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, NAN, INF, 3.4e38, -0.0, 1e-40], [1.0, 1.015625, 1.0078125, NAN, INF, INF, -0.0, 9.183549615799121e-41]),
    ("f32", "f16", [1 + 2**-11, 1 + 3 * 2**-11, 65519, 65520, 1e-8, 5.96e-8, NAN, -70000], [1.0, 1.001953125, 65504.0, INF, 0.0, 5.960464477539063e-08, NAN, -INF]),
    ("f32", "f8E5M2", [1.125, 1.375, 1.875, 1.9, 57344, 61440, 65536, NAN], [60, 62, 64, 64, 123, 123, 123, 127]),
    ("f32", "f8E4M3FN", [1.0625, 1.1875, 1.9375, 448, 464, 480, 1e9, NAN], [56, 58, 64, 126, 126, 126, 126, 127]),
    ("f32", "f8E4M3FN", [2**-9, 2**-10, 1.5 * 2**-9, 2**-7 + 2**-9, -(2**-6), 0.001, -0.0, 3e-3], [1, 0, 2, 5, 136, 1, 128, 2]),
    ("f32", "f8E5M2", [2**-16, 2**-17, 1.5 * 2**-16, 2**-14, -(2**-15), 1e-5, -0.0, INF], [1, 0, 2, 4, 130, 1, 128, 123]),
    ("f8E4M3FN", "f32", [60, 126, 128, 1, 127, 0, 196, 4], [1.5, 448.0, -0.0, 0.001953125, NAN, 0.0, -3.0, 0.0078125]),
    ("f8E5M2", "f32", [62, 123, 128, 1, 127, 124, 194, 2], [1.5, 57344.0, -0.0, 1.52587890625e-05, NAN, INF, -3.0, 3.0517578125e-05]),
    ("bf16", "f32", [1.5, NAN, INF, -0.0], [1.5, NAN, INF, -0.0]),
    ("f16", "bf16", [1.001, 65504.0, 6e-8, NAN], [1.0, 65536.0, 5.960464477539063e-08, NAN]),
    ("f32", "i32", [1e10, -1e10, NAN, INF, -INF, 2.9, -2.9, 2147483648], [2147483647, -2147483648, 0, 2147483647, -2147483648, 2, -2, 2147483647]),
    ("f32", "i8", [300, -300, NAN, 127.9], [44, -44, 0, 127]),
    ("f32", "u8", [300, -1, NAN, 255.9], [44, 0, 0, 255]),
    ("f32", "i64", [1e20, -1e20, NAN, 1e18], [9223372036854775807, -9223372036854775808, -9223372036854775808, 999999984306749440]),
    ("f32", "i16", [70000, -70000, NAN, 1], [32767, -32768, 0, 1]),
    ("f64", "f32", [1 + 2**-24, 1e300, NAN, 1e-310], [1.0, INF, NAN, 0.0]),
    ("f64", "f16", [1 + 2**-11 + 2**-40, 65520 - 1e-9, 1, 2], [1.0009765625, 65504.0, 1.0, 2.0]),
    ("f64", "bf16", [1 + 2**-8 + 2**-40, 1, 2, 3], [1.0078125, 1.0, 2.0, 3.0]),
    ("i32", "f16", [100000, 2049, -70000, 1], [INF, 2048.0, -INF, 1.0]),
    ("i32", "bf16", [257, 2049, -70000, 1], [256.0, 2048.0, -70144.0, 1.0]),
    ("i64", "f32", [2**53 + 1, 2**24 + 1, -1, 0], [9007199254740992.0, 16777216.0, -1.0, 0.0]),
    ("i32", "i8", [300, -2], [44, -2]),
    ("i32", "u8", [300, -2], [44, 254]),
]
NAMES = {"bf16": "tl.bfloat16", "f8E5M2": "tl.float8e5", "f8E4M3FN": "tl.float8e4nv", "u8": "tl.uint8"}
NAMES |= {f"i{bits}": f"tl.int{bits}" for bits in (8, 16, 32, 64)} | {f"f{bits}": f"tl.float{bits}" for bits in (16, 32, 64)}


@pytest.mark.parametrize("source,target,values,expected", CASTS, ids=lambda part: part if isinstance(part, str) else "")
def test_casts(source, target, values, expected):
    check(run("cast", {"x": (source, values)}, target, len(values), N=len(values), TYPE=NAMES[target]), expected)


def test_signed_zeros_survive_casts():
    stored = run("cast", {"x": ("f32", [-0.0, 0.0])}, "f16", 2, N=2, TYPE="tl.float16")
    assert np.signbit(stored).tolist() == [True, False]


@pytest.mark.parametrize(
    "target,values,expected",
    [
        ("f16", [1 + 2**-11 + 2**-12, 65519, -65530, 1e-8], [1.0, 65504.0, -65504.0, 0.0]),
        ("bf16", [1 + 2**-8 + 2**-9, -1.999, 3.3e38, 1e-39], [1.0, -1.9921875, 3.2964854295465914e38, 9.183549615799121e-40]),
    ],
)
def test_casts_towards_zero(target, values, expected):
    check(run("cast_towards_zero", {"x": ("f32", values)}, target, 4, N=4, TYPE=NAMES[target]), expected)


def test_integer_division_goes_towards_zero():
    x, y = [7, -7, 7, -7, -8, 5, -1, 0], [2, 2, -2, -2, 3, 7, 3, 5]
    check(run("divide", {"x": ("i32", x), "y": ("i32", y)}, "i32", 16, N=8), [3, -3, -3, 3, -2, 0, 0, 0, 1, -1, 1, -1, -2, 5, -1, 0])
    check(run("divide", {"x": ("i64", [2**40 + 7, -(2**53) - 1]), "y": ("i64", [3, 2])}, "i64", 4, N=2), [366503875927, -4503599627370496, 2, -1])


def test_division_by_zero_does_not_end_the_process():
    x, y = [-(2**31), 5, -5, 0], [-1, 0, 0, 0]
    check(run("divide", {"x": ("i32", x), "y": ("i32", y)}, "i32", 8, N=4), [-2147483648, -1, -1, -1, 0, 5, -5, 0])


def test_unsigned_operations():
    stored = run("unsigned", {"x": ("i32", [-7, 7, -1, 5]), "y": ("i32", [2, -2, 3, 5])}, "i32", 16, N=4)
    check(stored, [2147483644, 0, 1431655765, 1, 1, 7, 0, 0, 1, 0, 1, 0, 2147483644, 3, 2147483647, 2])


@pytest.mark.parametrize("element", ["i8", "i16", "i32", "i64"])
def test_integers_wrap(element):
    low, high = np.iinfo(SAME_TYPE[element]).min, np.iinfo(SAME_TYPE[element]).max
    stored = run("wrap", {"x": (element, [high, low]), "y": (element, [1, 1])}, element, 10, N=2)
    check(stored, [low, low + 1, high - 1, high, high, low, low + 1, low, high, low])


def test_u8_wraps():
    stored = run("wrap", {"x": ("u8", [250, 3]), "y": ("u8", [10, 5])}, "u8", 10, N=2)
    check(stored, [4, 8, 240, 254, 196, 15, 6, 253, 250, 3])


def test_i8_stays_i8():
    check(run("small_integers", {"x": ("i8", [100, -100])}, "i32", 8, N=2), [64, -64, 50, -50, -56, 0, 16, 16])


def test_comparisons_with_literals():
    check(run("compare_with_literals", {"x": ("i32", [-1]), "y": ("i8", [100])}, "i32", 6), [0, 0, 1, 1, 1, 0])


def test_mixed_signs():
    check(run("mixed_signs", {"x": ("i32", [-5]), "y": ("i32", [3])}, "i64", 3), [4294967294, 0, -2])


def test_high_half_of_products_is_unsigned():
    check(run("high_product", {"x": ("i32", [-1, 2**31 - 1]), "y": ("i32", [-1, 4])}, "i32", 2, N=2), [-2, 1])
    check(run("high_product", {"x": ("i64", [-1, 2**62]), "y": ("i64", [-1, 8])}, "i64", 2, N=2), [-2, 2])


def test_negations():
    check(run("negations", {"x": ("i32", [5])}, "i32", 6), [-6, 0, 0, 1, 0, 3])


def test_sums_of_bools_widen():
    check(run("bool_sums", {"x": ("i32", [1] * 256)}, "i32", 3, N=256), [256, 1, 256])


def test_bf16_arithmetic_rounds_to_bf16_but_divides_in_f32():
    stored = run("bf16_arithmetic", {"x": ("bf16", [1.0, 3.0]), "y": ("bf16", [1.0078125, 0.1])}, "f32", 8, N=2)
    exact = [2.0, 3.09375, 1.0078125, 0.30078125, 0.9922480583190918, 29.970731735229492, -0.0078125, 2.90625]
    np.testing.assert_allclose(stored, exact, rtol=2**-23)  # the quotient on a GPU may be one unit off
    check(stored[[0, 1, 2, 3, 6, 7]], np.array(exact)[[0, 1, 2, 3, 6, 7]])


def test_nan_loses_unless_asked_to_win():
    x, y = [NAN, 1.0, NAN, -0.0], [2.0, NAN, NAN, 0.0]
    stored = run("extremes", {"x": ("f32", x), "y": ("f32", y)}, "f32", 12, N=4)
    check(stored, [2.0, 1.0, NAN, 0.0, 2.0, 1.0, NAN, 0.0, NAN, NAN, NAN, 0.0])


@pytest.mark.parametrize(
    "values,expected",
    [
        ([1.0, NAN, 3.0, 2.0], [3.0, 1.0, 2.0, 0.0, 3.0, 2.0]),
        ([NAN, NAN, NAN, NAN], [NAN, NAN, 3.0, 3.0, NAN, 3.0]),
        ([3.0, 5.0, 5.0, 3.0], [5.0, 3.0, 1.0, 0.0, 5.0, 1.0]),
    ],
)
def test_reductions_of_nan_and_of_ties(values, expected):
    stored = run("reduced_extremes", {"x": ("f32", values)}, "f32", 6, N=4)
    if np.isnan(values).all():  # the place of a NaN among NaNs is the GPU's tree; only the values are a rule
        check(stored[[0, 1, 4]], [NAN, NAN, NAN])
    else:
        check(stored, expected)


def test_float_remainder_and_quotient():
    stored = run("float_remainder", {"x": ("f32", [5.5, -5.5, 5.5, 1.0]), "y": ("f32", [2.0, 2.0, -2.0, 0.0])}, "f32", 8, N=4)
    check(stored, [1.5, -1.5, 1.5, NAN, 2.75, -2.75, -2.75, INF])
    stored = run("float_remainder", {"x": ("f16", [10000.0, -10000.0, 1.0, 5.0]), "y": ("f16", [3.0, 3.0, 3.0, 0.0])}, "f16", 8, N=4)
    check(stored, [1.0, -1.0, 1.0, NAN, 3334.0, -3334.0, 0.333251953125, INF])


def test_dots():
    three = (np.eye(16) * 3).ravel()
    stored = run("dot", {"x": ("bf16", three), "y": ("bf16", np.arange(256))}, "f32", 256, N=16, TYPE="tl.float32")
    check(stored[16:20], [48.0, 51.0, 54.0, 57.0])
    ones = np.full(1024, 127)
    check(run("dot", {"x": ("i8", ones), "y": ("i8", ones)}, "i32", 1024, N=32, TYPE="tl.int32")[:2], [516128, 516128])
    large = np.full(256, 200.0)
    check(run("dot", {"x": ("f16", large), "y": ("f16", large)}, "f32", 256, N=16, TYPE="tl.float16")[:2], [INF, INF])
    nearly = np.eye(16).ravel() * (1 + 2**-12)  # tf32 is the default precision: the last bits of the operand are cut off
    check(run("dot", {"x": ("f32", nearly), "y": ("f32", np.ones(256))}, "f32", 256, N=16, TYPE="tl.float32")[:1], [1.0])


@pytest.mark.parametrize("value", [1, 2**31 - 1, 2**31, 2**33, -(2**40)])
def test_integer_arguments_keep_their_value(value):
    check(run("scalar_types", {"b": "true", "n": str(value)}, "i64", 1), [value])
    check(run("scalar_types", {"b": "false", "n": str(value)}, "i64", 1), [-1])


def test_float_arguments_are_f32():
    check(run("scalar_types", {"b": "true", "n": "0.1"}, "f64", 1), [0.10000000149011612])
    check(run("scalar_types", {"b": "true", "n": "1e300"}, "f64", 1), [INF])


def test_defaults_and_none():
    check(run("default_argument", {}, "f32", 1), [7.5])
    check(run("none_argument", {"x": "none"}, "f32", 1), [-1.0])
    check(run("none_argument", {"x": ("f32", [3.0])}, "f32", 1), [3.0])


def test_literals_stored_as_f64():
    check(run("literals_as_f64", {}, "f64", 5), [0.10000000149011612, 1e300, 1e-40, 3e9, 0.3333333432674408])


def test_loops():
    check(run("loops", {"n": "5"}, "i32", 7), [15, 20, 531, -2, -1, -1, 0])


def test_random_numbers_are_philox():
    stored = run("random_numbers", {"seed": "42"}, "f32", 8, N=4)
    check(stored[:4], [0.7740801572799683, 0.024562695994973183, 0.3482663035392761, 0.5408014059066772])
    np.testing.assert_allclose(stored[4:], [0.6606133580207825, -1.5427135229110718, -0.5904635787010193, -0.6016254425048828], rtol=1e-6)


CONTROL = [
    ("ranges_in_while", {"n": "4"}, 1, [12 + 100 * 24]),
    ("early_returns", {"a": "5", "b": "2", "c": "-1"}, 5, [20, 11, 20, 111, 11]),
    ("logic_on_tiles", {"x": ("i32", [-1, 1, 2, 5]), "N": 4}, 12, [0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0]),
    ("python_extremes", {"x": ("i32", [-1, 1, 2, 5]), "y": ("i32", [0, 0, 9, 4]), "n": "5", "N": 4}, 11, [0, 1, 9, 5, -1, 0, 2, 4, 5, 2, 7]),
    ("tuples", {"n": "5"}, 6, [10, 4, 2, 12, 1, 7]),
    ("functions", {}, 4, [5, 10, 3141, 1414]),
    ("for_else", {"N": "4"}, 2, [7, 5]),
    ("outside_the_loop", {"n": "5"}, 5, [-24, -24, -24, -24, 20]),
]


@pytest.mark.parametrize("kernel,inputs,count,expected", CONTROL, ids=[row[0] for row in CONTROL])
def test_control_flow(kernel, inputs, count, expected):
    check(run(f"control::{kernel}", inputs, "i32", count), expected)


def test_early_exit_of_a_kernel():
    check(run("control::early_exit", {"n": "3"}, "i32", 8, grid="8"), [1, 2, 3, 0, 0, 0, 0, 0])
