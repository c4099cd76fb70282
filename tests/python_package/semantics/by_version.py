"""Where another Triton than 3.6 makes something else of the checks than the H200 printed under 3.6, and why: the whole list.

Every row is of a range of versions. `absent`: the check uses what those versions do not have, so there is nothing to run, and
the test is skipped with the row's reason. `words`: refused with the same verdict, said otherwise. `language`: Triton's front end
makes something else of the kernel; Lockstep runs what it was given. A row that no longer applies (the answers agree with 3.6's)
fails the test, so the list cannot grow stale; what is in no row must agree with the H200.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

VERSIONS = ("3.4", "3.5", "3.6", "3.7", "3.8", "3.9")


@dataclass(frozen=True)
class Row:
    first: str  # version, inclusive
    last: str
    kind: str  # absent, words, language
    reason: str
    answers: dict[str, str | Callable[[str, str], bool] | None]  # key -> what is printed; errors: how it begins

    def holds_in(self, version: str) -> bool:
        numbers = VERSIONS.index(version)
        return VERSIONS.index(self.first) <= numbers <= VERSIONS.index(self.last)


def same_cause(ours: str, theirs: str) -> bool:
    """The innermost exception is the same; those around it repeat its words or show another line of the source."""
    return _cause(ours) == _cause(theirs)


def _cause(text: str) -> str:
    """"range must be ..." of "CompilationError: ^ <- ValueError: range must be ..." and of "...: ValueError('range must be ...')"."""
    last = text.split(" <- ")[-1].split(": ", 1)[-1]
    quoted = re.fullmatch(r"""\w+\((["'])(.*)\1\)""", last)
    return quoted[2] if quoted else last


def all_of(keys: Iterable[str], answer: str | Callable[[str, str], bool] | None) -> dict:
    return dict.fromkeys(keys, answer)


ROWS = (
    # ---- what a version does not have ----
    Row("3.4", "3.4", "absent", "tl.map_elementwise came with 3.5", {"map_elementwise": None}),
    Row("3.4", "3.4", "absent", "@triton.constexpr_function came with 3.5", {"ctl.constexpr_function": None}),
    Row("3.4", "3.4", "absent", "comprehensions over tuples came with 3.5",
        all_of(["ctl.list comprehension over tuple", "ctl.list comprehension over range (rejected)"], None)),
    Row("3.9", "3.9", "absent", "block pointers went with 3.9",
        all_of(["block_ptr boundary pad='zero'", "block_ptr boundary pad='nan'", "block_ptr boundary pad=''",
                "block_ptr advance in loop", "block_ptr negative offset"], None)),
    # ---- the same verdict in other words ----
    Row("3.4", "3.5", "words", "specialisation was written in Python",
        {f"arg type numpy.{name}": f"TypeError: Unsupported type: <class 'numpy.{name}'>"
         for name in ("float32", "int32", "int64", "bool")}),
    Row("3.9", "3.9", "words", "types are named without their module",
        {f"arg type numpy.{name}": f"TypeError: failed to specialize argument of type: {name}"
         for name in ("float32", "int32", "int64", "bool")}),
    Row("3.4", "3.4", "words", "an error of the front end does not repeat its cause",
        all_of(["arg type torch.Tensor", "f16.exp (rejected)", "ctl.arange(0,3) (rejected)",
                "ctl.arange(0, runtime n) (rejected)", "ctl.zeros((runtime n,)) (rejected)",
                "ctl.tensor integer index (rejected)", "atomic_add mask=False literal", "int mask in load/store (rejected)",
                "clamp int (rejected)", "atomic_add int8 (rejected)", "atomic_max f16 (rejected)"], same_cause)),
    Row("3.4", "3.4", "words", "an error of the front end does not repeat its cause",
        {"ctl.tensor slice (rejected)": "CompilationError: ValueError('unsupported tensor index: <triton.language.core.slice"}),
    Row("3.4", "3.5", "words", "an error of the front end does not repeat its cause", {"flip with default dim": same_cause}),
    Row("3.4", "3.4", "words", "the message says more",
        {"ctl.return inside loop (rejected)": "CompilationError:                 ^ <- UnsupportedLanguageConstruct: Cannot have "
                                              "`return` statements inside `while` or `for` statements in triton (note that"}),
    Row("3.4", "3.4", "words", "the message says less",
        {"ctl.tensor item assignment (rejected)": "CompilationError: AssertionError()",
         "ctl.reassign constexpr param in loop (rejected)": "CompilationError: AssertionError('Loop carried variable N changed type')"}),
    Row("3.4", "3.4", "words", "a plain function counts as a global variable",
        {"ctl.call plain python function (rejected)": 'CompilationError: NameError("Cannot access global variable plain from'}),
    Row("3.4", "3.5", "words", "nested functions are refused by name",
        {"ctl.nested def (rejected)": "UnsupportedLanguageConstruct: nested function definition is not supported."}),
    Row("3.8", "3.9", "words", "nested functions are refused by name",
        {"ctl.nested def (rejected)": "UnsupportedLanguageConstruct: nested function definitions are not allowed inside"}),
    Row("3.4", "3.5", "words", "the value's shape is looked at, not the pointer's",
        {"store value broadcasting pointer shape (rejected)": lambda ours, _: "Cannot broadcast, the expanded size of the tensor (1)" in ours}),
    Row("3.4", "3.4", "words", "the op that does not fit is not noticed by Triton's passes; Lockstep's verifier refuses it",
        {"atomic_cas i64 pointer with literal (i32) operands": "CompileError: "}),
    Row("3.7", "3.8", "words", "another error of the front end's own",
        {"ctl.'in' operator (rejected)": "CompilationError: AttributeError(\"'In' object has no attribute '__name__'\")"}),
    Row("3.9", "3.9", "words", "the operator is refused by name",
        {"ctl.'in' operator (rejected)": "UnsupportedLanguageConstruct: AST comparison operator 'In' is not",
         "ctl.tensor ** 2 (rejected)": "UnsupportedLanguageConstruct: unsupported operand type(s) for **",
         "ctl.a @ b (rejected)": "UnsupportedLanguageConstruct: AST binary operator 'MatMult' is not"}),
    Row("3.8", "3.9", "words", "another error of the front end's own",
        {"atomic_add mask=False literal": "CompilationError: 'bool' object has no attribute 'type'"}),
    Row("3.9", "3.9", "words", "an error of the front end repeats its cause",
        all_of(["int.uint32 + -1 literal (rejected)", "int.int8 tensor + 300 literal (rejected)", "float // float (rejected)"], same_cause)),
    Row("3.4", "3.4", "words", "@triton.jit functions have no raw_src", {"jit attrs": "['raw_src']"}),
    Row("3.9", "3.9", "words", "a configuration names ir_override",
        {"autotune.best_config": "'B: 64, num_warps: 2, num_ctas: 1, num_stages: 3, maxnreg: None, ir_override: None'"}),
    # ---- another language ----
    Row("3.4", "3.5", "language", "max and min are tl.maximum and tl.minimum, whose third parameter is no third operand",
        {"ctl.python max/min on scalars": "[5, 3, 7]"}),
    Row("3.4", "3.5", "language", "math.pi and math.sqrt are no constants in a kernel",
        {"ctl.math.pi, math.sqrt(2.0), float('inf')": "CompilationError: TypeError('__index__ returned non-int (type float)')"}),
    Row("3.4", "3.4", "language", "a function that calls itself is compiled without end",
        {"ctl.constexpr recursion": "RecursionError: maximum recursion depth exceeded"}),
    Row("3.8", "3.9", "language", "*args and := are in the language", {"ctl.*args (rejected)": "[5]", "ctl.walrus (rejected)": "[5]"}),
    Row("3.9", "3.9", "language", "keyword-only parameters, chained comparisons, clamp of integers and flip without dim are in the language",
        {"ctl.kw-only arg": "[4]", "ctl.chained comparison on block (rejected)": "[0, 1, 1, 0]", "clamp int (rejected)": "[3]",
         "flip with default dim": "[8, 7, 6, 5]"}),
    Row("3.9", "3.9", "language", "comparisons check the range of a literal, as sums do",
        {"int.uint32(0xffffffff) compared with -1 literal": "CompilationError: Cannot perform a binary operation between an unsigned",
         "int.int8 compare with out-of-range literal (compares in i32)": "CompilationError: Scalar 300 is out of range for type int8"}),
    Row("3.9", "3.9", "language", "cumprod of int8 is computed in int32, as cumsum",
        {"int8 max,min,sum,argmax,cumsum,rev cumsum,cumprod": "[100, -128, 75, 0, 100, 200, 72, 75, 75, -25, -125, 3, 100, 10000, -1280000, -3840000]"}),
    Row("3.9", "3.9", "language", "a value stored through a bool pointer becomes 0 or 1", {"store 2 and 0.5 to bool pointer": "[[1, 1], [1, 1]]"}),
)  # fmt: skip


def rows_of(version: str) -> dict[str, Row]:
    """Key -> row for a version, "3.9". Each key has one row at most."""
    found: dict[str, Row] = {}
    for row in ROWS:
        for key in row.answers if row.holds_in(version) else ():
            assert key not in found, (version, key)
            found[key] = row
    return found
