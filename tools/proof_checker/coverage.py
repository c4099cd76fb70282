"""Outputs of which every element is written: for an element, as letters, the file says the point at which a store writes it.

What is checked: the point is one of the launch, control arrives there, the mask is on, the address is the element's."""

from proof_checker.algebra import (add, at_least, constant, consequences, frozen, joined, mul, need, negated, plus,
                                   sub)

PROGRAMS = ("pid.x", "pid.y", "pid.z")


class Point:
    """Polynomials and formulas at a chosen point. What is known of quotients there is proved anew, everywhere."""

    def __init__(self, checker, op, root):
        self.checker, self.atoms, self.op, self.root = checker, checker.atoms, op, root
        self.values, self.known = {}, {}

    def proves(self, goal):
        return self.checker.proves(goal, self.op, self.root)

    def is_of_launch(self, number):
        atom = self.atoms.all[number]
        inside = [*atom.operands, *self.atoms.comparisons_of(number)]
        return atom.kind in ("parameter", "quotient", "remainder", "minimum", "maximum", "selection") and all(
            self.is_of_launch(one) for poly in inside for monomial, _ in poly for one in monomial)

    def put(self, poly):
        result = {}
        for monomial, coefficient in poly.items():
            term = constant(coefficient)
            for number in monomial:
                term = mul(term, self.put_letter(number))
            result = add(result, term)
        return result

    def put_formula(self, formula):
        if isinstance(formula, bool):
            return formula
        need(formula is not None, f"op {self.op.number}: a condition without a form")
        if formula[0] == "ge":
            return at_least(self.put(dict(formula[1])))
        return joined(formula[0], self.put_formula(formula[1]), self.put_formula(formula[2]))

    def put_letter(self, number):
        if number in self.values:
            return self.values[number]
        if number not in self.known:
            self.known[number] = {(number,): 1} if self.is_of_launch(number) else self.put_parts(number)
        return self.known[number]

    def put_parts(self, number):
        atom = self.atoms.all[number]
        need(atom.kind in ("quotient", "remainder", "minimum", "maximum", "selection"), f"op {self.op.number}: a letter without a value")
        a, b = (self.put(dict(one)) for one in atom.operands)
        if atom.kind in ("minimum", "maximum"):
            return self.checker.extreme(atom.kind == "minimum", self.op, a, b, self.root)
        if atom.kind != "selection":
            return self.divide(a, b)[0 if atom.kind == "quotient" else 1]
        condition = self.put_formula(atom.condition)
        if self.holds(condition):
            return a
        need(self.holds(negated(condition)), f"op {self.op.number}: a choice that nothing decides")
        return b

    def holds(self, formula):
        if isinstance(formula, bool):
            return formula
        if formula[0] == "ge":
            return self.proves(dict(formula[1]))
        return (all if formula[0] == "all" else any)(self.holds(one) for one in formula[1:])

    def divide(self, x, d):
        if d == constant(1):
            return x, {}
        whole, rest = {}, {}
        if len(d) == 1 and next(iter(d.values())) > 0:
            (letters, factor), = d.items()
            for monomial, coefficient in x.items():
                others = quotient_of(monomial, letters)
                share = coefficient // factor if others is not None else 0
                whole = add(whole, {others: share} if share else {})
                left = coefficient - share * factor
                rest = add(rest, {monomial: left} if left else {})
        else:
            rest = x
        if not rest or (self.proves(rest) and self.proves(sub(plus(d, -1), rest))):
            return whole, rest
        need(self.proves(plus(d, -1)), f"op {self.op.number}: a divisor may be 0")
        is_whole = self.proves(rest)
        quotient, remainder = self.checker.division(rest, d, is_whole, is_whole and self.proves(sub(rest, d)), self.root)
        return add(whole, quotient), remainder

    def admit(self, poly):
        """The letters of a chosen value: numbers of the launch, elements, and quotients and minima of these."""
        for monomial in sorted(poly):
            for number in monomial:
                atom = self.atoms.all[number]
                if atom.kind == "element" or self.is_of_launch(number):
                    continue
                need(atom.kind in ("quotient", "remainder", "minimum", "maximum"), f"op {self.op.number}: a value that names something else")
                x, d = map(dict, atom.operands)
                self.admit(x)
                self.admit(d)
                if atom.kind in ("minimum", "maximum"):
                    self.checker.extreme(atom.kind == "minimum", self.op, x, d, self.root)
                    continue
                need(self.proves(plus(d, -1)) and self.proves(x), f"op {self.op.number}: a value that divides by nothing")
                self.checker.division(x, d, True, self.proves(sub(x, d)), self.root)
                if atom.kind == "quotient":
                    self.add_lemmas(number)

    def add_lemmas(self, quotient):
        """What the file says to be below a size of the grid."""
        for size in sorted({one for extent in self.checker.grid for monomial in extent for one in monomial}):
            goal = plus(sub({(size,): 1}, {(quotient,): 1}), -1)
            if self.proves(goal):
                self.atoms.fact(quotient, goal, self.root)


