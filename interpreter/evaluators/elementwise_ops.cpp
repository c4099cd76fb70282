// Which kernel and which structured rule each elementwise op has.
#include <optional>

#include "interpreter/evaluators/elementwise.h"
#include "interpreter/evaluators/math_ops.h"
#include "interpreter/kernels/profile_convert.h"
#include "interpreter/libdevice/extern.h"
#include "interpreter/plan/evaluate.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/affine_step.h"
#include "interpreter/tile/dense.h"
#include "interpreter/tile/rows.h"
#include "ir/opcode.h"
#include "ir/passes/passes.h"

namespace lockstep::interpreter {

namespace {

using ir::Opcode;
using kernels::Binary;
using kernels::Ternary;
using kernels::Unary;
using Rule = Elementwise::Rule;
using Arity = Elementwise::Arity;

std::optional<Unary> unary_kind(Opcode opcode) {
  switch (opcode) {
    case Opcode::math_absi: return Unary::absi;
    case Opcode::math_absf: return Unary::absf;
    case Opcode::arith_negf: return Unary::negf;
    case Opcode::math_ceil: return Unary::ceil;
    case Opcode::math_floor: return Unary::floor;
    case Opcode::math_sqrt:
    case Opcode::tt_precise_sqrt: return Unary::sqrt;
    case Opcode::math_rsqrt: return Unary::rsqrt;
    case Opcode::math_exp: return Unary::exp;
    case Opcode::math_exp2: return Unary::exp2;
    case Opcode::math_log: return Unary::log;
    case Opcode::math_log2: return Unary::log2;
    case Opcode::math_sin: return Unary::sin;
    case Opcode::math_cos: return Unary::cos;
    case Opcode::math_tan: return Unary::tan;
    case Opcode::math_tanh: return Unary::tanh;
    case Opcode::math_erf: return Unary::erf;
    default: return std::nullopt;
  }
}

struct BinaryRow {
  Binary op;
  Rule rule = Rule::none;
};

std::optional<BinaryRow> integer_binary_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::arith_addi: return BinaryRow{Binary::addi, Rule::add};
    case Opcode::arith_subi: return BinaryRow{Binary::subi, Rule::subtract};
    case Opcode::arith_muli: return BinaryRow{Binary::muli, Rule::multiply};
    case Opcode::arith_divsi: return BinaryRow{Binary::divsi, Rule::divide};
    case Opcode::arith_divui: return BinaryRow{Binary::divui, Rule::divide};
    case Opcode::arith_remsi: return BinaryRow{Binary::remsi, Rule::remainder};
    case Opcode::arith_remui: return BinaryRow{Binary::remui, Rule::remainder};
    case Opcode::arith_ceildivsi: return BinaryRow{Binary::ceildivsi};
    case Opcode::arith_ceildivui: return BinaryRow{Binary::ceildivui};
    case Opcode::arith_floordivsi: return BinaryRow{Binary::floordivsi, Rule::divide};
    case Opcode::arith_andi: return BinaryRow{Binary::andi, Rule::and_};
    case Opcode::arith_ori: return BinaryRow{Binary::ori, Rule::or_};
    case Opcode::arith_xori: return BinaryRow{Binary::xori, Rule::xor_};
    case Opcode::arith_shli: return BinaryRow{Binary::shli};
    case Opcode::arith_shrsi: return BinaryRow{Binary::shrsi};
    case Opcode::arith_shrui: return BinaryRow{Binary::shrui};
    case Opcode::arith_minsi: return BinaryRow{Binary::minsi, Rule::minimum};
    case Opcode::arith_maxsi: return BinaryRow{Binary::maxsi, Rule::maximum};
    case Opcode::arith_minui: return BinaryRow{Binary::minui};
    case Opcode::arith_maxui: return BinaryRow{Binary::maxui};
    case Opcode::tt_mulhiui: return BinaryRow{Binary::mulhiui};
    default: return std::nullopt;
  }
}

