"""Honest programs, many: functions and reductions of torch, each written as kernels are usually written (flat blocks, a row a program,
a loop of programs, in several types). None may be rejected.

`python honest.py [--out FILE.json] [--part I/N]` judges those that the file lacks, and prints how many are accepted, rejected and not
decided, with causes. The honest programs of the zoo are judged by zoo.py."""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import sys
import tempfile

# : name, torch, Triton (of v in f32).
FUNCTIONS = [
    ("relu", "torch.relu(x)", "tl.maximum(v, 0.0)"),
    ("relu_where", "torch.relu(x)", "tl.where(v > 0, v, 0.0)"),
    ("leaky_relu", "torch.nn.functional.leaky_relu(x, 0.01)", "tl.where(v > 0, v, 0.01 * v)"),
    ("sigmoid", "torch.sigmoid(x)", "tl.sigmoid(v)"),
    ("sigmoid_exp", "torch.sigmoid(x)", "1.0 / (1.0 + tl.exp(-v))"),
    ("sigmoid_exp2", "torch.sigmoid(x)", "1.0 / (1.0 + tl.exp2(-v * 1.4426950408889634))"),
    ("silu", "torch.nn.functional.silu(x)", "v * tl.sigmoid(v)"),
    ("silu_exp", "torch.nn.functional.silu(x)", "v / (1.0 + tl.exp(-v))"),
    ("tanh", "torch.tanh(x)", "2.0 * tl.sigmoid(2.0 * v) - 1.0"),
    ("tanh_exp", "torch.tanh(x)", "1.0 - 2.0 / (tl.exp(2.0 * v) + 1.0)"),
    ("gelu", "torch.nn.functional.gelu(x)", "0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))"),
    ("gelu_tanh", "torch.nn.functional.gelu(x, approximate='tanh')",
     "v * tl.sigmoid(2.0 * 0.7978845608028654 * (v + 0.044715 * v * v * v))"),
    ("softplus", "torch.nn.functional.softplus(x)", "tl.maximum(v, 0.0) + tl.log(1.0 + tl.exp(-tl.abs(v)))"),
    ("softsign", "torch.nn.functional.softsign(x)", "v / (1.0 + tl.abs(v))"),
    ("elu", "torch.nn.functional.elu(x)", "tl.where(v > 0, v, tl.exp(tl.minimum(v, 0.0)) - 1.0)"),
    ("hardtanh", "torch.nn.functional.hardtanh(x)", "tl.minimum(tl.maximum(v, -1.0), 1.0)"),
    ("hardsigmoid", "torch.nn.functional.hardsigmoid(x)", "tl.minimum(tl.maximum(v + 3.0, 0.0), 6.0) / 6.0"),
    ("hardswish", "torch.nn.functional.hardswish(x)", "v * tl.minimum(tl.maximum(v + 3.0, 0.0), 6.0) / 6.0"),
    ("square", "x * x", "v * v"), ("cube", "x ** 3", "v * v * v"), ("abs", "x.abs()", "tl.abs(v)"), ("negative", "-x", "-v"),
    ("scale_shift", "x * 2.5 + 0.5", "v * 2.5 + 0.5"), ("sine", "torch.sin(x)", "tl.sin(v)"), ("cosine", "torch.cos(x)", "tl.cos(v)"),
    ("gauss", "torch.exp(-x * x)", "tl.exp(-v * v)"), ("gauss_exp2", "torch.exp(-x * x)", "tl.exp2(v * v * -1.4426950408889634)"),
    ("root", "torch.sqrt(x.abs() + 1)", "tl.sqrt(tl.abs(v) + 1.0)"), ("reciprocal_root", "torch.rsqrt(x * x + 1)", "tl.rsqrt(v * v + 1.0)"),
    ("log1", "torch.log(x.abs() + 1)", "tl.log(tl.abs(v) + 1.0)"), ("mish", "torch.nn.functional.mish(x)",
     "v * (1.0 - 2.0 / ((1.0 + tl.exp(tl.minimum(v, 40.0))) * (1.0 + tl.exp(tl.minimum(v, 40.0))) + 1.0))"),
    ("clamp", "x.clamp(-0.5, 0.75)", "tl.minimum(tl.maximum(v, -0.5), 0.75)"),
    ("sign_square", "x * x.abs()", "v * tl.abs(v)"), ("step", "(x > 0).to(x.dtype)", "tl.where(v > 0, 1.0, 0.0)"),
    ("logsigmoid", "torch.nn.functional.logsigmoid(x)", "tl.minimum(v, 0.0) - tl.log(1.0 + tl.exp(-tl.abs(v)))"),
    ("relu6", "torch.nn.functional.relu6(x)", "tl.minimum(tl.maximum(v, 0.0), 6.0)"),
]
# : name, torch, what lanes beyond the row are, Triton of a row v with `mask` and `columns`; a row or a number.
ROWS = [
    ("sum", "x.sum(-1)", "0.0", "tl.sum(v, 0)", False), ("mean", "x.mean(-1)", "0.0", "tl.sum(v, 0) / columns", False),
    ("mean_folded", "x.mean(-1)", "0.0", "tl.sum(v * (1.0 / columns), 0)", False),
    ("maximum", "x.amax(-1)", 'float("-inf")', "tl.max(v, 0)", False), ("minimum", "x.amin(-1)", 'float("inf")', "tl.min(v, 0)", False),
    ("sum_of_squares", "(x * x).sum(-1)", "0.0", "tl.sum(v * v, 0)", False), ("norm", "torch.linalg.vector_norm(x, dim=-1)", "0.0", "tl.sqrt(tl.sum(v * v, 0))", False),
    ("l1", "x.abs().sum(-1)", "0.0", "tl.sum(tl.abs(v), 0)", False),
    ("variance", "x.var(-1, correction=0)", "0.0", "tl.sum(v * v, 0) / columns - (tl.sum(v, 0) / columns) * (tl.sum(v, 0) / columns)", False),
    ("variance_two", "x.var(-1, correction=0)", "0.0", "tl.sum(tl.where(mask, (v - tl.sum(v, 0) / columns) * (v - tl.sum(v, 0) / columns), 0.0), 0) / columns", False),
    ("logsumexp", "torch.logsumexp(x, -1)", 'float("-inf")', "tl.max(v, 0) + tl.log(tl.sum(tl.exp(v - tl.max(v, 0)), 0))", False),
    ("logsumexp2", "torch.logsumexp(x, -1)", 'float("-inf")', "tl.max(v, 0) + tl.log2(tl.sum(tl.exp2((v - tl.max(v, 0)) * 1.4426950408889634), 0)) * 0.6931471805599453", False),
    ("softmax", "torch.softmax(x, -1)", 'float("-inf")', "tl.exp(v - tl.max(v, 0)) / tl.sum(tl.exp(v - tl.max(v, 0)), 0)", True),
    ("softmax_times", "torch.softmax(x, -1)", 'float("-inf")', "tl.exp(v - tl.max(v, 0)) * (1.0 / tl.sum(tl.exp(v - tl.max(v, 0)), 0))", True),
    ("log_softmax", "torch.log_softmax(x, -1)", 'float("-inf")', "v - tl.max(v, 0) - tl.log(tl.sum(tl.exp(v - tl.max(v, 0)), 0))", True),
    ("rms_norm", "x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)", "0.0", "v * tl.rsqrt(tl.sum(v * v, 0) / columns + 1e-6)", True),
    ("rms_norm_root", "x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)", "0.0", "v / tl.sqrt(tl.sum(v * v, 0) / columns + 1e-6)", True),
    ("normalize", "torch.nn.functional.normalize(x, dim=-1)", "0.0", "v / tl.maximum(tl.sqrt(tl.sum(v * v, 0)), 1e-12)", True),
    ("centered", "x - x.mean(-1, keepdim=True)", "0.0", "v - tl.sum(v, 0) / columns", True),
    ("cumsum", "torch.cumsum(x, -1)", "0.0", "tl.cumsum(v, 0)", True),
    ("layer_norm", "torch.nn.functional.layer_norm(x, (x.shape[-1],))", "0.0",
     "(v - tl.sum(v, 0) / columns) * tl.rsqrt(tl.sum(tl.where(mask, (v - tl.sum(v, 0) / columns) * (v - tl.sum(v, 0) / columns), 0.0), 0) / columns + 1e-5)", True),
    ("layer_norm_moments", "torch.nn.functional.layer_norm(x, (x.shape[-1],))", "0.0",
     "(v - tl.sum(v, 0) / columns) * tl.rsqrt(tl.sum(v * v, 0) / columns - (tl.sum(v, 0) / columns) * (tl.sum(v, 0) / columns) + 1e-5)", True),
    ("scaled_maximum", "x / x.abs().amax(-1, keepdim=True).clamp(min=1e-6)", "0.0", "v / tl.maximum(tl.max(tl.abs(v), 0), 1e-6)", True),
]

