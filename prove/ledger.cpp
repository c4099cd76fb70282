#include "prove/ledger.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/text/python_name.h"
#include "prove/evaluate.h"
#include "prove/words.h"

namespace lockstep::prove {
namespace {

std::string unknown_text(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  if (op == nullptr) return "a carried value without a closed form";
  if (op->def().access.is_access()) return "a number that was loaded at " + place_text(*op);
  return "a result of " + ir::shown_name(*op) + " at " + place_text(*op);
}

const ir::Value* find_unknown(const Poly& poly, const Atoms& atoms, std::set<AtomId>& seen) {
  for (const auto& [monomial, coefficient] : poly.terms()) {
    for (const AtomId id : monomial) {
      if (!seen.insert(id).second) continue;
      const Atom& atom = atoms[id];
      if (atom.kind == AtomKind::unknown) return static_cast<const ir::Value*>(atom.made_by);
      for (const Poly& operand : atom.operands) {
        if (const ir::Value* found = find_unknown(operand, atoms, seen)) return found;
      }
    }
  }
  return nullptr;
}

}  // namespace

bool Ledger::settle_outside(Query& doubt, const Poly& goal, const Condition& about) {
  std::set<AtomId> seen;
  const ir::Value* unknown = find_unknown(goal, atoms_, seen);
  const std::string reason = unknown != nullptr ? "depends on " + unknown_text(*unknown) : "no proof was found";
  if (settle_outside(doubt, *about.op, about.property, reason, about.argument)) return true;
  for (Undecided& one : statement_.undecided) {
    if (one.op == about.op && one.property == about.property) one.unknown = unknown;
  }
  return false;
}

// Conditions on numbers are met by all small launches, conditions on memory by some, where arguments own enough. Another
// one suffices, too, but is not what the kernel needs.
bool Ledger::is_plausible(const Poly& rest, Property property) const {
  std::map<AtomId, bool> named;
  parameters_of(rest, atoms_, named);
  if (property == Property::races || property == Property::lanes) return holds_of_large_launches(rest, named);
  bool always = true, ever = false, of_least = true;  // of_least: holds of 1 and 2
  constexpr std::size_t kManyFactors = 3;             // of 64 each there are too many elements, whatever a row has
  const std::map<AtomId, Integer> multiples = multiples_of(root_->facts, atoms_);
  for (const std::int64_t size : {1, 2, 16, 64}) {
    if (size == 64 && rest.degree() >= kManyFactors) continue;
    Numbers numbers;
    for (const auto& [id, is_parameter] : named) {
      // Programs beyond the end write nothing: of coverage, a grid may be as large as it has to be.
      const bool is_ample = is_elements(atoms_[id].name) || (property == Property::coverage && atoms_[id].name.starts_with("grid."));
      if (!is_parameter) continue;
      // The least that the kernel was specialised for, where that is more.
      const auto factor = multiples.find(id);
      const Integer least = factor == multiples.end() ? Integer(size) : factor->second * ((size + factor->second - 1) / factor->second);
      numbers[id] = is_ample ? power_of_two(30) : least;
    }
    const auto value = evaluate(rest, numbers, atoms_);
    const bool holds = value && *value >= 0;
    always = always && holds;
    of_least = of_least && (holds || size > 2);
    ever = ever || holds;
  }
  if (property == Property::hints) return always || holds_of_large_launches(rest, named);
  // A row that one block has room for: N <= 64.
  if (property == Property::coverage && rest.degree() == 1) return of_least;
  return property == Property::bounds ? ever : always;
}

// Nobody said how many programs there are along this axis.
bool Ledger::is_free_extent(const Poly& extent) const {
  if (extent.terms().size() != 1 || extent.degree() != 1) return false;
  const Atom& atom = atoms_[extent.terms().begin()->first[0]];
  return atom.kind == AtomKind::parameter && atom.name.starts_with("grid.");
}

// A stride may have to be larger than all else; one program or one block alone is never what is meant.
bool Ledger::holds_of_large_launches(const Poly& rest, const std::map<AtomId, bool>& named) const {
  constexpr std::int64_t kMany = 2000, kMostCoefficient = 1 << 24;  // larger ones come from ranges of types
  for (const auto& [monomial, coefficient] : rest.terms()) {
    if (abs(coefficient) > kMostCoefficient) return false;
  }
  Numbers all;
  for (const auto& [id, is_parameter] : named) {
    if (is_elements(atoms_[id].name)) return false;
    if (is_parameter) all[id] = kMany;
  }
  const auto holds = [&](const Numbers& numbers) {
    const auto value = evaluate(rest, numbers, atoms_);
    return value && *value >= 0;
  };
  return holds(all) || std::any_of(all.begin(), all.end(), [&](const auto& one) {
           Numbers numbers = all;
           numbers[one.first] = power_of_two(50);
           return holds(numbers);
         });
}

void Ledger::leave_open(const ir::Op& op, Property property, std::string reason, std::string argument) {
  if (is_trial_) return;
  const bool is_known =
      std::any_of(statement_.undecided.begin(), statement_.undecided.end(), [&](const Undecided& one) {
        return one.op == &op && one.property == property && one.reason == reason;
      });
  if (!is_known) statement_.undecided.push_back({&op, property, std::move(reason), std::move(argument)});
}

bool Ledger::settle_outside(Query& doubt, const ir::Op& op, Property property, const std::string& reason, const std::string& argument) {
  if (is_trial_) return true;
  if (outside_.solver == nullptr || atoms_.is_stopped()) return leave_open(op, property, reason, argument), false;
  const SolverReply reply = doubt.ask(*outside_.solver);
  const std::string who = outside_.solver->name();
  switch (reply.kind) {
    case SolverReply::Kind::impossible:
      if (outside_.wants_certificates) return leave_open(op, property, "only " + who + " proves it, without a certificate", argument), false;
      statement_.uncertified.push_back({&op, property, who});
      return true;
    case SolverReply::Kind::possible: {
      leave_open(op, property, reason + "; what is known does not suffice, as " + who + " says", argument);
      auto& suspect = statement_.suspects.emplace_back();
      for (std::size_t i = 0; i < reply.values.size(); ++i) suspect.emplace_back(doubt.numbers()[i], reply.values[i]);
      return false;
    }
    case SolverReply::Kind::unknown:
    case SolverReply::Kind::absent: break;
  }
  leave_open(op, property, reason + "; " + reply.note, argument);
  return false;
}

bool Ledger::settle(const Poly& goal, Path* path, const std::vector<Poly>& facts, Condition about) {
  if (is_trial_) return true;
  // What holds further outside, or under the same facts, is not proved again.
  std::vector<Settled>& before = settled_[goal];
  const bool is_settled = std::any_of(before.begin(), before.end(), [&](const Settled& one) {
    return encloses(one.path, path) && (one.facts.empty() || one.facts == facts);
  });
  if (is_settled) return true;
  before.push_back({path, facts});
  Verdict verdict = rules_.elimination().decide(goal, path, facts, {}, [&](const Poly& rest) { return is_plausible(rest, about.property); });
  statement_.steps += verdict.steps;
  statement_.notes.settled.push_back({goal, std::move(verdict.why)});
  if (verdict.is_proved) return statement_.settled.emplace_back(about.op, about.property), true;
  const bool is_plain = std::all_of(verdict.suffices.begin(), verdict.suffices.end(),
                                    [&](const Poly& rest) { return is_plausible(rest, about.property); });
  if (verdict.suffices.empty() || !is_plain) {
    statement_.notes.settled.pop_back();
    settled_[goal].pop_back();
    Query doubt(atoms_, path);
    for (const Poly& fact : facts) doubt.take(fact);
    doubt.deny(goal);
    if (!settle_outside(doubt, goal, about)) return false;
    settled_[goal].push_back({path, facts});
    return true;
  }
  for (const Poly& rest : verdict.suffices) {
    about.rest = rest;
    take_condition(about);
  }
  statement_.settled.emplace_back(about.op, about.property);
  return true;
}

// A fact wherever all that it names is known.
void Ledger::take_condition(Condition condition) {
  const bool is_known = std::any_of(statement_.conditions.begin(), statement_.conditions.end(),
                                    [&](const Condition& one) { return one.rest == condition.rest; });
  if (is_known) return;
  if (atoms_.may_be_named(condition.rest, root_)) root_->facts.push_back(condition.rest);
  statement_.conditions.push_back(std::move(condition));
}

void Ledger::pay(const Form& form, Path* path, const std::vector<Poly>& facts) {
  if (is_trial_) return;
  for (const DebtId id : form.debts) {
    if (facts.empty() && !paid_.insert({id, path}).second) continue;
    const Debt debt = debts_[id];
    const Condition about{{}, debt.op, debt.property};
    const bool is_low = settle(debt.number - Poly(debt.low), path, facts, about);
    const bool is_high = settle(Poly(debt.high) - debt.number, path, facts, about);
    if (is_low && is_high) ++(debt.property == Property::division ? statement_.divisions : statement_.integers);
  }
}

void Ledger::pay_number(const Form& form, const ir::Value& value, const ir::Op& op, Path* path) {
  DebtSet debts;
  rules_.look_at(form, value.type().element(), true, op, debts, path, is_trial_);
  pay(Form{Form::Kind::nothing, {}, Formula::unknown(), nullptr, std::move(debts)}, path);
}

}  // namespace lockstep::prove
