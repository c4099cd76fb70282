#!/usr/bin/env python3
"""The open corpus: kernels of public packages in every recorded specialisation, proved for all sizes and every grid.

  open_corpus.py LOCKSTEP FOLDER [--fraction 1/60] [--jobs N] [--kernel WORDS] [--first] [--everything] [--tables] [--show]

Lockstep's front end lowers each of the 1,704 specialisations in tests/frontend/corpus_launches.jsonl.gz from the package's own
source; `lockstep prove` then decides it without a contract, so any size and any grid is meant, and tools/check_proof.py reads each
proof. Of tables of integers that a kernel loads and does not write it is assumed that they lie in a range, and of tables of
offsets that they rise, and of fla's chunk_indices that each chunk begins inside of its sequence: these are the only assumptions, and a proof names them. --everything: races, lanes, hints and coverage, too. --tables: only
specialisations that load a chunk's number from chunk_indices. A kernel
counts for a column if all of its specialisations do. Answers are kept in FOLDER as long as LOCKSTEP is the same.
"""

import argparse
import collections
import functools
import hashlib
import importlib.util
import json
import math
import multiprocessing
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "frontend"), str(HERE.parents[1] / "tools")]

import corpus_bytes  # noqa: E402
import corpus_lowering  # noqa: E402
from check_proof import check  # noqa: E402
from proof_checker.algebra import Refused  # noqa: E402

RISING = re.compile(r"cu_seqlens|cu_seq|offsets?$|indptr|crow|m_sizes_cum|splits?_indptr")
SECONDS = 60
LEAST, LEAST_OF_SAMPLE = 0.75, 0.5  # of kernels: bounds and integers with a certificate
LEAST_OF_EVERYTHING = 0.6
ANSWERS = ("with certificate", "proved", "not decided", "fails")


