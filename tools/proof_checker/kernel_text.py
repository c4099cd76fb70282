"""The kernel's text in the form that MLIR prints: one function, its ops and values."""

import re

from proof_checker.algebra import Refused, need

HINTS = ("tt.divisibility", "tt.contiguity", "tt.constancy")
SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


class Type:
    def __init__(self, text):
        found = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", text)
        self.shape = [int(one) for one in found[1].split("x")[:-1]] if found else []
        self.element = found[2] if found else text
        pointee = re.fullmatch(r"!tt\.ptr<(.*?)(?:, \d+)?>", self.element)
        self.pointee = pointee[1] if pointee else None

    def width(self):
        """Of an integer; 0: none."""
        found = re.fullmatch(r"i(\d+)", self.element)
        return int(found[1]) if found else 64 if self.element == "index" else 0


def size_of(pointee):
    """Bytes of an element in memory."""
    size = 1 if pointee.startswith("f8") else SIZES.get(pointee)
    need(size, f"elements of type {pointee}")
    return size


class Value:
    def __init__(self, name, kind, op=None):
        self.id, self.type, self.op = name, kind, op


class Op:
    def __init__(self, number, name, text):
        self.number, self.name, self.text = number, name, text
        self.results, self.operands, self.regions, self.labels = [], [], [], []
        self.types = ""


class Block:
    def __init__(self, label):
        self.label, self.arguments, self.ops = label, [], []


def promised(kind, text, rank):
    """The numbers of a hint, one for a dimension; (): none."""
    found = re.search(rf"tt\.{kind} = (?:dense<(\[[\d, ]+\]|\d+)> : tensor<(\d+)xi32>|(\d+) : i32)", text)
    need(found or f"tt.{kind}" not in text, "a hint in another form")
    if not found:
        return ()
    if found[3]:
        return (int(found[3]),)
    numbers = [int(one) for one in found[1].strip("[]").split(",")]
    numbers = numbers * int(found[2]) if len(numbers) == 1 else numbers
    need(len(numbers) == int(found[2]) == max(rank, 1), "a hint in another form")
    return tuple(numbers)


def split_at(text, mark):
    """At the first mark outside of brackets and quotes; (text, "") without one."""
    depth, quoted, at = 0, False, 0
    while at < len(text):
        letter = text[at]
        if letter == '"':
            quoted = not quoted
        elif not quoted and depth == 0 and text.startswith(mark, at):
            return text[:at], text[at + len(mark):]
        elif not quoted and text.startswith("->", at):
            at += 1
        elif not quoted and letter in "<({[":
            depth += 1
        elif not quoted and letter in ">)}]":
            depth -= 1
        at += 1
    return text, ""


def split_all(text):
    parts, rest = [], text
    while rest:
        part, rest = split_at(rest, ", ")
        parts.append(part.strip())
    return parts


