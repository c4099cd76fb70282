"""Planted faults in kernels of packages: contracts of right kernels, and one change in their TTIR.

A contract is made from the conditions that `lockstep prove` prints of the kernel: each tensor owns exactly what the kernel needs,
other conditions become facts of every launch. A fault is a change of the text (a mask dropped, `<=` for `<`, sizes exchanged, 64 bits
narrowed to 32, ...) or one program more along an axis of the grid.
"""

import re

from boundaries import python_of

OWNED = re.compile(r'(.*) <= owned\("(\w+)"\)')


class NotSaid(Exception):
    """No contract can be written for this kernel."""


def contract_of(report):
    """(words for tensors and facts, the grid): the kernel's own conditions."""
    elements, facts = {}, []
    for one in report["conditions"]:
        text = python_of(one["expression"])
        owned = OWNED.fullmatch(text)
        if " if " in text or (not owned and "owned(" in text):
            raise NotSaid(text)
        if owned:
            elements[owned[2]] = f"max({elements[owned[2]]}, {owned[1]})" if owned[2] in elements else owned[1]
        else:
            facts.append(text)
    grid = [python_of(one) for one in report["contract"]["grid"]]
    facts += [f"{one} <= 65535" for one in grid[1:] if one != "1"]
    kinds = dict(re.findall(r"(\w+)=\w+(?:\([^)]*\))?:(\w+)\[", " ".join(report["launches"][0]["words"])))
    wide = [f"{found[1]}={found[2]}" for found in map(re.compile(r"(\w+)=-?\d+:(\w+)$").match, report["launches"][0]["words"]) if found]
    words = wide + [f"{name}={kinds[name]}[{text}]" for name, text in elements.items()]
    return [*words, *(word for fact in facts for word in ("--where", fact))], grid


# ---- changes of one line ----


def without_mask(line, _):
    found = re.match(r"(.*tt\.load %[\w$.-]+)(?:, %[\w$.-]+){1,2}( .*:.*)", line)
    found = found or re.match(r"(.*tt\.store %[\w$.-]+, %[\w$.-]+), %[\w$.-]+( .*:.*)", line)
    return [found[1] + found[2]] if found else None


def or_equal(line, _):
    """A bound that is one too far."""
    return [line.replace("arith.cmpi slt,", "arith.cmpi sle,")] if "arith.cmpi slt," in line else None


def always(line, _):
    """A comparison that no lane fails."""
    found = re.match(r"(\s*%[\w$.-]+ = )arith\.cmpi slt, (%[\w$.-]+), %[\w$.-]+ (.*)", line)
    return [f"{found[1]}arith.cmpi sle, {found[2]}, {found[2]} {found[3]}"] if found else None


def other_size(line, kernel):
    """A size or stride for another."""
    found = re.match(r"(.*(?:arith\.(?:muli|extsi|minsi)|tt\.splat) .*?)(%[\w$.-]+)\b([^%]*)$", line)
    if not found or found[2] not in kernel.scalars or len(kernel.scalars) < 2:
        return None
    at = kernel.scalars.index(found[2])
    return [found[1] + kernel.scalars[(at + 1) % len(kernel.scalars)] + found[3]]


def narrowed(line, _):
    """A product of 64 bits that is made of 32."""
    found = re.match(r"(\s*)(%[\w$.-]+) = arith\.muli (%[\w$.-]+), (%[\w$.-]+) : (\S*i64>?)(.*)", line)
    if not found:
        return None
    wide, narrow = found[5], found[5].replace("i64", "i32")
    parts = [f"{found[1]}%planted{i} = arith.trunci {found[3 + i]} : {wide} to {narrow}" for i in (0, 1)]
    parts.append(f"{found[1]}%planted2 = arith.muli %planted0, %planted1 : {narrow}")
    return [*parts, f"{found[1]}{found[2]} = arith.extsi %planted2 : {narrow} to {wide}"]


def one_further(line, _):
    """Every lane of an access, one element on."""
    found = re.match(r"(\s*)(%[\w$.-]+) = tt\.addptr (%[\w$.-]+), (%[\w$.-]+) : (\S+), (\S+)(.*)", line)
    if not found:
        return None
    one = "dense<1>" if found[6].startswith("tensor") else "1"
    return [f"{found[1]}%planted0 = arith.constant {one} : {found[6]}", f"{found[1]}%planted1 = arith.addi {found[4]}, %planted0 : {found[6]}",
            f"{found[1]}{found[2]} = tt.addptr {found[3]}, %planted1 : {found[5]}, {found[6]}{found[7]}"]  # fmt: skip


def one_turn_more(line, _):
    found = re.match(r"(\s*)(.*scf\.for %[\w$.-]+ = %[\w$.-]+ to )(%[\w$.-]+)( step (%[\w$.-]+).*?)$", line)
    kind = re.search(r":\s+(i\d+) \{", line) or re.search(r"()\{", line)
    if not found or not kind:
        return None
    return [f"{found[1]}%planted0 = arith.addi {found[3]}, {found[5]} : {kind[1] or 'i32'}", f"{found[1]}{found[2]}%planted0{found[4]}"]


def largest(line, _):
    """What was clamped from above is clamped from below."""
    return [line.replace("arith.minsi", "arith.maxsi")] if "arith.minsi" in line else None


def other_axis(line, kernel):
    found = re.match(r"(.*tt\.get_program_id )([xyz])( .*)", line)
    others = [one for one in kernel.axes if found and one != found[2]]
    return [found[1] + others[0] + found[3]] if others else None


def other_part(line, _):
    """Quotient and remainder exchanged."""
    for one, other in (("arith.divsi", "arith.remsi"), ("arith.remsi", "arith.divsi")):
        if one in line:
            return [line.replace(one, other)]
    return None


CHANGES = [without_mask, or_equal, always, other_size, narrowed, one_further, one_turn_more, largest, other_axis, other_part]
ONE_PROGRAM_MORE = "one program more"


class Kernel:
    """TTIR that is ready to be changed."""

    def __init__(self, text):
        self.lines = text.splitlines()
        head = next(line for line in self.lines if "tt.func public" in line)
        self.scalars = re.findall(r"(%[\w$.-]+): i32\b", head)
        self.axes = sorted(set(re.findall(r"tt\.get_program_id ([xyz])", text)))

    def faults(self):
        """(what, line's number or axis)"""
        found = [(ONE_PROGRAM_MORE, "xyz".index(axis)) for axis in self.axes]
        for at, line in enumerate(self.lines):
            found += [(change.__name__, at) for change in CHANGES if change(line, self) is not None]
        return found

    def with_fault(self, what, at):
        if what == ONE_PROGRAM_MORE:
            return "\n".join(self.lines) + "\n"
        change = next(one for one in CHANGES if one.__name__ == what)
        return "\n".join([*self.lines[:at], *change(self.lines[at], self), *self.lines[at + 1:]]) + "\n"
