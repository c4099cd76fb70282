"""The process of the candidate: runs histories of calls on Lockstep with "cuda" pretended, and sends the results of each: bytes, f64
without rounding, ops, launches, findings. It holds no reference and no expected value.
Run as `python -m lockstep -m lockstep.judging.candidate_side IN OUT`: descriptors of the two pipes."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from typing import Any

from lockstep.judging import wire
from lockstep.judging.tensors import Bits, from_head, from_torch, known_dtype, to_torch

# : A result has at most so many elements whose numbers without rounding are asked for.
MOST_REAL = 1 << 20


class Work:
    """The aten ops and launches of one call."""

    def __init__(self) -> None:
        self.ops: list[dict[str, Any]] = []
        self.launches: list[str] = []
        self.findings: list[dict[str, Any]] = []
        self.unknown: list[str] = []

    def add_report(self, report: Any) -> None:
        """An observer of launches (settings.add_observer)."""
        self.launches.append(report.kernel)
        for one in report.findings:
            if len(self.findings) < 16:
                self.findings.append({
                    "code": one.code, "tier": one.tier, "message": one.message, "line": one.line, "kernel": report.kernel})
        real = report.real
        if real is not None:
            self.unknown += [one for one in real["unknown"] if one not in self.unknown]

    def note_op(self, name: str, arguments: Any, result: Any) -> None:
        from lockstep.judging.reference_side import flat_tensors

        elements = max([one.numel() for one in flat_tensors([arguments, result])], default=0)
        line = next((frame.lineno for frame in reversed(traceback.extract_stack()) if frame.filename.endswith("solution.py")), 0)
        if len(self.ops) < 256:
            self.ops.append({"op": name, "elements": elements, "line": line})


def _mode(work: Work) -> Any:
    from torch.utils._python_dispatch import TorchDispatchMode

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = function(*args, **(kwargs or {}))
            work.note_op(function._overloadpacket.__name__, [args, kwargs or {}], result)
            return result

    return Mode()


def _real_of(tensor: Any) -> bytes:
    """Pairs of doubles (_native.real_values), row-major; nothing for a type or size that has none."""
    import numpy as np

    from lockstep.real_numbers import real_ends

    ends = real_ends(tensor) if tensor.numel() <= MOST_REAL else None
    return b"" if ends is None else np.stack([one.reshape(-1) for one in ends], -1).tobytes()


class Candidate:
    """The module of the candidate and a model of it."""

    def __init__(self, path: str, init: list[Any], seed: int) -> None:
        import torch

        spec = importlib.util.spec_from_file_location("solution", path)
        assert spec is not None and spec.loader is not None
        self.module = importlib.util.module_from_spec(spec)
        sys.modules["solution"] = self.module
        spec.loader.exec_module(self.module)
        self.init, self.seed = init, seed
        torch.manual_seed(seed)
        self.model = self.new_model()

    def new_model(self) -> Any:
        import torch

        torch.manual_seed(self.seed)
        model = self.module.ModelNew(*self.init)
        return model.cuda().eval() if isinstance(model, torch.nn.Module) else model

    def state(self) -> list[tuple[str, Any]]:
        import torch

        if not isinstance(self.model, torch.nn.Module):
            return []
        return [*self.model.named_parameters(), *self.model.named_buffers()]


class History:
    """Steps of a scenario on a new model: what is set, and the calls."""

    def __init__(self, candidate: Candidate, tensors: list[Bits]) -> None:
        self.candidate, self.tensors = candidate, tensors
        self.slots: dict[int, Any] = {}
        self.results: list[list[Any]] = []
        self.calls: list[dict[str, Any]] = []
        self.blocks: list[bytes] = []

    def step(self, step: list[Any]) -> None:
        import torch

        kind = step[0]
        if kind == "call":
            return self.call(step[1])
        if kind == "state":
            targets = dict(self.candidate.state())
            with torch.no_grad():
                for name, number in step[1]:
                    targets[name].copy_(to_torch(self.tensors[number]))
            return None
        given = to_torch(self.tensors[step[2]])
        if kind == "new" or step[1] not in self.slots:
            self.slots[step[1]] = given.cuda()
        elif kind == "copy":
            self.slots[step[1]].copy_(given)
        else:
            self.slots[step[1]].data.copy_(given)
        return None

    def call(self, numbers: list[int]) -> None:
        import torch

        from lockstep import settings
        from lockstep.judging.reference_side import flat_tensors

        inputs = [self.slots[one] for one in numbers]
        before = [from_torch(one).data for one in inputs]
        versions = [one.data_ptr() for one in inputs]
        work = Work()
        settings.add_observer(work.add_report)
        try:
            with torch.no_grad(), _mode(work):
                result = self.candidate.model(*inputs)
            torch.cuda.synchronize()
        finally:
            settings.remove_observer(work.add_report)
        outputs = flat_tensors(result)
        self.results.append(outputs)
        changed = [i for i, one in enumerate(inputs) if from_torch(one).data != before[i] or one.data_ptr() != versions[i]]
        self.calls.append({
            "ops": work.ops, "launches": work.launches, "findings": work.findings, "unknown": work.unknown, "changed": changed,
            "types": [type(one).__name__ for one in outputs], "outputs": self.keep(outputs, with_real=True)})

    def keep(self, outputs: list[Any], with_real: bool) -> list[dict[str, Any]]:
        heads = []
        for one in outputs:
            bits = from_torch(one)
            heads.append({**bits.head(), "known": known_dtype(bits.dtype)})
            self.blocks.append(bits.data)
            if with_real:
                self.blocks.append(_real_of(one))
        return heads


def _answer(candidates: dict[str, Candidate], message: dict[str, Any], blocks: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    from lockstep import settings

    if message["kind"] == "load":
        made = candidates["it"] = Candidate(message["path"], message["init"], message["seed"])
        bits = [(name, from_torch(one)) for name, one in made.state()]
        return {"kind": "loaded", "names": [name for name, _ in bits], "state": [one.head() for _, one in bits]}, [
            one.data for _, one in bits]
    candidate = candidates["it"]
    tensors = [from_head(head, data) for head, data in zip(message["tensors"], blocks, strict=True)]
    candidate.model = candidate.new_model()
    history = History(candidate, tensors)
    raised: dict[str, Any] | None = None
    with settings.options(real=message["real"], check=message["check"], findings="ignore"):
        try:
            for step in message["steps"]:
                history.step(step)
        except Exception as error:
            raised = described(error)
    ends = [history.keep(outputs, with_real=False) for outputs in history.results]
    return {"kind": "told", "calls": history.calls, "ends": ends, "raised": raised}, history.blocks


def described(error: BaseException) -> dict[str, Any]:
    """An exception as plain text, with the candidate's line."""
    lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename.endswith("solution.py")]
    return {"type": type(error).__name__, "text": str(error)[:2000], "line": lines[-1] if lines else 0}


def main(words: list[str]) -> int:
    source, target = int(words[0]), int(words[1])
    candidates: dict[str, Candidate] = {}
    while True:
        try:
            message, blocks = wire.receive(source)
        except wire.WireError:
            return 0
        try:
            answer, made = _answer(candidates, message, blocks)
        except Exception as error:
            answer, made = {"kind": "raised", **described(error)}, []
        wire.send(target, answer, made)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
