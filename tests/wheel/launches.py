#!/usr/bin/env python3
"""Random kernels by the `lockstep` that this Python imports; two builds that store the same bytes print the same lines. Needs NumPy.

    launches.py draw COUNT FILE     draws COUNT kernels into FILE
    launches.py run FILE            runs them: one line for each, of what it stored or of the finding that ended it

One build draws for both: which kernel a seed means depends on the order in which a compiler evaluates arguments."""

import hashlib
import json
import sys
import warnings
from pathlib import Path

import lockstep.errors
from lockstep import _native
from lockstep.campaign.sources import Refused
from lockstep.campaign.sources import random as source

PROGRAMS = 3


def told(seed: int) -> str:
    """What became of one kernel."""
    case = {"source": {"seed": seed, "ops": 1, "programs": PROGRAMS}, "options": {}, "vary": {}}
    try:
        outputs = source.run(case, None).outputs
    except Refused:
        return "refused"
    except lockstep.errors.LockstepError as fault:
        return f"fault {hashlib.sha256(str(fault).encode()).hexdigest()[:16]}"
    digest = hashlib.sha256()
    for name, content in sorted(outputs.items()):
        digest.update(name.encode() + (content if isinstance(content, bytes) else content.encode()))
    return digest.hexdigest()[:16]


if sys.argv[1] == "draw":
    Path(sys.argv[3]).write_text(json.dumps([_native.random_kernel(seed, 1 + seed % 16) for seed in range(int(sys.argv[2]))]))
else:
    warnings.simplefilter("ignore")
    kernels = json.loads(Path(sys.argv[2]).read_text())
    _native.random_kernel = lambda seed, _ops: kernels[seed]
    for number in range(len(kernels)):
        print(number, told(number))
