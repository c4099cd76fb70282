#include "prove/substitution.h"

#include <utility>

namespace lockstep::prove {

bool Substitution::proves(const Poly& goal) {
  Decided decided{goal, {}};
  if (!elimination_.proves(goal, root_, {}, {6, 100, 0}, &decided.why)) return false;
  taken_.push_back(std::move(decided));
  return true;
}

std::optional<Poly> Substitution::put(const Poly& poly) {
  Poly result;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    Poly term(coefficient);
    for (const AtomId id : monomial) {
      const auto value = put_atom(id);
      if (!value) return std::nullopt;
      term = term * *value;
    }
    result += term;
  }
  return result;
}

std::optional<Formula> Substitution::put(const Formula& formula) {
  if (!formula.is_known_throughout()) return std::nullopt;
  if (formula.kind() == Formula::Kind::not_negative) {
    const auto value = put(formula.poly());
    return value ? std::optional(Formula::not_negative(*value)) : std::nullopt;
  }
  if (formula.parts().size() != 2) return formula;
  const auto a = put(formula.parts()[0]), b = put(formula.parts()[1]);
  if (!a || !b) return std::nullopt;
  return formula.kind() == Formula::Kind::all ? Formula::all(*a, *b) : Formula::any(*a, *b);
}

std::optional<Poly> Substitution::put_atom(AtomId id) {
  if (const auto found = values_.find(id); found != values_.end()) return found->second;
  if (const auto found = known_.find(id); found != known_.end()) return found->second;
  const Atom atom = atoms_[id];
  if (atom.rank == kOfLaunch) return Poly::atom(id);
  if (atom.operands.size() != 2 || atom.kind == AtomKind::unknown) return std::nullopt;
  const auto a = put(atom.operands[0]), b = put(atom.operands[1]);
  if (!a || !b) return std::nullopt;
  std::optional<Poly> value;
  switch (atom.kind) {
    case AtomKind::quotient:
    case AtomKind::remainder: {
      const auto parts = divide(*a, *b);
      if (parts) value = atom.kind == AtomKind::quotient ? parts->quotient : parts->remainder;
      break;
    }
    case AtomKind::minimum:
    case AtomKind::maximum: value = extremum(atom.kind == AtomKind::minimum, *a, *b); break;
    case AtomKind::selection: {
      const auto condition = put(atom.condition);
      if (condition && holds(*condition))
        value = a;
      else if (condition && holds(condition->negated()))
        value = b;
      break;
    }
    default: break;
  }
  if (value) known_[id] = *value;
  return value;
}

bool Substitution::holds(const Formula& formula) {
  switch (formula.kind()) {
    case Formula::Kind::truth: return true;
    case Formula::Kind::not_negative: return proves(formula.poly());
    case Formula::Kind::all: return holds(formula.parts()[0]) && holds(formula.parts()[1]);
    case Formula::Kind::any: return holds(formula.parts()[0]) || holds(formula.parts()[1]);
    default: return false;
  }
}

// Terms that d divides need no letter, if the rest is below d.
std::optional<Division> Substitution::divide(const Poly& x, const Poly& d) {
  if (d == Poly(1)) return Division{x, Poly()};
  Poly whole, rest;
  if (d.terms().size() == 1 && d.terms().begin()->second > 0) {
    const auto& [letters, factor] = *d.terms().begin();
    for (const auto& [monomial, coefficient] : x.terms()) {
      Monomial others;
      const bool is_multiple = prove::divide(monomial, letters, others);
      const Integer share = is_multiple ? floor_divide(coefficient, factor) : Integer(0);
      whole.add(others, share);
      rest.add(monomial, coefficient - share * factor);
    }
  } else {
    rest = x;
  }
  if (rest == Poly() || (proves(rest) && proves(d - Poly(1) - rest))) return Division{whole, rest};
  if (!proves(d - Poly(1))) return std::nullopt;
  const bool is_whole = proves(rest), is_filled = is_whole && proves(rest - d);
  Division parts = atoms_.division(rest, d, is_whole, is_filled, root_);
  parts.quotient += whole;
  return parts;
}

Poly Substitution::extremum(bool is_minimum, const Poly& a, const Poly& b) {
  if (proves(a - b)) return is_minimum ? b : a;
  if (proves(b - a)) return is_minimum ? a : b;
  const AtomId id = atoms_.extremum(is_minimum ? AtomKind::minimum : AtomKind::maximum, a, b, root_);
  const bool a_is_whole = proves(a), b_is_whole = proves(b);
  if (is_minimum ? a_is_whole && b_is_whole : a_is_whole || b_is_whole) atoms_.set_not_negative(id);
  if (is_minimum && proves(a - Poly(1)) && proves(b - Poly(1))) atoms_.add_fact(id, Poly::atom(id) - Poly(1));
  return Poly::atom(id);
}

// A proof is made before the fact is there, and kept: the fact would prove itself.
void Substitution::add_lemmas(AtomId quotient, const std::set<AtomId>& sizes, Lemmas& lemmas) {
  for (const AtomId size : sizes) {
    const Poly goal = Poly::atom(size) - Poly(1) - Poly::atom(quotient);
    auto found = lemmas.find(goal);
    if (found == lemmas.end()) {
      Certificate why;
      if (!elimination_.proves(goal, root_, {}, {9, 200, 0}, &why)) continue;
      found = lemmas.emplace(goal, std::move(why)).first;
      atoms_.add_fact(quotient, goal);
    }
    taken_.push_back({goal, found->second});
  }
}

// Operands first. Numbers of the launch have their facts already.
bool Substitution::admit(const Poly& poly, const std::set<AtomId>& sizes, Lemmas& lemmas) {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) {
      const Atom atom = atoms_[id];
      if (atom.rank == kOfLaunch || atom.kind == AtomKind::element) continue;
      if (atom.operands.size() != 2 || !admit(atom.operands[0], sizes, lemmas) || !admit(atom.operands[1], sizes, lemmas)) return false;
      const Poly &x = atom.operands[0], &d = atom.operands[1];
      if (atom.kind == AtomKind::minimum || atom.kind == AtomKind::maximum) {
        extremum(atom.kind == AtomKind::minimum, x, d);
        continue;
      }
      if ((atom.kind != AtomKind::quotient && atom.kind != AtomKind::remainder) || !proves(d - Poly(1)) || !proves(x)) return false;
      proves(x - d);
      if (atom.kind == AtomKind::quotient) add_lemmas(id, sizes, lemmas);
    }
  }
  return true;
}

}  // namespace lockstep::prove
