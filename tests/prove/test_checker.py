#!/usr/bin/env python3
"""The checker's own rules, over all small integers: facts of letters, negation, cases, and steps of certificates."""

import itertools
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from proof_checker import algebra  # noqa: E402
from proof_checker.certificates import Context  # noqa: E402
from proof_checker.coverage import Coverage  # noqa: E402
from proof_checker.letters import Atoms, Path as Place  # noqa: E402
from proof_checker.ops import Ops  # noqa: E402

SMALL = range(-7, 8)


def evaluate(atoms, poly, numbers):
    total = 0
    for monomial, coefficient in poly.items():
        for letter in monomial:
            coefficient *= value_of(atoms, letter, numbers)
        total += coefficient
    return total


def value_of(atoms, letter, numbers):
    atom = atoms.all[letter]
    if letter in numbers:
        return numbers[letter]
    a, b = (evaluate(atoms, dict(one), numbers) for one in atom.operands)
    if atom.kind == "selection":
        return a if is_true(atoms, atom.condition, numbers) else b
    return {"quotient": lambda: a // b, "remainder": lambda: a % b, "minimum": lambda: min(a, b),
            "maximum": lambda: max(a, b)}[atom.kind]()


def is_true(atoms, formula, numbers):
    if isinstance(formula, bool):
        return formula
    if formula[0] == "ge":
        return evaluate(atoms, dict(formula[1]), numbers) >= 0
    parts = [is_true(atoms, one, numbers) for one in formula[1:]]
    return all(parts) if formula[0] == "all" else any(parts)


class Rules(Ops):
    """Without a file: what a certificate would have to prove is said."""

    def __init__(self, known=()):
        self.atoms, self.known, self.made = Atoms(), known, []
        self.x, self.y = (self.atoms.make("parameter", more=(name,)) for name in "xy")

    def proves(self, goal, op, path):
        return algebra.frozen(goal) in self.known


def check_facts(rules, place, numbers, where):
    for letter, atom in enumerate(rules.atoms.all):
        for fact, _ in atom.facts:
            assert evaluate(rules.atoms, dict(fact), numbers) >= 0, (where, fact, numbers)
        if atom.not_negative:
            assert value_of(rules.atoms, letter, numbers) >= 0, (where, atom.kind, numbers)


def divisions():
    for is_whole, is_filled in itertools.product([False, True], repeat=2):
        rules, place = Rules(), Place(None)
        rules.division({(rules.x,): 1}, {(rules.y,): 1}, is_whole, is_filled, place)
        for x, d in itertools.product(SMALL, range(1, 8)):
            if (x >= 0 or not is_whole) and (x >= d or not is_filled):
                check_facts(rules, place, {rules.x: x, rules.y: d}, "division")


def divisions_by_numbers():
    """a*x + b by d: what needs no letter is split off."""
    for a, b, d in itertools.product(range(-4, 5), range(-4, 5), range(1, 5)):
        rules, place = Rules(), Place(None)
        number = algebra.plus({(rules.x,): a} if a else {}, b)
        quotient, remainder = rules.divide(number, algebra.constant(d), False, None, place)
        for x in SMALL:
            numbers = {rules.x: x, rules.y: 1}
            whole = a * x + b
            assert evaluate(rules.atoms, quotient, numbers) == whole // d, (a, b, d, x)
            assert evaluate(rules.atoms, remainder, numbers) == whole % d, (a, b, d, x)
            check_facts(rules, place, numbers, "division by a number")


