"""tt.get_program_id: the program's place along x, y or z of the grid."""

import numpy as np
from support import kernels
from support.case import Case, Out

GRIDS = [(1, 1, 1), (7, 1, 1), (2, 3, 4), (1, 5, 2), (3, 1, 8)]


def text(op: str) -> str:
    """Each program writes what the op gives along x, y and z."""
    lines = [f"%{a} = tt.get_program_id {a} : i32\n    %n{a} = tt.get_num_programs {a} : i32" for a in "xyz"]
    lines += ["%0 = arith.muli %z, %ny : i32", "%1 = arith.addi %0, %y : i32", "%2 = arith.muli %1, %nx : i32", "%row = arith.addi %2, %x : i32"]
    lines += ["%three = arith.constant 3 : i32", "%start = arith.muli %row, %three : i32"]
    for i, a in enumerate("xyz"):
        lines.append(f"%c{i} = arith.constant {i} : i32\n    %o{i} = arith.addi %start, %c{i} : i32")
        lines.append(f"%p{i} = tt.addptr %out, %o{i} : !tt.ptr<i32>, i32")
        lines.append(f"%v{i} = tt.{op} {a} : i32\n    tt.store %p{i}, %v{i} : !tt.ptr<i32>")
    return kernels.module(["%out: !tt.ptr<i32>"], lines)


def cases():
    for grid in GRIDS:
        places = [(x, y, z) for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])]
        expected = np.array(places, dtype=np.int32)
        yield Case("x".join(map(str, grid)), text("get_program_id"), [Out(expected.shape, "i32")], grid, lambda inputs, e=expected: e)