_REFERENCE = """
import torch
import torch.nn as nn

rows, columns = 6, 40


class Model(nn.Module):
    def forward(self, x):
        return {torch}


def get_inputs():
    return [torch.randn(rows, columns, dtype=torch.{dtype})]


def get_init_inputs():
    return []
"""
_HEAD = "import torch\nimport torch.nn as nn\nimport triton\nimport triton.language as tl\n\n\n"
_FLAT = """@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    v = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
    tl.store(out + at, {triton}, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        return out
"""
_LOOP = """@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + at, mask=at < n, other=0.0).to(tl.float32)
        tl.store(out + at, {triton}, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        kernel[(2,)](x, out, x.numel(), BLOCK=32)
        return out
"""
_STRIDES = """@triton.autotune([triton.Config({{"BLOCK": 64}}), triton.Config({{"BLOCK": 128}})], key=["columns"])
@triton.jit
def kernel(x, out, columns, x_row, x_column, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * x_row + at * x_column, mask=at < columns, other=0.0).to(tl.float32)
        tl.store(out + row * columns + at, {triton}, mask=at < columns)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], x.stride(0), x.stride(1))
        return out
"""
_ROW = """@triton.jit
def kernel(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    v = tl.load(x + row * columns + at, mask=mask, other={other}).to(tl.float32)
    {store}


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, columns = x.shape
        out = torch.empty({shape}, dtype=x.dtype, device=x.device)
        kernel[(rows,)](x, out, columns, BLOCK=triton.next_power_of_2(columns))
        return out
"""
DTYPES = ("float32", "float16", "bfloat16")


