"""A step of a compiled model on Lockstep: forward, backward, optimizer; every launch of generated code is judged.

Invariant: what a run gives depends on its Step and the code alone, but for `seconds`."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lockstep import errors, report, settings
from lockstep.models import records, zoo

#: Inductor's options of each mode.
MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "max-autotune": {"max_autotune": True, "max_autotune_gemm_backends": "TRITON", "max_autotune_conv_backends": "TRITON"},
    "combo-kernels": {"combo_kernels": True, "benchmark_combo_kernel": False},
    "reduce-overhead": {"triton.cudagraphs": True},
}
_COMPILERS = {"torch._dynamo": "Dynamo", "torch._inductor": "Inductor", "torch._functorch": "AOTAutograd", "torch.fx": "torch.fx",
              "triton": "Triton", "transformers": "transformers", "timm": "timm"}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """What is run. `mode`: of MODES; `options`: more of Inductor's options. `second`: ask Inductor's C++ side about results outside or without bounds.
    `exported`: the forward pass of torch.export's program, compiled without Dynamo and guards, as AOTInductor compiles it."""

    model: str
    dtype: str = "float32"
    mode: str = "default"
    dynamic: bool = False
    backward: bool = True
    optimizer: bool = False
    seed: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    second: bool = False
    exported: bool = False


@dataclass
class Ran:
    """What a step gave. `seconds`: of "compile" (Dynamo, Inductor, Triton's front end), "launches", "judging", "all"."""

    step: Step
    launches: list[records.Launch] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)
    loss: float | None = None
    failed: str = ""  # what ended the step before its end, and whose it is
    seconds: dict[str, float] = field(default_factory=dict)

    def kernels(self) -> int:
        """Distinct generated kernels."""
        return len({(one.kernel, one.file) for one in self.launches})

    def outside(self) -> list[tuple[records.Launch, records.Output]]:
        return [(launch, one) for launch in self.launches for one in launch.outputs if one.outside]

    def cannot(self) -> list[records.Output]:
        return [one for launch in self.launches for one in launch.outputs if one.cannot]

    def data(self) -> dict[str, Any]:
        return {"step": asdict(self.step), "launches": [one.data() for one in self.launches], "findings": self.findings, "loss": self.loss,
                "failed": self.failed, "seconds": self.seconds}  # fmt: skip


