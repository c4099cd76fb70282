#!/usr/bin/env python3
"""Fills the recipes of packaging/ with where a release's source distribution lies and its hash.

    tools/make_packages.py dist/triton_lockstep-0.1.0.tar.gz FOLDER-URL OUT [--homepage URL]
"""

import argparse
import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release_facts import ROOT, version

RECIPES = ("conda/recipe.yaml", "homebrew/triton-lockstep.rb", "nix/package.nix")


def filled(text: str, values: dict[str, str]) -> str:
    """The text with every @NAME@ replaced."""
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("sdist", type=Path)
    words.add_argument("folder", help="address of the folder that the release's files lie in")
    words.add_argument("out", type=Path)
    words.add_argument("--homepage", default="")
    options = words.parse_args()
    if options.sdist.name != f"triton_lockstep-{version()}.tar.gz":
        raise SystemExit(f"{options.sdist.name} is not the source distribution of {version()}")
    folder = options.folder.rstrip("/")
    values = {
        "URL": f"{folder}/{options.sdist.name}",
        "FOLDER": folder,
        "SHA256": hashlib.sha256(options.sdist.read_bytes()).hexdigest(),
        "HOMEPAGE": options.homepage or folder,
    }
    for recipe in RECIPES:
        target = options.out / Path(recipe).name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled((ROOT / "packaging" / recipe).read_text(encoding="utf-8"), values), encoding="utf-8")
        print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
