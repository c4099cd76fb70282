"""Replays what an H200 answered to small kernels (tests/h200_answers/checks.jsonl, made by record_checks.py there): TTIR that Triton 3.6 printed for sm_90, run by
Lockstep on the same bytes, must give the same numbers;
so must the Python source through Lockstep's own front end. What Triton refused must be refused."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "h200_answers"
REFUSED = [json.loads(line) for line in (HERE / "rejected.jsonl").read_text().splitlines()]
CHECKS = [json.loads(line) for line in (HERE / "checks.jsonl").read_text().splitlines()]
ELEMENTS = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "float8_e5m2": "f8E5M2", "float8_e4m3fn": "f8E4M3FN", "bool": "i1"}
ELEMENTS |= {f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
BITS = {"bfloat16": np.uint16, "float8_e5m2": np.uint8, "float8_e4m3fn": np.uint8, "bool": np.uint8}

#: Relative distance allowed where the GPU approximates and Lockstep has a bound of its own (S-34, S-35).
TOLERANCE = {"f32.transcendentals": 1e-6, "libdevice.tanh": 3e-7, "f32.denormals x*0.5,sqrt,x+x,1/x": 3e-7}
#: Where Lockstep's answer is another one: why, and what it is by place.
OTHER_ANSWER = {
    "scalar.loop var value after loop (i=77 before)": ("the value is poison in TTIR", {0: 0}),
    "ctl.assume false": ("a false assumption promises nothing", {0: 5}),
    "alias.overlapping in/out, 2 programs (racy)": ("S-53: programs run in order", {8: 2.0, 9: 3.0, 10: 4.0, 11: 5.0}),
    "race.serial chain x[p+1]=x[p]+1": ("S-53: programs run in order", {i: i for i in range(2, 9)}),
    "program order (x-major numbering)": ("S-53: programs run in order", {5: 10, 6: 1, 10: 5, 11: 11}),
    "duplicate addresses in one store": ("S-52: the last lane wins", {0: 3, 1: 7, 2: 11, 3: 15}),
    "f32.denormals x*0.5,sqrt,x+x,1/x": ("S-34: nothing is flushed", {2: 9.999973025467516e-21}),
    "scan 2 operands (affine), fwd|rev; third: non-assoc a*2+b": ("S-41: scans run in order; the region is not associative", {10: 11, 11: 26, 20: 49, 21: 24}),
    "shapes T|split-join|cat|interleave|scalar join": ("tt.cat promises no order: one after the other", {16 + i: i % 8 for i in range(16)}),
}


def executable() -> str:
    return os.environ.get("LOCKSTEP_EXECUTABLE", str(ROOT / "build" / "lockstep"))


def dtype_of(name: str):
    return np.dtype(BITS.get(name, name))


def parameters(text: str) -> list[tuple[str, str]]:
    """Names and types of the public function's parameters."""
    head = text[text.index("tt.func public") :].split("\n", 1)[0]
    return re.findall(r"%(\w+): (!tt\.ptr<[^>]+>|[\w.]+)", head)


def in_ttir(launch: dict) -> tuple[str, list[tuple[str, str]], list[str]]:
    """The kernel's file, names and types of its parameters, and arguments for its constants."""
    path = HERE / "ttir" / f"{launch['ttir']}.ttir"
    known = parameters(path.read_text())
    return str(path), [(name, kind[len("!tt.ptr<") : -1]) for name, kind in known], []


def in_python(launch: dict, check: dict) -> tuple[str, list[tuple[str, str]], list[str]]:
    """The same of the source, for Lockstep's own front end; types are those of the tensors."""
    known = []
    for name, argument in zip(launch["python"]["names"], launch["arguments"]):
        known.append((name, ELEMENTS[check["storages"][argument[0]]["type"]] if isinstance(argument, list) else ""))
    constants = [f"{name}={text}" for name, text in launch["python"]["constants"].items()]
    return f"{HERE / check['script']}.py::{launch['kernel']}", known, constants


