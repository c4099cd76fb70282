"""Where Lockstep prints something else than the H200 did, and why: the whole list. None of it is a wrong number.

`ours` is what must be printed instead, exactly; or a function of both texts that says whether ours is right. "S-53"
and its like are rules of docs/semantics.md. A reason that no longer applies (the answers agree) fails the test, so
the list cannot grow stale.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Other:
    reason: str
    ours: str | Callable[[str, str], bool]


def flat(value) -> list:
    """The numbers of a printed value, whatever its nesting; numbers in quotes too."""
    if isinstance(value, dict):
        return [each for item in value.values() for each in flat(item)]
    if isinstance(value, (list, tuple)):
        return [each for item in value for each in flat(item)]
    return [float(value)]


def numbers(text: str) -> list[float]:
    return flat(ast.literal_eval(re.sub(r"(?<!')\b(inf|nan)\b(?!')", r"'\1'", text)))


def near(tolerance: float, but: dict[int, float] | None = None) -> Callable[[str, str], bool]:
    """Every number within a relative distance; at the places of `but`, exactly that number."""

    def agree(ours: str, theirs: str) -> bool:
        a, b = numbers(ours), numbers(theirs)
        if len(a) != len(b):
            return False
        for place, (mine, other) in enumerate(zip(a, b)):
            other = (but or {}).get(place, other)
            same = mine == other or (math.isnan(mine) and math.isnan(other))
            if not same and not (place not in (but or {}) and abs(mine - other) <= tolerance * abs(other)):
                return False
        return True

    return agree


def correct_but_for_torch(ours: str, _theirs: str) -> bool:
    """Quotients are exact; both square roots are as far from torch's, by a last digit at most."""
    told = ast.literal_eval(ours)
    quotients = [told.pop(name) for name in ("a/b", "fdiv", "div_rn")]
    root = told.pop("sqrt_rn")
    is_near = re.fullmatch(r"\d+/1024 differ, max rel (1\.2e-07|0\.0e\+00)", root) is not None
    return quotients == ["0/1024 differ, max rel 0.0e+00"] * 3 and told == {"sqrt": root} and is_near


def at_most(text: str, theirs: str) -> bool:
    """Errors measured against exact values, such as 'max abs err 1.2e-05': ours are not more than twice the GPU's."""
    pattern = r"(?:err|rel|abs) (\d\.\d+e[-+]\d+)"
    mine, others = (list(map(float, re.findall(pattern, each))) for each in (text, theirs))
    return len(mine) == len(others) > 0 and all(a <= 2 * b for a, b in zip(mine, others))


def same_lines_once(ours: str, theirs: str) -> bool:
    """The GPU prints each line once per thread that holds the element (and the log ends after 900 characters);
    pointers differ."""
    lines = ast.literal_eval(ours).splitlines()
    printed = dict.fromkeys(ast.literal_eval(theirs).splitlines())
    *whole, last = printed
    return (
        len(lines) == len(set(lines)) and lines[: len(whole)] == whole and any(line.startswith(last) for line in lines)
    )


def ignoring_places(ours: str, theirs: str) -> bool:
    """Words of the front end: the same but for addresses of objects and the column of a caret (the kernels are laid
    out anew here)."""
    plain = lambda text: re.sub(r"0x[0-9a-f]+", "0x..", re.sub(r" +\^", "^", text))
    return plain(ours) == plain(theirs)


IN_ORDER = (
    "S-53: programs run as if in order, so that a race shows the same answer in every run; the GPU ran them at once"
)
SAME_WORDS = "an address of a Python object, or a caret's column, differs"
FOUND = "an access outside of the tensor's storage is an error here; the GPU reads or writes whatever is there"
ASSERTED = "found as on the GPU; here it is a Python exception with the kernel's line instead of a lost context"
ROUNDED = "within the bounds of the row (docs/ops.md): the GPU approximates"
CLASS = "the compiled kernel's class is ours, derived from Triton's CompiledKernel"

