#!/usr/bin/env python3
"""Asks Triton for the linear layouts of random encodings and shapes, and for what it makes of pairs of linear layouts.

make_answers.py registers > registers.txt      (Triton 3.6: .cache/venv/bin/python)
make_answers.py memory > memory.txt            (Triton 3.9: PYTHONPATH=.cache/triton-3.9.0)
make_answers.py algebra > algebra.txt          (Triton 3.6)
make_answers.py conversions > conversions.txt  (Triton 3.6; compiles each, a minute)
make_answers.py verdicts > verdicts.txt        (Triton 3.9)

No GPU is needed. The seed is fixed, so the same Triton gives the same bytes. A line: encoding, shape, layout, between
tabs. Triton ends the process where it refuses an encoding: every question is asked in a process of its own, and what
ends it is left out.
"""
import os
import random
import re
import resource
import signal
import sys

from triton._C.libtriton import gluon_ir, ir, linear_layout, nvidia
from triton.experimental.gluon import language as ttgl
from triton.experimental.gluon.language.nvidia import blackwell

RANDOM = random.Random(20261123)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def power(most):
    return 1 << RANDOM.randint(0, most)


def split_power(total, rank):
    """`total` as a product of `rank` powers of two."""
    parts = [1] * rank
    while total > 1:
        parts[RANDOM.randrange(rank)] *= 2
        total //= 2
    return parts


def cluster(rank, share=0.3):
    """Vectors of a cluster's blocks: each moves along one dimension, or is a copy."""
    if RANDOM.random() > share:
        return []
    sizes, bases = [1] * rank, []
    for _ in range(RANDOM.randint(1, 2)):
        basis = [0] * rank
        dim = RANDOM.randrange(rank + 1)
        if dim < rank:
            basis[dim] = sizes[dim]
            sizes[dim] *= 2
        bases.append(basis)
    return bases


def shape_of(rank, most=12):
    shape = [power(8 if rank < 3 else 5) for _ in range(rank)]
    while sum(size.bit_length() - 1 for size in shape) > most:
        shape[RANDOM.randrange(rank)] = power(3)
    return shape


def text_of_cluster(bases):
    return f", CGALayout = {bases}" if bases else ""


def blocked(rank=None):
    rank = rank or RANDOM.choice([1, 2, 2, 2, 3, 4])
    order = RANDOM.sample(range(rank), rank)
    size, threads = split_power(power(4), rank), split_power(32, rank)
    warps, cga = split_power(power(3), rank), cluster(rank)
    text = (f"#ttg.blocked<{{sizePerThread = {size}, threadsPerWarp = {threads}, warpsPerCTA = {warps}, "
            f"order = {order}{text_of_cluster(cga)}}}>")
    return ttgl.BlockedLayout(size, threads, warps, order, cga), text, rank


def mma():
    cga = cluster(2, 0.2)
    if RANDOM.random() < 0.4:
        warps = RANDOM.choice([[4, 1], [8, 1], [4, 2]])
        instruction = [16, RANDOM.choice([8, 16, 32, 64, 128, 256]), RANDOM.choice([8, 16, 32])]
        version = 3
    else:
        warps, instruction, version = split_power(power(3), 2), [16, 8], 2
        if RANDOM.random() < 0.2:
            warps, instruction, cga = split_power(power(3), 3), [1, 16, 8], cluster(3, 0.2)
    text = (f"#ttg.nvidia_mma<{{versionMajor = {version}, versionMinor = 0, warpsPerCTA = {warps}"
            f"{text_of_cluster(cga)}, instrShape = {instruction}}}>")
    return ttgl.NVMMADistributedLayout([version, 0], warps, instruction, cga), text, len(warps)


def operand():
    if RANDOM.random() < 0.3:
        parent, text, rank = blocked(RANDOM.choice([2, 2, 3]))
        index = RANDOM.randrange(2)
        return ttgl.DotOperandLayout(index, parent, 0), f"#ttg.dot_op<{{opIdx = {index}, parent = {text}}}>", rank
    parent, text, rank = mma()
    index = 0 if "versionMajor = 3" in text else RANDOM.randrange(2)
    width = RANDOM.choice([1, 2, 4, 8])
    return (ttgl.DotOperandLayout(index, parent, width),
            f"#ttg.dot_op<{{opIdx = {index}, parent = {text}, kWidth = {width}}}>", rank)


