#!/usr/bin/env python3
"""Writes the seed corpora: small TTIR that Triton prints, small kernels, NumPy files, argument lines."""

import io
import sys
import zipfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
import lockstep_tool  # noqa: E402
import specialise  # noqa: E402
import triton_oracle  # noqa: E402

CORPUS = HERE / "corpus"
ROOT = lockstep_tool.ROOT


def write(folder: str, name: str, content: bytes | str) -> None:
    path = CORPUS / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def ttir() -> None:
    for launch in lockstep_tool.launches():
        kernel = triton_oracle.load_kernel(launch["file"], launch["kernel"])
        small = {name: value for name, value in launch["constants"].items()}
        for name in small:
            if name.startswith(("BLOCK", "TILE")):
                small[name] = 16
        for stage in ("ttir", "raw"):
            module = triton_oracle.lower(kernel, launch["sig"], launch["attr"], small, stage=stage)
            write("ttir", f"{launch['name']}.{stage}", module.str_nodebug())
            if stage == "ttir":
                write("run", launch["name"], module.str_nodebug())
    for path in sorted((ROOT / "tests/founding_reports").rglob("*.ttir")):
        write("ttir", path.stem + ".loc", path.read_text())


def python() -> None:
    for launch in lockstep_tool.launches():
        types = triton_oracle.split_pairs(launch["sig"])
        kernel = triton_oracle.load_kernel(launch["file"], launch["kernel"])
        words = [types.get(name) or f"={launch['constants'][name]}" for name in kernel.arg_names]
        body = (ROOT / launch["file"]).read_text()
        write("python", launch["name"], f"# sig: {' '.join(words)}\n{body}")
    for path in sorted([*(ROOT / "tests/founding_reports").rglob("*.py"), *(ROOT / "tests/findings").rglob("bad/*.py")]):
        for command in specialise.commands_of(path, ROOT)[:1]:
            name = f"{path.parent.parent.name}_{path.stem}" if path.parent.name == "bad" else path.stem
            kernel = triton_oracle.load_kernel(command.file, command.kernel)
            constexpr = {p.name: p.is_constexpr for p in kernel.params}
            sig, _, constants = specialise.specialise(command, kernel.arg_names, constexpr)
            types = triton_oracle.split_pairs(sig)
            words = [types.get(n) or f"={constants.get(n, 16)}" for n in kernel.arg_names]
            lines = [line for line in path.read_text().splitlines() if not line.startswith("# args")]
            write("python", name, f"# sig: {' '.join(words)}\n" + "\n".join(lines) + "\n")
    write("python", "constructs", CONSTRUCTS)


CONSTRUCTS = '''# sig: *fp32 i32 =8
import triton
import triton.language as tl
from math import pi as PI
LIMIT: tl.constexpr = tl.constexpr(4)

@triton.jit
def helper(a, b=2, *, c: tl.constexpr = 1):
    if c == 1:
        return a + b
    return a - b

@triton.jit
def constructs(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    v, w = tl.load(x + i, mask=i < n, other=-1.5e-3), (i & 0x1f) ^ ~0o17
    for k in tl.static_range(0, 3):
        v = helper(v, k) if k % 2 == 0 else tl.where(v > 0, v, -v)
    j = 0
    while j < n and not (j >= LIMIT):
        j += 1
        v = tl.maximum(v, j)
    assert B > 0, f"B is {B}"
    tl.store(x + i, v.to(tl.float32) * 3 // 1 if B is None else v, i < n)
    s = tl.sum(v, axis=0); t = v[:, None] + v[None, :]
    tl.atomic_add(x, tl.sum(tl.sum(t, 1), 0) + s)
'''


