"""Runs tests/differential/random/random_kernels over a suite in parallel processes, and adds up what they say.

One process a core, each with a GPU context of its own: a GPU that faults ends the process it happened in, which is
started again behind the kernel at fault. What a process did lies in FOLDER/SUITE/part-*.jsonl, a line a kernel, so that
a run that was stopped goes on where it was. Not here: what the suites are (on_gpu.py).
"""

from __future__ import annotations

import concurrent.futures
import json
import re
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

#: Exit codes of random_kernels after which nothing is left to do: fine, a kernel failed, wrong use, no GPU or NVRTC.
FINISHED = (0, 1, 2, 4)
NO_GPU = 4
MOST_RESTARTS = 60
PARTS_A_JOB = 4  # of a long suite: who had quick kernels takes another part
MAGIC = b"LSREC01\n"
FINE = ("inside", "compiled", "skipped")


@dataclass
class Suite:
    """`words`: what comes behind the program's name, mode included."""

    name: str
    words: list[str]
    records: int = 0  # bytes of a kernel's record at most; 0: nothing is recorded
    is_long: bool = False


@dataclass
class Runner:
    program: str
    folder: Path
    jobs: int
    shard: tuple[int, int] = (1, 1)
    prefix: list[str] = field(default_factory=list)  # compute-sanitizer and its words
    patience: float = 45  # seconds without a kernel that ends
    messages: list[str] = field(default_factory=list)

    def parts(self, suite: Suite) -> int:
        return self.jobs * (PARTS_A_JOB if suite.is_long else 1)

    def command(self, suite: Suite, part: int) -> list[str]:
        here = self.folder / suite.name
        index, count = self.shard[0] + self.shard[1] * part, self.shard[1] * self.parts(suite)
        words = [*self.prefix, self.program, *suite.words, "--shard", f"{index}/{count}"]
        words += ["--out", str(here / f"part-{index}-of-{count}.jsonl")]
        if self.prefix:
            words += ["--names"]
        if suite.records:
            record = here / f"part-{index}-of-{count}.bin"
            words += ["--record", str(record), "--record-bytes", str(suite.records)]
        return words

    def work(self, suite: Suite, part: int) -> int:
        """One process after the other until the part is done; the last one's exit code."""
        said = self.folder / suite.name / f"said-{part}.txt"
        for _ in range(MOST_RESTARTS):
            code = self.process(self.command(suite, part), said)
            if code in FINISHED:
                if code in (2, NO_GPU):
                    self.messages.append(f"{suite.name}: exit code {code}: {said.read_text(errors='replace')[-600:]}")
                return code
        self.messages.append(f"{suite.name}: part {part} was started {MOST_RESTARTS} times and did not end")
        return 70

    def process(self, command: list[str], said: Path) -> int:
        """Its exit code; -9 where it had to be ended because no kernel ended for a long time (a GPU that hangs)."""
        part = Path(command[command.index("--out") + 1])
        with said.open("a") as file, subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT) as running:
            begun = time.time()
            while True:
                try:
                    return running.wait(timeout=5)
                except subprocess.TimeoutExpired:
                    last = max(begun, part.stat().st_mtime if part.exists() else 0)
                if time.time() - last > self.patience:
                    self.messages.append(f"{part}: the last kernel of it did not end in {self.patience} s")
                    running.kill()

    def run(self, suite: Suite) -> int:
        """The worst exit code; prints how far it is every ten seconds."""
        (self.folder / suite.name).mkdir(parents=True, exist_ok=True)
        stop = threading.Event()
        watcher = threading.Thread(target=self.watch, args=(suite, stop))
        watcher.start()
        try:
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                return max(pool.map(lambda part: self.work(suite, part), range(self.parts(suite))))
        finally:
            stop.set()
            watcher.join()

    def watch(self, suite: Suite, stop: threading.Event) -> None:
        begun = time.monotonic()
        while not stop.wait(10):
            counts = Counter(entry["outcome"] for entry in results_of(self.folder / suite.name).values())
            text = ", ".join(f"{count} {what}" for what, count in counts.most_common())
            print(f"[{time.monotonic() - begun:4.0f} s] {suite.name}: {text}", flush=True)


def results_of(folder: Path) -> dict[str, dict]:
    """The last line of each kernel; one that was begun and never ended is "crashed" or still runs."""
    results: dict[str, dict] = {}
    for part in sorted(folder.glob("part-*.jsonl")):
        for line in part.read_text().splitlines():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:  # the end of a file that is being written
                continue
            results[entry["name"]] = entry
    return results


def failing(folder: Path, reasons: dict[str, str]) -> list[dict]:
    """Entries that a person has to look at, by name."""
    entries = sorted(results_of(folder).items())
    return [entry for _, entry in entries if entry["outcome"] not in FINE and not excused(entry, reasons)]


