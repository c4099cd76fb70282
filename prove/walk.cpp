#include "prove/walk.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/module.h"
#include "ir/text/python_name.h"
#include "ir/walk.h"
#include "prove/evaluate.h"
#include "prove/words.h"

namespace lockstep::prove {
namespace {

constexpr std::array<std::int64_t, 3> kMostPrograms{2147483647, 65535, 65535};

const std::string kElements = "elements of ";

bool is_number(const Form& form) { return form.is_integer() || form.is_pointer(); }



bool is_any_number(const Poly& number, const ir::Value* value, const Atoms& atoms) {
  const auto& terms = number.terms();
  if (terms.size() != 1 || terms.begin()->first.size() != 1 || terms.begin()->second != 1) return false;
  const Atom& atom = atoms[terms.begin()->first[0]];
  return atom.kind == AtomKind::unknown && atom.made_by == value;
}

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

std::string elements_of(const std::string& argument) { return kElements + argument; }

bool is_elements(const std::string& parameter) { return parameter.starts_with(kElements); }

Statement prove(const ir::Op& function, const Contract& contract, Atoms& atoms) {
  return Walk(function, contract, atoms).run();
}

Walk::Walk(const ir::Op& function, const Contract& contract, Atoms& atoms)
    : function_(function), contract_(contract), atoms_(atoms), rules_(atoms, debts_, contract.grid, statement_.notes) {}

Path* Walk::child(Path* parent) {
  paths_.push_back({parent, {}});
  return &paths_.back();
}

Poly Walk::bytes_of(const ir::Value& argument) const {
  const auto kind = argument.type().pointee().scalar_kind();
  const Poly size(kind ? size_bytes(*kind) : 1);
  const auto given = contract_.elements.find(argument_name(argument));
  if (given != contract_.elements.end()) return given->second * size;
  return Poly::atom(atoms_.parameter(elements_of(argument_name(argument)), 0, power_of_two(62))) * size;
}

void Walk::take_arguments() {
  for (const auto& argument : function_.region(0).front().arguments()) {
    const ir::Type type = argument->type();
    const std::string name = argument_name(*argument);
    Form form;
    if (type.is_pointer() && type.pointee().scalar_kind()) {
      form = {Form::Kind::pointer, {}, Formula::unknown(), argument.get()};
    } else if (type.is_descriptor()) {
      form = {Form::Kind::descriptor, {}, Formula::unknown(), argument.get()};
    } else if (is_integer_like(type) && !type.is_integer(1)) {
      const auto given = contract_.integers.find(name);
      form = Form::integer(given != contract_.integers.end()
                               ? given->second
                               : Poly::atom(atoms_.parameter(name, 1, range_of(type).high)));
    } else if (type.is_integer(1)) {
      form = rules_.anything(*argument, &paths_.front());
    }
    set(*argument, std::move(form));
  }
}

Statement Walk::run() {
  Path* root = child(nullptr);
  root->facts = contract_.facts;
  for (std::size_t i = 0; i < 3; ++i) {
    root->facts.push_back(contract_.grid[i] - Poly(1));
    root->facts.push_back(Poly(kMostPrograms[i]) - contract_.grid[i]);
  }
  take_arguments();
  visit_blocks(function_.region(0), root);
  statement_.integers += rules_.paid_early();
  decide_pairs();
  note_forgotten();
  return std::move(statement_);
}

// Values of which a rule could say more.
void Walk::note_forgotten() {
  for (const auto& [value, form] : forms_) {
    const ir::Op* op = value->defining_op();
    if (op == nullptr || op->def().access.is_access()) continue;
    const ir::Type element = value->type().element();
    const bool is_open = form.is_integer()  ? is_any_number(form.number, value, atoms_)
                         : form.is_truth() ? is_any_number(form.formula.poly() + Poly(1), value, atoms_)
                                           : form.kind == Form::Kind::nothing && element.is_pointer();
    if (is_open) statement_.notes.forgotten.push_back(value);
  }
}

Form Walk::form_of(const ir::Value& value, Path* path) {
  const auto found = forms_.find(&value);
  return found != forms_.end() ? found->second : rules_.anything(value, path);
}

void Walk::leave_open(const ir::Op& op, Property property, std::string reason, std::string argument) {
  if (is_trial_) return;
  const bool is_known =
      std::any_of(statement_.undecided.begin(), statement_.undecided.end(), [&](const Undecided& one) {
        return one.op == &op && one.property == property && one.reason == reason;
      });
  if (!is_known) statement_.undecided.push_back({&op, property, std::move(reason), std::move(argument)});
}

// ---- blocks ----

// Branches between blocks: each is followed after those that lead to it; a block that may be entered from two has the
// path that they share.
void Walk::visit_blocks(const ir::Region& region, Path* path) {
  std::map<const ir::Block*, Path*> ends{{&region.front(), path}};
  for (const auto& block : region.blocks()) {
    if (block.get() != &region.front() && !enter_block(*block, ends)) {
      leave_open(*block->ops().front(), Property::bounds, "branches that lead back");
      continue;
    }
    visit_ops(*block, ends[block.get()]);
  }
}

bool Walk::enter_block(const ir::Block& block, std::map<const ir::Block*, Path*>& ends) {
  Path* common = nullptr;
  const auto before = block.predecessors();
  for (const ir::Block* one : before) {
    const auto found = ends.find(one);
    if (found == ends.end()) return false;
    if (common == nullptr) common = found->second;
    while (!encloses(common, found->second)) common = const_cast<Path*>(common->parent);
  }
  if (common == nullptr) return false;
  Path* path = child(common);
  ends[&block] = path;
  for (const auto& argument : block.arguments()) set(*argument, rules_.anything(*argument, path));
  if (before.size() != 1) return true;
  const ir::Op& branch = *before[0]->terminator();
  if (!ir::is_conditional_jump(branch) || branch.successors()[0].block == branch.successors()[1].block) return true;
  const Formula condition = form_of(*branch.operand(0), common).formula;
  (branch.successors()[0].block == &block ? condition : condition.negated()).consequences(path->facts);
  return true;
}

void Walk::visit_ops(const ir::Block& block, Path* path) {
  for (const auto& op : block.ops()) visit(*op, path);
}

void Walk::visit(const ir::Op& op, Path* path) {
  if (op.def().access.is_access()) return visit_access(op, path);
  if (ir::is_counted_loop(op)) return visit_for(op, path);
  if (ir::is_open_loop(op)) return visit_while(op, path);
  if (ir::is_choice(op)) return visit_if(op, path);
  if (ir::is_conditional_jump(op)) return pay(form_of(*op.operand(0), path), path);
  if (ir::is_call(op)) return leave_open(op, Property::bounds, "a call that was not inlined");
  const bool touches_memory = op.def().effects == ir::Effects::read || op.def().effects == ir::Effects::write ||
                              op.def().effects == ir::Effects::read_write;
  if ((touches_memory && op.def().statement == ir::Statement::none) || (!op.regions().empty() && !ir::combines_lanes(op)))
    leave_open(op, Property::bounds, "no rule for " + std::string(op.spelling()));
  std::vector<Form> operands;
  for (const ir::Value* operand : op.operands()) operands.push_back(form_of(*operand, path));
  std::vector<Form> results = rules_.apply(op, operands, path, is_trial_);
  for (std::size_t i = 0; i < results.size(); ++i) set(*op.result(i), std::move(results[i]));
  // Which data is taken depends on it.
  if (ir::is_selection(op) && forms_[op.result()].kind == Form::Kind::nothing) pay(operands[0], path);
}

// ---- structured control flow ----

bool Walk::may_leave(const Form& form, Path* path) const {
  bool may = atoms_.may_be_named(form.number, path);
  form.formula.with([&](const Poly& poly) {
    may = may && atoms_.may_be_named(poly, path);
    return poly;
  });
  for (const DebtId id : form.debts) may = may && atoms_.may_be_named(debts_[id].number, path);
  return may;
}

void Walk::visit_if(const ir::Op& op, Path* path) {
  const Form condition = form_of(*op.operand(0), path);
  pay(condition, path);
  std::vector<std::vector<Form>> yields;
  for (const auto& region : op.regions()) {
    if (region->empty()) continue;
    Path* inside = child(path);
    (yields.empty() ? condition.formula : condition.formula.negated()).consequences(inside->facts);
    visit_ops(region->front(), inside);
    yields.emplace_back();
    for (const ir::Value* value : region->front().terminator()->operands())
      yields.back().push_back(form_of(*value, inside));
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    std::optional<Form> form;
    if (yields.size() == 2 && may_leave(yields[0][i], path) && may_leave(yields[1][i], path))
      form = rules_.choose(op, condition, yields[0][i], yields[1][i], path, is_trial_);
    set(*op.result(i), form ? *form : rules_.anything(*op.result(i), path));
  }
}

void Walk::visit_while(const ir::Op& op, Path* path) {
  for (const auto& region : op.regions()) {
    Path* inside = child(path);
    for (const auto& argument : region->front().arguments()) set(*argument, rules_.anything(*argument, inside));
    visit_ops(region->front(), inside);
    for (const auto& inner : region->front().ops()) {
      if (ir::is_loop_condition(*inner)) pay(form_of(*inner->operand(0), inside), inside);
    }
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) set(*op.result(i), rules_.anything(*op.result(i), path));
}

// By how much each carried value changes in every turn; nullopt: by something that the loop makes. The trial starts from
// any number in any lane: a value that moves lanes becomes another one.
std::vector<std::optional<Poly>> Walk::changes_of(const ir::Op& op, Path* path, const std::vector<Form>& start) {
  const ir::Block& block = op.region(0).front();
  Path* trial = child(path);
  std::vector<Form> carried;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const ir::Value& argument = *block.argument(i + 1);
    Form form = start[i];
    if (is_number(form))
      form.number = Poly::atom(rules_.placeholder(argument, trial));
    else
      form = rules_.anything(argument, trial);
    carried.push_back(std::move(form));
  }
  const bool was_trial = std::exchange(is_trial_, true);
  start_turn(op, trial, carried);
  visit_ops(block, trial);
  is_trial_ = was_trial;
  std::vector<std::optional<Poly>> changes(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Form next = form_of(*block.terminator()->operand(i), trial);
    if (!is_number(start[i]) || next.kind != start[i].kind || next.base != start[i].base) continue;
    Poly change = next.number - carried[i].number;
    if (atoms_.may_be_named(change, path)) changes[i] = std::move(change);
  }
  return changes;
}

Poly Walk::start_turn(const ir::Op& op, Path* body, const std::vector<Form>& carried) {
  const ir::Block& block = op.region(0).front();
  const Poly first = form_of(*op.operand(0), body).number, end = form_of(*op.operand(1), body).number,
             step = form_of(*op.operand(2), body).number;
  Poly turn = Poly::atom(atoms_.counter(&op, body, first, end, step));
  set(*block.argument(0), Form::integer(first + step * turn));
  for (std::size_t i = 0; i < carried.size(); ++i) set(*block.argument(i + 1), carried[i]);
  return turn;
}

void Walk::visit_for(const ir::Op& op, Path* path) {
  bool has_numbers = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Form bound = form_of(*op.operand(i), path);
    has_numbers = has_numbers && bound.is_integer();
    pay_number(*op.operand(i), op, path);
  }
  if (!has_numbers || op.attribute("unsignedCmp"))
    leave_open(op, Property::loops, "a loop over something else than numbers with a sign");
  const ir::Block& block = op.region(0).front();
  std::vector<Form> carried;
  for (std::size_t i = 1; i < block.arguments().size(); ++i) carried.push_back(form_of(*op.operand(i + 2), path));
  const auto changes = changes_of(op, path, carried);
  if (!is_trial_) statement_.notes.changes[&op] = changes;
  Path* body = child(path);
  const Poly turn = start_turn(op, body, {});
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (changes[i])
      carried[i].number += *changes[i] * turn;
    else
      carried[i] = rules_.anything(*block.argument(i + 1), body);
    set(*block.argument(i + 1), carried[i]);
  }
  owe_loop(op, path, body);
  visit_ops(block, body);
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (changes[i]) pay(form_of(*block.terminator()->operand(i), body), body);
    set(*op.result(i), rules_.anything(*op.result(i), path));
  }
}

