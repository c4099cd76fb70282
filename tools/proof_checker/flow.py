"""Control flow, accesses, the contract: what is owed, and that all of it is proved."""

import re

from proof_checker.algebra import (add, comparisons, consequences, constant, frozen, mul, need, negated, plus, sub)
from proof_checker.certificates import Context
from proof_checker.coverage import Coverage
from proof_checker.hints import Hints
from proof_checker.kernel_text import size_of, split_all
from proof_checker.letters import Form, Path, encloses, number_range
from proof_checker.ops import PROGRAMS, Ops
from proof_checker.pairs import Pairs, Site
from proof_checker.ragged import Ragged

# Ops that touch no memory; their results are any numbers. Any other op without a rule is refused.
PURE_PREFIXES = ("arith.", "math.", "ub.", "llvm.intr.assume", "gpu.barrier")
PURE = {"tt." + name for name in (
    "dot dot_scaled reduce scan fp_to_fp cat join split histogram gather mulhiui clampf precise_sqrt precise_divf "
    "approx_divf assert print bitcast int_to_ptr ptr_to_int return extern_elementwise "
    "elementwise_inline_asm").split()}


class Checker(Ops):
    """A proof of one kernel."""

    def __init__(self, data):
        super().__init__(data)
        self.sites, self.pairs, self.rising = [], 0, []
        self.hints, self.covered, self.ragged = Hints(self), 0, Ragged(self)

    def form_of(self, value):
        need(value.id in self.forms, f"value {value.id} is used before it is there")
        return self.forms[value.id]

    def visit_ops(self, block, path):
        for op in block.ops:
            self.visit(op, path)

    def visit(self, op, path):
        self.follow(op, path)
        if "hints" in self.data["properties"]:
            self.hints.owe(op, path)

    def follow(self, op, path):
        if op.name == "scf.for":
            return self.visit_for(op, path)
        if op.name == "scf.while":
            return self.visit_while(op, path)
        if op.name == "scf.if":
            return self.visit_if(op, path)
        if op.name in ("tt.load", "tt.store", "tt.atomic_rmw", "tt.atomic_cas"):
            return self.visit_access(op, path)
        if op.name in ("tt.descriptor_load", "tt.descriptor_store"):
            return self.visit_descriptor(op, path)
        if op.name in ("cf.cond_br", "scf.condition"):
            return self.pay(self.form_of(op.operands[0]), op, path)
        if op.name in ("cf.br", "scf.yield"):
            return None
        form = self.result(op, path) if len(op.results) == 1 and not op.regions else None
        self.take_lemmas(op, path)
        known = form is not None or op.name.startswith(PURE_PREFIXES) or op.name in PURE
        need(known or op.name in ("tt.splat", "tt.unsplat", "tt.broadcast", "tt.expand_dims", "tt.trans", "tt.reshape",
                                  "tt.addptr"), f"op {op.number}: no rule for {op.name}")
        need("elementwise" not in op.name or "pure = true" in op.text, f"op {op.number}: it may touch memory")
        self.set_results(op, path, form)
        if op.name == "arith.select" and self.form_of(op.results[0]).kind is None:
            self.pay(self.form_of(op.operands[0]), op, path)
        return None

    def set_results(self, op, path, form=None):
        for value in op.results:
            if form is None or value.id in self.forgotten:
                kept = form.debts if form and op.name.startswith(("arith.div", "arith.rem", "arith.floordiv")) else ()
                self.forms[value.id] = self.anything(value, path).with_debts(kept)
            else:
                self.forms[value.id] = form

    def visit_if(self, op, path):
        condition = self.form_of(op.operands[0])
        self.pay(condition, op, path)
        yields = []
        for region, formula in zip(op.regions, (condition.formula, negated(condition.formula)), strict=False):
            inside = Path(path, map(dict, consequences(formula)), formula)
            self.visit_ops(region[0], inside)
            yields.append([self.form_of(one) for one in region[0].ops[-1].operands] if op.results else [])
        for i, value in enumerate(op.results):
            form = None
            if value.id not in self.forgotten and len(yields) == 2:
                form = self.choose(condition, yields[0][i], yields[1][i], op, path)
                parts = [form.number, *map(dict, comparisons(form.formula)), *(dict(one[0]) for one in form.debts)] if form else []
                need(all(self.atoms.may_be_named(one, path) for one in parts), f"op {op.number}: a value leaves its branch")
            self.forms[value.id] = form or self.anything(value, path)

    def visit_while(self, op, path):
        for region in op.regions:
            inside = Path(path, is_certain=False)
            for value in region[0].arguments:
                self.forms[value.id] = self.anything(value, inside)
            self.visit_ops(region[0], inside)
        self.set_results(op, path)

    def visit_for(self, op, path):
        bounds = [self.form_of(one) for one in op.operands[:3]]
        kind = op.operands[0].type
        for form in bounds:
            need(form.kind == "number", f"op {op.number}: a bound of the loop is unknown")
            debts = set()
            self.look_at(form, kind, True, op, path, debts)
            self.pay(form.with_debts(debts), op, path)
        first, end, step = (one.number for one in bounds)
        body, block = Path(path), op.regions[0][0]
        turn = self.atoms.make("counter", more=(op.number,))
        self.atoms.all[turn].home = body
        self.atoms.positive(turn, body)
        now = add(first, mul(step, {(turn,): 1}))
        body.turn = (turn, plus(sub(end, now), -1))
        self.atoms.fact(turn, body.turn[1], body)
        self.forms[block.arguments[0].id] = Form("number", now)
        changes, starts = self.data["changes"][str(op.number)], [self.form_of(one) for one in op.operands[3:]]
        need(len(changes) == len(starts), f"op {op.number}: changes are missing")
        for value, start, given in zip(block.arguments[1:], starts, changes, strict=True):
            form = self.anything(value, body)
            if given is not None:
                change = self.proof.poly(given)
                need(self.atoms.may_be_named(change, path), f"op {op.number}: a change that the loop makes")
                need(start.kind in ("number", "pointer"), f"op {op.number}: a change of something else")
                form = Form(start.kind, add(start.number, mul(change, {(turn,): 1})), base=start.base, debts=start.debts)
            self.forms[value.id] = form
        self.settle(plus(step, -1), op, path, what="the step of the loop")
        high = number_range(kind.width(), True)[1]
        self.settle(plus(sub(mul(now, constant(-1)), step), high), op, body, what="the loop's counter")
        self.loops += 1
        self.visit_ops(block, body)
        last = block.ops[-1] if block.ops else None
        yields = last.operands if last is not None and last.name == "scf.yield" else []
        for value, given, yielded in zip(block.arguments[1:], changes, yields, strict=True):
            if given is not None:
                start, end_form = self.form_of(value), self.form_of(yielded)
                same = frozen(sub(end_form.number, start.number)) == frozen(self.proof.poly(given))
                need(same and end_form.kind == start.kind and end_form.base is start.base,
                     f"op {op.number}: a carried value changes by something else")
                self.pay(end_form, op, body)
        self.set_results(op, path)

    def visit_access(self, op, path):
        pointer, mask = op.operands[0], None
        place = {"tt.load": 1, "tt.store": 2, "tt.atomic_rmw": 2}.get(op.name)
        if place is not None and len(op.operands) > place:
            mask = self.form_of(op.operands[place])
        facts = frozenset()
        if mask is not None:
            self.pay(mask, op, path)
            facts = frozenset(consequences(mask.formula))
        form = self.form_of(pointer)
        need(form.kind == "pointer" and pointer.type.pointee, f"op {op.number}: a pointer into unknown memory")
        self.pay(form, op, path, facts)
        size = size_of(pointer.type.pointee)
        self.settle(sub(plus(self.bytes_of(form.base), -size), form.number), op, path, facts, "the end of its memory")
        self.settle(form.number, op, path, facts, "the start of its memory")
        self.accesses += 1
        self.sites.append(Site(op, form.base, form.number, size, facts, path, True if mask is None else mask.formula))
        self.set_results(op, path)
        name = self.data["arguments"][self.kernel.entry.arguments.index(form.base)]
        data = self.data["contract"]["data"].get(name)
        if data is None and name not in self.ragged.tables:
            return
        need(op.name == "tt.load", f"op {op.number}: it writes what an assumption speaks of")
        whole = all(coefficient % size == 0 for coefficient in form.number.values())
        if whole and pointer.type.element == form.base.type.element:
            index = {monomial: coefficient // size for monomial, coefficient in form.number.items()}
            self.take_data(op, (name, form.base, index), mask, path, data)

    def take_data(self, op, place, mask, path, data):
        """A whole element of memory that an assumption speaks of."""
        name, base, index = place
        ends = map(self.proof.poly, data) if data is not None else self.ragged.range_of(name, index)
        if ends is None:
            return
        other = self.form_of(op.operands[2]) if len(op.operands) > 2 else None
        form = self.loaded(op, *ends, mask, other, path)
        self.forms[op.results[0].id] = form
        if mask is not None or op.results[0].type.shape or form.kind != "number":
            return
        if name in self.data["contract"]["rising"]:
            self.take_order(op, base, index, path)
        self.ragged.take(name, next(iter(form.number))[0], index, path)

    def take_order(self, op, place, index, path):
        """A later element of memory that rises is never below an earlier one."""
        datum = self.forms[op.results[0].id].number
        for base, other, other_index, home in self.rising:
            if base is place and encloses(home, path):
                for goal, fact in ((sub(index, other_index), sub(datum, other)), (sub(other_index, index), sub(other, datum))):
                    if self.proves(goal, op, path):
                        self.atoms.fact(next(iter(datum))[0], fact, path)
                        break
        self.rising.append((place, datum, index, path))

    def visit_descriptor(self, op, path):
        """Of the launch: the hardware keeps accesses inside; only indices can wrap."""
        count = 1 if op.name == "tt.descriptor_load" else 2
        need(self.form_of(op.operands[0]).kind == "descriptor", f"op {op.number}: a descriptor that the kernel made")
        need(count == 1 or "races" not in self.data["properties"], f"op {op.number}: a store through a descriptor of the launch")
        inside = re.match(r" %[\w$.-]+\[([^\]]*)\]", op.text)
        need(inside, f"op {op.number}: a descriptor's access in another form")
        indices = len(split_all(inside[1]))
        for value in op.operands[1:1 + indices]:
            debts = set()
            self.look_at(self.form_of(value), value.type, True, op, path, debts)
            self.pay(Form(debts=frozenset(debts)), op, path)
        need(len(op.operands) == indices + count, f"op {op.number}: a descriptor's access in another form")
        self.accesses += 1
        self.set_results(op, path)

    # ---- the whole ----

    def parameter(self, name, low, high):
        number = self.atoms.make("parameter", more=(name,))
        if not self.atoms.all[number].facts:
            given = [int(one) for one in self.data["parameters"].get(name, (low, high))]
            self.atoms.fact(number, plus({(number,): 1}, -given[0]), None)
            self.atoms.fact(number, plus({(number,): -1}, given[1]), None)
            if given[0] >= 0:
                self.atoms.positive(number, None)
        return {(number,): 1}

    def bytes_of(self, argument):
        index = int(argument.id.rsplit(".", 1)[1])
        name = self.data["arguments"][index]
        size = constant(size_of(argument.type.pointee))
        elements = self.data["contract"]["elements"].get(name)
        if elements is not None:
            return mul(self.proof.poly(elements), size)
        return mul(self.parameter(f"elements of {name}", 0, 1 << 62), size)

    def take_contract(self):
        for name in self.data["parameters"]:
            self.parameter(name, 1, 1)
        nowhere = Context(self.atoms, None)
        for number, atom in enumerate(list(self.atoms.all)):
            if atom.kind == "program":
                axis = [name for name, _ in PROGRAMS].index(atom.more[0])
                self.atoms.positive(number, None)
                self.atoms.fact(number, sub(plus(self.grid[axis], -1), {(number,): 1}), None)
            if atom.kind in ("minimum", "maximum"):
                self.extremum(atom.kind, *map(dict, atom.operands))
        for number, atom in enumerate(list(self.atoms.all)):
            if atom.kind == "quotient":
                x, d = map(dict, atom.operands)
                known = [self.tries(self.proof.taken.get(("contract", frozen(goal)), ()), goal, nowhere)
                         for goal in (plus(d, -1), x, sub(x, d))]
                if known[0] and known[1]:
                    self.division(x, d, True, known[2], None)

    def check(self):
        self.take_contract()
        root = Path(None, [self.proof.poly(one) for one in self.data["contract"]["facts"]] + self.conditions)
        for (_, most), extent in zip(PROGRAMS, self.grid, strict=True):
            root.facts |= {frozen(plus(extent, -1)), frozen(plus(mul(extent, constant(-1)), most))}
        names = self.data["arguments"]
        for name, value in zip(names, self.kernel.entry.arguments, strict=True):
            width = value.type.width()
            if value.type.pointee and not value.type.pointee.startswith("tensor"):
                form = Form("pointer", base=value)
            elif value.type.element.startswith("!tt.tensordesc"):
                form = Form("descriptor", base=value)
            elif width > 1:
                given = self.data["contract"]["integers"].get(name)
                form = Form("number", self.proof.poly(given) if given is not None
                            else self.parameter(name, 1, number_range(width, True)[1]))
            else:
                form = self.anything(value, root)
            self.forms[value.id] = form
        self.visit_blocks(root)
        self.hints.finish()
        self.pairs = Pairs(self).check(self.sites, self.data["properties"])
        self.covered = Coverage(self, root).check(self.sites)
        self.check_use()
        self.check_witness()

    def visit_blocks(self, root):
        blocks, ends = self.kernel.blocks, {}
        labels = {block.label: block for block in blocks}
        for block in blocks:
            path = root
            if block is not blocks[0]:
                before = [one for one in blocks if one.ops and block.label in one.ops[-1].labels]
                need(before and all(id(one) in ends for one in before), "branches that lead back")
                path = ends[id(before[0])]
                for one in before:
                    while not encloses(path, ends[id(one)]):
                        path = path.parent
                formula = True
                branch = before[0].ops[-1]
                if len(before) == 1 and branch.name == "cf.cond_br" and branch.labels[0] != branch.labels[1]:
                    formula = self.form_of(branch.operands[0]).formula
                    formula = formula if labels[branch.labels[0]] is block else negated(formula)
                path = Path(path, map(dict, consequences(formula)), formula, len(before) == 1)
                for value in block.arguments:
                    self.forms[value.id] = self.anything(value, path)
            ends[id(block)] = path
            self.visit_ops(block, path)

    def check_use(self):
        """Nothing is in the file that no step needs."""
        for rows in [*self.proof.taken.values(), *self.proof.settled.values()]:
            need(all(row[1] for row in rows), "a certificate that nothing needs")
        need(len(self.proof.used_polys) == len(self.proof.polys), "a polynomial that nothing needs")

    def check_witness(self):
        """One launch meets contract and conditions: they do not contradict each other."""
        numbers = {name: int(one) for name, one in self.data["witness"].items()}

        def value(poly):
            total = 0
            for monomial, coefficient in poly.items():
                for atom in monomial:
                    coefficient *= value_of(self.atoms.all[atom])
                total += coefficient
            return total

        def is_true(formula):
            if isinstance(formula, bool):
                return formula
            if formula[0] == "ge":
                return value(dict(formula[1])) >= 0
            return (all if formula[0] == "all" else any)(is_true(one) for one in formula[1:])

        def value_of(atom):
            if atom.kind == "parameter":
                need(atom.more[0] in numbers, f"the witness lacks {atom.more[0]}")
                return numbers[atom.more[0]]
            need(atom.kind in ("quotient", "remainder", "minimum", "maximum", "selection"), "a condition on something else")
            if atom.kind == "selection":
                return value(dict(atom.operands[0 if is_true(atom.condition) else 1]))
            a, b = (value(dict(one)) for one in atom.operands)
            if atom.kind in ("quotient", "remainder"):
                need(b > 0, "the witness divides by zero")
            return {"quotient": lambda: a // b, "remainder": lambda: a % b, "minimum": lambda: min(a, b),
                    "maximum": lambda: max(a, b)}[atom.kind]()

        for name, (low, high) in self.data["parameters"].items():
            need(int(low) <= numbers.get(name, int(low)) <= int(high), f"the witness has another {name}")
        for (_, most), extent in zip(PROGRAMS, self.grid, strict=True):
            need(1 <= value(extent) <= most, "the witness has no such grid")
        for poly in [self.proof.poly(one) for one in self.data["contract"]["facts"]] + self.conditions:
            need(value(poly) >= 0, "the witness does not meet a condition")
        contract = self.data["contract"]
        for poly in [*contract["integers"].values(), *contract["elements"].values(), *sum(contract["data"].values(), [])]:
            value(self.proof.poly(poly))
        need(all(value(poly) >= 0 for poly in self.ragged.needs()), "no table of chunks fits the witness")

    def show(self, poly):
        """As text, from the polynomial: what a proof says in words may be wrong."""
        if not poly:
            return "0"
        terms = []
        for monomial, coefficient in sorted(poly.items(), reverse=True):
            letters = [self.show_atom(one) for one in monomial]
            terms.append("*".join([str(coefficient)] * (coefficient != 1 or not letters) + letters))
        return " + ".join(terms)

    def show_atom(self, number):
        atom = self.atoms.all[number]
        parts = [self.show(dict(one)) for one in atom.operands]
        if atom.kind == "selection":
            return f"({parts[0]} if {self.show_formula(atom.condition)} else {parts[1]})"
        word = {"quotient": "floor_div", "remainder": "mod", "minimum": "min", "maximum": "max"}.get(atom.kind)
        return f"{word}({', '.join(parts)})" if word else str(atom.more[0])

    def show_formula(self, formula):
        if isinstance(formula, bool):
            return str(formula)
        if formula[0] == "ge":
            return f"{self.show(dict(formula[1]))} >= 0"
        word = " and " if formula[0] == "all" else " or "
        return "(" + word.join(map(self.show_formula, formula[1:])) + ")"

    def report(self):
        contract = self.data["contract"]
        lines = [f"{self.data['kernel']}: proved for every launch with", f"  grid {', '.join(map(self.show, self.grid))}"]
        lines += [f"  {name} owns {self.show(self.proof.poly(one))} elements" for name, one in contract["elements"].items()]
        lines += [f"  {name} is {self.show(self.proof.poly(one))}" for name, one in contract["integers"].items()]
        lines += [f"  {low} <= {name} <= {high}" for name, (low, high) in self.data["parameters"].items()]
        lines += [f"  {self.show(self.proof.poly(one))} >= 0" for one in contract["facts"]]
        for name, (low, high) in contract["data"].items():
            rises = ", each at least the one before" if name in contract["rising"] else ""
            lines.append(f"  integers of {name} are {self.show(self.proof.poly(low))} .. {self.show(self.proof.poly(high))}{rises}")
        for name, (offsets, size, sequences, _) in self.ragged.tables.items():
            lines.append(f"  {name} has pairs (sequence, chunk), each once, chunk * {self.show(size)} inside one of {self.show(sequences)} sequences of {offsets}")
        lines += [f"  {self.show(one)} >= 0" for one in self.conditions]
        lines.append(f"properties: {', '.join(self.data['properties'])}; {self.pairs} pairs apart; {self.covered} outputs written")
        lines.append(f"{self.accesses} accesses in bounds, {self.integers} integers exact, {self.loops} loops; {self.steps} steps")
        return "\n".join(lines)
