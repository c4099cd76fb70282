"""Letters of polynomials, and where what is known of them holds; forms of values."""

from proof_checker.algebra import add, at_least, comparisons, constant, frozen, joined, mul, plus


class Path:
    """condition: what sends control here from the parent, as a whole; turn: a loop's letter, and what is >= 0 in its turns."""

    def __init__(self, parent, facts=(), condition=True, is_certain=True):
        self.parent, self.facts = parent, {frozen(one) for one in facts}
        self.condition, self.is_certain, self.turn = condition, is_certain, None


def encloses(outer, inner):
    while outer is not None and inner is not None and inner is not outer:
        inner = inner.parent
    return outer is None or inner is outer


NOWHERE = Path(None)


class Atom:
    def __init__(self, kind, operands, more):
        self.kind, self.operands, self.more = kind, operands, more  # operands: frozen polynomials
        self.has_lanes = kind == "lane"
        # Where it may be named; for what an op makes: nowhere, until the op was seen.
        self.home = NOWHERE if kind in ("unknown", "counter") else None
        self.condition = None
        self.facts, self.not_negative = [], []  # with the path of each


class Atoms:
    def __init__(self):
        self.all, self.known, self.facts = [], {}, {}

    def make(self, kind, operands=(), more=(), condition=None):
        if kind in ("minimum", "maximum"):
            operands = sorted(operands, key=frozen)
        rows = tuple(frozen(one) for one in operands)
        key = (kind, rows, more, condition)
        if key not in self.known:
            atom = Atom(kind, rows, more)
            atom.condition = condition
            inside = list(rows) + list(comparisons(condition))
            atom.has_lanes = atom.has_lanes or any(self.has_lanes(dict(one)) for one in inside)
            self.known[key] = len(self.all)
            self.all.append(atom)
        return self.known[key]

    def fact(self, atom, poly, path):
        row = frozen(poly)
        self.facts.setdefault(row, []).append(path)
        self.all[atom].facts.append((row, path))

    def forget(self, atom):
        """Nothing is known of it any more."""
        for row, path in self.all[atom].facts:
            self.facts[row].remove(path)
        self.all[atom].facts, self.all[atom].not_negative = [], []

    def positive(self, atom, path):
        self.all[atom].not_negative.append(path)

    def has_lanes(self, poly):
        return any(self.all[atom].has_lanes for monomial in poly for atom in monomial)

    def lane(self, dimension, extent):
        if extent == 1:
            return {}
        atom = self.make("lane", more=(dimension, extent))
        if not self.all[atom].facts:
            self.positive(atom, None)
            self.fact(atom, plus({(atom,): -1}, extent - 1), None)
        return {(atom,): 1}

    def replaced(self, poly, lanes, memo):
        """Lane d becomes lanes[d]; what is known of atoms holds in every lane, so in those."""
        result = {}
        for monomial, coefficient in poly.items():
            term = constant(coefficient)
            for atom in monomial:
                term = mul(term, self.replaced_atom(atom, lanes, memo))
            result = add(result, term)
        return result

    def replaced_atom(self, number, lanes, memo):
        atom = self.all[number]
        if not atom.has_lanes:
            return {(number,): 1}
        if atom.kind == "lane":
            return lanes[atom.more[0]]
        if number not in memo:
            operands = [self.replaced(dict(one), lanes, memo) for one in atom.operands]
            condition = replaced_formula(self, atom.condition, lanes, memo)
            memo[number] = self.make(atom.kind, operands, atom.more, condition)
            new = self.all[memo[number]]
            new.home = atom.home
            for path in atom.not_negative:
                if path not in new.not_negative:
                    self.positive(memo[number], path)
            for fact, path in list(atom.facts):
                row = self.replaced(dict(fact), lanes, memo)
                if (frozen(row), path) not in new.facts:
                    self.fact(memo[number], row, path)
        return {(memo[number],): 1}

    def comparisons_of(self, number):
        return comparisons(self.all[number].condition)

    def may_be_named(self, poly, path):
        for monomial in poly:
            for number in monomial:
                atom = self.all[number]
                if not encloses(atom.home, path):
                    return False
                if not all(self.may_be_named(dict(one), path) for one in atom.operands):
                    return False
                if not all(self.may_be_named(dict(one), path) for one in comparisons(atom.condition)):
                    return False
        return True


def replaced_formula(atoms, formula, lanes, memo):
    if formula is None or isinstance(formula, bool):
        return formula
    if formula[0] == "ge":
        return at_least(atoms.replaced(dict(formula[1]), lanes, memo))
    return joined(formula[0], *(replaced_formula(atoms, one, lanes, memo) for one in formula[1:]))


class Form:
    """kind: number, truth, pointer, descriptor or None. debts: (polynomial, low, high), owed where it is used."""

    def __init__(self, kind=None, number=None, formula=None, base=None, debts=frozenset()):
        self.kind, self.number, self.formula, self.base, self.debts = kind, number or {}, formula, base, debts

    def with_debts(self, debts):
        return Form(self.kind, self.number, self.formula, self.base, frozenset(debts))


def number_range(width, signed):
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
