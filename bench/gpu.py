"""Lockstep's CUDA backend against Triton 3.6 on one GPU, in one run: the same kernels, specialisations, blocks and tensors.

    python bench/gpu.py build/lockstep [--only REGEX] [--write FILE.json] [--milliseconds 100] [--other FOLDER]

Needs a GPU, torch and triton. Triton compiles a kernel of examples/ or gpu_kernels.py; `lockstep emit` makes a cubin of the TTIR that Triton
made; both are launched on the same tensors and timed by events with the second-level cache flushed between launches.
They take turns every few milliseconds, because the clock follows the power and drifts by several percent. The best
settings of both sides are measured once more, in turn. A row counts only if both outputs agree within the row's bound.
FOLDER has cubins of another version of Triton (other_triton.py), which is one more side.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import itertools
import json
import math
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import other_triton
import torch
import triton

ROOT = Path(__file__).resolve().parents[1]
DEVICE = "cuda"  # "meta": rows without data, to be compiled
LAUNCH = re.compile(r"// Launch: (\d+) threads a block, (\d+) bytes")
MAP = re.compile(r"// Tensor map: (\{.*\})")
PERSISTENT = "// Persistent:"  # a block for each multiprocessor; the grid's extents are more parameters
MAP_TYPES = {"f16": 6, "bf16": 9, "f8E4M3FN": 0, "f8E5M2": 0}  # CUtensorMapDataType
SWIZZLES = {128: 3, 64: 2, 32: 1}  # CUtensorMapSwizzle, by bytes of a box's row
ROUNDS = 24
CACHE_BYTES = 256 << 20
SHARED_SIZE_ATTRIBUTE = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


@dataclass
class Row:
    """One launch: `arguments` in the kernel's order, constexprs by name; `work`: bytes or floating-point operations."""

    name: str
    kernel: Any
    grid: tuple[int, ...]
    arguments: list[Any]
    constants: dict[str, Any]
    outputs: list[int]  # indices of arguments
    work: float
    unit: str  # "TB/s" or "TFLOP/s"
    bound: float  # largest difference of the two results, in units of the largest value
    warps: int = 4
    stages: int = 3
    setting: str = ""
    library: Callable[[], Any] | None = None  # the same work by torch's own function: cuBLAS, SDPA, ATen

    @property
    def extents(self) -> list[int]:
        return [*self.grid, 1, 1][:3]


@dataclass
class Result:
    name: str
    setting: str
    unit: str
    triton: float
    lockstep: float
    difference: float
    registers: int = 0
    spilled: int = 0
    library: float = 0.0  # the speed of torch's own function; 0: there is none
    other: float = 0.0  # of another version of Triton


@dataclass
class Best:
    name: str
    unit: str
    triton: float
    triton_setting: str
    lockstep: float
    lockstep_setting: str
    library: float
    other: float = 0.0
    other_setting: str = ""


class Driver:
    """The few functions of the CUDA driver that a launch needs, on torch's context and current stream."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        torch.zeros(1, device="cuda")

    def call(self, name: str, *arguments: Any) -> None:
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} says {status}")

    def load(self, cubin: bytes, name: str, shared: int) -> ctypes.c_void_p:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        self.call("cuFuncSetAttribute", function, SHARED_SIZE_ATTRIBUTE, ctypes.c_int(shared))
        return function

    def tensor_map(self, described: dict[str, Any], values: list[Any]) -> ctypes.Array[ctypes.c_char]:
        """One more parameter, as the head of Lockstep's text describes it (backend_cuda/device/tensor_map.h)."""
        bytes_of = 1 if described["type"].startswith("f8") else 2

        def number(text: tuple[int, list[int], int, int]) -> int:
            return (text[0] * math.prod(values[i].value for i in text[1]) + text[2]) // text[3]

        dimensions = described["dimensions"]
        rank = len(dimensions)
        room = ctypes.create_string_buffer(128 + 64)
        made = (ctypes.c_char * 128).from_buffer(room, -ctypes.addressof(room) % 64)
        self.call("cuTensorMapEncodeTiled", ctypes.byref(made), MAP_TYPES[described["type"]], rank,
                  values[described["parameter"]], (ctypes.c_uint64 * rank)(*[number(one["extent"]) for one in dimensions]),
                  (ctypes.c_uint64 * (rank - 1))(*[number(one["stride"]) * bytes_of for one in dimensions[1:]]),
                  (ctypes.c_uint32 * rank)(*[one["box"] for one in dimensions]), (ctypes.c_uint32 * rank)(*[1] * rank),
                  0, SWIZZLES[dimensions[0]["box"] * bytes_of], 2, 0)
        return made

    def launcher(self, function: ctypes.c_void_p, grid: list[int], threads: int, shared: int, values: list[Any]) -> Callable[[], None]:
        """Starts the function with these parameters on the current stream."""
        array = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])

        def launch(_kept: Any = values) -> None:  # the array holds addresses of the values
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            self.call("cuLaunchKernel", function, *grid, threads, 1, 1, shared, stream, array, None)

        return launch

    def attribute(self, function: ctypes.c_void_p, which: int) -> int:
        value = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(value), which, function)
        return value.value


