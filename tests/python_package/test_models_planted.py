"""Planted faults in kernels that torch.compile wrote: named with kernel, node and line of the model (two minutes: a campaign)."""

import lockstep
import model_mutations as mutations
import pytest
import torch
from lockstep.models import judge
from torch import nn

SEED = 20
MOST = 400  # changes of one type that are tried


@pytest.fixture(autouse=True)
def pretence(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
    torch._dynamo.reset()
    with lockstep.pretend_cuda() as pretence:
        yield pretence


class Layer(nn.Module):
    """A transformer's layer, small."""

    def __init__(self):
        super().__init__()
        self.norm, self.last = nn.LayerNorm(40), nn.LayerNorm(40)
        self.qkv, self.out = nn.Linear(40, 120), nn.Linear(40, 40)
        self.up, self.down = nn.Linear(40, 72), nn.Linear(72, 40)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        weights = torch.softmax(q @ k.transpose(-1, -2) / 40**0.5, -1)
        x = x + self.out(weights @ v)
        x = x + self.down(nn.functional.silu(self.up(x)))
        return self.last(x)


def step(compiled, x):
    """Findings, and outputs outside of their bounds, each as (kernel, node, line of the model); all outputs' bits."""
    compiled.zero_grad()
    with lockstep.options(findings="ignore"), judge.judging() as judged, lockstep.reports() as seen:
        compiled(x).square().mean().backward()
    named = [(launch.kernel, one.node, one.place) for launch in judged.launches for one in launch.outputs if one.outside]
    named += [(report.kernel, note[0], f"{note[1]}:{note[2]}") for report in seen for one in report.findings if one.tier == "error"
              for note in one.notes if note[0].startswith("of the model: ")]  # fmt: skip
    return named, [(launch.kernel, one.node, one.bits) for launch in judged.launches for one in launch.outputs]


def plant(count, seed):
    """(mutation, "named" | "elsewhere" | "missed" | "no effect" | "refused"), until so many have an effect; half of them in each type."""
    results = []
    for number, dtype in enumerate((torch.float32, torch.bfloat16)):
        torch._dynamo.reset()
        torch.manual_seed(3)
        model, x = Layer().cuda().to(dtype), torch.randn(3, 7, 40, device="cuda", dtype=dtype)
        compiled = torch.compile(model)
        before = set(mutations.kernels())
        clean, bits = step(compiled, x)
        assert clean == []
        known = {name: one for name, one in mutations.kernels().items() if name not in before}
        here = []
        for mutation in mutations.chosen({name: one[2] for name, one in known.items()}, MOST, seed + number):
            here.append((mutation, outcome(mutation, known, compiled, x, bits)))
            if share(here)[1] == count // 2:
                break
        results += here
    return results


def outcome(mutation, known, compiled, x, bits):
    raw = known[mutation.kernel]
    original = getattr(raw[0], raw[1])
    try:
        module, name, kernel = mutations.planted(mutation, known)
        setattr(module, name, kernel)
        named, changed = step(compiled, x)
    except Exception as error:  # noqa: BLE001 - a change may not compile
        return f"refused: {type(error).__name__}"
    finally:
        setattr(raw[0], raw[1], original)
    if not named:
        return "no effect" if changed == bits else "missed"
    kernel, _, place = named[0]
    return "named" if kernel == raw[1] and place.partition(":")[0] == __file__ else "elsewhere"


def share(results):
    counted = [text for _, text in results if text != "no effect" and not text.startswith("refused")]
    return counted.count("named"), len(counted)


@pytest.mark.campaign
def test_a_hundred_planted_faults():
    results = plant(100, SEED)
    named, counted = share(results)
    print(*[f"{text}: {one}" for one, text in results], sep="\n")
    print(f"{named} of {counted} with an effect named; {len(results)} planted")
    assert counted == 100
    assert named >= 95