std::optional<BinaryRow> float_binary_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::arith_addf: return BinaryRow{Binary::addf};
    case Opcode::arith_subf: return BinaryRow{Binary::subf};
    case Opcode::arith_mulf: return BinaryRow{Binary::mulf};
    case Opcode::arith_divf:
    case Opcode::tt_approx_divf:
    case Opcode::tt_precise_divf: return BinaryRow{Binary::divf};
    case Opcode::arith_remf: return BinaryRow{Binary::remf};
    case Opcode::arith_minnumf: return BinaryRow{Binary::minnumf};
    case Opcode::arith_maxnumf: return BinaryRow{Binary::maxnumf};
    case Opcode::arith_minimumf: return BinaryRow{Binary::minimumf};
    case Opcode::arith_maximumf: return BinaryRow{Binary::maximumf};
    default: return std::nullopt;
  }
}

struct ConvertRow {
  kernels::Conversion how;
  Rule rule = Rule::none;
  bool has_profile = false;  // the target decides what some pairs of types give
};

std::optional<ConvertRow> convert_of(const ir::Op& op, Opcode opcode) {
  using kernels::Conversion;
  switch (opcode) {
    case Opcode::arith_extsi:
    case Opcode::arith_index_cast: return ConvertRow{Conversion::signed_, Rule::convert};
    case Opcode::arith_trunci: return ConvertRow{Conversion::signed_, Rule::convert};
    case Opcode::arith_extui:
    case Opcode::arith_index_castui: return ConvertRow{Conversion::unsigned_, Rule::convert_unsigned};
    case Opcode::arith_sitofp:
    case Opcode::arith_fptosi:
    case Opcode::arith_extf: return ConvertRow{Conversion::signed_};
    case Opcode::arith_uitofp:
    case Opcode::arith_fptoui: return ConvertRow{Conversion::unsigned_};
    case Opcode::arith_truncf:
      switch (op.integer_attribute("roundingmode", 0)) {
        case 0: return ConvertRow{Conversion::signed_};
        case 3: return ConvertRow{Conversion::toward_zero};
        default: return std::nullopt;  // up, down, ties away: Triton makes none
      }
    case Opcode::tt_fp_to_fp:
      return ConvertRow{op.integer_attribute("rounding", 1) == 0 ? Conversion::toward_zero : Conversion::signed_,
                        Rule::none, true};
    default: return std::nullopt;
  }
}

bool converts_floats(const ir::Op& op) {
  const Opcode opcode = op.def().opcode;
  return opcode == Opcode::tt_fp_to_fp || opcode == Opcode::arith_extf || opcode == Opcode::arith_truncf;
}

bool is_reinterpretation(Opcode opcode) {
  return opcode == Opcode::arith_bitcast || opcode == Opcode::tt_bitcast || opcode == Opcode::tt_ptr_to_int ||
         opcode == Opcode::tt_int_to_ptr;
}

bool make_binary(Elementwise& made, const BinaryRow& row) {
  made.arity = Arity::binary;
  made.operands = 2;
  made.binary = kernels::binary(row.op, made.operand[0]->kind);
  made.rule = row.rule;
  const bool is_mask = made.operand[0]->kind == ScalarKind::i1;
  const bool is_mask_rule = row.rule == Rule::and_ || row.rule == Rule::or_ || row.rule == Rule::xor_;
  if (is_mask != is_mask_rule) made.rule = Rule::none;
  return made.binary != nullptr;
}

bool make_compare(Elementwise& made, const ir::Op& op, bool is_float_compare) {
  made.arity = Arity::binary;
  made.operands = 2;
  const auto predicate = op.integer_attribute("predicate", 0);
  if (predicate < 0 || predicate > (is_float_compare ? 15 : 9)) return false;
  if (is_float_compare) {
    made.binary = kernels::compare(static_cast<kernels::CompareFloat>(predicate), made.operand[0]->kind);
  } else {
    made.predicate = static_cast<kernels::CompareInt>(predicate);
    made.rule = made.operand[0]->kind == ScalarKind::i1 ? Rule::none : Rule::compare;
    made.binary = kernels::compare(made.predicate, made.operand[0]->kind);
  }
  return made.binary != nullptr;
}

