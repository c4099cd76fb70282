#!/usr/bin/env python3
"""Makes wheels with zig's compiler, for each platform on any machine, and the static command, in dist/ (docs/wheels.md)."""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pack
import pythons
from pythons import CACHE, ROOT

ZIG = ROOT / ".cache" / "zig"
MAX_BYTES = 20 * 2**20


@dataclass(frozen=True)
class Platform:
    """A toolchain file of zig and the wheel's tag."""

    toolchain: str
    tag: str


PLATFORMS = {
    "linux-x86_64": Platform("wheel-linux-x86_64", "manylinux2014_x86_64.manylinux_2_17_x86_64"),
    "linux-arm64": Platform("wheel-linux-arm64", "manylinux2014_aarch64.manylinux_2_17_aarch64"),
    "macos-x86_64": Platform("wheel-macos-x86_64", "macosx_13_0_x86_64"),
}
SINGLE_FILE = "single-file"
NAMES = ["linux-x86_64", "linux-arm64", SINGLE_FILE, "macos-x86_64"]
LINUX = NAMES[:3]
# Platform -> why there is no wheel for it.
REFUSED = {"macos-arm64": "f64 functions of libdevice are rounded from a wider type (interpreter/libdevice/elementary.h), which macOS has not on arm64"}


def say(text: str) -> None:
    print(f"wheels: {text}", flush=True)


def zig_folder() -> Path:
    """Where the package ziglang lies."""
    (folder,) = ZIG.glob("lib/python3*/site-packages/ziglang")
    return folder


