// The loops and structured rules that rows of elementwise ops choose from (loops.h), and pointer arithmetic.

#include "interpreter/evaluators/elementwise_ops.h"

#include <optional>

#include "interpreter/evaluators/elementwise_step.h"
#include "interpreter/evaluators/loops.h"
#include "interpreter/gpu_bits/loops.h"
#include "interpreter/gpu_bits/marks.h"
#include "interpreter/kernels/profile_convert.h"
#include "interpreter/libdevice/extern.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/affine_step.h"
#include "interpreter/tile/dense.h"
#include "interpreter/tile/rows.h"
#include "ir/passes/passes.h"

namespace lockstep::interpreter {

namespace {

using kernels::Binary;
using kernels::Conversion;
using kernels::Ternary;
using Rule = Elementwise::Rule;
using Arity = Elementwise::Arity;

}  // namespace

// ---- what rows name ----

bool choose_unary(Elementwise& made, kernels::Unary which) {
  return (made.unary = kernels::unary(which, made.operand[0]->kind)) != nullptr;
}

bool choose_binary(Elementwise& made, Binary which, StructuredRule rule) {
  made.arity = Arity::binary;
  made.operands = 2;
  made.binary = kernels::binary(which, made.operand[0]->kind);
  made.rule = rule;
  const bool is_mask = made.operand[0]->kind == ScalarKind::i1;
  const bool is_mask_rule = rule == Rule::and_ || rule == Rule::or_ || rule == Rule::xor_;
  if (is_mask != is_mask_rule) made.rule = Rule::none;
  return made.binary != nullptr;
}

bool choose_ternary(Elementwise& made, Ternary which) {
  made.arity = Arity::ternary;
  made.operands = 3;
  made.ternary = kernels::ternary(which, made.result->kind);
  if (which == Ternary::select) made.rule = Rule::select;
  return made.ternary != nullptr;
}

namespace {

/// `profile`: the target decides the results of some pairs of types.
bool convert_with(Elementwise& made, Conversion how, StructuredRule rule, const TargetProfile* profile) {
  made.rule = rule;
  if (made.operand[0]->kind == made.result->kind) {
    made.arity = Arity::copy;
    made.rule = Rule::convert;
    return true;
  }
  made.arity = Arity::convert;
  if (profile != nullptr)
    made.convert = kernels::find_profile_convert(made.operand[0]->kind, made.result->kind, how, *profile);
  if (made.convert == nullptr) made.convert = kernels::convert(made.operand[0]->kind, made.result->kind, how);
  return made.convert != nullptr;
}

bool choose_comparison(Elementwise& made, const ir::Op& op, bool is_float_compare) {
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

}  // namespace

bool choose_conversion(Elementwise& made, Conversion how, StructuredRule rule) {
  return convert_with(made, how, rule, nullptr);
}

bool choose_truncation(Elementwise& made, const ir::Op& op, const TargetProfile&) {
  switch (op.integer_attribute("roundingmode", 0)) {
    case 0: return convert_with(made, Conversion::signed_, Rule::none, nullptr);
    case 3: return convert_with(made, Conversion::toward_zero, Rule::none, nullptr);
    default: return false;  // up, down, ties away: Triton makes none
  }
}

bool choose_float_conversion(Elementwise& made, const ir::Op& op, const TargetProfile& profile) {
  const bool is_truncated = op.integer_attribute("rounding", 1) == 0;
  return convert_with(made, is_truncated ? Conversion::toward_zero : Conversion::signed_, Rule::none, &profile);
}

bool choose_integer_comparison(Elementwise& made, const ir::Op& op, const TargetProfile&) {
  return choose_comparison(made, op, false);
}
bool choose_float_comparison(Elementwise& made, const ir::Op& op, const TargetProfile&) {
  return choose_comparison(made, op, true);
}

bool choose_reinterpretation(Elementwise& made, const ir::Op&, const TargetProfile&) {
  made.arity = Arity::copy;
  const auto is_address = [](ScalarKind kind) { return kind == ScalarKind::pointer || kind == ScalarKind::i64; };
  const bool keeps_form = made.operand[0]->kind == made.result->kind ||
                          (is_address(made.operand[0]->kind) && is_address(made.result->kind));
  made.rule = keeps_form ? Rule::convert : Rule::none;
  return made.operand[0]->element_bytes == made.result->element_bytes;
}

bool choose_clamp(Elementwise& made, const ir::Op& op, const TargetProfile& profile) {
  if (op.integer_attribute("propagateNan", 0) != 0) return choose_ternary(made, Ternary::clampf_all);
  const bool is_symmetric = profile.capability() >= 90 && ir::passes::has_opposite_limits(op);
  return choose_ternary(made, is_symmetric ? Ternary::clampf_symmetric : Ternary::clampf_none);
}

bool choose_library_function(Elementwise& made, const ir::Op& op, const TargetProfile&) {
  return libdevice::fill_extern(made, op);
}

namespace {

// ---- addptr ----

template <class T>
void add_scaled(std::uint64_t* out, const std::uint64_t* pointer, std::int64_t step, const T* offset, std::uint64_t scale,
                std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = pointer[i * step] + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset[i])) * scale;
}

/// The same where it needs one loop: contiguous offsets of 32 or 64 bits, pointers that are contiguous or one. False:
/// not so.
bool add_contiguous_offsets(Machine& machine, const Tile& pointer, const TileType& pointer_type, const Tile& offset,
                            const TileType& offset_type, std::int64_t element_bytes, Tile& out) {
  const bool is_one = pointer.form == Form::uniform;
  if (offset.form != Form::dense || !offset.is_contiguous) return false;
  if (!is_one && (pointer.form != Form::dense || !pointer.is_contiguous)) return false;
  if (offset_type.kind != ScalarKind::i32 && offset_type.kind != ScalarKind::i64) return false;
  out = machine.allocate(pointer_type);
  out.provenance = pointer.provenance;
  auto* to = reinterpret_cast<std::uint64_t*>(out.data());
  const auto* from = is_one ? &pointer.base : reinterpret_cast<const std::uint64_t*>(pointer.data());
  const auto scale = static_cast<std::uint64_t>(element_bytes);
  if (offset_type.kind == ScalarKind::i32)
    add_scaled(to, from, is_one ? 0 : 1, reinterpret_cast<const std::int32_t*>(offset.data()), scale, pointer_type.count);
  else
    add_scaled(to, from, is_one ? 0 : 1, reinterpret_cast<const std::int64_t*>(offset.data()), scale, pointer_type.count);
  return true;
}

/// pointer + offset * element bytes, element by element, wrapping as the hardware does.
Tile add_dense_offsets(Machine& machine, const Tile& pointer, const TileType& pointer_type, const Tile& offset,
                       const TileType& offset_type, std::int64_t element_bytes) {
  Tile quick;
  if (add_contiguous_offsets(machine, pointer, pointer_type, offset, offset_type, element_bytes, quick)) return quick;
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
  const ElementwiseLoops* loops = op.def().loops;
  if (op.operand_count() == 0 || op.operand_count() > 3 || loops == nullptr || !loops->choose(made, op, profile))
    return std::nullopt;
  if (gpu_bits::is_marked(op)) gpu_bits::choose_loop(made, op);
  made.limits = affine_limits(made);
  return made;
}

std::optional<Binary> binary_kernel_of(const ir::Op& op) {
  return op.def().loops != nullptr ? op.def().loops->binary : std::nullopt;
}

namespace {

bool converts_floats(const ir::OpDef& def) {
  return def.arithmetic == ir::Arithmetic::conversion && def.numbers == ir::Numbers::floats;
}

}  // namespace

bool evaluate_elementwise(PlanBuilder& builder, const ir::Op& op) {
  std::array<const TileType*, 3> operands{};
  for (std::size_t i = 0; i < op.operand_count() && i < 3; ++i) {
    const Slot slot = builder.operand(op, i);
    if (slot == kNoSlot) return false;
    operands[i] = builder.type(slot);
  }
  const Slot slot = builder.result(op);
  if (slot == kNoSlot) return false;
  const ScalarKind from = operands[0]->kind, to = builder.type(slot)->kind;
  if (converts_floats(op.def()) && !(builder.admits(op, from) && builder.admits(op, to))) return false;
  const auto made = elementwise_of(op, operands, builder.type(slot), builder.profile());
  if (!made && op.attribute("roundingmode")) return builder.unsupported(op, "this rounding mode is");
  if (!made) return builder.unsupported(op, "on " + op.operand(0)->type().to_string() + " is");
  Step* step = builder.append_with_result(elementwise_step(*made), op);
  if (step == nullptr) return false;
  step->record = builder.record(*made);
  return true;
}

bool evaluate_sincos(PlanBuilder& builder, const ir::Op& op) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Slot slot = builder.result(op, i);
    if (slot == kNoSlot) return false;
    Elementwise made;
    made.result = made.operand[0] = builder.type(slot);
    made.unary = kernels::unary(i == 0 ? kernels::Unary::sin : kernels::Unary::cos, made.result->kind);
    if (made.unary == nullptr) return builder.unsupported(op, "on " + op.operand(0)->type().to_string() + " is");
    Step& step = builder.append(elementwise_step(made), op);
    step.result = slot;
    step.type = builder.type(slot);
    step.record = builder.record(made);
    if (i == 0) step.dies = 0;
  }
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
