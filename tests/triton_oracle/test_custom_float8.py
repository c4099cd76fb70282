"""fp8e4b15, which no hardware has: our assembly for it gives the nearest value for every half, and what Triton's assembly gives."""

import lockstep_tool
import numpy as np
import triton_oracle

FILE = "tests/triton_oracle/kernels/custom_float8.py"
HALVES = np.arange(65536, dtype=np.uint16)
BYTES = np.arange(256, dtype=np.uint8)

#: The magnitude of each code 0..0x7f: exponents are biased by 15, there is no infinity and no NaN.
CODES = np.arange(128)
VALUES = np.where(CODES < 8, CODES * 2.0**-17, (1 + (CODES % 8) / 8) * 2.0 ** (CODES // 8 - 15.0))


def nearest(bits: np.ndarray) -> np.ndarray:
    """Codes of halves: magnitudes up to 1.75, a tie goes to the larger one; NaN counts as large."""
    magnitude = np.minimum(np.nan_to_num(np.abs(bits.view(np.float16).astype(np.float64)), nan=2.0), 1.75)
    middles = (VALUES[:0x7E] + VALUES[1:0x7F]) / 2
    return (np.searchsorted(middles, magnitude, side="right") | ((bits >> 8) & 0x80)).astype(np.uint8)


def run(kernel: str, given: np.ndarray, element: str, block: int) -> np.ndarray:
    grid = str(len(given) // block)
    return lockstep_tool.run(kernel, grid, {"x": given, "out": f"zeros:{element}[{len(given)}]", "BLOCK": block}, ["out"]).saved["out"]


def run_tritons(name: str, signature: str, given: np.ndarray, element: str, block: int, folder) -> np.ndarray:
    kernel = triton_oracle.load_kernel(FILE, name)
    path = folder / f"{name}.ttir"
    path.write_text(triton_oracle.lower(kernel, signature, "", {"BLOCK": block}).str_nodebug())
    arguments = {"arg0": given, "arg1": f"zeros:{element}[{len(given)}]"}
    return lockstep_tool.run(str(path), str(len(given) // block), arguments, ["arg1"]).saved["arg1"]


def test_narrows_to_the_nearest(tmp_path):
    assert np.array_equal(run(f"{FILE}::narrow", HALVES, "u8", 1024), nearest(HALVES))


def test_widens_exactly(tmp_path):
    signs = np.where(BYTES & 0x80, -1.0, 1.0)
    expected = (signs * VALUES[BYTES & 0x7F]).astype(np.float16).view(np.uint16)
    assert np.array_equal(run(f"{FILE}::widen", BYTES, "u16", 256), expected)


def test_tritons_assembly_gives_the_same(tmp_path):
    assert np.array_equal(run_tritons("narrow", "x=*u16,out=*u8", HALVES, "u8", 1024, tmp_path), nearest(HALVES))
    theirs = run_tritons("widen", "x=*u8,out=*u16", BYTES, "u16", 256, tmp_path)
    assert np.array_equal(theirs, run(f"{FILE}::widen", BYTES, "u16", 256))