def cache_folder() -> Path:
    """Where Inductor keeps what it compiles for judging, from one run to the next: its files have their graphs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lockstep" / "models"


@contextlib.contextmanager
def _cached() -> Iterator[None]:
    """Inductor's and Triton's caches are ours, unless the user names others."""
    folder = cache_folder()
    names = {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TRITON_CACHE_DIR": str(folder / "triton")}
    before = {name: os.environ.get(name) for name in names}
    os.environ.update({name: value for name, value in names.items() if before[name] is None})
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})


def run(step: Step) -> Ran:
    """Raises zoo.NotHere. What the compiler or the model raises is in `failed`; findings of any tier are collected."""
    ran = Ran(step)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_cached())  # before the model's package: torch notes the folder that it finds first
        made = zoo.make(step.model, step.seed)
        start = time.perf_counter()
        import torch

        import lockstep

        stack.enter_context(lockstep.pretend_cuda())
        from torch._inductor import config

        from lockstep.models import judge

        torch._dynamo.reset()
        stack.enter_context(config.patch({**MODES[step.mode], **step.options}))
        stack.enter_context(settings.options(findings="ignore"))
        judged = stack.enter_context(judge.judging(asks_cpp=step.second))
        seen = stack.enter_context(report.reports())
        try:
            _take(step, made, ran)
        except errors.CompileError as error:
            ran.failed = f"Lockstep refuses a kernel: {error}"
        except Exception as error:  # noqa: BLE001 - whatever compiler and model raise
            ran.failed = f"{_whose(error)}: {type(error).__name__}: {_first_line(error)}"
        ran.launches = judged.launches
        ran.seconds = {"all": time.perf_counter() - start, "launches": sum(one.seconds for one in seen), "judging": judged.seconds,
                       "compile": ran.seconds.get("compile", 0.0) + _compile_seconds()}  # fmt: skip
        ran.findings = [_finding_row(one, launch) for launch in seen for one in launch.findings if one.tier != "info"]
    return ran


def _take(step: Step, made: zoo.Made, ran: Ran) -> None:
    import torch

    dtype = getattr(torch, step.dtype)
    module = made.module.cuda().to(dtype)
    positional = tuple(placed(one, dtype) for one in made.positional)
    named = {name: placed(one, dtype) for name, one in made.arguments.items()}
    start = time.perf_counter()
    compiled = _exported(module, positional, named) if step.exported else torch.compile(module, dynamic=step.dynamic or None)
    ran.seconds["compile"] = time.perf_counter() - start  # of torch.compile nothing yet: its first call compiles
    if not step.backward or step.exported:
        with torch.no_grad():
            ran.loss = float(loss_of(compiled(*positional, **named)))
        return
    loss = loss_of(compiled(*positional, **named))
    ran.loss = float(loss.detach())
    loss.backward()
    if step.optimizer:
        optimizer = torch.optim.AdamW(module.parameters(), lr=torch.tensor(1e-3, device="cuda"), capturable=True, foreach=True)
        torch.compile(optimizer.step)()


def _exported(module: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """A function of the same arguments. Raises what the export or Inductor raises."""
    import torch

    class Call(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = module

        def forward(self, *given: Any) -> Any:
            return self.model(*given[: len(positional)], **dict(zip(named, given[len(positional) :], strict=True)))

    with torch.no_grad():
        arguments = (*positional, *named.values())
        program = torch.export.export(Call(), arguments)
        made = torch._inductor.compile(program.module(), list(arguments))
    return lambda *args, **kwargs: made(*args, *(kwargs[name] for name in named))


def placed(value: Any, dtype: Any) -> Any:
    import torch

    if not isinstance(value, torch.Tensor):
        return value
    return value.to("cuda", dtype) if value.is_floating_point() else value.to("cuda")


def loss_of(out: Any) -> Any:
    """The model's own loss; else the mean of squares of its first float output."""
    import torch

    loss = getattr(out, "loss", None)
    if loss is not None:
        return loss
    while isinstance(out, (tuple, list)) or (hasattr(out, "to_tuple") and not isinstance(out, torch.Tensor)):
        out = out.to_tuple()[0] if hasattr(out, "to_tuple") else out[0]
    return out.float().square().mean()


def _compile_seconds() -> float:
    """Of Dynamo's outermost entries: tracing, AOTAutograd, Inductor, Triton's front end, our loading of kernels."""
    import torch

    metrics = torch._dynamo.utils.compilation_time_metrics
    names = ("_compile.compile_inner", "backward._backward_impl", "entire_backward_compile")
    found = [sum(metrics[name]) for name in names if metrics.get(name)]
    made = float(sum(found[:2]))
    metrics.clear()
    return made


def _whose(error: BaseException) -> str:
    """Whose code raised: of the innermost frame that belongs to a compiler or a package; else the model."""
    trace, owner = error.__traceback__, "the model"
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        owner = next((name for prefix, name in _COMPILERS.items() if module == prefix or module.startswith(prefix + ".")), owner)
        trace = trace.tb_next
    return owner


def _first_line(error: BaseException) -> str:
    lines = [one.strip() for one in str(error).splitlines() if one.strip()]
    return lines[0][:300] if lines else ""


def _finding_row(finding: Any, launch: Any) -> dict[str, Any]:
    return {"code": finding.code, "tier": finding.tier, "kernel": launch.kernel, "file": finding.file, "line": finding.line, "message": finding.message,
            "model": [[message, file, line] for message, file, line in finding.notes if message.startswith("of the model: ")]}  # fmt: skip
