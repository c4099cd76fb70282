#!/usr/bin/env python3
"""Records what a GPU answers to the cases of tests/ops. Three steps, on two machines:

    record.py prepare ARCHIVE [--new] [--op STEM]  here: texts and inputs of all cases into one .zip; --new: only of those that have no
                                                   answer yet, and were not refused with the same text and inputs
    record.py run ARCHIVE OUTDIR [--compile-only]  there: needs this file, Python, NumPy, torch and Triton, and the GPU
    record.py collect ARCHIVE OUTDIR               here: into tests/ops/recorded/<op>.npz.xz and not_recorded.json

Each case is compiled for sm_90 and launched on its own; what the compiler refuses or the GPU fails at is recorded as its text.
A case that gives other bytes when launched again is not kept. Products and sums are not contracted (enable_fp_fusion off).
`run --compile-only` needs no GPU and prints what Triton refuses.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

CAPABILITY = 90
CASE_SECONDS = 45  # without progress; then the worker is ended and the case counts as failed
PART_BYTES = 14 << 20
#: Forms that Triton's make_ttir takes away; such texts go through it first.
NEEDS_PASSES = re.compile(r"tt\.make_tensor_ptr|tt\.advance|tt\.call @")


# ---- prepare -----------------------------------------------------------------------------------------------------------


def refusal(case, types: list[str]) -> str | None:
    """Why the GPU is not asked, or None."""
    if case.gpu is not True:
        return case.gpu or "not asked"
    if case.target != "sm_90":
        return f"the case is about {case.target}"
    if case.exit_code != 0:
        return "not a clean run"
    if any("tensordesc" in kind for kind in types):
        return "a descriptor argument is made by the host"
    return None if case.results() else "nothing comes back"


def describe(case, blobs: dict[str, bytes]) -> dict:
    """A case as JSON; the arrays' bytes go into `blobs`."""
    from support import elements, recorded, signature
    from support.case import In, Scalar, initial_of

    arguments = []
    for parameter, argument in zip(signature.parameters(case.ttir), case.arguments):
        if isinstance(argument, Scalar):
            arguments.append({"kind": "scalar", "bytes": recorded.scalar_bits(argument.value, parameter.type).hex()})
            continue
        data = elements.bits(initial_of(argument)).tobytes()
        key = hashlib.sha256(data).hexdigest()[:24]
        blobs[key] = data
        size = initial_of(argument).dtype.itemsize
        arguments.append({"kind": "in" if isinstance(argument, In) else "out", "blob": key, "item": size})
    return {"grid": list(case.grid), "warps": case.num_warps, "ttir": case.ttir, "arguments": arguments}


def prepare(archive: Path, only: list[str], only_new: bool = False) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from support import catalogue, recorded, signature

    blobs: dict[str, bytes] = {}
    listed, refused = [], {}
    known = refused_digests(recorded.FOLDER / "not_recorded.json") if only_new else {}
    for stem in only or catalogue.op_files():
        try:
            cases = catalogue.cases_of(stem)
        except Exception as problem:  # noqa: BLE001 (one broken file must not cost the others their answers)
            print(f"{stem}: left out: {problem}")
            continue
        for case in cases:
            reason = refusal(case, [p.type for p in signature.parameters(case.ttir)])
            if reason:
                refused.setdefault(stem, {})[case.name] = reason
                continue
            digest = recorded.digest(case)
            had = recorded.answers(stem).get(case.name)
            if only_new and ((had and had.digest == digest) or known.get((stem, case.name)) == digest[:12]):
                continue
            listed.append({"op": stem, "name": case.name, "digest": digest, **describe(case, blobs)})
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("index.json", json.dumps({"cases": listed, "refused": refused}))
        for key, data in blobs.items():
            file.writestr(f"blob/{key}", data)
    print(f"{len(listed)} cases, {sum(map(len, refused.values()))} not asked, {archive.stat().st_size / 1e6:.1f} MB")


# ---- run: workers ------------------------------------------------------------------------------------------------------


