"""Random kernels of tile ops (tile_programs.py), run by Lockstep and by NumPy: shapes to rank 8, every form, memory and control flow."""

import lockstep_tool
import numpy as np
import pytest
import tile_programs

SEEDS = range(300)
PER_TEST = 20


def run(seed: int, folder):
    program = tile_programs.generate(seed)
    path = folder / f"{seed}.ttir"
    path.write_text(program.text)
    arguments = {name: (values, kind) if kind.startswith("f8") else values for name, (kind, values) in program.inputs.items()}
    for name, (kind, values) in program.outputs.items():
        if name not in arguments:
            arguments[name] = f"zeros:{kind}[{values.size}]"
    return program, lockstep_tool.run(str(path), str(program.grid), arguments, list(program.outputs))


def check(program, result):
    for name, (kind, expected) in program.outputs.items():
        actual = result.saved[name].reshape(-1).view(tile_programs.NUMPY[kind])
        good = (actual == expected) | ((actual != actual) & (expected != expected))
        where = int(np.argmin(good))
        assert good.all(), f"seed {program.seed}, {name}[{where}] is {actual[where]!r}, not {expected[where]!r}\n{result.text()}\n{program.text}"


@pytest.mark.parametrize("first", SEEDS[::PER_TEST])
def test_tiles_agree_with_numpy(first, tmp_path):
    for seed in range(first, first + PER_TEST):
        check(*run(seed, tmp_path))
