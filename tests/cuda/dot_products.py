#!/usr/bin/env python3
"""What NVRTC makes of the products in prelude/dot.cuh, run without a GPU (ptx_machine.py) and held against numpy.

  dot_products.py [--only TEXT]

NVVM 7.0.1 compiled an earlier form of Panels::offset to addresses that were wrong and beyond the panels, for some shapes
only, so every form of operand and every number of tiles is multiplied here as the compiler left it. Small integers: the
products are exact. Exit code 1: a product is wrong; 77: there is no NVRTC (LOCKSTEP_NVRTC, or nvidia-cuda-nvrtc).
"""

import argparse
import ctypes
import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ptx_machine import FORMATS, PtxError, PtxMachine, signed

ROOT = Path(__file__).resolve().parents[2]
PRELUDE = [ROOT / "backend_cuda/prelude" / f"{name}.cuh" for name in ("types", "math", "number", "memory", "block", "dot")]
CPP_NAMES = {"bf16": "bf16", "f16": "f16", "tf32": "tf32", "s8": "signed char", "e4m3": "f8e4m3"}
NO_NVRTC = 77


@dataclass(frozen=True)
class Dot:
    """C[m, n] += A[m, k] B[k, n]; in memory each operand is as it is, or its transpose."""

    kind: str
    m: int
    n: int
    k: int
    warp_rows: int
    warps: int
    transposed: tuple[bool, bool]

    def name(self) -> str:
        form = "".join("t" if is_transposed else "n" for is_transposed in self.transposed)
        return f"dot_{self.kind}_{self.m}x{self.n}x{self.k}_{self.warp_rows}of{self.warps}_{form}"

    def across(self) -> int:
        return min(self.warps // self.warp_rows, self.n // 8)

    def tiles(self) -> int:
        return self.n // self.across() // 8

    def registers(self) -> int:
        return 4 * self.tiles() * max(self.m // (16 * self.warp_rows), 1)

    def text(self) -> str:
        operand, flags = CPP_NAMES[self.kind], ", ".join(str(flag).lower() for flag in self.transposed)
        result, count = "int" if self.kind == "s8" else "float", self.registers()
        shape = f"{self.m}, {self.n}, {self.k}, {self.warp_rows}, {self.warps}"
        b_begins = self.m * self.k * FORMATS[self.kind][0]
        return f"""
extern "C" __global__ void {self.name()}({result}* out) {{
  extern __shared__ __align__(1024) char panels[];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  {result} d[{count}] = {{}};
  dot_mma<{operand}, {operand}, {shape}, {flags}>(d, panels, panels + {b_begins}, lane, warp);
  LS_EACH({count}) out[threadIdx.x * {count} + r] = d[r];
}}
"""

    def place(self, warp: int, lane: int, register: int) -> tuple[int, int]:
        """Row and column of a thread's register (mma_layout)."""
        block, within = divmod(register, 4 * self.tiles())
        tile, part = divmod(within, 4)
        row = warp % self.warp_rows * 16 + block * 16 * self.warp_rows + lane // 4 + part // 2 * 8
        column = warp // self.warp_rows % self.across() * (self.n // self.across()) + tile * 8 + lane % 4 * 2 + part % 2
        return row, column


def dots() -> Iterator[Dot]:
    shapes = [(16, 16, 64, 1, 8), (16, 8, 64, 1, 4), (16, 16, 32, 1, 4), (32, 32, 64, 2, 8), (16, 16, 128, 1, 8),
              (16, 32, 32, 1, 2), (64, 16, 64, 4, 8), (32, 64, 128, 2, 4)]  # fmt: skip
    for kind, shape, transposed in itertools.product(CPP_NAMES, shapes, ((False, False), (False, True), (True, False))):
        yield Dot(kind, *shape, transposed)


def bits_of(kind: str, numbers: np.ndarray) -> np.ndarray:
    size, number = FORMATS[kind]
    if kind == "tf32":
        return numbers.astype(np.float32).view(np.uint32)
    table = {value: bits for bits, value in reversed(list(enumerate(number(np.arange(1 << (8 * size))))))}
    return np.vectorize(table.__getitem__)(numbers).astype(f"u{size}")


def in_panels(bits: np.ndarray) -> np.ndarray:
    """Rows of 128 bytes a panel at most, whose chunks of 16 bytes are swapped by row."""
    rows, columns = bits.shape
    pitch = min(columns * bits.itemsize, 128)
    width = pitch // bits.itemsize
    mask, repeat = (pitch // 16 - 1 if pitch >= 32 else 0), 128 // pitch
    row, column = np.indices(bits.shape)
    chunk, rest = np.divmod(column % width * bits.itemsize, 16)
    place = column // width * rows * pitch + row * pitch + (chunk ^ (row // repeat & mask)) * 16 + rest
    memory = np.zeros(bits.nbytes, dtype=np.uint8)
    for i in range(bits.itemsize):
        memory[place + i] = bits >> (8 * i) & 255
    return memory


def wrong_elements(dot: Dot, ptx: str) -> int:
    random = np.random.default_rng(dot.m + dot.n + dot.k)
    a = random.integers(-4, 5, (dot.m, dot.k)).astype(np.float64)
    b = random.integers(-4, 5, (dot.k, dot.n)).astype(np.float64)
    stored = [tile.T if is_transposed else tile for tile, is_transposed in zip((a, b), dot.transposed, strict=True)]
    panels = [in_panels(bits_of(dot.kind, tile)) for tile in stored]
    machine = PtxMachine(threads=32 * dot.warps, memory=np.concatenate(panels))
    machine.run(ptx, dot.name())
    results = np.stack([machine.stored[offset] for offset in sorted(machine.stored)], axis=1)
    results = signed(results) if dot.kind == "s8" else results.astype(np.uint32).view(np.float32)
    product = a @ b
    places = itertools.product(range(dot.warps), range(32), range(dot.registers()))
    return sum(bool(results[warp * 32 + lane, r] != product[dot.place(warp, lane, r)]) for warp, lane, r in places)


def nvrtc_path() -> str | None:
    if given := os.environ.get("LOCKSTEP_NVRTC"):
        return given
    found = (path for entry in sys.path for path in Path(entry or ".").glob("nvidia/*/lib/libnvrtc.so.1[23]"))
    return next((str(path) for path in found), None)


def ptx_of(library: str, source: str) -> str:
    nvrtc = ctypes.CDLL(library)
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    words = [b"--gpu-architecture=sm_90a", b"--std=c++17", b"--device-as-default-execution-space", b"--disable-warnings"]
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"dots.cu", 0, None, None)
    failed = nvrtc.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    kind = "ProgramLog" if failed else "PTX"
    getattr(nvrtc, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{kind}")(program, text)
    if failed:
        raise SystemExit(text.value.decode())
    return text.value.decode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="kernels whose name has this")
    only = parser.parse_args().only
    library = nvrtc_path()
    if library is None:
        print("skipped: there is no NVRTC (PyPI: nvidia-cuda-nvrtc): nothing was compiled")
        return NO_NVRTC
    chosen = [dot for dot in dots() if only in dot.name()]
    ptx = ptx_of(library, "".join(path.read_text() for path in PRELUDE) + "".join(dot.text() for dot in chosen))
    failures = 0
    for dot in chosen:
        try:
            wrong = wrong_elements(dot, ptx)
            said = f"{wrong} of {32 * dot.warps * dot.registers()} results are wrong" if wrong else ""
        except PtxError as error:
            said = str(error)
        if said:
            failures += 1
            print(f"{dot.name()}: {said}")
    print(f"{len(chosen)} kernels by {library}: {failures} are wrong")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
