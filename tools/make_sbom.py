#!/usr/bin/env python3
"""Writes a CycloneDX 1.6 list of what is compiled into a Lockstep: Lockstep and the parts below, with the versions that the
headers of this build say. The same headers make the same bytes.

    tools/make_sbom.py OUT.cdx.json [--include FOLDER ...] [--add NAME=VERSION ...] [--without NAME ...]

Header libraries are always in. What a build links itself is added: --add libc++=19.1.7, --add zlib=1.3.1 (without
=VERSION: as the headers say). A part whose version is not found is an error.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release_facts import DISTRIBUTION, version

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "triton-lockstep.sbom")


@dataclass(frozen=True)
class Part:
    """Somebody else's software. `header`s are tried in turn; the groups of `pattern` are the version's numbers."""

    name: str
    licence: str  # SPDX
    description: str
    headers: tuple[str, ...]
    pattern: str  # of one number each: (?P<a>..)(?P<b>..)(?P<c>..), or one group `text`
    form: str = ""  # how a packed number is taken apart: "fmt" 90100, "boost" 107400
    always: bool = True


def defines(*names: str) -> str:
    """Numbers of #define lines that stand in this order, with anything between."""
    return r"[\s\S]*?".join(rf"#\s*define\s+{name}\s+(\d+)" for name in names)


PARTS = (
    Part("Boost", "BSL-1.0", "Container, Interval, ICL, Asio, Beast: headers", ("boost/version.hpp",), defines("BOOST_VERSION"), "boost"),
    Part("CLI11", "BSD-3-Clause", "the command line: headers", ("CLI/Version.hpp",), defines("CLI11_VERSION_MAJOR", "CLI11_VERSION_MINOR", "CLI11_VERSION_PATCH")),
    Part("Eigen", "MPL-2.0", "products of matrices: headers", ("Eigen/src/Core/util/Macros.h",), defines("EIGEN_WORLD_VERSION", "EIGEN_MAJOR_VERSION", "EIGEN_MINOR_VERSION")),
    Part("fmt", "MIT", "texts", ("fmt/base.h", "fmt/core.h"), defines("FMT_VERSION"), "fmt"),
    Part("nlohmann-json", "MIT", "JSON: headers", ("nlohmann/detail/abi_macros.hpp", "nlohmann/json.hpp"),
         defines("NLOHMANN_JSON_VERSION_MAJOR", "NLOHMANN_JSON_VERSION_MINOR", "NLOHMANN_JSON_VERSION_PATCH")),
    Part("pybind11", "BSD-3-Clause", "the Python extension: headers", ("pybind11/detail/common.h",),
         r"#\s*define\s+PYBIND11_VERSION_MAJOR\s+(\d+)[\s\S]*?PYBIND11_VERSION_MINOR\s+(\d+)[\s\S]*?PYBIND11_VERSION_(?:PATCH|MICRO)\s+(\d+)"),
    Part("spdlog", "MIT", "the log", ("spdlog/version.h",), defines("SPDLOG_VER_MAJOR", "SPDLOG_VER_MINOR", "SPDLOG_VER_PATCH")),
    Part("zlib", "Zlib", "compressed files, linked statically", ("zlib.h",), r'#\s*define\s+ZLIB_VERSION\s+"(?P<text>[\d.]+)', always=False),
    Part("libc++", "Apache-2.0 WITH LLVM-exception", "C++ standard library, linked statically", ("c++/v1/__config",), defines("_LIBCPP_VERSION"), "libc++", always=False),
    Part("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", "C++ standard library, linked statically", (), "", always=False),
    Part("libedit", "BSD-3-Clause", "line editing, linked statically", (), "", always=False),
)  # fmt: skip


def unpacked(form: str, number: int) -> str:
    """A version that is kept as one number."""
    if form == "boost":
        return f"{number // 100000}.{number // 100 % 1000}.{number % 100}"
    if form == "fmt":
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"  # libc++: 190107


def found_version(part: Part, folders: list[Path]) -> str:
    """What the first header that is there says; "" where none is, or none says it."""
    for folder in folders:
        for header in part.headers:
            path = folder / header
            match = re.search(part.pattern, path.read_text(encoding="utf-8", errors="replace")) if path.is_file() else None
            if match is None:
                continue
            if part.form:
                return unpacked(part.form, int(match[1]))
            return match["text"] if "text" in match.groupdict() else ".".join(match.groups())
    return ""


def default_folders() -> list[Path]:
    """Where a build on this machine finds headers."""
    asked = subprocess.run([sys.executable, "-m", "pybind11", "--includes"], capture_output=True, text=True, check=False)
    own = [Path(word[2:]) for word in asked.stdout.split() if word.startswith("-I")]
    return [*own, *map(Path, ("/usr/include", "/usr/include/eigen3", "/usr/local/include", "/opt/homebrew/include"))]


def component(part: Part, number: str) -> dict:
    """One entry of `components`."""
    kind = "expression" if " " in part.licence else "license"
    licence = {"expression": part.licence} if kind == "expression" else {"license": {"id": part.licence}}
    return {
        "type": "library",
        "bom-ref": f"{part.name}@{number}",
        "name": part.name,
        "version": number,
        "description": part.description,
        "licenses": [licence],
        "purl": f"pkg:generic/{part.name.lower().replace('+', '%2B')}@{number}",
    }


def document(parts: list[tuple[Part, str]]) -> dict:
    """The whole list. No time stands in it, so that a build can be repeated."""
    number = version()
    ours = f"{DISTRIBUTION}@{number}"
    components = [component(part, found) for part, found in sorted(parts, key=lambda one: one[0].name.lower())]
    content = json.dumps(components, sort_keys=True) + ours
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, content)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": ours,
                "name": DISTRIBUTION,
                "version": number,
                "description": "Runs and explains Triton kernels without a GPU",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "purl": f"pkg:pypi/{DISTRIBUTION}@{number}",
            }
        },
        "components": components,
        "dependencies": [{"ref": ours, "dependsOn": [one["bom-ref"] for one in components]}, *({"ref": one["bom-ref"]} for one in components)],
    }


def chosen(added: dict[str, str], without: set[str], folders: list[Path]) -> list[tuple[Part, str]]:
    """The parts of this build with their versions; ends the process where one is unknown or not found."""
    unknown = (set(added) | without) - {part.name for part in PARTS}
    if unknown:
        raise SystemExit(f"error: no such part: {', '.join(sorted(unknown))}\nhint: the parts are {', '.join(part.name for part in PARTS)}")
    parts, missing = [], []
    for part in PARTS:
        if part.name in without or not (part.always or part.name in added):
            continue
        found = added.get(part.name) or found_version(part, folders)
        if found:
            parts.append((part, found))
        else:
            missing.append(part.name)
    if missing:
        raise SystemExit(f"error: no version of {', '.join(missing)} in {', '.join(map(str, folders))}\nhint: --include FOLDER, or --add NAME=VERSION, or --without NAME")
    return parts


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("out", type=Path)
    words.add_argument("--include", type=Path, action="append", default=[], metavar="FOLDER", help="headers of this build, before the system's")
    words.add_argument("--add", action="append", default=[], metavar="NAME[=VERSION]", help="a part that this build links itself, or a part's version")
    words.add_argument("--without", action="append", default=[], metavar="NAME")
    options = words.parse_args()
    added = {name: number for name, _, number in (word.partition("=") for word in options.add)}
    parts = chosen(added, set(options.without), [*options.include, *default_folders()])
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(document(parts), indent=1) + "\n", encoding="utf-8")
    print(f"{options.out}: {', '.join(f'{part.name} {found}' for part, found in parts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
