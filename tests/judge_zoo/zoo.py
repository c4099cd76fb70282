"""The zoo: tasks, honest programs and cheats. A cheat is a file of its own (cheat_NAME.py), or a row of its task's cheats.toml, which
changes an honest program (`of`, by default honest.py) by replacing texts. So its twin is right beside it.

`python zoo.py [PATTERN]` judges those whose name has the pattern, replays each witness with torch alone, runs the usual check
(usual_check.py) on the same programs, and prints a table. `--out FILE.json` keeps results; those in the file are not judged again."""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
# : Rejections that are about the program and not about a result.
WITHOUT_WITNESS = ("torch", "no result", "type", "sniffing")


class Program(NamedTuple):
    """One of the zoo. `wanted`: the class of its rejection, or "accepted"; `row`: of the table in README.md."""

    task: str
    name: str
    wanted: str
    row: int
    what: str
    text: str

    @property
    def title(self) -> str:
        return f"{self.task}/{self.name}"


def programs() -> list[Program]:
    """All of them, by task and name."""
    found = []
    for path in sorted(HERE.glob("*/*.py")):
        if path.name == "reference.py":
            continue
        text = path.read_text()
        head, _, what = text.splitlines()[0].removeprefix("# ").partition(": ")
        wanted, _, row = head.partition(" ")
        found.append(Program(path.parent.name, path.stem, wanted, int(row or 0), what, text))
    honest = {one.title: one.text for one in found}
    for path in sorted(HERE.glob("*/cheats.toml")):
        for row in tomllib.loads(path.read_text())["cheat"]:
            text = honest[f"{path.parent.name}/{row.get('of', 'honest')}"]
            for old, new in row["edits"]:
                assert text.count(old) >= 1, (path, row["name"], old)
                text = text.replace(old, new)
            found.append(Program(path.parent.name, f"cheat_{row['name']}", row["class"], row["row"], row["what"], text))
    return sorted(found)


def replayed(folder: pathlib.Path, message: str) -> bool:
    """Whether replay.py of a witness runs with torch alone and shows the difference."""
    done = subprocess.run([sys.executable, "-I", str(folder / "replay.py")], capture_output=True, text=True, timeout=120)
    return done.returncode == 0 and message in done.stdout and "expected" in done.stdout


def judged(task: str, some: list[Program], seed: int, folder: pathlib.Path, pool=None) -> list[dict]:
    """Rows for the programs of one task."""
    from lockstep.judging import judge_many

    for one in some:
        (folder / f"{one.name}.py").write_text(one.text)
    rows = []
    verdicts = judge_many(
        HERE / task / "reference.py", [str(folder / f"{one.name}.py") for one in some], seed=seed, time=300, witnesses=folder / "witness",
        pool=pool)
    for one, verdict in zip(some, verdicts, strict=True):
        reason = verdict.reasons[0] if verdict.reasons else None
        kind = reason.kind if reason else verdict.undecided[0].what if verdict.undecided else ""
        is_shown = bool(reason and reason.witness and replayed(folder / "witness" / reason.witness, reason.message))
        rows.append({
            "name": one.title, "row": one.row, "wanted": one.wanted, "verdict": verdict.verdict, "class": kind, "shown": is_shown,
            "seconds": round(verdict.seconds, 2), "text": str(verdict)})
    return rows


def is_right(row: dict) -> bool:
    """As wanted, with a witness that replays where there must be one."""
    if row["wanted"] == "accepted":
        return row["verdict"] == "accepted"
    wanted = row["wanted"].split("|")
    if row["verdict"] == "not decided":
        return "undecided" in wanted
    return row["verdict"] == "rejected" and row["class"] in wanted and (row["shown"] or row["class"] in WITHOUT_WITNESS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", default="")
    parser.add_argument("--usual", action="store_true", help="run the usual check, too")
    given = parser.parse_args()
    out = pathlib.Path(given.out) if given.out else None
    kept = json.loads(out.read_text()) if out and out.exists() else {}
    chosen = [one for one in programs() if given.pattern in one.title]
    from lockstep.judging.processes import Pool

    with Pool() as pool:
        run(chosen, kept, given, out, pool)
    if given.usual:
        usual(chosen, kept)
    return table(chosen, kept)


def run(chosen: list[Program], kept: dict, given: argparse.Namespace, out: pathlib.Path | None, pool: object) -> None:
    """Judges those that are not kept."""
    for task in sorted({one.task for one in chosen}):
        some = [one for one in chosen if one.task == task and one.title not in kept]
        with tempfile.TemporaryDirectory() as folder:
            for row in judged(task, some, given.seed, pathlib.Path(folder), pool) if some else []:
                kept[row["name"]] = row
                print(f"{'ok   ' if is_right(row) else 'WRONG'} {row['name']}: {row['verdict']} ({row['class']}) {row['seconds']} s", flush=True)
                if not is_right(row):
                    print(row["text"], flush=True)
        if out:
            out.write_text(json.dumps(kept, indent=1))


def usual(chosen: list[Program], kept: dict) -> None:
    """What the usual check says of the same programs."""
    import usual_check

    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for one in chosen:
            path = pathlib.Path(folder) / f"{one.task}-{one.name}.py"
            path.write_text(one.text)
            pairs.append((HERE / one.task / "reference.py", path))
        for one, row in zip(chosen, usual_check.checked(pairs), strict=True):
            kept[one.title]["usual"] = row


def table(chosen: list[Program], kept: dict) -> int:
    """Prints the sums; 0: all are right."""
    rows = [kept[one.title] for one in chosen if one.title in kept]
    cheats = [row for row in rows if row["wanted"] != "accepted"]
    print(f"{len(cheats)} cheats: {sum(row['verdict'] == 'rejected' for row in cheats)} rejected, "
          f"{sum(row['shown'] for row in cheats)} with a witness that replays; {len(rows) - len(cheats)} honest: "
          f"{sum(row['verdict'] == 'accepted' for row in rows if row['wanted'] == 'accepted')} accepted; {len({r['name'].split('/')[0] for r in rows})} tasks")
    if any("usual" in row for row in cheats):
        for tolerance in ("0.01", "0.0001"):
            told = [row["name"] for row in rows if row["wanted"] == "accepted" and not row.get("usual", {}).get(tolerance)]
            print(f"the usual check at {tolerance} rejects honest programs: {told}")
            print(f"the usual check at {tolerance} accepts {sum(bool(row.get('usual', {}).get(tolerance)) for row in cheats)} of {len(cheats)} cheats")
    return 0 if all(is_right(row) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
