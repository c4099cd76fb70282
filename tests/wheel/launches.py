#!/usr/bin/env python3
"""launches.py COUNT: one line for each of COUNT random kernels, of what it stored or of the finding that ended it, by the
`lockstep` that this Python imports. Two builds that store the same bytes print the same lines. Needs NumPy."""

import hashlib
import sys
import warnings

import lockstep.errors
from lockstep.campaign.sources import Refused
from lockstep.campaign.sources import random as source


def told(seed: int) -> str:
    """What became of one kernel."""
    case = {"source": {"seed": seed, "ops": 1 + seed % 16, "programs": 3}, "options": {}, "vary": {}}
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


warnings.simplefilter("ignore")
for seed in range(int(sys.argv[1])):
    print(seed, told(seed))