bool make_ternary(Elementwise& made, Ternary which, ScalarKind kind) {
  made.arity = Arity::ternary;
  made.operands = 3;
  made.ternary = kernels::ternary(which, kind);
  if (which == Ternary::select) made.rule = Rule::select;
  return made.ternary != nullptr;
}

bool make_convert(Elementwise& made, const ConvertRow& row, const TargetProfile& profile) {
  made.rule = row.rule;
  if (made.operand[0]->kind == made.result->kind) {
    made.arity = Arity::copy;
    made.rule = Rule::convert;
    return true;
  }
  made.arity = Arity::convert;
  if (row.has_profile)
    made.convert = kernels::find_profile_convert(made.operand[0]->kind, made.result->kind, row.how, profile);
  if (made.convert == nullptr) made.convert = kernels::convert(made.operand[0]->kind, made.result->kind, row.how);
  return made.convert != nullptr;
}

bool make_reinterpretation(Elementwise& made) {
  made.arity = Arity::copy;
  const auto is_address = [](ScalarKind kind) { return kind == ScalarKind::pointer || kind == ScalarKind::i64; };
  const bool keeps_form = made.operand[0]->kind == made.result->kind ||
                          (is_address(made.operand[0]->kind) && is_address(made.result->kind));
  made.rule = keeps_form ? Rule::convert : Rule::none;
  return made.operand[0]->element_bytes == made.result->element_bytes;
}

Ternary clamp_of(const ir::Op& op, const TargetProfile& profile) {
  if (op.integer_attribute("propagateNan", 0) != 0) return Ternary::clampf_all;
  return profile.capability() >= 90 && ir::passes::has_opposite_limits(op) ? Ternary::clampf_symmetric
                                                                           : Ternary::clampf_none;
}

bool fill(Elementwise& made, const ir::Op& op, const TargetProfile& profile) {
  const Opcode opcode = op.def().opcode;
  if (opcode == Opcode::tt_extern_elementwise) return libdevice::fill_extern(made, op);
  if (fill_math(made, op)) return true;
  if (const auto which = unary_kind(opcode))
    return (made.unary = kernels::unary(*which, made.operand[0]->kind)) != nullptr;
  if (const auto row = integer_binary_of(opcode)) return make_binary(made, *row);
  if (const auto row = float_binary_of(opcode)) return make_binary(made, *row);
  if (const auto row = convert_of(op, opcode)) return make_convert(made, *row, profile);
  if (is_reinterpretation(opcode)) return make_reinterpretation(made);
  switch (opcode) {
    case Opcode::arith_cmpi: return make_compare(made, op, false);
    case Opcode::arith_cmpf: return make_compare(made, op, true);
    case Opcode::arith_select: return make_ternary(made, Ternary::select, made.result->kind);
    case Opcode::math_fma: return make_ternary(made, Ternary::fma, made.result->kind);
    case Opcode::tt_clampf: return make_ternary(made, clamp_of(op, profile), made.result->kind);
    default: return false;
  }
}

// ---- addptr ----

/// pointer + offset * element bytes, element by element, wrapping as the hardware does.
Tile add_dense_offsets(Machine& machine, const Tile& pointer, const TileType& pointer_type, const Tile& offset,
                       const TileType& offset_type, std::int64_t element_bytes) {
  Elementwise widen, scale, add;
  const TileType* none = nullptr;
  TileType wide = pointer_type;
  wide.kind = ScalarKind::i64;
  widen.arity = Arity::convert;
  widen.convert = kernels::convert(offset_type.kind, ScalarKind::i64, kernels::Conversion::signed_);
  widen.result = &wide;
  widen.operand = {&offset_type, none, none};
  const bool is_wide = offset_type.kind == ScalarKind::i64;
  if (is_wide) BufferPool::retain(offset);
  const Temporary wide_offset(machine,
                              is_wide ? offset : run_elementwise(machine, widen, {&offset, nullptr, nullptr}, {}));
  scale.arity = add.arity = Arity::binary;
  scale.operands = add.operands = 2;
  scale.binary = kernels::binary(Binary::muli, ScalarKind::i64);
  add.binary = kernels::binary(Binary::addi, ScalarKind::i64);
  scale.result = add.result = &wide;
  scale.operand = add.operand = {&wide, &wide, nullptr};
  const Tile bytes = uniform_tile(static_cast<std::uint64_t>(element_bytes));
  const Temporary scaled(machine,
                         run_elementwise(machine, scale, {&*wide_offset, &bytes, nullptr}, {!is_wide, false, false}));
  Tile out = run_elementwise(machine, add, {&pointer, &*scaled, nullptr}, {false, true, false});
  out.provenance = pointer.provenance;
  return out;
}

}  // namespace

