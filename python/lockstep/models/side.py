"""python -m lockstep.models.side REQUEST: a step in this process, its record as JSON in a file (bisect.py)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from lockstep.models import runner


def eager(step: runner.Step) -> runner.Ran:
    """The loss without a compiler, on torch's own CPU kernels."""
    import torch

    import lockstep
    from lockstep.models import zoo

    made, ran = zoo.make(step.model, step.seed), runner.Ran(step)
    dtype = getattr(torch, step.dtype)
    with lockstep.pretend_cuda():
        module = made.module.cuda().to(dtype)
        named = {name: runner.placed(one, dtype) for name, one in made.arguments.items()}
        ran.loss = float(runner.loss_of(module(*[runner.placed(one, dtype) for one in made.positional], **named)).detach())
    return ran


def main(words: list[str]) -> int:
    request: dict[str, Any] = json.loads(words[0])
    step = runner.Step(**request["step"])
    ran = eager(step) if request["eager"] else runner.run(step)
    Path(request["out"]).write_text(json.dumps(ran.data()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
