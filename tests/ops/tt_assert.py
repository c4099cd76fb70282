"""tt.assert: finding LS120 with the message, the element that failed first and how many did; the program goes on."""

import numpy as np
from support import kernels, values
from support.case import Case, In, Out

STOPS = "a failed assertion ends the GPU's context"


def says(*parts: str, never: str = ""):
    def check(printed: str) -> str | None:
        missing = [part for part in parts if part not in printed]
        if never and never in printed:
            return f"says {never!r}"
        return f"does not say {missing}" if missing else None

    return check


def case(name: str, lines: list[str], x: np.ndarray, shape, exit_code: int, output, **options) -> Case:
    """Every program also copies its part, which a failed assertion must not prevent."""
    programs = x.size // int(np.prod(shape))
    copy = f"%y = tt.bitcast %x : {kernels.tile('i32', shape)} -> {kernels.tile('i32', shape)}"
    module = kernels.text([*lines, copy], {"x": "i32"}, {"y": "i32"}, shape)
    arguments = [In(x), Out(x.shape, "i32")]
    return Case(name, module, arguments, (programs, 1, 1), lambda inputs: [inputs[0]], exit_code=exit_code, output=output, **options)


def below(limit: int, shape) -> list[str]:
    tile = kernels.tile("i32", shape)
    constant = f"dense<{limit}> : {tile}" if shape else f"{limit} : i32"
    return [f"%limit = arith.constant {constant}", f"%good = arith.cmpi slt, %x, %limit : {tile}"]


def cases():
    x = np.arange(64, dtype=np.int32)
    for shape, failing in [((64,), "lane 10,"), ((8, 8), "lane (1,2)"), ((2, 4, 8), "lane (0,1,2)")]:
        check = f'tt.assert %good, "v must be < 10" : {kernels.tile("i1", shape)}'
        output = says("LS120", "device assert failed: v must be < 10", failing, "54 lanes")
        yield case(f"fails in {len(shape)}d", [*below(10, shape), check], x, shape, 1, output, gpu=STOPS)
    check = 'tt.assert %good, "never" : tensor<64xi1>'
    yield case("holds", [*below(64, (64,)), check], x, (64,), 0, says(never="LS120"))
    check = 'tt.assert %good, "program" : i1'
    yield case("scalars, some programs", [*below(10, ()), check], x, (), 1, says("LS120", "program"), gpu=STOPS)
    yield case("after another", [*below(10, (64,)), 'tt.assert %good, "first" : tensor<64xi1>', 'tt.assert %good, "second" : tensor<64xi1>'], x, (64,), 1, says("first", "second"), gpu=STOPS)
    text = values.integers("i32", 64)
    strange = 'tt.assert %good, "\\22quoted\\22 100%d" : tensor<64xi1>'
    yield case("strange message", [*below(-(2**31), (64,)), strange], text, (64,), 1, says('"quoted" 100%d'), gpu=STOPS)