// The step goes up, and the counter after the last turn is a number of its type.
void Walk::owe_loop(const ir::Op& op, Path* path, Path* body) {
  if (is_trial_) return;
  const Form step = form_of(*op.operand(2), path), counter = form_of(*op.region(0).front().argument(0), body);
  const IntegerRange range = range_of(op.operand(0)->type());
  const bool goes_up = settle(step.number - Poly(1), path, {}, {{}, &op, Property::loops});
  const bool fits = settle(Poly(range.high) - counter.number - step.number, body, {}, {{}, &op, Property::loops});
  if (goes_up && fits) ++statement_.loops;
}

// ---- what is owed where a value is used ----


std::string Walk::reason_of(const Poly& goal) const {
  std::set<AtomId> seen;
  const ir::Value* unknown = find_unknown(goal, atoms_, seen);
  return unknown != nullptr ? "depends on " + unknown_text(*unknown) : "no proof was found";
}

// Conditions on numbers are met by all small launches, conditions on memory by some, where arguments own enough. Another
// one suffices, too, but is not what the kernel needs.
bool Walk::is_plausible(const Poly& rest, Property property) const {
  std::map<AtomId, bool> named;
  parameters_of(rest, atoms_, named);
  if (property == Property::races || property == Property::lanes) return keeps_apart_large_launches(rest, named);
  bool always = true, ever = false;
  for (const std::int64_t size : {1, 2, 16, 64}) {
    Numbers numbers;
    for (const auto& [id, is_parameter] : named) {
      if (is_parameter) numbers[id] = is_elements(atoms_[id].name) ? power_of_two(30) : Integer(size);
    }
    const auto value = evaluate(rest, numbers, atoms_);
    const bool holds = value && *value >= 0;
    always = always && holds;
    ever = ever || holds;
  }
  return property == Property::bounds ? ever : always;
}

