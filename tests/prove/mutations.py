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
        if kept is not None:
            kept.write_text(json.dumps(data))
        failures.append(f"{kernel}: mutation {count} was accepted" + "".join(f": {data[one]}, from {before[one]}" for one in shown))
        break
    return count, failures
