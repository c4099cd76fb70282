"""Launches at the end of a condition, made from the printed text alone: the last within it and the first beyond.

A report of `lockstep prove --json` has conditions, the contract and the words of a launch. Nothing else of the prover is used:
sizes are drawn here, a number is raised or lowered here until the condition fails, and the two launches are run.
"""

import ast
import itertools
import random
import re
import subprocess

FUNCTIONS = {"cdiv": lambda a, b: -(-a // b), "min": min, "max": max}
# What `prove` decides of a launch; races and lanes only where they were asked for.
BROKEN = {"LS101", "LS102", "LS103", "LS104", "LS105", "LS106", "LS501", "LS508", "LS509"}
BROKEN_BY_PAIRS = {"LS301", "LS302", "LS309", "LS404"}
MOST_OF_GRID = (2**31 - 1, 65535, 65535)
MOST_OF_TYPE = {"i8": 2**7 - 1, "i16": 2**15 - 1, "u8": 2**8 - 1, "u16": 2**16 - 1, "u32": 2**32 - 1, "i64": 2**48, "u64": 2**48}
MOST_ELEMENTS = 2**34
MOST_PROGRAMS = 48  # of a launch that runs whole
SECONDS = 0.5  # of a launch; one that takes longer is not tried
TENSOR = re.compile(r"(\w+)=(zeros|arange|full\(-?\d+\)):(\w+)\[(\d+)\]$")
MOST_STOPPED = 4


def python_of(text):
    """grid.x is no name of Python's."""
    return re.sub(r"\bgrid\.([xyz])\b", r"grid_\1", text)


def names_in(text):
    return {node.id for node in ast.walk(ast.parse(python_of(text), mode="eval")) if isinstance(node, ast.Name)} - {*FUNCTIONS, "owned"}


def owned_in(text):
    return set(re.findall(r'owned\("(\w+)"\)', text))


def away_from(start, most):
    """Numbers in steps that double, up to `most`, then down to 1."""
    for direction, last in ((1, most), (-1, 1)):
        number, step = start, 1
        while number != last:
            number = min(start + step, last) if direction == 1 else max(start - step, last)
            yield number
            step *= 2


class Question:
    """What a report says, ready to be asked about sizes."""

    def __init__(self, report, has_pairs=False):
        self.report, self.has_pairs = report, has_pairs
        contract = report["contract"]
        self.conditions = [one["expression"] for one in report["conditions"]]
        self.grid, self.facts, self.data = contract["grid"], contract["facts"], contract["data"]
        self.elements, self.integers = contract["elements"], contract["integers"]
        launches = [*report["launches"], *(one["beyond"] for one in report["conditions"] if "beyond" in one)]
        self.words = launches[0]["words"] if launches else []
        texts = [*self.conditions, *self.grid, *self.facts, *self.elements.values(), *self.integers.values()]
        texts += [end for one in self.data.values() for end in one[:2]]
        self.free = sorted(set().union(*map(names_in, texts)) if texts else set())
        self.tensors = [found[1] for found in map(TENSOR.match, self.words) if found]
        self.owned = [name for name in self.tensors if name not in self.elements]
        self.most = {name: 2**31 - 1 for name in self.free}
        for word in self.words:
            found = re.match(r"(\w+)=-?\d+(?::(\w+))?$", word)
            if found and found[1] in self.integers and self.integers[found[1]] in self.most:
                self.most[self.integers[found[1]]] = MOST_OF_TYPE.get(found[2], 2**31 - 1)
            elif found and found[1] in self.most:
                self.most[found[1]] = MOST_OF_TYPE.get(found[2], 2**31 - 1)
        for axis, most in zip("xyz", MOST_OF_GRID, strict=True):
            if f"grid_{axis}" in self.most:
                self.most[f"grid_{axis}"] = most

    def value(self, text, sizes):
        return eval(python_of(text), {**FUNCTIONS, "owned": lambda name: sizes[f"owned {name}"], **sizes})  # noqa: S307 (Lockstep's own words)

    def holds(self, text, sizes):
        try:
            return bool(self.value(text, sizes))
        except ZeroDivisionError:
            return False

    def own_least(self, sizes, but):
        """Sets what tensors of no given size own: the least that the conditions ask for, without condition `but`. False: too much."""
        for name in self.owned:
            asking = [text for i, text in enumerate(self.conditions) if name in owned_in(text) and i != but]

            def enough(count, asking=asking, name=name):
                sizes[f"owned {name}"] = count
                return all(self.holds(text, sizes) for text in asking)

            for other in self.owned:
                sizes.setdefault(f"owned {other}", MOST_ELEMENTS)
            if not enough(MOST_ELEMENTS):
                return False
            low, high = 0, MOST_ELEMENTS
            while low + 1 < high:
                middle = (low + high) // 2
                low, high = (low, middle) if enough(middle) else (middle, high)
            sizes[f"owned {name}"] = high
        return True

    def is_launch(self, sizes, but=None):
        """Of the contract, and all conditions but one."""
        if any(not 1 <= sizes[name] <= self.most[name] for name in self.free):
            return False
        try:
            extents = [self.value(text, sizes) for text in self.grid]
            counts = [self.value(text, sizes) for text in self.elements.values()] + [sizes[f"owned {name}"] for name in self.owned]
        except ZeroDivisionError:
            return False
        if any(not 1 <= extent <= most for extent, most in zip(extents, MOST_OF_GRID, strict=True)):
            return False
        if any(not 0 <= count <= MOST_ELEMENTS for count in counts):
            return False
        if any(self.value(low, sizes) > self.value(high, sizes) for low, high, _ in self.data.values()):
            return False
        return all(self.holds(text, sizes) for i, text in enumerate([*self.conditions, *self.facts]) if i != but)

    def ends(self, which, pick, draws):
        """(within, beyond): sizes that differ by one in one number, of launches that differ in whether condition `which` holds."""
        text = self.conditions[which]
        named = sorted(names_in(text)) + [f"owned {name}" for name in sorted(owned_in(text))]
        most_drawn = [1, 2, 3, 5, 8, 17, 33, 64, 200]
        for _ in range(draws):
            most = pick.choice(most_drawn)
            sizes = {name: min(pick.choice([1, 1, 2, most, pick.randint(1, most)]), self.most[name]) for name in self.free}
            name = pick.choice([one for one in named if one.startswith("owned")] or named)
            pair = self.owned_end(which, sizes, name) if name.startswith("owned") else self.end_by(which, sizes, name)
            if pair is not None:
                yield pair

    def owned_end(self, which, sizes, name):
        within = dict(sizes)
        if not self.own_least(within, None) or not self.is_launch(within):
            return None
        beyond = {**within, name: within[name] - 1}
        if self.holds(self.conditions[which], beyond) or not self.is_launch(beyond, which):
            return None
        return within, beyond

    def end_by(self, which, sizes, name):
        text = self.conditions[which]

        def at(number):
            return {**sizes, name: number}

        start = sizes[name]
        is_within = self.holds(text, at(start))
        found = next((number for number in away_from(start, self.most[name]) if self.holds(text, at(number)) != is_within), None)
        if found is None:
            return None
        low, high = start, found  # they differ
        while abs(high - low) > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.holds(text, at(middle)) == is_within else (low, middle)
        within, beyond = (at(low), at(high)) if is_within else (at(high), at(low))
        if not self.own_least(within, None) or not self.own_least(beyond, which):
            return None
        return (within, beyond) if self.is_launch(within) and self.is_launch(beyond, which) else None

    def cost(self, sizes):
        return sum(self.value(text, sizes) for text in self.elements.values()) + sum(sizes[f"owned {name}"] for name in self.owned)

    def words_for(self, sizes):
        """The launch of these sizes: grid, then arguments."""
        words = []
        for word in self.words:
            tensor, name = TENSOR.match(word), word.split("=", 1)[0]
            if tensor:
                count = sizes[f"owned {name}"] if name in self.owned else self.value(self.elements[name], sizes)
                fill = "arange" if self.has_pairs and count < 2**20 else "zeros"  # filled memory costs
                if name in self.data:
                    fill = f"full({self.value(self.data[name][1], sizes)})"
                words.append(f"{name}={fill}:{tensor[3]}[{count}]")
            elif name in self.integers or name in sizes:
                kind = word.partition(":")[2]
                number = self.value(self.integers[name], sizes) if name in self.integers else sizes[name]
                words.append(f"{name}={number}" + (f":{kind}" if kind else ""))
            else:
                words.append(word)
        return [self.value(text, sizes) for text in self.grid], words

    def programs(self, extents, pick, more):
        """As --only has them: corners, and `more` others; empty: all."""
        if extents[0] * extents[1] * extents[2] <= MOST_PROGRAMS:
            return ""
        places = set(itertools.product(*({0, extent - 1} for extent in extents)))
        places |= {tuple(pick.randrange(extent) for extent in extents) for _ in range(more)}
        return ";".join(",".join(map(str, place)) for place in sorted(places))

    def run(self, lockstep, target, sizes, pick, more):
        """(codes of what is broken, the command); codes None: it did not end."""
        extents, words = self.words_for(sizes)
        only = self.programs(extents, pick, more)
        command = [lockstep, "run", str(target), "--grid", ",".join(map(str, extents)), "--check", "overflow,races,lanes" if self.has_pairs else "overflow"]
        command += ["--timeout", str(SECONDS)] + (["--only", only] if only else []) + words
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=5 * SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return None, command
        if done.returncode not in (0, 1):
            return None, command
        return {*re.findall(r"error: .*\[(LS\d+)\]", done.stdout + done.stderr)} & (BROKEN | (BROKEN_BY_PAIRS if self.has_pairs else set())), command


def try_condition(lockstep, target, question, which, seed, pairs=2):
    """('tried' | 'not tried' | 'within fails' | 'beyond is clean', what was run)"""
    pick = random.Random(f"{seed} {question.conditions[which]}")
    ends, made, stopped = list(itertools.islice(question.ends(which, pick, 150), 12)), 0, 0
    ends.sort(key=lambda pair: question.cost(pair[1]))
    for within, beyond in ends:
        if made == pairs or stopped == MOST_STOPPED:
            break
        inside, command = question.run(lockstep, target, within, pick, 4)
        if inside is None:
            stopped += 1
            continue
        if inside:
            return "within fails", f"{inside} {' '.join(command)}"
        outside, command = question.run(lockstep, target, beyond, pick, 4)
        if outside is not None and not outside:
            outside, command = question.run(lockstep, target, beyond, pick, 400)
        if outside is None:
            stopped += 1
            continue
        if not outside:
            return "beyond is clean", " ".join(command)
        made += 1
    return ("tried" if made else "not tried"), f"{len(ends)} ends"
