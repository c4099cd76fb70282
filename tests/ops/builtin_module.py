"""builtin.module: one function or several, in any order, with attributes and a name."""

import numpy as np
from support import calls, kernels, values


def rewritten(name, change, **options):
    """The kernel of two levels with its text changed, to the same effect."""
    case = calls.through_two_levels()
    case.name, case.ttir = name, change(case.ttir)
    for key, value in options.items():
        setattr(case, key, value)
    return case


def helpers_first(text):
    begin, end = text.index("  tt.func public"), text.index("  tt.func private")
    return text[:begin] + text[end : text.rindex("}")] + text[begin:end] + "}\n"


def plain():
    a = values.integers("i32", 256, 1)
    return kernels.elementwise("one_function", "%r = arith.muli %a, %a : TILE(i32)", {"a": a}, {"r": "i32"}, np.square, (64,))


def cases():
    yield plain()
    yield rewritten("several_functions", lambda text: text)
    yield rewritten("helpers_first", helpers_first)
    yield rewritten("attributes", lambda text: text.replace("module {", 'module attributes {"ttg.note" = "any", test.flag} {', 1))
    yield rewritten("named", lambda text: text.replace("module {", "module @name {", 1))
    yield rewritten("locations", lambda text: text.replace("tt.return\n", 'tt.return loc("here":1:2)\n', 1))
    yield rewritten("comments", lambda text: text.replace("module {", "// first\nmodule { // second", 1))
