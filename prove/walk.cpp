#include "prove/walk.h"

#include <algorithm>
#include <utility>

#include "ir/interfaces/hints.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/module.h"
#include "ir/walk.h"
#include "prove/coverage.h"
#include "prove/meetings.h"
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

}  // namespace

std::string elements_of(const std::string& argument) { return kElements + argument; }

bool is_elements(const std::string& parameter) { return parameter.starts_with(kElements); }

Statement prove(const ir::Op& function, const Contract& contract, Atoms& atoms, Solver* solver) {
  return Walk(function, contract, atoms, solver).run();
}

Walk::Walk(const ir::Op& function, const Contract& contract, Atoms& atoms, Solver* solver)
    : function_(function),
      contract_(contract),
      atoms_(atoms),
      rules_(atoms, debts_, contract.grid, statement_.notes),
      ledger_(atoms, debts_, rules_, statement_, child(nullptr), {solver, contract.wants_certificates}),
      hints_(function, atoms, ledger_, statement_),
      ragged_(contract, atoms) {}

Path* Walk::child(Path* parent) {
  paths_.push_back({.parent = parent});
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
  Path* root = &paths_.front();
  root->facts = contract_.facts;
  for (std::size_t i = 0; i < 3; ++i) {
    root->facts.push_back(contract_.grid[i] - Poly(1));
    root->facts.push_back(Poly(kMostPrograms[i]) - contract_.grid[i]);
  }
  take_arguments();
  visit_blocks(function_.region(0), root);
  statement_.integers += rules_.paid_early();
  Meetings(contract_, atoms_, ragged_, ledger_, statement_).decide(sites_);
  if (contract_.wants_coverage) Coverage(contract_, atoms_, ledger_, statement_).decide(function_, sites_);
  note_forgotten();
  if (!statement_.undecided.empty()) statement_.suggestions = ragged_.suggestions();
  for (const Undecided& one : statement_.undecided) suggest_range(one);
  return std::move(statement_);
}