def module_of(name: str, folder: str = "examples") -> Any:
    path = ROOT / folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parameter(value: Any) -> Any:
    """What cuLaunchKernel's array points to."""
    if isinstance(value, torch.Tensor):
        return ctypes.c_uint64(value.data_ptr())
    if isinstance(value, float):
        return ctypes.c_float(value)
    return ctypes.c_int32(value) if -(2**31) <= value < 2**31 else ctypes.c_int64(value)


def parameters_of(row: Row) -> list[Any]:
    """Triton makes constants of ones."""
    return [parameter(value) for value in row.arguments if not (isinstance(value, int) and value == 1)]


def lockstep_launcher(lockstep: str, row: Row, compiled: Any, driver: Driver) -> tuple[Callable[[], None], int, int]:
    """The launch by Lockstep's cubin of Triton's TTIR; registers and spilled bytes of a thread."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.ttir"
        file.write_text(compiled.asm["ttir"])
        words = ["--as", "sm_90", "--num-warps", str(row.warps), "--num-stages", str(row.stages), "--tensor-maps"]
        made = [subprocess.run([lockstep, "emit", str(file), "--to", form, *words], capture_output=True, check=True).stdout
                for form in ("cuda", "cubin")]
    found = LAUNCH.search(made[0].decode())
    assert found is not None
    threads, shared = int(found[1]), int(found[2])
    function = driver.load(made[1], compiled.name, shared)
    values = parameters_of(row)
    grid = row.extents
    if PERSISTENT in made[0].decode():
        values += [parameter(extent) for extent in grid]
        grid = [min(math.prod(grid), torch.cuda.get_device_properties(0).multi_processor_count), 1, 1]
    values += [driver.tensor_map(json.loads(text), values) for text in MAP.findall(made[0].decode())]
    return driver.launcher(function, grid, threads, shared, values), driver.attribute(function, 4), driver.attribute(function, 3)


def time_of(launch: Callable[[], Any], flushed: torch.Tensor, count: int) -> float:
    """Milliseconds of a launch, the median of `count`."""
    events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(count)]
    launch()
    for first, last in events:
        flushed.zero_()
        first.record()
        launch()
        last.record()
    torch.cuda.synchronize()
    return statistics.median(first.elapsed_time(last) for first, last in events)


def times_in_turn(launches: dict[str, Callable[[], Any]], milliseconds: int) -> dict[str, float]:
    """Milliseconds of a launch of each, the median of rounds in which all have their turn."""
    flushed = torch.empty(CACHE_BYTES, dtype=torch.int8, device="cuda")
    counts = {who: max(2, round(milliseconds / ROUNDS / max(time_of(launch, flushed, 3), 1e-3))) for who, launch in launches.items()}
    times: dict[str, list[float]] = {who: [] for who in launches}
    order = list(launches)
    for _ in range(ROUNDS):
        for who in order:
            times[who].append(time_of(launches[who], flushed, counts[who]))
        order = order[1:] + order[:1]
    return {who: statistics.median(values) for who, values in times.items()}


def difference_of(row: Row, launch: Callable[[], Any], expected: list[torch.Tensor]) -> float:
    """Launches on outputs of NaN. The largest difference in units of the largest value; raises RuntimeError beyond the row's bound."""
    for i in row.outputs:
        row.arguments[i].fill_(float("nan"))
    launch()
    torch.cuda.synchronize()
    difference = 0.0
    for i, reference in zip(row.outputs, expected):
        largest = reference.abs().max().double().item()
        apart = (row.arguments[i].double() - reference.double()).abs().max().item()
        difference = max(difference, apart / largest if largest else apart)
    if not difference <= row.bound:
        raise RuntimeError(f"{row.name}: the results are {difference} of the largest value apart (bound {row.bound})")
    return difference


