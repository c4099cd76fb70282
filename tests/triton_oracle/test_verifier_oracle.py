"""The verifier against Triton 3.6's: samples with one line changed get the same verdict from both.

Triton parses in a child process, because some texts end it by a failed assertion; those are not compared.
"""

import random
import re
import subprocess
import sys
from pathlib import Path

import lockstep_tool

SAMPLES = sorted((Path(__file__).resolve().parents[1] / "roundtrip/3.6").glob("*90.mlir"))
TYPES = ["i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E5M2", "f8E4M3FN", "index"]
OP = r"\b(?:tt|arith|math|scf|cf)\.[a-z_]+"
TILE = r"tensor<[^<>]*(?:<[^<>]*>)?>"
# Where Lockstep is stricter, because the op has no meaning then.
STRICTER = re.compile(r"axis .* must be in|'tt.atomic_rmw': the type of 'result'")
CHILD = """
import sys
from triton._C.libtriton import ir
context = ir.context()
ir.load_dialects(context)
for path in sys.argv[1:]:
    print("@", path, flush=True)
    try:
        ir.parse_mlir_module(path, context)
        print("good", flush=True)
    except Exception:
        print("bad", flush=True)
"""


def replaced(rng: random.Random, line: str, pattern: str, make) -> str:
    found = list(re.finditer(pattern, line))
    if not found:
        return line
    one = rng.choice(found)
    return line[: one.start()] + make(one) + line[one.end() :]


def changed_line(rng: random.Random, text: str, line: str) -> str:
    match rng.randrange(8):
        case 0:
            return replaced(rng, line, r"\b(i1|i8|i16|i32|i64|f16|bf16|f32|f64|f8E5M2)\b", lambda _: rng.choice(TYPES))
        case 1:
            return replaced(rng, line, r"(?<=[<x])\d+(?=x)", lambda _: str(rng.choice([1, 2, 3, 4, 8, 16, 32, 64, 128])))
        case 2:
            return replaced(rng, line, r"%[\w#]+", lambda _: rng.choice(re.findall(r"%[\w#]+", text)))
        case 3:
            return replaced(rng, line, r"(?<== )-?\d+(?= :)", lambda _: str(rng.choice([-1, 0, 1, 2, 7, 128])))
        case 4:
            return replaced(rng, line, r"\{[^{}]*\}", lambda _: "")
        case 5:
            return replaced(rng, line, OP, lambda _: rng.choice(re.findall(OP, text)))
        case 6:
            return line + "\n" + line if rng.randrange(2) else ""
        case _:
            return replaced(rng, line, TILE, lambda _: rng.choice(re.findall(TILE, text)))


def mutant(rng: random.Random) -> str:
    text = rng.choice(SAMPLES).read_text()
    lines = text.split("\n")
    inner = [i for i, line in enumerate(lines) if line.startswith("    ") and not line.strip().startswith("}")]
    at = rng.choice(inner)
    lines[at] = changed_line(rng, text, lines[at])
    return "\n".join(lines)


def triton_verdicts(paths: list[Path]) -> dict[Path, str]:
    verdicts, rest = {}, list(paths)
    while rest:
        done = subprocess.run([sys.executable, "-c", CHILD, *map(str, rest)], capture_output=True, text=True)
        named = re.findall(r"@ (\S+)\n(good|bad)?", done.stdout)
        verdicts |= {Path(path): verdict or "died" for path, verdict in named}
        rest = rest[len(named) :]
    return verdicts


def test_the_same_texts_are_refused(tmp_path):
    rng = random.Random(20)
    paths = []
    for number in range(500):
        paths.append(tmp_path / f"{number}.ttir")
        paths[-1].write_text(mutant(rng))
    different = []
    for path, verdict in triton_verdicts(paths).items():
        done = lockstep_tool.call(["emit", str(path)])
        mine = "good" if done.exit_code == 0 else "bad"
        if verdict != "died" and verdict != mine and not STRICTER.search(done.errors):
            different.append(f"{path.name}: Triton says {verdict}\n{done.errors}{path.read_text()[:2000]}")
    assert not different, "\n".join(different)
