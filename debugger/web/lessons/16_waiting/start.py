import triton
import triton.language as tl


@triton.jit
def value_edge(data, flag, out, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    if tl.program_id(0) == 0:
        tl.store(data + index, index * 0.5)
        tl.debug_barrier()
        tl.atomic_xchg(flag, 1, sem="relaxed")
    else:
        while tl.atomic_add(flag, 0, sem="relaxed") == 0:
            pass
        tl.store(out + index, tl.load(data + index))