def quiet(log: Path):
    """Sends the C++ side's messages to a file."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 2)
    os.close(file)


def error_text(problem: Exception, log: Path) -> str:
    """The first line that says what is wrong: MLIR's error, else the exception's."""
    text = log.read_text(errors="replace") if log.exists() else ""
    found = re.search(r"error: (?!Failures have been detected)(.*)", text) or re.search(r"error: (.*)", text)
    said = str(problem).strip().splitlines() or [""]
    return (found.group(1) if found else f"{type(problem).__name__}: {said[0]}")[:240]


def through_passes(text: Path, options: dict) -> None:
    """Replaces the text by what Triton's make_ttir makes of it."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    backend = make_backend(GPUTarget("cuda", CAPABILITY, 32))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = ir.parse_mlir_module(str(text), context)
    module.context = context
    backend.make_ttir(module, {}, backend.parse_options(options), CAPABILITY)
    text.write_text(str(module))


def compile_case(case: dict, place: Path) -> dict:
    """Compiles to PLACE.cubin; returns what a launch needs to know."""
    import triton
    from triton.backends.compiler import GPUTarget

    options = {"num_warps": case["warps"], "enable_fp_fusion": False}
    text = place.with_suffix(".ttir")
    text.write_text(case["ttir"])
    if NEEDS_PASSES.search(case["ttir"]):
        through_passes(text, options)
    kernel = triton.compile(str(text), target=GPUTarget("cuda", CAPABILITY, 32), options=options)
    place.with_suffix(".cubin").write_bytes(kernel.asm["cubin"])
    about = kernel.metadata
    facts = {key: getattr(about, key, 0) or 0 for key in ("shared", "global_scratch_size", "profile_scratch_size")}
    return {"name": about.name, "warps": about.num_warps, **facts}


class Launcher:
    """Runs cubins through the driver with raw bytes as parameters."""

    def __init__(self):
        import torch
        from triton.runtime import driver

        self.torch, self.driver = torch, driver.active
        torch.zeros(1, device="cuda")
        self.cuda = ctypes.CDLL("libcuda.so.1")

    def check(self, code: int) -> None:
        if code:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(code, ctypes.byref(text))
            raise RuntimeError(f"CUDA: {(text.value or b'?').decode()}")

    def buffer(self, data: bytes):
        host = np.frombuffer(data, np.uint8).copy() if data else np.zeros(1, np.uint8)
        return self.torch.from_numpy(host).cuda()

    def launch(self, case: dict, facts: dict, cubin: bytes, blobs: dict) -> list[np.ndarray]:
        """The raw bytes of the outputs."""
        torch = self.torch
        loaded = self.driver.utils.load_binary(facts["name"], cubin, facts["shared"], torch.cuda.current_device())
        function = loaded[1]
        buffers, parameters = [], []
        for argument in case["arguments"]:
            if argument["kind"] == "scalar":
                raw = bytes.fromhex(argument["bytes"])
                parameters.append((ctypes.c_ubyte * 8)(*raw))
                continue
            buffers.append((argument, self.buffer(blobs[argument["blob"]])))
            parameters.append(ctypes.c_uint64(buffers[-1][1].data_ptr()))
        programs = int(np.prod(case["grid"]))
        scratch = []
        for key in ("global_scratch_size", "profile_scratch_size"):
            scratch.append(torch.zeros(max(facts[key] * programs, 1), dtype=torch.uint8, device="cuda"))
            parameters.append(ctypes.c_uint64(scratch[-1].data_ptr()))
        pointers = (ctypes.c_void_p * len(parameters))(*[ctypes.addressof(p) for p in parameters])
        torch.cuda.synchronize()
        block = [ctypes.c_uint(n) for n in (*case["grid"], 32 * facts["warps"], 1, 1, facts["shared"])]
        self.check(self.cuda.cuLaunchKernel(ctypes.c_void_p(function), *block, ctypes.c_void_p(0), pointers, None))
        torch.cuda.synchronize()
        return [tensor.cpu().numpy() for argument, tensor in buffers if argument["kind"] == "out"]


