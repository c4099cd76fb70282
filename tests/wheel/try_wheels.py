#!/usr/bin/env python3
"""What is in dist/, as a user gets it (./dev wheels test; docs/wheels.md): each Linux wheel is installed into a clean environment of
every Python that can be had here and runs there, held against the ordinary build in bytes and speed; arm64 by qemu. The static
file runs where there is nothing else.

    try_wheels.py [linux-x86_64] [linux-arm64] [single-file] [--pythons 3.11,3.12] [--dist DIR] [--build BUILD] [--without packages,speed]

Exit code 1: something failed; 77: there is nothing of that kind in dist/, or nothing here to run it with.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from environments import ROOT, Emulated, Environment, Failed, clean_environment, emulated, native, pythons, run

HERE = Path(__file__).resolve().parent
MAX_SECONDS = 20.0
KERNELS = 400
# The kernel that `./dev demo` runs.
SIZES = ["x_stride=781", "out_stride=781", "rows=1823", "columns=781", "BLOCK=1024"]
SOFTMAX = ["--grid", "rows", "x=randn:f32[1823,781]", "out=empty:f32[1823,781]", *SIZES]
# The command's own tests; those of the package that need NumPy and pytest alone, and those with torch and Triton.
COMMAND_TESTS = ("command_line", "run", "races", "report", "check_language", "lanes", "completions", "verdicts")
PACKAGE_TESTS = ("standalone", "standalone_tuples", "options")
TRITON_TESTS = ("backend", "launcher", "plugin", "debugging")


class Trial:
    """One platform's tests: what they print, and what failed."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options, self.failures = options, 0

    def step(self, name: str, work) -> None:
        """One step; its answer is shown."""
        start = time.perf_counter()
        try:
            said = work() or "ok"
        except (Failed, subprocess.TimeoutExpired, OSError) as failure:
            self.failures += 1
            said = f"FAILED: {failure}"
        print(f"{name}: {said} [{time.perf_counter() - start:.1f} s]", flush=True)


def ordinary(options: argparse.Namespace) -> Path:
    """The ordinary build's command."""
    command = options.build / "lockstep"
    if not command.is_file():
        raise Failed(f"no {command} to compare with (./dev build, or --build)")
    return command


def examples(lockstep: list, folder: Path) -> dict[str, bytes]:
    """Every tensor after every launch of examples/launches.json, by a command."""
    folder.mkdir(parents=True)
    for launch in json.loads((ROOT / "examples" / "launches.json").read_text())["launches"]:
        words = [f"{name}={value}" for name, value in (launch["arguments"] | launch["constants"]).items()]
        for name, value in launch["arguments"].items():
            if "[" in value:
                words += ["--save", f"{name}=@{folder}/{launch['kernel']}.{name}.npy"]
        run([*lockstep, "run", f"{launch['file']}::{launch['kernel']}", "--grid", launch["grid"], *words])
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def same_examples(lockstep: list, options: argparse.Namespace, folder: Path) -> str:
    ours, theirs = examples(lockstep, folder / "ours"), examples([ordinary(options)], folder / "theirs")
    differing = sorted(name for name in theirs if ours.get(name) != theirs[name])
    if differing or len(ours) != len(theirs):
        raise Failed(f"bytes differ from the ordinary build's: {', '.join(differing)}")
    return f"{len(theirs)} tensors of the examples have the ordinary build's bytes"


def installed(environment: Environment | Emulated, options: argparse.Namespace) -> str:
    """pip install and the first kernel, as a user's first minute."""
    seconds = environment.install(options.dist)
    start = time.perf_counter()
    run([*environment.lockstep, "run", "examples/softmax.py::softmax", *SOFTMAX])
    first = time.perf_counter() - start
    run([*environment.lockstep, "run", "examples/softmax_missing_mask.py::softmax", *SOFTMAX], code=1)
    counted = first + (0 if isinstance(environment, Emulated) else seconds)  # emulated, pip alone takes longer than that
    if counted > MAX_SECONDS:
        raise Failed(f"install {seconds:.1f} s, first kernel {first:.1f} s: more than {MAX_SECONDS:.0f} s together")
    return f"install {seconds:.1f} s, first kernel {first:.1f} s"


def imported(environment: Environment | Emulated) -> str:
    """The package, its extension and the error pages are those of the wheel."""
    code = """import pathlib, sys, lockstep, lockstep._native as native
from lockstep import error_pages
place = pathlib.Path(native.__file__)
assert place.name.startswith('_native.cpython-%d%d-' % sys.version_info[:2]), place
assert (place.parent / 'error_pages_text' / 'LS101.md').is_file()
print(place, lockstep.__version__)"""
    place, version = run([*environment.python, "-c", code], cwd=environment.folder).split()
    if not Path(place).is_relative_to(environment.folder.resolve()):
        raise Failed(f"{place} is not in {environment.folder}")
    said = run([*environment.lockstep, "--version"]).strip()
    if version not in said:
        raise Failed(f"the package is {version}, the command says {said!r}")
    return version