def quotient_of(monomial, letters):
    """The rest of a product; None: it has not all of the letters."""
    rest = list(monomial)
    for one in letters:
        if one not in rest:
            return None
        rest.remove(one)
    return tuple(rest)


class Coverage:
    def __init__(self, checker, root):
        self.checker, self.atoms, self.root = checker, checker.atoms, root

    def check(self, sites):
        """Every output of the contract is written; the number of them."""
        rows = self.checker.data["coverings"]
        given = {row[0]: row[1:] for row in rows}
        outputs = self.checker.data["contract"]["outputs"] if "coverage" in self.checker.data["properties"] else {}
        need(len(given) == len(rows) and set(given) == set(outputs), "an output without a store, or one that nobody asks for")
        for name, (sizes, covered) in given.items():
            shape, strides = ([self.checker.proof.poly(one) for one in rest] for rest in outputs[name])
            letters = []
            element = self.element(name, sizes, shape, strides, letters)
            self.covered(name, covered, frozenset(), sites, element, set(letters))
            self.forget(set(letters))
        return len(given)

    def forget(self, letters):
        """An output may have no elements; what is known of one would say anything of the others."""
        for number, atom in enumerate(self.atoms.all):  # operands come first
            inside = [*map(dict, atom.operands), *map(dict, self.atoms.comparisons_of(number))]
            if number in letters or any(one in letters for poly in inside for monomial in poly for one in monomial):
                letters.add(number)
                self.atoms.forget(number)

    def covered(self, name, covered, facts, sites, element, letters):
        """One store writes all elements of which `facts` are >= 0; or they are told apart by a number that each of them has."""
        if isinstance(covered, dict):
            need(set(covered) == {"split", "of"} and len(covered["of"]) == 2, f"{name}: cases are missing")
            difference = self.checker.proof.poly_of(covered["split"])
            need(self.is_of_elements(difference, letters), f"{name}: a case of something else than elements")
            for one, fact in zip(covered["of"], (difference, plus(mul(difference, constant(-1)), -1)), strict=True):
                self.covered(name, one, facts | {frozen(fact)}, sites, element, letters)
            return
        number, chosen = covered
        found = [one for one in sites if one.op.number == number and one.op.name == "tt.store"]
        need(len(found) == 1, f"{name}: no such store")
        index = int(found[0].base.id.rsplit(".", 1)[1])
        need(self.checker.data["arguments"][index] == name, f"{name}: the store is to another argument")
        self.covers(found[0], element, chosen, facts)

    def is_of_elements(self, poly, letters):
        """Whether it is one number for each element of a launch."""
        for monomial in poly:
            for number in monomial:
                atom = self.atoms.all[number]
                if atom.kind == "parameter" or number in letters:
                    continue
                inside = [*map(dict, atom.operands), *map(dict, self.atoms.comparisons_of(number))]
                known = atom.kind in ("quotient", "remainder", "minimum", "maximum", "selection")
                if not known or not all(self.is_of_elements(one, letters) for one in inside):
                    return False
        return True

    def element(self, name, sizes, shape, strides, letters):
        """The place of an element, in elements. Dimensions that lie without gaps may be taken together."""
        need(len(shape) == len(strides) == sum(sizes) and all(size >= 1 for size in sizes), f"{name}: other dimensions")
        kind, at, d = ":".join([name, *map(str, sizes)]), {}, 0
        for index, size in enumerate(sizes):
            extent = shape[d]
            for _ in range(size - 1):
                need(strides[d] == mul(strides[d + 1], shape[d + 1]), f"{name}: gaps between dimensions")
                d += 1
                extent = mul(extent, shape[d])
            letter = self.atoms.make("element", more=(kind, index))
            letters.append(letter)
            self.atoms.positive(letter, None)
            self.atoms.fact(letter, sub(plus(extent, -1), {(letter,): 1}), None)
            at = add(at, mul({(letter,): 1}, strides[d]))
            d += 1
        return at

    def covers(self, site, element, chosen, facts):
        op, point = site.op, Point(self.checker, site.op, self.root)
        values = {self.checker.proof.letter(letter): self.checker.proof.poly_of(value) for letter, value in chosen}
        need(len(values) == len(chosen), f"op {op.number}: a letter with two values")
        extents = {}  # of letters that may be chosen; None: the path says
        for name, extent in zip(PROGRAMS, self.checker.grid, strict=True):
            extents[self.atoms.make("program", more=(name,))] = extent
        for d, extent in enumerate(op.operands[0].type.shape):
            if extent > 1:
                extents[next(iter(self.atoms.lane(d, extent)))[0]] = constant(extent)
        way = []
        path = site.path
        while path is not None and path.parent is not None:
            way.insert(0, path)
            if path.turn is not None:
                extents[path.turn[0]] = None
            path = path.parent
        need(path is self.root and set(values) <= set(extents), f"op {op.number}: a letter of another place")
        for value in values.values():
            point.admit(value)
        point.values = {letter: values.get(letter, {}) for letter in extents}
        for letter, value in values.items():
            self.checker.settle(value, op, self.root, facts, "a chosen point")
            if extents[letter] is not None:
                self.checker.settle(sub(plus(extents[letter], -1), value), op, self.root, facts, "a chosen point")
        elements = facts
        for path in way:
            need(path.is_certain, f"op {op.number}: nothing says that control arrives")
            facts = self.holds(op, point.put_formula(path.condition), facts)
            if path.turn is not None:
                rest = point.put(path.turn[1])
                self.checker.settle(rest, op, self.root, facts, "a turn of a loop")
                facts |= {frozen(rest)}
        self.holds(op, point.put_formula(site.mask), facts)
        difference = sub(point.put(site.at), mul(element, constant(site.size)))
        for goal in (difference, mul(difference, constant(-1))):
            self.checker.settle(goal, op, self.root, elements, "the element's address")

    def holds(self, op, formula, facts):
        """Of two of which one must hold: the first where the second does not, or the other way round. The facts, with what
        it says."""
        if formula is False or (formula is not True and formula[0] == "ge"):
            self.checker.settle(constant(-1) if formula is False else dict(formula[1]), op, self.root, facts, "a mask or condition")
        elif formula is not True and formula[0] == "all":
            self.holds(op, formula[1], facts)
            self.holds(op, formula[2], facts)
        elif formula is not True:
            a, b = negated(formula[1]), negated(formula[2])
            swaps = isinstance(b, tuple) and b[0] == "any" and not (isinstance(a, tuple) and a[0] == "any")
            self.holds(op, formula[2 if swaps else 1], facts | consequences(a if swaps else b))
        return facts | consequences(formula)
