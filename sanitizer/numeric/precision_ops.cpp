#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/memory/value_ranges.h"
#include "sanitizer/numeric/precision.h"

namespace lockstep::sanitizer {

using ir::Opcode;

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
  return ops.size() == 2 && ir::computes(*ops.front(), ir::Arithmetic::sum, ir::Numbers::floats);
}

/// An addition whose result a loop hands to the next trip as what it adds to.
bool is_carried_sum(const ir::Op& op) {
  if (!ir::computes(op, ir::Arithmetic::sum, ir::Numbers::floats) || op.parent_op() == nullptr) return false;
  const ir::Op& loop = *op.parent_op();
  if (!ir::is_counted_loop(loop)) return false;
  for (const ir::Use& use : op.result()->uses()) {
    if (!ir::is_yield(*use.user) || use.user->parent_op() != &loop) continue;
    const ir::Value* carried = loop.region().front().argument(use.operand + 1);
    if (op.operand(0) == carried || op.operand(1) == carried) return true;
  }
  return false;
}

/// A cast that stands where the arithmetic that uses it stands: nobody wrote it.
bool is_implicit_cast(const ir::Op& op) {
  const Opcode code = op.def().opcode;
  if (code != Opcode::arith_truncf && code != Opcode::arith_sitofp && code != Opcode::arith_uitofp) return false;
  if (!is_small(*op.result()) || op.location().is_unknown()) return false;
  const ir::Value* value = op.result();
  while (value->uses().size() == 1) {
    const ir::Op& user = *value->uses().front().user;
    if (!(user.location() == op.location())) return false;
    switch (user.def().opcode) {
      case Opcode::arith_addf:
      case Opcode::arith_subf:
      case Opcode::arith_mulf:
      case Opcode::arith_divf: return true;
      default: break;
    }
    const bool moves = ir::moves_lanes(user) || user.def().opcode == Opcode::arith_extf;
    if (!moves || user.result_count() != 1) return false;
    value = user.result();
  }
  return false;
}

/// Behind casts and copies.
const ir::Op* maker_of(const ir::Value* value) {
  const ir::Op* op = value->defining_op();
  while (op != nullptr && (ir::moves_lanes(*op) || op->def().opcode == Opcode::arith_extf ||
                           op->def().opcode == Opcode::arith_truncf))
    op = op->operand(0)->defining_op();
  return op;
}

bool is_square(const ir::Value* value) {
  const ir::Op* op = maker_of(value);
  return op != nullptr && ir::computes(*op, ir::Arithmetic::product, ir::Numbers::floats) &&
         op->operand(0) == op->operand(1);
}

bool is_variance(const ir::Op& op) { return ir::computes(op, ir::Arithmetic::difference, ir::Numbers::floats) &&
                                    is_square(op.operand(1)); }

bool is_tf32_product(const ir::Op& op) {
  return ir::is_matrix_product(op) && float_kind(*op.operand(0)) == ScalarKind::f32 &&
         op.integer_attribute("inputPrecision", 2) == 0;
}

void add_made_of(const ir::Value* start, std::unordered_set<const ir::Op*>& ops) {
  std::vector<const ir::Value*> open{start};
  std::unordered_set<const ir::Value*> seen;
  while (!open.empty()) {
    const ir::Value* value = open.back();
    open.pop_back();
    if (!float_kind(*value) || !seen.insert(value).second) continue;
    const ir::Op* op = value->defining_op();
    if (op == nullptr) {
      const ir::Op* around = value->owner_block()->parent_op();
      if (around == nullptr || !ir::is_counted_loop(*around) || value->index() == 0) continue;
      open.push_back(around->operand(2 + value->index()));
      const ir::Op* yield = around->region().front().terminator();
      if (yield != nullptr) open.push_back(yield->operand(value->index() - 1));
      continue;
    }
    if (ir::is_counted_loop(*op)) {
      const ir::Op* yield = op->region().front().terminator();
      if (yield != nullptr) open.push_back(yield->operand(value->index()));
      open.push_back(op->operand(3 + value->index()));
      continue;
    }
    ops.insert(op);
    for (const ir::Value* operand : op->operands()) open.push_back(operand);
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
    add_made_of(op.result(), shadowed);
  });
}

}  // namespace lockstep::checkers
