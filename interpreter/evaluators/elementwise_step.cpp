#include "interpreter/evaluators/elementwise_step.h"

#include "interpreter/plan/scalar_step.h"
#include "interpreter/plan/structure.h"
#include "interpreter/plan/structure_step.h"
#include "interpreter/tile/affine_step.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

using Rule = Elementwise::Rule;
using Arity = Elementwise::Arity;

template <Arity arity>
const Step* step_scalar(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Elementwise*>(step->record);
  const std::uint64_t a = machine.slots[step->operand[0]].base;
  Tile& out = machine.slots[step->result];
  std::uint64_t bits = 0;
  if constexpr (arity == Arity::unary) op.unary(&bits, &a, 1);
  if constexpr (arity == Arity::convert) op.convert(&bits, &a, 1);
  if constexpr (arity == Arity::binary) op.binary(&bits, &a, &machine.slots[step->operand[1]].base, 1, 0, 0);
  if constexpr (arity == Arity::ternary) {
    op.ternary(&bits, &a, &machine.slots[step->operand[1]].base, &machine.slots[step->operand[2]].base, 1, 0, 0, 0);
  }
  out.base = bits;
  out.provenance = -1;
  return step + 1;
}

/// True if the tile's form means the same in the result's kind. Addresses may wrap where integers must not.
bool keeps_form(const Elementwise& op, const Tile& a) {
  if (a.form == Form::uniform || a.form == Form::dense) return true;
  if (op.rule != Rule::convert) return false;
  AffineView view;
  ValueRange range;
  const bool must_not_wrap = (a.form == Form::affine || a.form == Form::gather) &&
                             op.operand[0]->kind == ScalarKind::pointer && op.result->kind != ScalarKind::pointer;
  return !must_not_wrap || (as_affine(a, *op.operand[0], view) && range_of(view, *op.operand[0], range));
}

/// Reads the same bits as another kind of that width.
const Step* step_copy(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Elementwise*>(step->record);
  const Tile& a = machine.slots[step->operand[0]];
  const bool reads_as_is = keeps_form(op, a);
  Tile out = reads_as_is ? a : make_contiguous(machine, a, *op.operand[0]);
  if (reads_as_is) BufferPool::retain(out);
  if (op.result->kind != ScalarKind::pointer) out.provenance = -1;
  machine.set(step->result, out);
  return machine.finish(step);
}

}  // namespace

bool is_elementwise_step(StepFunction run) {
  if (run == step_elementwise || run == step_copy || is_affine_step(run)) return true;
  Elementwise probe;
  for (int rule = 0; rule <= static_cast<int>(Rule::select); ++rule) {
    probe.rule = static_cast<Rule>(rule);
    if (run == structured_step(probe)) return true;
  }
  return false;
}

StepFunction elementwise_step(const Elementwise& op) {
  if (op.arity == Arity::copy) return step_copy;
  if (!op.result->is_scalar() || op.rule == Rule::select) {
    if (const StepFunction affine = affine_step(op); affine != nullptr) return affine;
    const StepFunction structured = structured_step(op);
    return structured != nullptr ? structured : step_elementwise;
  }
  if (const StepFunction integer = integer_step(op); integer != nullptr) return integer;
  if (const StepFunction scalar = scalar_step(op); scalar != nullptr) return scalar;
  switch (op.arity) {
    case Arity::copy: break;
    case Arity::unary: return step_scalar<Arity::unary>;
    case Arity::convert: return step_scalar<Arity::convert>;
    case Arity::binary: return step_scalar<Arity::binary>;
    case Arity::ternary: return step_scalar<Arity::ternary>;
  }
  return step_elementwise;
}

}  // namespace lockstep::interpreter
