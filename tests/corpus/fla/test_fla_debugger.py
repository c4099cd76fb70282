"""Debugger's sessions on real kernels of the installed package, launched through Triton: what is shown, line by line, and
that the result is the one without a debugger. LOCKSTEP_BLESS=1 rewrites the expected texts."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

SESSIONS = Path(__file__).with_name("sessions")


def inputs() -> dict[str, torch.Tensor]:
    """Small fractions that every machine makes alike: 80 tokens, 2 heads of 16."""
    count = torch.arange(80 * 2 * 16)

    def fractions(factor: int, modulus: int) -> torch.Tensor:
        return (((count * factor) % modulus - modulus // 2) / 64.0).reshape(1, 80, 2, 16).float().cuda()

    steps = torch.arange(80 * 2).reshape(1, 80, 2)
    return {"q": fractions(7, 31), "k": fractions(11, 29), "v": fractions(13, 37),
            "beta": ((steps % 4 + 1) / 8.0).float().cuda(), "g": (-(steps % 3 + 1) / 16.0).float().cuda()}  # fmt: skip


@pytest.fixture
def known_memory() -> Iterator[None]:
    """What torch.empty gives is NaN, and no chance."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(before)


@pytest.mark.parametrize(
    ("session", "kernel"),
    [("gated_delta_out", "chunk_fwd_kernel_o"),
     ("gated_delta_state", "chunk_gated_delta_rule_fwd_kernel_h_blockdim64")],
)  # fmt: skip
def test_a_session_on_gated_delta_net(session: str, kernel: str, known_memory: None,
                                      capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    import lockstep
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule

    plain, _ = chunk_gated_delta_rule(**inputs(), scale=0.25)
    capsys.readouterr()
    with lockstep.debug(kernel, script=SESSIONS / f"{session}.dbg", batch=True):
        debugged, _ = chunk_gated_delta_rule(**inputs(), scale=0.25)
    assert torch.equal(debugged, plain)
    shown = capsys.readouterr().out
    path = SESSIONS / f"{session}.dbg.expected"
    if os.environ.get("LOCKSTEP_BLESS"):
        path.write_text(shown)
    expected = path.read_text()
    assert shown == expected, "\n".join(difflib.unified_diff(expected.splitlines(), shown.splitlines(), "expected", "shown"))
