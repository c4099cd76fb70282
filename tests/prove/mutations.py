"""Proofs that the checker has to accept, and mutations of them that it has to refuse."""

import json

from check_proof import check
from proof_checker.algebra import Refused


def refused_proofs(proofs):
    """A line for each (kernel, text) that the checker refuses."""
    failures = []
    for kernel, text in proofs:
        try:
            check(text)
        except Refused as refused:
            failures.append(f"{kernel}: refused: {refused}")
    return failures


def with_polys(why, polys):
    """A certificate with polynomials in place of their numbers."""
    if "cases" in why:
        return {"cases": why["cases"], "of": [with_polys(one, polys) for one in why["of"]]}
    if "absurd" in why:
        return {"absurd": with_polys(why["absurd"], polys)}
    steps = [one if one[0] == "factor" else [*one[:4], polys[one[4]]] for one in why["steps"]]
    return {"steps": steps, "rest": polys[why["rest"]]}


def says_less(data, before):
    """The same is owed and proved in the same way; of what forms rest on, something is missing and all else is as it was. A form is
    weaker then, which may do."""
    ours = ("polys", "settled", "divisions", "taken")
    others = {key: value for key, value in data.items() if key not in ours}
    if others != {key: value for key, value in before.items() if key not in ours}:
        return False
    if any(data.get(key) for key in ("lemmas", "pairs", "coverings", "multiples")) or any(one for row in data["changes"].values() for one in row):
        return False  # they may name polynomials, too

    def rows(all_of, polys):
        return {json.dumps([polys[row[0]], with_polys(row[1], polys)]) for row in all_of}

    if any(rows(data[key], data["polys"]) != rows(before[key], before["polys"]) for key in ("settled", "divisions")):
        return False
    return all(rows(row, data["polys"]) <= rows(before["taken"].get(op, []), before["polys"]) for op, row in data["taken"].items())


def accepted_mutations(proofs, mutate, pick, wanted, shown=(), kept=None):
    """(mutations that were tried, a line for each that was accepted); mutate(pick, data) changes a proof or says that it did not.

    shown: members of a proof that a line has, before and after. kept: a file for the last one that was accepted."""
    count, failures = 0, []
    while proofs and count < wanted:
        kernel, text = pick.choice(proofs)
        data, before = json.loads(text), json.loads(text)
        if not mutate(pick, data) or data == before:
            continue
        count += 1
        try:
            check(json.dumps(data))
        except Refused:
            continue
        if says_less(data, before):
            count -= 1  # no wrong proof
            continue
        if kept is not None:
            kept.write_text(json.dumps(data))
        failures.append(f"{kernel}: mutation {count} was accepted" + "".join(f": {data[one]}, from {before[one]}" for one in shown))
        break
    return count, failures


def judged(heading, failures, proofs, mutate, pick, wanted, shown=(), kept=None):
    """Has the proofs read, and mutations of them where nothing failed; prints what failed and the counts. The exit code."""
    failures += refused_proofs(proofs)
    count, accepted = (0, []) if failures else accepted_mutations(proofs, mutate, pick, wanted, shown, kept)
    failures += accepted
    print("\n".join(failures))
    print(f"{heading}{len(proofs)} proofs, {count} mutations, {len(failures)} failures")
    return 1 if failures else 0