def launches_of(lockstep: str, row: Row, driver: Driver, other: Path | None) -> tuple[dict[str, Callable[[], Any]], Result]:
    """All launches, after a comparison of their results; the library's has none."""
    def by_triton() -> Any:
        return row.kernel[row.grid](*row.arguments, **row.constants, num_warps=row.warps, num_stages=row.stages)

    compiled = by_triton()
    expected = [row.arguments[i].clone() for i in row.outputs]
    launch, registers, spilled = lockstep_launcher(lockstep, row, compiled, driver)
    difference = difference_of(row, launch, expected)
    launches = {"triton": by_triton, "lockstep": launch, **({"library": row.library} if row.library else {})}
    if other is not None:
        launches["other"] = other_triton.launcher(row, other, driver)
        difference_of(row, launches["other"], expected)
    return launches, Result(row.name, row.setting, row.unit, 0, 0, difference, registers, spilled)


def measure(lockstep: str, row: Row, driver: Driver, milliseconds: int, other: Path | None) -> tuple[Result, dict[str, Callable[[], Any]]]:
    launches, result = launches_of(lockstep, row, driver, other)
    for who, time in times_in_turn(launches, milliseconds).items():
        setattr(result, who, row.work / (1e-3 * time) / 1e12)
    return result, launches


def measure_best(made: list[tuple[Row, Result, dict[str, Callable[[], Any]]]], milliseconds: int) -> Best:
    """The best setting of each side for rows of one name, in turn."""
    sides = [who for who in ("triton", "lockstep", "other") if who in made[0][2]]
    of = {who: max(made, key=lambda one, who=who: getattr(one[1], who)) for who in sides}
    launches = {who: one[2][who] for who, one in of.items()}
    launches |= {who: launch for who, launch in made[0][2].items() if who == "library"}
    row = made[0][0]
    speeds = {who: row.work / (1e-3 * time) / 1e12 for who, time in times_in_turn(launches, 2 * milliseconds).items()}
    best = Best(row.name, row.unit, speeds["triton"], of["triton"][0].setting, speeds["lockstep"], of["lockstep"][0].setting,
                speeds.get("library", 0.0))
    if "other" in of:
        best.other, best.other_setting = speeds["other"], of["other"][0].setting
    return best


def randn(*shape: int, dtype: torch.dtype) -> torch.Tensor:
    return torch.randn(*shape, device=DEVICE, dtype=torch.float32).to(dtype)


def memory_rows() -> list[Row]:
    rows = []
    n = 128 << 20
    x, y = randn(n, dtype=torch.float32), randn(n, dtype=torch.float32)
    for block, warps in ((1024, 4),):
        rows.append(Row("vector add f32 128 Mi", module_of("vector_add").vector_add, (triton.cdiv(n, block),),
                        [x, y, torch.empty_like(x), n], {"BLOCK": block}, [2], 12.0 * n, "TB/s", 0, warps,
                        setting=f"block {block}, {warps} warps", library=lambda x=x, y=y: torch.add(x, y)))
    m, k = 8192, 4096
    x = randn(m, k, dtype=torch.float32)
    for warps in (4, 8):
        rows.append(Row("softmax f32 8192×4096", module_of("softmax").softmax, (m,), [x, torch.empty_like(x), k, k, m, k],
                        {"BLOCK": k}, [1], 8.0 * m * k, "TB/s", 1e-5, warps, setting=f"{warps} warps", library=lambda x=x: torch.softmax(x, 1)))
    m, k = 4096, 8192
    x, weight, bias = randn(m, k, dtype=torch.float16), randn(k, dtype=torch.float16), randn(k, dtype=torch.float16)
    mean, rstd = (torch.empty(m, device=DEVICE) for _ in range(2))
    for warps in (4, 8, 16):
        rows.append(Row("layer norm f16 4096×8192", module_of("layer_norm").layer_norm, (m,),
                        [x, weight, bias, torch.empty_like(x), mean, rstd, k, m, k, 1e-5], {"BLOCK": k}, [3, 4, 5],
                        4.0 * m * k, "TB/s", 2e-3, warps, setting=f"{warps} warps",
                        library=lambda x=x, w=weight, b=bias: torch.nn.functional.layer_norm(x, (x.shape[1],), w, b)))
    return rows


