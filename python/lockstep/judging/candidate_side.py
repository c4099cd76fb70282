"""The process of the candidate: runs histories of calls on Lockstep with "cuda" pretended, and sends the results of each: bytes, f64
without rounding, ops, launches, findings. It holds no reference and no expected value.
A process that the zygote forks; serve() answers until the pipe is closed."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import threading
import traceback
import types
from collections.abc import Iterator
from typing import Any

from lockstep.judging import host, wire
from lockstep.judging.nest import NotPlain, flat_results, from_nest, to_nest
from lockstep.judging.reference_side import init_arguments
from lockstep.judging.tensors import Bits, from_head, from_torch, known_dtype, to_torch

# : A result has at most so many elements whose numbers without rounding are asked for.
MOST_REAL = 1 << 20


def _real_of(tensor: Any) -> bytes:
    """Pairs of doubles (_native.real_values), row-major; nothing for a type or size that has none."""
    import numpy as np

    from lockstep.real_numbers import real_ends

    ends = real_ends(tensor) if tensor.numel() <= MOST_REAL else None
    return b"" if ends is None else np.stack([one.reshape(-1) for one in ends], -1).tobytes()


class Candidate:
    """The module of the candidate. `entry`: {"kind": "model" | "function", "name"}."""

    def __init__(self, path: str, entry: dict[str, Any]) -> None:
        spec = importlib.util.spec_from_file_location("solution", path)
        assert spec is not None and spec.loader is not None
        self.module = importlib.util.module_from_spec(spec)
        self.entry = entry
        sys.modules["solution"] = self.module
        with host.Tracer() as self.tracer:
            spec.loader.exec_module(self.module)
        if entry["kind"] != "module" and not hasattr(self.module, entry["name"]):
            raise AttributeError(f"it has no {entry['name']}")

    def new_model(self, init: Any, seed: int) -> Any:
        import torch

        if self.entry["kind"] == "module":
            return None
        made = getattr(self.module, self.entry["name"])
        if self.entry["kind"] == "function":
            return made
        arguments, keywords = init_arguments(init)
        torch.manual_seed(seed)
        model = made(*arguments, **keywords)
        return model.cuda().eval() if isinstance(model, torch.nn.Module) else model

    def attributes(self) -> dict[str, Any]:
        """What tests may import: ["function"], ["kernel"], ["value", nest], ["other", what it is]."""
        found: dict[str, Any] = {}
        for name, one in vars(self.module).items():
            if isinstance(one, types.ModuleType) or name.startswith("__"):
                continue
            if hasattr(one, "run") and hasattr(one, "fn"):
                found[name] = ["kernel"]
            elif isinstance(one, type):
                found[name] = ["other", f"the class {one.__name__}"]
            elif callable(one):
                found[name] = ["function"]
            else:
                with contextlib.suppress(NotPlain):
                    tensors: list[Any] = []
                    nest = to_nest(one, tensors)
                    found[name] = ["other", "a tensor"] if tensors else ["value", nest]
        return found

    def called(self, function: str, grid: Any) -> Any:
        """A function of the module that takes what tests gave: a list of arguments and a dict."""
        made = getattr(self.module, function)
        made = made if grid is None else made[from_nest(grid, [])]

        def call(args: Any, kwargs: Any) -> Any:
            result = made(*args, **kwargs)
            return None if grid is not None else result

        return call

    def configurations(self) -> int:
        """Of the autotuner of Triton with the most; others have theirs in forms of their own."""
        found = [getattr(one, "configs", None) for one in vars(self.module).values() if hasattr(one, "fn")]
        return max([len(one) for one in found if isinstance(one, list)], default=1)


def state_of(model: Any) -> list[tuple[str, Any]]:
    import torch

    return [*model.named_parameters(), *model.named_buffers()] if isinstance(model, torch.nn.Module) else []


@contextlib.contextmanager
def _around(message: dict[str, Any]) -> Iterator[None]:
    """A disguise where it is asked for; capsules of the launches."""
    from lockstep.judging.capsules import recorder

    with contextlib.ExitStack() as stack:
        if message["disguise"]:
            stack.enter_context(host.disguise())
        recorder.is_on = True
        try:
            yield
        finally:
            recorder.is_on = False


def _storage(tensor: Any) -> int:
    try:
        return int(tensor.untyped_storage().data_ptr())
    except (RuntimeError, NotImplementedError):
        return 0


def _alias(tensor: Any, inputs: list[Any]) -> int:
    """The input that it is; -1: none."""
    return next((k for k, one in enumerate(inputs) if one is tensor or (one.data_ptr() == tensor.data_ptr() and one.shape == tensor.shape)), -1)


def _laid_out(tensor: Any, layout: str) -> Any:
    """The same numbers in another arrangement of memory."""
    import torch

    if layout == "transposed" and tensor.ndim >= 2:
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "sliced" and tensor.ndim >= 1:
        wide = torch.zeros(*tensor.shape[:-1], tensor.shape[-1] + 5, dtype=tensor.dtype, device=tensor.device)
        wide[..., 3 : 3 + tensor.shape[-1]] = tensor
        return wide[..., 3 : 3 + tensor.shape[-1]]
    if layout == "expanded" and tensor.ndim >= 2:
        return tensor[:1].expand(tensor.shape)
    if layout.startswith("strides "):
        return _with_strides(tensor, [int(one) for one in layout.split()[1:]])
    return tensor


def _with_strides(tensor: Any, strides: list[int]) -> Any:
    """The same numbers with these strides."""
    import torch

    some = tensor
    for dim, stride in enumerate(strides):
        some = some.narrow(dim, 0, min(1, some.shape[dim])) if stride == 0 else some
    made = torch.empty_strided(some.shape, strides, dtype=tensor.dtype, device=tensor.device)
    return made.copy_(some).expand(tensor.shape)


class History:
    """Steps of a scenario on new models: what is set, and the calls."""

    def __init__(self, models: list[Any], nest: Any, tensors: list[Bits], tracer: host.Tracer, is_of_tests: bool = False) -> None:
        """is_of_tests: a call of a suite's tests, which get the value as it is, and all arguments that changed."""
        self.models, self.nest, self.tensors, self.tracer, self.is_of_tests = models, nest, tensors, tracer, is_of_tests
        self.slots: dict[int, Any] = {}
        self.results: list[list[Any]] = []
        self.earlier: dict[int, Any] = {}  # storages that kernels of earlier calls made
        self.calls: list[dict[str, Any]] = []
        self.blocks: list[bytes] = []

    def step(self, step: list[Any]) -> None:
        import torch

        kind = step[0]
        if kind == "call":
            return self.call(step[1], self.models[step[2]])
        if kind == "state":
            for model in self.models:
                targets = dict(state_of(model))
                with torch.no_grad():
                    for name, number in step[1]:
                        targets[name].copy_(to_torch(self.tensors[number]))
            return None
        given = to_torch(self.tensors[step[2]])
        if kind == "new" or step[1] not in self.slots:
            self.slots[step[1]] = _laid_out(given.cuda(), step[3])
        elif kind == "copy":
            self.slots[step[1]].copy_(given)
        else:
            self.slots[step[1]].data.copy_(given)
        return None

    def call(self, numbers: list[int], model: Any) -> None:
        import torch

        from lockstep import _native, settings
        from lockstep.judging.capsules import recorder

        first = len(recorder.written)
        _native.forget_real()  # memory of an earlier launch may be an input now, with the same bits by chance
        inputs = [self.slots[one] for one in numbers]
        before = [from_torch(one).data for one in inputs]
        places = [one.data_ptr() for one in inputs]
        call = host.Call(inputs, [one for _, one in state_of(model)], self.earlier)
        settings.add_observer(call.add_report)
        try:
            with torch.no_grad(), self.tracer, call.mode():
                result = model(*from_nest(self.nest, inputs))
            torch.cuda.synchronize()
        finally:
            settings.remove_observer(call.add_report)
        more: dict[str, Any] = {}
        outputs: list[Any] = []
        if self.is_of_tests:
            more = {"value": to_nest(result, outputs), "alias": [_alias(one, inputs) for one in outputs]}
        else:
            outputs = flat_results(result)
        changed = [i for i, one in enumerate(inputs) if from_torch(one).data != before[i] or one.data_ptr() != places[i]]
        held = {one.untyped_storage().data_ptr() for one in outputs if type(one).__name__ in ("Tensor", "Parameter")}
        outputs += [inputs[i] for i in changed if self.is_of_tests or inputs[i].untyped_storage().data_ptr() not in held]
        self.results.append(outputs)
        self.earlier |= call.made()
        theirs = {one.untyped_storage().data_ptr() for one in inputs}
        self.calls.append({
            **more, **call.facts(outputs), "capsules": [first, len(recorder.written)], "changed": changed, "is_input": [_storage(one) in theirs for one in outputs], "types": [type(one).__name__ for one in outputs],
            "threads": [one.name for one in threading.enumerate() if one is not threading.main_thread()],
            "outputs": self.keep(outputs, with_real=True)})

    def keep(self, outputs: list[Any], with_real: bool) -> list[dict[str, Any]]:
        heads = []
        for one in outputs:
            bits = from_torch(one)
            heads.append({**bits.head(), "known": known_dtype(bits.dtype)})
            self.blocks.append(bits.data)
            if with_real:
                self.blocks.append(_real_of(one))
        return heads


