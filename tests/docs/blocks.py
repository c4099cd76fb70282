"""The fenced blocks of a page of docs/, run in the page's order in a folder of its own.

    ```python title="softmax.py"   a file, of any language
    ```console                     lines of `$ COMMAND`, each with what it prints; a line `...` stands for any lines
    ```python                      a program; `# -> text` at a line's end is what it prints, in order
    ```py, ```text, ```sh          read, not run; tests/docs/test_pages.py says what holds of commands in ```sh

A command ends with 0, with 1 where it prints why, or with 2 where the page begins with its `error:`. LOCKSTEP_BLESS=1 writes what commands print into the page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"\b(python|pytest)\b")
LINKED = {"examples": "examples", "tests": "tests", "lessons": "debugger/web/lessons"}
# What differs from run to run, and from machine to machine.
VARIES = [
    (re.compile(r"\b\d+(?:\.\d+)?(?:e-\d+)? ?(?:ns|µs|us|ms|s)\b"), "TIME"),
    (re.compile(r"\bon \d+ threads?\b"), "on N threads"),
    (re.compile(r"\b\d+(?:\.\d+)?/s\b"), "RATE"),
    (re.compile(r"(?<=\.html: )\d+(?:\.\d+)? [kM]?B\b"), "SIZE"),
    (re.compile(r"(?<=statements, )[\d,]+ bytes\b"), "SIZE"),  # of a capsule, which names versions
    (re.compile(r"\s+$", re.MULTILINE), ""),
]


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    language: str
    title: str
    text: str
    start: int  # of `text` in the page


@dataclass(frozen=True)
class Call:
    """A command of a console block."""

    command: str
    shown: str
    start: int  # of `shown` in the page


def pages() -> list[Path]:
    """Pages for people: without those of codes, which tests/findings holds, and those on the design."""
    return sorted(path for path in DOCS.rglob("*.md") if path.parent.name not in ("errors", "design"))


def blocks(text: str) -> list[Block]:
    return [Block(found[1], found[2] or "", found[3], found.start(3)) for found in FENCE.finditer(text)]


def calls(block: Block) -> list[Call]:
    """`$ COMMAND`, over lines that end with a backslash, and the lines up to the next one."""
    found, lines, at = [], block.text.splitlines(keepends=True), block.start
    while lines:
        if not lines[0].startswith("$ "):
            raise ValueError(f"a console block begins with {lines[0]!r}, not with `$ COMMAND`")
        command = lines.pop(0)
        while command.endswith("\\\n"):
            command += lines.pop(0)
        at += len(command)
        shown = ""
        while lines and not lines[0].startswith("$ "):
            shown += lines.pop(0)
        found.append(Call(command[2:], shown, at))
        at += len(shown)
    return found


def needs_python(text: str) -> bool:
    """Whether more than the command is needed to run the page."""
    return any((block.language == "python" and not block.title) or (block.language == "console" and PYTHON.search(block.text)) for block in blocks(text))


def settled(text: str) -> str:
    for pattern, word in VARIES:
        text = pattern.sub(word, text)
    return text.strip("\n")


def agrees(shown: str, printed: str) -> bool:
    parts = [re.escape(part) for part in re.split(r"^\.\.\.$", settled(shown), flags=re.MULTILINE)]
    return re.fullmatch(".*".join(parts), settled(printed), re.DOTALL) is not None


class Page:
    """Runs one page's blocks; `failures` says what was not as the page has it."""

    def __init__(self, path: Path, folder: Path, environment: dict[str, str]) -> None:
        self.path, self.folder, self.environment = path, folder, environment
        self.text = path.read_text(encoding="utf-8")
        self.failures: list[str] = []
        self.blessed: list[tuple[int, int, str]] = []  # start, end, new text

    def run(self) -> list[str]:
        for name, place in LINKED.items():
            (self.folder / name).symlink_to(ROOT / place)
        for block in blocks(self.text):
            if block.title:
                (self.folder / block.title).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / block.title).write_text(block.text)
            elif block.language == "console":
                for call in calls(block):
                    self.call(call)
            elif block.language == "python":
                self.program(block)
        if os.environ.get("LOCKSTEP_BLESS") and self.blessed:
            text = self.text
            for start, end, new in reversed(self.blessed):
                text = text[:start] + new + text[end:]
            self.path.write_text(text, encoding="utf-8")
        return self.failures

    def done(self, words: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run(words, cwd=self.folder, env=self.environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)  # fmt: skip

    def call(self, call: Call) -> None:
        done = self.done(["bash", "-c", call.command])
        printed = done.stdout.replace(f"{self.folder}/", "")
        allowed = (0, 1, 2) if call.shown.startswith("error:") else (0, 1)
        if done.returncode not in allowed or (done.returncode and not printed):
            self.failures.append(f"$ {call.command}exit code {done.returncode}\n{printed}")
        elif not agrees(call.shown, printed):
            self.blessed.append((call.start, call.start + len(call.shown), printed if printed.endswith("\n") or not printed else printed + "\n"))
            if not os.environ.get("LOCKSTEP_BLESS"):
                self.failures.append(f"$ {call.command}prints\n{printed}\nThe page has\n{call.shown}")

    def program(self, block: Block) -> None:
        name = f"block_{block.start}.py"
        (self.folder / name).write_text(block.text)
        done = self.done([self.environment.get("LOCKSTEP_PACKAGE_PYTHON", sys.executable), name])
        if done.returncode != 0:
            self.failures.append(f"{block.text}exit code {done.returncode}\n{done.stdout}")
        lines = iter(done.stdout.splitlines())
        for wanted in re.findall(r"# -> (.*)$", block.text, re.MULTILINE):
            if wanted not in lines:
                self.failures.append(f"{wanted!r} is not printed (in this order):\n{done.stdout}")
                break


def environment(command: str, folder: Path, staged: str = "") -> dict[str, str]:
    """No settings of the user's; `lockstep`, `python` and `pytest` are those under test."""
    folder.mkdir(parents=True, exist_ok=True)
    python = os.environ.get("LOCKSTEP_PACKAGE_PYTHON", sys.executable)
    programs = {"lockstep": f'"{Path(command).resolve()}" "$@"', "python": f'"{python}" "$@"', "pytest": f'"{python}" -m pytest -p no:cacheprovider "$@"'}
    for name, line in programs.items():
        (folder / name).write_text(f"#!/bin/sh\nexec {line}\n")
        (folder / name).chmod(0o755)
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("LOCKSTEP", "TRITON", "PYTEST"))}
    settings |= {"PATH": f"{folder}:{settings['PATH']}", "LOCKSTEP_CACHE_DIR": "off", "NO_COLOR": "1", "COLUMNS": "120", "LOCKSTEP_PACKAGE_PYTHON": python}
    if staged:
        settings |= {"PYTHONPATH": staged, "TRITON_CACHE_DIR": str(Path(staged).parent / "triton-cache")}
    return settings
