"""ld.global and st.global in inline assembly: the values, the bounds, the races and the orders of ordinary accesses."""

import lockstep
import numpy as np
import pytest
import torch
import triton
import triton.language as tl

SIZE = 1000
COPY = """{{
    .reg .pred p; .reg .b{register} t;
    setp.ne.s32 p, $3, 0;
    @p ld.global{hint}.{type} t, [$1];
    @p st.global.{type} [$2], t;
    mov.u32 $0, 0;
}}"""


@triton.jit
def copy_by_asm(x, y, n, ASM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.inline_asm_elementwise(ASM, "=r,l,l,r", [(x + i).to(tl.int64), (y + i).to(tl.int64), (i < n).to(tl.int32)],
                              dtype=tl.int32, is_pure=False, pack=1)  # fmt: skip


@triton.jit
def gather_by_asm(x, index, y, n, ASM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.load(index + i, i < n, other=0)
    value = tl.inline_asm_elementwise(ASM, "=r,l,r", [x + at, (i < n).to(tl.int32)], dtype=y.dtype.element_ty,
                                      is_pure=True, pack=1)  # fmt: skip
    tl.store(y + i, value, i < n)


@triton.jit
def reverse_fours(x, y, LOAD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK) * 4
    a, b, c, d = tl.inline_asm_elementwise(LOAD, "=r,=r,=r,=r,l", [x + i], dtype=(tl.int32, tl.int32, tl.int32, tl.int32),
                                           is_pure=True, pack=1)  # fmt: skip
    tl.inline_asm_elementwise("st.global.v4.b32 [$1], {$5, $4, $3, $2}; mov.u32 $0, 0;", "=r,l,r,r,r,r", [y + i, a, b, c, d],
                              dtype=tl.int32, is_pure=False, pack=1)  # fmt: skip


@triton.jit
def neighbour(x, y, n, BYTES: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.inline_asm_elementwise(BYTES, "=f,l", [x + i], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(y + i, value, i < n)


@triton.jit
def computed_address(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.inline_asm_elementwise("""{ .reg .b64 a; mul.wide.s32 a, $2, 4; add.s64 a, a, $1; ld.global.u32 $0, [a]; }""",
                                      "=r,l,r", [x, i], dtype=tl.float32, is_pure=True, pack=1)  # fmt: skip
    tl.store(y + i, value, i < n)


@triton.jit
def count_up(x):
    tl.inline_asm_elementwise("""{ .reg .b32 t; ld.global.u32 t, [$1]; add.u32 t, t, 1; st.global.u32 [$1], t; mov.b32 $0, t; }""",
                              "=r,l", [x], dtype=tl.int32, is_pure=False, pack=1)  # fmt: skip


@triton.jit
def relay(flags, data, READ: tl.constexpr, SET: tl.constexpr, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    if p > 0:
        seen = tl.inline_asm_elementwise(READ, "=r,l", [flags + p - 1], dtype=tl.int32, is_pure=False, pack=1)
        while seen == 0:
            seen = tl.inline_asm_elementwise(READ, "=r,l", [flags + p - 1], dtype=tl.int32, is_pure=False, pack=1)
    tl.debug_barrier()
    tl.store(data + i, tl.load(data + i) + p)
    tl.debug_barrier()
    tl.inline_asm_elementwise(SET, "=r,l,r", [flags + p, 1], dtype=tl.int32, is_pure=False, pack=1)


@pytest.fixture(autouse=True)
def on_lockstep():
    with lockstep.active(), lockstep.options(threads=2):
        yield


TYPES = [("b8", torch.int8, 32), ("u8", torch.int8, 16), ("s8", torch.int8, 64), ("b16", torch.float16, 16),
         ("s16", torch.int16, 32), ("f32", torch.float32, 32), ("b32", torch.int32, 32), ("u64", torch.int64, 64),
         ("f64", torch.float64, 64)]  # fmt: skip


@pytest.mark.parametrize(("name", "dtype", "register"), TYPES)
@pytest.mark.parametrize("hint", ["", ".nc.L1::no_allocate.L2::128B"])
def test_every_type_is_copied_where_the_guard_is_true(name, dtype, register, hint):
    x = torch.from_numpy(np.random.default_rng(1).integers(0, 256, SIZE * 8, dtype=np.uint8)).view(dtype)[:SIZE].clone()
    y = torch.zeros_like(x)
    copy_by_asm[(8,)](x, y, SIZE - 7, COPY.format(type=name, register=register, hint=hint), BLOCK=128)
    assert torch.equal(y.view(torch.uint8)[: (SIZE - 7) * x.element_size()], x.view(torch.uint8)[: (SIZE - 7) * x.element_size()])
    assert not y.view(torch.uint8)[(SIZE - 7) * x.element_size() :].any()


@pytest.mark.parametrize(("name", "dtype", "wide"), [
    ("s8", torch.int8, torch.int32), ("u8", torch.uint8, torch.int32), ("s16", torch.int16, torch.int32),
    ("b32", torch.float32, torch.float32), ("b16", torch.bfloat16, torch.bfloat16)])  # fmt: skip
def test_lanes_that_do_not_load_keep_what_the_register_held(name, dtype, wide):
    generator = torch.Generator().manual_seed(2)
    x = (torch.randn(SIZE, generator=generator) * 50).to(dtype)
    index = torch.randint(0, SIZE, (SIZE,), generator=generator, dtype=torch.int32)
    y = torch.zeros(SIZE, dtype=wide)
    asm = f"{{ .reg .pred p; setp.ne.s32 p, $2, 0; mov.b32 $0, 7; @!p mov.b32 $0, 9; @p ld.global.{name} $0, [$1]; }}"
    gather_by_asm[(8,)](x, index, y, SIZE, asm, BLOCK=128)
    assert torch.equal(y, x[index.long()].to(wide))
    never = f"{{ .reg .pred p; setp.eq.s32 p, $2, 2; mov.b32 $0, 7; @p ld.global.{name} $0, [$1]; }}"
    if wide is torch.int32:
        gather_by_asm[(8,)](x, index, y, SIZE, never, BLOCK=128)
        assert (y == 7).all()


@pytest.mark.parametrize("load", ["ld.global.v4.b32 {$0, $1, $2, $3}, [$4];", "ld.v4.u32 {$0, $1, $2, $3}, [$4+0];",
                                  "ld.global.v2.b32 {$0, $1}, [$4]; ld.global.v2.b32 {$2, $3}, [$4 + 8];",
                                  "ld.relaxed.gpu.global.v4.b32 {$0, $1, $2, $3}, [$4];"])  # fmt: skip
def test_vectors_are_neighbours(load):
    x = torch.arange(64, dtype=torch.int32)
    y = torch.zeros_like(x)
    reverse_fours[(1,)](x, y, load, BLOCK=16)
    assert torch.equal(y, x.view(-1, 4).flip(1).flatten())


def test_addresses_that_the_asm_computes_belong_to_the_tensor():
    x, y = torch.randn(SIZE), torch.zeros(SIZE)
    with pytest.raises(lockstep.OutOfBoundsError, match=r"LS101.*|x\[1000"):
        computed_address[(8,)](x, y, SIZE, BLOCK=128)
    assert torch.equal(y, x)
    with lockstep.options(bounds="view"), pytest.raises(lockstep.OutOfBoundsError, match=r"x has 500 elements"):
        computed_address[(8,)](x[:500], y, SIZE, BLOCK=128)


def test_an_access_past_the_end_names_the_asms_line():
    x, y = torch.randn(SIZE), torch.zeros(SIZE)
    with pytest.raises(lockstep.OutOfBoundsError, match=r"x\[1000..1024\], x has 1000 elements") as raised:
        neighbour[(8,)](x, y, SIZE, "ld.global.f32 $0, [$1+4];", BLOCK=128)
    assert "LS101" in str(raised.value) and raised.traceback[-1].name == "neighbour"
    neighbour[(7,)](x, y, SIZE, "ld.global.f32 $0, [$1 + 4];", BLOCK=128)
    assert torch.equal(y[:896], x[1:897])


def test_a_lost_update_of_the_asm_is_a_race():
    x = torch.zeros(1, dtype=torch.int32)
    with lockstep.options(check="all"), pytest.raises(lockstep.KernelFault, match="LS302"):
        count_up[(16,)](x)


RELEASE, WEAK = "st.release.gpu.global.u32 [$1], $2; mov.u32 $0, 0;", "st.global.u32 [$1], $2; mov.u32 $0, 0;"


def test_programs_hand_over_by_acquire_and_release():
    data = torch.zeros(16, dtype=torch.int32)
    with lockstep.options(check="all"):
        relay[(8,)](torch.zeros(8, dtype=torch.int32), data, "ld.acquire.gpu.global.u32 $0, [$1];", RELEASE, BLOCK=16)
        assert (data == 28).all() and not lockstep.last_report().findings
        with pytest.raises(lockstep.KernelFault, match="LS30"):
            relay[(8,)](torch.zeros(8, dtype=torch.int32), data, "ld.volatile.global.u32 $0, [$1];", WEAK, BLOCK=16)


@pytest.mark.parametrize("threads", [1, 3])
def test_stores_of_the_asm_are_seen_by_what_comes_after(threads):
    """A kernel that loads in place what its asm stored: nothing is batched past it."""
    x = torch.zeros(64 * 32, dtype=torch.int32)
    with lockstep.options(threads=threads, check="none"):
        store_then_load[(64,)](x, BLOCK=32)
    assert torch.equal(x, torch.arange(64 * 32, dtype=torch.int32) * 2 + 1)


@triton.jit
def store_then_load(x, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.inline_asm_elementwise("st.global.u32 [$1], $2; mov.u32 $0, 0;", "=r,l,r", [x + i, i], dtype=tl.int32, is_pure=False, pack=1)
    seen = tl.load(x + i)
    tl.store(x + i, seen * 2 + 1)


@pytest.mark.parametrize(("asm", "reason"), [
    ("ld.shared.u32 $0, [$1];", "ld.shared.u32"), ("ld.global.v4.b64 $0, [$1];", "more than 16 bytes"),
    ("ld.global.relaxed.u32 $0, [$1];", "without a scope"), ("atom.global.add.u32 $0, [$1], 1;", "atom.global.add.u32"),
    ("cp.async.ca.shared.global [$1], [$1], 4;", "cp.async"), ("{ .reg .b32 a; ld.global.u32 $0, [a]; }", "64 bits")])  # fmt: skip
def test_what_is_not_known_is_refused_by_name(asm, reason):
    with pytest.raises(lockstep.LockstepError, match=reason):
        neighbour[(1,)](torch.zeros(8), torch.zeros(8), 8, asm, BLOCK=8)


@triton.jit
def run_asm(x, y, a, out, ASM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    made = tl.inline_asm_elementwise(ASM, "=r,l,l,r", [x + i, y + i, tl.load(a + i)], dtype=tl.int32, is_pure=False, pack=1)
    tl.store(out + i, made)


class Machine:
    """Draws an asm of 4 registers and a predicate, and computes it tile by tile."""

    def __init__(self, seed):
        self.draw = np.random.default_rng(seed)
        self.x, self.y = (self.draw.integers(-(2**31), 2**31, 40).astype(np.int32) for _ in range(2))
        self.a = self.draw.integers(-9, 9, 32).astype(np.int32)
        self.registers = [np.zeros(32, np.int32) for _ in range(4)]
        self.predicate = np.zeros(32, bool)
        self.text = "mov.b32 t0, $3; "
        self.registers[0] = self.a.copy()
        self.memory = {"$1": self.x.copy(), "$2": self.y.copy()}
        for _ in range(self.draw.integers(3, 14)):
            self.statement()
        self.text += "mov.b32 $0, t0; add.u32 $0, $0, t1; xor.b32 $0, $0, t2;"
        self.result = (self.registers[0] + self.registers[1]) ^ self.registers[2]

    def pick(self, *choices):
        return choices[self.draw.integers(len(choices))]

    def statement(self):
        guard = self.pick("", "", "@p ", "@!p ")
        on = np.ones(32, bool) if not guard else self.predicate if guard == "@p " else ~self.predicate
        to, left, right = (int(number) for number in self.draw.integers(0, 4, 3))
        kind = self.pick("add", "xor", "setp", "mov", "ld", "ld", "ld2", "st", "st", "ldb")
        base, offset = self.pick("$1", "$2"), int(self.draw.integers(0, 7))
        at = np.arange(32) + offset
        registers, memory = self.registers, self.memory[base]
        if kind == "setp":
            self.text += f"setp.lt.s32 p, t{left}, t{right}; "
            self.predicate = registers[left] < registers[right]
        elif kind == "st":
            self.text += f"{guard}st.global.b32 [{base}+{4 * offset}], t{left}; "
            memory[at[on]] = registers[left][on]
        elif kind == "ld2":
            self.text += f"{guard}ld.global.v2.b32 {{t{to}, t{(to + 1) % 4}}}, [{base}+{4 * offset}]; "
            for number, shift in ((to, 0), ((to + 1) % 4, 1)):
                registers[number] = np.where(on, memory[at + shift], registers[number])
        else:
            value, text = {
                "add": lambda: (registers[left] + registers[right], f"add.u32 t{to}, t{left}, t{right}; "),
                "xor": lambda: (registers[left] ^ registers[right], f"xor.b32 t{to}, t{left}, t{right}; "),
                "mov": lambda: (np.full(32, offset, np.int32), f"mov.b32 t{to}, {offset}; "),
                "ld": lambda: (memory[at], f"ld.global.u32 t{to}, [{base}+{4 * offset}]; "),
                "ldb": lambda: (memory.view(np.int8)[4 * at + 1].astype(np.int32), f"ld.global.s8 t{to}, [{base}+{4 * offset + 1}]; "),
            }[kind]()  # fmt: skip
            self.text += guard + text
            registers[to] = np.where(on, value, registers[to])


@pytest.mark.parametrize("seed", range(24))
def test_random_straight_lines(seed):
    machine = Machine(seed)
    x, y, a = (torch.from_numpy(array.copy()) for array in (machine.x, machine.y, machine.a))
    out = torch.zeros(32, dtype=torch.int32)
    with lockstep.options(check="none"):
        run_asm[(1,)](x, y, a, out, "{ .reg .b32 t<4>; .reg .pred p; " + machine.text + " }", BLOCK=32)
    assert np.array_equal(out.numpy(), machine.result), machine.text
    assert np.array_equal(x.numpy(), machine.memory["$1"]) and np.array_equal(y.numpy(), machine.memory["$2"]), machine.text