def command_tests(lockstep: Path) -> str:
    """tests/cli on the installed command."""
    count = 0
    for name in COMMAND_TESTS:
        said = run([sys.executable, ROOT / "tests" / "cli" / f"test_{name}.py", lockstep])
        count += int(re.search(r"Ran (\d+) test", said)[1])
    return f"{count} tests of the command passed"


def served(lockstep: list) -> str:
    """The page, as a browser would ask for it, and a lesson of it."""
    words = [*map(str, lockstep), "serve", "examples/softmax_missing_mask.py::softmax", *SOFTMAX]
    with subprocess.Popen(words, cwd=ROOT, env=clean_environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            address = re.search(r"http://\S+", process.stdout.readline())
            if address is None:
                raise Failed("lockstep serve named no address")
            page = urllib.request.urlopen(address[0], timeout=60).read().decode()
            host = address[0].split("/?")[0]
            scripts = re.findall(r'(?:src|href)="([\w./-]+\.(?:js|css))"', page)
            for script in scripts:
                if not urllib.request.urlopen(f"{host}/{script.lstrip('/')}", timeout=60).read():
                    raise Failed(f"{script} is empty")
        finally:
            process.terminate()
    if "<html" not in page or not scripts:
        raise Failed(f"that is no page: {page[:200]}")
    return f"the page and {len(scripts)} of its files"


def package_tests(environment: Environment, names: tuple[str, ...]) -> str:
    """tests/python_package on the installed package."""
    files = [f"test_{name}.py" for name in names]
    said = run([*environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not campaign", *files], cwd=ROOT / "tests" / "python_package", timeout=1800)
    return said.strip().splitlines()[-1].strip("= ")


def c_library(python: list) -> str:
    return run([*python, "-c", "import os; print(os.confstr('CS_GNU_LIBC_VERSION'))"]).strip()


def same_launches(environment: Environment, options: argparse.Namespace) -> str:
    """Random kernels through the extension, against the ordinary build's."""
    package, kernels = {"PYTHONPATH": str(options.build / "python")}, environment.folder / "kernels.json"
    run([options.ordinary_python, HERE / "launches.py", "draw", str(KERNELS), kernels], **package)
    theirs = run([options.ordinary_python, HERE / "launches.py", "run", kernels], **package)
    ours = run([*environment.python, HERE / "launches.py", "run", kernels], cwd=environment.folder)
    if len(theirs.splitlines()) != KERNELS:
        raise Failed(f"the ordinary build ran {len(theirs.splitlines())} of {KERNELS} kernels")
    texts = json.loads(kernels.read_text())
    differing = [number for number, pair in enumerate(zip(ours.splitlines(), theirs.splitlines(), strict=True)) if pair[0] != pair[1]]
    libraries = [c_library(environment.python), c_library([options.ordinary_python])]
    # Functions of f64 are the C library's (S-34); a Python from another Debian suite brings its own.
    excused = [number for number in differing if libraries[0] != libraries[1] and "f64" in texts[number] and '"math.' in texts[number]]
    if len(differing) > len(excused) or len(excused) > KERNELS // 100:
        raise Failed(f"{len(differing)} of {KERNELS} random kernels differ from the ordinary build: {differing[:9]}")
    said = f"{KERNELS - len(excused)} of {KERNELS} random kernels leave the ordinary build's bytes"
    return said + (f"; {len(excused)} with functions of f64, of {libraries[0]} there and of {libraries[1]} here" if excused else "")


def with_torch(environment: Environment, options: argparse.Namespace) -> str:
    """torch and Triton of the ordinary build's Python, where it is of the same version; "" where not."""
    code = "import sys, sysconfig, torch, triton; print('%d.%d' % sys.version_info[:2], sysconfig.get_path('purelib'))"
    done = subprocess.run([options.ordinary_python, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stdout.split()[0] != environment.version:
        return ""
    site = run([*environment.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    Path(site, "others.pth").write_text(done.stdout.split()[1] + "\n")
    return done.stdout.split()[1]


def try_python(trial: Trial, environment: Environment, first: bool) -> None:
    """Everything that a Python of this machine can do with the wheel."""
    options, name = trial.options, f"Python {environment.version}"
    trial.step(f"{name}: from nothing", lambda: installed(environment, options))
    trial.step(f"{name}: import", lambda: imported(environment))
    if first:
        trial.step("command", lambda: command_tests(environment.lockstep[0]))
        trial.step("page", lambda: served(environment.lockstep))
        trial.step("bytes", lambda: same_examples(environment.lockstep, options, environment.folder / "bytes"))
    if "packages" in options.without:
        return
    if with_torch(environment, options):
        trial.step(f"{name}: package with torch and Triton", lambda: package_tests(environment, PACKAGE_TESTS + TRITON_TESTS))
        if "speed" not in options.without:
            words = [*environment.python, HERE / "speed.py", environment.python[0], options.ordinary_python, options.build / "python"]
            trial.step(f"{name}: speed", lambda: "\n  " + run(words, timeout=1800).strip().replace("\n", "\n  "))
    else:
        trial.step(f"{name}: NumPy and pytest", lambda: environment.add("numpy", "pytest", "hypothesis"))
        trial.step(f"{name}: package", lambda: package_tests(environment, PACKAGE_TESTS))
    trial.step(f"{name}: bytes", lambda: same_launches(environment, options))


def try_native(trial: Trial, folder: Path) -> int:
    tried = 0
    for version in trial.options.pythons:
        environment = native(version, folder / version)
        if environment is None:
            print(f"Python {version}: cannot be had here, not tried")
            continue
        try_python(trial, environment, first=tried == 0)
        tried += 1
    return tried


def try_emulated(trial: Trial, folder: Path) -> int:
    """arm64 by qemu: every Python that a Debian suite has."""
    tried = 0
    for version in trial.options.pythons:
        environment = emulated(version, folder / version)
        if environment is None:
            print(f"Python {version}: cannot be had for arm64 here, not tried")
            continue
        name = f"Python {version} for arm64"
        trial.step(f"{name}: from nothing", lambda environment=environment: installed(environment, trial.options))
        trial.step(f"{name}: import", lambda environment=environment: imported(environment))
        if tried == 0:
            trial.step("bytes", lambda environment=environment: same_examples(environment.lockstep, trial.options, folder / "bytes"))
        tried += 1
    return tried


def alone(file: Path, folder: Path) -> str:
    """The static file in a root folder where there is nothing else, not even a C library."""
    if os.geteuid() != 0 or shutil.which("chroot") is None:
        return "not tried: changing the root folder needs root"
    folder.mkdir()
    shutil.copy2(file, folder / "lockstep")
    shutil.copy2(ROOT / "examples" / "softmax.py", folder / "softmax.py")
    run(["chroot", folder, "/lockstep", "run", "/softmax.py::softmax", *SOFTMAX])
    return "runs where nothing else is"


def try_single_file(trial: Trial, folder: Path) -> int:
    (file,) = trial.options.dist.glob("lockstep-*-linux-x86_64")
    trial.step("checksum", lambda: run(["sha256sum", "-c", f"{file.name}.sha256"], cwd=file.parent).strip())
    trial.step("alone", lambda: alone(file, folder / "alone"))
    trial.step("command", lambda: command_tests(file))
    trial.step("page", lambda: served([file]))
    trial.step("bytes", lambda: same_examples([file], trial.options, folder / "bytes"))
    return 1


TRIALS = {
    "linux-x86_64": ("*x86_64.whl", try_native),
    "linux-arm64": ("*aarch64.whl", try_emulated),
    "single-file": ("lockstep-*-linux-x86_64", try_single_file),
}


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("platforms", nargs="*", metavar="PLATFORM", help=", ".join(TRIALS))
    words.add_argument("--pythons", type=lambda text: text.split(","), default=list(pythons.VERSIONS))
    words.add_argument("--dist", type=lambda text: Path(text).resolve(), default=ROOT / "dist")
    words.add_argument("--build", type=lambda text: Path(text).resolve(), default=ROOT / "build")
    words.add_argument("--without", type=lambda text: text.split(","), default=[])
    options = words.parse_args()
    unknown = [name for name in options.platforms if name not in TRIALS] + [one for one in options.pythons if one not in pythons.VERSIONS]
    if unknown:
        words.error(f"{unknown[0]} is none of {', '.join([*TRIALS, *pythons.VERSIONS])}")
    options.ordinary_python = os.environ.get("LOCKSTEP_PYTHON", str(ROOT / ".cache" / "venv" / "bin" / "python"))
    failures = tried = 0
    for platform in options.platforms or TRIALS:
        pattern, work = TRIALS[platform]
        if not any("linux" in path.name for path in options.dist.glob(pattern)):
            print(f"{platform}: nothing in {options.dist} (./dev wheels {platform})")
            continue
        print(f"== {platform}", flush=True)
        trial = Trial(options)
        with tempfile.TemporaryDirectory(prefix="lockstep-wheel-") as folder:
            tried += work(trial, Path(folder))
        failures += trial.failures
    print(f"wheels: {failures} steps failed" if failures else f"wheels: everything that was tried works ({tried} environments)")
    if not tried:
        print("skipped: no wheel that runs here in dist/")
        return 77
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