// Nobody said how many programs there are along this axis.
bool Walk::is_free_extent(const Poly& extent) const {
  if (extent.terms().size() != 1 || extent.degree() != 1) return false;
  const Atom& atom = atoms_[extent.terms().begin()->first[0]];
  return atom.kind == AtomKind::parameter && atom.name.starts_with("grid.");
}

// A stride may have to be larger than all else; one program or one block alone is never what is meant.
bool Walk::keeps_apart_large_launches(const Poly& rest, const std::map<AtomId, bool>& named) const {
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

bool Walk::settle(const Poly& goal, Path* path, const std::vector<Poly>& facts, Condition about) {
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
  if (verdict.is_proved) return true;
  const bool is_plain = std::all_of(verdict.suffices.begin(), verdict.suffices.end(),
                                    [&](const Poly& rest) { return is_plausible(rest, about.property); });
  if (verdict.suffices.empty() || !is_plain) {
    statement_.notes.settled.pop_back();
    settled_[goal].pop_back();
    leave_open(*about.op, about.property, reason_of(goal), about.argument);
    return false;
  }
  for (const Poly& rest : verdict.suffices) {
    about.rest = rest;
    const bool is_known = std::any_of(statement_.conditions.begin(), statement_.conditions.end(),
                                      [&](const Condition& one) { return one.rest == rest; });
    if (!is_known) statement_.conditions.push_back(about);
    // From here on it holds, wherever all that it names is known.
    if (!is_known && atoms_.may_be_named(rest, &paths_.front())) paths_.front().facts.push_back(rest);
  }
  return true;
}

void Walk::pay(const Form& form, Path* path, const std::vector<Poly>& facts) {
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

void Walk::pay_number(const ir::Value& value, const ir::Op& op, Path* path) {
  const Form form = form_of(value, path);
  DebtSet debts;
  rules_.look_at(form, value.type().element(), true, op, debts, path, is_trial_);
  pay(Form{Form::Kind::nothing, {}, Formula::unknown(), nullptr, std::move(debts)}, path);
}

void Walk::visit_access(const ir::Op& op, Path* path) {
  const ir::MemoryAccess& access = op.def().access;
  for (std::size_t i = 0; i < op.result_count(); ++i) set(*op.result(i), rules_.anything(*op.result(i), path));
  if (access.place != ir::MemoryAccess::Place::pointers) return visit_descriptor_access(op, path);
  if (op.operand(0)->type().is_pointer() && op.operand(0)->type().pointee().is_tensor())
    return leave_open(op, Property::bounds, "a block pointer");
  std::vector<Poly> on;
  const ir::Value* mask = access.mask >= 0 ? op.operand_or_null(static_cast<std::size_t>(access.mask)) : nullptr;
  if (mask != nullptr) {
    const Form form = form_of(*mask, path);
    pay(form, path);
    form.formula.consequences(on);
  }
  const Form place = form_of(*op.operand(0), path);
  decide_access(op, place, on, path);
  if (ir::is_pointer_load(op) && place.is_pointer()) take_data(op, place, mask, path);
}

// Whole elements of the argument's own type.
void Walk::take_data(const ir::Op& op, const Form& place, const ir::Value* mask, Path* path) {
  const auto range = contract_.data.find(argument_name(*place.base));
  const ir::Type pointer = op.operand(0)->type().element();
  if (range == contract_.data.end() || pointer != place.base->type()) return;
  const Integer size = size_bytes(*pointer.pointee().scalar_kind());
  for (const auto& [monomial, coefficient] : place.number.terms()) {
    if (coefficient % size != 0) return;
  }
  std::optional<Form> on, rest;
  if (mask != nullptr) on = form_of(*mask, path);
  if (mask != nullptr && op.def().access.other >= 0) {
    const ir::Value* other = op.operand_or_null(static_cast<std::size_t>(op.def().access.other));
    if (other != nullptr) rest = form_of(*other, path);
  }
  set(*op.result(), rules_.loaded(op, range->second, on ? &*on : nullptr, rest ? &*rest : nullptr, path, is_trial_));
  if (range->second.rises && mask == nullptr && !is_trial_) take_order(op, place, size, path);
}

void Walk::take_order(const ir::Op& op, const Form& place, const Integer& size, Path* path) {
  const Poly number = forms_[op.result()].number;
  if (op.result()->type().is_tensor() || number.terms().size() != 1 || number.degree() != 1) return;
  Rising here{place.base, number.terms().begin()->first[0], {}, path};
  for (const auto& [monomial, coefficient] : place.number.terms()) here.index.add(monomial, coefficient / size);
  for (const Rising& other : rising_) {
    if (other.base == here.base && encloses(other.path, path))
      rules_.take_order(op, here.datum, here.index, other.datum, other.index, path);
  }
  rising_.push_back(std::move(here));
}

void Walk::decide_access(const ir::Op& op, const Form& place, const std::vector<Poly>& on, Path* path) {
  if (is_trial_) return;
  const auto kind = op.operand(0)->type().element().pointee().scalar_kind();
  if (!place.is_pointer() || !kind) return leave_open(op, Property::bounds, "a pointer into unknown memory");
  pay(place, path, on);
  const std::string argument = argument_name(*place.base);
  if (!ir::is_pointer_load(op) && contract_.data.contains(argument))
    return leave_open(op, Property::bounds, "it writes what an assumption speaks of", argument);
  Condition about{{}, &op, Property::bounds, argument_name(*place.base)};
  about.is_of_contract = contract_.elements.contains(about.argument);
  const bool is_high =
      settle(bytes_of(*place.base) - Poly(size_bytes(*kind)) - place.number, path, on, about);
  about.is_lower_end = true;
  const bool is_low = settle(place.number, path, on, about);
  if (is_low && is_high) ++statement_.accesses;
  const ir::MemoryAccess& access = op.def().access;
  sites_.push_back({&op, place.base, place.number, size_bytes(*kind), on, path, !ir::is_pointer_load(op),
                    access.kind == ir::MemoryAccess::Kind::atomic});
}

// Atomics of one width do not race with each other.
void Walk::decide_pairs() {
  constexpr std::size_t kMostPairs = 400;
  Pairs pairs(atoms_, contract_.grid);
  std::size_t count = 0;
  for (std::size_t i = 0; i < sites_.size() && (contract_.wants_races || contract_.wants_lanes); ++i) {
    const Site& a = sites_[i];
    if (contract_.wants_lanes && a.writes && !a.is_atomic && a.op->operand(0)->type().is_tensor()) {
      auto why = apart_under_conditions(a, Property::lanes, pairs, [&] { return pairs.lanes_apart(a); });
      if (!why) leave_open(*a.op, Property::lanes, "two lanes may touch the same bytes", argument_name(*a.base));
      if (why) statement_.pairs.push_back({a.op, a.op, true, std::move(*why)}), ++statement_.lanes;
    }
    for (std::size_t j = i; j < sites_.size() && contract_.wants_races; ++j) {
      const Site& b = sites_[j];
      if (a.base != b.base || !(a.writes || b.writes) || (a.is_atomic && b.is_atomic && a.bytes == b.bytes)) continue;
      if (++count > kMostPairs) return leave_open(*a.op, Property::races, "too many pairs of accesses", argument_name(*a.base));
      decide_pair(a, b, pairs);
    }
  }
}

// Where no proof is found, what would do becomes a fact, one after another; if that leads to a proof, a condition. Else
// one program along an axis of the grid may be what is meant.
std::optional<Apart> Walk::apart_under_conditions(const Site& site, Property property, const Pairs& pairs, const Search& search) {
  constexpr std::size_t kMostConditions = 6;
  std::vector<Poly>& known = paths_.front().facts;
  const std::size_t before = known.size();
  const auto is_new = [&](const Poly& rest) {
    return atoms_.may_be_named(rest, &paths_.front()) && std::find(known.begin(), known.end(), rest) == known.end() &&
           !rules_.elimination().proves(Poly(-1) - rest, &paths_.front());
  };
  auto why = search();
  while (!why && known.size() < before + kMostConditions) {
    const std::vector<Poly>& rests = pairs.suffices();
    const auto better = std::find_if(rests.begin(), rests.end(), [&](const Poly& rest) { return is_plausible(rest, property) && is_new(rest); });
    if (better == rests.end()) break;
    known.push_back(Poly(*better));
    why = search();
  }
  for (std::size_t axis = 0; axis < 3 && !why && property == Property::races; ++axis) {
    known.resize(before);
    const Poly alone = Poly(1) - contract_.grid[axis];
    if (!is_free_extent(contract_.grid[axis]) || !is_new(alone)) continue;
    known.push_back(alone);
    why = search();
  }
  if (why) leave_out_implied(before, search, *why);
  for (std::size_t i = before; i < known.size() && why; ++i)
    statement_.conditions.push_back({known[i], site.op, property, argument_name(*site.base)});
  if (!why) known.resize(before);
  return why;
}

// Of the conditions from `before` on: what came first may follow from what came last.
void Walk::leave_out_implied(std::size_t before, const Search& search, Apart& why) {
  std::vector<Poly>& known = paths_.front().facts;
  for (std::size_t i = before; i + 1 < known.size();) {
    const Poly left_out = known[i];
    known.erase(known.begin() + static_cast<std::ptrdiff_t>(i));
    if (auto without = search())
      why = std::move(*without);
    else
      known.insert(known.begin() + static_cast<std::ptrdiff_t>(i++), left_out);
  }
}

void Walk::decide_pair(const Site& a, const Site& b, Pairs& pairs) {
  if (auto why = apart_under_conditions(a, Property::races, pairs, [&] { return pairs.programs_apart(a, b); })) {
    statement_.pairs.push_back({a.op, b.op, false, std::move(*why)});
    ++statement_.races;
    return;
  }
  const std::string other = a.op == b.op ? "itself in another program" : ir::shown_name(*b.op) + " at " + place_text(*b.op);
  leave_open(*a.op, Property::races, "may touch the bytes of " + other, argument_name(*a.base));
}

// The hardware keeps what a descriptor of the launch names inside of its tensor; only its indices can wrap.
void Walk::visit_descriptor_access(const ir::Op& op, Path* path) {
  const ir::MemoryAccess& access = op.def().access;
  if (access.place != ir::MemoryAccess::Place::block || access.indices < 0 ||
      form_of(*op.operand(0), path).kind != Form::Kind::descriptor)
    return leave_open(op, Property::bounds, "a descriptor that the kernel made");
  for (const ir::Value* index : op.operand_group(static_cast<std::size_t>(access.indices))) pay_number(*index, op, path);
  if (!is_trial_) ++statement_.accesses;
}

}  // namespace lockstep::prove
