"""The process of the reference: draws inputs and states, and computes what is expected, in the reference's type and in f64.
A process that the zygote forks; serve() answers until the pipe is closed."""

from __future__ import annotations

import contextlib
import copy
import sys
import traceback
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lockstep.judging import wire, work
from lockstep.judging.nest import NotPlain, flat_results, from_nest, to_nest
from lockstep.judging.tensors import from_head, from_torch, to_torch

if TYPE_CHECKING:
    from lockstep.judging import suite_side


def module_of(text: str, path: str, name: str) -> Any:
    """A module made of this text."""
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(compile(text, path, "exec"), module.__dict__)
    return module


class Reference:
    """The module of the reference and its model at the present sizes. `task`: {"kind": "model"}; {"kind": "function", "name",
    "maker"} (the maker may be of another file, "maker_text"); {"kind": "gpumode", "arguments": [{...}, ...]}."""

    def __init__(self, text: str, path: str, task: dict[str, Any], seed: int) -> None:
        self.task, self.seed = task, seed
        for name, helper in task.get("helpers", {}).items():
            module_of(helper, f"{name}.py", name)
        self.module = module_of(text, path, "reference")
        self.maker = module_of(task["maker_text"], task["maker_path"], "inputs") if task.get("maker_text") else self.module
        self.changed: dict[str, Any] = {}
        self.number = 0  # of GPU MODE's tests
        self.steps = 0  # ops of the last call
        self.make()

    # ---- sizes ----

    def sizes(self) -> dict[str, int]:
        """Integers that set the task's size: of the module, or of the test's arguments."""
        if self.task["kind"] == "gpumode":
            found = self.task["arguments"][self.number] | self.changed
            return {name: one for name, one in found.items() if type(one) is int and name != "seed"}
        return {
            name: one for name, one in vars(self.maker).items() if type(one) is int and not name.startswith("_") and one > 0}

    def set_sizes(self, sizes: dict[str, int]) -> None:
        if self.task["kind"] == "gpumode":
            self.changed = dict(sizes)
        else:
            for name, one in sizes.items():
                setattr(self.maker, name, one)

    def make(self) -> None:
        """The model and one draw at these sizes."""
        import torch

        self.init: Any = []
        self.model: Any = None
        if self.task["kind"] == "model":
            torch.manual_seed(self.seed)
            self.init = self.module.get_init_inputs() if hasattr(self.module, "get_init_inputs") else []
            to_nest(self.init, [])
            torch.manual_seed(self.seed)
            arguments, keywords = init_arguments(self.init)
            self.model = self.module.Model(*arguments, **keywords).eval()
        self.draw(self.seed)

    def elements(self) -> int:
        """Of the inputs and parameters, without making them."""
        import torch

        with torch.device("meta"):
            tensors: list[Any] = []
            if self.task["kind"] == "model":
                init = self.module.get_init_inputs() if hasattr(self.module, "get_init_inputs") else []
                arguments, keywords = init_arguments(init)
                tensors += self.module.Model(*arguments, **keywords).state_dict().values()
            to_nest(self._drawn(0), tensors)
        return sum(one.numel() for one in tensors)

    # ---- inputs and calls ----

    def _drawn(self, seed: int) -> Any:
        if self.task["kind"] == "gpumode":
            arguments = self.task["arguments"][self.number] | self.changed
            return self.module.generate_input(**(arguments | ({"seed": seed % 2**31} if "seed" in arguments else {})))
        return getattr(self.maker, self.task.get("maker", "get_inputs"))()

    def draw(self, seed: int) -> list[Any]:
        """The tensors of one draw; the rest of it is the same in all."""
        import torch

        torch.manual_seed(seed)
        tensors: list[Any] = []
        given = self._drawn(seed)
        self.nest = to_nest([given] if self.task["kind"] == "gpumode" else given, tensors)
        return [one.detach() for one in tensors]

    def state(self) -> list[tuple[str, Any]]:
        return [*self.model.named_parameters(), *self.model.named_buffers()] if self.model is not None else []

    def call(self, tensors: list[Any], state: list[Any], wide: bool) -> tuple[list[Any], list[int], list[dict[str, Any]]]:
        """The result's tensors, then the inputs that it changed, and their numbers. wide: everything in f64."""
        import torch

        model = copy.deepcopy(self.model) if self.model is not None else getattr(self.module, self.task.get("name", "ref_kernel"))
        with torch.no_grad():
            for (_, target), value in zip(
                [*model.named_parameters(), *model.named_buffers()] if state else [], state, strict=True
            ):
                target.copy_(value)
            model = model.double() if wide and self.model is not None else model
            given = [one.double() if wide and one.is_floating_point() else one.clone() for one in tensors]
            before = [one.clone() for one in given]
            counter = work.Recorder(lambda: 0)
            with counter.mode(), _default(torch.float64 if wide else torch.get_default_dtype()):
                result = model(*from_nest(self.nest, given))
            self.steps = counter.count
        outputs = flat_results(result)
        held = {one.untyped_storage().data_ptr() for one in outputs}
        changed = [i for i, (a, b) in enumerate(zip(given, before, strict=True)) if not torch.equal(a.nan_to_num(), b.nan_to_num())]
        outputs += [given[i] for i in changed if given[i].untyped_storage().data_ptr() not in held]
        return outputs, changed, counter.ops