class Server:
    """Answers the judge's questions."""

    def __init__(self) -> None:
        self.candidate: Candidate | None = None

    def answer(self, message: dict[str, Any], blocks: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        if message["kind"] == "load":
            self.candidate = Candidate(message["path"], message["entry"])
        candidate = self.candidate
        assert candidate is not None
        if message["kind"] in ("load", "make"):
            bits = [(name, from_torch(one)) for name, one in state_of(candidate.new_model(from_nest(message["init"], []), message["seed"]))]
            return {
                "kind": "loaded", "names": [name for name, _ in bits], "state": [one.head() for _, one in bits],
                "configurations": candidate.configurations(),
                **({"attributes": candidate.attributes()} if candidate.entry["kind"] == "module" else {})}, [one.data for _, one in bits]
        if message["kind"] == "host":
            return {"kind": "host", "lines": sorted(candidate.tracer.lines)}, []
        return self._history(candidate, message, blocks)

    def _history(self, candidate: Candidate, message: dict[str, Any], blocks: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        from lockstep import settings

        tensors = [from_head(head, data) for head, data in zip(message["tensors"], blocks, strict=True)]
        init = from_nest(message["init"], [])
        raised: dict[str, Any] | None = None
        history: History | None = None
        with settings.options(findings="ignore", **message["options"]), _around(message):
            try:
                function = message["function"]
                models = [
                    candidate.called(function, message["grid"]) if function else candidate.new_model(init, message["seed"]) for _ in range(message["models"])]
                history = History(models, message["nest"], tensors, candidate.tracer, bool(function))
                for step in message["steps"]:
                    history.step(step)
            except Exception as error:
                raised = described(error)
        if history is None:
            return {"kind": "told", "calls": [], "ends": [], "raised": raised}, []
        ends = [history.keep(outputs, with_real=False) for outputs in history.results]
        return {"kind": "told", "calls": history.calls, "ends": ends, "raised": raised}, history.blocks


def described(error: BaseException) -> dict[str, Any]:
    """An exception as plain text, with the candidate's line."""
    lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename.endswith("solution.py")]
    return {"type": type(error).__name__, "text": str(error)[:2000], "line": lines[-1] if lines else 0}


def serve(source: int, target: int) -> None:
    """Until the pipe is closed."""
    from lockstep.judging.capsules import recorder

    recorder.begin()
    server = Server()
    while True:
        try:
            message, blocks = wire.receive(source)
        except wire.WireError:
            return
        try:
            answer, made = server.answer(message, blocks)
        except Exception as error:
            answer, made = {"kind": "raised", **described(error)}, []
        wire.send(target, answer, made)
