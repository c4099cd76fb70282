"""Every function of tl.extra.libdevice, in every type it takes: lowers to the symbol that Triton calls, and runs."""

import inspect
import re

import lockstep_tool
import numpy as np
import pytest

TABLE = lockstep_tool.ROOT / "support" / "libdevice_symbols.def"
ROWS = re.findall(r'^LOCKSTEP_LIBDEVICE\((\w+), "(\w*)", "(\w)", "(\w+)"\)$', TABLE.read_text(), re.M)
TYPES = {"i": "i32", "l": "i64", "u": "u32", "q": "u64", "f": "fp32", "d": "fp64", "1": "i32", "s": "i16", "h": "fp16", "b": "bf16"}
NUMPY = {"i32": np.int32, "i64": np.int64, "u32": np.uint32, "u64": np.uint64, "fp32": np.float32, "fp64": np.float64}
COUNT = 8
HEAD = "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n"


def kernel_of(function: str, arguments: str) -> str:
    names = [f"a{i}" for i in range(len(arguments))]
    loads = "".join(f"    v{i} = tl.load({name} + lanes)\n" for i, name in enumerate(names))
    call = f"libdevice.{function}({', '.join(f'v{i}' for i in range(len(names)))})"
    head = f"\n\n@triton.jit\ndef kernel({', '.join(names)}, out, N: tl.constexpr):\n    lanes = tl.arange(0, N)\n"
    return HEAD + head + loads + f"    tl.store(out + lanes, {call})\n"


def test_the_table_is_tritons():
    """Names, argument types, result types and symbols, against the functions of the installed Triton."""
    from triton.language.extra.cuda import libdevice
    from triton.language import core

    found = {}
    original = core.extern_elementwise

    class Seen(Exception):
        pass

    def record(name, path, arguments, table, is_pure, _semantic=None):
        raise Seen(table, is_pure)

    core.extern_elementwise = record
    try:
        for function, member in inspect.getmembers(libdevice, inspect.isfunction):
            count = len([name for name in inspect.signature(member).parameters if name.startswith("arg")])
            try:
                member(*[None] * count, _semantic=object())
            except Seen as seen:
                table, is_pure = seen.args
                assert is_pure
                for key, (symbol, result) in table.items():
                    found[symbol] = (function, tuple(t.name for t in key), result.name)
    finally:
        core.extern_elementwise = original
    names = {"i": "int32", "l": "int64", "u": "uint32", "q": "uint64", "f": "fp32", "d": "fp64", "1": "int32"}
    ours = {symbol: (function, tuple(names[c] for c in arguments), names[result]) for function, arguments, result, symbol in ROWS}
    assert ours == found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[3])
def test_runs(row, tmp_path):
    function, arguments, result, symbol = row
    path = tmp_path / "case.py"
    path.write_text(kernel_of(function, arguments))
    signature = ",".join([f"a{i}=*{TYPES[c]}" for i, c in enumerate(arguments)] + [f"out=*{TYPES[result]}"])
    emitted = lockstep_tool.call(["emit", f"{path}::kernel", "--sig", signature, "--stage", "raw", f"N={COUNT}"])
    assert emitted.exit_code == 0, emitted.text()
    assert f'symbol = "{symbol}"' in emitted.output
    values = {f"a{i}": np.arange(1, COUNT + 1).astype(NUMPY[TYPES[c]]) for i, c in enumerate(arguments)}
    element = {"fp32": "f32", "fp64": "f64"}.get(TYPES[result], TYPES[result])
    lockstep_tool.run(f"{path}::kernel", "1", {**values, "out": f"zeros:{element}[{COUNT}]", "N": COUNT}, ["out"])