@contextlib.contextmanager
def _default(dtype: Any) -> Iterator[None]:
    """The type of what torch makes of plain numbers: torch.full((3,), 0.3)."""
    import torch

    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def init_arguments(init: Any) -> tuple[list[Any], dict[str, Any]]:
    """KernelBench's get_init_inputs gives a list of arguments, or a list of arguments and a dict of named ones."""
    if isinstance(init, dict):
        return [], dict(init)
    init = list(init) if isinstance(init, tuple | list) else [init]
    if len(init) == 2 and isinstance(init[0], list) and isinstance(init[1], dict):
        return list(init[0]), dict(init[1])
    return init, {}


def _heads(tensors: list[Any]) -> tuple[list[dict[str, Any]], list[bytes]]:
    bits = [from_torch(one) for one in tensors]
    return [one.head() for one in bits], [one.data for one in bits]


class Server:
    """Answers the judge's questions."""

    def __init__(self, source: int, target: int) -> None:
        self._pipe = source, target
        self.reference: Reference | None = None
        self.suite: suite_side.Suite | None = None

    def _made(self) -> tuple[dict[str, Any], list[bytes]]:
        assert self.reference is not None
        state = self.reference.state()
        heads, data = _heads([one for _, one in state])
        return {
            "kind": "loaded", "names": [name for name, _ in state], "state": heads, "init": to_nest(self.reference.init, []),
            "nest": self.reference.nest, "sizes": self.reference.sizes()}, data

    def answer(self, message: dict[str, Any], blocks: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        kind = message["kind"]
        if kind == "suite":
            from lockstep.judging import suite_side

            self.suite = suite_side.Suite(message["task"], message["attributes"], *self._pipe)
            return {"kind": "loaded"}, []
        if self.suite is not None:
            return self.suite.tests(message["shift"], message["values"], message["alike"], message["wide"])
        if kind == "load":
            self.reference = Reference(message["text"], message["path"], message["task"], message["seed"])
            return self._made()
        reference = self.reference
        assert reference is not None
        if kind == "sizes":
            reference.number = message.get("number", reference.number)
            reference.set_sizes(message["sizes"])
            if message["only_count"]:
                return {"kind": "counted", "elements": reference.elements()}, []
            reference.make()
            return self._made()
        if kind == "draw":
            heads, data = _heads(reference.draw(message["seed"]))
            return {"kind": "drawn", "tensors": heads}, data
        tensors = [to_torch(from_head(head, data)) for head, data in zip(message["tensors"], blocks, strict=True)]
        count = message["inputs"]
        results, changed, ops = reference.call(tensors[:count], tensors[count:], message["wide"])
        heads, data = _heads(results)
        return {"kind": "called", "tensors": heads, "ops": ops, "changed": changed, "steps": reference.steps}, data


def serve(source: int, target: int) -> None:
    """Until the pipe is closed."""
    server = Server(source, target)
    while True:
        try:
            message, blocks = wire.receive(source)
        except wire.WireError:
            return
        try:
            answer, made = server.answer(message, blocks)
        except NotPlain as error:
            answer, made = {"kind": "raised", "type": "NotPlain", "text": f"{error} among inputs is not supported", "line": 0}, []
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            answer, made = {"kind": "raised", "type": type(error).__name__, "text": str(error)[:2000], "line": where.lineno}, []
        wire.send(target, answer, made)
