"""Certificates: that polynomials are >= 0, checked step by step without a search."""

import hashlib

from proof_checker.algebra import (Refused, add, alternatives, at_least, consequences, constant, frozen, joined, mul, need, negated, plus,
                                   sub)
from proof_checker.kernel_text import Reader
from proof_checker.letters import Atoms, encloses


class Proof:
    """The file: its letters become ours, by what they are."""

    def __init__(self, data, atoms):
        self.data, self.atoms, self.map = data, atoms, {}
        self.swapped = set()  # letters whose operands we have in the other order
        for row in data["atoms"]:
            self.map[row[0]] = self.read_atom(row[1], row[2:])
            if row[1] in ("minimum", "maximum") and atoms.all[self.map[row[0]]].operands[0] != frozen(self.poly(row[2])):
                self.swapped.add(row[0])
        self.polys = [self.poly(one) for one in data["polys"]]
        self.used_polys = set()
        self.settled, self.taken = {}, {}
        for goal, why in data["settled"]:
            self.settled.setdefault(frozen(self.polys[goal]), []).append([why, False, goal])
        for number, rows in [*data["taken"].items(), ("contract", data["divisions"])]:
            for goal, why in rows:
                self.taken.setdefault((number, frozen(self.polys[goal])), []).append([why, False, goal])

    def letter(self, number):
        need(isinstance(number, int) and number in self.map, f"atom {number} is not described")
        return self.map[number]

    def poly(self, terms):
        result = {}
        for coefficient, letters in terms:
            need(int(coefficient) != 0, "a coefficient is zero")
            result = add(result, {tuple(sorted(self.letter(one) for one in letters)): int(coefficient)})
        return result

    def poly_of(self, number):
        need(isinstance(number, int) and 0 <= number < len(self.polys), "a polynomial is missing")
        self.used_polys.add(number)
        return self.polys[number]

    def read_atom(self, kind, rest):
        make = self.atoms.make
        if kind == "lane":
            need(len(rest) == 2 and rest[1] > 1 and rest[0] >= 0, "a lane that is none")
            return next(iter(self.atoms.lane(*rest)))[0]
        if kind == "primed":
            return make(kind, more=(self.letter(rest[0]),))
        if kind in ("parameter", "program", "counter", "element"):
            return make(kind, more=tuple(rest))
        if kind == "unknown":
            return make(kind, [self.poly(one) for one in rest[2:]], tuple(rest[:2]))
        if kind == "selection":
            return make(kind, [self.poly(one) for one in rest[1:]], condition=self.formula(rest[0]))
        need(kind in ("quotient", "remainder", "minimum", "maximum") and len(rest) == 2, f"a letter of kind {kind}")
        return make(kind, [self.poly(one) for one in rest])

    def formula(self, text):
        if isinstance(text, bool):
            return text
        need(isinstance(text, list) and text[0] in ("not_negative", "all", "any"), "a formula that is none")
        if text[0] == "not_negative":
            return at_least(self.poly(text[1]))
        return joined(text[0], self.formula(text[1]), self.formula(text[2]))


class Context:
    """A place in the kernel, and what else is >= 0 there."""

    def __init__(self, atoms, path, facts=frozenset()):
        self.atoms, self.path, self.facts = atoms, path, facts

    def knows(self, poly):
        row = frozen(poly)
        if row in self.facts or any(encloses(path, self.path) for path in self.atoms.facts.get(row, ())):
            return True
        path = self.path
        while path is not None:
            if row in path.facts:
                return True
            path = path.parent
        return False

    def is_positive(self, monomial):
        return all(any(encloses(path, self.path) for path in self.atoms.all[one].not_negative) for one in monomial)

    def cases(self, number, is_swapped):
        """What is >= 0 in each of the cases, of which one is always there."""
        atom = self.atoms.all[number]
        need(atom.kind in ("minimum", "maximum", "selection"), "cases of something without cases")
        here, a, b = {(number,): 1}, dict(atom.operands[0]), dict(atom.operands[1])
        if is_swapped:
            a, b = b, a
        if atom.kind == "selection":
            rows = [(a, consequences(atom.condition))]
            rows += [(b, consequences(one)) for one in alternatives(negated(atom.condition))]
        else:
            first, second = (a, b) if atom.kind == "minimum" else (b, a)
            rows = [(a, {frozen(sub(second, first))}), (b, {frozen(sub(first, second))})]
        for value, facts in rows:
            facts = facts | {frozen(sub(here, value)), frozen(sub(value, here))}
            yield Context(self.atoms, self.path, self.facts | facts)


