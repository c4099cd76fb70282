#!/usr/bin/env python3
"""Reads a proof that `lockstep prove --proof FILE` wrote, and trusts nothing of it.

It parses the kernel's text, computes by its own rules what every value is and what is owed of it, and checks each
certificate as an identity of polynomials over the integers. It searches for nothing and shares no code with the prover.
What is then printed holds: every launch of the contract that meets the conditions stays in bounds, and its integers are
exact. The rules have numbers: docs/design/prove.md.
Usage: check_proof.py FILE ... ; exit code 0: all are proofs, 1: one is not, and why.
"""

import json
import sys

from proof_checker.algebra import Refused
from proof_checker.flow import Checker


def check(text):
    """The report of a proof. Raises Refused."""
    try:
        checker = Checker(json.loads(text))
        checker.check()
        return checker.report()
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, RecursionError, StopIteration) as error:
        raise Refused(f"not in the form of a proof: {type(error).__name__} {error}") from error


def main():
    code = 0
    for path in sys.argv[1:]:
        try:
            with open(path, encoding="utf-8") as file:
                print(check(file.read()))
        except (Refused, OSError) as error:
            print(f"{path}: refused: {error}")
            code = 1
    return code if sys.argv[1:] else 2


if __name__ == "__main__":
    sys.exit(main())
