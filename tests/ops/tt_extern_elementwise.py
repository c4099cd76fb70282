"""tt.extern_elementwise: every function of libdevice that Lockstep knows (the list is `lockstep ops --json`'s), against Python
where it is exact and MPFR where it is not; and what happens with a symbol, a library or types that it does not know."""

import functools
import json

import numpy as np
from support import elements, kernels, libdevice, mpfr, runner, values
from support.case import Case, Exact, In, Out

#: NVIDIA's documented errors of the fast functions, in ulp at x (CUDA C++ Programming Guide, intrinsic functions); absolute
#: ones are turned into ulp of a result that may be small, so only the exponentials and logarithms far from 1 are asked.
FAST = {
    "fast_expf": lambda x: 2 + np.floor(np.abs(1.173 * x)) + 1,
    "fast_exp10f": lambda x: 2 + np.floor(np.abs(2.97 * x)) + 1,
    "fast_fdividef": lambda a, b: np.where(np.abs(b) < 2.0**126, 3, np.inf),
}
UNBOUNDED = "NVIDIA gives an absolute error, or none"
BESSEL = {"j0", "j1", "y0", "y1"}


@functools.cache
def listed():
    done = runner.call(["ops", "--json"])
    return json.loads(done.stdout)["libdevice"] if done.returncode == 0 else []


def line_of(symbol, kinds, result, libname="", libpath=""):
    names = ", ".join(f"%{name}" for name in "abcd"[: len(kinds)])
    types = ", ".join(f"TILE({kind})" for kind in kinds)
    attributes = f'libname = "{libname}", libpath = "{libpath}", pure = true, symbol = "{symbol}"'
    return f"%r = tt.extern_elementwise {names} {{{attributes}}} : ({types}) -> TILE({result})"


def gpu_limit(row, symbol):
    """How near the GPU's answer must be, or why it is not asked."""
    if symbol in FAST:
        return FAST[symbol]
    if symbol in libdevice.INTEGER or symbol in libdevice.BITS:
        return 0
    if row["cuda_ulp"] < 0 or symbol in BESSEL or symbol in ("j0f", "j1f", "y0f", "y1f", "lgamma", "lgammaf"):
        return UNBOUNDED
    return 1 + row["cuda_ulp"] if row["ulp"] > 0 else row["cuda_ulp"]


def case_of(name, row, arrays, **options):
    line = line_of(row["symbol"], row["operands"], row["result"])
    return kernels.elementwise(name, line, dict(zip("abcd", arrays)), {"r": row["result"]}, **options)


def function_cases(row):
    symbol, kinds, result = row["symbol"].removeprefix("__nv_"), row["operands"], row["result"]
    exact = None if row["ulp"] > 0 else libdevice.exact_reference(symbol, result)
    arrays = libdevice.operands(symbol, kinds, 8192 if exact is None else 2048, exact is None)
    if exact is not None:
        yield case_of(symbol, row, arrays, reference=exact, bound=Exact(), gpu="the case named _gpu is smaller")
    else:
        if symbol in BESSEL:  # relative to the result below 8 only
            arrays = [arrays[0][~(np.abs(arrays[0]) >= 8)]]
        elif symbol in ("erfcinv", "normcdfinv"):
            arrays = [arrays[0][::3]]
        absolute = 1e-15 if symbol in ("jn", "yn") else 0
        bound = mpfr.within(libdevice.judged_name(symbol), row["ulp"], absolute)
        yield case_of(symbol, row, arrays, reference=None, bound=bound, gpu="measured against MPFR")
    limit = gpu_limit(row, symbol)
    if not isinstance(limit, str):
        small = [values.some(kind, 512, 11 + i) for i, kind in enumerate(kinds)]
        yield case_of(f"{symbol}_gpu", row, small, reference=exact, bound=Exact() if exact else None, gpu_bound=mpfr.near_gpu(limit))


def far_bessel(row):
    """Beyond 8 the error is small beside the amplitude."""
    x = libdevice.operands("", ["f64"], 8192, True)[0]
    x = x[np.abs(x) >= 8]
    name = row["symbol"].removeprefix("__nv_")
    bound = mpfr.within(name, row["ulp"], 1e-15)
    yield case_of(f"{name}_far", row, [x], reference=None, bound=bound, gpu="measured against MPFR")



def says(words):
    def check(printed):
        return None if words in printed else f"does not say {words!r}"

    return check


def large_orders():
    """Asymptotic expansions, around the turning point and before it (MPFR takes long elsewhere)."""
    row = next(row for row in listed() if row["symbol"] == "__nv_jn")
    arrays = [np.full(4, 2001, np.int32), np.array([1800.9, 1999.2, 2001.0, 2003.0])]
    yield case_of("jn_large_order", row, arrays, reference=None, bound=mpfr.within("jn", 0.51, 1e-10), gpu="no bound is given")


def refusals():
    """Exit code 4 names what is unknown; a known symbol on other types is an error of the text, exit code 2."""
    a = values.floats("f32", 16)
    unknown = [
        ("symbol", line_of("__nv_no_such", ["f32"], "f32"), 4, "'__nv_no_such' is not supported yet"),
        ("library", line_of("__nv_sinf", ["f32"], "f32", "mylib", "/x/mylib.bc"), 4, "'mylib' at '/x/mylib.bc' is not supported yet"),
        ("types", line_of("__nv_sin", ["f32"], "f32"), 2, "'__nv_sin' has the type (f64) -> f64"),
    ]
    for name, line, code, words in unknown:
        lines = line.replace("TILE(f32)", "tensor<16xf32>")
        module = kernels.text([lines], {"a": "f32"}, {"r": "f32"}, (16,))
        yield Case(f"refused_{name}", module, [In(a), Out((16,), "f32")], exit_code=code, output=says(words), gpu="refused")


def cases():
    for row in listed():
        yield from function_cases(row)
        if row["symbol"].removeprefix("__nv_") in BESSEL:
            yield from far_bessel(row)
    path = line_of("__nv_expf", ["f32"], "f32", "libdevice", "/usr/local/cuda/nvvm/libdevice/libdevice.10.bc")
    bound = mpfr.within("exp", 1)
    a = {"a": values.floats("f32", 64)}
    yield kernels.elementwise("named_library", path, a, {"r": "f32"}, None, bound=bound, gpu="needs that file")
    for label, shape in {"scalar": (), "rank 3": (2, 4, 8)}.items():
        arrays = {name: values.moderate_floats("f32", 64, i) for i, name in enumerate("abcd")}
        line = line_of("__nv_norm4df", ["f32"] * 4, "f32")
        yield kernels.elementwise(label, line, arrays, {"r": "f32"}, None, shape, bound=mpfr.within("norm4d", 0.501))
    uniform = ["%z = arith.constant dense<2.000000e+00> : TILE(f32)", line_of("__nv_norm4df", ["f32"] * 4, "f32").replace("%b, %c", "%z, %z")]

    def norm(a, d):
        return np.sqrt(a.astype(np.float64) ** 2 + 8 + d.astype(np.float64) ** 2)

    arrays = {name: values.moderate_floats("f32", 64, i) for i, name in enumerate("ad")}
    yield kernels.elementwise("uniform operands", uniform, arrays, {"r": "f32"}, norm, bound=None, gpu="as the other norms")
    if listed():
        yield from large_orders()
    yield from refusals()
