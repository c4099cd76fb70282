"""arith.constant: scalars, splats, lists and raw data of every type. The reference is written down beside each text, or is the
bits that a hexadecimal text shows."""

import numpy as np
from support import elements, kernels, values
from support.case import Case, Out
from support.float_binary import NO_F8

#: Texts of one element and what they are, for types whose decimal texts need no second rounding.
FLOAT_TEXTS = {
    "0.000000e+00": 0.0,
    "-0.000000e+00": -0.0,
    "1.000000e+00": 1.0,
    "-1.500000e+00": -1.5,
    "2.500000e-01": 0.25,
    "3.000000e+00": 3.0,
    "1.12e+2": 112.0,
    "-4.375000e-01": -0.4375,
}
INTEGER_TEXTS = {
    "i8": {"0": 0, "-1": -1, "127": 127, "-128": -128},
    "i16": {"0": 0, "-1": -1, "32767": 32767, "-32768": -32768},
    "i32": {"0": 0, "-1": -1, "2147483647": 2**31 - 1, "-2147483648": -(2**31)},
    "i64": {"0": 0, "-1": -1, "9223372036854775807": 2**63 - 1, "-9223372036854775808": -(2**63)},
    "i1": {"true": True, "false": False},
}
LARGE = {
    "f16": "6.550400e+04",
    "bf16": "3.38953139e+38",
    "f32": "3.40282347E+38",
    "f64": "1.7976931348623157E+308",
    "f8E4M3FN": "4.480000e+02",
    "f8E5M2": "5.734400e+04",
    "f8E4M3FNUZ": "2.400000e+02",
    "f8E5M2FNUZ": "5.734400e+04",
}


def texts_of(element):
    if not elements.is_float(element):
        return INTEGER_TEXTS[element]
    negative_zero = elements.FORMAT[element].has_negative_zero
    texts = {text: value for text, value in FLOAT_TEXTS.items() if negative_zero or text[0:2] != "-0"}
    return texts | {LARGE[element]: elements.FORMAT[element].largest}


def gpu_of(element, is_list=False):
    """Triton 3.6 lowers lists of 32 integers and splats; other lists end in an error or in a compiler that does not end."""
    if element in elements.FLOAT8:
        return NO_F8
    return "Triton lowers lists of 32 integers alone" if is_list else True


def constant_case(name, element, text, expected, shape, **options):
    """Stores the tile (or scalar) that `text` makes."""
    lines = [*kernels.offsets(shape), f"%r = arith.constant {text} : {kernels.tile(element, shape)}", *kernels.store("r", element, shape)]
    module = kernels.module([f"%r_ptr: !tt.ptr<{kernels.memory_type(element)}>"], lines)
    expected = np.asarray(expected).reshape(-1)
    return Case(name, module, [Out(expected.shape, element)], (1, 1, 1), lambda _: expected, **options)


def hexadecimal(element, value):
    return f"0x{int(elements.bits(value.reshape(1))[0]):0{value.dtype.itemsize * 2}X}"


def spelled(element):
    """One case per text of a scalar, and of a splat."""
    dtype = elements.DTYPE[element]
    for number, (text, value) in enumerate(texts_of(element).items()):
        expected = np.array([value], np.float64 if elements.is_float(element) else dtype).astype(dtype)
        scalar = text if element == "i1" else f"{text} : {element}"
        lines = [*kernels.offsets(()), f"%r = arith.constant {scalar}", *kernels.store("r", element, ())]
        module = kernels.module([f"%r_ptr: !tt.ptr<{kernels.memory_type(element)}>"], lines)
        yield Case(f"{element}_scalar{number}", module, [Out((1,), element)], (1, 1, 1), lambda _, e=expected: e, gpu=gpu_of(element))
        yield constant_case(f"{element}_splat{number}", element, f"dense<{text}>", np.repeat(expected, 32), (32,), gpu=gpu_of(element))


def listed(element):
    """dense<[..]> of texts, rank 1 and nested."""
    dtype = elements.DTYPE[element]
    texts = texts_of(element)
    words = [list(texts)[i % len(texts)] for i in range(32)]
    expected = np.array([texts[word] for word in words], np.float64 if elements.is_float(element) else dtype).astype(dtype)
    yield constant_case(f"{element}_list", element, f"dense<[{', '.join(words)}]>", expected, (32,), gpu=gpu_of(element, elements.is_float(element)))
    rows = ", ".join("[" + ", ".join(words[i : i + 8]) + "]" for i in range(0, 32, 8))
    yield constant_case(f"{element}_nested", element, f"dense<[{rows}]>", expected, (4, 8), gpu=gpu_of(element, True))


def raw(element):
    """dense<"0x..">: the elements' bytes, lowest first; every special value, NaN and infinities among them."""
    expected = np.resize(values.some(element, 64, 2), 64)
    text = 'dense<"0x' + elements.bits(expected).tobytes().hex().upper() + '">'
    yield constant_case(f"{element}_data", element, text, expected, (64,), gpu=gpu_of(element, True))
    if not elements.is_float(element):
        return
    words = [hexadecimal(element, value) for value in expected]
    yield constant_case(f"{element}_hex_list", element, f"dense<[{', '.join(words)}]>", expected, (64,), gpu=gpu_of(element, True))
    nan = expected[elements.is_nan(expected)][:1]
    yield constant_case(f"{element}_nan", element, f"dense<{hexadecimal(element, nan)}>", np.repeat(nan, 16), (16,), gpu=gpu_of(element))


def cases():
    for element in elements.INTEGERS + elements.FLOATS + elements.FLOAT8:
        yield from spelled(element)
        yield from listed(element)
        if element != "i1":
            yield from raw(element)
    deep = "dense<[[[[[1, 2], [3, 4]]], [[[5, 6], [7, 8]]]]]>"
    yield constant_case("i32_rank5", "i32", deep, np.arange(1, 9, dtype=np.int32), (1, 2, 1, 2, 2), gpu=gpu_of("i32", True))
