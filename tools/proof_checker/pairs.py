"""Two accesses that never touch one byte: of two programs, or of two lanes of one store."""

import itertools

from proof_checker.algebra import add, constant, frozen, mul, need, plus, sub
from proof_checker.certificates import Context

SECOND = 100  # dimensions of a second lane


class Site:
    """An access where it is: the bytes, and what is >= 0 in lanes that are on."""

    def __init__(self, op, base, at, size, on, path, mask=True):
        self.op, self.base, self.at, self.size, self.on, self.path = op, base, at, size, on, path
        self.mask = mask
        self.writes, self.is_atomic = op.name != "tt.load", "atomic" in op.name


class Second:
    """Letters of a second point of the launch: "primed" of those that are no numbers of the launch."""

    def __init__(self, atoms):
        self.atoms = atoms

    def is_of_launch(self, number):
        atom = self.atoms.all[number]
        inside = [*atom.operands, *self.atoms.comparisons_of(number)]
        return atom.kind not in ("program", "lane", "counter", "unknown", "primed") and all(
            self.is_of_launch(one) for poly in inside for monomial, _ in poly for one in monomial)

    def primed(self, poly):
        result = {}
        for monomial, coefficient in poly.items():
            term = constant(coefficient)
            for one in monomial:
                other = one if self.is_of_launch(one) else self.atoms.make("primed", more=(one,))
                term = mul(term, {(other,): 1})
            result = add(result, term)
        return result

    def original(self, poly):
        """Of a polynomial of the second point and the launch alone; None: it names something else."""
        result = {}
        for monomial, coefficient in poly.items():
            letters = []
            for one in monomial:
                atom = self.atoms.all[one]
                if atom.kind != "primed" and not self.is_of_launch(one):
                    return None
                letters.append(atom.more[0] if atom.kind == "primed" else one)
            result = add(result, {tuple(sorted(letters)): coefficient})
        return result


class PairContext(Context):
    """Both points: what is known at the first, at the second, and of the comparison of the two."""

    def __init__(self, first, second, letters, ragged, facts=frozenset()):
        facts = ragged.between((first.path, second.path), letters.primed, facts)
        super().__init__(first.atoms, first.path, first.facts | facts)
        self.first, self.second, self.letters, self.ragged, self.compared = first, second, letters, ragged, facts

    def knows(self, poly):
        if super().knows(poly):
            return True
        original = self.letters.original(poly)
        return original is not None and self.second.knows(original)

    def is_positive(self, monomial):
        for one in monomial:
            atom = self.atoms.all[one]
            if atom.kind == "primed":
                if not self.second.is_positive((atom.more[0],)):
                    return False
            elif not super().is_positive((one,)):
                return False
        return True

    def cases(self, number, is_swapped):
        raise ValueError("cases at two points")

    def and_also(self, facts):
        return PairContext(self.first, self.second, self.letters, self.ragged, self.compared | facts)


class LaneContext(Context):
    """One point, two lanes: letters of the second lane are letters of the point, too."""

    def and_also(self, facts):
        return LaneContext(self.atoms, self.path, self.facts | facts)


class Pairs:
    """Checks the file's pairs against those that are owed."""

    def __init__(self, checker):
        self.checker, self.atoms = checker, checker.atoms
        self.given = {(kind, first, second): why for kind, first, second, why in checker.data["pairs"]}
        need(len(self.given) == len(checker.data["pairs"]), "a pair twice")

    def take(self, kind, first, second):
        why = self.given.pop((kind, first.op.number, second.op.number), None)
        need(why is not None, f"ops {first.op.number} and {second.op.number}: nothing says that they do not meet ({kind})")
        return why

    def check(self, sites, properties):
        """Every pair that is owed; the number of them."""
        count = 0
        for site in sites if "lanes" in properties else []:
            if site.writes and not site.is_atomic and site.op.operands[0].type.shape:
                self.check_lanes(site, self.take("lanes", site, site))
                count += 1
        for first, second in itertools.combinations_with_replacement(sites, 2) if "races" in properties else []:
            together = first.is_atomic and second.is_atomic and first.size == second.size
            if first.base is second.base and (first.writes or second.writes) and not together:
                self.check_programs(first, second, self.take("races", first, second))
                count += 1
        need(not self.given, "a pair that nobody owes")
        return count

    def check_programs(self, first, second, why):
        letters = Second(self.atoms)
        deciding = set()
        for name, extent in zip(("pid.x", "pid.y", "pid.z"), self.checker.grid, strict=True):
            if extent != constant(1):
                program = {(self.atoms.make("program", more=(name,)),): 1}
                deciding.add(frozen(sub(letters.primed(program), program)))
        context = PairContext(Context(self.atoms, first.path, first.on), Context(self.atoms, second.path, second.on), letters, self.checker.ragged)
        self.walk(why, context, (first.at, first.size), (letters.primed(second.at), second.size), deciding)

    def check_lanes(self, site, why):
        shape = site.op.operands[0].type.shape
        lanes = [self.atoms.lane(SECOND + d, extent) for d, extent in enumerate(shape)]
        deciding = {frozen(sub(lane, self.atoms.lane(d, shape[d]))) for d, lane in enumerate(lanes) if shape[d] != 1}
        memo = {}
        other = self.atoms.replaced(site.at, lanes, memo)
        on = {frozen(self.atoms.replaced(dict(one), lanes, memo)) for one in site.on}
        context = LaneContext(self.atoms, site.path, site.on | on)
        self.walk(why, context, (site.at, site.size), (other, site.size), deciding)

    def walk(self, why, context, first, second, deciding, equal=frozenset()):
        if why == "same" or "same" in why:
            for number, low, high in [] if why == "same" else why["same"]:
                difference = self.checker.proof.poly_of(number)
                ends = ((difference, low), (mul(difference, constant(-1)), high))
                need(all(self.checker.verifies(goal, one, context) for goal, one in ends), "two numbers are not equal")
                equal |= {frozen(difference)}
            need(deciding <= equal, "the same point, and nothing says so")
            return
        if "split" in why:
            difference = self.checker.proof.poly_of(why["split"])
            need(len(why["of"]) == 3, "cases of a comparison are missing")
            less, more = plus(mul(difference, constant(-1)), -1), plus(difference, -1)
            zero = {frozen(difference), frozen(mul(difference, constant(-1)))}
            for one, facts, also in zip(why["of"], ({frozen(less)}, zero, {frozen(more)}), (False, True, False), strict=True):
                inside = equal | {frozen(difference)} if also else equal
                self.walk(one, context.and_also(frozenset(facts)), first, second, deciding, inside)
            return
        (name, certificate), = why.items()
        need(name in ("forward", "backward"), "a pair in another form")
        before, behind = (first, second) if name == "forward" else (second, first)
        goal = plus(sub(behind[0], before[0]), -before[1])
        need(self.checker.verifies(goal, certificate, context), "accesses are not apart")
