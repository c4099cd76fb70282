"""What the tools of a release share: the version, where it stands, and the sections of CHANGELOG.md."""

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DISTRIBUTION = "triton-lockstep"
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
NUMBER = r"\d+\.\d+\.\d+"

# Where the version of CMakeLists.txt stands once more; the one group is the version.
PLACES = {
    "debugger/vscode/package.json": rf'^  "version": "({NUMBER})"',
    "action.yml": rf'^    default: "({NUMBER})"',
    "docs/quickstart.md": rf"^lockstep ({NUMBER})",
    "docs/how-to/ci.md": rf"triton-lockstep==({NUMBER})",
    "packaging/docker/Dockerfile": rf"^ARG VERSION=({NUMBER})",
    "packaging/conda/recipe.yaml": rf'^  version: "({NUMBER})"',
    "packaging/homebrew/triton-lockstep.rb": rf"triton_lockstep-({NUMBER})\.tar\.gz",
    "packaging/nix/package.nix": rf'^  version = "({NUMBER})";',
    "packaging/share/man/man1/lockstep.1": rf'^\.TH LOCKSTEP 1 "[^"]*" "Lockstep ({NUMBER})"',
    "tests/golden/cover/partly.py.expected": rf'"schema": 1, "version": "({NUMBER})"',
}


def version(root: Path = ROOT) -> str:
    """The version: `project(Lockstep VERSION ...)` in CMakeLists.txt is its one source."""
    found = re.search(rf"^project\(Lockstep VERSION ({NUMBER})\b", (root / "CMakeLists.txt").read_text(), re.MULTILINE)
    if found is None:
        raise SystemExit("CMakeLists.txt: no project(Lockstep VERSION X.Y.Z ...)")
    return found[1]


def ordered(number: str) -> tuple[int, ...]:
    """1.10.0 is after 1.9.0."""
    return tuple(int(part) for part in number.split("."))


@dataclass
class Section:
    """One `## ` of CHANGELOG.md. Headings of one kind may come more than once: branches are merged line by line."""

    name: str  # Unreleased, or the version
    date: str
    line: int
    entries: dict[str, list[str]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not any(self.entries.values())

    def text(self) -> str:
        """The section as a release shows it: each kind once, in the order of KINDS."""
        parts = [f"### {kind}\n" + "\n".join(self.entries[kind]) for kind in KINDS if self.entries.get(kind)]
        return "\n\n".join(parts) + "\n"


def sections(text: str) -> tuple[list[Section], list[str]]:
    """The sections, newest first, and what is wrong with the file's form."""
    found: list[Section] = []
    problems, kind = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            heading = re.fullmatch(rf"## (?:(Unreleased)|({NUMBER}) - (\d{{4}}-\d\d-\d\d))", line)
            if heading is None:
                problems.append(f"CHANGELOG.md:{number}: '{line}' is neither '## Unreleased' nor '## X.Y.Z - YYYY-MM-DD'")
            else:
                found.append(Section(heading[1] or heading[2], heading[3] or "", number))
            kind = None
        elif line.startswith("### "):
            kind = line[4:].strip()
            if kind not in KINDS:
                problems.append(f"CHANGELOG.md:{number}: '{kind}' is none of {', '.join(KINDS)}")
        elif line.strip() and found:
            if kind is None:
                problems.append(f"CHANGELOG.md:{number}: an entry without a heading such as '### Fixed'")
            else:
                found[-1].entries.setdefault(kind, []).append(line)
    names = [section.name for section in found]
    if names[:1] != ["Unreleased"]:
        problems.append("CHANGELOG.md: the first section must be '## Unreleased'")
    released = names[1:]
    if "Unreleased" in released or sorted(set(released), key=ordered, reverse=True) != released:
        problems.append(f"CHANGELOG.md: the releases are not in order, newest first: {', '.join(released)}")
    return found, problems
