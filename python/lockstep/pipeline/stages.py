"""The stages of one launch: Triton's passes are run, each text that one changed is executed and judged, the first departure is named.

A launch is a capsule, or the words of `lockstep run`. Of a kernel in Python, Lockstep's own front end makes the TTIR that the
passes start from; a capsule brings the TTIR that Triton made. Invariant: the first pass whose output is outside, or has
a finding that the launch's own kernel lacks, is the one that is named, and its input is kept as a file."""

from __future__ import annotations

import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lockstep.errors import LaunchError
from lockstep.pipeline import judging, minimal, texts
from lockstep.pipeline.judging import Verdict
from lockstep.pipeline.minimal import Minimal

DRIVER = Path(__file__).with_name("passes.py")
# : Options of `lockstep diff` that `lockstep emit` does not take, each with a value.
_NOT_OF_EMIT = ("--seed", "--bounds", "--max-memory", "--threads", "--fp-fusion")
_LOCATION = re.compile(r" loc\((?:#loc\d*|unknown|\"[^\"]*\"(?::\d+:\d+|\(#loc\d*\))?)\)")


@dataclass
class Stage:
    """The output of one pass. Without a verdict: the pass changed nothing, or an earlier departure ended the judging."""

    number: int
    name: str
    pipeline: str
    file: str = ""  # "": unchanged
    verdict: Verdict | None = None
    failure: str = ""  # the pass did not come to its end


@dataclass
class Stages:
    """Everything about one launch."""

    triton: str
    target: str
    stages: list[Stage] = field(default_factory=list)
    source: Verdict | None = None  # of the TTIR that the passes start from
    input: str = ""  # file: what the pass at fault was given; "" without a departure
    minimal: Minimal | None = None  # the smallest such input that was found

    @property
    def executed(self) -> int:
        return sum(one.verdict is not None and one.verdict.kind != judging.NOT_EXECUTED for one in self.stages)

    @property
    def first_wrong(self) -> Stage | None:
        return next((one for one in self.stages if one.verdict is not None and one.verdict.is_departure), None)

    @property
    def failure(self) -> Stage | None:
        """The pass that Triton itself did not finish."""
        return next((one for one in self.stages if one.failure), None)

    def changed_ops(self) -> list[str]:
        """Lines of the departing pass's output that its input lacks, without places; at most 8."""
        wrong = self.first_wrong
        if wrong is None or not self.input:
            return []
        before, after = (_op_lines(Path(path).read_text(encoding="utf-8")) for path in (self.input, wrong.file))
        added = [line[2:] for line in difflib.ndiff(before, after) if line.startswith("+ ")]
        return added[:8]

    def text(self) -> str:
        """For people."""
        lines = [f"Triton {self.triton}, {self.target}: {len(self.stages)} passes, "
                 f"{sum(bool(one.file) for one in self.stages)} changed the kernel, {self.executed} were executed"]  # fmt: skip
        if self.source is not None and self.source.kind != judging.INSIDE:
            lines.append(f"    before any pass: {self.source.kind}: {self.source.words}")
        for one in self.stages:
            if one.failure:
                lines.append(f"{one.number:3} {one.name}: Triton's pass did not end: {one.failure}")
            elif one.verdict is not None:
                same = ", the same bytes" if one.verdict.is_equal else ""
                is_refused = one.verdict.kind == judging.NOT_EXECUTED
                said = one.verdict.op if is_refused and one.verdict.op else one.verdict.words
                words = f": {said}" if one.verdict.kind != judging.INSIDE else same
                lines.append(f"{one.number:3} {one.name}: {one.verdict.kind}{words}")
        return "\n".join(lines + self._conclusion()) + "\n"

    def _conclusion(self) -> list[str]:
        wrong = self.first_wrong
        if wrong is None or wrong.verdict is None:
            skipped = Counter(one.verdict.op or one.verdict.words for one in self.stages
                              if one.verdict is not None and one.verdict.kind == judging.NOT_EXECUTED)  # fmt: skip
            tail = "; not executed: " + ", ".join(f"{op} ({count})" for op, count in skipped.items()) if skipped else ""
            return [f"no executed pass leaves the legal results{tail}"]
        lines = [f"first wrong: pass {wrong.number}, {wrong.name} ({wrong.pipeline}): {wrong.verdict.words}",
                 f"    its input:  {self.input}", f"    its output: {wrong.file}"]  # fmt: skip
        if wrong.verdict.op:
            lines.append(f"    first op outside: {wrong.verdict.op}" + (f" ({wrong.verdict.source})" if wrong.verdict.source else ""))
        if self.minimal is not None:
            lines.append(f"    minimal:    {self.minimal.input}, {self.minimal.ops} of {self.minimal.ops_before} ops; report: {self.minimal.report}")
        return lines + [f"    new there:  {line}" for line in self.changed_ops()]

    def facts(self) -> dict[str, Any]:
        """For programs."""
        def of(one: Stage) -> dict[str, Any]:
            made = {"number": one.number, "pass": one.name, "pipeline": one.pipeline, "file": one.file, "failure": one.failure}
            if one.verdict is not None:
                made |= {"verdict": one.verdict.kind, "words": one.verdict.words, "op": one.verdict.op, "source": one.verdict.source,
                         "tensor": one.verdict.tensor, "element": one.verdict.element, "outside": one.verdict.elements,
                         "same_bytes": one.verdict.is_equal}  # fmt: skip
            return made

        wrong = self.first_wrong
        return {"triton": self.triton, "target": self.target, "stages": [of(one) for one in self.stages], "executed": self.executed,
                "first_wrong": of(wrong) if wrong else None, "input": self.input, "changed_ops": self.changed_ops(),
                "minimal": None if self.minimal is None else {name: getattr(self.minimal, name) for name in ("input", "output", "report", "ops", "ops_before", "launch")}}  # fmt: skip


