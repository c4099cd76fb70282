#include "interpreter/plan/structure_step.h"

#include "interpreter/plan/structure.h"
#include "interpreter/tile/rows.h"

namespace lockstep::interpreter {

namespace {

using Rule = Elementwise::Rule;

bool apply_extreme(const Elementwise& op, const Tile& a, const Tile& b, Tile& out) {
  if (!compare_affine(kernels::CompareInt::slt, a, b, *op.result, out) || out.form != Form::uniform) return false;
  out = ((out.base & 1) != 0) == (op.rule == Rule::minimum) ? a : b;
  return true;
}

/// The op on forms; false, with an undefined `out`, if they are not enough.
template <Rule rule>
bool apply_structured(const Elementwise& op, const Tile& a, const Tile& b, Tile& out) {
  if constexpr (rule == Rule::add) return add_affine(a, b, *op.result, out);
  if constexpr (rule == Rule::subtract) return subtract_affine(a, b, *op.result, out);
  if constexpr (rule == Rule::multiply) return multiply_affine(a, b, *op.result, out);
  if constexpr (rule == Rule::divide) return divide_affine(a, b, *op.result, false, out);
  if constexpr (rule == Rule::remainder) return divide_affine(a, b, *op.result, true, out);
  if constexpr (rule == Rule::compare) return compare_affine(op.predicate, a, b, *op.operand[0], out);
  if constexpr (rule == Rule::minimum) return apply_extreme(op, a, b, out);
  if constexpr (rule == Rule::and_) return and_boxes(a, b, *op.result, out);
  return false;
}

/// The same with operands in the form rows, or varying along one dimension only.
template <Rule rule>
bool apply_rows(Machine& machine, const Elementwise& op, const Tile& a, const Tile& b, Tile& out) {
  if constexpr (rule == Rule::add) return add_rows(machine, a, b, *op.result, false, out);
  if constexpr (rule == Rule::subtract) return add_rows(machine, a, b, *op.result, true, out);
  if constexpr (rule == Rule::multiply) return multiply_rows(machine, a, b, *op.result, out);
  if constexpr (rule == Rule::and_) return and_row_masks(machine, a, b, *op.result, out);
  return false;
}

template <Rule rule>
const Step* step_structured(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Elementwise*>(step->record);
  Tile& out = machine.slots[step->result];
  machine.pool.release(out);
  const Tile& a = machine.slots[step->operand[0]];
  if constexpr (rule == Rule::convert) {
    const bool is_unsigned = op.rule == Rule::convert_unsigned;
    if (convert_affine(a, *op.operand[0], *op.result, is_unsigned, out) ||
        convert_rows(a, *op.operand[0], *op.result, is_unsigned, out))
      return machine.finish(step);
  } else {
    const Tile& b = machine.slots[step->operand[1]];
    if (apply_structured<rule>(op, a, b, out) || apply_rows<rule>(machine, op, a, b, out)) return machine.finish(step);
  }
  return step_elementwise(machine, step);
}

/// Integers of rank 0.
template <Rule rule>
const Step* step_integer(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Elementwise*>(step->record);
  const std::uint64_t a = machine.slots[step->operand[0]].base, b = machine.slots[step->operand[1]].base;
  std::uint64_t& out = machine.slots[step->result].base;
  const ScalarKind kind = op.operand[0]->kind;
  if constexpr (rule == Rule::add) out = truncate_bits(kind, a + b);
  if constexpr (rule == Rule::subtract) out = truncate_bits(kind, a - b);
  if constexpr (rule == Rule::multiply) out = truncate_bits(kind, a * b);
  if constexpr (rule == Rule::compare) out = compare_scalars(op.predicate, kind, a, b) ? 1 : 0;
  return step + 1;
}

}  // namespace

StepFunction integer_step(const Elementwise& op) {
  const bool is_plain = op.arity == Elementwise::Arity::binary && is_integer(op.operand[0]->kind);
  switch (is_plain ? op.rule : Rule::none) {
    case Rule::add: return step_integer<Rule::add>;
    case Rule::subtract: return step_integer<Rule::subtract>;
    case Rule::multiply: return step_integer<Rule::multiply>;
    case Rule::compare: return step_integer<Rule::compare>;
    default: return nullptr;
  }
}

StepFunction structured_step(const Elementwise& op) {
  if (op.arity == Elementwise::Arity::copy) return nullptr;
  switch (op.rule) {
    case Rule::add: return step_structured<Rule::add>;
    case Rule::subtract: return step_structured<Rule::subtract>;
    case Rule::multiply: return step_structured<Rule::multiply>;
    case Rule::divide: return step_structured<Rule::divide>;
    case Rule::remainder: return step_structured<Rule::remainder>;
    case Rule::compare: return step_structured<Rule::compare>;
    case Rule::minimum:
    case Rule::maximum: return step_structured<Rule::minimum>;
    case Rule::and_: return step_structured<Rule::and_>;
    case Rule::convert:
    case Rule::convert_unsigned: return step_structured<Rule::convert>;
    default: return nullptr;
  }
}

}  // namespace lockstep::interpreter
