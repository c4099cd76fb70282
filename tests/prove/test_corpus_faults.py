#!/usr/bin/env python3
"""Planted faults in real kernels: none is proved, nearly all are refuted by a launch that was run, their right twins are proved.

Whether a change is a fault is decided without the prover: launches of small sizes inside the contract are drawn here and run, and
one fails. What the prover refutes is run again by the printed command. A proof of a changed kernel whose launch fails inside its
conditions is a contradiction.
Usage: test_corpus_faults.py LOCKSTEP FOLDER [FAULTS] [--seed N] [--show]      FOLDER: for the kernels as lowered
"""

import argparse
import collections
import concurrent.futures
import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "frontend"), str(HERE.parents[1] / "tools")]

import corpus_bytes  # noqa: E402
import open_corpus  # noqa: E402
from boundaries import BROKEN, Question  # noqa: E402
from corpus_faults import ONE_PROGRAM_MORE, Kernel, NotSaid, contract_of  # noqa: E402

LEAST_REFUTED = 0.9
SECONDS = 20  # of one proof
DRAWS = 12  # launches that look for a failure
FAULTS_OF_A_KERNEL = 3


def prove(lockstep, path, words):
    command = [lockstep, "prove", str(path), "--json", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"answer": "not decided", "conditions": []}
    except json.JSONDecodeError:
        return {"answer": f"exit {done.returncode}", "stderr": done.stderr, "conditions": []}


def drawn(question, pick, draws):
    """Sizes of launches of the contract with few programs."""
    most_drawn = [1, 2, 3, 4, 8, 17, 33, 64, 100]
    found = 0
    for _ in range(40 * draws):
        most = pick.choice(most_drawn)
        sizes = {name: min(pick.choice([1, 2, most, most, pick.randint(1, most)]), question.most[name]) for name in question.free}
        sizes |= {f"owned {name}": 1 for name in question.owned}  # of which nothing is asked
        if question.is_launch(sizes) and question.value("*".join(f"({one})" for one in question.grid), sizes) <= 256 and question.cost(sizes) < 2**22:
            found += 1
            yield sizes
        if found == draws:
            return


def failing_launch(lockstep, question, path, pick):
    """(sizes, command) of a launch inside the contract that fails, or None."""
    for sizes in drawn(question, pick, DRAWS):
        extents, words = question.words_for(sizes)
        command = [lockstep, "run", str(path), "--grid", ",".join(map(str, extents)), "--check", "overflow", "--timeout", "1", *words]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=30, check=False)
        if {*re.findall(r"error: .*\[(LS\d+)\]", done.stdout + done.stderr)} & BROKEN:
            return sizes, command
    return None


def refutation(report):
    """(command, code) of a launch of the contract that was run and failed, or None."""
    if "counterexample" in report:
        return report["counterexample"]["command"], report["counterexample"]["findings"][0]["code"]
    for one in report["conditions"]:
        if "beyond" in one:
            return one["beyond"]["command"], one["beyond"]["findings"][0]["code"]
    return None


def try_fault(lockstep, folder, twin, fault):
    """(answer, what is wrong)"""
    what, at = fault
    path = Path(folder) / f"{twin['name']}.{what.replace(' ', '_')}.{at}.ttir"
    path.write_text(twin["kernel"].with_fault(what, at))
    grid = [f"{text} + 1" if what == ONE_PROGRAM_MORE and i == at else text for i, text in enumerate(twin["grid"])]
    report = prove(lockstep, path, ["--grid", ", ".join(grid), *twin["words"]])
    if report["answer"] not in ("holds", "fails", "not decided"):
        if report["answer"] == "exit 2":
            return "no kernel", ""
        return report["answer"], f"{path}: {report['answer']}: {report['stderr'][-2000:]}"
    pick = random.Random(f"{twin['name']} {what} {at}")
    if refuted := refutation(report):
        command, code = refuted
        done = subprocess.run([lockstep, *shlex.split(command)[1:], "--check", "overflow"], capture_output=True, text=True, errors="replace", timeout=60, check=False)
        said = code in done.stdout + done.stderr and done.returncode == 1
        return "refuted" if report["answer"] == "fails" else "refuted, beyond a condition", "" if said else f"{command}: exit {done.returncode}, announced {code}"
    question = Question(dict(twin["report"], contract=dict(twin["report"]["contract"], grid=grid)))
    failing = failing_launch(lockstep, question, path, pick)
    if failing is None:
        return f"no launch fails; {report['answer']}", ""
    sizes, command = failing
    if report["answer"] == "holds" and all(Question(report).holds(one["expression"], sizes) for one in report["conditions"]):
        return "proved", f"{what}, line {at + 1} of {twin['path']}: proved, but this launch fails:\n{shlex.join(command)}"
    return f"a fault, {report['answer']}", ""


