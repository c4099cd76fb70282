# args: run {file}::stream_k --check all --schedules 12 --fail-on info --grid 5 a=full(2):f32[4,256] partial=zeros:f32[5] flags=zeros:i32[5] out=zeros:f32[4] ITEMS=256 TILES=4 BLOCK=64
# args: run {file}::stream_k --check all --schedule 3 --fail-on info --grid 5 a=full(2):f32[4,256] partial=zeros:f32[5] flags=zeros:i32[5] out=zeros:f32[4] ITEMS=256 TILES=4 BLOCK=64
# args: run {file}::look_back --check all --schedules 12 --fail-on info --grid 9 x=full(1):f32[9,32] aggregate=zeros:f32[9] inclusive=zeros:f32[9] status=zeros:i32[9] out=zeros:f32[9,32] BLOCK=32
# args: run {file}::look_back --check all --resident 2 --fail-on info --grid 9 x=full(1):f32[9,32] aggregate=zeros:f32[9] inclusive=zeros:f32[9] status=zeros:i32[9] out=zeros:f32[9,32] BLOCK=32
# args: run {file}::queue --check all --schedules 12 --fail-on info --grid 4 x=arange:f32[16,32] out=zeros:f32[16,32] next=zeros:i32[1] TILES=16 BLOCK=32
# args: run {file}::grid_barrier --check all --schedules 12 --fail-on info --grid 6 x=arange:f32[6] y=zeros:f32[6] z=zeros:f32[6] arrived=zeros:i32[1]
# args: run {file}::grid_barrier --check all --resident 6 --threads 1 --fail-on info --grid 6 x=arange:f32[6] y=zeros:f32[6] z=zeros:f32[6] arrived=zeros:i32[1]
# args: run {file}::histogram --check all --schedules 12 --fail-on info --grid 8 x=randint(0,8):i32[512] bins=zeros:i32[8] BLOCK=64
# args: run {file}::maximum --check all --schedules 12 --fail-on info --grid 8 x=randn:f32[512] out=zeros:f32[1] lock=zeros:i32[1] BLOCK=64
"""Programs that see each other as they should: nothing may be reported, in any order that is tried."""

import triton
import triton.language as tl


@triton.jit
def stream_k(a, partial, flags, out, ITEMS: tl.constexpr, TILES: tl.constexpr, BLOCK: tl.constexpr):
    """Work is dealt out evenly, across the borders of tiles; whoever begins a tile adds what later programs did of it."""
    pid = tl.program_id(0)
    steps = ITEMS // BLOCK
    all_steps = TILES * steps
    first = pid * all_steps // tl.num_programs(0)
    end = (pid + 1) * all_steps // tl.num_programs(0)
    at = first
    while at < end:
        tile = at // steps
        stop = tl.minimum(end, (tile + 1) * steps)
        total = 0.0
        for i in range(at - tile * steps, stop - tile * steps):
            total += tl.sum(tl.load(a + tile * ITEMS + i * BLOCK + tl.arange(0, BLOCK)))
        if at > tile * steps:
            tl.store(partial + pid, total)
            tl.debug_barrier()
            tl.atomic_xchg(flags + pid, 1, sem="release")
        else:
            done = stop
            helper = pid + 1
            while done < (tile + 1) * steps:
                while tl.atomic_cas(flags + helper, 1, 1, sem="acquire") != 1:
                    pass
                total += tl.load(partial + helper)
                done = tl.minimum((helper + 1) * all_steps // tl.num_programs(0), (tile + 1) * steps)
                helper += 1
            tl.store(out + tile, total)
        at = stop


@triton.jit
def look_back(x, aggregate, inclusive, status, out, BLOCK: tl.constexpr):
    """A scan in one pass: 1 says that the sum of a block is there, 2 the sum of all before it as well."""
    pid = tl.program_id(0)
    values = tl.load(x + pid * BLOCK + tl.arange(0, BLOCK))
    total = tl.sum(values)
    tl.store(aggregate + pid, total)
    tl.atomic_xchg(status + pid, 1, sem="release")
    before = 0.0
    at = pid - 1
    while at >= 0:
        state = tl.atomic_add(status + at, 0, sem="acquire")
        if state == 2:
            before += tl.load(inclusive + at)
            at = -1
        elif state == 1:
            before += tl.load(aggregate + at)
            at -= 1
    tl.store(inclusive + pid, before + total)
    tl.atomic_xchg(status + pid, 2, sem="release")
    tl.store(out + pid * BLOCK + tl.arange(0, BLOCK), before + tl.cumsum(values))


@triton.jit
def queue(x, out, next, TILES: tl.constexpr, BLOCK: tl.constexpr):
    """Tiles are drawn from a counter."""
    tile = tl.atomic_add(next, 1, sem="relaxed")
    while tile < TILES:
        index = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + index, tl.load(x + index) * 2)
        tile = tl.atomic_add(next, 1, sem="relaxed")


@triton.jit
def grid_barrier(x, y, z, arrived):
    """All programs wait for all, and then read what others stored."""
    pid = tl.program_id(0)
    programs = tl.num_programs(0)
    tl.store(y + pid, tl.load(x + pid) + 1)
    tl.atomic_add(arrived, 1)
    while tl.atomic_add(arrived, 0) < programs:
        pass
    tl.store(z + pid, tl.load(y + programs - 1 - pid))


@triton.jit
def histogram(x, bins, BLOCK: tl.constexpr):
    values = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(bins + values, 1, sem="relaxed")


@triton.jit
def maximum(x, out, lock, BLOCK: tl.constexpr):
    """Under a lock, plain loads and stores are as good as atomics."""
    here = tl.max(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    known = tl.load(out)
    tl.debug_barrier()
    if here > known:
        tl.store(out, here)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)
