"""Random TTIR kernels over tiles, with the values NumPy gives for them: shapes, forms, memory and control flow (see tile_shapes.py)."""

from __future__ import annotations

import numpy as np
from tile_arithmetic import BINARY, COMPARE, NUMPY, WIDTH
from tile_shapes import INTEGERS, POINTEE, SHIFT, TABLE, Program, Shapes, Value, inside, perform, pointer_text, product, render, type_text


class Elements(Shapes):
    """Operands of a wanted type, elementwise ops, reductions and scans."""

    def like(self, value: Value) -> Value:
        return self.of_shape(value.kind, value.shape)

    def of_shape(self, kind: str, shape: tuple | None) -> Value:
        known = self.pick(lambda v: v.kind == kind and v.shape == shape and (kind != "ptr" or v.is_bounded))
        if known is not None and self.random.random() < 0.7:
            return known
        if kind == "ptr":
            return self.pointer(shape)
        if shape is None:
            return known or self.constant_of(kind)
        if kind == "i1" and self.random.random() < 0.8:
            return self.compare(shape)
        if kind == "i32" and self.random.random() < 0.6:
            return self.affine(shape)
        same_size = self.tile(lambda v: v.kind == kind and product(v.shape) == product(shape))
        if same_size is not None and self.random.random() < 0.5:
            return self.reshape(same_size, shape)
        if kind in ("f16", "f8E5M2") or (kind != "i1" and self.random.random() < 0.5):
            return self.load(kind, shape)
        return self.splat(self.constant_of(kind), shape)

    def constant_of(self, kind) -> Value:
        return self.load(kind, None) if kind in ("f8E5M2", "f16") else self.constant(kind)

    def affine(self, shape: tuple) -> Value:
        """A sum of ranges along some dimensions."""
        total = None
        for d, extent in enumerate(shape):
            if total is not None and self.random.random() < 0.4:
                continue
            part = self.along(shape, d, self.make_range(extent))
            if self.random.random() < 0.6:
                part = self.binary("muli", part, self.splat(self.constant("i32"), part.shape))
            part = self.wide(part, shape)
            total = part if total is None else self.binary("addi", total, part)
        return total

    def masked_index(self, value: Value, extent: int) -> Value:
        """The value, or the value & (extent - 1) where it leaves [0, extent)."""
        array = self.env[value.name]
        if not self.depth and array.min() >= 0 and array.max() < extent:
            return value
        number = self.constant(value.kind, min(extent - 1, 127) if value.kind == "i8" else extent - 1)
        return self.binary("andi", value, number if value.shape is None else self.splat(number, value.shape))

    def binary(self, op: str, a: Value, b: Value) -> Value:
        return self.define(a.kind, a.shape, f"arith.{op} {a.name}, {b.name} : {a.type()}", lambda env: BINARY[op](env[a.name], env[b.name], a.kind))

    def random_binary(self):
        a = self.pick(lambda v: v.kind not in ("ptr", "f8E5M2"))
        if a is None:
            return
        b = self.like(a) if self.random.random() < 0.9 else a
        if a.kind == "i1":
            op = self.random.choice(["andi", "ori", "xori"])
        else:
            op = self.random.choice([name for name in BINARY if (name[-1] == "f") == a.kind.startswith("f")])
        if op in ("divsi", "divui", "remsi", "remui"):
            number = self.constant(a.kind, self.random.choice([1, 2, 3, 8, 100]))
            b = number if a.shape is None else self.splat(number, a.shape)
        self.binary(op, a, b)

    def compare(self, shape=None) -> Value:
        if shape is None:
            a = self.pick(lambda v: v.kind in INTEGERS) or self.affine(self.shape())
        else:
            a = self.of_shape("i32", shape)
        predicate = self.random.choice(list(COMPARE))
        if self.random.random() < 0.7 and not self.depth and a.shape is not None:
            number = int(self.random.choice(list(self.env[a.name].reshape(-1)))) + self.random.choice([-1, 0, 0, 1])
            limits = np.iinfo(NUMPY[a.kind])
            b = self.splat(self.constant(a.kind, min(max(number, limits.min), limits.max)), a.shape)
        else:
            b = self.like(a)
        text = f"arith.cmpi {predicate}, {a.name}, {b.name} : {a.type()}"
        return self.define("i1", a.shape, text, lambda env: COMPARE[predicate](env[a.name], env[b.name]))

    def select(self):
        a = self.pick(lambda v: v.kind != "ptr" or v.is_bounded)
        if a is None:
            return
        b = self.like(a)
        mask = self.of_shape("i1", a.shape if self.random.random() < 0.85 else None)
        text = f"arith.select {mask.name}, {a.name}, {b.name} : " + (f"{mask.type()}, " if mask.shape is not None else "") + a.type()
        self.same(a, a.shape, text, lambda env: np.where(env[mask.name], env[a.name], env[b.name]))

    def convert(self):
        a = self.pick(lambda v: v.kind in INTEGERS or v.kind == "i1")
        if a is None:
            return
        kind = self.random.choice([k for k in [*INTEGERS, "i1"] if WIDTH[k] != WIDTH[a.kind]])
        op = "trunci" if WIDTH[kind] < WIDTH[a.kind] else self.random.choice(["extsi", "extui"])

        def compute(env):
            x = env[a.name]
            if kind == "i1":
                return x & 1 != 0
            wide = x.astype(np.int64)
            if op == "extsi" and a.kind == "i1":
                wide = -wide
            if op == "extui" and a.kind != "i1":
                wide = wide & ((1 << WIDTH[a.kind]) - 1)
            return wide.astype(NUMPY[kind])

        self.define(kind, a.shape, f"arith.{op} {a.name} : {a.type()} to {type_text(kind, a.shape)}", compute)

    def bitcast(self):
        """Only to types without NaN: a NaN's payload is nobody's promise."""
        a = self.pick(lambda v: v.kind in ("f32", "f16", "i8", "f8E5M2"))
        if a is None:
            return
        kind = {"f32": "i32", "f16": "i16", "i8": "f8E5M2", "f8E5M2": "i8"}[a.kind]
        text = f"tt.bitcast {a.name} : {a.type()} -> {type_text(kind, a.shape)}"
        self.define(kind, a.shape, text, lambda env: np.ascontiguousarray(env[a.name]).reshape(-1).view(NUMPY[kind]).reshape(a.shape or ()))

    def fold(self):
        value = self.tile(lambda v: v.kind in INTEGERS or v.kind == "i1")
        if value is None:
            return
        axis, kind = self.random.randrange(len(value.shape)), value.kind
        op = self.random.choice(["andi", "ori", "xori"] if kind == "i1" else ["addi", "xori", "maxsi", "minui", "muli"])
        is_scan, reverse = self.random.random() < 0.4, self.random.random() < 0.5
        rest = tuple(e for d, e in enumerate(value.shape) if d != axis)
        shape = value.shape if is_scan else rest or None
        name = "scan" if is_scan else "reduce"
        attributes = f"axis = {axis} : i32" + (f", reverse = {str(reverse).lower()}" if is_scan else "")
        text = (
            f'"tt.{name}"({value.name}) <{{{attributes}}}> ({{\n^bb0(%a: {kind}, %b: {kind}):\n  %c = arith.{op} %a, %b : {kind}\n'
            f"  tt.{name}.return %c : {kind}\n}}) : ({value.type()}) -> {type_text(kind, shape)}"
        )

        def compute(env):
            rows = np.moveaxis(env[value.name], axis, 0)
            rows = rows[::-1] if is_scan and reverse else rows
            result, total = [rows[0]], rows[0]
            for row in rows[1:]:
                total = BINARY[op](total, row, kind)
                result.append(total)
            if not is_scan:
                return total
            return np.moveaxis(np.stack(result[::-1] if reverse else result), 0, axis)

        self.define(kind, shape, text, compute)


