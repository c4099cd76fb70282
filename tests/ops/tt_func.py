"""tt.func: scalar parameters of every type by value, attributes of parameters and functions, kernels without parameters."""

import numpy as np
from support import calls, elements, kernels, values
from support.case import Case, In, Out, Scalar

SCALARS = {
    "i1": [True, False],
    "i8": [-128, 127, 5],
    "i16": [-32768, 32767, 300],
    "i32": [-(2**31), 2**31 - 1, 70000],
    "i64": [-(2**63), 2**63 - 1, 2**40],
    "f16": [1.5, -65504.0, 6.103515625e-05],
    "bf16": [1.5, -0.0, 3.3895313892515355e38],
    "f32": [1.5, -0.0, 3.4028234663852886e38],
    "f64": [1.5, -0.1, 1.7976931348623157e308],
}


def by_value(element, number, value):
    lines = ["%program = tt.get_program_id x : i32", "%part_first = arith.constant 0 : i32", *store_scalar("%s", element)]
    head = [f"%s: {element}", f"%r_ptr: !tt.ptr<{kernels.memory_type(element)}>"]
    expected = np.array([value]).astype(elements.DTYPE[element])
    return Case(f"{element}_{number}", kernels.module(head, lines), [Scalar(value), Out((1,), element)], (1, 1, 1), lambda _: expected)


def store_scalar(name, element):
    if element != "i1":
        return [f"tt.store %r_ptr, {name} : !tt.ptr<{element}>"]
    return [f"%byte = arith.extui {name} : i1 to i8", "tt.store %r_ptr, %byte : !tt.ptr<i8>"]


def many():
    """Scalars between pointers, in an order of their own."""
    head = ["%n: i32", "%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}", "%x: f32", "%big: i64 {tt.divisibility = 16 : i32}", "%r_ptr: !tt.ptr<f32>", "%flag: i1"]
    tile = "tensor<64xf32>"
    lines = [*kernels.offsets((64,)), *kernels.pointers("a", "f32", (64,)), "%limit = tt.splat %n : i32 -> tensor<64xi32>"]
    lines += ["%mask = arith.cmpi slt, %offset, %limit : tensor<64xi32>", f"%a = tt.load %a_at, %mask : tensor<64x!tt.ptr<f32>>"]
    lines += ["%small = arith.trunci %big : i64 to i32", "%whole = arith.sitofp %small : i32 to f32"]
    lines += ["%factor = arith.select %flag, %x, %whole : f32", f"%factors = tt.splat %factor : f32 -> {tile}"]
    lines += [f"%r = arith.mulf %a, %factors : {tile}", *kernels.store("r", "f32", (64,))]
    a = values.moderate_floats("f32", 128, 1)
    for flag in (True, False):
        arguments = [Scalar(100), In(a), Scalar(0.75), Scalar(48), Out((128,), "f32"), Scalar(flag)]
        expected = np.where(np.arange(128) < 100, a, 0).astype(np.float32) * np.float32(0.75 if flag else 48)
        yield Case(f"many_{flag}", kernels.module(head, lines), arguments, (2, 1, 1), lambda _, e=expected: e)


def cases():
    for element, given in SCALARS.items():
        for number, value in enumerate(given):
            yield by_value(element, number, value)
    yield from many()
    yield Case("no_parameters", kernels.module([], ["%c = arith.constant 1 : i32"]), [], (3, 1, 1), lambda _: [])
    yield calls.scalars("noinline", "true")
