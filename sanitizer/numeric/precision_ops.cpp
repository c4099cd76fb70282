#include <algorithm>

#include "ir/analysis/value_slice.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/memory/value_ranges.h"
#include "sanitizer/numeric/precision.h"

namespace lockstep::sanitizer {

namespace {

std::optional<ScalarKind> float_kind(const ir::Value& value) {
  const auto kind = value.type().element().scalar_kind();
  return kind && is_float(*kind) ? kind : std::nullopt;
}

bool is_small(const ir::Value& value) {
  const auto kind = float_kind(value);
  return kind == ScalarKind::f16 || kind == ScalarKind::bf16;
}

bool adds_floats_up(const ir::Op& op) {
  if (!ir::is_reduction(op) || op.operand_count() != 1 || op.regions().empty()) return false;
  if (op.region().blocks().size() != 1) return false;
  const auto& ops = op.region().front().ops();
  return ops.size() == 2 && ir::is_float_sum(*ops.front());
}

/// An addition in a loop whose result is an addend of the next iteration.
bool is_carried_sum(const ir::Op& op) {
  if (!ir::is_float_sum(op) || op.parent_op() == nullptr) return false;
  if (!ir::is_counted_loop(*op.parent_op())) return false;
  return std::any_of(op.operands().begin(), op.operands().end(), [&](const ir::Value* operand) {
    const bool is_argument = operand->defining_op() == nullptr && operand->owner_block() == op.block();
    return is_argument && ir::yielded_value(*operand) == op.result();
  });
}

/// arith.truncf: users write tt.fp_to_fp by hand, so it rounds as they wish.
bool is_truncation(const ir::Op& op) { return op.def().opcode == ir::Opcode::arith_truncf; }

/// What Python's operators become.
bool is_plain_arithmetic(const ir::Op& op) {
  return ir::is_float_sum(op) || ir::is_float_difference(op) || ir::is_float_product(op) ||
         ir::computes(op, ir::Arithmetic::quotient, ir::Numbers::floats);
}

/// A cast on the same line as the arithmetic that uses it: the frontend added it.
bool is_implicit_cast(const ir::Op& op) {
  if (!is_truncation(op) && !ir::converts_to_float(op)) return false;
  if (!is_small(*op.result()) || op.location().is_unknown()) return false;
  const ir::Value* value = op.result();
  while (value->uses().size() == 1) {
    const ir::Op& user = *value->uses().front().user;
    if (!(user.location() == op.location())) return false;
    if (is_plain_arithmetic(user)) return true;
    const bool moves = ir::moves_lanes(user) || ir::widens_float(user);
    if (!moves || user.result_count() != 1) return false;
    value = user.result();
  }
  return false;
}

/// Behind casts and copies.
const ir::Op* maker_of(const ir::Value* value) {
  const ir::Op* op = value->defining_op();
  while (op != nullptr && (ir::moves_lanes(*op) || ir::widens_float(*op) || is_truncation(*op)))
    op = op->operand(0)->defining_op();
  return op;
}

bool is_square(const ir::Value* value) {
  const ir::Op* op = maker_of(value);
  return op != nullptr && ir::is_float_product(*op) &&
         op->operand(0) == op->operand(1);
}

bool is_variance(const ir::Op& op) { return ir::is_float_difference(op) && is_square(op.operand(1)); }

bool is_tf32_product(const ir::Op& op) {
  return ir::is_matrix_product(op) && float_kind(*op.operand(0)) == ScalarKind::f32 &&
         op.integer_attribute("inputPrecision", 2) == 0;
}

void add_made_of(const ir::Value& start, std::unordered_set<const ir::Op*>& ops) {
  ir::ValueSlice slice(start);
  while (const ir::Value* value = slice.next()) {
    if (!float_kind(*value)) continue;
    const ir::Op* op = value->defining_op();
    if (op == nullptr || ir::is_counted_loop(*op)) {
      slice.add(ir::initial_value(*value));
      slice.add(ir::yielded_value(*value));
    } else {
      ops.insert(op);
      slice.add_operands(*op);
    }
  }
}

}  // namespace

PrecisionOps::PrecisionOps(const ir::Module& module, const ir::Op& function) {
  for_each_op(module, function, [&](const ir::Op& op) {
    if (op.result_count() == 0) return;
    if (is_small(*op.result()) && (adds_floats_up(op) || is_carried_sum(op))) sums.insert(&op);
    if (is_implicit_cast(op)) casts.insert(&op);
    if (is_tf32_product(op)) products.push_back(&op);
    if (!is_variance(op)) return;
    differences.insert(&op);
    add_made_of(*op.result(), shadowed);
  });
}

}  // namespace lockstep::sanitizer
