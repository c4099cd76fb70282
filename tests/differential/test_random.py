#!/usr/bin/env python3
"""The differential suite held against itself, with no GPU: test_random.py RANDOM_KERNELS LOCKSTEP FAKES.

Random kernels lie inside their own enclosures; a planted fault is seen, shrunk to a few ops, and seen again by the
command that the kept folder names; records are judged, a broken one is refused, one of another text counts as stale;
a run that was stopped goes on; shards cover each kernel once. With the stand-ins for driver and NVRTC in FAKES (those of
tests/nocuda) the way through the GPU is gone as well: inside, outside, a fault. Exit code 1: one of these does not hold.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from campaign import (
    MAGIC,
    OTHER_ANSWERS,
    Runner,
    Suite,
    blocks_of,
    failing,
    merged_records,
    results_of,
    summary,
)

PROGRAM, LOCKSTEP, FAKES = sys.argv[1], sys.argv[2], Path(sys.argv[3])
ROOT = Path(__file__).resolve().parents[2]
PROBLEMS: list[str] = []


def expect(holds: bool, what: str) -> None:
    if not holds:
        PROBLEMS.append(what)


def call(*words: str, **more) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, timeout=300, **more)


def everything_is_inside(folder: Path) -> None:
    runner = Runner(PROGRAM, folder, jobs=2)
    expect(runner.run(Suite("random", ["run", "--mode", "check", "--seeds", "0:240"], is_long=True)) == 0, "a random kernel fails")
    said = summary(folder, "random", {})
    expect(said.failures == 0 and said.judged > 150, said.text)
    before = (folder / "random/part-1-of-8.jsonl").read_text()
    runner.run(Suite("random", ["run", "--mode", "check", "--seeds", "0:240"], is_long=True))
    expect((folder / "random/part-1-of-8.jsonl").read_text() == before, "a run that has ended does its work again")


def what_once_failed_is_inside(_: Path) -> None:
    done = call("launches", "--mode", "check", str(ROOT / "tests/differential/regressions"))
    expect(done.returncode == 0 and "inside" in done.stdout, f"a launch of regressions/ fails: {done.stdout}{done.stderr}")


def a_fault_is_shrunk(folder: Path) -> None:
    planted = ["--mode", "check", "--planted", "math."]
    done = call("run", "--seeds", "0:60", "--out", str(folder / "part-1.jsonl"), *planted)
    found = [entry for entry in results_of(folder).values() if entry["outcome"] == "outside"]
    expect(done.returncode == 1 and len(found) > 5, f"planted faults are not seen: {done.stdout}")
    largest = max(found, key=lambda entry: len(entry["kernel"]))
    expect("elements lie outside" in largest["details"], f"nothing is said of the fault: {largest['details']}")
    name = largest["name"]
    kept = call("keep", name, *planted, "--keep", str(folder)).stdout.strip()
    expect(kept == str(folder / name), f"kept in {kept}")
    whole = (folder / name / "original.ttir").read_text().count("\n")
    small = (folder / name / "kernel.ttir").read_text().count("\n")
    expect("ops, shrunk to" in (folder / name / "README").read_text(), "the README does not say how small it became")
    expect(small * 4 < whole, f"{whole} lines were shrunk to {small}")
    said = call("try", name, *planted, "--bisect").stdout
    expect("program writes this element" in said or "programs write this element" in said, f"nothing is bisected: {said}")
    again = call("try", name, str(folder / name / "kernel.ttir"), *planted)
    expect(again.returncode == 1, "the shrunk kernel does not fail")
    sound = call("try", name, str(folder / name / "kernel.ttir"), "--mode", "check")
    expect(sound.returncode == 0, "the shrunk kernel fails without the fault")


def records_are_judged(folder: Path) -> None:
    part = folder / "part-1.bin"
    call("run", "--mode", "check", "--seeds", "0:40", "--record", str(part), "--record-bytes", "6000")
    records = folder / "records"
    records.write_bytes(merged_records(folder, 10))
    good = call("replay", str(records), "--no-stale")
    expect(good.returncode == 1 and "10 kernels" in good.stdout, f"no texts, yet not stale: {good.stdout}{good.stderr}")
    expect(call("replay", str(records)).returncode == 0, "stale records fail without --no-stale")
    data = records.read_bytes()
    for name, broken in {"cut": data[:-3], "other": b"NOTREC" + data[6:], "bit": data[:-900] + b"\x00" * 900}.items():
        records.write_bytes(broken)
        done = call("replay", str(records))
        expect(done.returncode == 1 and "broken" in done.stderr + done.stdout or name == "other", f"{name}: {done.stderr}")
    header, *entries = blocks_of(data)
    wrong = bytearray(zlib.decompress(entries[0]))
    wrong[-1] ^= 0x40  # of the last element recorded
    blocks = [header, zlib.compress(bytes(wrong))]
    records.write_bytes(MAGIC + b"".join(struct.pack("<I", len(block)) + block for block in blocks))
    done = call("replay", str(records))
    expect(done.returncode == 1 and "1 kernels outside" in done.stdout, f"a changed answer passes: {done.stdout}")


def shards_cover_all(folder: Path) -> None:
    for index in ("0", "1", "2"):
        words = ["run", "--mode", "check", "--seeds", "0:12", "--out", str(folder / f"part-{index}.jsonl")]
        subprocess.run([PROGRAM, *words], env={"GTEST_TOTAL_SHARDS": "3", "GTEST_SHARD_INDEX": index}, check=True,
                       stdout=subprocess.DEVNULL)
    lines = [json.loads(line) for path in folder.glob("part-*.jsonl") for line in path.read_text().splitlines()]
    ended = sorted(int(entry["name"]) for entry in lines if entry["outcome"] != "begun")
    expect(ended == list(range(12)) and len(results_of(folder)) == 12, f"three shards of 12: {ended}")


def open_answers_are_counted_apart(folder: Path) -> None:
    known, other = "1111111111111111", "0000000000000000"
    OTHER_ANSWERS[known] = "an entry of this test"
    (folder / "ops").mkdir()
    lines = [{"name": name, "outcome": "outside", "reason": "outside of the enclosure"} for name in (known, other)]
    (folder / "ops/part-1-of-1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = summary(folder, "ops", {})
    expect(said.failures == 1 and "1 open" in said.text and other in said.text, said.text)
    expect([entry["name"] for entry in failing(folder / "ops", {})] == [other], "an open answer is reported")
    expect("are inside today" not in said.text, "an entry that was needed is said to be needless")
    lines[0]["outcome"] = "inside"
    (folder / "ops/part-1-of-1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = summary(folder, "ops", {})
    expect(f"1 of other_answers.json are inside today: {lines[0]['name']}" in said.text, said.text)
    del OTHER_ANSWERS[known]


def the_gpu_is_asked(folder: Path) -> None:
    """One launch, of the only kernel that the stand-in for the driver can run."""
    launches = folder / "launches"
    words = ["run", "examples/vector_add.py::vector_add", "--grid", "2", "x=randn:f32[1500]", "y=randn:f32[1500]"]
    words += ["out=zeros:f32[1500]", "n=1500", "BLOCK=1024"]
    subprocess.run([LOCKSTEP, *words], env={"LOCKSTEP_RECORD": str(launches)}, cwd=ROOT, check=True, capture_output=True)
    machine = {"LD_LIBRARY_PATH": str(FAKES / "driver"), "LOCKSTEP_NVRTC": str(FAKES / "nvrtc/libnvrtc.so.13")}
    os.environ.update(machine | {"LOCKSTEP_CACHE_DIR": str(folder / "cache")})
    for trouble, outcome, code in (("", "inside", 0), ("wrong", "outside", 1), ("fault", "faulted", 0), ("no_device", "", 4)):
        os.environ["FAKE_CUDA"] = trouble
        runner = Runner(PROGRAM, folder / f"results {trouble}", jobs=1)
        got = runner.run(Suite("launches", ["launches", "--mode", "gpu", str(launches)], 100000))
        found = [entry["outcome"] for entry in results_of(folder / f"results {trouble}/launches").values()]
        expect((found, got) == ([outcome] * (outcome != ""), code), f"{trouble}: {found}, exit code {got}")
    records = folder / "records"
    records.write_bytes(merged_records(folder / "results /launches", 10))
    done = call("replay", str(records), "--launches", str(launches), "--no-stale")
    said = "1 kernels recorded on Fake GPU, driver of CUDA 13.0: 1500 elements"
    expect(done.returncode == 0 and said in done.stdout, f"replay: {done.stdout}{done.stderr}")
    lost = call("replay", str(records), "--launches", str(folder / "cache"), "--no-stale")
    expect(lost.returncode == 1 and "1 have lost their launch" in lost.stdout, f"a lost launch: {lost.stdout}")


def main() -> int:
    checks = [everything_is_inside, what_once_failed_is_inside, a_fault_is_shrunk, records_are_judged]
    for check in [*checks, shards_cover_all, open_answers_are_counted_apart, the_gpu_is_asked]:
        with tempfile.TemporaryDirectory() as name:
            check(Path(name))
    print("\n".join(PROBLEMS) or "the differential suite sees, shrinks, records and judges")
    return 1 if PROBLEMS else 0


if __name__ == "__main__":
    sys.exit(main())