class Goals:
    """What the proof says of goals, checked."""

    def __init__(self, data):
        need(data["format"] == "lockstep-proof 1", "not a proof of this format")
        need(hashlib.sha256(data["ttir"].encode()).hexdigest() == data["sha256"], "the text is another one")
        self.data, self.atoms = data, Atoms()
        self.kernel = Reader(data["ttir"], data["kernel"])
        self.proof = Proof(data, self.atoms)
        self.forms, self.forgotten = {}, set(data["forgotten"])
        self.grid = [self.proof.poly(one) for one in data["contract"]["grid"]]
        self.conditions = [self.proof.poly(one[0]) for one in data["conditions"]]
        self.made = []  # quotients
        self.steps = self.accesses = self.integers = self.loops = 0

    # ---- goals ----

    def verifies(self, goal, why, context):
        """The certificate is one for goal >= 0: (Refused if its form is wrong)."""
        if "absurd" in why:
            return self.verifies(constant(-1), why["absurd"], context)
        if "cases" in why:
            contexts = list(context.cases(self.proof.letter(why["cases"]), why["cases"] in self.proof.swapped))
            need(len(why["of"]) == len(contexts), "cases are missing")
            return all(self.verifies(goal, one, inner) for one, inner in zip(why["of"], contexts, strict=True))
        for step in why["steps"]:
            self.steps += 1
            if step[0] == "factor":
                factor = self.proof.poly_of(step[1])
                if not context.knows(plus(factor, -1)):
                    return False
                goal = plus(add(mul(factor, goal), factor), -1)
                continue
            divide, scale, times = (int(one) for one in step[:3])
            by = tuple(sorted(self.proof.letter(one) for one in step[3]))
            facts = [self.proof.poly_of(one) for one in step[4:]]
            fits = all(coefficient % divide == 0 for monomial, coefficient in goal.items() if monomial)
            if divide < 1 or scale < 1 or times < 0 or not fits or not 1 <= len(facts) <= 2:
                return False
            if not context.is_positive(by) or not all(context.knows(one) for one in facts):
                return False
            product = mul({by: times}, facts[0]) if times else {}
            for one in facts[1:]:
                product = mul(product, one)
            goal = {monomial: coefficient // divide * scale for monomial, coefficient in goal.items() if coefficient // divide}
            goal = sub(plus(goal, scale - 1), product)
        rest = self.proof.poly_of(why["rest"])
        return frozen(goal) == frozen(rest) and all(
            coefficient > 0 and context.is_positive(monomial) for monomial, coefficient in goal.items())

    def tries(self, rows, goal, context):
        for row in sorted(rows, key=lambda one: one[1]):  # those that nothing needed yet come first
            if self.verifies(goal, row[0], context):
                row[1] = True
                self.proof.used_polys.add(row[2])
                return True
        return False

    def proves(self, goal, op, path):
        """Whether the proof says so of this op."""
        rows = self.proof.taken.get((str(op.number), frozen(goal)), ())
        return self.tries(rows, goal, Context(self.atoms, path))

    def settle(self, goal, op, path, facts=frozenset(), what="a debt"):
        rows = self.proof.settled.get(frozen(goal), [])
        context = Context(self.atoms, path, facts)
        if not self.tries(rows, goal, context) and not self.proves(goal, op, path):
            raise Refused(f"op {op.number} ({op.name}): {what} is not proved")

    def pay(self, form, op, path, facts=frozenset()):
        for number, low, high in sorted(form.debts):
            self.settle(plus(dict(number), -low), op, path, facts, "a low end")
            self.settle(plus(mul(dict(number), constant(-1)), high), op, path, facts, "a high end")
            self.integers += 1