def _op_lines(text: str) -> list[str]:
    lines = (_LOCATION.sub("", line).strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#loc")]


# ---- Triton ----


def triton_folder(chosen: str) -> str:
    """The folder that goes first on PYTHONPATH for a version or folder; "" for the installed Triton. Raises LaunchError."""
    if not chosen:
        return ""
    if (Path(chosen) / "triton").is_dir():
        return str(Path(chosen).resolve())
    if os.sep in chosen:
        raise LaunchError(f"--triton {chosen}: the folder has no package `triton`; pip install --target {chosen} triton makes it")
    from importlib.metadata import PackageNotFoundError, version

    try:
        if version("triton").startswith(chosen):
            return ""
    except PackageNotFoundError:
        pass
    folders = os.environ.get("LOCKSTEP_TRITONS", ".cache")
    found = sorted(Path(folders).glob(f"triton-{chosen}*/triton"))
    if not found:
        raise LaunchError(f"no Triton {chosen} is installed, and {folders} has no triton-{chosen}*: pip install --target "
                          f"{folders}/triton-{chosen} 'triton=={chosen}.*', or name a folder with --triton (LOCKSTEP_TRITONS)")  # fmt: skip
    return str(found[-1].parent.resolve())


def run_passes(ttir: Path, folder: Path, options: dict[str, Any], triton: str = "") -> list[Stage]:
    """Triton's passes in a process of its own. A pass that did not end is the last stage, with the reason."""
    environment = {**os.environ, "LOCKSTEP": "0", "PYTHONWARNINGS": "ignore"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [triton, os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run([sys.executable, str(DRIVER), str(ttir), str(folder), json.dumps(options)], capture_output=True,
                          text=True, check=False, env=environment)  # fmt: skip
    log = folder / "passes.jsonl"
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
    stages: dict[int, Stage] = {}
    for line in lines:
        one = stages.setdefault(line["number"], Stage(line["number"], line["pass"], line["pipeline"], failure="unfinished"))
        if line["event"] == "end":
            one.failure = ""
            one.file = str(folder / line["file"]) if line["file"] else ""
    if done.returncode != 0:
        reason = _reason(done.stderr) or f"its process ended with {done.returncode}"
        unfinished = [one for one in stages.values() if one.failure]
        if not unfinished:
            raise LaunchError(f"Triton's passes cannot be run: {reason}")
        unfinished[0].failure = reason
    return list(stages.values())


def _reason(stderr: str) -> str:
    errors = [line for line in stderr.splitlines() if "error:" in line or "Assertion" in line]
    last = [line for line in stderr.splitlines() if line.strip()][-1:]
    return (errors or last or [""])[0].strip()[:300]


def version_of(triton: str) -> str:
    if triton:
        return next((path.name.removesuffix(".dist-info").split("-")[1] for path in Path(triton).glob("triton-*.dist-info")), Path(triton).name)
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("triton")
    except PackageNotFoundError:
        raise LaunchError("lockstep stages runs Triton's own passes, and Triton is not installed: pip install triton") from None


# ---- the launch ----


def ttir_of(command: str, launch: Sequence[str]) -> str:
    """The TTIR that the passes start from, with locations. Raises LaunchError."""
    target = launch[0]
    if target.endswith(".capsule"):
        with zipfile.ZipFile(target) as capsule:
            return capsule.read("kernel.ttir").decode()
    words: list[str] = []
    rest = iter(launch)
    for word in rest:
        if word in _NOT_OF_EMIT:
            next(rest, None)
        elif word.partition("=")[0] not in _NOT_OF_EMIT:
            words.append(word)
    is_text = target.partition("::")[0].endswith((".ttir", ".mlir", ".ttgir"))
    asked = [command, "emit", target, "--locations"] if is_text else [command, "emit", *words, "--stage", "raw", "--locations"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LaunchError(done.stderr.strip() or f"lockstep emit ended with {done.returncode}")
    return done.stdout


def _options_of(launch: Sequence[str], given: dict[str, Any]) -> dict[str, Any]:
    """Of the pipeline: what is given, then the capsule's, then the command's defaults."""
    made = {"arch": "sm_90", "num_warps": 4, "num_stages": 3, "num_ctas": 1}
    if launch[0].endswith(".capsule"):
        with zipfile.ZipFile(launch[0]) as capsule:
            made |= json.loads(capsule.read("manifest.json"))["target"]
    return made | {name: value for name, value in given.items() if value is not None}


def judge_launch(
    launch: Sequence[str], *, arch: str | None = None, num_warps: int | None = None, num_stages: int | None = None,
    triton: str = "", keep: str = "", command: str = "", judges_all: bool = False, plant: tuple[int, str] | None = None,
    known: dict[str, Verdict] | None = None, seconds: float | None = None, shrink: float = 60.0,
) -> Stages:  # fmt: skip
    """Runs the passes and judges what each changed, up to the first departure (judges_all: all of it). keep: a folder for the
    texts; one that stays is made where a departure is found. plant: a pass's number, and a file in place of its output.
    known: verdicts of this launch by text, which are not made again; it gets the new ones.
    seconds: for each text. shrink: seconds for the minimal file of a departure; 0: none is made."""
    from lockstep.notebooks.pages import find_command

    command = command or os.environ.get("LOCKSTEP_COMMAND") or find_command()
    folder = triton_folder(triton)
    options = _options_of(launch, {"arch": arch, "num_warps": num_warps, "num_stages": num_stages})
    words = list(launch)
    if not launch[0].endswith(".capsule"):
        words += ["--as", options["arch"], "--num-warps", str(options["num_warps"]), "--num-stages", str(options["num_stages"])]
    place = Path(keep or tempfile.mkdtemp(prefix="lockstep-stages-")).resolve()
    place.mkdir(parents=True, exist_ok=True)
    (place / "passes.jsonl").unlink(missing_ok=True)
    source = place / "00-source.ttir"
    source.write_text(texts.for_version(ttir_of(command, words), version_of(folder)), encoding="utf-8")
    of_passes = options | {"arch": int(str(options["arch"]).removeprefix("sm_"))} | ({"plant": list(plant)} if plant else {})
    found = Stages(version_of(folder), options["arch"], run_passes(source, place, of_passes, folder))
    found.source = judging.judge(command, words, str(source), seconds)
    before, known = str(source), {} if known is None else known
    for one in found.stages:
        if not one.file:
            continue
        text = Path(one.file).read_text(encoding="utf-8")
        if text not in known:
            known[text] = judging.judge(command, words, one.file, seconds)
        one.verdict = known[text]
        if one.verdict.is_departure and not found.input:
            found.input = before
            if not judges_all:
                break
        before = one.file
    if found.input and shrink > 0 and plant is None:
        found.minimal = _minimal_of(found, list(launch), options, command, place, triton, shrink)
    if not keep and not found.input:
        for file in place.iterdir():
            file.unlink()
        place.rmdir()
    return found


def _minimal_of(found: Stages, launch: list[str], options: dict[str, Any], command: str, place: Path, triton: str, shrink: float) -> Minimal | None:
    chosen = {name: options[name] for name in ("arch", "num_warps", "num_stages")}

    def judge(words: list[str], folder: Path) -> Stages:
        return judge_launch(words, **chosen, triton=triton, keep=str(folder), command=command, seconds=10.0, shrink=0)

    def server(kernel: Path, number: int) -> minimal.PassServer:
        facts = options | {"arch": int(str(options["arch"]).removeprefix("sm_")), "number": number}
        return minimal.PassServer(DRIVER, kernel, facts, triton_folder(triton))

    return minimal.make_minimal(found, launch, judge, server, command, place, shrink)


def stages(launch: str | os.PathLike[str] | Sequence[str], **options: Any) -> Stages:
    """Executes what each pass of Triton makes of a launch, and holds it against the bounds of every legal result.

    launch: a capsule's path, or the words of `lockstep run`. Options: arch ("sm_80"), num_warps, num_stages, triton (a version
    or a folder), keep (a folder for the texts), judges_all, seconds (for each text), shrink (seconds for the minimal file of a departure; 0: none). print(found.text()) is what `lockstep stages` prints."""
    words = [os.fspath(launch)] if isinstance(launch, (str, os.PathLike)) else list(launch)
    return judge_launch(words, **options)


def judge_several(words: Sequence[str], **options: Any) -> Iterator[tuple[str, Stages | LaunchError]]:
    """Each launch of a folder of capsules, or of a program, once per compiled kernel: words[0] is the folder or the Python
    file, the rest are the program's arguments. The program runs on Lockstep and its launches are recorded first. A launch
    whose passes cannot be run has the error instead. Options as of stages()."""
    if Path(words[0]).is_dir():
        yield from _each(sorted(Path(words[0]).rglob("*.capsule")), options)
        return
    with tempfile.TemporaryDirectory(prefix="lockstep-stages-") as folder:
        recorded = [sys.executable, "-m", "lockstep", "record", "-o", folder, "--first", "1", "--no-outputs", "--on", "lockstep", *words]
        done = subprocess.run(recorded, capture_output=True, text=True, check=False)
        files = sorted(Path(folder).rglob("*.capsule"))
        if done.returncode != 0 and not files:
            raise LaunchError(f"the program ended with {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}")
        yield from _each(files, options)


def _each(files: list[Path], options: dict[str, Any]) -> Iterator[tuple[str, Stages | LaunchError]]:
    for file in files:
        own = options | ({"keep": str(Path(options["keep"]) / file.stem)} if options.get("keep") else {})
        try:
            yield file.name, judge_launch([str(file)], **own)
        except LaunchError as error:
            yield file.name, error