def pairs() -> list[tuple[str, str, str]]:
    """(name, reference, candidate)."""
    made = []
    for name, expected, computed in FUNCTIONS:
        for form, text in (("flat", _FLAT), ("loop", _LOOP), ("strides", _STRIDES)):
            for dtype in DTYPES[: {"flat": 3, "loop": 2, "strides": 1}[form]]:
                reference = _REFERENCE.format(torch=expected, dtype=dtype)
                made.append((f"{name}-{form}-{dtype}", reference, _HEAD + text.format(triton=computed)))
    for name, expected, other, computed, is_row in ROWS:
        store = f"tl.store(out + row * columns + at, {computed}, mask=mask)" if is_row else f"tl.store(out + row, {computed})"
        text = _ROW.format(other=other, store=store, shape="rows, columns" if is_row else "rows")
        made += [(f"{name}-row-{dtype}", _REFERENCE.format(torch=expected, dtype=dtype), _HEAD + text) for dtype in DTYPES]
    return made


def _compiled(only: str) -> list[tuple[str, str, str]]:
    import common_tasks
    import compiled

    here = pathlib.Path(__file__).resolve().parent
    references = common_tasks.references() + [(f"zoo_{one.parent.name}", one.read_text()) for one in sorted(here.glob("*/reference.py"))]
    rows = list(compiled.programs([one for one in references if only in one[0]]))
    for name, _, candidate, why in rows:
        if not candidate:
            print(f"{name}: no candidate: {why.splitlines()[0]}")
    return [(f"compiled-{name}", reference, candidate) for name, reference, candidate, _ in rows if candidate]


def _libraries(only: str) -> list[tuple[str, str, str]]:
    import libraries

    return libraries.pairs()


# : Where programs come from.
SOURCES = {"templates": lambda only: pairs(), "compiled": _compiled, "libraries": _libraries}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", choices=tuple(SOURCES), nargs="?", default="templates")
    parser.add_argument("--out", default="")
    parser.add_argument("--texts", default="", metavar="FILE.json", help="keep the programs there, and take them from there")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    part, parts = map(int, given.part.split("/"))
    out, texts = pathlib.Path(given.out) if given.out else None, pathlib.Path(given.texts) if given.texts else None
    kept = json.loads(out.read_text()) if out and out.exists() else {}
    made = json.loads(texts.read_text()) if texts and texts.exists() else SOURCES[given.source](given.only)
    if texts:
        texts.write_text(json.dumps(made))
    judge_all([one for one in made if given.only in one[0]][part::parts], kept, out)
    counts = {kind: sum(row["verdict"] == kind for row in kept.values()) for kind in ("accepted", "rejected", "not decided")}
    seconds = sorted(row["seconds"] for row in kept.values())
    print(f"{len(kept)} honest programs: {counts}; median {seconds[len(seconds) // 2]} s, 90 % at most {seconds[len(seconds) * 9 // 10]} s")
    return 1 if counts["rejected"] else 0


def judge_all(some: list[tuple[str, str, str]], kept: dict, out: pathlib.Path | None = None, pool=None, show: str = "rejected not decided") -> dict:
    """Rows by name for those that are not kept; prints those with a verdict in `show`."""
    from lockstep.judging import JudgeError, judge_many
    from lockstep.judging.processes import Pool

    with contextlib.nullcontext(pool) if pool else Pool() as warm, tempfile.TemporaryDirectory() as folder:
        for name, reference, candidate in some:
            if name in kept:
                continue
            paths = pathlib.Path(folder) / "reference.py", pathlib.Path(folder) / f"{name}.py"
            for path, text in zip(paths, (reference, candidate), strict=True):
                path.write_text(text)
            try:
                (verdict,) = judge_many(paths[0], [str(paths[1])], seed=11, time=200, witnesses=pathlib.Path(folder) / "w", pool=warm)
            except JudgeError as error:
                print(f"{name}: no task: {error}", flush=True)
                continue
            kept[name] = {"verdict": verdict.verdict, "seconds": round(verdict.seconds, 2), "text": str(verdict)}
            if verdict.verdict in show:
                print(verdict, flush=True)
            if out:
                out.write_text(json.dumps(kept, indent=1))
    return kept


if __name__ == "__main__":
    sys.exit(main())
