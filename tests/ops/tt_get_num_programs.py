"""tt.get_num_programs: the grid's extent along x, y or z."""

import numpy as np
import tt_get_program_id as ids
from support.case import Case, Out


def cases():
    for grid in ids.GRIDS:
        expected = np.tile(np.array(grid, dtype=np.int32), (int(np.prod(grid)), 1))
        yield Case("x".join(map(str, grid)), ids.text("get_num_programs"), [Out(expected.shape, "i32")], grid, lambda inputs, e=expected: e)
