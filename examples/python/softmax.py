"""Row-wise softmax in one kernel that loops over rows; the grid is as large as the GPU is wide.

    python -m lockstep examples/python/softmax.py
"""

import torch
import triton
import triton.language as tl

facts = triton.runtime.driver.active.utils.get_device_properties(torch.cuda.current_device())


@triton.jit
def softmax_kernel(out, rows, out_stride, row_stride, n_rows, n_columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    column = tl.arange(0, BLOCK)
    inside = column < n_columns
    for row in tl.range(tl.program_id(0), n_rows, tl.num_programs(0), num_stages=STAGES):
        values = tl.load(rows + row * row_stride + column, mask=inside, other=-float("inf"))
        weights = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * out_stride + column, weights / tl.sum(weights, axis=0), mask=inside)


def softmax(rows: torch.Tensor) -> torch.Tensor:
    n_rows, n_columns = rows.shape
    block = triton.next_power_of_2(n_columns)
    stages = 4 if facts["max_shared_mem"] > 200_000 else 2
    out = torch.empty_like(rows)
    options = {"BLOCK": block, "STAGES": stages, "num_warps": 8}
    compiled = softmax_kernel.warmup(out, rows, out.stride(0), rows.stride(0), n_rows, n_columns, grid=(1,), **options)
    compiled._init_handles()
    resident = facts["max_num_regs"] // (max(compiled.n_regs, 16) * facts["warpSize"] * 8)
    if compiled.metadata.shared:
        resident = min(resident, facts["max_shared_mem"] // compiled.metadata.shared)
    programs = min(facts["multiprocessor_count"] * max(resident, 1), n_rows)
    softmax_kernel[(programs, 1, 1)](out, rows, out.stride(0), rows.stride(0), n_rows, n_columns, **options)
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    values = torch.randn(203, 781, device="cuda")
    torch.testing.assert_close(softmax(values), torch.softmax(values, dim=1))
    milliseconds = triton.testing.do_bench(lambda: softmax(values), warmup=1, rep=5)
    print(f"softmax of {tuple(values.shape)} agrees with torch; {milliseconds:.2f} ms")
