#!/usr/bin/env python3
"""Checks that every `#include "room/..."` follows the arrows of ARCHITECTURE.md.

Reads the quoted includes of all C++ files of the rooms and compares them with ALLOWED. A room may always include itself.
Headers of the standard library, system and third-party packages are held to THIRD_PARTY: only the named files may include
them. Prints one line per violation; the exit code is 1 if there is any.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

ALLOWED = {
    "support": set(),
    "ir": {"support"},
    "prove": {"ir", "support"},
    "memory_model": {"support"},
    "findings": {"support"},
    "sanitizer": {"ir", "interpreter", "memory_model", "findings", "support"},
    "enclosure": {"ir", "interpreter", "memory_model", "findings", "support"},
    "interpreter": {"ir", "memory_model", "findings", "support"},
    "backend_cuda": {"ir", "support"},
    "dialects": {"ir", "interpreter", "backend_cuda", "enclosure", "fuzz", "support"},
    "fuzz": {"ir", "interpreter", "memory_model", "support"},
    "python_syntax": {"support"},
    "frontend": {"python_syntax", "ir", "support"},
    "driver": {"dialects", "frontend", "prove", "sanitizer", "enclosure", "interpreter", "memory_model", "ir", "findings", "support"},
    "gpu_diff": {"backend_cuda", "enclosure", "interpreter", "memory_model", "ir", "driver", "findings", "support"},
    "debugger": {"python_syntax", "ir", "interpreter", "memory_model", "findings", "sanitizer", "enclosure", "driver", "gpu_diff", "backend_cuda", "support"},
}
ALLOWED["cli"] = set(ALLOWED)
ALLOWED["python"] = set(ALLOWED) - {"cli", "backend_cuda", "gpu_diff"}

# Heavy or delicate packages: pattern of the header -> files that may include it.
THIRD_PARTY = {
    r"spdlog/": r"support/log\.cpp",
    r"CLI/": r"(driver/options/\w+|cli/command_line|cli/option_list|cli/commands/command_tree)\.cpp",
    r"boost/numeric/interval": r"enclosure/interval_rounding\.h",
    r"boost/icl": r"memory_model/\w+\.cpp",
    r"boost/multiprecision": r"prove/poly\.h",
    r"Eigen/": r"interpreter/kernels/.*",
    r"(cuda|nvrtc)\.h": r"backend_cuda/device/declarations_check\.cpp",
    r"boost/(asio|beast)": r"debugger/serve/(server|web_socket)(_beast)?\.(cpp|h)",
    r"zlib\.h": r"driver/files/(inflate|deflate)\.cpp",
    r"editline/": r"debugger/terminal/line_input\.cpp",
    r"nlohmann/": r"(driver/files/manifest|support/json)\.cpp",
    r"(pybind11/|Python\.h|structmember\.h)": r"python/native/(\w+/)?\w+\.(cpp|h)",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)


def violations(path: Path) -> list[str]:
    """Lines of complaint about one file."""
    name = path.relative_to(ROOT).as_posix()
    room = name.split("/")[0]
    allowed = ALLOWED[room] | {room}
    found = []
    for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
        target = match.group(2)
        first = target.split("/")[0]
        if match.group(1) == '"' and first in ALLOWED and first not in allowed:
            found.append(f"{name}: {room} may not include {first} ({target})")
        for pattern, users in THIRD_PARTY.items():
            if re.match(pattern, target) and not re.fullmatch(users, name):
                found.append(f"{name}: <{target}> belongs to {users} only")
    return found


def main() -> int:
    found, count = [], 0
    for room in sorted(ALLOWED):
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in {".h", ".cpp", ".def"}:
                found += violations(path)
                count += 1
    for line in found:
        print(line)
    print(f"layers: {count} files, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
