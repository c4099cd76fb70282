# args: run {file}::volatile_flag --check races --grid 2 data=zeros:f32[1] flag=zeros:i32[1] out=zeros:f32[1]
# args: run {file}::clear_and_add --check races --grid 4 x=arange:f32[4,16] total=ones:f32[16] N=16
# args: run {file}::clear_and_add --check races --grid 4 --threads 1 x=arange:f32[4,16] total=ones:f32[16] N=16
# args: run {file}::float_maximum --check races --grid 4 x=arange:f32[4] out=zeros:f32[1]
# args: run {file}::late_reader --check races --grid 4 x=zeros:f32[4] out=zeros:f32[4]
# args: run {file}::late_reader --check races --grid 4 --threads 1 x=zeros:f32[4] out=zeros:f32[4]
# args: run {file}::late_reader --check races --grid 4 --schedule 5 x=zeros:f32[4] out=zeros:f32[4]
# args: run {file}::two_locks --check races --grid 4 total=zeros:f32[1] locks=zeros:i32[2]
# args: run {file}::unused_ticket --check races --grid 2 data=zeros:f32[1] flag=zeros:i32[1] out=zeros:f32[1]
# args: run {file}::bytes --check races --grid 4 "out=zeros:i8[16]"
# args: run {file}::fence --check races --grid 2 data=zeros:f32[1] flag=zeros:i32[1] out=zeros:f32[1]
"""Races of other shapes, whatever the number of threads and the order. The last one is not judged: its fences are not modelled."""

import triton
import triton.language as tl


@triton.jit
def volatile_flag(data, flag, out):
    """A volatile load sees the flag, but orders nothing behind it."""
    if tl.program_id(0) == 0:
        tl.store(data, 1.0)
        tl.atomic_xchg(flag, 1, sem="release")
    else:
        while tl.load(flag, volatile=True) == 0:
            pass
        tl.store(out, tl.load(data))


@triton.jit
def clear_and_add(x, total, N: tl.constexpr):
    """The first program clears what the others may have added to already."""
    index = tl.arange(0, N)
    if tl.program_id(0) == 0:
        tl.store(total + index, 0.0)
    tl.atomic_add(total + index, tl.load(x + tl.program_id(0) * N + index))


@triton.jit
def float_maximum(x, out):
    """A maximum by compare and swap that begins with a plain load."""
    here = tl.load(x + tl.program_id(0))
    known = tl.load(out)
    while here > known:
        bits = tl.atomic_cas(out.to(tl.pointer_type(tl.int32)), known.to(tl.int32, bitcast=True), here.to(tl.int32, bitcast=True))
        known = bits.to(tl.float32, bitcast=True)


@triton.jit
def late_reader(x, out):
    """Every program reads what the one after it stores."""
    pid = tl.program_id(0)
    tl.store(x + pid, 1.0)
    tl.store(out + pid, tl.load(x + (pid + 1) % tl.num_programs(0)))


@triton.jit
def two_locks(total, locks):
    """Each half of the programs takes a lock of its own for one sum."""
    lock = locks + tl.program_id(0) % 2
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) + 1)
    tl.atomic_xchg(lock, 0)


@triton.jit
def unused_ticket(data, flag, out):
    """The second program updates the counter, too, but does not look: it may be first just as well."""
    if tl.program_id(0) == 0:
        tl.store(data, 1.0)
        tl.atomic_add(flag, 1)
    else:
        tl.atomic_add(flag, 1)
        tl.store(out, tl.load(data))


@triton.jit
def bytes(out):
    """Bytes side by side are no race; the last of each program is the next one's first."""
    first = tl.program_id(0) * 3
    tl.store(out + first + tl.arange(0, 4), (tl.program_id(0) + tl.arange(0, 4)).to(tl.int8))


@triton.jit
def fence(data, flag, out):
    if tl.program_id(0) == 0:
        tl.store(data, 1.0)
        tl.inline_asm_elementwise("fence.acq_rel.gpu; mov.u32 $0, 0;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)
        tl.atomic_xchg(flag, 1, sem="relaxed")
    else:
        while tl.atomic_add(flag, 0, sem="relaxed") == 0:
            pass
        tl.inline_asm_elementwise("fence.acq_rel.gpu; mov.u32 $0, 0;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)
        tl.store(out, tl.load(data))
