#include "sanitizer/undef/definedness_taint.h"

#include <algorithm>

#include "interpreter/access/access_lanes.h"
#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/analysis/nesting.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::sanitizer {

namespace {

constexpr int kMaxDepth = 12;

const ir::Op* shape_op(const ir::Value* value) {
  const ir::Op* op = value->defining_op();
  return op != nullptr && ir::reshapes(*op) ? op : nullptr;
}

const ir::Op* conjunction(const ir::Value* value) {
  const ir::Op* op = value->defining_op();
  return op != nullptr && ir::computes(*op, ir::Arithmetic::conjunction, ir::Numbers::integers) ? op : nullptr;
}

bool have_same_attributes(const ir::Op& a, const ir::Op& b) {
  return a.attributes().size() == b.attributes().size() &&
         std::all_of(a.attributes().begin(), a.attributes().end(),
                     [&](const ir::NamedAttribute& one) { return b.attribute(one.name) == one.value; });
}

/// Two names of one value: the same pure op on the same operands.
bool is_same(const ir::Value* a, const ir::Value* b, int depth) {
  if (a == b) return true;
  const ir::Op *x = a->defining_op(), *y = b->defining_op();
  if (depth == 0 || x == nullptr || y == nullptr || x->def().opcode != y->def().opcode || a->index() != b->index() ||
      x->def().effects != ir::Effects::pure || !x->regions().empty() || a->type() != b->type() ||
      x->operand_count() != y->operand_count() || !have_same_attributes(*x, *y))
    return false;
  for (std::size_t i = 0; i < x->operand_count(); ++i) {
    if (!is_same(x->operand(i), y->operand(i), depth - 1)) return false;
  }
  return true;
}

using Chain = std::vector<const ir::Op*>;

/// If `value` is true, then so is `mask` passed through `chain`.
bool implies(const ir::Value* value, const ir::Value* mask, const Chain& chain, int depth) {
  if (depth == 0) return false;
  if (chain.empty() && is_same(value, mask, depth)) return true;
  if (const ir::Op* both = conjunction(value)) {
    if (implies(both->operand(0), mask, chain, depth - 1) || implies(both->operand(1), mask, chain, depth - 1))
      return true;
  }
  if (const ir::Op* shaped = shape_op(value); shaped != nullptr && !chain.empty()) {
    const ir::Op& last = *chain.back();
    if (last.def().opcode == shaped->def().opcode && last.result()->type().shape() == value->type().shape() &&
        have_same_attributes(last, *shaped) &&
        implies(shaped->operand(0), mask, Chain(chain.begin(), chain.end() - 1), depth - 1))
      return true;
  }
  if (const ir::Op* both = conjunction(mask))
    return implies(value, both->operand(0), chain, depth - 1) && implies(value, both->operand(1), chain, depth - 1);
  if (const ir::Op* shaped = shape_op(mask)) {
    Chain longer{shaped};
    longer.insert(longer.end(), chain.begin(), chain.end());
    return implies(value, shaped->operand(0), longer, depth - 1);
  }
  return false;
}

/// Result elements depend on operand elements at their own place.
bool is_by_place(const ir::Op& op) {
  if (!op.regions().empty() || op.def().effects != ir::Effects::pure) return false;
  return op.def().defined_if == ir::Definedness::elementwise && !ir::moves_lanes(op);
}

}  // namespace

bool is_same_value(const ir::Value& a, const ir::Value& b) { return is_same(&a, &b, kMaxDepth); }

bool is_load_without_other(const ir::Op& op) {
  if (!ir::is_pointer_load(op)) return false;
  if (op.operand_or_null(1) != nullptr) return op.operand_or_null(2) == nullptr;
  const ir::Attribute checked = op.attribute("boundaryCheck");
  return checked && !checked->values.empty() && !op.attribute("padding");
}

bool Taint::join(const Taint& other) {
  if (mask == nullptr || (mask == other.mask && chain == other.chain)) return false;
  *this = {};
  return true;
}

TaintedValues::TaintedValues(const ir::Op& function, Sources sources) : sources_(sources) { run(function); }

bool TaintedValues::is_covered(const ir::Value& value, const ir::Value* mask) const {
  const Taint* taint = find(value);
  if (taint == nullptr) return true;
  return taint->mask != nullptr && mask != nullptr && implies(mask, taint->mask, taint->chain, kMaxDepth);
}