def npy() -> None:
    def npy_bytes(array, version=None):
        stream = io.BytesIO()
        np.lib.format.write_array(stream, array, version=version)
        return stream.getvalue()

    def npz_bytes(compressed, **arrays):
        stream = io.BytesIO()
        (np.savez_compressed if compressed else np.savez)(stream, **arrays)
        return stream.getvalue()

    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    write("npy", "f4", npy_bytes(matrix))
    write("npy", "fortran", npy_bytes(np.asfortranarray(matrix)))
    write("npy", "big_endian", npy_bytes(matrix.astype(">f8")))
    write("npy", "scalar", npy_bytes(np.array(3, dtype=np.int64)))
    write("npy", "empty", npy_bytes(np.zeros((0, 4), dtype=np.uint8)))
    write("npy", "bool", npy_bytes(np.array([True, False])))
    write("npy", "half_v2", npy_bytes(np.ones(3, dtype=np.float16), (2, 0)))
    write("npy", "v3", npy_bytes(np.ones(3, dtype=np.int16), (3, 0)))
    write("npy", "complex", npy_bytes(np.ones(2, dtype=np.complex64)))
    write("npy", "stored.npz", npz_bytes(False, x=matrix, y=np.arange(3)))
    write("npy", "deflated.npz", npz_bytes(True, x=np.zeros(2000, dtype=np.float64)))


def capsule() -> None:
    """A capsule, and its manifest alone, which the target gives members that fit."""
    sys.path.insert(0, str(ROOT / "python/lockstep"))
    import capsule_writer

    window = {"kind": "pointer", "type": "f32", "storage": 0, "shape": [4], "strides": [1]}
    arguments = [{"name": "x", "offset": 0, **window}, {"name": "y", "offset": 16, **window, "strides": [-1], "shape": [2]},
                 {"name": "d", "kind": "descriptor", "type": "f16", "storage": 1, "offset": 0, "shape": [2, 4],
                  "strides": [4, 1], "padding": "nan"},
                 {"name": "n", "kind": "scalar", "type": "i32", "bits": "0x3e8", "value": 1000}]  # fmt: skip
    storages = [capsule_writer.Storage(bytes(range(32)), bytes(32), [(8, 1, 4)]), capsule_writer.Storage(bytes(16))]
    facts = {"recorded_by": "gpu", "target": {"arch": "sm_90", "num_warps": 4, "num_stages": 3, "num_ctas": 1},
             "options": {"debug": False, "fp_fusion": True}, "versions": {"gpu": "x"}, "constants": {"B": 4}}  # fmt: skip
    ttir = 'module {\n tt.func public @k() { tt.return loc("make_corpus.py":1:0) }\n}\n'
    launch = capsule_writer.Launch("k", ttir, (2, 1, 1), arguments, storages, True, facts)
    path = CORPUS / "capsule" / "small"
    path.parent.mkdir(parents=True, exist_ok=True)
    capsule_writer.write(str(path), launch)
    with zipfile.ZipFile(path) as archive:
        write("capsule", "manifest", archive.read("manifest.json"))


ARGUMENTS = {
    "scalars": "n=98432\neps=1e-5\nflag=true\nx=none\nn=5:i64\nu=18446744073709551615\nm=-3:u8\ns=\"text\"\nt=fp16\nh=0x1F\n",
    "tensors": "x=randn:f32[4,5]\ny=zeros:f16[8]\nz=full(3.5):bf16[2]\nr=randint(0,9):i64[8]\na=arange:i32[6]\ne=empty:f8e5[3]\n",
    "views": "y=arange:f32[64]\nx=view(y, offset=1, shape=[4,4], strides=[8,1])\nv=view(x, offset=0, shape=[2], strides=[0])\n",
    "view_errors": "x=view(x, offset=0, shape=[1], strides=[1])\ny=view(z, offset=-1, shape=[4], strides=[-1])\nz=zeros:i8[4]\n",
    "huge": "x=zeros:f64[99999999999,99999999999]\ny=randn:f32[2147483647]\nz=zeros:f32[0,7]\nw=zeros:f32[]\n",
    "files": "x=@in.npy\nx=@data.npz:key\nx=@bits.npy:bf16\n",
    "grids": "grid cdiv(n, BLOCK)\ngrid n // BLOCK, 2, max(1, zero)\ngrid n / zero\ngrid x.shape[0] * 2\ngrid next_power_of_2(n)\n"
    "grid least // -1\ngrid least - 1\ngrid ((((n))))\ngrid 1,2,3,4\ngrid -5\n",
}


def main() -> None:
    ttir()
    python()
    npy()
    capsule()
    for name, text in ARGUMENTS.items():
        write("argument", name, text)
    for folder in sorted(CORPUS.iterdir()):
        files = list(folder.iterdir())
        print(folder.name, len(files), "files,", sum(f.stat().st_size for f in files), "bytes")


main()