// An access depends on a number from memory that nothing is assumed of.
void Walk::suggest_range(const Undecided& open) {
  if (open.property != Property::bounds || open.unknown == nullptr) return;
  const auto site_of = [&](const ir::Op* op) { return std::find_if(sites_.begin(), sites_.end(), [&](const Site& one) { return one.op == op; }); };
  const auto load = site_of(open.unknown->defining_op());
  const auto access = site_of(open.op);
  if (load == sites_.end() || access == sites_.end()) return;
  const std::string source = argument_name(*load->base);
  const bool is_written = std::any_of(sites_.begin(), sites_.end(), [&](const Site& one) { return one.writes && one.base == load->base; });
  if (is_written || contract_.data.contains(source) || ragged_.is_table(source)) return;
  // The number is the element that is touched.
  const auto elements = contract_.elements.find(open.argument);
  const auto& terms = access->at.terms();
  const bool is_index = terms.size() == 1 && terms.begin()->first.size() == 1 && terms.begin()->second == access->bytes &&
                        atoms_[terms.begin()->first[0]].made_by == open.unknown;
  const std::string end = is_index && elements != contract_.elements.end() ? text(elements->second, atoms_) : "SIZE";
  const std::string row = source + " in [0," + end + ")";
  std::vector<std::string>& rows = statement_.suggestions;
  if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
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

// ---- blocks ----

// Branches between blocks: each is followed after those that lead to it; a block that may be entered from two has the
// path that they share.
void Walk::visit_blocks(const ir::Region& region, Path* path) {
  std::map<const ir::Block*, Path*> ends{{&region.front(), path}};
  for (const auto& block : region.blocks()) {
    if (block.get() != &region.front() && !enter_block(*block, ends)) {
      ledger_.leave_open(*block->ops().front(), Property::bounds, "branches that lead back");
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
  path->is_certain = before.size() == 1;
  if (before.size() != 1) return true;
  const ir::Op& branch = *before[0]->terminator();
  if (!ir::is_conditional_jump(branch) || branch.successors()[0].block == branch.successors()[1].block) return true;
  const Formula condition = form_of(*branch.operand(0), common).formula;
  path->condition = branch.successors()[0].block == &block ? condition : condition.negated();
  path->condition.consequences(path->facts);
  return true;
}

void Walk::visit_ops(const ir::Block& block, Path* path) {
  for (const auto& op : block.ops()) visit(*op, path);
}

void Walk::visit(const ir::Op& op, Path* path) {
  follow(op, path);
  if (!contract_.wants_hints) return;
  if (ir::is_assumption(op)) hints_.assume(op, form_of(*op.operand(0), path), path);
  if (ir::has_hint(op)) hints_.owe(op, form_of(*op.result(), path), path);
}

void Walk::follow(const ir::Op& op, Path* path) {
  if (op.def().access.is_access()) return visit_access(op, path);
  if (ir::is_counted_loop(op)) return visit_for(op, path);
  if (ir::is_open_loop(op)) return visit_while(op, path);
  if (ir::is_choice(op)) return visit_if(op, path);
  if (ir::is_conditional_jump(op)) return ledger_.pay(form_of(*op.operand(0), path), path);
  if (ir::is_call(op)) return ledger_.leave_open(op, Property::bounds, "a call that was not inlined");
  const bool touches_memory = op.def().effects == ir::Effects::read || op.def().effects == ir::Effects::write ||
                              op.def().effects == ir::Effects::read_write;
  if ((touches_memory && op.def().statement == ir::Statement::none) || (!op.regions().empty() && !ir::combines_lanes(op)))
    ledger_.leave_open(op, Property::bounds, "no rule for " + std::string(op.spelling()));
  std::vector<Form> operands;
  for (const ir::Value* operand : op.operands()) operands.push_back(form_of(*operand, path));
  std::vector<Form> results = rules_.apply(op, operands, path, ledger_.is_trial());
  for (std::size_t i = 0; i < results.size(); ++i) set(*op.result(i), std::move(results[i]));
  // Which data is taken depends on it.
  if (ir::is_selection(op) && forms_[op.result()].kind == Form::Kind::nothing) ledger_.pay(operands[0], path);
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
  ledger_.pay(condition, path);
  std::vector<std::vector<Form>> yields;
  for (const auto& region : op.regions()) {
    if (region->empty()) continue;
    Path* inside = child(path);
    inside->condition = yields.empty() ? condition.formula : condition.formula.negated();
    inside->condition.consequences(inside->facts);
    visit_ops(region->front(), inside);
    yields.emplace_back();
    for (const ir::Value* value : region->front().terminator()->operands())
      yields.back().push_back(form_of(*value, inside));
  }
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    std::optional<Form> form;
    if (yields.size() == 2 && may_leave(yields[0][i], path) && may_leave(yields[1][i], path))
      form = rules_.choose(op, condition, yields[0][i], yields[1][i], path, ledger_.is_trial());
    set(*op.result(i), form ? *form : rules_.anything(*op.result(i), path));
  }
}

void Walk::visit_while(const ir::Op& op, Path* path) {
  for (const auto& region : op.regions()) {
    Path* inside = child(path);
    inside->is_certain = false;
    for (const auto& argument : region->front().arguments()) set(*argument, rules_.anything(*argument, inside));
    visit_ops(region->front(), inside);
    for (const auto& inner : region->front().ops()) {
      if (ir::is_loop_condition(*inner)) ledger_.pay(form_of(*inner->operand(0), inside), inside);
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
  const bool was_trial = ledger_.set_trial(true);
  start_turn(op, trial, carried);
  visit_ops(block, trial);
  ledger_.set_trial(was_trial);
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
  body->turn = atoms_.counter(&op, body, first, end, step);
  const Poly turn = Poly::atom(*body->turn);
  body->last_turn = end - Poly(1) - first - step * turn;
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
    ledger_.leave_open(op, Property::loops, "a loop over something else than numbers with a sign");
  const ir::Block& block = op.region(0).front();
  std::vector<Form> carried;
  for (std::size_t i = 1; i < block.arguments().size(); ++i) carried.push_back(form_of(*op.operand(i + 2), path));
  const auto changes = changes_of(op, path, carried);
  if (!ledger_.is_trial()) statement_.notes.changes[&op] = changes;
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
    if (changes[i]) ledger_.pay(form_of(*block.terminator()->operand(i), body), body);
    set(*op.result(i), rules_.anything(*op.result(i), path));
  }
}

// The step goes up, and the counter after the last turn is a number of its type.
void Walk::owe_loop(const ir::Op& op, Path* path, Path* body) {
  if (ledger_.is_trial()) return;
  const Form step = form_of(*op.operand(2), path), counter = form_of(*op.region(0).front().argument(0), body);
  const IntegerRange range = range_of(op.operand(0)->type());
  const bool goes_up = ledger_.settle(step.number - Poly(1), path, {}, {{}, &op, Property::loops});
  const bool fits = ledger_.settle(Poly(range.high) - counter.number - step.number, body, {}, {{}, &op, Property::loops});
  if (goes_up && fits) ++statement_.loops;
}

// ---- accesses ----

void Walk::visit_access(const ir::Op& op, Path* path) {
  const ir::MemoryAccess& access = op.def().access;
  for (std::size_t i = 0; i < op.result_count(); ++i) set(*op.result(i), rules_.anything(*op.result(i), path));
  if (access.place != ir::MemoryAccess::Place::pointers) return visit_descriptor_access(op, path);
  if (op.operand(0)->type().is_pointer() && op.operand(0)->type().pointee().is_tensor())
    return ledger_.leave_open(op, Property::bounds, "a block pointer");
  std::vector<Poly> on;
  Formula whole = Formula::constant(true);
  const ir::Value* mask = access.mask >= 0 ? op.operand_or_null(static_cast<std::size_t>(access.mask)) : nullptr;
  if (mask != nullptr) {
    const Form form = form_of(*mask, path);
    ledger_.pay(form, path);
    form.formula.consequences(on);
    whole = form.is_truth() ? form.formula : Formula::unknown();
  }
  const Form place = form_of(*op.operand(0), path);
  decide_access(op, place, on, path);
  if (!sites_.empty() && sites_.back().op == &op) sites_.back().mask = std::move(whole);
  if (ir::is_pointer_load(op) && place.is_pointer()) take_data(op, place, mask, path);
}

// Whole elements of the argument's own type.
void Walk::take_data(const ir::Op& op, const Form& place, const ir::Value* mask, Path* path) {
  const std::string argument = argument_name(*place.base);
  const auto given = contract_.data.find(argument);
  const ir::Type pointer = op.operand(0)->type().element();
  if (pointer != place.base->type() || !is_integer_like(pointer.pointee())) return;
  const Integer size = size_bytes(*pointer.pointee().scalar_kind());
  Poly index;
  for (const auto& [monomial, coefficient] : place.number.terms()) {
    if (coefficient % size != 0) return;
    index.add(monomial, coefficient / size);
  }
  const auto range = given != contract_.data.end() ? std::optional(given->second) : ragged_.range_of(argument, index);
  std::optional<Form> on, rest;
  if (mask != nullptr) on = form_of(*mask, path);
  if (mask != nullptr && op.def().access.other >= 0) {
    const ir::Value* other = op.operand_or_null(static_cast<std::size_t>(op.def().access.other));
    if (other != nullptr) rest = form_of(*other, path);
  }
  if (range) set(*op.result(), rules_.loaded(op, *range, on ? &*on : nullptr, rest ? &*rest : nullptr, path, ledger_.is_trial()));
  const Poly number = forms_[op.result()].number;
  if (mask != nullptr || ledger_.is_trial() || op.result()->type().is_tensor() || number.terms().size() != 1 || number.degree() != 1) return;
  const AtomId datum = number.terms().begin()->first[0];
  if (range && range->rises) take_order(op, place.base, datum, index, path);
  ragged_.take(argument, datum, index, path);
}

void Walk::take_order(const ir::Op& op, const ir::Value* base, AtomId datum, const Poly& index, Path* path) {
  Rising here{base, datum, index, path};
  for (const Rising& other : rising_) {
    if (other.base == here.base && encloses(other.path, path))
      rules_.take_order(op, here.datum, here.index, other.datum, other.index, path);
  }
  rising_.push_back(std::move(here));
}

void Walk::decide_access(const ir::Op& op, const Form& place, const std::vector<Poly>& on, Path* path) {
  if (ledger_.is_trial()) return;
  const auto kind = op.operand(0)->type().element().pointee().scalar_kind();
  if (!place.is_pointer() || !kind) return ledger_.leave_open(op, Property::bounds, "a pointer into unknown memory");
  ledger_.pay(place, path, on);
  const std::string argument = argument_name(*place.base);
  if (!ir::is_pointer_load(op) && (contract_.data.contains(argument) || ragged_.is_table(argument)))
    return ledger_.leave_open(op, Property::bounds, "it writes what an assumption speaks of", argument);
  Condition about{{}, &op, Property::bounds, argument_name(*place.base)};
  about.is_of_contract = contract_.elements.contains(about.argument);
  const bool is_high =
      ledger_.settle(bytes_of(*place.base) - Poly(size_bytes(*kind)) - place.number, path, on, about);
  about.is_lower_end = true;
  const bool is_low = ledger_.settle(place.number, path, on, about);
  if (is_low && is_high) ++statement_.accesses;
  const ir::MemoryAccess& access = op.def().access;
  sites_.push_back({&op, place.base, place.number, size_bytes(*kind), on, Formula::constant(true), path, !ir::is_pointer_load(op),
                    access.kind == ir::MemoryAccess::Kind::atomic});
}

// The hardware keeps what a descriptor of the launch names inside of its tensor; only its indices can wrap.
void Walk::visit_descriptor_access(const ir::Op& op, Path* path) {
  const ir::MemoryAccess& access = op.def().access;
  if (access.place != ir::MemoryAccess::Place::block || access.indices < 0 ||
      form_of(*op.operand(0), path).kind != Form::Kind::descriptor)
    return ledger_.leave_open(op, Property::bounds, "a descriptor that the kernel made");
  for (const ir::Value* index : op.operand_group(static_cast<std::size_t>(access.indices))) pay_number(*index, op, path);
  if (contract_.wants_races && access.kind != ir::MemoryAccess::Kind::load)
    ledger_.leave_open(op, Property::races, "a store through a descriptor of the launch");
  if (!ledger_.is_trial()) ++statement_.accesses;
}

}  // namespace lockstep::prove