def matmul_rows() -> list[Row]:
    rows = []
    kernel = module_of("matmul").matmul
    settings = ((128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (128, 128, 64, 4, 3), (128, 128, 64, 8, 3), (64, 256, 64, 4, 4))
    for n, most in ((4096, 5), (8192, 2)):
        for dtype in (torch.bfloat16, torch.float16):
            a, b = randn(n, n, dtype=dtype), randn(n, n, dtype=dtype)
            for tile_m, tile_n, tile_k, warps, stages in settings[:most]:
                constants = {"TILE_M": tile_m, "TILE_N": tile_n, "TILE_K": tile_k, "GROUP": 8}
                rows.append(Row(f"matmul {str(dtype)[6:]} {n}³", kernel, (n // tile_m * (n // tile_n),),
                                [a, b, torch.empty_like(a), n, n, n, n, 1, n, 1, n, 1], constants, [2], 2.0 * n**3, "TFLOP/s",
                                2e-3, warps, stages, f"{tile_m}×{tile_n}×{tile_k}, {warps} warps, {stages} stages",
                                library=lambda a=a, b=b: torch.matmul(a, b)))
    return rows


def f8_rows() -> list[Row]:
    """Both operands have their runs along k, as f8 takes them. The sums are short, torch's too."""
    rows, n = [], 4096
    a, b = randn(n, n, dtype=torch.float8_e4m3fn), randn(n, n, dtype=torch.float8_e4m3fn)
    one = torch.ones((), device=DEVICE)

    def by_torch() -> torch.Tensor:
        return torch._scaled_mm(a, b.t(), one, one, out_dtype=torch.float16, use_fast_accum=True)

    for tile_m, tile_n, tile_k, warps, stages in ((128, 256, 128, 8, 3), (128, 256, 128, 8, 4), (128, 256, 64, 8, 4), (128, 128, 128, 4, 3),
                                                  (128, 128, 128, 8, 4), (64, 256, 128, 4, 4)):
        constants = {"TILE_M": tile_m, "TILE_N": tile_n, "TILE_K": tile_k, "GROUP": 8}
        rows.append(Row(f"matmul e4m3 {n}³", module_of("gpu_kernels", "bench").matmul_along_k, (n // tile_m * (n // tile_n),),
                        [a, b, torch.empty(n, n, dtype=torch.float16, device=DEVICE), n, n, n], constants, [2],
                        2.0 * n**3, "TFLOP/s", 2e-3, warps, stages, f"{tile_m}×{tile_n}×{tile_k}, {warps} warps, {stages} stages",
                        library=by_torch))
    return rows


def grouped_rows() -> list[Row]:
    """Eight problems of 4096×4096 columns and 200 to 4096 rows, which lie one behind the other."""
    rows, n, k = [], 4096, 4096
    counts = (512, 3072, 1000, 2584, 200, 4096, 1800, 3120)
    last_rows = list(itertools.accumulate(counts))
    ends = torch.tensor(last_rows, dtype=torch.int32, device=DEVICE)
    m = sum(counts)
    a, b = randn(m, k, dtype=torch.bfloat16), randn(len(counts), n, k, dtype=torch.bfloat16)
    for tile_m, tile_n, tile_k, warps, stages in ((128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (128, 128, 64, 4, 3), (128, 128, 64, 8, 3),
                                                  (64, 256, 64, 4, 4)):
        tiles = [(first, end, i) for i, end in enumerate(last_rows) for first in range(end - counts[i], end, tile_m)]
        constants = {"TILE_M": tile_m, "TILE_N": tile_n, "TILE_K": tile_k, "GROUP": 8}
        rows.append(Row("grouped matmul bfloat16, 8 of 4096×4096", module_of("gpu_kernels", "bench").grouped_matmul,
                        (len(tiles) * (n // tile_n),),
                        [a, b, torch.empty(m, n, dtype=torch.bfloat16, device=DEVICE),
                         torch.tensor(tiles, dtype=torch.int32, device=DEVICE), len(tiles), m, n, k], constants, [2],
                        2.0 * m * n * k, "TFLOP/s", 8e-3, warps, stages, f"{tile_m}×{tile_n}×{tile_k}, {warps} warps, {stages} stages",
                        library=lambda: torch._grouped_mm(a, b.transpose(1, 2), offs=ends)))
    return rows


def attention_by_torch(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool) -> Callable[[], Any]:
    return lambda: torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)


def attention_rows() -> list[Row]:
    rows, heads, length = [], 64, 4096
    kernel = module_of("gpu_kernels", "bench").attention
    for depth in (64, 128):
        q, k, v = (randn(heads, length, depth, dtype=torch.float16) for _ in range(3))
        for causal in (False, True):
            for tile_m, tile_n, warps, stages in ((128, 64, 4, 3), (128, 64, 8, 3), (64, 64, 4, 3), (128, 128, 8, 3)):
                constants = {"TILE_M": tile_m, "TILE_N": tile_n, "DEPTH": depth, "CAUSAL": causal}
                flops = 4.0 * heads * depth * length * length / (2 if causal else 1)
                rows.append(Row(f"attention f16 D={depth}{', causal' if causal else ''}", kernel, (length // tile_m, heads),
                                [q, k, v, torch.empty_like(q), length, length * depth, depth**-0.5 * 1.4426950408889634],
                                constants, [3], flops, "TFLOP/s", 4e-3, warps, stages,
                                f"{tile_m}×{tile_n}, {warps} warps, {stages} stages", attention_by_torch(q, k, v, causal)))
    return rows


MAKERS = (memory_rows, matmul_rows, f8_rows, grouped_rows, attention_rows)


def table(results: list[Result]) -> str:
    lines = ["| row | setting | Triton | Lockstep | ratio | torch | registers |", "|---|---|---|---|---|---|---|"]
    for one in results:
        spilled = f" (+{one.spilled} B spilled)" if one.spilled else ""
        library = f"{one.library:.2f}" if one.library else ""
        lines.append(f"| {one.name} | {one.setting} | {one.triton:.2f} | {one.lockstep:.2f} {one.unit} "
                     f"| {one.lockstep / one.triton:.2f} | {library} | {one.registers}{spilled} |")
    return "\n".join(lines)


def mean_ratio(results: list[Result], side: str) -> float:
    return math.exp(sum(math.log(one.lockstep / getattr(one, side)) for one in results) / max(len(results), 1))


def best_table(bests: list[Best], results: list[Result]) -> str:
    """The best setting of each side, by row, and the geometric mean of all ratios at equal settings."""
    lines = ["| row | Triton | Lockstep | ratio | torch |", "|---|---|---|---|---|"]
    for one in bests:
        lines.append(f"| {one.name} | {one.triton:.2f} ({one.triton_setting}) | {one.lockstep:.2f} {one.unit} ({one.lockstep_setting}) "
                     f"| {one.lockstep / one.triton:.3f} | {one.library:.2f} |")
    return "\n".join([*lines, "", f"geometric mean at equal settings: {mean_ratio(results, 'triton'):.3f} over {len(results)} rows"])


def other_table(bests: list[Best], results: list[Result]) -> str:
    lines = ["| row | the other Triton | Lockstep over it |", "|---|---|---|"]
    lines += [f"| {one.name} | {one.other:.2f} {one.unit} ({one.other_setting}) | {one.lockstep / one.other:.3f} |" for one in bests]
    return "\n".join([*lines, "", f"geometric mean at equal settings: {mean_ratio(results, 'other'):.3f} over {len(results)} rows"])


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("lockstep")
    options.add_argument("--only", default="")
    options.add_argument("--write", type=Path)
    options.add_argument("--milliseconds", type=int, default=100)
    options.add_argument("--other", type=Path, help="cubins of another version of Triton")
    chosen = options.parse_args()
    driver, failures = Driver(), 0
    results: list[Result] = []
    bests: list[Best] = []
    for make in MAKERS:
        made: dict[str, list[Any]] = {}
        for row in make():
            if not re.search(chosen.only, f"{row.name} {row.setting}"):
                continue
            try:
                result, launches = measure(chosen.lockstep, row, driver, chosen.milliseconds, chosen.other)
            except (RuntimeError, subprocess.CalledProcessError, triton.runtime.errors.OutOfResources) as problem:
                failures += 1
                said = getattr(problem, "stderr", b"") or b""
                print(f"{row.name}, {row.setting}: {problem} {said.decode()[:500]}", flush=True)
                continue
            results.append(result)
            made.setdefault(row.name, []).append((row, result, launches))
            print(table(results[-1:]).splitlines()[-1], flush=True)
        bests += [measure_best(rows, chosen.milliseconds) for rows in made.values()]
    device = torch.cuda.get_device_name()
    print(f"\n{device}, torch {torch.__version__}, Triton {triton.__version__}\n\n{table(results)}\n\n{best_table(bests, results)}")
    second = other_triton.version_in(chosen.other) if chosen.other else ""
    if second:
        print(f"\nTriton {second}\n\n{other_table(bests, results)}")
    if chosen.write:
        chosen.write.write_text(json.dumps({"device": device, "triton": triton.__version__, "other": second,
                                            "best": [vars(one) for one in bests],
                                            "rows": [vars(one) for one in results]}, indent=1))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
