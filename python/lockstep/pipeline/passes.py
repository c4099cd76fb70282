"""Runs Triton's own pipeline over a TTIR file, pass by pass, and writes the module after each: no GPU, no driver.

    python passes.py KERNEL.ttir FOLDER '{"arch": 90, "num_warps": 4, "num_stages": 3}'

    python passes.py --serve KERNEL.ttir '{"arch": 90, "num_warps": 4, "num_stages": 3, "number": 20}'

The second runs one pass alone, that of this number, on each text that a line of its input names.

Runs as a program of its own, so that a pass that crashes ends only this process, and so that the Triton of another folder
can come first on PYTHONPATH. The passes, their order and their arguments are those of the backend's make_ttir and make_ttgir:
while these run, what they add to a pass manager is kept, and each pass is then run by a manager of its own. FOLDER/passes.jsonl
has a line before and a line after each pass. Imports nothing of Lockstep. Triton 3.4 to 3.9."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

TTIR, TTGIR = "make_ttir", "make_ttgir"


class Namespace:
    """Stands for a module of Triton's bindings (`passes`, `nvidia`, `ir`): functions that add a pass to a kept list add it there."""

    def __init__(self, real: Any, **replaced: Any) -> None:
        self._real = real
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        if type(found).__name__ == "module":
            return Namespace(found)
        return _adding(name, found) if name.startswith("add_") else found


def _adding(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def add(manager: Any, *arguments: Any) -> Any:
        if not isinstance(manager, Manager):
            return function(manager, *arguments)
        manager.kept.append((name.removeprefix("add_").replace("_", "-"), function, arguments))
        return None

    return add


class Manager:
    """Takes the place of ir.pass_manager: keeps what is added, and runs it one pass at a time."""

    log: Log
    collected: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] | None = None  # a list: run() adds to it and runs nothing
    made: Any = None  # the module after the last pass; where something was planted, not the one that run() was given

    def __init__(self, context: Any) -> None:
        self.context = context
        self.kept: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = []

    def enable_debug(self) -> bool:
        return False

    def run(self, module: Any, *names: str) -> None:
        if self.collected is not None:
            self.collected.extend(self.kept)
            return
        for name, function, arguments in self.kept:
            self.log.begin(name)
            run_pass(module, function, arguments, names)
            module = self.log.end(module)
        Manager.made = module


def run_pass(module: Any, function: Callable[..., Any], arguments: tuple[Any, ...], names: tuple[str, ...] = ("pass",)) -> None:
    from triton._C.libtriton import ir

    manager = ir.pass_manager(module.context)
    function(manager, *arguments)
    try:
        manager.run(module, *names)
    except TypeError:  # Triton 3.4 takes no name
        manager.run(module)


class Log:
    """The files of a folder. `plant`: (number of a pass, file): what is taken for this pass's output instead."""

    def __init__(self, folder: str, context: Any, plant: tuple[int, str] | None) -> None:
        self.folder, self.context, self.plant = folder, context, plant
        self.number, self.name, self.pipeline, self.text = 0, "", "", ""

    def say(self, **facts: Any) -> None:
        with open(os.path.join(self.folder, "passes.jsonl"), "a", encoding="utf-8") as out:
            out.write(json.dumps({"number": self.number, "pass": self.name, "pipeline": self.pipeline, **facts}) + "\n")

    def begin(self, name: str) -> None:
        self.number, self.name = self.number + 1, name
        self.say(event="begin")

    def end(self, module: Any) -> Any:
        if self.plant is not None and self.plant[0] == self.number:
            module = read_module(self.plant[1], self.context)
        text = str(module)
        is_changed, self.text = text != self.text, text
        file = f"{self.number:02}-{self.name}." + ("ttir" if self.pipeline == TTIR else "ttgir")
        if is_changed:
            with open(os.path.join(self.folder, file), "w", encoding="utf-8") as out:
                out.write(text)
        self.say(event="end", file=file if is_changed else "")
        return module


def read_module(path: str, context: Any) -> Any:
    from triton._C.libtriton import ir

    module = ir.parse_mlir_module(path, context)
    module.context = context
    return module


def backend_of(arch: int) -> Any:
    """Triton's own, also where Lockstep's plug-in is installed."""
    from triton.backends.compiler import GPUTarget
    from triton.backends.nvidia.compiler import CUDABackend

    class Backend(CUDABackend):  # type: ignore[misc]
        supports_target = staticmethod(lambda target: True)

    return Backend(GPUTarget("cuda", arch, 32))


def prepared(path: str, options: dict[str, Any]) -> tuple[Any, Any, int, Any]:
    """(backend, its options, architecture, module), with the bindings of Triton's compiler replaced by ours."""
    from triton._C.libtriton import ir
    from triton.backends.nvidia import compiler

    arch = options.pop("arch")
    backend = backend_of(arch)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = read_module(path, context)
    chosen = backend.parse_options(options)
    compiler.passes, compiler.nvidia = Namespace(compiler.passes), Namespace(compiler.nvidia)
    compiler.ir = Namespace(ir, pass_manager=Manager)
    return backend, chosen, arch, module


def run(path: str, folder: str, options: dict[str, Any]) -> None:
    plant = options.pop("plant", None)
    backend, chosen, arch, module = prepared(path, options)
    Manager.log = log = Log(folder, module.context, tuple(plant) if plant else None)
    log.text = str(module)
    for pipeline in (TTIR, TTGIR):
        log.pipeline = pipeline
        getattr(backend, pipeline)(module, {}, chosen, arch)
        module = Manager.made


def serve(path: str, options: dict[str, Any]) -> None:
    """For each line {"in": FILE, "out": FILE} of the input: the pass over FILE, its text in the other, and a line of
    the output: {"changed": true} or {"error": TEXT}. A text that ends the process has no line."""
    number = options.pop("number")
    backend, chosen, arch, module = prepared(path, options)
    Manager.collected = []
    for pipeline in (TTIR, TTGIR):
        try:
            getattr(backend, pipeline)(module, {}, chosen, arch)
        except Exception:  # noqa: BLE001 (what follows the passes reads what they would have made)
            pass
    _, function, arguments = Manager.collected[number - 1]
    for line in sys.stdin:
        files = json.loads(line)
        try:
            one = read_module(files["in"], module.context)
            before = str(one)
            run_pass(one, function, arguments)
            after = str(one)
        except Exception as error:  # noqa: BLE001 (whatever Triton raises is its answer)
            print(json.dumps({"error": str(error)}), flush=True)
            continue
        with open(files["out"], "w", encoding="utf-8") as out:
            out.write(after)
        print(json.dumps({"changed": after != before}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2], json.loads(sys.argv[3]))
    else:
        run(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