class Memory(Elements):
    """Pointers, loads and stores."""

    def pointer(self, shape, name="w") -> Value:
        base = Value(f"%{name}", "ptr", None, True)
        self.env[base.name] = np.int64(self.numbers[name] << SHIFT)
        if shape is not None and self.random.random() < 0.5:
            index = self.near(shape)
        else:
            index = self.masked_index(self.of_shape(self.random.choice(["i32", "i32", "i64"]), shape), TABLE)
        pointers = base if shape is None else self.splat(base, shape)
        text = f"tt.addptr {pointers.name}, {index.name} : {pointers.type()}, {index.type()}"
        return self.define("ptr", shape, text, lambda env: env[pointers.name] + inside(env[index.name], TABLE), True)

    def near(self, shape) -> Value:
        """Affine indices inside a table, often shared by lanes, often not in row-major order."""
        total = self.splat(self.constant("i32", TABLE // 2), shape)
        left = TABLE // 2 - 1
        for d in self.random.sample(range(len(shape)), len(shape)):
            fitting = [s for s in (0, 1, 1, -1, 2, shape[-1], 16, -8) if abs(s) * (shape[d] - 1) <= left]
            factor = self.random.choice(fitting)
            left -= abs(factor) * (shape[d] - 1)
            part = self.along(shape, d, self.make_range(shape[d], 0))
            part = self.wide(self.binary("muli", part, self.splat(self.constant("i32", factor), part.shape)), shape)
            total = self.binary("addi", total, part)
        return total

    def random_pointer(self):
        self.pointer(self.random.choice([self.shape(), None]), self.random.choice(["w", "x_i32"]))

    def lanes(self, pointers: np.ndarray):
        names = list(self.program.inputs)
        return [(names[int(p) >> SHIFT], int(p) & ((1 << SHIFT) - 1)) for p in pointers.reshape(-1)]

    def pointed(self, pointers: np.ndarray) -> np.ndarray:
        return np.array([self.memory[name][at] for name, at in self.lanes(pointers)], dtype=np.int32).reshape(pointers.shape)

    def load_pointer(self, pointer=None, is_plain=False):
        pointer = pointer or self.pick(lambda v: v.kind == "ptr" and v.is_bounded)
        if pointer is None:
            return None
        mask = self.of_shape("i1", pointer.shape) if not is_plain and self.random.random() < 0.6 else None
        other = self.of_shape(POINTEE, pointer.shape) if mask and self.random.random() < 0.6 else None
        text = f"tt.load {pointer.name}" + "".join(f", {v.name}" for v in (mask, other) if v) + f" : {pointer.type()}"

        def compute(env):
            values = self.pointed(env[pointer.name])
            return values if mask is None else np.where(env[mask.name], values, env[other.name] if other else np.int32(0))

        return self.define(POINTEE, pointer.shape, text, compute)

    def load(self, kind: str, shape) -> Value:
        """From the table of a kind, which nobody writes."""
        index = self.masked_index(self.of_shape("i32", shape), TABLE)
        mask = self.of_shape("i1", shape) if self.random.random() < 0.3 else None
        pointer, base = self.new("ptr", shape).name, f"%x_{kind}"
        if shape is not None:
            self.emit(f"{pointer}s = tt.splat {base} : {pointer_text(kind, None)} -> {pointer_text(kind, shape)}")
            base = f"{pointer}s"
        self.emit(f"{pointer} = tt.addptr {base}, {index.name} : {pointer_text(kind, shape)}, {index.type()}")

        def compute(env):
            values = self.memory[f"x_{kind}"][inside(env[index.name], TABLE)]
            return values if mask is None else np.where(env[mask.name], values, NUMPY[kind](0))

        return self.define(kind, shape, f"tt.load {pointer}{', ' + mask.name if mask else ''} : {pointer_text(kind, shape)}", compute)

    def random_load(self):
        self.load(self.random.choice([*INTEGERS, "f16", "f32", "f8E5M2"]), self.random.choice([self.shape(), None]))

    def store(self):
        """Into `w`, also where lanes share an address: the last lane in row-major order wins."""
        shape = self.random.choice([self.shape(256), self.shape(256), None])
        pointer, value = self.pointer(shape), self.of_shape(POINTEE, shape)
        if shape is not None and len(shape) > 1 and self.random.random() < 0.4:  # a value whose layout is not its address order
            value = self.trans(self.of_shape(POINTEE, shape[::-1]), list(range(len(shape)))[::-1])
        mask = self.of_shape("i1", shape) if self.random.random() < 0.5 else None

        def action(env):
            values = env[value.name].reshape(-1)
            active = np.broadcast_to(env[mask.name] if mask else True, shape or ()).reshape(-1)
            for (name, at), number, is_active in zip(self.lanes(env[pointer.name]), values, active):
                if is_active:
                    self.memory[name][at] = number

        self.emit(f"tt.store {pointer.name}, {value.name}{', ' + mask.name if mask else ''} : {pointer.type()}", action)


class Generator(Memory):
    """Control flow, and whole programs."""

    def block(self, length: int, types: list[Value]) -> tuple[list, list[str]]:
        """A nested block that ends in values of the given types; what it defines is forgotten afterwards, its stores undone."""
        outer, pool, memory = self.lines, list(self.pool), {name: array.copy() for name, array in self.memory.items()}
        self.lines, self.depth = [], self.depth + 1
        for _ in range(length):
            self.step()
        names = [self.like(value).name for value in types]
        made, self.lines, self.pool, self.memory, self.depth = self.lines, outer, pool, memory, self.depth - 1
        return made, names

    def carried(self) -> list[Value]:
        known = [v for v in self.pool[-16:] if v.kind != "ptr" or v.is_bounded]
        return [] if self.depth > 1 else self.random.sample(known, min(len(known), self.random.randint(1, 4)))

    def renamed(self, values: list[Value]) -> list[Value]:
        return [self.new(v.kind, v.shape, v.is_bounded) for v in values]

    def results_of(self, carried: list[Value]) -> tuple[list[Value], str]:
        self.count += 1
        base = f"%r{self.count}"
        names = [base if len(carried) == 1 else f"{base}#{i}" for i in range(len(carried))]
        return [Value(n, v.kind, v.shape, v.is_bounded) for n, v in zip(names, carried)], base + (f":{len(carried)}" if len(carried) > 1 else "")

    def body(self, arguments: list[Value], values: list, types: list[Value]) -> tuple[list, list[str]]:
        """The block of a loop: its arguments are known inside, with the values of the first iteration."""
        pool = list(self.pool)
        self.env |= {a.name: value for a, value in zip(arguments, values)}
        self.pool += arguments
        made = self.block(self.random.randint(1, 6), types)
        self.pool = pool
        return made

    def loop(self):
        """scf.for whose carried values may come back in another form each time, and in another order."""
        carried = self.carried()
        if not carried:
            return
        index, trips = self.new("i32", None), self.random.choice([0, 1, 2, 3])
        low, high, stride = self.constant("i32", 1), self.constant("i32", 1 + 2 * trips), self.constant("i32", 2)
        arguments, (results, head) = self.renamed(carried), self.results_of(carried)
        body, names = self.body([*arguments, index], [*(self.env[v.name] for v in carried), np.int32(1)], carried)
        types = ", ".join(v.type() for v in carried)

        def action(env):
            now = [env[v.name] for v in carried]
            for trip in range(trips):
                env |= {a.name: array for a, array in zip(arguments, now)} | {index.name: np.int32(1 + 2 * trip)}
                perform(body, env)
                now = [env[name] for name in names]
            env |= {r.name: array for r, array in zip(results, now)}

        pairs = ", ".join(f"{a.name} = {v.name}" for a, v in zip(arguments, carried))
        text = f"{head} = scf.for {index.name} = {low.name} to {high.name} step {stride.name} iter_args({pairs}) -> ({types})  : i32 {{"
        self.emit([text, body, f"  scf.yield {', '.join(names)} : {types}", "}"], action)
        self.pool += results

    def branch(self):
        """scf.if whose results differ in form by side."""
        carried = self.carried()
        if not carried:
            return
        condition = self.of_shape("i1", None)
        sides = [self.block(self.random.randint(0, 4), carried) for _ in range(2)]
        results, head = self.results_of(carried)
        types = ", ".join(v.type() for v in carried)

        def action(env):
            body, names = sides[0 if env[condition.name] else 1]
            perform(body, env)
            env |= {r.name: env[name] for r, name in zip(results, names)}

        yields = [f"  scf.yield {', '.join(names)} : {types}" for _, names in sides]
        self.emit([f"{head} = scf.if {condition.name} -> ({types}) {{", sides[0][0], yields[0], "} else {", sides[1][0], yields[1], "}"], action)
        self.pool += results

    def while_loop(self):
        """scf.while that carries a count down."""
        carried = self.carried()
        if not carried:
            return
        count = self.constant("i32", self.random.choice([0, 1, 3]))
        one, zero = self.constant("i32", 1), self.constant("i32", 0)
        before, after = self.renamed(carried), self.renamed(carried)
        left, passed, less, going = *(self.new("i32", None) for _ in range(3)), self.new("i1", None)
        results, head = self.results_of([count, *carried])
        body, names = self.body([*after, passed], [*(self.env[v.name] for v in carried), np.int32(1)], carried)
        types = ", ".join(v.type() for v in [count, *carried])

        def action(env):
            left_now, now = int(env[count.name]), [env[v.name] for v in carried]
            while left_now > 0:
                env |= {a.name: array for a, array in zip(after, now)} | {passed.name: np.int32(left_now)}
                perform(body, env)
                left_now, now = left_now - 1, [env[name] for name in names]
            env |= {r.name: array for r, array in zip(results, [np.int32(left_now), *now])}

        pairs = ", ".join(f"{a.name} = {v.name}" for a, v in zip([left, *before], [count, *carried]))
        text = [
            f"{head} = scf.while ({pairs}) : ({types}) -> ({types}) {{",
            f"  {going.name} = arith.cmpi sgt, {left.name}, {zero.name} : i32",
            f"  scf.condition({going.name}) {', '.join(v.name for v in [left, *before])} : {types}",
            "} do {",
            f"^bb0({', '.join(f'{a.name}: {a.type()}' for a in [passed, *after])}):",
            body,
            f"  {less.name} = arith.subi {passed.name}, {one.name} : i32",
            f"  scf.yield {', '.join([less.name, *names])} : {types}",
            "}",
        ]
        self.emit(text, action)
        self.pool += results

    def part(self, arguments: list[Value], values: list, types: list[Value], known: list[Value]) -> tuple[list, list[str], list[Value]]:
        """One block of a function: statements that see `known` and the arguments; names of values of the types; what is known after it."""
        self.lines, self.pool = [], [*known, *arguments]
        self.env |= {a.name: value for a, value in zip(arguments, values)}
        for _ in range(self.random.randint(0, 4)):
            self.step()
        names = [self.like(value).name for value in types]
        return self.lines, names, self.pool

    def call(self):
        """tt.call, of a function of one block or of several (a choice, or one block reached by two edges), once or twice."""
        carried = self.carried()
        if not carried or self.depth > 0:
            return
        outer, pool, memory = self.lines, list(self.pool), {name: array.copy() for name, array in self.memory.items()}
        self.depth += 1
        types, values = ", ".join(v.type() for v in carried), [self.env[v.name] for v in carried]
        arguments, joined = self.renamed(carried), self.renamed(carried)
        is_branching, meets_at_once = self.random.random() < 0.6, self.random.random() < 0.4
        flag = Value("", "i1", None)
        entry, names, known = self.part(arguments, values, [*carried, *carried, flag] if is_branching else carried, [])
        count = len(carried)
        edges = [names[:count], names[count : 2 * count]]
        sides = [self.renamed(carried) for _ in edges]
        parts = [] if meets_at_once else [self.part(side, values, carried, known) for side in sides]
        last, returned, _ = self.part(joined, values, carried, known) if is_branching else ([], names, [])
        self.lines, self.pool, self.memory, self.depth = outer, pool, memory, self.depth - 1

        def bind(env, targets, sources):
            now = [env[name] for name in sources]
            env |= {t.name: array for t, array in zip(targets, now)}

        def perform_function(env):
            perform(entry, env)
            if is_branching:
                way = 0 if env[names[-1]] else 1
                ends = edges[way]
                if not meets_at_once:
                    bind(env, sides[way], ends)
                    perform(parts[way][0], env)
                    ends = parts[way][1]
                bind(env, joined, ends)
                perform(last, env)

        def edge(label, sources):
            return f"^{label}({', '.join(sources)} : {types})"

        def head(label, targets):
            return f"^{label}({', '.join(f'{t.name}: {t.type()}' for t in targets)}):"

        text = [entry]
        if is_branching and meets_at_once:
            text.append(f"  cf.cond_br {names[-1]}, {edge('meet', edges[0])}, {edge('meet', edges[1])}")
        elif is_branching:
            text.append(f"  cf.cond_br {names[-1]}, {edge('yes', edges[0])}, {edge('no', edges[1])}")
            for label, side, (lines, ends, _) in zip(("yes", "no"), sides, parts):
                text += [head(label, side), lines, f"  cf.br {edge('meet', ends)}"]
        if is_branching:
            text += [head("meet", joined), last]
        text.append(f"  tt.return {', '.join(returned)} : {types}")
        self.add_function(text, arguments, carried, returned, perform_function, types, bind)

    def add_function(self, text, arguments, carried, returned, perform_function, types, bind):
        name = f"@helper{len(self.functions)}"
        bases = [(f"%{base}", f"!tt.ptr<{kind}>") for base, (kind, _) in self.program.inputs.items()]
        parameters = ", ".join([f"{n}: {t}" for n, t in bases] + [f"{a.name}: {a.type()}" for a in arguments])
        noinline = self.random.choice(["true", "false"])
        head = f"tt.func private {name}({parameters}) -> ({types}) attributes {{noinline = {noinline}}} {{"
        self.functions.append(([head, *text, "}"], None))
        now = carried
        for _ in range(self.random.choice([1, 1, 2])):
            results, words = self.results_of(carried)

            def action(env, now=now, results=results):
                bind(env, arguments, [v.name for v in now])
                perform_function(env)
                bind(env, results, returned)

            all_types = ", ".join([t for _, t in bases] + [v.type() for v in carried])
            given = ", ".join([n for n, _ in bases] + [v.name for v in now])
            self.emit(f"{words} = tt.call {name}({given}) : ({all_types}) -> ({types})", action)
            self.pool += results
            now = results if self.random.random() < 0.5 else carried

    def step(self):
        self.random.choice(
            [self.make_range, self.program_info, self.splat, self.dense_constant, self.random_load, self.random_load, self.random_pointer]
            + [self.random_reshape, self.random_reshape, self.expand_dims, self.broadcast, self.broadcast, self.trans, self.trans, self.trans]
            + [self.join, self.cat, self.split, self.split, self.unsplat, self.gather, self.histogram, self.fold, self.fold]
            + [self.random_binary] * 6
            + [self.compare, self.select, self.select, self.convert, self.convert, self.bitcast, self.load_pointer, self.load_pointer, self.store]
            + [self.loop, self.branch, self.while_loop, self.call]
        )()

    def finish(self) -> Program:
        """Stores the last values whole, then performs everything once more from the start, for each program."""
        outputs = [v for v in self.pool if v.kind != "ptr" or v.is_bounded][-9:]
        stored = {f"o{number}": self.output(f"o{number}", value) for number, value in enumerate(outputs)}
        try:
            self.run_programs(stored)
        except IndexError:  # an address that depends on the program
            self.program.grid = 1
            self.run_programs(stored)
        kinds = {name: kind for name, (kind, _) in [*self.program.inputs.items(), *self.program.outputs.items()]}
        parameters = ", ".join(f"%{name}: !tt.ptr<{kind}>" for name, kind in kinds.items())
        body, helpers = "\n".join(render(self.lines, "    ")), "".join(line + "\n" for line in render(self.functions, "  "))
        self.program.text = f"module {{\n  tt.func public @kernel({parameters}) {{\n    %program = tt.get_program_id x : i32\n{body}\n    tt.return\n  }}\n{helpers}}}\n"
        return self.program

    def run_programs(self, stored: dict[str, Value]):
        """One program after the other, as they are numbered (S-53)."""
        self.memory = {name: values.copy() for name, (_, values) in self.program.inputs.items()}
        rows: dict[str, list] = {name: [] for name in stored}
        for number in range(self.program.grid):
            env = {name: array for name, array in self.env.items() if name in ("%w", "%x_i32")} | {"%program": np.int32(number)}
            perform(self.lines, env)
            for name, value in stored.items():
                rows[name].append(np.ascontiguousarray(env[value.name]).reshape(-1))
        self.program.outputs = {name: (value.kind, np.concatenate(rows[name])) for name, value in stored.items()}
        self.program.outputs["w"] = (POINTEE, self.memory["w"])

    def output(self, name: str, value: Value) -> Value:
        """Stores what the value holds, or points to, row by row."""
        if value.kind == "ptr":
            value = self.load_pointer(value, True)
        elif value.kind == "i1":
            a = value
            value = self.define("i8", a.shape, f"arith.extui {a.name} : {a.type()} to {type_text('i8', a.shape)}", lambda env: env[a.name])
        size, element = self.constant("i32", product(value.shape)), pointer_text(value.kind, None)
        self.emit(f"%{name}f = arith.muli %program, {size.name} : i32")
        self.emit(f"%{name}b = tt.addptr %{name}, %{name}f : {element}, i32")
        if value.shape is None:
            self.emit(f"tt.store %{name}b, {value.name} : {element}")
            return value
        index, tensor = self.row_major(value.shape), pointer_text(value.kind, value.shape)
        self.emit(f"%{name}s = tt.splat %{name}b : {element} -> {tensor}")
        self.emit(f"%{name}p = tt.addptr %{name}s, {index.name} : {tensor}, {index.type()}")
        self.emit(f"tt.store %{name}p, {value.name} : {tensor}")
        return value

    def row_major(self, shape) -> Value:
        if self.random.random() < 0.5:
            return self.reshape(self.make_range(product(shape), 0), shape)
        total, stride = None, product(shape)
        for d, extent in enumerate(shape):
            stride //= extent
            part = self.along(shape, d, self.make_range(extent, 0))
            part = self.wide(self.binary("muli", part, self.splat(self.constant("i32", stride), part.shape)), shape)
            total = part if total is None else self.binary("addi", total, part)
        return total


def generate(seed: int, length: int = 28) -> Program:
    generator = Generator(seed)
    generator.program.grid = 1 + seed % 3
    for _ in range(length):
        generator.step()
    return generator.finish()
