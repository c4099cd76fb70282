#!/usr/bin/env python3
"""Makes tests/h200_answers from the checks that an H200 answered: record_checks.py FOLDER-OF-SCRIPTS FOLDER-OF-LOGS. For maintainers; needs
torch and Triton 3.6 (no GPU).

Each script calls `check(key, function)`; the function launches kernels on tensors and returns tensors or numbers. Here a launch is not run:
its TTIR is made for sm_90 and kept in ttir/, with the tensors' contents before it. The function runs a second time with every tensor filled
with numbers that occur once, so that what it returns says which elements of which tensors the log's numbers are. What cannot be kept that way is
listed with the reason. The results are checks.jsonl and left_out.jsonl; tests/triton_oracle/test_semantics.py
replays the first.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import hashlib
import json
import math
import os
import re
import runpy
import sys
import types
from pathlib import Path

os.environ.pop("TRITON_INTERPRET", None)
os.environ["DEV"] = "cpu"

import numpy as np  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
from triton._C.libtriton import ir  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import make_backend  # noqa: E402
from triton.runtime.jit import JITFunction  # noqa: E402

HERE = Path(__file__).resolve().parent
TARGET = GPUTarget("cuda", 90, 32)
SCRIPTS = ["l01_scalars", "l02_alias", "l06_int", "l07_float", "l08_control", "l09_misc", "l12_extra"]
#: (log's number -> element) for checks that return a function of the elements.
INVERSE = {
    "f32.dot default precision, (1+2^-12)*1 - 1 (tf32 => 0)": lambda v: v + 1.0,
    **{f"dot {p}: lhs 1+{{1,3,1+eps,.5,eps}}*2^-11, result in 2^-11 units": lambda v: v / 2048 + 1 for p in ("tf32", "tf32x3", "ieee")},
}
DTYPES = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e5": "float8e5", "fp8e4nv": "float8e4nv"}
DTYPES |= {f"{sign}int{bits}": f"{'u' if sign else ''}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
SMALL = {torch.int8: 120, torch.uint8: 250, torch.bool: 250, torch.float8_e5m2: 120, torch.float8_e4m3fn: 120, torch.bfloat16: 256, torch.float16: 2048}


class Driver(types.SimpleNamespace):
    """Stands in for the CUDA driver: launches need only the target."""

    def get_current_target(self):
        return TARGET

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=None):
        return 0

    def set_current_device(self, device):
        pass


class Recorder:
    """The launches of one check."""

    def __init__(self, fill: bool):
        self.fill = fill
        self.storages: list[torch.Tensor] = []  # as bytes
        self.types: list[torch.dtype] = []
        self.contents: list[bytes] = []
        self.launches: list[dict] = []
        self.refused: dict | None = None
        self.ids: dict[int, tuple[int, int]] = {}

    def storage(self, tensor: torch.Tensor) -> int:
        data = torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage())
        for number, known in enumerate(self.storages):
            if known.data_ptr() == data.data_ptr() and known.numel() == data.numel():
                return number
        self.storages.append(data)
        self.types.append(tensor.dtype)
        self.contents.append(data.numpy().tobytes())
        return len(self.storages) - 1

    def fill_with_ids(self):
        """Every element of every storage gets a number of its own, as far as its type has some."""
        following = 3
        for number in sorted(range(len(self.storages)), key=lambda n: (SMALL.get(self.types[n], 1 << 23), n)):
            dtype, data = self.types[number], self.storages[number]
            as_bits = dtype in (torch.bool, torch.float8_e5m2, torch.float8_e4m3fn)
            typed = data if as_bits else data.view(dtype)
            for i in range(typed.numel()):
                if following < SMALL.get(dtype, 1 << 23):
                    self.ids[following] = (number, i)
                    typed[i] = following
                    following += 1
                else:
                    typed[i] = 0


recorder: Recorder | None = None


def lower(function, signature, constexprs, options, attrs) -> str:
    backend = make_backend(TARGET)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = function.ASTSource(function, signature, constexprs, attrs)
    module = source.make_ir(TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    stages: dict = {}
    backend.add_stages(stages, options, source.language)
    text = stages["ttir"](module, {}).str_nodebug()
    return re.sub(r"[ \t]+\n", "\n", text)


class Launchable:
    """What Triton's launcher gets for a compiled kernel."""

    def __init__(self, function, text, signature, options):
        self.name, self.text, self.signature, self.options = function.fn.__name__, text, signature, options
        self.function = self.packed_metadata = None

    def launch_metadata(self, *args):
        return None

    def run(self, grid_x, grid_y, grid_z, stream, function, metadata, launch, enter, leave, *arguments):
        flat = []
        flatten(list(self.signature.values()), list(arguments), flat)
        python = in_python(self.signature, dict(zip(self.signature, arguments)))
        parameters = []
        for kind, value in flat:
            if not isinstance(value, torch.Tensor):  # a wrapper: triton.reinterpret's, or the script's own
                value = next((v for v in (getattr(value, name, None) for name in ("base", "t")) if isinstance(v, torch.Tensor)), value)
            if isinstance(value, torch.Tensor):
                parameters.append([recorder.storage(value), value.storage_offset()])  # elements
            else:
                parameters.append(value)
        recorder.launches.append({"kernel": self.name, "ttir": self.text, "grid": [grid_x, grid_y, grid_z], "arguments": parameters, "warps": self.options.num_warps, "python": python})