const Step* step_add_pointer(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const AddPointer*>(step->record);
  const Tile& pointer = machine.slots[step->operand[0]];
  const Tile& offset = machine.slots[step->operand[1]];
  Tile& out = machine.slots[step->result];
  machine.pool.release(out);
  if (!offset_pointer(pointer, *record.pointer, offset, *record.offset, record.element_bytes, out) &&
      !offset_pointer_rows(machine, pointer, *record.pointer, offset, *record.offset, record.element_bytes, out)) {
    out = add_dense_offsets(machine, pointer, *record.pointer, offset, *record.offset, record.element_bytes);
  }
  return machine.finish(step);
}

namespace {

const Step* step_addptr_scalar(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const AddPointer*>(step->record);
  const Tile& pointer = machine.slots[step->operand[0]];
  const auto offset =
      static_cast<std::uint64_t>(sign_extend(record.offset->kind, machine.slots[step->operand[1]].base));
  Tile& out = machine.slots[step->result];
  out.base = pointer.base + offset * static_cast<std::uint64_t>(record.element_bytes);
  out.provenance = pointer.provenance;
  return step + 1;
}

}  // namespace

std::optional<Elementwise> elementwise_of(const ir::Op& op, const std::array<const TileType*, 3>& operands,
                                          const TileType* result, const TargetProfile& profile) {
  Elementwise made;
  made.operand = operands;
  made.result = result;
  if (op.operand_count() == 0 || op.operand_count() > 3 || !fill(made, op, profile)) return std::nullopt;
  made.limits = affine_limits(made);
  return made;
}

std::optional<Binary> binary_kernel_of(const ir::Op& op) {
  auto row = integer_binary_of(op.def().opcode);
  if (!row) row = float_binary_of(op.def().opcode);
  return row ? std::optional(row->op) : std::nullopt;
}

bool evaluate_elementwise(PlanBuilder& builder, const ir::Op& op) {
  std::array<const TileType*, 3> operands{};
  for (std::size_t i = 0; i < op.operand_count() && i < 3; ++i) {
    const Slot slot = builder.operand(op, i);
    if (slot == kNoSlot) return false;
    operands[i] = builder.type(slot);
  }
  const Slot slot = builder.result(op);
  if (slot == kNoSlot) return false;
  if (converts_floats(op) && !(builder.admits(op, operands[0]->kind) && builder.admits(op, builder.type(slot)->kind)))
    return false;
  const auto made = elementwise_of(op, operands, builder.type(slot), builder.profile());
  if (!made && op.attribute("roundingmode")) return builder.unsupported(op, "this rounding mode is");
  if (!made) return builder.unsupported(op, "on " + op.operand(0)->type().to_string() + " is");
  Step* step = builder.append_with_result(elementwise_step(*made), op);
  if (step == nullptr) return false;
  step->record = builder.record(*made);
  return true;
}

bool evaluate_addptr(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_add_pointer, op);
  if (step == nullptr) return false;
  const auto pointee = op.operand(0)->type().element().pointee().scalar_kind();
  if (!pointee)
    return builder.unsupported(op, "pointers to " + op.operand(0)->type().element().pointee().to_string() + " are");
  AddPointer record;
  record.element_bytes = size_bytes(*pointee);
  record.pointer = builder.type(step->operand[0]);
  record.offset = builder.type(step->operand[1]);
  record.limits = offset_limits(*record.offset);
  step->run = record.pointer->is_scalar() ? step_addptr_scalar : add_pointer_step(record);
  step->record = builder.record(record);
  return true;
}

}  // namespace lockstep::interpreter
