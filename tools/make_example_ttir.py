#!/usr/bin/env python3
"""Writes the checked-in TTIR: examples/ttir/NAME.ttir, and beside every seed that Triton compiles NAME.ttir with the command.

It is what Triton 3.6 makes of the source, with locations, as its cache would hold it; folders of this machine are taken out.

  tools/make_example_ttir.py [--check]     --check: compare only; exit 1 when a file is stale
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "triton_oracle"))
import specialise  # noqa: E402
import triton_oracle  # noqa: E402


def example_files() -> dict[Path, str]:
    files = {}
    for launch in json.loads((ROOT / "examples/launches.json").read_text())["launches"]:
        kernel = triton_oracle.load_kernel(launch["file"], launch["kernel"])
        module = triton_oracle.lower(kernel, launch["sig"], launch["attr"], launch["constants"])
        files[ROOT / "examples/ttir" / (launch["name"] + ".ttir")] = triton_oracle.portable(str(module))
    return files


def seed_text(command: specialise.Command) -> str:
    """The module of one command, headed by the same command without its constants."""
    kernel = triton_oracle.load_kernel(command.file, command.kernel)
    constexpr = {parameter.name: parameter.is_constexpr for parameter in kernel.params}
    sig, attr, constants = specialise.specialise(command, kernel.arg_names, constexpr)
    module = triton_oracle.lower(kernel, sig, attr, constants)
    values = [f"{name}={value}" for name, value in command.values.items() if name not in constants]
    words = [f'"{word}"' if " " in word else word for word in [*values, *command.rest]]
    folder = str(Path(command.file).parent)
    header = f"// args: run {{file}} --grid {command.grid} {' '.join(words)}".replace(folder, "{folder}")
    return f"{header}\n{triton_oracle.portable(str(module))}"


def seed_files() -> dict[Path, str]:
    files = {}
    for path in sorted((ROOT / "tests/founding_reports").rglob("*.py")):
        for number, command in enumerate(specialise.commands_of(path, ROOT)):
            try:
                text = seed_text(command)
            except Exception as refused:  # what Triton refuses has no TTIR
                print(f"{path.relative_to(ROOT)}: Triton refuses it: {str(refused.__cause__ or refused).splitlines()[-1]}")
                continue
            files[path.with_suffix(".ttir" if number == 0 else f".{number + 1}.ttir")] = text
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    files = example_files() | seed_files()
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        print(("stale: " if arguments.check else "") + str(path.relative_to(ROOT)))
        if not arguments.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files[path])
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