def flatten(kinds, values, out: list):
    for kind, value in zip(kinds, values):
        if isinstance(kind, (tuple, list)):
            flatten(kind, value, out)
        elif kind != "constexpr":
            out.append((kind, value))


def in_python(signature: dict, values: dict) -> dict | None:
    """Names of the parameters in order, and texts of the constant ones; None where the command line has no words for them."""
    names, constants = [], {}
    for name, kind in signature.items():
        value = values.get(name)
        if isinstance(kind, (tuple, list)):
            return None
        if kind != "constexpr":
            names.append(name)
            continue
        value = getattr(value, "value", value)
        if value is None or isinstance(value, (bool, int, float)):
            constants[name] = "none" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)
        elif isinstance(value, (str, triton.language.dtype)):
            constants[name] = repr(value) if isinstance(value, str) else f"tl.{DTYPES.get(str(value), value)}"
        else:
            return None
    return {"names": names, "constants": constants}


def do_compile(self, key, signature, device, constexprs, options, attrs, warmup):
    values = {list(signature)[place[0]]: value for place, value in constexprs.items() if len(place) == 1}
    recorder.refused = {"kernel": self.fn.__name__, "signature": signature, "python": in_python(signature, values)}
    made = Launchable(self, lower(self, signature, constexprs, options, attrs), signature, options)
    self.device_caches[device][0][key] = made
    return made


def leaves(value):
    """The numbers of a result in order; None where one is not a number."""
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if value.dtype in (torch.float8_e5m2, torch.float8_e4m3fn):
            value = value.view(torch.uint8)
        return [v for v in value.float().flatten()[:16].tolist()] if value.dtype == torch.bfloat16 else value.flatten()[:16].tolist()
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part)]
    if isinstance(value, str):
        try:
            return [float(value)]
        except ValueError:
            return [None]
    return [value if isinstance(value, (int, float)) else None]


def once(function, fill: bool):
    global recorder
    recorder = Recorder(fill)
    with contextlib.redirect_stdout(sys.stderr):
        result = function()
    return recorder, result


def record(key: str, function, answer) -> dict | str:
    """The check for checks.jsonl, or why it is not kept."""
    first, _ = once(function, False)
    if not first.launches:
        return "no kernel is launched: it is about Triton's launcher"
    second, _ = FilledRun.run(function)
    recorded, result = second
    expected, places = leaves(answer), leaves(result)
    inverse = INVERSE.get(key, lambda v: v)
    if len(expected) != len(places) or None in expected or None in places:
        return "it returns text or a statistic, not elements of tensors"
    elements = []
    for number, place in zip(expected, places):
        at = recorded.ids.get(inverse(place)) if isinstance(place, (int, float)) and not isinstance(place, bool) else None
        if at is None and number == place:  # of the inputs alone
            continue
        if at is None:
            return "it returns a function of the elements, not elements"
        elements.append([*at, inverse(number)])
    return {"launches": first.launches, "storages": [storage_of(first, n) for n in range(len(first.storages))], "elements": elements}


