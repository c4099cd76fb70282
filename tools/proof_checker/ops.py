"""What ops make of forms, and what they owe: a table of its own."""

import re

from proof_checker.algebra import (add, at_least, constant, frozen, is_constant, joined, mul, need, negated, plus, sub)
from proof_checker.certificates import Goals
from proof_checker.kernel_text import size_of
from proof_checker.letters import Form, number_range, replaced_formula

PROGRAMS = [("pid.x", 2147483647), ("pid.y", 65535), ("pid.z", 65535)]


class Ops(Goals):
    """The forms of results."""

    def take_lemmas(self, op, path):
        """What the proof adds to the facts of quotients that this op made."""
        for number, goal in self.data["lemmas"].get(str(op.number), ()):
            letter, poly = self.proof.letter(number), self.proof.poly(goal)
            need(letter in self.made and self.proves(poly, op, path), f"op {op.number}: a lemma is not proved")
            self.atoms.fact(letter, poly, path)

    def anything(self, value, path, copy=0):
        width = value.type.width()
        if not width:
            return Form()
        lanes = [self.atoms.lane(i, extent) for i, extent in enumerate(value.type.shape)]
        number = self.atoms.make("unknown", lanes, (value.id, copy))
        atom = self.atoms.all[number]
        atom.home = path
        low, high = (0, 1) if width == 1 else number_range(width, True)
        if not atom.facts:
            self.atoms.fact(number, plus({(number,): 1}, -low), path)
            self.atoms.fact(number, plus({(number,): -1}, high), path)
            if low == 0:
                self.atoms.positive(number, path)
        if width == 1:
            return Form("truth", formula=at_least(plus({(number,): 1}, -1)))
        return Form("number", {(number,): 1})

    def loaded(self, op, low, high, mask, other, path):
        """What a load makes of memory whose integers are low to high; lanes that are off load nothing."""
        value = op.results[0]
        form = self.anything(value, path)
        if value.type.width() < 2:
            return form
        if mask is not None and (mask.kind != "truth" or not self.proves(sub(high, low), op, path)):
            return form
        datum = self.anything(value, path, 2).number
        number = next(iter(datum))[0]
        for fact in (sub(datum, low), sub(high, datum)):
            self.atoms.fact(number, fact, path)
        if self.proves(low, op, path):
            self.atoms.positive(number, path)
        if mask is None:
            return Form("number", datum)
        rest = other if other is not None and other.kind == "number" else self.anything(value, path, 3)
        return Form("number", self.chosen(mask.formula, datum, rest.number, op, path), debts=rest.debts)

    def look_at(self, form, kind, signed, op, path, debts):
        """The number is within its type where the op looks at it."""
        debts |= form.debts
        if form.kind == "number":
            self.owe(form.number, *number_range(kind.width(), signed), op, path, debts)

    def owe(self, number, low, high, op, path, debts):
        if self.proves(plus(number, -low), op, path) and self.proves(
                plus(mul(number, constant(-1)), high), op, path):
            self.integers += 1
        else:
            debts.add((frozen(number), low, high))

    def divide(self, x, d, is_whole, op, path):
        """Quotient (toward minus infinity) and remainder; d >= 1 was proved."""
        if not is_constant(d):
            if is_whole and self.proves(plus(sub(d, x), -1), op, path):
                return {}, x
            return self.division(x, d, is_whole, is_whole and self.proves(sub(x, d), op, path), path)
        divisor = d[()]
        if divisor == 1:
            return x, {}
        whole = {monomial: one // divisor for monomial, one in x.items() if one // divisor}
        rest = {monomial: one % divisor for monomial, one in x.items() if one % divisor}
        if is_constant(rest) or (self.proves(rest, op, path) and self.proves(plus(sub(d, rest), -1), op, path)):
            return whole, rest
        is_whole = is_whole and not whole
        is_filled = self.proves(sub(rest, d), op, path)
        is_whole = is_whole or is_filled or self.proves(rest, op, path)
        quotient, remainder = self.division(rest, d, is_whole, is_filled, path)
        return add(whole, quotient), remainder

    def division(self, x, d, is_whole, is_filled, path):
        q, r = (self.atoms.make(kind, [x, d]) for kind in ("quotient", "remainder"))
        self.made.append(q)
        quotient, remainder = {(q,): 1}, {(r,): 1}
        rest = sub(sub(x, mul(d, quotient)), remainder)
        self.atoms.positive(r, path)
        for row in (plus(sub(d, remainder), -1), rest, mul(rest, constant(-1)), plus(d, -1)):
            self.atoms.fact(r, row, path)
        self.atoms.fact(q, rest, path)
        self.atoms.fact(q, mul(rest, constant(-1)), path)
        if is_whole:
            self.atoms.positive(q, path)
            self.atoms.fact(q, sub(x, quotient), path)
            self.atoms.fact(r, sub(x, remainder), path)
        if is_filled:
            self.atoms.fact(q, plus(quotient, -1), path)
        return quotient, remainder

    def extremum(self, kind, a, b):
        number = self.atoms.make(kind, [a, b])
        here = {(number,): 1}
        for one in (a, b):
            self.atoms.fact(number, sub(one, here) if kind == "minimum" else sub(here, one), None)
        return number

    def chosen(self, condition, a, b, op, path):
        if a == b or condition is True:
            return a
        if condition is False:
            return b
        number = self.atoms.make("selection", [a, b], condition=condition)
        here = {(number,): 1}
        if self.proves(a, op, path) and self.proves(b, op, path):
            self.atoms.positive(number, path)
        for high, low in ((a, b), (b, a)):
            if self.proves(sub(high, low), op, path):
                self.atoms.fact(number, sub(high, here), path)
                self.atoms.fact(number, sub(here, low), path)
                break
        return here

    def choose(self, condition, a, b, op, path):
        if a.kind != b.kind or condition.kind != "truth" or a.base is not b.base:
            return None
        debts = a.debts | b.debts | condition.debts
        if a.kind in ("number", "pointer"):
            return Form(a.kind, self.chosen(condition.formula, a.number, b.number, op, path), base=a.base, debts=debts)
        if a.kind != "truth":
            return None
        formula = joined("any", joined("all", condition.formula, a.formula),
                         joined("all", negated(condition.formula), b.formula))
        return Form("truth", formula=formula, debts=debts)

    def with_lanes(self, form, lanes):
        memo = {}
        debts = {(frozen(self.atoms.replaced(dict(one), lanes, memo)), low, high) for one, low, high in form.debts}
        return Form(form.kind, self.atoms.replaced(form.number, lanes, memo),
                    replaced_formula(self.atoms, form.formula, lanes, memo), form.base, frozenset(debts))

    # ---- ops ----

    def result(self, op, path):
        """The form of its one result; None: no rule."""
        forms = [self.form_of(one) for one in op.operands]
        short = op.name.split(".", 1)[1]
        if op.name in ("arith.select", "scf.if"):
            return self.choose(*forms, op, path)
        if op.name == "tt.addptr":
            return self.displaced(op, *forms, path)
        if op.name in ("tt.splat", "tt.unsplat", "tt.broadcast", "tt.expand_dims", "tt.trans", "tt.reshape"):
            return self.moved(op, forms[0], path)
        if op.name == "tt.bitcast" and forms[0].kind == "pointer" and op.results[0].type.pointee:
            return forms[0]
        if op.name == "tt.make_range":
            start = re.search(r"start = (\d+) : i32", op.text)
            return Form("number", plus(self.atoms.lane(0, op.results[0].type.shape[0]), int(start[1])))
        if op.name in ("tt.get_program_id", "tt.get_num_programs"):
            axis = "xyz".index(re.match(r" (\w)", op.text)[1])
            number = {(self.atoms.make("program", more=(PROGRAMS[axis][0],)),): 1}
            return Form("number", number if short == "get_program_id" else self.grid[axis])
        if not op.name.startswith("arith.") or not op.results[0].type.width():
            return None
        if short == "constant":
            return self.constant(op)
        if short in ("extsi", "extui", "trunci", "index_cast", "index_castui"):
            return self.converted(op, forms[0], path, not short.endswith("ui"))
        if short == "cmpi":
            return self.compared(op, *forms, path)
        if len(forms) != 2:
            return None
        if op.results[0].type.width() == 1:
            return self.combined(short, *forms)
        if any(one.kind != "number" for one in forms):
            return None
        return self.calculated(short, op, *forms, path)

    @staticmethod
    def constant(op):
        found = re.match(r" (?:dense<)?(true|false|-?\d+)>?(?: : |$)", op.text)
        if not found:
            return None
        word = found[1]
        if op.results[0].type.width() == 1:
            return Form("truth", formula=word not in ("false", "0"))
        return Form("number", constant(int(word)))

    @staticmethod
    def combined(short, a, b):
        if a.kind != "truth" or b.kind != "truth" or short not in ("andi", "ori", "xori"):
            return None
        x, y = a.formula, b.formula
        formula = joined("any" if short == "ori" else "all", x, y)
        if short == "xori":
            formula = joined("any", joined("all", x, negated(y)), joined("all", negated(x), y))
        return Form("truth", formula=formula, debts=a.debts | b.debts)

    def calculated(self, short, op, a, b, path):
        kind = op.results[0].type
        both = a.debts | b.debts
        if short in ("addi", "subi", "muli"):
            number = mul(a.number, b.number) if short == "muli" else add(a.number, b.number, 1 if short == "addi" else -1)
            return Form("number", number, debts=both)
        if short in ("divsi", "divui", "remsi", "remui", "floordivsi"):
            return self.divided(short, op, a, b, path)
        if short in ("shli", "shrsi", "shrui"):
            return self.shifted(short, op, a, b, path)
        if short == "andi":
            mask, value = (b, a) if is_constant(b.number) else (a, b)
            size = mask.number.get((), 0) + 1
            if not is_constant(mask.number) or size < 1 or size & (size - 1):
                return None
            is_whole = self.proves(value.number, op, path)
            return Form("number", self.divide(value.number, constant(size), is_whole, op, path)[1], debts=both)
        if short in ("minsi", "maxsi", "minui", "maxui"):
            debts = set()
            for one in (a, b):
                self.look_at(one, kind, short.endswith("si"), op, path, debts)
            return Form("number", self.extreme(short.startswith("min"), op, a.number, b.number, path)).with_debts(debts)
        return None

    def extreme(self, is_minimum, op, a, b, path):
        if self.proves(sub(a, b), op, path):
            return b if is_minimum else a
        if self.proves(sub(b, a), op, path):
            return a if is_minimum else b
        number = self.extremum("minimum" if is_minimum else "maximum", a, b)
        signs = [self.proves(one, op, path) for one in (a, b)]
        if all(signs) if is_minimum else any(signs):
            self.atoms.positive(number, path)
        if is_minimum and self.proves(plus(a, -1), op, path) and self.proves(plus(b, -1), op, path):
            self.atoms.fact(number, plus({(number,): 1}, -1), path)
        return {(number,): 1}

    def divided(self, short, op, a, b, path):
        signed, debts = not short.endswith("ui"), set()
        kind = op.results[0].type
        self.look_at(a, kind, signed, op, path, debts)
        self.look_at(b, kind, signed, op, path, debts)
        self.owe(b.number, 1, number_range(kind.width(), signed)[1], op, path, debts)
        is_whole = self.proves(a.number, op, path)
        form = self.anything(op.results[0], path)
        if self.proves(plus(b.number, -1), op, path):
            if is_whole or short == "floordivsi":
                parts = self.divide(a.number, b.number, is_whole, op, path)
            else:
                parts = self.divide_toward_zero(a.number, b.number, op, path)
            form = Form("number", parts[1 if short.startswith("rem") else 0])
        return form.with_debts(debts)

    def divide_toward_zero(self, x, d, op, path):
        """As C divides: below 0 it is the quotient of x + d - 1 toward minus infinity."""
        low = self.divide(x, d, False, op, path)
        high = self.divide(plus(add(x, d), -1), d, False, op, path)
        whole = at_least(x)
        return (self.chosen(whole, low[0], high[0], op, path),
                self.chosen(whole, low[1], plus(sub(high[1], d), 1), op, path))

    def shifted(self, short, op, a, b, path):
        by, width = b.number.get((), 0), op.results[0].type.width()
        if not is_constant(b.number) or not 0 <= by < width:
            return None
        if short == "shli":
            return Form("number", mul(a.number, constant(1 << by)), debts=a.debts | b.debts)
        debts = set(a.debts | b.debts)
        self.look_at(a, op.results[0].type, short == "shrsi", op, path, debts)
        is_whole = self.proves(a.number, op, path)
        return Form("number", self.divide(a.number, constant(1 << by), is_whole, op, path)[0]).with_debts(debts)

    def compared(self, op, a, b, path):
        predicate = re.match(r" (\w+),", op.text)[1]
        if a.kind != "number" or b.kind != "number":
            return None
        debts = set()
        for one, operand in ((a, op.operands[0]), (b, op.operands[1])):
            self.look_at(one, operand.type, not predicate.startswith("u"), op, path, debts)
        more = at_least(sub(a.number, b.number))
        less = at_least(sub(b.number, a.number))
        formula = {"eq": lambda: joined("all", more, less), "ne": lambda: negated(joined("all", more, less)),
                   "lt": lambda: negated(more), "le": lambda: less, "gt": lambda: negated(less), "ge": lambda: more}
        return Form("truth", formula=formula[predicate[-2:]]()).with_debts(debts)

    def converted(self, op, form, path, signed):
        source, target = op.operands[0].type, op.results[0].type
        if form.kind == "truth" and source.width() == 1:
            number = self.chosen(form.formula, constant(-1 if signed else 1), {}, op, path)
            return Form("number", number, debts=form.debts)
        if form.kind != "number" or target.width() == 1:
            return None
        debts = set(form.debts)
        if target.width() > source.width():
            self.look_at(form, source, signed, op, path, debts)
        return Form("number", form.number).with_debts(debts)

    def displaced(self, op, pointer, offset, path):
        if pointer.kind != "pointer" or offset.kind != "number":
            return None
        size = size_of(op.operands[0].type.pointee)
        debts = set(pointer.debts | offset.debts)
        if op.operands[1].type.width() < 64:
            self.look_at(offset, op.operands[1].type, True, op, path, debts)
        number = add(pointer.number, mul(offset.number, constant(size)))
        return Form("pointer", number, base=pointer.base).with_debts(debts)

    def moved(self, op, form, path):
        if form.kind is None or "allow_reorder" in op.text:
            return None
        source, target = op.operands[0].type.shape, op.results[0].type.shape

        def lane(d):
            return self.atoms.lane(d, target[d])

        if op.name == "tt.splat":
            return form
        if op.name == "tt.unsplat":
            lanes = [{}] * len(source)
        elif op.name == "tt.broadcast":
            lanes = [{} if extent == 1 else lane(d) for d, extent in enumerate(source)]
        elif op.name == "tt.expand_dims":
            axis = int(re.search(r"axis = (\d+) : i32", op.text)[1])
            lanes = [lane(d if d < axis else d + 1) for d in range(len(source))]
        elif op.name == "tt.trans":
            order = [int(one) for one in re.search(r"order = array<i32: ([\d, ]+)>", op.text)[1].split(",")]
            lanes = [{}] * len(source)
            for d, one in enumerate(order):
                lanes[one] = lane(d)
        else:
            number, stride, lanes = {}, 1, []
            for d in reversed(range(len(target))):
                number = add(number, mul(lane(d), constant(stride)))
                stride *= target[d]
            for extent in reversed(source):
                number, rest = self.divide(number, constant(extent), True, op, path)
                lanes.insert(0, rest)
        return self.with_lanes(form, lanes)
