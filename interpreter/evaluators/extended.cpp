#include "interpreter/evaluators/extended.h"

#include "interpreter/evaluators/elementwise.h"
#include "interpreter/plan/plan_builder.h"
#include "ir/interfaces/op_kinds.h"

namespace lockstep::interpreter {

namespace {

using ir::Arithmetic;
using kernels::Binary;

struct Extended {
  ir::Calculation what;
  const TileType* type = nullptr;  // of the operands and the first result
  Slot second = kNoSlot;
  Elementwise low, below, high, shift, both, minus;
};

Elementwise binary_of(kernels::BinaryFn kernel, const TileType* operand, const TileType* result) {
  Elementwise made;
  made.arity = Elementwise::Arity::binary;
  made.operands = 2;
  made.binary = kernel;
  made.operand = {operand, operand, nullptr};
  made.result = result;
  return made;
}

Tile run(Machine& machine, const Elementwise& op, const Tile& a, const Tile& b) {
  return run_elementwise(machine, op, {&a, &b, nullptr}, {});
}

/// The excess of the unsigned high half for a negative `a`: b, elsewhere 0.
Tile excess(Machine& machine, const Extended& op, const Tile& a, const Tile& b) {
  const Tile last = uniform_tile(static_cast<std::uint64_t>(bit_width(op.type->kind) - 1));
  const Temporary sign(machine, run(machine, op.shift, a, last));
  return run(machine, op.both, *sign, b);
}

Tile signed_high(Machine& machine, const Extended& op, const Tile& a, const Tile& b) {
  const Temporary high(machine, run(machine, op.high, a, b));
  const Temporary of_a(machine, excess(machine, op, a, b));
  const Temporary of_b(machine, excess(machine, op, b, a));
  const Temporary rest(machine, run(machine, op.minus, *high, *of_a));
  return run(machine, op.minus, *rest, *of_b);
}

Tile second_result(Machine& machine, const Extended& op, const Tile& a, const Tile& b, const Tile& low) {
  if (op.what.arithmetic == Arithmetic::sum_with_carry) return run(machine, op.below, low, a);
  if (op.what.arithmetic == Arithmetic::difference_with_borrow) return run(machine, op.below, a, b);
  return op.what.numbers == ir::Numbers::with_sign ? signed_high(machine, op, a, b) : run(machine, op.high, a, b);
}

const Step* step_extended(Machine& machine, const Step* step) {
  const auto& op = *static_cast<const Extended*>(step->record);
  const Tile& a = machine.slots[step->operand[0]];
  const Tile& b = machine.slots[step->operand[1]];
  const Tile low = run(machine, op.low, a, b);
  const Tile second = second_result(machine, op, a, b, low);
  machine.set(step->result, low);
  machine.set(op.second, second);
  return machine.finish(step);
}

Binary low_of(Arithmetic what) {
  if (what == Arithmetic::sum_with_carry) return Binary::addi;
  return what == Arithmetic::difference_with_borrow ? Binary::subi : Binary::muli;
}

}  // namespace

bool evaluate_extended(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_extended, op);
  if (step == nullptr) return false;
  Extended made;
  made.what = ir::calculation(op);
  made.second = builder.result(op, 1);
  if (made.second == kNoSlot) return false;
  made.type = builder.type(step->operand[0]);
  const ScalarKind kind = made.type->kind;
  const auto of = [&](Binary which) { return binary_of(kernels::binary(which, kind), made.type, made.type); };
  made.low = of(low_of(made.what.arithmetic));
  made.below = binary_of(kernels::compare(kernels::CompareInt::ult, kind), made.type, builder.type(made.second));
  made.high = of(Binary::mulhiui);
  made.shift = of(Binary::shrsi);
  made.both = of(Binary::andi);
  made.minus = of(Binary::subi);
  if (made.low.binary == nullptr) return builder.unsupported(op, "on " + op.operand(0)->type().to_string() + " is");
  step->record = builder.record(made);
  return true;
}

}  // namespace lockstep::interpreter
