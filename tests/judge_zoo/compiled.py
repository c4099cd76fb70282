"""Honest candidates that Inductor writes: the kernels and the host program that torch.compile makes of a reference, as a file of its
own. `programs(references)` gives (name, reference, candidate, what left it out). Needs torch and Triton; runs with "cuda" pretended."""

from __future__ import annotations

import os
import sys
import tempfile
import types

_MODEL = '''

class ModelNew(Model):
    def forward(self, *inputs):
        self_given = [one for _, one in [*self.named_parameters(), *self.named_buffers()]]
        return call([one for one in [*self_given, *inputs] if torch.is_tensor(one)]){unpacked}
'''
# : Settings of Inductor that write other kernels.
VARIANTS = {"": {}, "looped": {"triton.persistent_reductions": False, "split_reductions": False}}


def _module(text: str) -> types.ModuleType:
    made = types.ModuleType("reference")
    sys.modules["reference"] = made
    exec(compile(text, "reference.py", "exec"), made.__dict__)
    return made


def _flat(value: object) -> list:
    import torch

    if torch.is_tensor(value):
        return [value]
    return [one for part in value for one in _flat(part)] if isinstance(value, list | tuple) else []


def compiled(reference: str, settings: dict[str, object]) -> tuple[str, str]:
    """(text of a candidate, ""), or ("", why there is none)."""
    import torch
    from torch._inductor import config
    from torch._inductor.compile_fx import compile_fx
    from torch._inductor.utils import run_and_get_code
    from torch.fx.experimental.proxy_tensor import make_fx

    module = _module(reference)
    torch.manual_seed(3)
    init = list(module.get_init_inputs())
    model = module.Model(*init).cuda().eval()
    given = [one.cuda() if torch.is_tensor(one) else one for one in module.get_inputs()]
    if any(not torch.is_tensor(one) and not isinstance(one, int | float) for one in given):
        return "", "its inputs are nested"
    state = [*model.named_parameters(), *model.named_buffers()]
    names, held = [name for name, _ in state], [one for _, one in state]

    def function(*tensors):
        rest = iter(tensors[len(held):])
        inputs = [next(rest) if torch.is_tensor(one) else one for one in given]
        return torch.func.functional_call(model, dict(zip(names, tensors, strict=False)), tuple(inputs))

    tensors = [*held, *(one for one in given if torch.is_tensor(one))]
    with torch.no_grad(), config.patch({"max_autotune_gemm_backends": "TRITON", "max_autotune": True, "max_autotune_conv_backends": "TRITON", **settings}):
        graph = make_fx(function)(*tensors)
        if any(not one.users for one in graph.graph.nodes if one.op == "placeholder"):
            return "", "tracing fixes the numbers of an input"  # a loop over offsets, say: right for this draw alone
        result, codes = run_and_get_code(lambda: compile_fx(graph, tensors)(*tensors))
    if len(codes) != 1:
        return "", f"{len(codes)} modules"
    head = codes[0][: codes[0].index("\ndef get_args")]
    if "extern_kernels." in head.replace("extern_kernels.,", "") or "torch.ops.aten." in head.split("class Runner")[1]:
        return "", "Inductor leaves a part to a library"
    return _joined(reference, head, torch.is_tensor(result)), ""


def _joined(reference: str, head: str, is_one: bool) -> str:
    parts = reference[: reference.index("def get_inputs")]
    return head + "\n\n" + parts + _MODEL.format(unpacked="[0]" if is_one else "")


def programs(references: list[tuple[str, str]], variants: dict[str, dict[str, object]] = VARIANTS):
    """(name, reference, candidate, why there is none) for each reference and variant."""
    import lockstep

    with tempfile.TemporaryDirectory() as folder, lockstep.pretend_cuda():
        os.environ |= {"TORCHINDUCTOR_CACHE_DIR": folder, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
        for name, reference in references:
            seen = set()
            for variant, settings in variants.items():
                try:
                    text, why = compiled(reference, settings)
                except Exception as error:
                    text, why = "", f"{type(error).__name__}: {str(error)[:200]}"
                kernels = text.partition("class Runner")[0].partition("# kernel path")[2]
                if text and kernels in seen:
                    continue
                seen.add(kernels)
                yield f"{name}{'-' + variant if variant else ''}", reference, text, why
