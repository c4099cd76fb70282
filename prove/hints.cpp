#include "prove/hints.h"

#include <algorithm>
#include <utility>

#include "ir/interfaces/hints.h"
#include "ir/module.h"
#include "prove/words.h"

namespace lockstep::prove {
namespace {

Integer rest_of(const Integer& x, const Integer& d) { return x - d * floor_divide(x, d); }

}  // namespace

// ---- assumptions ----

// Of several of which one must hold: the first where the second does not.
bool Hints::settle_formula(const ir::Op& op, const Formula& formula, Path* path, const std::vector<Poly>& facts) {
  switch (formula.kind()) {
    case Formula::Kind::truth: return true;
    case Formula::Kind::falsehood: return ledger_.settle(Poly(-1), path, facts, {{}, &op, Property::hints});
    case Formula::Kind::not_negative: return ledger_.settle(formula.poly(), path, facts, {{}, &op, Property::hints});
    case Formula::Kind::all:
      return settle_formula(op, formula.parts()[0], path, facts) && settle_formula(op, formula.parts()[1], path, facts);
    case Formula::Kind::any: {
      std::vector<Poly> more = facts;
      formula.parts()[1].negated().consequences(more);
      return settle_formula(op, formula.parts()[0], path, more);
    }
    case Formula::Kind::unknown: break;
  }
  ledger_.leave_open(op, Property::hints, "an assumption about something without a form");
  return false;
}

void Hints::assume(const ir::Op& op, const Form& condition, Path* path) {
  if (op.operand_count() != 1 || !condition.is_truth())
    return ledger_.leave_open(op, Property::hints, "an assumption about something without a form");
  ledger_.pay(condition, path);
  if (!ledger_.is_trial() && !settle_formula(op, condition.formula, path, {})) return;
  condition.formula.consequences(path->facts);
  if (!ledger_.is_trial()) ++statement_.hints;
}

// ---- promises of results ----

void Hints::owe(const ir::Op& op, const Form& form, Path* path) {
  const ir::Value& value = *op.result();
  const ir::Type element = value.type().element();
  if (ledger_.is_trial() || !(is_integer_like(element) || element.is_pointer())) return;
  if (!form.is_integer() && !form.is_pointer()) return ledger_.leave_open(op, Property::hints, "a promise about something without a form");
  ledger_.pay_number(form, value, op, path);
  Lanes lanes{op, form.number, 1};
  std::int64_t aligned = 0;  // of what a pointer is based on; 0: any
  if (form.is_pointer()) {
    const auto kind = element.pointee().scalar_kind();
    lanes.step = kind ? size_bytes(*kind) : 1;
    const std::vector<std::int64_t> given =
        ir::promised(ir::argument_attribute(function_, form.base->index(), ir::kDivisibility), 0);
    aligned = given.empty() ? 1 : given[0];
  }
  const auto promise_of = [&](std::string_view name) {
    std::vector<std::int64_t> all = ir::promised(op.attribute(name), value.type().shape().size());
    for (std::int64_t& one : all) one = std::min(one, ir::kWidestAccess);
    return all;
  };
  const auto count = [&](bool holds) { statement_.hints += holds ? 1 : 0; };
  const auto multiples = promise_of(ir::kDivisibility), runs = promise_of(ir::kContiguity), same = promise_of(ir::kConstancy);
  for (std::size_t d = 0; d < multiples.size(); ++d) {
    if (multiples[d] <= 1) continue;
    if (aligned % multiples[d] != 0)
      ledger_.leave_open(op, Property::hints, "nothing says how " + argument_name(*form.base) + " is aligned");
    else
      count(settle_multiple(lanes, d, multiples[d], path));
  }
  for (std::size_t d = 0; d < runs.size(); ++d) {
    if (runs[d] > 1) count(settle_group(lanes, d, runs[d], lanes.step, path));
  }
  for (std::size_t d = 0; d < same.size(); ++d) {
    if (same[d] > 1) count(settle_group(lanes, d, same[d], 0, path));
  }
}

bool Hints::settle_equal(const ir::Op& op, const Poly& difference, Path* path) {
  if (difference == Poly()) return true;
  const Condition about{{}, &op, Property::hints};
  return ledger_.settle(difference, path, {}, about) && ledger_.settle(Poly() - difference, path, {}, about);
}

Poly Hints::at_lane(const Lanes& lanes, std::size_t dimension, const Poly& lane) {
  const auto& shape = lanes.op.result()->type().shape();
  std::vector<Poly> all;
  for (std::size_t d = 0; d < shape.size(); ++d)
    all.push_back(d == dimension ? lane : atoms_.lane(static_cast<std::int64_t>(d), shape[d]));
  return atoms_.with_lanes(lanes.number, all);
}

// A lane that continues the one before it need be no multiple: then the first of all is enough.
bool Hints::settle_multiple(const Lanes& lanes, std::size_t dimension, std::int64_t divisor, Path* path) {
  const auto& shape = lanes.op.result()->type().shape();
  Poly number = lanes.number;
  if (dimension < shape.size()) {
    const Poly first = at_lane(lanes, dimension, Poly(0));
    const Poly lane = atoms_.lane(static_cast<std::int64_t>(dimension), shape[dimension]);
    if (number - first == lane * Poly(lanes.step)) number = first;
  }
  std::vector<Replaced> replaced;
  const auto quotient = quotient_of(lanes.op, number, divisor, path, replaced);
  if (!quotient) {
    ledger_.leave_open(lanes.op, Property::hints, "nothing says that it is a multiple of " + std::to_string(divisor));
    return false;
  }
  statement_.notes.multiples.push_back({&lanes.op, dimension, *quotient});
  const Poly difference = number - *quotient * Poly(divisor);
  auto high = why_equal(replaced, 1), low = why_equal(replaced, -1);
  if (!high || !low) return settle_equal(lanes.op, difference, path);
  if (difference == Poly()) return true;
  statement_.notes.settled.push_back({difference, std::move(*high)});
  statement_.notes.settled.push_back({Poly() - difference, std::move(*low)});
  return true;
}

std::optional<Certificate> Hints::why_equal(const std::vector<Replaced>& replaced, int sign) const {
  Certificate why;
  for (const Replaced& one : replaced) {
    if (!atoms_.is_not_negative(one.others)) return std::nullopt;
    const Known& known = one.known;
    const Poly rest = Poly::atom(known.letter) - known.quotient * Poly(known.divisor) - known.remainder;
    const Integer times = one.coefficient * sign;
    why.steps.push_back({.times = abs(times), .by = one.others, .fact = times > 0 ? rest : Poly() - rest});
    if (times < 0) why.steps.push_back({.times = abs(times), .by = one.others, .fact = Poly() - known.remainder});
  }
  return why;
}

// Each lane is as far from the first of its group as it should be.
bool Hints::settle_group(const Lanes& lanes, std::size_t dimension, std::int64_t size, const Integer& step, Path* path) {
  const auto& shape = lanes.op.result()->type().shape();
  if (dimension >= shape.size() || shape[dimension] == 1) return true;
  const Poly lane = atoms_.lane(static_cast<std::int64_t>(dimension), shape[dimension]);
  const Poly direct = lanes.number - at_lane(lanes, dimension, Poly(0)) - lane * Poly(step);
  if (size >= shape[dimension] || direct == Poly()) return settle_equal(lanes.op, direct, path);
  const Poly first = atoms_.division(lane, Poly(size), true, false, nullptr).quotient * Poly(size);
  return settle_equal(lanes.op, lanes.number - at_lane(lanes, dimension, first) - (lane - first) * Poly(step), path);
}

// ---- multiples ----

// Facts 0 >= x % d, where x is one letter.
std::vector<Hints::Known> Hints::known_multiples(const Path* path) {
  std::vector<Known> known;
  for (const Path* at = path; at != nullptr; at = at->parent) {
    for (const Poly& fact : at->facts) {
      if (fact.terms().size() != 1 || fact.degree() != 1 || fact.terms().begin()->second >= 0) continue;
      const Atom atom = atoms_[fact.terms().begin()->first[0]];
      if (atom.kind != AtomKind::remainder || !atom.operands[1].is_constant()) continue;
      const auto& terms = atom.operands[0].terms();
      if (terms.size() != 1 || terms.begin()->first.size() != 1 || terms.begin()->second != 1) continue;
      const bool is_whole = atom.index % 2 != 0, is_filled = atom.index / 2 != 0;
      const Division parts = atoms_.division(atom.operands[0], atom.operands[1], is_whole, is_filled, atom.scope);
      known.push_back({terms.begin()->first[0], atom.operands[1].constant(), parts.quotient, parts.remainder});
    }
  }
  std::stable_sort(known.begin(), known.end(), [](const Known& a, const Known& b) { return a.divisor > b.divisor; });
  return known;
}

// An integer argument of the launch has to be one: a condition.
std::optional<Hints::Known> Hints::new_multiple(const ir::Op& op, const Monomial& monomial, const Integer& divisor) {
  for (const AtomId id : monomial) {
    const Atom& atom = atoms_[id];
    if (atom.kind != AtomKind::parameter || is_elements(atom.name) || atom.name.starts_with("grid.")) continue;
    const Division parts = atoms_.division(Poly::atom(id), Poly(divisor), true, false, nullptr);
    ledger_.take_condition({Poly() - parts.remainder, &op, Property::hints});
    return Known{id, divisor, parts.quotient, parts.remainder};
  }
  return std::nullopt;
}

std::optional<Poly> Hints::quotient_of(const ir::Op& op, Poly number, const Integer& divisor, Path* path,
                                       std::vector<Replaced>& replaced) {
  constexpr int kMostReplaced = 8;
  std::vector<Known> known = known_multiples(path);
  for (int i = 0; i < kMostReplaced; ++i) {
    const auto bad = std::find_if(number.terms().begin(), number.terms().end(), [&](const auto& term) { return rest_of(term.second, divisor) != 0; });
    if (bad == number.terms().end()) {
      Poly quotient;
      for (const auto& [monomial, coefficient] : number.terms()) quotient.add(monomial, coefficient / divisor);
      return quotient;
    }
    const Monomial& letters = bad->first;
    const Integer missing = divisor / gcd(divisor, bad->second);
    const auto helps = std::find_if(known.begin(), known.end(), [&](const Known& one) {
      return rest_of(one.divisor, missing) == 0 && std::find(letters.begin(), letters.end(), one.letter) != letters.end();
    });
    std::optional<Known> here = helps != known.end() ? std::optional(*helps) : new_multiple(op, letters, missing);
    if (!here) return std::nullopt;
    if (helps == known.end()) known.push_back(*here);
    Poly next;
    for (const auto& [monomial, coefficient] : number.terms()) {
      Monomial others;
      if (!divide(monomial, {here->letter}, others)) {
        next.add(monomial, coefficient);
        continue;
      }
      next += here->quotient.times(coefficient * here->divisor, others);
      replaced.push_back({*here, coefficient, std::move(others)});
    }
    number = std::move(next);
  }
  return std::nullopt;
}

}  // namespace lockstep::prove
