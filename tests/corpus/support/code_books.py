"""The code books of bitsandbytes' formats. They stand here because their numbers are no sizes: campaigns keep this folder out
of what they vary (campaigns/open_corpus.toml, `keep`)."""

from __future__ import annotations

import torch

# The codes in order of their 4-bit index. NF4: the 16 constants of Dettmers et al. 2023, appendix E. FP4: a sign bit,
# then the magnitudes 0, 1/192, 2/3, 1, 1/3, 1/2, 1/6, 1/4 for 0 to 7, as the library documents the format.
FP4 = [0.0, 0.005208333333, 0.66666667, 1.0, 0.33333333, 0.5, 0.16666667, 0.25]
FP4 = torch.tensor(FP4 + [-value for value in FP4])
NF4 = torch.tensor(
    [
        -1.0,
        -0.6961928009986877,
        -0.5250730514526367,
        -0.39491748809814453,
        -0.28444138169288635,
        -0.18477343022823334,
        -0.09105003625154495,
        0.0,
        0.07958029955625534,
        0.16093020141124725,
        0.24611230194568634,
        0.33791524171829224,
        0.44070982933044434,
        0.5626170039176941,
        0.7229568362236023,
        1.0,
    ]
)


def block_size() -> int:
    """Of 4-bit formats: one of the powers of two that the library takes."""
    return 64


def unpacked(packed: torch.Tensor) -> torch.Tensor:
    """The first of two values lies in the high half."""
    return torch.stack((packed >> 4, packed & 15), -1).flatten().long()


def code_book() -> torch.Tensor:
    """256 sorted levels in [-1, 1], finer near zero, as an 8-bit dynamic map has."""
    levels = torch.linspace(0, 1, 128, dtype=torch.float64)[1:] ** 2
    return (
        torch.cat((-levels.flip(0), torch.zeros(1, dtype=torch.float64), levels, torch.ones(1) * 1.0))[:256]
        .float()
        .sort()
        .values
    )


def codes(*shape: int, draw: torch.Generator, least: float = -1.0) -> torch.Tensor:
    """Random codes of the book's levels from this one up."""
    first = int(torch.searchsorted(code_book(), least))
    return torch.randint(first, 256, shape, dtype=torch.uint8, generator=draw)