def linear():
    rank = RANDOM.choice([1, 2, 2, 3])
    shape = shape_of(rank, 11)
    vectors = []
    for dim, size in enumerate(shape):
        step = 1
        while step < size:
            vectors.append([step if i == dim else 0 for i in range(rank)])
            step *= 2
    RANDOM.shuffle(vectors)
    warps, lanes = RANDOM.randint(0, 3), 5
    while len(vectors) < warps + lanes:
        vectors.append([0] * rank)
    if RANDOM.random() < 0.3:
        vectors.insert(0, [0] * rank)
    RANDOM.shuffle(vectors)
    lane, warp, register = vectors[:lanes], vectors[lanes:lanes + warps], vectors[lanes + warps:]
    text = f"#ttg.linear<{{register = {register}, lane = {lane}, warp = {warp}, block = []}}>"
    return ttgl.DistributedLinearLayout(register, lane, warp, [], shape), text, rank


def sliced():
    layout, text, rank = RANDOM.choice([blocked, blocked, mma, linear])()
    while rank > 1:
        dim = RANDOM.randrange(rank)
        layout, text, rank = ttgl.SliceLayout(dim, layout), f"#ttg.slice<{{dim = {dim}, parent = {text}}}>", rank - 1
        if RANDOM.random() < 0.7:
            return layout, text, rank
    return layout, text, rank


def swizzled():
    rank = RANDOM.choice([1, 2, 2, 2, 3, 4])
    order, cga = RANDOM.sample(range(rank), rank), cluster(rank)
    vec, per_phase, max_phase = power(4), power(3), power(4)
    text = (f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, "
            f"order = {order}{text_of_cluster(cga)}}}>")
    return ttgl.SwizzledSharedLayout(vec, per_phase, max_phase, order, cga), text, rank


def nvmma():
    rank = RANDOM.choice([2, 2, 2, 3, 4])
    width, bits = RANDOM.choice([0, 32, 64, 128, 128]), RANDOM.choice([8, 16, 32])
    padded = bits == 8 and width == 128 and RANDOM.random() < 0.4
    transposed, cga = RANDOM.random() < 0.4, cluster(rank)
    text = (f"#ttg.nvmma_shared<{{swizzlingByteWidth = {width}, transposed = {str(transposed).lower()}, "
            f"elementBitWidth = {bits}{', fp4Padded = true' if padded else ''}"
            f"{f', rank = {rank}' if rank != 2 and not cga else ''}{text_of_cluster(cga)}}}>")
    return ttgl.NVMMASharedLayout(width, bits, rank, transposed, padded, cga), text, rank


def tensor_memory():
    m, n, stride = RANDOM.choice([64, 128]), 1 << RANDOM.randint(3, 8), RANDOM.choice([1, 1, 2, 4])
    cga = RANDOM.choice([[], [], [[1, 0]], [[0, 1]], [[1, 0], [0, 1]]])
    two = bool(cga) and cga[0] == [1, 0] and RANDOM.random() < 0.5
    text = (f"#ttng.tensor_memory_encoding<blockM = {m}, blockN = {n}, colStride = {stride}{text_of_cluster(cga)}"
            f"{', twoCTAs = true' if two else ''}>")
    return blackwell.TensorMemoryLayout((m, n), stride, cga, two), text, 2


def scales():
    cga = RANDOM.choice([[], [], [[1, 0]], [[0, 1]], [[0, 0]]])
    return (blackwell.TensorMemoryScalesLayout(cga),
            f"#ttng.tensor_memory_scales_encoding<{f'CGALayout = {cga}' if cga else ''}>", 2)


def described(inputs, shape):
    names = ", ".join(f"{name} = {bases}" for name, bases in inputs)
    return f"{names} -> " + ", ".join(f"dim{i}: {size}" for i, size in enumerate(shape))


def in_child(questions):
    """The lines that the questions return; those that end their process or raise give none."""
    lines, at = [], 0
    while at < len(questions):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            signal.signal(signal.SIGABRT, signal.SIG_DFL)
            for number in range(at, len(questions)):
                try:
                    os.write(writer, f"{number}\t{questions[number]()}\n".encode())
                except Exception:  # what Triton refuses is no answer
                    os.write(writer, f"{number}\n".encode())
            os._exit(0)
        os.close(writer)
        last = at - 1
        with os.fdopen(reader) as pipe:
            for line in pipe:
                number, _, answer = line.rstrip("\n").partition("\t")
                last = int(number)
                if answer:
                    lines.append(answer)
        os.waitpid(child, 0)
        at = last + 2 if last + 1 < len(questions) else len(questions)
    return lines