class FilledRun:
    """Runs a check with its tensors filled after the last launch."""

    @staticmethod
    def run(function):
        original = Launchable.run

        def run_and_fill(self, *args):
            original(self, *args)
            recorder.ids.clear()
            recorder.fill_with_ids()

        Launchable.run = run_and_fill
        try:
            return once(function, True), None
        finally:
            Launchable.run = original


def refused(function) -> dict | None:
    """The kernel that Triton refuses here as it did there; None if it does not."""
    try:
        once(function, False)
    except Exception:  # noqa: BLE001
        made = recorder.refused
        if made is None or made["python"] is None:
            return None
        types = {name: kind for name, kind in made["signature"].items() if kind != "constexpr"}
        return {"kernel": made["kernel"], "types": types, "constants": made["python"]["constants"]}
    return None


def kernels_of(text: str) -> str:
    """The part of a script that a kernel can see: its functions for the GPU and the names they use."""
    tree = ast.parse(text)
    marked = [f for f in tree.body if isinstance(f, ast.FunctionDef) and (f.decorator_list or f.name == "plain")]
    used = {node.id for f in marked for node in ast.walk(f) if isinstance(node, ast.Name)}
    lines = ["import math", "", "import triton", "import triton.language as tl", "from triton.language.extra import libdevice", ""]
    for node in tree.body:
        is_constant = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in used
        if node in marked or (is_constant and not isinstance(node.value, ast.Lambda) and "torch" not in ast.unparse(node.value)):
            lines += ["", ast.unparse(node), ""] if node in marked else [ast.unparse(node)]
    return "\n".join(lines).rstrip() + "\n"


def storage_of(made: Recorder, number: int) -> dict:
    name = str(made.types[number]).removeprefix("torch.")
    return {"type": name, "data": base64.b64encode(made.contents[number]).decode()}


def main(scripts: Path, logs: Path):
    triton.runtime.driver.set_active(Driver())
    JITFunction._do_compile = do_compile
    sys.path.insert(0, str(scripts))
    answers, kept, left_out, rejected, texts = {}, [], [], [], {}
    for log in sorted(logs.glob("*.gpu.log")):
        for line in log.read_text().splitlines():
            row = json.loads(line)
            answers[row["k"]] = row
    seen = set()
    for script in SCRIPTS:
        common = types.ModuleType("common")
        exec((scripts / "common.py").read_text(), common.__dict__)  # noqa: S102

        def check(key, function, script=script):
            seen.add(key)
            row = answers.get(key)
            if row is not None and "err" in row and not re.search("failed to specialize|Accelerator", row["err"]):
                refusal = refused(function)
                if refusal is not None:
                    rejected.append({"script": script, "key": key, **refusal})
                    return
            if row is None or "err" in row:
                why = "no answer is known" if row is None else "the GPU's answer is an error: " + row["err"].split(":")[0]
                left_out.append([script, key, why])
                return
            answer = eval(row["v"], {"nan": math.nan, "inf": math.inf})  # noqa: S307 (a repr of ours)
            try:
                made = record(key, function, answer)
            except Exception as problem:  # noqa: BLE001
                made = f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"
            if isinstance(made, str):
                left_out.append([script, key, made])
                return
            for launch in made["launches"]:
                name = f"{launch['kernel']}_{hashlib.sha256(launch['ttir'].encode()).hexdigest()[:8]}"
                texts[name] = launch["ttir"]
                launch["ttir"] = name
            kept.append({"script": script, "key": key, **made})

        common.check = check
        sys.modules["common"] = common
        runpy.run_path(str(scripts / f"{script}.py"))
    for key in sorted(set(answers) - seen):
        left_out.append(["", key, "its script runs child processes, or is about the launcher"])
    write(kept, rejected, left_out, texts)
    for script in SCRIPTS:
        (HERE / f"{script}.py").write_text(kernels_of((scripts / f"{script}.py").read_text()))
    print(f"{len(kept)} checks, {len(texts)} kernels, {len(rejected)} refused; {len(left_out)} left out")


def write(kept, rejected, left_out, texts):
    folder = HERE / "ttir"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.ttir"):
        old.unlink()
    for name, text in texts.items():
        (folder / f"{name}.ttir").write_text(text)
    for name, rows in (("checks.jsonl", kept), ("rejected.jsonl", rejected), ("left_out.jsonl", left_out)):
        (HERE / name).write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
