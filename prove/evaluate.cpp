#include "prove/evaluate.h"

#include <algorithm>

namespace lockstep::prove {
namespace {

std::optional<Integer> evaluate_atom(AtomId id, const Numbers& numbers, const Atoms& atoms) {
  const Atom& atom = atoms[id];
  if (const auto given = numbers.find(id); given != numbers.end()) return given->second;
  if (atom.operands.size() != 2 || atom.kind == AtomKind::unknown) return std::nullopt;
  const auto a = evaluate(atom.operands[0], numbers, atoms), b = evaluate(atom.operands[1], numbers, atoms);
  if (!a || !b) return std::nullopt;
  switch (atom.kind) {
    case AtomKind::quotient: return *b > 0 ? std::optional(floor_divide(*a, *b)) : std::nullopt;
    case AtomKind::remainder: return *b > 0 ? std::optional<Integer>(*a - *b * floor_divide(*a, *b)) : std::nullopt;
    case AtomKind::minimum: return std::min(*a, *b);
    case AtomKind::maximum: return std::max(*a, *b);
    case AtomKind::selection: {
      const auto condition = evaluate(atom.condition, numbers, atoms);
      return condition ? std::optional(*condition ? *a : *b) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Integer> evaluate(const Poly& poly, const Numbers& numbers, const Atoms& atoms) {
  Integer sum = 0;
  for (const auto& [monomial, coefficient] : poly.terms()) {
    Integer term = coefficient;
    for (const AtomId id : monomial) {
      const auto value = evaluate_atom(id, numbers, atoms);
      if (!value) return std::nullopt;
      term *= *value;
    }
    sum += term;
  }
  return sum;
}

std::optional<bool> evaluate(const Formula& formula, const Numbers& numbers, const Atoms& atoms) {
  switch (formula.kind()) {
    case Formula::Kind::unknown: return std::nullopt;
    case Formula::Kind::truth: return true;
    case Formula::Kind::falsehood: return false;
    case Formula::Kind::not_negative: {
      const auto value = evaluate(formula.poly(), numbers, atoms);
      return value ? std::optional(*value >= 0) : std::nullopt;
    }
    default: break;
  }
  const bool is_all = formula.kind() == Formula::Kind::all;
  bool result = is_all;
  for (const Formula& part : formula.parts()) {
    const auto value = evaluate(part, numbers, atoms);
    if (!value) return std::nullopt;
    result = is_all ? result && *value : result || *value;
  }
  return result;
}

void parameters_of(const Poly& poly, const Atoms& atoms, std::map<AtomId, bool>& into) {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) {
      if (!into.try_emplace(id, atoms[id].kind == AtomKind::parameter).second) continue;
      for (const Poly& operand : atoms[id].operands) parameters_of(operand, atoms, into);
      atoms[id].condition.with([&](const Poly& part) {
        parameters_of(part, atoms, into);
        return part;
      });
    }
  }
}

std::map<AtomId, Integer> multiples_of(const std::vector<Poly>& facts, const Atoms& atoms) {
  std::map<AtomId, Integer> found;
  for (const Poly& fact : facts) {
    if (fact.terms().size() != 1 || fact.degree() != 1 || fact.terms().begin()->second >= 0) continue;
    const Atom& atom = atoms[fact.terms().begin()->first[0]];
    if (atom.kind != AtomKind::remainder || !atom.operands[1].is_constant()) continue;
    const auto& terms = atom.operands[0].terms();
    if (terms.size() != 1 || terms.begin()->first.size() != 1 || terms.begin()->second != 1) continue;
    const AtomId id = terms.begin()->first[0];
    if (atoms[id].kind == AtomKind::parameter) found[id] = std::max(found[id], atom.operands[1].constant());
  }
  return found;
}

}  // namespace lockstep::prove
