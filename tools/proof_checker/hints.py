"""Promises to the compiler: hints of results hold in every lane, and so do assumptions, which are facts from then on."""

from proof_checker.algebra import consequences, constant, frozen, mul, need, negated, sub
from proof_checker.kernel_text import HINTS, promised, size_of

WIDEST = 16  # no access is wider: what is promised beyond is harmless


class Hints:
    def __init__(self, checker):
        self.checker, self.atoms, self.found = checker, checker.atoms, 0
        rows = checker.data["multiples"]
        self.multiples = {(op, dimension): quotient for op, dimension, quotient in rows}
        need(len(self.multiples) == len(rows), "a multiple twice")

    def owe(self, op, path):
        if op.name == "llvm.intr.assume":
            self.assume(op, path)
        words = sum(op.text.count(word) for word in HINTS)
        self.found += words
        value = op.results[0] if words and len(op.results) == 1 else None
        if value is None or not (value.type.width() or value.type.pointee):
            need(not words or (value is not None and value.type.element.startswith(("f", "bf"))), f"op {op.number}: a hint on something else")
            return
        form = self.checker.form_of(value)
        need(form.kind in ("number", "pointer"), f"op {op.number}: a hint on something without a form")
        debts, step, aligned = set(form.debts), 1, 0
        if form.kind == "number":
            self.checker.look_at(form, value.type, True, op, path, debts)
        else:
            step = size_of(value.type.pointee)
            given = self.checker.kernel.divisors[int(form.base.id.rsplit(".", 1)[1])]
            aligned = given[0] if given else 1
        self.checker.pay(form.with_debts(debts), op, path)
        rank = len(value.type.shape)
        for d, divisor in enumerate(promised("divisibility", op.text, rank)):
            if divisor > 1:
                need(aligned % min(divisor, WIDEST) == 0, f"op {op.number}: nothing says how its argument is aligned")
                self.multiple(op, form.number, d, min(divisor, WIDEST), step, path)
        for kind, distance in (("contiguity", step), ("constancy", 0)):
            for d, size in enumerate(promised(kind, op.text, rank)):
                if size > 1:
                    self.group(op, form.number, d, min(size, WIDEST), distance, path)

    def finish(self):
        """All that is promised was owed."""
        if "hints" in self.checker.data["properties"]:
            need(self.found == self.checker.kernel.hints, "a hint in another place")
        need(not self.multiples, "a multiple that nobody owes")

    def assume(self, op, path):
        form = self.checker.form_of(op.operands[0])
        need(len(op.operands) == 1 and form.kind == "truth", f"op {op.number}: an assumption in another form")
        self.checker.pay(form, op, path)
        self.holds(op, form.formula, path, frozenset())
        path.facts |= consequences(form.formula)

    def holds(self, op, formula, path, facts):
        """Of several of which one must hold: the first where the second does not."""
        if formula is True:
            return
        if formula is False or formula[0] == "ge":
            goal = constant(-1) if formula is False else dict(formula[1])
            self.checker.settle(goal, op, path, facts, "an assumption")
        elif formula[0] == "all":
            self.holds(op, formula[1], path, facts)
            self.holds(op, formula[2], path, facts)
        else:
            self.holds(op, formula[1], path, facts | consequences(negated(formula[2])))

    def equal(self, op, difference, path):
        for goal in (difference, mul(difference, constant(-1))) if difference else ():
            self.checker.settle(goal, op, path, what="a hint")

    def at_lane(self, op, number, dimension, lane):
        shape = op.results[0].type.shape
        lanes = [lane if d == dimension else self.atoms.lane(d, extent) for d, extent in enumerate(shape)]
        return self.atoms.replaced(number, lanes, {})

    def multiple(self, op, number, d, divisor, step, path):
        """A lane that continues the one before it need be no multiple: then the first of all is enough."""
        shape = op.results[0].type.shape
        if d < len(shape):
            first = self.at_lane(op, number, d, {})
            if frozen(sub(number, first)) == frozen(mul(self.atoms.lane(d, shape[d]), constant(step))):
                number = first
        quotient = self.multiples.pop((op.number, d), None)
        need(quotient is not None, f"op {op.number}: nothing says that it is a multiple of {divisor}")
        self.equal(op, sub(number, mul(self.checker.proof.poly_of(quotient), constant(divisor))), path)

    def group(self, op, number, d, size, distance, path):
        """Each lane is as far from the first of its group as it should be."""
        shape = op.results[0].type.shape
        if d >= len(shape) or shape[d] == 1:
            return
        lane = self.atoms.lane(d, shape[d])
        direct = sub(sub(number, self.at_lane(op, number, d, {})), mul(lane, constant(distance)))
        if size < shape[d] and direct:
            letter = self.atoms.make("quotient", [lane, constant(size)])
            first = {(letter,): size}
            away = mul(sub(lane, first), constant(distance))
            direct = sub(sub(number, self.at_lane(op, number, d, first)), away)
        self.equal(op, direct, path)