def package_version(name: str) -> str:
    """Of a package in .cache/zig."""
    code = f"from importlib.metadata import version; print(version({name!r}))"
    return subprocess.run([ZIG / "bin" / "python", "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def pybind11_headers() -> Path:
    code = "import pybind11; print(pybind11.get_include())"
    return Path(subprocess.run([ZIG / "bin" / "python", "-c", code], check=True, capture_output=True, text=True).stdout.strip())


def zlib() -> Path:
    """zlib's sources; LOCKSTEP_ZLIB_SOURCE names others."""
    folder = Path(os.environ.get("LOCKSTEP_ZLIB_SOURCE", CACHE / "zlib"))
    if subprocess.run([ROOT / "packaging" / "wheel" / "zlib_source.sh", folder], check=False).returncode != 0:
        raise SystemExit(3)
    return folder


def cmake(build: Path, options: list, jobs: int, **settings: str) -> None:
    """Configures and compiles; compiled objects are kept by ccache from one checkout to the next."""
    environment = {**os.environ, "CCACHE_BASEDIR": str(ROOT), **settings}
    options += ["-DCMAKE_BUILD_TYPE=Release", "-DLOCKSTEP_UNITY=ON", "-DLOCKSTEP_CUDA=OFF", "-DLOCKSTEP_TESTS=OFF"]
    if shutil.which("ccache"):
        options += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
    configure = ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options]
    done = subprocess.run(configure, env=environment, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    if subprocess.run(["cmake", "--build", build, "-j", str(jobs)], env=environment, check=False).returncode != 0:
        raise SystemExit(f"error: {build} did not compile")


def compile_wheel(platform: Platform, build: Path, found: list[pythons.Python], jobs: int) -> None:
    """All that a wheel has, by zig."""
    listed = ";".join(f"{one.version}={pythons.plain_headers(one)}" for one in found)
    options = ["--toolchain", ROOT / "cmake" / "toolchains" / f"{platform.toolchain}.cmake", "-DLOCKSTEP_WHEEL=ON", f"-DLOCKSTEP_ZLIB_SOURCE={zlib()}"]
    options += [f"-DLOCKSTEP_WHEEL_PYTHONS={listed}", f"-DLOCKSTEP_PYBIND11_HEADERS={pybind11_headers()}"]
    shutil.rmtree(build / "python", ignore_errors=True)  # extensions of Pythons that are no longer asked for
    # The compiler is a script of ours, of the same name for each target: the cache must know the target.
    zig = f"string:ziglang {package_version('ziglang')} {platform.toolchain}"
    cmake(build, options, jobs, CCACHE_COMPILERTYPE="clang", CCACHE_COMPILERCHECK=zig)


def compile_single_file(build: Path, jobs: int) -> None:
    """The command by this machine's compiler: with the flags and the depth of folder of `build`, so that objects are shared."""
    if platform.machine() != "x86_64" or sys.platform != "linux":
        raise SystemExit("error: the single file is made by the ordinary compiler of Linux x86-64\nhint: leave single-file out here")
    cmake(build, ["-DLOCKSTEP_STATIC=ON", "-DLOCKSTEP_PYTHON_PACKAGE=OFF", "-DLOCKSTEP_WERROR=TRIED"], jobs)


def sbom(build: Path) -> Path:
    """The list of what is compiled in, with the versions of these very headers."""
    path = build / "triton-lockstep.cdx.json"
    config = (zig_folder() / "lib" / "libcxx" / "include" / "__config").read_text(encoding="utf-8")
    number = int(re.search(r"define _LIBCPP_VERSION (\d+)", config)[1])
    libcxx = f"libc++={number // 10000}.{number // 100 % 100}.{number % 100}"
    words = [ROOT / "tools" / "make_sbom.py", path, "--add", "zlib", "--add", libcxx]
    for folder in (build / "headers", pybind11_headers(), zlib()):
        words += ["--include", folder]
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return path


def kept_apart(build: Path) -> None:
    """That no code of one Python's bindings is linked for another's."""
    done = subprocess.run([ZIG / "bin" / "python", ROOT / "packaging" / "wheel" / "symbols.py", build], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"error: bindings of several Pythons share names, or could not be read:\n{done.stdout}{done.stderr}")


def verdict(wheel: Path) -> str:
    """What auditwheel says of a Linux wheel: the oldest platform that it fits. It must be one that the name promises."""
    done = subprocess.run([ZIG / "bin" / "auditwheel", "show", wheel], capture_output=True, text=True, check=False)
    said = re.search(r'platform tag:\s*"([\w.]+)"', done.stdout)
    if done.returncode != 0 or said is None:
        raise SystemExit(f"error: auditwheel does not judge {wheel.name}:\n{done.stdout}{done.stderr}")
    if said[1] not in wheel.name:
        raise SystemExit(f"error: auditwheel finds {wheel.name} fit for {said[1]} only:\n{done.stdout}")
    return f"auditwheel: {said[1]}"


def make_wheel(platform: Platform, build: Path, found: list[pythons.Python], out: Path) -> tuple[Path, str]:
    """The wheel in dist/ and what was found out about it."""
    versions = [one.version for one in found]
    if "linux" in platform.tag:
        kept_apart(build)
    for old in out.glob(f"{pack.NAME}-{pack.version()}-*{platform.tag}.whl"):
        old.unlink()
    wheel = out / pack.wheel_name(versions, platform.tag)
    pack.write(wheel, pack.contents(build, versions, platform.tag, sbom(build)))
    return wheel, verdict(wheel) if "linux" in platform.tag else "linked; built, not run"


def make_single_file(build: Path, out: Path) -> tuple[Path, str]:
    """The command in one file that needs nothing, and its checksum as sha256sum -c wants it."""
    file = out / f"lockstep-{pack.version()}-linux-x86_64"
    shutil.copy2(build / "lockstep", file)
    with file.open("rb") as opened:
        start = opened.read(4096)
    if b"ld-linux" in start or b"ld-musl" in start:
        raise SystemExit(f"error: {file} asks for a loader")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    file.with_name(file.name + ".sha256").write_text(f"{digest}  {file.name}\n")
    return file, f"static; sha256 {digest[:16]}..."


def make(name: str, found: list[pythons.Python], out: Path, jobs: int) -> tuple[Path, str]:
    """One platform from nothing to dist/."""
    start, before = time.monotonic(), os.times()
    if name == SINGLE_FILE:
        build = ROOT / "build-single-file"
        compile_single_file(build, jobs)
        file, said = make_single_file(build, out)
    else:
        build = ROOT / "build-wheels" / name
        compile_wheel(PLATFORMS[name], build, found, jobs)
        file, said = make_wheel(PLATFORMS[name], build, found, out)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    size = file.stat().st_size
    if size > MAX_BYTES:
        raise SystemExit(f"error: {file.name} has {size / 2**20:.1f} MiB (at most {MAX_BYTES >> 20})")
    return file, f"{size / 2**20:5.1f} MiB, {time.monotonic() - start:.0f} s ({seconds:.0f} CPU s); {said}"


def headers(word: str) -> tuple[str, Path]:
    version, _, folder = word.partition("=")
    if version not in pythons.VERSIONS or not folder:
        raise argparse.ArgumentTypeError(f"{word!r} is not of the form 3.X=FOLDER")
    return version, Path(folder).resolve()


def main() -> int:
    words = argparse.ArgumentParser(prog="./dev wheels", description=__doc__.splitlines()[0])
    words.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"{', '.join(NAMES)}; without one, or all: {', '.join(LINUX)}")
    words.add_argument("--pythons", default=",".join(pythons.VERSIONS), metavar="3.X,3.Y", help="only these (default: %(default)s)")
    words.add_argument("--headers", type=headers, action="append", default=[], metavar="3.X=FOLDER", help="where that Python's Python.h is")
    words.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    words.add_argument("--out", type=Path, default=ROOT / "dist")
    options = words.parse_args()
    names = LINUX if options.platforms in ([], ["all"]) else options.platforms
    for name in names:
        if name in REFUSED:
            words.error(f"{name} cannot be made yet: {REFUSED[name]}")
    unknown = [name for name in names if name not in NAMES] + [one for one in options.pythons.split(",") if one not in pythons.VERSIONS]
    if unknown:
        words.error(f"{unknown[0]} is none of {', '.join(NAMES)}, all, nor a Python of {', '.join(pythons.VERSIONS)}")
    say(f"making {', '.join(names)}")
    found = []
    if any(name in PLATFORMS for name in names):
        found = pythons.find_all(options.pythons.split(","), dict(options.headers))
    options.out.mkdir(parents=True, exist_ok=True)
    made = [make(name, found, options.out, options.jobs) for name in names]
    for file, said in made:
        say(f"{file.name}: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
