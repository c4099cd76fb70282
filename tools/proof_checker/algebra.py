"""Polynomials, {sorted letters: coefficient} without zeros, and formulas of comparisons."""


class Refused(Exception):
    """Why the file is no proof."""


def need(condition, message):
    if not condition:
        raise Refused(message)


# ---- polynomials: {sorted atoms: coefficient}, without zeros ----


def constant(number):
    return {(): number} if number else {}


def add(a, b, factor=1):
    result = dict(a)
    for monomial, coefficient in b.items():
        total = result.get(monomial, 0) + factor * coefficient
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)
    return result


def sub(a, b):
    return add(a, b, -1)


def mul(a, b):
    result = {}
    for one, x in a.items():
        for other, y in b.items():
            monomial = tuple(sorted(one + other))
            total = result.get(monomial, 0) + x * y
            if total:
                result[monomial] = total
            else:
                result.pop(monomial, None)
    return result


def plus(a, number):
    return add(a, constant(number))


def is_constant(a):
    return not a or set(a) == {()}


def frozen(a):
    return tuple(sorted(a.items()))


# ---- formulas: True, False, ("ge", polynomial), ("all"|"any", formula, formula) ----


def at_least(poly):
    return poly.get((), 0) >= 0 if is_constant(poly) else ("ge", frozen(poly))


def negated(formula):
    if isinstance(formula, bool):
        return not formula
    if formula[0] == "ge":
        return at_least(plus(mul(dict(formula[1]), constant(-1)), -1))
    return joined("any" if formula[0] == "all" else "all", negated(formula[1]), negated(formula[2]))


def joined(how, a, b):
    absorbing = how == "any"
    if a is absorbing or b is (not absorbing):
        return a
    if b is absorbing or a is (not absorbing):
        return b
    return (how, a, b)


def comparisons(formula):
    if isinstance(formula, tuple):
        if formula[0] == "ge":
            yield formula[1]
        else:
            yield from comparisons(formula[1])
            yield from comparisons(formula[2])


def consequences(formula):
    """Polynomials that are >= 0 where it is true."""
    if formula is False:
        return {frozen(constant(-1))}
    if formula is True or formula[0] == "any":
        return set()
    if formula[0] == "ge":
        return {formula[1]}
    return consequences(formula[1]) | consequences(formula[2])


def alternatives(formula):
    """Formulas of which one is true wherever it is."""
    if isinstance(formula, bool) or formula[0] != "any":
        return [formula]
    parts = alternatives(formula[1]) + alternatives(formula[2])
    return parts if len(parts) <= 6 else [formula]
