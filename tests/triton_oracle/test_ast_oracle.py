"""CPython's own `ast` as the oracle of the Python parser: the dumps of real files must be the same text.

CPython 3.11 gives odd places to what is inside an f-string, so that there only the structure is compared under 3.11; from
3.12 the places count too. Skipped: files that CPython itself refuses, and those with \\N{...} (needs the Unicode names).
"""

import ast
import importlib.util
import os
import random
import re
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest

from lockstep_tool import EXECUTABLE

DUMP = Path(os.environ.get("LOCKSTEP_AST_DUMP", EXECUTABLE.parent / "tests" / "tools" / "frontend_ast_dump"))
MINOR = min(sys.version_info.minor, 12)
PLACES = ("lineno", "col_offset", "end_lineno", "end_col_offset")
BATCH = 20

pytestmark = [
    pytest.mark.skipif(not DUMP.exists(), reason=f"{DUMP} is not built"),
    pytest.mark.skipif(sys.version_info[:2] not in [(3, 11), (3, 12)], reason="needs the ast of Python 3.11 or 3.12"),
]


def package_files(package: str, folder: str = "") -> list[Path]:
    spec = importlib.util.find_spec(package)
    if spec is None:
        pytest.skip(f"needs {package}")
    return sorted((Path(spec.origin).parent / folder).rglob("*.py"))


def sample(files: list[Path], count: int) -> list[Path]:
    return files if len(files) <= count else random.Random(3).sample(files, count)


def without_places_in_fstrings(tree: ast.AST) -> ast.AST:
    for joined in [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]:
        for part in joined.values:
            for node in ast.walk(part):
                for place in PLACES:
                    node.__dict__.pop(place, None)
    return tree


def without_empty_fstring_text(tree: ast.AST) -> ast.AST:
    """Python 3.12.1 puts an empty constant behind a replacement that ends a format specification."""
    for joined in [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]:
        joined.values = [part for part in joined.values if not (isinstance(part, ast.Constant) and part.value == "")]
    return tree


def escaped(match: re.Match) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def expected(source: bytes) -> str | None:
    """The dump by CPython; None if it refuses the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    tree = without_empty_fstring_text(tree)
    if MINOR < 12:
        tree = without_places_in_fstrings(tree)
    return re.sub(r"[^\x00-\x7f]", escaped, ast.dump(tree, indent=1, include_attributes=True))


def dumps(files: list[Path]) -> list[str]:
    command = [str(DUMP), "--python-minor", str(MINOR), *map(str, files)]
    done = subprocess.run(command, capture_output=True, timeout=120)
    return done.stdout.decode().split("\n\f\n")


def first_difference(wanted: str, found: str) -> str:
    left, right = wanted.split("\n"), found.split("\n")
    at = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), min(len(left), len(right)))
    context = "\n".join(left[max(0, at - 8) : at])
    return f"after\n{context}\nCPython: {left[at : at + 2]}\nLockstep: {right[at : at + 2]}"


def check(files: list[Path], at_least: int):
    compared = 0
    for start in range(0, len(files), BATCH):
        batch = files[start : start + BATCH]
        for path, found in zip(batch, dumps(batch)):
            source = path.read_bytes()
            wanted = None if b"\\N{" in source else expected(source)
            if wanted is None:
                continue
            compared += 1
            assert found == wanted, f"{path}\n{first_difference(wanted, found)}"
    assert compared >= at_least, f"only {compared} files compared"


def test_triton():
    check(package_files("triton"), at_least=60)


def test_standard_library():
    check(sample(sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")), 150), at_least=120)


def test_torch_inductor():
    check(sample(package_files("torch", "_inductor"), 50), at_least=40)


def test_examples_and_tests():
    root = Path(__file__).resolve().parents[2]
    check(sorted(path for folder in ("examples", "tests", "bench") for path in (root / folder).rglob("*.py")), at_least=10)


CONSTRUCTS = r'''
@decorated(1)
async def f(a, /, b: int = 3, *args, c, d=2, **kw) -> x[1:2, ...]:
    if (a) + b == 3 and not c or d:
        return f'{a!r:>{w}} x={a = } {{}}' "abc\n" rf"{x:{y}}\d"
    elif x: y = z = lambda q, *r, s=1: (yield)
    else:
        print(*a, **b, k=1); return [i async for i in await j if i if not k]
    async with (a as b, c as (d, e)): pass
    async for x, in *y, z: break
    else: continue
match x, *y:
    case [1, *_, -2+3j] if y: pass
    case {'a': B.c, None: 1, **r} | C(1, x=_) as q: pass
    case (None | True) | "s" "t" | a.b | (1, ) | () | [] | -1: pass
with (yield): pass
with (a, b): pass
with (a, b) as c, (d): pass
try: pass
except* (A, B) as e: raise A from b
else: del a, (b, c), [d], e.f[1:2:3, ::, *g]
finally: global g, h
class C(B, metaclass=M, **k): x: int; (y): int = 2; z.a: b = yield
from . import (a as b, c,)
from ...x.y import *
import a.b as c, d
x += yield y
a = b, *c = yield from d
x[a, b,] @= -2 ** -3 ** ~4 // 5 % 6 << 7 >> 8 & 9 ^ 10 | 11
not a is not b not in c < d != e >= f
(a if b else c if d else {f: g for f in h}) if 0 else {i: j for (i), j in k if l}
{*a, b}, {**a, b: c}, {a}, {}, (), (a,), [*a, (b := 1)], f(a := 1), f(x for x in y)
0xFFFF_FFFF_FFFF_FFFF_F, 1e22, 1e16, 1e-5, 123456789.125, 1e400, 0.1j, 1_0.0e-1_0, b"\x00\377\"'", '\'"\t\x7f\xa0'
u"a" 'b', "\ud800", """a
b\
c""", f'', f'{x!s}{y:}', f"{'a' 'b'}"
'''


def test_constructs(tmp_path):
    text = CONSTRUCTS
    if MINOR >= 12:
        text += "type X[T: int, *Ts, **P] = list[T]\ndef g[T](a: T): f'{a['x']} {f\"{1}\"}'\nclass D[T]: pass\n"
    files = []
    for name, data in {
        "plain": text.encode(),
        "crlf": text.replace("\n", "\r\n").encode(),
        "mark": b"\xef\xbb\xbf" + text.encode(),
        "tabs": text.replace("    ", "\t").encode(),
    }.items():
        files.append(tmp_path / f"{name}.py")
        files[-1].write_bytes(data)
    check(files, at_least=4)
