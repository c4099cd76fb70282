"""Tables of chunks: pairs (sequence, chunk), each of which is there once and begins inside of its sequence of a table of
offsets; and what is loaded of one memory at two points of a launch."""

from proof_checker.algebra import add, frozen, mul, need, plus, sub
from proof_checker.letters import encloses


def place_in_pair(index):
    """0 or 1; None: either."""
    if any(monomial and coefficient % 2 for monomial, coefficient in index.items()):
        return None
    return index.get((), 0) % 2


class Ragged:
    """What the contract assumes of such tables, and what was loaded of them and of their offsets."""

    def __init__(self, checker):
        contract = checker.data["contract"]
        self.atoms, self.loaded, self.tables, self.highs = checker.atoms, [], {}, {}
        self.rising = set(contract["rising"])
        for name, (offsets, size, sequences) in contract["chunks"].items():
            need(offsets in contract["rising"], f"{name}: its offsets need not rise")
            need(name not in contract["data"] and offsets not in contract["chunks"], f"{name}: two assumptions")
            low, high = map(checker.proof.poly, contract["data"][offsets])
            self.highs[offsets] = high
            self.tables[name] = (offsets, checker.proof.poly(size), checker.proof.poly(sequences), plus(sub(high, low), -1))

    def needs(self):
        """Polynomials that are >= 0 where a launch can meet the assumptions."""
        for _, size, sequences, most in self.tables.values():
            yield from (plus(size, -1), plus(sequences, -1), most)

    def range_of(self, name, index):
        """Of the element `index` of a table; None: nothing is assumed."""
        place = place_in_pair(index)
        if name not in self.tables or place is None:
            return None
        _, _, sequences, most = self.tables[name]
        return ({}, plus(sequences, -1)) if place == 0 else ({}, most)

    def take(self, name, datum, index, path):
        """A scalar was loaded: what the pair says of it and others."""
        self.loaded.append((name, datum, index, path))
        if name in self.tables and place_in_pair(index) == 1:
            _, size, _, most = self.tables[name]
            self.atoms.fact(datum, sub(most, mul(size, {(datum,): 1})), path)
        for sequence in self.loaded:
            if sequence[0] in self.tables:
                for chunk in self.loaded:
                    for begin in self.loaded:
                        if self.belong_together(sequence, chunk, begin):
                            self.join(sequence, chunk, begin)

    def belong_together(self, sequence, chunk, begin):
        """A pair, and where its sequence begins."""
        return (chunk[0] == sequence[0] and place_in_pair(sequence[2]) == 0 and frozen(chunk[2]) == frozen(plus(sequence[2], 1))
                and begin[0] == self.tables[sequence[0]][0] and frozen(begin[2]) == frozen({(sequence[1],): 1}))

    def join(self, sequence, chunk, begin):
        """The chunk begins before its sequence ends, and before all of them do."""
        offsets, size, _, _ = self.tables[sequence[0]]
        first = plus(add({(begin[1],): 1}, mul(size, {(chunk[1],): 1})), 1)
        self.note((sequence, chunk, begin), sub(self.highs[offsets], first))
        for end in self.loaded:
            if end[0] == offsets and frozen(end[2]) == frozen(plus(begin[2], 1)):
                self.note((sequence, chunk, begin, end), sub({(end[1],): 1}, first))

    def note(self, named, fact):
        """Where all that it names is known."""
        for one in named:
            if all(encloses(other[3], one[3]) for other in named):
                self.atoms.fact(one[1], fact, one[3])

    # ---- two points of a launch ----

    def between(self, ways, primed, facts):
        """`facts`, with what follows of data at two points, where control came by the two `ways`; all are >= 0. No program
        writes the memory: an element is one number at both points; where it rises, later elements are not below earlier
        ones; and a pair is in its table once."""
        here, there = ([one for one in self.loaded if encloses(one[3], way)] for way in ways)
        all_facts, before = set(facts), -1
        while before != len(all_facts):
            before = len(all_facts)
            known = Known(all_facts)
            for one in here:
                for other in there:
                    if one[0] == other[0]:
                        all_facts |= self.compared(one, other, primed, known)
            for one in self.pairs_of(here):
                for other in self.pairs_of(there):
                    if one[0][0] == other[0][0] and all(known.is_zero(distance(a, b, primed)) for a, b in zip(one, other, strict=True)):
                        places = sub(primed(other[0][2]), one[0][2])
                        all_facts |= {frozen(places), frozen(sub({}, places))}
        return frozenset(all_facts)

    def compared(self, one, other, primed, known):
        places, numbers = sub(primed(other[2]), one[2]), distance(one, other, primed)
        behind, before = known.says(places), known.says(sub({}, places))
        rises = one[0] in self.rising
        return ({frozen(numbers)} if behind and (rises or before) else set()) | (
            {frozen(sub({}, numbers))} if before and (rises or behind) else set())

    def pairs_of(self, loaded):
        return [(sequence, chunk) for sequence in loaded if sequence[0] in self.tables and place_in_pair(sequence[2]) == 0
                for chunk in loaded if chunk[0] == sequence[0] and frozen(chunk[2]) == frozen(plus(sequence[2], 1))]


def distance(one, other, primed):
    """By how much the datum at the second point is above that at the first."""
    return sub(primed({(other[1],): 1}), {(one[1],): 1})


class Known:
    """Facts, for the question whether one of them says that something is >= 0, with a number more or less."""

    def __init__(self, facts):
        self.least = {}
        for fact in facts:
            poly = dict(fact)
            number = poly.pop((), 0)
            key = frozen(poly)
            self.least[key] = min(number, self.least.get(key, number))

    def says(self, poly):
        rest = {monomial: coefficient for monomial, coefficient in poly.items() if monomial}
        number = poly.get((), 0)
        return number >= 0 if not rest else frozen(rest) in self.least and self.least[frozen(rest)] <= number

    def is_zero(self, poly):
        return self.says(poly) and self.says(sub({}, poly))
