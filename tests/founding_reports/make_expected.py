#!/usr/bin/env python3
"""Writes the .npy expectations of the seeds. Sources: what an H200 stored with Triton 3.6.0 for the same expressions (scalar
promotion, views, in-place kernels), and plain NumPy indexing for the rest."""

from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
EIGHT = np.arange(8, dtype=np.float32)

EXPECTED = {
    "scalar_promotion/full_of_scalar": np.array([0, 9, 2.5, 5], dtype=np.float32),
    "scalar_promotion/full_of_argument": np.array([5], dtype=np.float32),
    "scalar_promotion/result_to_float": np.array([0.75, 1.25], dtype=np.float32),
    "scalar_promotion/result_to_integer": np.array([11, 11.5], dtype=np.float32),
    # f16(0.1) * 3.3 in f16, then in f32 three times: H200 0.330078125 and 0.3299194276332855
    "scalar_promotion/weak_and_strong": np.array([0.330078125] + [0.3299194276332855] * 3, dtype=np.float32),
    "scalar_promotion/loop_variable": np.array(
        [140, 142, 144, 146] + [-1, -1, 0, 0] + [-1, 0, -1, 0] + [0, 131073, 262148, 393225], dtype=np.int64
    ),
    "aliasing/same_buffer_twice": EIGHT + 1,
    "aliasing/two_halves": np.concatenate([EIGHT, EIGHT + 1]),
    "aliasing/overlapping_slices": np.concatenate([EIGHT[:4], EIGHT + 1]),
    "aliasing/window_on_another": EIGHT + 1,
    "aliasing/in_place": EIGHT * 2,
    "aliasing/transposed": EIGHT.reshape(2, 4).T.copy(),
    "aliasing/stride0": np.tile(EIGHT[:4], (2, 1)),
    "aliasing/transpose_in_place": np.arange(16, dtype=np.float32).reshape(4, 4).T.copy(),
    "dominance/both_branches": np.array([2], dtype=np.float32),
}

for name, values in EXPECTED.items():
    np.save(HERE / f"{name}.npy", values)
print(len(EXPECTED), "files")
