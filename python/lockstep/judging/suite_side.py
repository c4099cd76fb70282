"""The process that runs a suite's tests: each call of the program under test goes over the pipe to the judge, and what it gave comes
back as bytes. So the program's code is not where its tests are, and cannot change what they check."""

from __future__ import annotations

import builtins
import os
from typing import Any

from lockstep.judging import wire
from lockstep.judging.nest import from_nest, to_nest
from lockstep.judging.suite_run import NEAR, Forwarded, Run
from lockstep.judging.tensors import from_head, from_torch, to_torch


def heads_of(tensors: list[Any]) -> tuple[list[dict[str, Any]], list[bytes]]:
    bits = [from_torch(one) for one in tensors]
    return [one.head() for one in bits], [one.data for one in bits]


class Suite:
    """The tests of a task, and the pipe by which their calls are answered. `task`: {"words", "folder", "module"}."""

    def __init__(self, task: dict[str, Any], attributes: dict[str, Any], source: int, target: int) -> None:
        import lockstep

        lockstep.pretend_cuda()
        folder = os.getcwd() if "text" in task else task["folder"]
        for name, text in {os.path.basename(task["words"][0]): task["text"], **task["files"]}.items() if "text" in task else ():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        self._source, self._target = source, target
        values = {name: ["value", from_nest(one[1], [])] if one[0] == "value" else one for name, one in attributes.items()}
        self.run = Run(task["words"], folder, task["module"], values, self._forward)
        self._chosen: dict[tuple[str, int, int], int] = {}  # of the checks of a result, the one that compares it

    def _forward(self, name: str, grid: Any, arguments: Any, tensors: list[Any]) -> tuple[Any, list[Any], dict[int, Any]]:
        made: list[Any] = []
        nest = to_nest(list(arguments), made)
        same = [next(k for k, other in enumerate(made) if _is_same_memory(one, other)) for one in made]
        heads, data = heads_of(made)
        wire.send(self._target, {
            "kind": "asked", "test": self.run.test, "function": name, "grid": None if grid is None else to_nest(grid, []), "nest": nest,
            "tensors": heads, "same": same, "strides": [list(one.stride()) for one in made]}, data)
        answer, blocks = wire.receive(self._source)
        if answer["kind"] == "raised":
            kind = getattr(builtins, answer["type"], None)
            is_plain = isinstance(kind, type) and issubclass(kind, Exception)
            raise (kind if is_plain else RuntimeError)(answer["text"])  # type: ignore[misc]
        results = [to_torch(from_head(head, one)).cuda() for head, one in zip(answer["tensors"], blocks, strict=True)]
        count = len(answer["tensors"]) - len(answer["changed"])
        values = [tensors[at] if at >= 0 else one for at, one in zip(answer["alias"], results[:count], strict=True)]
        return from_nest(answer["value"], values), results[:count], dict(zip(answer["changed"], results[count:], strict=True))

    def tests(self, shift: int, values: str, is_alike: bool, is_wide: bool) -> tuple[dict[str, Any], list[bytes]]:
        """Runs them, then again in f64 (is_wide). is_alike: the tests' own bounds hold for these numbers, so the tests say what is a comparison."""
        run = self.run
        run.run(shift, values)
        told = {"kind": "tested", "code": run.code, "tests": [vars(one) for one in run.tests], "cannot": run.cannot}
        wide = ""
        if is_wide and run.calls and not run.cannot:
            try:
                run.run(shift, values, wide=True)
            except Exception as error:  # the tests' own code, with other types
                wide = f"{type(error).__name__}: {error}"[:200]
        checks: list[dict[str, Any]] = []
        blocks: list[bytes] = []
        numbers: dict[str, int] = {}
        for k, call in enumerate(run.calls if is_wide else ()):
            number = numbers[call.test] = numbers.get(call.test, -1) + 1
            for i in range(len(call.results)):
                self._check(k, i, number, call, is_alike, checks, blocks)
        return told | {"checks": checks, "wide": wide}, blocks

    def _check(self, k: int, i: int, number: int, call: Forwarded, is_alike: bool, checks: list[dict[str, Any]], blocks: list[bytes]) -> None:
        found, wide = call.checks.get(i, []), call.wide.get(i, [])
        key = call.test, number, i
        if is_alike:
            near = [at for at, (_, other) in enumerate(found) if _is_near(call.results[i], other)]
            if near:
                self._chosen[key] = near[0]
        at = self._chosen.get(key, -1)
        told: dict[str, Any] = {"call": k, "result": i, "checked": bool(found), "own": None, "wide": None}
        if 0 <= at < len(found) and at < len(wide) and found[at][0] == wide[at][0]:
            own, exact = from_torch(found[at][1].cpu()), from_torch(wide[at][1].double().cpu())
            told |= {"own": own.head(), "wide": exact.head()}
            blocks += [own.data, exact.data]
        checks.append(told)


def _is_same_memory(one: Any, other: Any) -> bool:
    return bool(one is other or (one.data_ptr() == other.data_ptr() and one.shape == other.shape and one.stride() == other.stride() and one.dtype == other.dtype and one.numel()))


def _is_near(result: Any, other: Any) -> bool:
    a, b = result.detach().cpu().double(), other.detach().cpu().double()
    if not a.numel() or not bool(b.isfinite().all()):
        return False
    return bool((a - b).abs().max() <= NEAR * max(float(b.abs().max()), 1e-300))
