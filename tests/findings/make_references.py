#!/usr/bin/env python3
"""Writes the reference.npy files that zoo kernels are compared with (--expect): NumPy in float64, rounded once.

    make_references.py LOCKSTEP [NAME ...]

Inputs are the kernels' own: `lockstep run … --save` gives them back. Nothing of a kernel is computed by Lockstep here.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

ZOO = Path(__file__).resolve().parent
Arrays = dict[str, np.ndarray]


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def softmax_in_f32(scores: np.ndarray) -> np.ndarray:
    """A reference that is rounded at every step, as people make them."""
    return softmax(scores.astype(np.float32))


def causal(scores: np.ndarray) -> np.ndarray:
    return np.where(np.tril(np.ones(scores.shape, bool)), scores, -np.inf)


def layer_norm(values: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = values - values.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5) * weight + bias


def window_means(values: np.ndarray, width: int) -> np.ndarray:
    """Of the `width` elements that end at each place; 0 where there are not so many."""
    sums = np.cumsum(values, axis=1)
    means = np.zeros_like(sums)
    means[:, width:] = (sums[:, width:] - sums[:, :-width]) / width
    return means


def causal_taps(values: np.ndarray, taps: np.ndarray) -> np.ndarray:
    padded = np.pad(values, ((0, 0), (taps.size - 1, 0)))
    width = values.shape[1]
    return sum(tap * padded[:, taps.size - 1 - i : taps.size - 1 - i + width] for i, tap in enumerate(taps))


#: Name of the zoo's folder -> (inputs that are saved, what the outputs should be).
REFERENCES: dict[str, tuple[list[str], Callable[[Arrays], np.ndarray]]] = {
    "LS608_online_rescale": (["q", "k", "v"], lambda a: softmax(a["q"] @ a["k"].T * 0.25) @ a["v"]),
    "LS608_angle_of_far_positions": (
        ["positions", "frequencies"],
        lambda a: np.cos((a["positions"] + 1000000)[:, None] * a["frequencies"][None, :]),
    ),
    "LS608_exponents_of_two": (["x"], lambda a: softmax(a["x"] / 0.5)),
    "LS608_factor_upside_down": (["x"], lambda a: np.log(np.exp(a["x"]).sum(axis=1))),
    "LS608_window_of_prefix_sums": (["x"], lambda a: window_means(np.float32(100000.3) + a["x"] * 0.001, 8)),
    "LS608_divided_by_the_block": (["x"], lambda a: a["x"] / np.sqrt((a["x"] ** 2).mean(axis=1, keepdims=True) + 1e-6)),
    "LS608_mask_of_the_future": (["q", "k"], lambda a: softmax(causal(a["q"] @ a["k"].T * 0.25))),
    "LS608_products_in_tf32": (["a", "b"], lambda a: a["a"] @ a["b"]),
    "LS608_bias_not_corrected": (["w", "g"], lambda a: a["w"] - 0.01 * a["g"] / (np.abs(a["g"]) + 1e-8)),
    "LS608_products_in_half": (["a", "b"], lambda a: a["a"] @ a["b"]),
    "LS608_tap_too_far": (["x", "taps"], lambda a: causal_taps(a["x"], a["taps"])),
    "LS608_sign_of_the_gate": (["x", "y"], lambda a: a["y"] * a["x"] / (1 + np.exp(-a["x"]))),
    "LS608_padding_in_the_maximum": (["x"], lambda a: softmax(a["x"])),
    "LS608_padding_in_the_variance": (["x", "weight", "bias"], lambda a: layer_norm(a["x"], a["weight"], a["bias"])),
    "LS608_atomic_without_its_mask": (["x"], lambda a: np.bincount(a["x"].astype(int), minlength=16)),
    "LS608_rescale_under_a_tolerance": (["Q", "K", "V"], lambda a: softmax(a["Q"] @ a["K"].T * 0.25) @ a["V"]),
    "LS608_rescale_in_tf32": (["Q", "K", "V"], lambda a: softmax(a["Q"] @ a["K"].T * 0.25) @ a["V"]),
    "LS608_rescale_in_half": (["Q", "K", "V"], lambda a: softmax(a["Q"] @ a["K"].T * 0.25) @ a["V"]),
    "LS608_last_bits": (["x"], lambda a: softmax_in_f32(a["x"])),
    "LS802_mean_of_columns": (["x"], lambda a: a["x"] - a["x"].mean(axis=1, keepdims=True)),
    "LS802_strides_exchanged": (["x"], lambda a: 2 * a["x"]),
    "LS802_keep_dims_forgotten": (["x"], lambda a: softmax(a["x"])),
    "LS802_pitch_of_another_matrix": (["x", "bias"], lambda a: a["x"][:, :48] + a["bias"]),
    "LS802_keys_not_transposed": (["q", "k"], lambda a: a["q"] @ a["k"].T),
    "LS802_tiles_of_the_other_axis": (["a", "b"], lambda a: a["a"] @ a["b"]),
    "LS802_running_sum_of_columns": (["x"], lambda a: np.cumsum(a["x"], axis=2)),
    "LS802_heads_and_batches": (["x"], lambda a: 2 * a["x"]),
    "LS802_not_transposed": (["x"], lambda a: a["x"].T),
    "LS802_tiles_of_a_line": (["x", "bias"], lambda a: a["x"] + a["bias"]),
    "LS802_bias_down_the_rows": (["x", "bias"], lambda a: a["x"] + a["bias"]),
}


def inputs_of(lockstep: str, kernel: Path, names: list[str]) -> Arrays:
    """The arrays that the kernel's launch begins with."""
    words = shlex.split(kernel.read_text(encoding="utf-8").splitlines()[0].removeprefix("# args: "))
    words = [word.replace("{file}", str(kernel)).replace("{folder}", str(kernel.parent)) for word in words]
    for option in ("--expect", "--rtol", "--atol"):
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    with tempfile.TemporaryDirectory() as folder:
        saves = [word for name in names for word in ("--save", f"{name}=@{folder}/{name}.npy")]
        subprocess.run([lockstep, *words, *saves], check=True, stdout=subprocess.DEVNULL)
        return {name: np.load(f"{folder}/{name}.npy").astype(np.float64) for name in names}


def main() -> int:
    lockstep, wanted = sys.argv[1], sys.argv[2:]
    for name, (inputs, reference) in REFERENCES.items():
        if wanted and name not in wanted:
            continue
        arrays = inputs_of(lockstep, ZOO / name / "good" / "kernel.py", inputs)
        made = reference(arrays)
        kind = np.int32 if np.issubdtype(made.dtype, np.integer) else np.float32
        np.save(ZOO / name / "reference.npy", made.astype(kind))
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