class Reader:
    """One function of a module, in the form that MLIR prints."""

    def __init__(self, text, kernel):
        self.lines = [line.strip() for line in text.splitlines()]
        self.at, self.count, self.names = 0, 0, [{}]
        head = re.compile(r"tt\.func (?:\w+ )?@\"?" + re.escape(kernel) + r"\"?\((.*)\).*\{$")
        starts = [i for i, line in enumerate(self.lines) if head.match(line)]
        need(len(starts) == 1, "the text has not one function of that name")
        arguments = head.match(self.lines[starts[0]])[1]
        self.at = starts[0] + 1
        inside = arguments.split(") attributes", 1)[0]
        self.entry = Block("^bb0")
        for i, one in enumerate(split_all(inside)):
            name, kind = one.split(": ", 1)
            self.entry.arguments.append(self.define(name, Value(f"f^0.0.{i}", Type(kind.split(" {")[0]))))
        self.divisors = [promised("divisibility", one, 0) for one in split_all(inside)]  # of arguments
        self.blocks = self.read_region("f", 0, self.entry)
        self.hints = sum(line.count(word) for line in self.lines[starts[0] + 1:self.at] for word in HINTS)

    def define(self, name, value):
        self.names[-1][name] = value
        return value

    def find(self, name):
        for names in reversed(self.names):
            if name in names:
                return names[name]
        raise Refused(f"{name} is not defined")

    def read_region(self, owner, region, block=None):
        """Up to the line that closes it."""
        blocks = [block or Block("^bb0")]
        while True:
            need(self.at < len(self.lines), "the text ends inside a region")
            line = self.lines[self.at]
            if line.startswith("}"):
                return blocks
            self.at += 1
            label = re.match(r"(\^[\w]+)(?:\((.*)\))?:", line)
            if label:
                if blocks[-1].ops or blocks[-1].arguments:
                    blocks.append(Block(label[1]))
                blocks[-1].label = label[1]
                for i, one in enumerate(split_all(label[2] or "")):
                    name, kind = one.split(": ", 1)
                    value = Value(f"{owner}^{region}.{len(blocks) - 1}.{i}", Type(kind))
                    blocks[-1].arguments.append(self.define(name, value))
            elif line:
                blocks[-1].ops.append(self.read_op(line))

    def read_op(self, line):
        found = re.match(r"((?:%[\w$.-]+(?::\d+)?(?:, )?)+) = ", line)
        rest = line[found.end():] if found else line
        name = re.match(r'"?([a-z_]+\.[\w.]+)"?', rest)
        need(name, f"no op: {line}")
        op = Op(self.count, name[1], rest[name.end():])
        self.count += 1
        if op.name == "scf.for":
            arguments = self.read_for(op)
        elif op.name == "scf.while":
            arguments = self.read_while(op)
        else:
            arguments = []
            head, op.types = split_at(op.text.removesuffix("({").removesuffix("{"), " : ")
            if op.name == "scf.if":
                head, op.types = split_at(head, " -> ")
                op.types = "-> " + op.types
            head = re.sub(r'"[^"]*"', "", head)
            op.operands = [self.find(one) for one in re.findall(r"%[\w$.-]+(?:#\d+)?", head)]
            op.labels = re.findall(r"\^\w+", head)
        if line.endswith("{"):
            self.read_regions(op, arguments)
        if found:
            self.take_results(op, found[1])
        return op

    def read_regions(self, op, arguments):
        while True:
            self.names.append({})
            block = Block("^bb0")
            for i, (name, kind) in enumerate(arguments):
                block.arguments.append(self.define(name, Value(f"{op.number}^{len(op.regions)}.0.{i}", Type(kind))))
            op.regions.append(self.read_region(op.number, len(op.regions), block))
            self.names.pop()
            closing = self.lines[self.at]
            self.at += 1
            arguments = []
            if not closing.endswith("{") or closing.startswith("} {"):
                if closing.startswith("})"):
                    op.types = split_at(closing[2:], " : ")[1]
                return

    def read_for(self, op):
        found = re.match(r" (?:unsigned )?(%[\w$.-]+) = (\S+) to (\S+) step (\S+) ?", op.text)
        need(found and " unsigned " not in op.text, "a loop without a sign or in another form")
        op.operands = [self.find(found[i]) for i in (2, 3, 4)]
        head, kind = split_at(op.text[found.end():].removesuffix("{"), " : ")
        carried, results = split_at(head, " -> ")
        arguments = [(found[1], kind.strip() or "index")]
        op.types = "-> " + results.strip()
        kinds = self.result_types(op)
        given = re.match(r"iter_args\((.*)\)$", carried.strip())
        for one, result in zip(split_all(given[1]) if given else [], kinds, strict=True):
            name, start = one.split(" = ")
            op.operands.append(self.find(start))
            arguments.append((name, result))
        return arguments

    def read_while(self, op):
        found = re.match(r" ?(?:\((.*)\))? : (.*) \{$", op.text)
        need(found, "a while loop in another form")
        inputs, op.types = split_at(found[2], " -> ")
        op.types = "-> " + op.types
        kinds = split_all(inputs.strip().strip("()"))
        arguments = []
        for one, kind in zip(split_all(found[1] or ""), kinds, strict=True):
            name, start = one.split(" = ")
            op.operands.append(self.find(start))
            arguments.append((name, kind))
        return arguments

    @staticmethod
    def result_types(op):
        found = split_at(op.types + " ", "-> ")
        if found[1] or op.types.startswith("->"):
            after = found[1]
            after = split_at(after.strip(), " attributes")[0].strip()
            after = after[1:-1] if after.startswith("(") and after.endswith(")") else after
            return split_all(after)
        before, after = split_at(op.types, " to ")
        return [after] if after else split_all(before)

    def take_results(self, op, text):
        kinds = self.result_types(op)
        names = []
        for one in text.split(", "):
            name, _, count = one.partition(":")
            names += [f"{name}#{i}" for i in range(int(count))] if count else [name]
        if op.name == "arith.constant" and not kinds:
            kinds = ["i1"]  # true, false
        elif op.name == "arith.select":
            kinds = kinds[-1:]
        elif op.name == "tt.addptr":
            kinds = kinds[:1]
        elif op.name == "tt.load":
            kinds = [re.sub(r"!tt\.ptr<(.*?)(?:, \d+)?>", r"\1", kinds[0])]
        elif op.name in ("arith.cmpi", "arith.cmpf"):
            shape = "x".join(map(str, Type(kinds[0]).shape))
            kinds = [f"tensor<{shape}xi1>" if shape else "i1"]
        elif len(kinds) != len(names):
            kinds = kinds[:1] * len(names)
        for i, (name, kind) in enumerate(zip(names, kinds, strict=True)):
            op.results.append(self.define(name, Value(f"{op.number}.{i}", Type(kind), op)))