def launch_case(launcher: Launcher, case: dict, place: Path, blobs: dict) -> dict:
    facts = json.loads(place.with_suffix(".json").read_text())
    cubin = place.with_suffix(".cubin").read_bytes()
    first = launcher.launch(case, facts, cubin, blobs)
    again = launcher.launch(case, facts, cubin, blobs)
    if any(a.tobytes() != b.tobytes() for a, b in zip(first, again)):
        return {"error": "two launches gave different bytes"}
    np.savez(place.with_suffix(".npz"), *first)
    return {"outputs": len(first)}


class Blobs:
    """The archive's arrays by key, read when needed."""

    def __init__(self, archive: Path):
        self.file = zipfile.ZipFile(archive)

    def __getitem__(self, key: str) -> bytes:
        return self.file.read(f"blob/{key}")


def work(mode: str, archive: Path, folder: Path, numbers: list[int]) -> int:
    """A worker: one line of JSON per case on stdout. Leaves with 3 when the GPU's context is lost."""
    report = os.fdopen(os.dup(1), "w", buffering=1)
    blobs = Blobs(archive)
    cases = json.loads(blobs.file.read("index.json"))["cases"]
    launcher = None
    for number in numbers:
        place = folder / f"case{number}"
        log = folder / f"case{number}.{mode}.log"
        quiet(log)
        print(json.dumps({"begin": number}), file=report)
        try:
            if mode == "compile":
                facts = compile_case(cases[number], place)
                place.with_suffix(".json").write_text(json.dumps(facts))
                result = {}
            else:
                launcher = launcher or Launcher()
                result = launch_case(launcher, cases[number], place, blobs)
        except Exception as problem:  # noqa: BLE001 (whatever it is, it is this case's answer)
            result = {"error": error_text(problem, log)}
        print(json.dumps({"end": number, **result}), file=report)
        if mode == "launch" and "error" in result and "CUDA" in result["error"]:
            return 3
    return 0


# ---- run: the parent ---------------------------------------------------------------------------------------------------


class Crew:
    """Worker processes over a list of cases; a worker that dies or hangs costs its case only."""

    def __init__(self, mode: str, archive: Path, folder: Path, workers: int):
        self.mode, self.archive, self.folder, self.workers = mode, archive, folder, workers
        self.results: dict[int, dict] = {}

    def run(self, numbers: list[int]) -> dict[int, dict]:
        import threading

        shares = [numbers[i :: self.workers] for i in range(self.workers)]
        threads = [threading.Thread(target=self.serve, args=(share,)) for share in shares if share]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.results

    def serve(self, share: list[int]) -> None:
        while share:
            share = self.one_worker(share)

    def one_worker(self, share: list[int]) -> list[int]:
        """Runs a worker until it ends; returns the cases that are left."""
        import threading

        words = [sys.executable, __file__, f"_{self.mode}", str(self.archive), str(self.folder)]
        log = tempfile.TemporaryFile(mode="w+", errors="replace")
        worker = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        worker.stdin.write(json.dumps(share))
        worker.stdin.close()
        timer, current = None, None
        for line in worker.stdout:
            if timer:
                timer.cancel()
            timer = threading.Timer(CASE_SECONDS, worker.kill)
            timer.start()
            try:
                said = json.loads(line)
            except ValueError:
                continue  # something printed to stdout by a library
            current = said.get("begin", current)
            if "end" in said:
                self.results[said.pop("end")] = said
                current = None
        code = worker.wait()
        if timer:
            timer.cancel()
        if current is not None:
            self.results[current] = {"error": f"{self.mode}: the process ended with {code}"}
        left = [number for number in share if number not in self.results]
        if len(left) == len(share):  # not even one begun
            log.seek(0)
            self.results[left.pop(0)] = {"error": f"{self.mode}: no worker could be started ({code}): {log.read()[-200:]}"}
        return left


def machine() -> dict:
    import torch
    import triton

    facts = {"gpu": "none", "driver": "none", "triton": triton.__version__, "torch": torch.__version__}
    if torch.cuda.is_available():
        facts["gpu"] = torch.cuda.get_device_name(0)
    if shutil.which("nvidia-smi"):
        words = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()
        facts["driver"] = said[0] if said else "unknown"
    return facts