void TaintedValues::demand(const ir::Op& op, std::size_t operand) {
  if (is_tainted(*op.operand(operand))) may_matter_ = true;
}

void TaintedValues::demand_all(const ir::Op& op) {
  for (std::size_t i = 0; i < op.operand_count(); ++i) demand(op, i);
}

void TaintedValues::visit(const ir::Op& op) {
  if (interpreter::touches_memory(op)) return visit_access(op);
  if (ir::is_control_flow(op)) return visit_control(op);
  const bool is_conjunction = op.def().arithmetic == ir::Arithmetic::conjunction;
  if (is_conjunction || ir::is_selection(op)) return visit_select(op);
  visit_plain(op);
}

void TaintedValues::visit_plain(const ir::Op& op) {
  if (op.def().statement != ir::Statement::none) return;
  for (const ir::Value* operand : op.operands()) {
    const Taint* found = find(*operand);
    if (found == nullptr) continue;
    Taint taint = *found;
    if (ir::reshapes(op)) {
      if (taint.mask != nullptr) taint.chain.push_back(&op);
    } else if (!is_by_place(op)) {
      may_matter_ = true;
      taint = {};
    }
    for (std::size_t i = 0; i < op.result_count(); ++i) join(*op.result(i), taint);
  }
}

/// Drops elements that a select leaves out, or that `false` makes false.
void TaintedValues::visit_select(const ir::Op& op) {
  const bool is_select = ir::is_selection(op);
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Taint* taint = find(*op.operand(i));
    if (taint == nullptr) continue;
    const ir::Value* guard = is_select ? (i == 1 ? op.operand(0) : nullptr) : op.operand(1 - i);
    if (guard != nullptr && !is_tainted(*guard) && is_covered(*op.operand(i), guard)) continue;
    join(*op.result(), Taint(*taint));
  }
}

void TaintedValues::visit_access(const ir::Op& op) {
  const ir::Value* mask = interpreter::access_mask(op);
  const ir::Type pointer = op.operand(0)->type();
  const bool is_plain = pointer.element().is_pointer() && !interpreter::is_block_type(pointer);
  for (const ir::Value* operand : op.operands()) {
    const bool is_other = ir::is_pointer_load(op) && operand == op.operand_or_null(2);
    if (operand == mask ? is_tainted(*operand) : !is_other && !is_covered(*operand, is_plain ? mask : nullptr))
      may_matter_ = true;
    if (is_other && is_tainted(*operand)) join(*op.result(), {});
  }
  if (op.result_count() == 0) return;
  const bool is_source = is_load_without_other(op) || (!ir::is_pointer_load(op) && mask != nullptr);
  if (sources_ == Sources::all_loads) {
    join(*op.result(), {});
  } else if (is_source) {
    join(*op.result(), {mask, {}});
  }
}

/// In the next iteration of a loop a mask made inside is another one. A block, too, may be entered again and again.
void TaintedValues::hand_on(const ir::RegionEdge& edge) {
  const ir::Op& from = *edge.from;
  const ir::Op* around = from.parent_op();
  const bool ends_turn = from.def().is_terminator && around != nullptr && ir::is_loop(*around);
  for (std::size_t i = 0; i < edge.count; ++i) {
    const Taint* found = find(*edge.source(i));
    if (found == nullptr) continue;
    Taint taint = *found;
    const bool is_made_again = ends_turn && taint.mask != nullptr && ir::is_inside(*taint.mask, *around);
    if (is_made_again || !from.successors().empty()) taint = {};
    join(*edge.target(i), taint);
  }
}

/// Calls: what they do with it is not followed; the kernel returns nothing.
void TaintedValues::visit_call(const ir::Op& op) {
  if (sources_ == Sources::all_loads) {
    for (std::size_t i = 0; i < op.result_count(); ++i) join(*op.result(i), {});
  }
  demand_all(op);
}

void TaintedValues::visit_control(const ir::Op& op) {
  if (ir::is_call(op) || ir::is_return(op)) return visit_call(op);
  for (std::size_t i = 0; i < ir::deciding_operands(op); ++i) demand(op, i);
}

}  // namespace lockstep::sanitizer
