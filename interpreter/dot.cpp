// tt.dot: c + a * b for matrices and batches of them. The accumulator is updated in place when it dies here; operands
// keep their strides, so that transposed and in-place loaded tiles need no copy.
#include "interpreter/dot.h"

#include <algorithm>

#include <cstring>

#include "interpreter/dense.h"
#include "interpreter/evaluate.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/plan_builder.h"

namespace lockstep::interpreter {

Tile take_accumulator(Machine& machine, const Step* step) {
  Tile& c = machine.slots[step->operand[2]];
  if ((step->dies & 4) != 0 && c.form == Form::dense && c.is_contiguous && c.buffer != nullptr &&
      c.buffer->references == 1) {
    const Tile out = c;
    c.buffer = nullptr;
    return out;
  }
  const Tile out = machine.allocate(*step->type);
  if (c.form == Form::uniform) {
    kernels::fill(step->type->kind)(out.data(), &c.base, step->type->count);
  } else {
    const Temporary packed(machine, make_contiguous(machine, c, *step->type));
    std::memcpy(out.data(), packed->data(), static_cast<std::size_t>(step->type->bytes()));
  }
  return out;
}

Tile acquire_scratch(Machine& machine, std::int64_t bytes) {
  Tile scratch;
  if (bytes > 0) scratch.buffer = machine.pool.acquire(bytes);
  return scratch;
}

namespace {

struct DotRecord {
  kernels::Dot shape;
  std::int64_t batches = 1;
  const TileType* a = nullptr;
  const TileType* b = nullptr;
};

kernels::DotOperand operand_of(const Tile& tile, const TileType& type, std::int64_t batch) {
  const std::size_t rows = type.shape.size() - 2;
  kernels::DotOperand operand;
  operand.kind = type.kind;
  operand.row_stride = tile.stride[rows];
  operand.column_stride = tile.stride[rows + 1];
  operand.data = tile.data() + (rows == 1 ? batch * tile.stride[0] * type.element_bytes : 0);
  return operand;
}

const Step* step_dot(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const DotRecord*>(step->record);
  const Temporary a(machine, make_dense(machine, machine.slots[step->operand[0]], *record.a));
  const Temporary b(machine, make_dense(machine, machine.slots[step->operand[1]], *record.b));
  const Tile c = take_accumulator(machine, step);
  const auto first_a = operand_of(*a, *record.a, 0), first_b = operand_of(*b, *record.b, 0);
  const Temporary scratch(machine,
                          acquire_scratch(machine, kernels::dot_scratch_bytes(record.shape, first_a, first_b)));
  void* memory = scratch->buffer != nullptr ? scratch->buffer->data() : nullptr;
  for (std::int64_t batch = 0; batch < record.batches; ++batch) {
    char* out = c.data() + batch * record.shape.m * record.shape.n * step->type->element_bytes;
    kernels::dot(record.shape, out, operand_of(*a, *record.a, batch), operand_of(*b, *record.b, batch), memory);
  }
  machine.set(step->result, c);
  return machine.finish(step);
}

}  // namespace

bool evaluate_dot(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_dot, op);
  if (step == nullptr) return false;
  DotRecord record;
  record.a = builder.type(step->operand[0]);
  record.b = builder.type(step->operand[1]);
  const auto &a = record.a->shape, &b = record.b->shape, &c = step->type->shape;
  const std::size_t rank = a.size();
  if ((rank != 2 && rank != 3) || b.size() != rank || c.size() != rank || builder.type(step->operand[2])->shape != c) {
    return builder.error(op, "operands must be matrices or batches of matrices");
  }
  if (a[rank - 1] != b[rank - 2] || a[rank - 2] != c[rank - 2] || b[rank - 1] != c[rank - 1] ||
      (rank == 3 && (a[0] != b[0] || a[0] != c[0]))) {
    return builder.error(op, "the operands' shapes do not fit");
  }
  if (!kernels::dot_is_supported(step->type->kind, record.a->kind, record.b->kind)) {
    return builder.unsupported(op, "of " + op.operand(0)->type().to_string() + " and " +
                                       op.operand(1)->type().to_string() + " into " + op.result(0)->type().to_string() +
                                       " is");
  }
  if (!builder.admits(op, record.a->kind) || !builder.admits(op, record.b->kind)) return false;
  const auto precision = op.integer_attribute("inputPrecision", 2);
  if (precision < 0 || precision > 4) return builder.error(op, "unknown input precision");
  record.shape = {step->type->kind, static_cast<kernels::DotPrecision>(precision), c[rank - 2], c[rank - 1],
                  a[rank - 1]};
  record.batches = rank == 3 ? c[0] : 1;
  constexpr std::int64_t kMultiplicationsPerCost = 32;
  const std::int64_t cost = step->type->count * a[rank - 1] / kMultiplicationsPerCost;
  step->cost = static_cast<std::uint32_t>(std::clamp<std::int64_t>(cost, 1, INT32_MAX));
  step->record = builder.record(record);
  return true;
}

}  // namespace lockstep::interpreter
