import triton
import triton.language as tl


def configurations():
    found = []
    for block in (64, 128):
        found.append(triton.Config({"BLOCK": block}, num_warps=block // 32, num_stages=2))
    return found


@triton.autotune(configs=configurations(), key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0, "HAS_BIAS": lambda args: args["bias"] is not None})
@triton.jit
def add(x, bias, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, HAS_BIAS: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = place < (place + 1 if EVEN else n)
    value = tl.load(x + place, mask=mask)
    if HAS_BIAS:
        value += tl.load(bias + place, mask=mask)
    tl.store(x + place, value + 1, mask=mask)


@triton.jit
def plain(x, parts):
    tl.store(x, tl.load(parts[0]) + parts[1])