def pack(folder: Path, out: Path, numbers: list[int]) -> None:
    """All outputs in a few .zip files."""
    part, file = 0, None
    for number in numbers:
        place = folder / f"case{number}.npz"
        if not place.exists():
            continue
        if file is None or (out / f"part{part}.zip").stat().st_size > PART_BYTES:
            if file:
                file.close()
                part += 1
            file = zipfile.ZipFile(out / f"part{part}.zip", "w", zipfile.ZIP_DEFLATED)
        file.write(place, place.name)
        file.fp.flush()
    if file:
        file.close()


def run(archive: Path, out: Path, compile_only: bool, jobs: int, match: str) -> None:
    cases = json.loads(Blobs(archive).file.read("index.json"))["cases"]
    numbers = [i for i, case in enumerate(cases) if re.search(match, f"{case['op']}/{case['name']}")]
    folder = Path(tempfile.mkdtemp(prefix="record-"))
    os.environ["TRITON_CACHE_DIR"] = str(folder / "cache")
    start = time.time()
    compiled = Crew("compile", archive, folder, jobs).run(numbers)
    good = [number for number in numbers if "error" not in compiled[number]]
    print(f"compiled {len(good)} of {len(numbers)} in {time.time() - start:.0f} s", flush=True)
    results = {number: compiled[number] for number in numbers if number not in good}
    if not compile_only:
        start = time.time()
        results |= Crew("launch", archive, folder, 4).run(good)
        out.mkdir(parents=True, exist_ok=True)
        pack(folder, out, good)
        kept = sum("error" not in results[number] for number in good)
        print(f"launched {kept} of {len(good)} in {time.time() - start:.0f} s", flush=True)
        (out / "report.json").write_text(json.dumps({"machine": machine(), "results": results}))
    for number, result in sorted(results.items()):
        if "error" in result:
            print(f"{cases[number]['op']}/{cases[number]['name']}: {result['error']}")
    shutil.rmtree(folder, ignore_errors=True)


# ---- collect -----------------------------------------------------------------------------------------------------------


def answers(out: Path) -> dict[int, list[np.ndarray]]:
    """Raw bytes of the outputs by case number."""
    found = {}
    for path in sorted(out.glob("part*.zip")):
        with zipfile.ZipFile(path) as file:
            for name in file.namelist():
                with file.open(name) as member, np.load(member) as arrays:
                    found[int(name[4:-4])] = [arrays[key] for key in arrays.files]
    return found


def refused_digests(listed: Path) -> dict[tuple[str, str], str]:
    """Of the cases that the GPU was asked and could not answer: the start of the digest by op and case."""
    if not listed.exists():
        return {}
    failed = json.loads(listed.read_text())["failed"]
    return {(stem, name): digest for by_op in failed.values() for stem, found in by_op.items() for name, digest in found.items()}


def read_record(path: Path) -> dict:
    """What write_record wrote: (digest, arrays, machine) by case."""
    from support import recorded

    if not path.exists():
        return {}
    with recorded.opened(path) as file:
        about = json.loads(bytes(file["about"]).decode())
        machines = about["machines"] if "machines" in about else [about["machine"]]
        return {
            name: (entry["digest"], [file[f"{entry['key']}.{i}"] for i in range(entry["outputs"])], machines[entry.get("machine", 0)])
            for name, entry in about["cases"].items()
        }