OTHER: dict[str, Other] = {
    "scalar.loop var value after loop (i=77 before)": Other("S-108: the value is poison in TTIR, here 0", "[0, 2]"),
    "alias.overlapping in/out, 2 programs (racy)": Other(
        IN_ORDER, "[0.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 4.0, 5.0]"
    ),
    "race.serial chain x[p+1]=x[p]+1": Other(IN_ORDER, "[0, 1, 2, 3, 4, 5, 6, 7, 8]"),
    "program order (x-major numbering)": Other(IN_ORDER, "[0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11]"),
    "duplicate addresses in one store": Other(
        "S-52: the last lane wins; Triton promises no order, the H200 let the first one win", "[3, 7, 11, 15]"
    ),
    "race.cross-thread RAW through global without barrier: correct?": Other(
        "a program's accesses are in order here; the GPU's threads need tl.debug_barrier()", "True"
    ),
    "arg numpy array": Other(
        "NumPy arrays are arguments here, without a copy", "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]"
    ),
    "launch return value": Other(CLASS, "'LockstepKernel'"),
    "warmup": Other(CLASS, "'LockstepKernel'"),
    "oob.near": Other(FOUND, "OutOfBoundsError LS101: out-of-bounds read: x[4]"),
    "oob.storenear": Other(FOUND, "OutOfBoundsError LS101: out-of-bounds write: x[64]"),
    "f32.transcendentals": Other(ROUNDED, near(1e-6)),
    "libdevice.tanh": Other(ROUNDED, near(1.2e-7)),
    "f32.denormals x*0.5,sqrt,x+x,1/x": Other(
        "S-81: subnormal numbers are not flushed, so sqrt(1e-40) is not 0; " + ROUNDED,
        near(3e-7, {2: 9.999973025467516e-21}),
    ),
    "f32.sum 4096, cumsum last, exact": Other(
        "S-40, S-41: another order of the same additions, within its bound", near(2e-6)
    ),
    "f32 division/sqrt vs correctly rounded": Other(
        "S-35: division and square root round correctly here; it is torch's own square root, against which they are held, "
        "that does not, on one processor in 7 of 1024, on another in 175",
        correct_but_for_torch,
    ),
    "f32 math accuracy vs f64, 1024 randn*5": Other(ROUNDED + "; ours are at most twice as far off", at_most),
    "f16 dot 64x64x128 error vs exact": Other("S-71: a tensor core adds in another order", at_most),
    "ctl.assume false": Other("S-109: a false assumption promises nothing", "[5]"),
    "ctl.return inside loop (rejected)": Other(SAME_WORDS, ignoring_places),
    "ctl.tensor slice (rejected)": Other(SAME_WORDS, ignoring_places),
    "ctl.zeros((runtime n,)) (rejected)": Other(SAME_WORDS, ignoring_places),
    "ctl.call plain python function (rejected)": Other(SAME_WORDS, ignoring_places),
    "flip with default dim": Other(SAME_WORDS, ignoring_places),
    "print.formats": Other("S-94: each element is printed once", same_lines_once),
    "print.2d int, bool, u8, ptr": Other("S-94: each element is printed once", same_lines_once),
    "device_print('') no args": Other("S-94: once per program, not per thread", same_lines_once),
    "scan 2 operands (affine), fwd|rev; third: non-assoc a*2+b": Other(
        "S-41: scans run in order; the third region is not associative, so the GPU's order shows",
        "[[1, 2, 6, 24, 2, 7, 25, 105, 1, 4, 11, 26], [24, 24, 12, 4, 43, 41, 19, 5, 49, 24, 11, 4]]",
    ),
    "shapes T|split-join|cat|interleave|scalar join": Other(
        "S-102: tl.cat promises no order; here one after the other",
        "[[0, 4, 1, 5, 2, 6, 3, 7], [100, 100, 100, 100, 100, 100, 100, 100], "
        "[0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7], "
        "[0, 100, 1, 101, 2, 102, 3, 103, 4, 104, 5, 105, 6, 106, 7, 107], [28, 28, 7]]",
    ),
    "tensor_desc load col offset 1": Other(
        "the same fault, as a finding of its line instead of a lost context", "KernelFault LS111: "
    ),
}
for environment in ("{}", "{'TRITON_DEBUG': '1'}"):
    OTHER[f"debug.device_assert {environment}"] = Other(
        ASSERTED, "DeviceAssertionError LS120: device assert failed: v must be < 3"
    )
    OTHER[f"debug.overflow {environment}"] = Other(
        ASSERTED, "DeviceAssertionError LS120: device assert failed: int32 overflow detected for operation mul"
    )
    OTHER[f"debug.py_assert {environment}"] = Other(
        ASSERTED, "DeviceAssertionError LS120: device assert failed: n is not 4"
    )
OTHER["debug.device_assert_nodebug {'TRITON_DEBUG': '1'}"] = Other(
    ASSERTED, "DeviceAssertionError LS120: device assert failed: v must be < 3"
)
OTHER["debug.overflow_nodebug {'TRITON_DEBUG': '1'}"] = Other(
    ASSERTED, "DeviceAssertionError LS120: device assert failed: int32 overflow detected for operation mul"
)
