#!/usr/bin/env python3
"""Says what is missing for a release: one line for each condition, exit code 1 if any does not hold.

    tools/check_release.py              of the version in CMakeLists.txt
    tools/check_release.py 0.1.0        and that is the version meant
      --tagged       the tag stands, at this commit (without it: no tag of that name, or at this commit)
      --dist DIR     every file to publish is there, with the right version and size, and nothing else
"""

import argparse
import hashlib
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_name
from check_versions import changelog_problems, place_problems
from release_facts import ROOT, sections, version

MAX_BYTES = 20 * 2**20
PLATFORMS = {
    "Linux x86-64": r"manylinux_2_(\d+)_x86_64",
    "Linux arm64": r"manylinux_2_(\d+)_aarch64",
}
MAX_GLIBC = 28  # manylinux_2_28


def git(*words: str) -> str:
    """Its answer; "" where git has none."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.rstrip() if done.returncode == 0 else ""


def tag_problems(number: str, must_stand: bool) -> list[str]:
    """Whether v0.1.0 is where it may be."""
    head, tagged = git("rev-parse", "HEAD"), git("rev-parse", "-q", "--verify", f"refs/tags/v{number}^{{commit}}")
    if not head:
        return ["this is no git repository"]
    if tagged and tagged != head:
        return [f"the tag v{number} is at another commit, {tagged[:12]}: raise the version"]
    if must_stand and not tagged:
        return [f"no tag v{number}: git tag v{number} && git push origin v{number}, or let the workflow make it"]
    return []


def tree_problems() -> list[str]:
    """Files that are not committed."""
    changed = git("status", "--porcelain").splitlines()
    shown = ", ".join(line[3:] for line in changed[:5]) + (" ..." if len(changed) > 5 else "")
    return [f"{len(changed)} files are not committed: {shown}"] if changed else []


def notes_problems(number: str) -> list[str]:
    """The release's section of CHANGELOG.md, and nothing above it."""
    found, problems = sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    problems += changelog_problems(ROOT, number) if not problems else []
    named = {section.name: section for section in found}
    if number not in named:
        problems.append(f"CHANGELOG.md has no '## {number} - DATE': tools/release_notes.py --cut DATE")
    elif named[number].is_empty:
        problems.append(f"CHANGELOG.md has nothing under {number}")
    return problems


def dist_problems(folder: Path, number: str) -> list[str]:
    """The source distribution, one wheel for each platform, the single file with its checksum."""
    if not folder.is_dir():
        return [f"no folder {folder}"]
    problems, left = [], {path.name: path for path in folder.iterdir() if path.suffix in (".whl", ".gz")}
    if left.pop(f"triton_lockstep-{number}.tar.gz", None) is None:
        problems.append(f"no source distribution triton_lockstep-{number}.tar.gz")
    for platform, tag in PLATFORMS.items():
        # One wheel may carry several tags, such as manylinux_2_17_x86_64.manylinux2014_x86_64.
        fitting = [name for name in left if re.fullmatch(rf"triton_lockstep-{re.escape(number)}-[\w.]+-[\w.]+-(?:[\w]+\.)*{tag}(?:\.\w+)*\.whl", name)]
        if len(fitting) != 1:
            problems.append(f"{len(fitting)} wheels for {platform}: {', '.join(fitting) or 'of ' + tag}")
        for name in fitting:
            size = left.pop(name).stat().st_size
            if size > MAX_BYTES:
                problems.append(f"{name}: {size / 2**20:.1f} MiB (at most {MAX_BYTES >> 20})")
            glibc = re.search(tag, name)
            if glibc is not None and glibc.groups() and int(glibc[1]) > MAX_GLIBC:
                problems.append(f"{name}: needs glibc 2.{glibc[1]} (at most 2.{MAX_GLIBC})")
    single = folder / f"lockstep-{number}-linux-x86_64"
    checksum = single.with_name(single.name + ".sha256")
    if not single.is_file() or not checksum.is_file():
        problems.append(f"no {single.name} with its {checksum.name}")
    elif checksum.read_text().split() != [hashlib.sha256(single.read_bytes()).hexdigest(), single.name]:
        problems.append(f"{checksum.name} is not the checksum of {single.name}")
    problems += [f"{name} is none of what is published" for name in sorted(left)]
    return problems


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("version", nargs="?", default="")
    words.add_argument("--tagged", action="store_true")
    words.add_argument("--dist", type=Path)
    options = words.parse_args()
    number = version()
    wanted = options.version.removeprefix("v")
    conditions = {
        "version": ([] if wanted in ("", number) else [f"CMakeLists.txt has {number}, not {wanted}"]) + place_problems(ROOT, number),
        "changelog": notes_problems(number),
        "name": ["tools/check_name.py finds another project's name"] if check_name.main() else [],
        "tree": tree_problems(),
        "tag": tag_problems(number, options.tagged),
    }
    if options.dist is not None:
        conditions["files"] = dist_problems(options.dist, number)
    for name, problems in conditions.items():
        for problem in problems or ["ok"]:
            print(f"{name + ':':11} {problem}")
    missing = sum(bool(problems) for problems in conditions.values())
    print(f"release {number}: " + (f"{missing} of {len(conditions)} conditions do not hold" if missing else "nothing is missing"))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