def words(launch: dict, known: list[tuple[str, str]], arrays: list[np.ndarray], folder: Path) -> tuple[list[str], dict[int, Path]]:
    """The command's arguments, and where each storage is written afterwards."""
    assert len(known) == len(launch["arguments"])
    order = sorted(range(len(known)), key=lambda i: (launch["arguments"][i][1] if isinstance(launch["arguments"][i], list) else 0, i))
    made, owners, saved = [""] * len(known), {}, {}
    for i in order:
        (name, kind), argument = known[i], launch["arguments"][i]
        if not isinstance(argument, list):
            made[i] = f"{name}={str(argument).lower() if isinstance(argument, bool) else repr(argument)}"
            continue
        storage, offset = argument
        if storage in owners:
            made[i] = f"{name}=view({owners[storage]}, offset={offset}, shape=[{arrays[storage].size - offset}], strides=[1])"
            continue
        assert offset == 0
        owners[storage] = name
        path = folder / f"{name}.npy"
        np.save(path, arrays[storage])
        made[i] = f"{name}=@{path}:{kind}"
        saved[storage] = folder / f"{name}.out.npy"
    for storage, path in saved.items():
        made += ["--save", f"{owners[storage]}=@{path}"]
    return made, saved


def run(check: dict, folder: Path, form: str) -> tuple[list[np.ndarray], str]:
    """The storages after the launches, and what the command printed."""
    arrays = [np.frombuffer(base64.b64decode(s["data"]), dtype=dtype_of(s["type"])).copy() for s in check["storages"]]
    printed = ""
    for number, launch in enumerate(check["launches"]):
        place = folder / str(number)
        place.mkdir()
        kernel, known, constants = in_ttir(launch) if form == "ttir" else in_python(launch, check)
        arguments, saved = words(launch, known, arrays, place)
        command = [executable(), "run", kernel, "--check", "none", "--grid", ",".join(map(str, launch["grid"])), "--num-warps", str(launch["warps"]), *arguments, *constants]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        printed += f"$ {' '.join(command)}\n{done.stdout}{done.stderr}[exit {done.returncode}]\n"
        assert done.returncode in (0, 1), printed  # 1: findings, such as a division by zero
        for storage, path in saved.items():
            arrays[storage] = np.load(path).reshape(-1).view(arrays[storage].dtype)
    return arrays, printed


def value_of(array: np.ndarray, place: int, name: str) -> float | int:
    if name == "bfloat16":
        return float((array[place : place + 1].astype(np.uint32) << 16).view(np.float32)[0])
    return array[place].item()


def same(got, expected, tolerance: float) -> bool:
    if got != got or expected != expected:
        return got != got and expected != expected
    if got == expected:
        return np.signbit(got) == np.signbit(expected) if got == 0 and isinstance(got, float) else True
    return tolerance > 0 and abs(got - expected) <= tolerance * abs(expected)


def ids(checks: list[dict]) -> list[str]:
    return [re.sub(r"[^\w.,+*/<>-]+", "_", check["key"]) for check in checks]


@pytest.mark.parametrize("form", ["ttir", "python"])
@pytest.mark.parametrize("check", CHECKS, ids=ids(CHECKS))
def test_check(check, form, tmp_path):
    if form == "python" and any(launch["python"] is None for launch in check["launches"]):
        pytest.skip("the command line has no words for its arguments")
    arrays, printed = run(check, tmp_path, form)
    key = check["key"]
    got = [value_of(arrays[storage], place, check["storages"][storage]["type"]) for storage, place, _ in check["elements"]]
    expected = [number for _, _, number in check["elements"]]
    _, other = OTHER_ANSWER.get(key, ("", {}))
    expected = [other.get(i, number) for i, number in enumerate(expected)]
    wrong = [i for i, (mine, theirs) in enumerate(zip(got, expected)) if not same(mine, theirs, TOLERANCE.get(key, 0.0))]
    assert not wrong, f"{key}: elements {wrong} differ\n  Lockstep {got}\n  H200     {expected}\n{printed}"


@pytest.mark.parametrize("check", REFUSED, ids=ids(REFUSED))
def test_what_triton_refuses_is_refused(check):
    types = ",".join(f"{name}={kind}" for name, kind in check["types"].items())
    constants = [f"{name}={text}" for name, text in check["constants"].items()]
    command = [executable(), "emit", f"{HERE / check['script']}.py::{check['kernel']}", "--sig", types, *constants]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, f"$ {' '.join(command)}\n{done.stdout}{done.stderr}[exit {done.returncode}]"