CONTEXT = ir.context()  # a builder does not keep it
ir.load_dialects(CONTEXT)
nvidia.load_dialects(CONTEXT)


def ask(kinds, number):
    build, questions = gluon_ir.GluonOpBuilder(CONTEXT), []
    for _ in range(number):
        layout, text, rank = RANDOM.choice(kinds)()
        shape = shape_of(rank, 16)
        if "tensor_memory" in text:
            shape = [64 << RANDOM.randint(0, 3), 4 << RANDOM.randint(0, 6)]
        if "nvmma" in text:
            shape = [power(8) if i < rank - 2 else 8 << RANDOM.randint(0, 5) for i in range(rank)]

        def question(layout=layout, text=text, shape=shape):
            answer = build.to_linear_layout(layout._to_ir(build), shape)
            if hasattr(answer, "reg_bases"):
                inputs = [("register", answer.reg_bases), ("lane", answer.lane_bases), ("warp", answer.warp_bases),
                          ("block", answer.block_bases)]
            elif hasattr(answer, "offset_bases"):
                inputs = [("offset", answer.offset_bases), ("block", answer.block_bases)]
            else:
                inputs = [("row", answer.rows), ("col", answer.cols)]
            return f"{text}\t{'x'.join(map(str, shape))}\t{described(inputs, shape)}"

        questions.append(question)
    print("\n".join(dict.fromkeys(in_child(questions))))


def random_layout(inputs, sizes, surjective):
    total = sum(size.bit_length() - 1 for size in sizes)
    columns = [1 << bit for bit in range(total)] if surjective else []
    columns += [0 if RANDOM.random() < 0.4 else RANDOM.randrange(1 << total) for _ in range(RANDOM.randint(0, 3))]
    RANDOM.shuffle(columns)
    for _ in range(RANDOM.randint(0, 6)):
        if len(columns) >= 2 and surjective:
            into, other = RANDOM.sample(range(len(columns)), 2)
            columns[into] ^= columns[other]
    bases = {name: [] for name in inputs}
    for column in columns:
        vector = []
        for size in sizes:
            vector.append(column & (size - 1))
            column >>= size.bit_length() - 1
        bases[RANDOM.choice(inputs)].append(vector)
    return [(name, bases[name]) for name in inputs]


def algebra(number):
    """Two layouts to the same outputs, and first.invert_and_compose(second)."""
    questions = []
    for _ in range(number):
        sizes = [power(3) for _ in range(RANDOM.randint(1, 3))]
        outputs = [(f"dim{i}", size) for i, size in enumerate(sizes)]
        second = random_layout(["register", "lane", "warp"], sizes, True)
        first = second if RANDOM.random() < 0.1 else random_layout(["register", "lane", "warp"], sizes,
                                                                   RANDOM.random() < 0.7)
        if RANDOM.random() < 0.4:  # one input alike
            index = RANDOM.randrange(3)
            first = [second[i] if i == index else first[i] for i in range(3)]

        def question(first=first, second=second, outputs=outputs, sizes=sizes):
            make = linear_layout.LinearLayout.from_bases
            names = [name for name, _ in outputs]
            a, b = make(first, names, sizes, False), make(second, names, sizes, False)
            c = a.invert_and_compose(b)
            result = ", ".join(f"{name} = {[list(v) for v in vectors]}" for name, vectors in c.bases)
            result += " -> " + ", ".join(f"{name}: {size}" for name, size in c.out_dims)
            facts = f"{int(a.is_surjective())}{int(a.is_injective())}{int(b.is_injective())}"
            return f"{described(first, sizes)}\t{described(second, sizes)}\t{facts}\t{result}"

        questions.append(question)
    print("\n".join(in_child(questions)))