def twin_of(lockstep, folder, launch):
    """A right kernel under its contract; None: none can be written, or it is not proved."""
    path = open_corpus.lowered_once(lockstep, folder, launch)
    if path is None:
        return None
    text = path.read_text()
    assumed = open_corpus.assumptions(text)
    report = prove(lockstep, path, assumed)
    if report["answer"] != "holds" or not report["launches"]:
        return None
    try:
        words, grid = contract_of(report)
    except NotSaid:
        return None
    return {"name": path.stem, "path": path, "kernel": Kernel(text), "words": [*words, *assumed], "grid": grid}


def faults_in(counts):
    return sum(count for name, count in counts.items() if name.startswith(("refuted", "a fault", "proved")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("folder", type=Path)
    parser.add_argument("faults", type=int, nargs="?", default=300)
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    pick = random.Random(given.seed)
    launches = open_corpus.first_of_each_kernel(corpus_bytes.read_launches("1/1"))
    pick.shuffle(launches)
    counts, kinds, wrong, twins = collections.Counter(), collections.defaultdict(collections.Counter), [], collections.Counter()
    with tempfile.TemporaryDirectory() as changed, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:

        def try_kernel(launch):
            twin = twin_of(given.lockstep, given.folder, launch)
            if twin is None:
                return "no contract", [], ""
            report = prove(given.lockstep, twin["path"], ["--grid", ", ".join(twin["grid"]), *twin["words"]])
            if report["answer"] != "holds" or report["conditions"] or not report["launches"]:
                return "not proved under its contract", [], f"{twin['path']}: {report['answer']} {[one['text'] for one in report['conditions']]} {report.get('stderr', '')}"
            twin["report"] = report
            own = random.Random(f"{given.seed} {twin['name']}")
            faults = collections.defaultdict(list)
            for what, at in twin["kernel"].faults():
                faults[what].append((what, at))
            chosen = [own.choice(faults[what]) for what in own.sample(sorted(faults), min(FAULTS_OF_A_KERNEL, len(faults)))]
            return "proved", [(fault, *try_fault(given.lockstep, changed, twin, fault)) for fault in chosen], ""

        at = 0
        while at < len(launches) and faults_in(counts) < given.faults:
            batch = launches[at:at + 2 * given.jobs]
            at += len(batch)
            for answer, results, why in pool.map(try_kernel, batch):
                twins[answer] += 1
                if why and given.show:
                    print(answer, why, flush=True)
                for (what, place), result, problem in results:
                    counts[result] += 1
                    kinds[what][result] += 1
                    wrong += [problem] if problem else []
                    if given.show:
                        print(result, what, place, problem, flush=True)
    faults = faults_in(counts)
    for what, results in sorted(kinds.items()):
        print(f"  {what}: {dict(results)}")
    print("\n".join(wrong[:10]))
    print(f"{at} kernels, {dict(twins)}; {sum(counts.values())} changes, {faults} faults: {dict(counts)}; {len(wrong)} contradictions")
    return 1 if wrong or sum(count for name, count in counts.items() if name.startswith("refuted")) < LEAST_REFUTED * faults else 0


if __name__ == "__main__":
    sys.exit(main())
