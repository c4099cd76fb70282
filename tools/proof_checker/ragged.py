"""Tables of chunks: pairs (sequence, chunk), each of which begins inside of its sequence of a table of offsets."""

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
