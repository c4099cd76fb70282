#!/usr/bin/env python3
"""Lays the Python package out in a build folder so that PYTHONPATH=BUILD/python is as good as an installed wheel.

Python files become links into the source tree (an edit needs no build; a new file needs this script), error pages go
to lockstep/error_pages_text, and a dist-info with the entry points of pyproject.toml makes Triton and pytest find us.
Files whose source is gone are removed; the extension, which the build writes, is left alone.
"""

import argparse
import os
import re
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib

SUFFIXES = {".py", ".pyi", ".typed", ".md", ".json", ".css", ".js"}


def package_files(source: Path) -> dict[str, Path]:
    """Place in the package -> file of the source tree."""
    root = source / "python" / "lockstep"
    files = {
        path.relative_to(root).as_posix(): path
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and (path.suffix in SUFFIXES or path.name == "py.typed")
    }
    for path in (source / "docs" / "errors").glob("LS*.md"):
        files["error_pages_text/" + path.name] = path
    return files


def link(target: Path, source: Path) -> None:
    """Makes `target` a link to `source`; a copy where links cannot be made."""
    if target.is_symlink() and os.readlink(target) == str(source):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        target.symlink_to(source)
    except OSError:
        target.write_bytes(source.read_bytes())


def remove_stale(package: Path, files: dict[str, Path]) -> None:
    """Removes links whose file is no longer part of the package."""
    for path in package.rglob("*"):
        if path.is_symlink() and path.relative_to(package).as_posix() not in files:
            path.unlink()


def entry_points(project: dict) -> str:
    """The text of entry_points.txt."""
    groups = dict(project.get("entry-points", {}))
    if "scripts" in project:
        groups["console_scripts"] = project["scripts"]
    lines = []
    for group, entries in sorted(groups.items()):
        lines.append(f"[{group}]")
        lines += [f"{name} = {target}" for name, target in sorted(entries.items())]
        lines.append("")
    return "\n".join(lines)


def write_if_changed(path: Path, text: str) -> None:
    """Leaves the file's time alone when nothing changed."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def write_dist_info(source: Path, destination: Path, version: str) -> None:
    """METADATA and entry_points.txt; those of other versions and of an earlier name are removed."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    folder = destination / f"{re.sub(r'[-_.]+', '_', project['name']).lower()}-{version}.dist-info"
    for other in destination.glob("*.dist-info"):
        if other != folder:
            for file in other.iterdir():
                file.unlink()
            other.rmdir()
    metadata = (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\nSummary: {project['description']}\n"
    )
    write_if_changed(folder / "METADATA", metadata)
    write_if_changed(folder / "entry_points.txt", entry_points(project))


def main() -> None:
    """Reads the command line and stages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--destination", type=Path, required=True)
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    package = options.destination / "lockstep"
    files = package_files(options.source.resolve())
    package.mkdir(parents=True, exist_ok=True)
    remove_stale(package, files)
    for place, source in files.items():
        link(package / place, source)
    write_dist_info(options.source, options.destination, options.version)


if __name__ == "__main__":
    main()
