"""The process of the reference: draws inputs and states, and computes what is expected, in the reference's type and in f64.
Run as `python -m lockstep.judging.reference_side IN OUT`: descriptors of the two pipes."""

from __future__ import annotations

import copy
import sys
import traceback
import types
from typing import Any

from lockstep.judging import wire
from lockstep.judging.tensors import from_head, from_torch, to_torch


class OpCounter:
    """The aten ops of a call, with the elements that each touched."""

    def __init__(self) -> None:
        self.ops: dict[str, int] = {}

    def __enter__(self) -> OpCounter:
        from torch.utils._python_dispatch import TorchDispatchMode

        ops = self.ops

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, function: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
                result = function(*args, **(kwargs or {}))
                name = function._overloadpacket.__name__
                ops[name] = ops.get(name, 0) + 1
                return result

        self._mode = Mode()
        self._mode.__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._mode.__exit__(*exception)


def flat_tensors(value: Any) -> list[Any]:
    """The tensors of nested tuples, lists and dicts, in order."""
    import torch

    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [one for part in value for one in flat_tensors(part)] if isinstance(value, tuple | list) else []


def rebuilt(value: Any, tensors: list[Any]) -> Any:
    """The same nest with these tensors; consumes them."""
    import torch

    if isinstance(value, torch.Tensor):
        return tensors.pop(0)
    if isinstance(value, dict):
        return {key: rebuilt(one, tensors) for key, one in value.items()}
    return type(value)(rebuilt(one, tensors) for one in value) if isinstance(value, tuple | list) else value


class Reference:
    """The module of the reference and its model."""

    def __init__(self, text: str, path: str, seed: int) -> None:
        import torch

        self.module = types.ModuleType("reference")
        self.module.__file__ = path
        sys.modules["reference"] = self.module
        exec(compile(text, path, "exec"), self.module.__dict__)
        torch.manual_seed(seed)
        self.init = self.module.get_init_inputs() if hasattr(self.module, "get_init_inputs") else []
        self.init = list(self.init) if isinstance(self.init, tuple | list) else [self.init]
        torch.manual_seed(seed)
        self.model = self.module.Model(*self.init).eval()
        self.inputs = self.module.get_inputs()

    def state(self) -> list[tuple[str, Any]]:
        return [*self.model.named_parameters(), *self.model.named_buffers()]

    def call(self, tensors: list[Any], state: list[Any], wide: bool) -> tuple[list[Any], dict[str, int]]:
        """The result's tensors. wide: everything in f64."""
        import torch

        model = copy.deepcopy(self.model)
        with torch.no_grad():
            for (_, target), value in zip([*model.named_parameters(), *model.named_buffers()], state, strict=True):
                target.copy_(value)
            model = model.double() if wide else model
            given = [one.double() if wide and one.is_floating_point() else one.clone() for one in tensors]
            with OpCounter() as counter:
                result = model(*rebuilt(self.inputs, given))
        return flat_tensors(result), counter.ops


def _heads(tensors: list[Any]) -> tuple[list[dict[str, Any]], list[bytes]]:
    bits = [from_torch(one) for one in tensors]
    return [one.head() for one in bits], [one.data for one in bits]


class Server:
    """Answers the judge's questions."""

    def __init__(self) -> None:
        self.reference: Reference | None = None

    def answer(self, message: dict[str, Any], blocks: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        import torch

        kind = message["kind"]
        if kind == "load":
            self.reference = Reference(message["text"], message["path"], message["seed"])
            names = [name for name, _ in self.reference.state()]
            heads, data = _heads([one for _, one in self.reference.state()])
            return {"kind": "loaded", "names": names, "state": heads, "init": self.reference.init}, data
        assert self.reference is not None
        if kind == "draw":
            torch.manual_seed(message["seed"])
            heads, data = _heads(flat_tensors(self.reference.module.get_inputs()))
            return {"kind": "drawn", "tensors": heads}, data
        tensors = [to_torch(from_head(head, data)) for head, data in zip(message["tensors"], blocks, strict=True)]
        count = message["inputs"]
        results, ops = self.reference.call(tensors[:count], tensors[count:], message["wide"])
        heads, data = _heads(results)
        return {"kind": "called", "tensors": heads, "ops": ops}, data


def main(words: list[str]) -> int:
    source, target = int(words[0]), int(words[1])
    server = Server()
    while True:
        try:
            message, blocks = wire.receive(source)
        except wire.WireError:
            return 0
        try:
            answer, made = server.answer(message, blocks)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            answer, made = {"kind": "raised", "type": type(error).__name__, "text": str(error), "line": where.lineno}, []
        wire.send(target, answer, made)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
