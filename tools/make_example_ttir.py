#!/usr/bin/env python3
"""Writes examples/ttir/NAME.ttir: what Triton 3.6 makes of every example, with locations, as its cache would hold it.

  tools/make_example_ttir.py [--check] [NAME ...]     --check: compare only; exit 1 when a file is stale
"""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))
import triton_oracle  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    stale = []
    for launch in json.loads((ROOT / "examples/launches.json").read_text())["launches"]:
        if arguments.names and launch["name"] not in arguments.names:
            continue
        kernel = triton_oracle.load_kernel(launch["file"], launch["kernel"])
        text = triton_oracle.portable(str(triton_oracle.lower(kernel, launch["sig"], launch["attr"], launch["constants"])))
        target = ROOT / "examples/ttir" / (launch["name"] + ".ttir")
        if arguments.check:
            if not target.exists() or target.read_text() != text:
                stale.append(target.name)
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)
            print(target.relative_to(ROOT))
    if stale:
        print("not what Triton makes now:", ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