def current_digests() -> dict[str, dict[str, str]]:
    """Digest of every case, by op and name; a broken op file has none."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from support import catalogue, recorded

    found = {}
    for stem in catalogue.op_files():
        try:
            found[stem] = {case.name: recorded.digest(case) for case in catalogue.cases_of(stem)}
        except Exception as problem:  # noqa: BLE001
            print(f"{stem}: its records go: {problem}")
            found[stem] = {}
    return found


def collect(archive: Path, out: Path, target: Path) -> None:
    """Merges the answers into the records, and drops those of cases that are gone or have changed."""
    index = json.loads(Blobs(archive).file.read("index.json"))
    report = json.loads((out / "report.json").read_text())
    outputs, now = answers(out), current_digests()
    new: dict[str, dict] = {}
    failed = dict(old_failures(target / "not_recorded.json"))
    for number, case in enumerate(index["cases"]):
        key = (case["op"], case["name"])
        failed.pop(key, None)
        result = report["results"].get(str(number), {"error": "not run"})
        if "error" in result:
            failed[key] = (result["error"], case["digest"][:12])
            continue
        sizes = [argument["item"] for argument in case["arguments"] if argument["kind"] == "out"]
        arrays = [raw.view(f"u{size}") for raw, size in zip(outputs[number], sizes)]
        new.setdefault(case["op"], {})[case["name"]] = (case["digest"], arrays, report["machine"])
    target.mkdir(exist_ok=True)
    for path in target.glob("*.npz.xz"):
        if path.name.removesuffix(".npz.xz") not in now:
            path.unlink()
    for stem, digests in now.items():
        path = target / f"{stem}.npz.xz"
        cases = read_record(path) | new.get(stem, {})
        kept = {name: entry for name, entry in cases.items() if digests.get(name) == entry[0]}
        path.unlink(missing_ok=True)
        if kept:
            write_record(path, kept)
    failed = {key: found for key, found in failed.items() if now.get(key[0], {}).get(key[1], "")[:12] == found[1]}
    failed = {key: found for key, found in failed.items() if key[1] not in index["refused"].get(key[0], {})}
    write_refusals(target / "not_recorded.json", index["refused"], failed)
    total = sum(path.stat().st_size for path in target.iterdir())
    print(f"{sum(map(len, new.values()))} new answers, {len(failed)} failed, {total / 1e6:.1f} MB")


def old_failures(listed: Path) -> dict[tuple[str, str], tuple[str, str]]:
    if not listed.exists():
        return {}
    failed = json.loads(listed.read_text())["failed"]
    return {(stem, name): (reason, digest) for reason, ops in failed.items() for stem, found in ops.items() for name, digest in found.items()}


def write_refusals(path: Path, refused: dict, failed: dict) -> None:
    """`not_asked`: cases by reason and op; `failed`: what the GPU or its compiler said, by op and case, with the digest's start."""
    not_asked: dict[str, dict] = {}
    said: dict[str, dict] = {}
    for stem, cases in sorted(refused.items()):
        for name, reason in sorted(cases.items()):
            not_asked.setdefault(reason, {}).setdefault(stem, []).append(name)
    for (stem, name), (reason, digest) in sorted(failed.items()):
        said.setdefault(reason, {}).setdefault(stem, {})[name] = digest
    path.write_text(json.dumps({"failed": said, "not_asked": not_asked}, indent=1, sort_keys=True) + "\n")


def write_record(path: Path, cases: dict) -> None:
    about, arrays, machines = {}, {}, []
    for position, (name, (digest, outputs, where)) in enumerate(sorted(cases.items())):
        if where not in machines:
            machines.append(where)
        about[name] = {"digest": digest, "key": f"c{position}", "outputs": len(outputs), "machine": machines.index(where)}
        arrays |= {f"c{position}.{i}": array for i, array in enumerate(outputs)}
    text = json.dumps({"machines": machines, "cases": about}, sort_keys=True)
    write_arrays(path, {"about": np.frombuffer(text.encode(), np.uint8), **arrays})


def write_arrays(path: Path, arrays: dict) -> None:
    """A `.npz` without compression and time of day, packed as a whole: an op has thousands of small members that are alike."""
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as file:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.save(member, array)
            file.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), member.getvalue())
    path.write_bytes(lzma.compress(plain.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def main() -> int:
    if len(sys.argv) == 4 and sys.argv[1] in ("_compile", "_launch"):
        return work(sys.argv[1][1:], Path(sys.argv[2]), Path(sys.argv[3]), json.loads(sys.stdin.read()))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["prepare", "run", "collect"])
    parser.add_argument("archive", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--op", action="append", default=[], help="prepare: only this op file")
    parser.add_argument("--new", action="store_true", help="prepare: only cases without an answer")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--match", default="", help="run: a regular expression on OP/CASE")
    parser.add_argument("--target", type=Path, default=Path(__file__).resolve().parent / "recorded")
    options = parser.parse_args()
    if options.step == "prepare":
        prepare(options.archive, options.op, options.new)
    elif options.step == "run":
        run(options.archive, options.out or Path("out"), options.compile_only, options.jobs or 1, options.match)
    else:
        collect(options.archive, options.out, options.target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