def lowered(lockstep, launch):
    """The TTIR with its lines; None: refused."""
    line = corpus_bytes.line_of(launch)
    words = corpus_lowering.words_of(line, str(packages_folder() / launch["file"]), launch["kernel"].rpartition(".")[2])
    words[words.index("raw")] = "ttir"
    for target in ("sm_80", "sm_90"):
        words[words.index("--as") + 1] = target
        done = subprocess.run([lockstep, *words, "--locations"], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
        if done.returncode == 0:
            return done.stdout
    return None


def number_of(launch):
    """Names a specialisation in FOLDER."""
    return hashlib.sha256(json.dumps(launch, sort_keys=True).encode()).hexdigest()[:16]


def lowered_once(lockstep, folder, launch):
    """The specialisation's file in FOLDER. None: the front end refuses it."""
    path = folder / f"{number_of(launch)}.ttir"
    if not path.exists():
        text = lowered(lockstep, launch)
        if text is None:
            return None
        path.write_text(text)
    return path


def first_of_each_kernel(launches):
    """Those that were recorded first."""
    return list({one["kernel"]: one for one in reversed(launches)}.values())[::-1]


@functools.cache
def packages_folder():
    return Path(importlib.util.find_spec("torch").origin).parents[1]


def tables_of(text):
    """(name, element) of pointers to integers that the kernel loads and never writes."""
    head = re.search(r"tt\.func public @[\w$.]+\((.*?)\) attributes", text, re.DOTALL)
    arguments = re.findall(r"(%[\w$.-]+): !tt\.ptr<(i16|i32|i64)>[^%]*?loc\((#loc\d*|\"[^\"]*\")", head[1] if head else "")
    names = dict(re.findall(r"^(#loc\d+) = loc\(\"([\w]+)\"\(", text, re.MULTILINE))
    derived = {}
    for result, operands in re.findall(r"^\s*(%[\w$.-]+) = tt\.(?:addptr|splat|broadcast|expand_dims|bitcast)\s+([^:{]*)", text, re.MULTILINE):
        derived[result] = re.findall(r"%[\w$.-]+", operands)[:1]
    written = set()
    for operand in re.findall(r"tt\.(?:store|atomic_rmw [^%]*|atomic_cas [^%]*)\s*(%[\w$.-]+)", text):
        while operand in derived:
            operand = derived[operand][0]
        written.add(operand)
    tables = []
    for value, element, place in arguments:
        name = names.get(place, place.strip('"').split('"')[0])
        if value not in written and name.isidentifier():
            tables.append((name, element))
    return tables


def chunk_size(launch):
    """Of fla's kernels: how many rows a pair of chunk_indices speaks of. None: it has no such table."""
    sizes = [one["value"] for one in (launch or {}).get("args", ()) if one["name"] == "BT" and one["sig"] == "constexpr"]
    return sizes[0] if sizes else None


def assumptions(text, launch=None):
    rows = []
    names = [name for name, _ in tables_of(text)]
    for name in names:
        if name == "chunk_indices" and "cu_seqlens" in names and chunk_size(launch):
            rows += ["--assume", f"{name} counts chunks of {chunk_size(launch)} in cu_seqlens_count sequences of cu_seqlens"]
            continue
        rows += ["--assume", f"{name} rises from 0 to {name}_end" if RISING.search(name) else f"{name} in [0,{name}_end)"]
    return rows


def size_of(size, sizes, launch):
    if size in sizes:
        return sizes[size]
    is_constant = size == 1 or any(one["value"] == size for one in launch["args"] if one["sig"] == "constexpr" and one["kind"] == "int")
    return str(size) if is_constant else f"size{size}"


def strides_of(name, strides, shape, launch):
    """":(s,1)" where an integer argument is a stride of the tensor; "": none is."""
    named = [one for one in launch["args"] if one["kind"] == "int" and one["sig"] == "i32" and "stride" in one["name"] and one["value"] > 1]
    named.sort(key=lambda one: not one["name"].lower().startswith(name.removesuffix("_ptr").lower()))
    if len(strides) != len(shape) or not any(one["value"] in strides for one in named):
        return ""
    words = [next((one["name"] for one in named if one["value"] == stride), "*".join(shape[d + 1:]) or "1") for d, stride in enumerate(strides)]
    return f":({','.join(words)})"


def is_stride_of(argument, name):
    """stride_cm and row_stride_c are strides of c_ptr."""
    stem = re.sub(r"_?(ptr|pointer)$", "", name.lower())
    words = [word for word in argument.lower().split("_") if word != "stride"]
    return any("_".join(words[i:]).startswith(stem) for i in range(len(words)))


def read_once(name, one, launch):
    """Another reading: an argument is one size, or one stride, of a tensor, and a stride's name says of which."""
    numbers = [(arg["name"], arg["value"]) for arg in launch["args"] if arg["kind"] == "int" and arg["sig"] in ("i32", "i64") and arg["value"] > 1]
    sizes = [number for number in numbers if "stride" not in number[0]]
    strides = [number for number in numbers if "stride" in number[0] and is_stride_of(number[0], name)]
    shape, count, where = one["shape"], math.prod(one["shape"]), []

    def taken(of, value):
        found = next((number for number in of if number[1] == value), None)
        if found:
            of.remove(found)
        return found and found[0]

    has_strides = len(one["stride"]) == len(shape) and any(value in one["stride"] for _, value in strides)
    whole = next((number for number, value in sizes if value == count), None) if len(shape) > 1 else None
    if whole and not has_strides:
        return f"[{whole}]", where
    if whole:
        rest = math.prod(shape[1:])
        shown = [f"{whole} // {rest}", *map(str, shape[1:])]
        where = [f"{whole} % {rest} == 0", f"{whole} >= {rest}"]
    else:
        shown = [taken(sizes, size) or size_of(size, {}, launch) for size in shape]
    if not has_strides:
        return f"[{','.join(shown)}]", where
    words = [taken(strides, stride) or "*".join(shown[d + 1:]) or "1" for d, stride in enumerate(one["stride"])]
    return f"[{','.join(shown)}]:({','.join(words)})", where


def outputs_of(launch, text, reads_once=False):
    """The contract's words for tensors that the kernel stores to and never loads; they lie without gaps, or have
    the strides of arguments that are called so. The number of
    elements, else each size, is an integer argument of the same value, else the same constexpr, else a size of its own.
    reads_once: as read_once has it. None: there is no such tensor."""
    derived, uses = {}, {}
    for result, operands in re.findall(r"^\s*(%[\w$.-]+) = tt\.(?:addptr|splat|broadcast|expand_dims|bitcast)\s+([^:{]*)", text, re.MULTILINE):
        derived[result] = re.findall(r"%[\w$.-]+", operands)[0]
    for op, operand in re.findall(r"tt\.(store|load|atomic_\w+) [^%\n]*(%[\w$.-]+)", text):
        while operand in derived:
            operand = derived[operand]
        uses.setdefault(operand.strip("%"), set()).add(op)
    arguments = {one["name"]: one for one in launch["args"]}
    sizes = {one["value"]: one["name"] for one in launch["args"] if one["kind"] == "int" and one["sig"] in ("i32", "i64") and one["value"] > 1 and "stride" not in one["name"]}
    head = re.search(r"tt\.func public @[\w$.]+\((.*?)\) attributes", text, re.DOTALL)[1]
    words, where = [], []
    for name, element in re.findall(r"%([\w$.-]+): !tt\.ptr<(\w+)>", head):
        one = arguments.get(name, {})
        if uses.get(name) == {"store"} and one.get("shape") and element != "i1" and reads_once:
            shown, facts = read_once(name, one, launch)
            words.append(f"{name}=*{element}{shown} out")
            where += facts
        elif uses.get(name) == {"store"} and one.get("shape") and element != "i1":
            count = math.prod(one["shape"])
            shape = [count] if count in sizes else one["shape"]
            shown = [size_of(size, sizes, launch) for size in shape]
            words.append(f"{name}=*{element}[{','.join(shown)}]{strides_of(name, one['stride'], shown, launch)} out")
    wide = [f"{one['name']}=i64" for one in launch["args"] if one["sig"] == "i64" and any(one["name"] in word for word in words)]
    facts = [word for fact in dict.fromkeys(where) for word in ("--where", fact)]
    return [*wide, *words, *facts] if words else None


def is_written(lockstep, path, launch, assumed):
    """Every output is written, with a certificate, under one of two readings of the recorded launch; None: there is none."""
    text = path.read_text()
    readings = [outputs_of(launch, text), outputs_of(launch, text, reads_once=True)]
    if readings[0] is None:
        return None
    return any(is_written_as(lockstep, path, words, assumed) for words in readings[:1 if readings[0] == readings[1] else 2])


def is_written_as(lockstep, path, words, assumed):
    proof = path.with_suffix(".coverage")
    proof.unlink(missing_ok=True)
    command = [lockstep, "prove", str(path), *words, *assumed, "--properties", "coverage", "--json", "--proof", str(proof)]
    try:
        subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        if not proof.exists():
            return False
        check(proof.read_text())
    except (subprocess.TimeoutExpired, Refused):
        return False
    finally:
        proof.unlink(missing_ok=True)
    return True


def answer_for(task):
    lockstep, folder, launch, everything = task
    path = lowered_once(lockstep, folder, launch)
    none = {"seconds": 0, "assumes": 0, "conditions": 0, "written": False}
    if path is None:
        return {"answer": "refused by the front end", "reasons": [], **none}
    proof = path.with_suffix(".proof")
    proof.unlink(missing_ok=True)
    assumed = assumptions(path.read_text(), launch)
    command = [lockstep, "prove", str(path), "--json", "--proof", str(proof), *assumed]
    if everything:
        command += ["--properties", "races,lanes,hints"]
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
        report = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"answer": "not decided", "reasons": [["more than a minute", "", ""]], **none, "seconds": SECONDS}
    except json.JSONDecodeError:
        return {"answer": f"exit {done.returncode}", "reasons": [[done.stderr[-200:], "", ""]], **none}
    seconds = time.monotonic() - start
    answer, why = report["answer"], ""
    if answer == "holds" and report["uncertified"]:
        answer, why = "proved", f"{report['uncertified'][0]['by']} alone proves {sorted({one['property'] for one in report['uncertified']})}"
    elif answer == "holds":
        try:
            check(proof.read_text())
            answer = "with certificate"
        except Refused as refused:
            answer, why = "proved", str(refused)
    proof.unlink(missing_ok=True)
    reasons = [[one["reason"], one["property"], one["place"]] for one in report["undecided"]]
    if "counterexample" in report:
        reasons += [[one["message"], one["code"], one["place"]] for one in report["counterexample"]["findings"]]
    return {"answer": answer, "reasons": reasons + ([[why, "checker", ""]] if why else []), "seconds": seconds,
            "assumes": len(assumed) // 2, "conditions": len(report["conditions"]),
            "written": is_written(lockstep, path, launch, assumed) if everything else None,
            "alone": any(re.fullmatch(r"grid\.[xyz] <= 1", one["text"]) for one in report["conditions"])}


