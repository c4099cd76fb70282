"""Whether two programs differ on any of many inputs, sizes and parameters: their results and what they are without rounding.
`python -m lockstep brute_force.py REFERENCE HONEST CHANGED` prints "same: ...", "differs: ...", or "digits: ..." where results differ
that are equal without rounding. It shares nothing with the judge."""

import importlib.util
import sys

import torch
import triton  # noqa: F401


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# : What is done with the floats of a draw.
CHANGES = {
    "as drawn": lambda x: x, "times 40": lambda x: x * 40, "times 1e-3": lambda x: x * 1e-3, "plus 7": lambda x: x + 7, "negative": lambda x: -x.abs() - 0.1,
    "positive": lambda x: x.abs() + 0.1, "zeros": lambda x: x * 0, "equal": lambda x: x * 0 + 1.5, "rounded": lambda x: (2 * x).round() / 2,
    "outliers": lambda x: x * (1 + 60 * (torch.rand_like(x) < 0.05)), "sorted": lambda x: x.sort(-1).values if x.ndim else x,
}


def sizes_of(module):
    return {name: one for name, one in vars(module).items() if type(one) is int and not name.startswith("_")}


def families(module):
    sizes = sizes_of(module)
    yield {}
    for name, one in sizes.items():
        for other in (1, 2, 3, 6, 12, 22, one + 1, one - 1, 2 * one + 1, 16, 24, 33, 64, 96, 128, 130, 257):
            if other > 0 and other != one:
                yield {name: other}
    yield {name: one | 1 for name, one in sizes.items()}
    ones = dict.fromkeys(sizes, 1)
    yield ones
    for name in sizes:
        yield from (ones | {name: other} for other in (33, 65, 129, 513, 1025, 2049))


def called(model, inputs):
    from lockstep import _native
    from lockstep.real_numbers import real_ends

    _native.forget_real()  # memory of an earlier call may be an input now, with the same bits by chance
    result = model(*inputs)
    results = [one for one in (result if isinstance(result, tuple | list) else [result]) if torch.is_tensor(one)]
    real = []
    for one in results:
        ends = real_ends(one) if one.is_floating_point() else None
        real.append(None if ends is None else torch.from_numpy((ends[0] + ends[1]) / 2))
    return [one.detach().cpu().clone() for one in results], real


def difference(some, others):
    """(text, whether it is one of digits alone) of the first difference of results that both programs gave; "": none. The same function
    with other digits: what both results are without rounding is known, and equal."""
    digits = ""
    for i, (a, b, real_a, real_b) in enumerate(zip(some[0], others[0], some[1], others[1], strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"output {i}: {a.dtype} {tuple(a.shape)}, {b.dtype} {tuple(b.shape)}", False
        if not a.is_floating_point():
            if not torch.equal(a, b):
                return f"output {i}: integers", False
            continue
        a, b = a.double(), b.double()
        scale = float(a.abs().nan_to_num(0).max()) if a.numel() else 0.0
        bits = {torch.float16: 9, torch.bfloat16: 6}.get(some[0][i].dtype, 18)
        away = (a - b).abs()
        is_known = real_a is not None and real_b is not None and bool(real_a.isfinite().all() and real_b.isfinite().all())
        if is_known and a.numel():
            far = float((real_a - real_b).abs().max())
            if far > 2.0**-34 * max(float(real_a.abs().max()), 1e-300):
                return f"output {i}: {far:.3g} without rounding", False
        if bool((a.isfinite() != b.isfinite()).any()) or float(away.nan_to_num(0).max() if a.numel() else 0) > 2.0**-bits * scale:
            text = f"output {i}: {float(away.nan_to_num(0).max()):.3g} of {scale:.3g}"
            if not is_known or not bool(b.isfinite().all()):
                return text, False
            digits = text
    return digits, bool(digits)


def main(paths):
    import lockstep

    reference, honest, changed = (load(path, name) for path, name in zip(paths, ("reference", "honest", "changed"), strict=True))
    base, tried, fewer = sizes_of(reference), 0, ""
    with torch.no_grad(), lockstep.options(real=True, check="none"):
        for sizes in families(reference):
            vars(reference).update(base | sizes)
            try:
                init = reference.get_init_inputs()
                models = []
                for module in (honest, changed):
                    torch.manual_seed(1)
                    models.append(module.ModelNew(*init).cuda().eval())
                drawn = {}
                for name in CHANGES if not sizes else ("as drawn", "times 40"):
                    torch.manual_seed(len(drawn))
                    drawn[name] = [one.cuda() if torch.is_tensor(one) else one for one in reference.get_inputs()]
            except Exception:
                continue
            for name, inputs in drawn.items():
                given = [CHANGES[name](one) if torch.is_tensor(one) and one.is_floating_point() else one for one in inputs]
                copies = [one.clone() if torch.is_tensor(one) else one for one in given]
                try:
                    right = called(models[0], given)
                except Exception:
                    continue
                try:
                    got = called(models[1], copies)
                except Exception:
                    continue  # a refusal
                tried += 1
                told, is_digits = difference(right, got)
                if is_digits:
                    fewer = fewer or f"{name}, sizes {sizes or 'as given'}: {told}"
                    continue
                if not told and any(torch.is_tensor(a) and not torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in zip(given, copies, strict=True)):
                    told = "an input changed"
                if told:
                    print(f"differs: {name}, sizes {sizes or 'as given'}: {told}")
                    return
    print(f"digits: {fewer}" if fewer else f"same: {tried} pairs of calls")


if __name__ == "__main__":
    main(sys.argv[1:])
