"""Random kernels of the op samplers (fuzz/), whose results do not depend on the order of programs and lanes.

The axes `seed` and `ops` make the kernel, `programs` is its grid; `data_seed` draws its tensors. Their numbers are mostly
ordinary, with infinities, NaN and the ends of ranges in between. Use `reference = "schedule0"`: these cases
search for faults of Lockstep, not of kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lockstep import report
from lockstep.campaign.sources import Outcome, Refused
from lockstep.campaign.sources.chosen import launched
from lockstep.campaign.tables import Key
from lockstep.standalone import translated_errors

if TYPE_CHECKING:
    from lockstep._native import Kernel, LaunchReport
    from lockstep.campaign.plan import Entry
    from lockstep.campaign.sources import Context

KEYS = {
    "ops": Key((int,), "a number from 1 to 64: the most ops of a kernel"),
    "programs": Key((int,), "a number: the grid"),
}
REFERENCES = ("none", "schedule0", "triton")
WITHOUT = {"config": "random kernels are not tuned", "autotune": "random kernels are not tuned"}

_NAMES = {"f16": "float16", "f32": "float32", "f64": "float64", "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32",
          "i64": "int64"}  # fmt: skip
_BITS = {"bf16": "uint16", "f8E4M3FN": "uint8", "f8E5M2": "uint8", "f8E4M3FNUZ": "uint8", "f8E5M2FNUZ": "uint8"}


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """Takes the kernel's seed out of the point."""
    made = {"seed": point.pop("seed", 0), "ops": point.pop("ops", entry.values.get("ops", 7)),
            "programs": point.pop("programs", entry.values.get("programs", 3))}  # fmt: skip
    if not all(isinstance(one, int) for one in made.values()) or not 1 <= made["ops"] <= 64 or made["programs"] < 1:
        entry.wrong("axes", "seed and programs are whole numbers, ops is one from 1 to 64")
    return made


def run(case: dict[str, Any], context: Context) -> Outcome:
    """Launches the kernel. Raises Refused for a kernel with errors of its own."""
    from lockstep import _native

    given, options = case["source"], case["options"]
    text = _native.random_kernel(given["seed"], given["ops"])
    with translated_errors():
        module = _native.Module.from_ttir(text, f"random {given['seed']}", target=options.get("target", "sm_90"),
                                          num_warps=options.get("num_warps", 4), num_stages=options.get("num_stages", 3))  # fmt: skip
        kernel = module.kernel()
    made, outputs = _launch(kernel, given, case["vary"])
    report.handle(made)
    if made.has_errors:  # a descriptor that no GPU takes, for instance: drawn, not made by Lockstep
        raise Refused(f"the random kernel is wrong: {', '.join(sorted({one.code for one in made.findings}))}")
    return Outcome(outputs=outputs, coverage=launched([made]))


def _launch(kernel: Kernel, given: dict[str, Any], vary: dict[str, Any]) -> tuple[LaunchReport, dict[str, bytes | str]]:
    import numpy

    from lockstep import _native

    random = numpy.random.default_rng([given["seed"], vary.get("data_seed", 0)])
    elements = _native.RANDOM_KERNEL_ELEMENTS * given["programs"]
    arguments = [_argument(one.type, elements, random) for one in kernel.parameters]
    names = [one.name for one in kernel.parameters]
    made = kernel.launch((given["programs"], 1, 1), arguments, names)
    return made, {name: one.tobytes() for name, one in zip(names, arguments, strict=True) if hasattr(one, "tobytes")}


def _argument(kind: str, elements: int, random: Any) -> Any:
    if not kind.startswith("!tt.ptr<"):
        if kind.startswith("f") or kind == "bf16":
            return float(random.standard_normal())
        if kind.startswith("i"):
            return int(random.integers(1, 2 if kind == "i1" else 49))
        raise Refused(f"there is no argument for a parameter of type {kind}")
    return _tensor(kind[len("!tt.ptr<") : -1].partition(",")[0], elements, random)


def _tensor(element: str, elements: int, random: Any) -> Any:
    import numpy

    if element in _BITS:  # the type is the kernel's; the bits are what counts
        kind = numpy.dtype(_BITS[element])
        return random.integers(0, 1 << (8 * kind.itemsize), elements, dtype=kind)
    if element not in _NAMES:
        raise Refused(f"no tensor of {element} is made")
    kind = numpy.dtype(_NAMES[element])
    if kind.kind == "f":
        drawn = random.standard_normal(elements).astype(kind)
        for place, value in ((7, numpy.inf), (1001, numpy.nan), (2003, 0.0), (3001, numpy.finfo(kind).max)):
            drawn[place::4096] = value
        return drawn
    return random.integers(0, 2 if kind.kind == "b" else 16, elements).astype(kind)