def conversions(number):
    """Two encodings, a shape, and what the PTX of a convert_layout between them uses."""
    from triton import compile as compile_ir
    from triton.backends.compiler import GPUTarget
    module = """module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80",
                                   "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @f(%x: !tt.ptr<f32>, %o: !tt.ptr<f32>) {{
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<{shape}x!tt.ptr<f32>, {a}>
    %v = tt.load %p : tensor<{shape}x!tt.ptr<f32>, {a}>
    %w = ttg.convert_layout %v : tensor<{shape}xf32, {a}> -> tensor<{shape}xf32, {b}>
    %q = tt.splat %o : !tt.ptr<f32> -> tensor<{shape}x!tt.ptr<f32>, {b}>
    tt.store %q, %w : tensor<{shape}x!tt.ptr<f32>, {b}>
    tt.return
  }}
}}
"""
    build, texts = gluon_ir.GluonOpBuilder(CONTEXT), {}

    def four_warps(layout, text, shape):
        def question():
            answer = build.to_linear_layout(layout._to_ir(build), shape)
            return text if len(answer.warp_bases) == 2 and not answer.block_bases else ""

        return in_child([question])

    while sum(map(len, texts.values())) < number:
        layout, text, rank = RANDOM.choice([blocked, blocked, mma, linear, sliced])()
        if rank <= 2 and four_warps(layout, text, [64, 32][:rank]):
            texts.setdefault(rank, []).append(text)
    base = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]

    def neighbours():
        """Two layouts whose warps hold the same: registers and lanes of one are a few swaps away from the other."""
        first = RANDOM.sample(base, len(base))
        second = list(first)
        bits = RANDOM.choice([4, 9, 9])
        for _ in range(RANDOM.randint(1, 3)):
            i, j = RANDOM.sample(range(bits), 2)
            second[i], second[j] = second[j], second[i]
        return [f"#ttg.linear<{{register = {v[:4]}, lane = {v[4:9]}, warp = {v[9:]}, block = []}}>"
                for v in (first, second)]

    for _ in range(number):
        rank = RANDOM.choice([1, 2, 2, 2])
        near = rank == 2 and RANDOM.random() < 0.8
        a, b = neighbours() if near else (RANDOM.choice(texts[rank]), RANDOM.choice(texts[rank]))
        shape = "64x32" if rank == 2 else "64"

        def question(a=a, b=b, shape=shape):
            path = f"/tmp/convert_{os.getpid()}.ttgir"
            with open(path, "w") as file:
                file.write(module.format(a=a, b=b, shape=shape))
            try:
                ptx = compile_ir(path, target=GPUTarget("cuda", 80, 32)).asm["ptx"]
            finally:
                os.remove(path)
            cost = "shared_memory" if "st.shared" in ptx or "stmatrix" in ptx else (
                "shuffle" if "shfl" in ptx else "registers")
            return f"{a}\t{b}\t{shape}\t{cost}"

        for line in in_child([question]):
            print(line, flush=True)


def changed(text):
    """The text with one number changed, or one entry of a list left out or doubled."""
    numbers = list(re.finditer(r"(?<![a-z_\d])\d+", text))
    at = RANDOM.choice(numbers)
    kind = RANDOM.random()
    if kind < 0.7:
        new = str(RANDOM.choice([0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 96, 128]))
        return text[:at.start()] + new + text[at.end():]
    entries = list(re.finditer(r"\d+, |, \d+", text)) or [at]
    entry = RANDOM.choice(entries)
    return text[:entry.start()] + ("" if kind < 0.85 else entry.group() * 2) + text[entry.end():]


def verdicts(number):
    """Encodings, most of them with one mistake, and whether this Triton reads them: yes, no, or it ends."""
    build, questions, texts = [blocked, mma, operand, linear, sliced, swizzled, nvmma], [], []
    for _ in range(number):
        text = RANDOM.choice(build)()[1]
        texts.append(changed(text) if RANDOM.random() < 0.9 else text)

        def question(text=texts[-1]):
            path = f"/tmp/verdict_{os.getpid()}.mlir"
            with open(path, "w") as file:
                file.write(f"module {{ tt.func @f() attributes {{x = {text}}} {{ tt.return }} }}")
            try:
                ir.parse_mlir_module(path, CONTEXT)
                return f"{text}\tyes"
            except RuntimeError:
                return f"{text}\tno"
            finally:
                os.remove(path)

        questions.append(question)
    answered = dict(line.split("\t") for line in in_child(questions))
    for text in dict.fromkeys(texts):
        print(f"{text}\t{answered.get(text, 'ends')}")


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "registers":
        ask([blocked, mma, operand, linear, sliced], 350)
    elif what == "memory":
        ask([swizzled, nvmma, nvmma, tensor_memory, scales], 400)
    elif what == "verdicts":
        verdicts(220)
    elif what == "conversions":
        conversions(50)
    else:
        algebra(150)
