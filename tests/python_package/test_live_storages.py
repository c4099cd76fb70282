"""Kernels that follow addresses which they load: every live tensor can be reached, and nothing else."""

import gc

import lockstep
import pytest
import torch
import triton
import triton.language as tl
from backend_fixture import on_lockstep  # noqa: F401 (runs around each test)
from lockstep import live_storages


@triton.jit
def gather_rows(addresses, out, n, BLOCK: tl.constexpr):
    """Row `program` of out is the tensor whose address stands in addresses[program], as grouped products have it."""
    row = tl.program_id(0)
    source = tl.load(addresses + row).to(tl.pointer_type(tl.float32))
    index = tl.arange(0, BLOCK)
    tl.store(out + row * n + index, tl.load(source + index, mask=index < n), mask=index < n)


def test_tensors_whose_addresses_are_loaded():
    rows = [torch.full((100,), float(i)) for i in range(4)]
    addresses = torch.tensor([row.data_ptr() for row in rows])
    out = torch.zeros(4, 100)
    gather_rows[(4,)](addresses, out, 100, BLOCK=128)
    assert torch.equal(out, torch.stack(rows))


def test_tensors_of_a_pretended_gpu():
    with lockstep.pretend_cuda():
        rows = [torch.full((100,), float(i), device="cuda") for i in range(4)]
        addresses = torch.tensor([row.data_ptr() for row in rows], device="cuda")
        out = torch.zeros(4, 100, device="cuda")
        gather_rows[(4,)](addresses, out, 100, BLOCK=128)
        assert torch.equal(out, torch.stack(rows))


def test_an_address_of_nothing_is_a_finding():
    out = torch.zeros(1, 100)
    with pytest.raises(lockstep.KernelFault) as caught:
        gather_rows[(1,)](torch.tensor([64]), out, 100, BLOCK=128)
    assert caught.value.kernel == "gather_rows"


def test_reading_past_a_live_tensor_is_a_finding():
    row = torch.zeros(100)
    with pytest.raises(lockstep.OutOfBoundsError):
        gather_rows[(1,)](torch.tensor([row.data_ptr()]), torch.zeros(1, 4096 * 16), 4096 * 16, BLOCK=4096 * 16)


def test_each_storage_is_found_once():
    base = torch.zeros(1000)
    views = [base[i:] for i in range(10)]
    found = [entry for entry in live_storages.find() if entry[0] == base.data_ptr()]
    assert found == [(base.data_ptr(), 4000, "a tensor of 1000 torch.float32")]
    assert len(views) == 10


def test_tensors_without_memory_are_passed_over():
    odd = [torch.empty(3, device="meta"), torch.eye(3).to_sparse(), torch.zeros(0), torch.nn.Parameter(torch.ones(7))]
    found = {address for address, _, _ in live_storages.find()}
    assert odd[3].data_ptr() in found
    assert 0 not in found
    gc.collect()