def decide(task):
    _, folder, launch, everything, stamp = task
    place = folder / f"{number_of(launch)}.{'all' if everything else 'bounds'}.{stamp}.json"
    if not place.exists():
        place.write_text(json.dumps(answer_for(task[:4])))
    return json.loads(place.read_text())


def worst(answers):
    order = ("with certificate", "proved", "not decided", "fails")
    return max(answers, key=lambda one: order.index(one) if one in order else len(order))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fraction", default="1/1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kernel", default="")
    parser.add_argument("--first", action="store_true", help="one specialisation of each kernel, the first that was recorded")
    parser.add_argument("--everything", action="store_true")
    parser.add_argument("--tables", action="store_true", help="specialisations with chunk_indices")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    launches = [one for one in corpus_bytes.read_launches(given.fraction) if given.kernel in one["kernel"]]
    if given.tables:
        launches = [one for one in launches if any(arg["name"] == "chunk_indices" and arg["sig"].startswith("*") for arg in one["args"])]
    if given.first:
        launches = first_of_each_kernel(launches)
    stamp = hashlib.sha256(Path(given.lockstep).read_bytes()).hexdigest()[:16]
    tasks = [(given.lockstep, given.folder, one, given.everything, stamp) for one in launches]
    with multiprocessing.Pool(given.jobs) as pool:
        results = pool.map(decide, tasks, chunksize=4)
    kernels, packages, reasons = collections.defaultdict(list), {}, collections.Counter()
    for launch, result in zip(launches, results, strict=True):
        kernels[launch["kernel"]].append(result["answer"])
        packages[launch["kernel"]] = launch["package"]
        for reason in {(re.sub(r" at \S+|line \d+", "", one[0]), one[1]) for one in result["reasons"]}:
            reasons[reason] += 1
        if given.show and result["answer"] != "with certificate":
            print(f"{launch['kernel']} {number_of(launch)}: {result['answer']}: {result['reasons'][:2]}")
    table = collections.defaultdict(collections.Counter)
    for kernel, answers in kernels.items():
        for name in (packages[kernel], "all"):
            table[name][worst(answers)] += 1
    for name, counts in sorted(table.items(), key=lambda one: (one[0] == "all", one[0])):
        total = sum(counts.values())
        share = f"{counts['with certificate']} ({100 * counts['with certificate'] // total} %)"
        others = sum(count for answer, count in counts.items() if answer not in ANSWERS)
        print(f"| {name} | {total} | {share} | {counts['proved']} | {counts['not decided']} | {counts['fails']} |" + (f" {others} others" if others else ""))
    seconds = sorted(one["seconds"] for one in results)
    conditions = sorted(one["conditions"] for one in results if one["answer"] == "with certificate")
    held = sum(one["answer"] == "with certificate" for one in results)
    print(f"{len(results)} specialisations, {held} with certificate; median {seconds[len(seconds) // 2]:.2f} s, 95 % {seconds[int(0.95 * len(seconds))]:.2f} s; "
          f"conditions: median {conditions[len(conditions) // 2] if conditions else 0}; with assumptions {sum(one['assumes'] > 0 for one in results)}; "
          f"proved for one program along an axis {sum(one.get('alone', False) and one['answer'] == 'with certificate' for one in results)}")
    for (reason, what), count in reasons.most_common(25):
        print(f"{count:5} {what}: {reason}")
    if given.everything:
        written = collections.Counter(str(one.get("written")) for one in results)
        both = sum(one["answer"] == "with certificate" and one.get("written") is not False for one in results)
        print(f"outputs: all written {written['True']}, not decided {written['False']}, none {written['None']}; with everything else {both}")
    bad = [one for one in results if one["answer"].startswith("exit") or one["answer"] == "refused by the front end"]
    total = sum(table["all"].values())
    held, whole = (both, LEAST_OF_EVERYTHING) if given.everything else (table["all"]["with certificate"], LEAST)
    enough = held >= (whole if total > 100 else LEAST_OF_SAMPLE) * total
    return 1 if bad or not enough else 0


if __name__ == "__main__":
    sys.exit(main())