def shrink(runner: Runner, suite: Suite, entries: list[dict], seconds: float) -> None:
    """Makes the failing kernels smaller, as many as there is time for, one of each reason first."""
    folder = Path(suite.words[3]) if suite.words[0] == "launches" else None
    seen: Counter = Counter()
    order = []
    for entry in entries:
        seen[entry.get("reason", "")] += 1
        order.append((seen[entry.get("reason", "")], entry["name"]))
    end = time.monotonic() + seconds

    def keep(name: str) -> None:
        item = str(folder / f"{name}.launch") if folder else name
        words = [runner.program, "keep", item, "--mode", suite.words[2], "--keep", str(runner.folder / suite.name / "kept")]
        left = end - time.monotonic()
        if left > 1:
            try:
                subprocess.run(words, capture_output=True, check=False, timeout=left)
            except subprocess.TimeoutExpired:
                print(f"no time left to shrink {suite.name} {name}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(runner.jobs) as pool:
        list(pool.map(keep, [name for _, name in sorted(order)]))


@dataclass
class Summary:
    text: str
    failures: int
    judged: int


def other_answers() -> dict[str, str]:
    """Why the answer to a launch is open, by the launch's name."""
    known = json.loads((Path(__file__).parent / "other_answers.json").read_text())["reasons"]
    return {name: reason for reason, names in known.items() for name in names}


OTHER_ANSWERS = other_answers()


def excused(entry: dict, reasons: dict[str, str]) -> str:
    """Why a kernel without text, or outside, is no failure; "" if it is one."""
    if entry["outcome"] == "outside":
        return OTHER_ANSWERS.get(entry["name"], "")
    if entry["outcome"] not in ("not emitted", "not compiled"):
        return ""
    said = entry["reason"] + entry.get("details", "")
    return next((why for words, why in reasons.items() if words in said), "")


def summary(folder: Path, name: str, reasons: dict[str, str]) -> Summary:
    """What came of a suite; `reasons`: what need not be emitted, by words of the message."""
    entries = results_of(folder / name)
    counts, why = Counter(), Counter()
    elements = unbounded = certain = 0
    failures = []
    for key, entry in sorted(entries.items()):
        outcome = "crashed" if entry["outcome"] == "begun" else entry["outcome"]
        elements, unbounded = elements + entry.get("elements", 0), unbounded + entry.get("unbounded", 0)
        certain += entry.get("certain", 0)
        if excused(entry, reasons) and outcome == "outside":
            outcome = "open"
        counts[outcome] += 1
        if outcome in ("skipped", "open", "not emitted", "not compiled"):
            reason = re.sub(r"\bon (tensor<[^>]*>|\w+) is", "is", entry["reason"])
            why[f"{outcome}: {excused(entry, reasons) or reason}"] += 1
        if outcome not in (*FINE, "open") and not excused(entry, reasons):
            first = next((line for line in entry.get("details", "").splitlines() if line.startswith("  first")), "")
            failures.append(f"  {key}: {outcome}: {entry.get('reason', '')} {first}")
    needless = [key for key, entry in entries.items() if key in OTHER_ANSWERS and entry["outcome"] == "inside"]
    share = 100 * unbounded / elements if elements else 0
    fixed = 100 * certain / elements if elements else 0
    lines = [f"== {name}: {len(entries)} kernels: " + ", ".join(f"{n} {what}" for what, n in counts.most_common())]
    lines += [f"   {elements} elements judged, {fixed:.1f} % certain, {share:.2f} % unbounded"]
    lines += [f"   {n:6} {what}" for what, n in why.most_common(12)]
    slow = sorted(entries.values(), key=lambda entry: -entry.get("seconds", 0))[:3]
    lines.append("   slowest: " + ", ".join(f"{entry['name']} {entry.get('seconds', 0):.1f} s" for entry in slow))
    if needless:
        lines.append(f"   {len(needless)} of other_answers.json are inside today: {', '.join(sorted(needless))}")
    lines += failures[:100] + ([f"  … and {len(failures) - 100} more"] if len(failures) > 100 else [])
    return Summary("\n".join(lines), len(failures), counts["inside"])


# ---- records ----


def blocks_of(data: bytes):
    """The blocks of a record file, header first; a cut last one (a process that died) is left out."""
    if not data.startswith(MAGIC):
        raise SystemExit("not a file of records")
    at = len(MAGIC)
    while at + 4 <= len(data):
        (size,) = struct.unpack_from("<I", data, at)
        if at + 4 + size > len(data):
            return
        yield data[at + 4 : at + 4 + size]
        at += 4 + size


def merged_records(folder: Path, most: int) -> bytes:
    """All parts of a suite in one file, its entries stored without compression (the whole is compressed later)."""
    header, entries = b"", []
    for part in sorted(folder.glob("part-*.bin")):
        found = list(blocks_of(part.read_bytes()))
        header = header or found[0]
        if found[0] != header:
            raise SystemExit(f"{part}: recorded on {found[0]!r}, the others on {header!r}")
        entries += [zlib.compress(zlib.decompress(entry), 0) for entry in found[1:]]
    if not entries:
        return b""
    entries = sorted(entries, key=lambda entry: zlib.decompress(entry)[:80])[:most]
    return MAGIC + b"".join(struct.pack("<I", len(block)) + block for block in [header, *entries])


if __name__ == "__main__":
    sys.exit("on_gpu.py runs this")