def divisions_toward_zero():
    """What C's / and % give, also below 0."""
    rules, place = Rules(), Place(None)
    quotient, remainder = rules.divide_toward_zero({(rules.x,): 1}, {(rules.y,): 1}, None, place)
    for x, d in itertools.product(SMALL, range(1, 8)):
        numbers = {rules.x: x, rules.y: d}
        assert evaluate(rules.atoms, quotient, numbers) == (x // d if x >= 0 else -(-x // d)), (x, d)
        assert evaluate(rules.atoms, remainder, numbers) == (x % d if x >= 0 else -(-x % d)), (x, d)
        check_facts(rules, place, numbers, "division toward zero")


def choices():
    plain = Rules()
    x, y = {(plain.x,): 1}, {(plain.y,): 1}
    claims = [x, y, algebra.sub(x, y), algebra.sub(y, x), algebra.plus(x, -1), algebra.plus(y, -1)]
    for known in itertools.chain.from_iterable(itertools.combinations(claims, size) for size in range(4)):
        rules, place = Rules({algebra.frozen(one) for one in known}), Place(None)
        least, most = rules.extreme(True, None, x, y, place), rules.extreme(False, None, x, y, place)
        condition = algebra.at_least(algebra.plus(algebra.add(x, y), -2))
        chosen = rules.chosen(condition, x, y, None, place)
        for a, b in itertools.product(SMALL, repeat=2):
            numbers = {rules.x: a, rules.y: b}
            if all(evaluate(rules.atoms, one, numbers) >= 0 for one in known):
                check_facts(rules, place, numbers, "choice")
                assert evaluate(rules.atoms, least, numbers) == min(a, b)
                assert evaluate(rules.atoms, most, numbers) == max(a, b)
                assert evaluate(rules.atoms, chosen, numbers) == (a if a + b >= 2 else b)


def formulas(pick):
    """Negation is negation; consequences and alternatives follow; of the cases of a letter one is always there."""
    rules = Rules()
    x, y = {(rules.x,): 1}, {(rules.y,): 1}

    def formula(depth):
        if depth == 0 or pick.randrange(4) == 0:
            poly = algebra.plus(algebra.add(algebra.mul(x, algebra.constant(pick.randrange(-2, 3))), y, pick.randrange(-2, 3)),
                                pick.randrange(-4, 5))
            return algebra.at_least(poly)
        return algebra.joined(pick.choice(["all", "any"]), formula(depth - 1), formula(depth - 1))

    for _ in range(200):
        one = formula(3)
        letters = [rules.atoms.make("selection", [x, y], condition=one), rules.atoms.make("minimum", [x, y]),
                   rules.atoms.make("maximum", [x, y])] if not isinstance(one, bool) else []
        for a, b in itertools.product(range(-4, 5), repeat=2):
            numbers = {rules.x: a, rules.y: b}
            truth = is_true(rules.atoms, one, numbers)
            assert is_true(rules.atoms, algebra.negated(one), numbers) is not truth
            if truth:
                assert all(evaluate(rules.atoms, dict(row), numbers) >= 0 for row in algebra.consequences(one))
                assert any(is_true(rules.atoms, part, numbers) for part in algebra.alternatives(one))
            for letter, swapped in itertools.product(letters, [False, True][:2]):
                if swapped and rules.atoms.all[letter].kind == "selection":
                    continue
                cases = [case.facts for case in Context(rules.atoms, None).cases(letter, swapped)]
                assert any(all(evaluate(rules.atoms, dict(row), numbers) >= 0 for row in case) for case in cases), one


def steps(pick):
    """A goal whose certificate is accepted holds wherever its facts do."""
    rules, accepted = Rules(), 0
    x, y = {(rules.x,): 1}, {(rules.y,): 1}

    class File:
        """Polynomials by number."""

        polys = []

        @staticmethod
        def letter(number):
            return number

        def poly_of(self, number):
            return self.polys[number]

    rules.proof, rules.steps = File(), 0
    for _ in range(4000):
        facts = [algebra.plus(algebra.add(algebra.mul(x, algebra.constant(pick.randrange(-3, 4))), y, pick.randrange(-3, 4)),
                              pick.randrange(-5, 6)) for _ in range(2)]
        divide, scale, times = pick.choice([1, 1, 2, 3]), pick.choice([1, 1, 2]), pick.choice([0, 1, 2])
        fact = pick.randrange(2)
        left = pick.randrange(0, 4)
        # The goal that this step leads to `left`, or a neighbour of it.
        goal = algebra.plus(algebra.mul(facts[fact], algebra.constant(times * divide)), left + pick.randrange(-3, 3))
        if any(coefficient % divide for monomial, coefficient in goal.items() if monomial):
            continue
        after = {monomial: one // divide * scale for monomial, one in goal.items() if one // divide}
        after = algebra.sub(algebra.plus(after, scale - 1), algebra.mul(facts[fact], algebra.constant(times)))
        rules.proof.polys = [*facts, after]
        context = Context(rules.atoms, None, frozenset(algebra.frozen(one) for one in facts))
        if rules.verifies(goal, {"steps": [[divide, scale, times, [], fact]], "rest": 2}, context):
            accepted += 1
            for a, b in itertools.product(SMALL, repeat=2):
                numbers = {rules.x: a, rules.y: b}
                if all(evaluate(rules.atoms, one, numbers) >= 0 for one in facts):
                    assert evaluate(rules.atoms, goal, numbers) >= 0, (goal, facts, numbers)
    assert accepted > 100, accepted


def forgotten():
    """What is known of an element of one output, and of what is made of it, is not known of another output."""
    atoms = Atoms()
    element, size = atoms.make("element", more=("out:1", 0)), atoms.make("parameter", more=("n",))
    atoms.positive(size, None)
    part = atoms.make("quotient", [{(element,): 1}, algebra.constant(8)])
    for letter in (element, part):
        atoms.positive(letter, None)
        atoms.fact(letter, algebra.plus(algebra.sub({(size,): 1}, {(letter,): 1}), -1), None)
    atoms.fact(size, {(size,): 1}, None)

    class File:
        """Without a proof."""

    File.atoms = atoms
    Coverage(File, None).forget({element})
    context = Context(atoms, None)
    for letter in (element, part):
        assert not context.is_positive((letter,)) and not atoms.all[letter].facts
        assert not context.knows(algebra.plus(algebra.sub({(size,): 1}, {(letter,): 1}), -1))
    assert context.is_positive((size,)) and context.knows({(size,): 1})


def main():
    forgotten()
    divisions()
    divisions_by_numbers()
    divisions_toward_zero()
    choices()
    formulas(random.Random(1))
    steps(random.Random(2))
    print("the checker's rules hold for all small integers")


if __name__ == "__main__":
    main()
