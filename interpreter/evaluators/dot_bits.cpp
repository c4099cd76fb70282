// f16, bf16 and tf32 go through kernels/tensor_core.h, f8 by wgmma here.
#include "interpreter/evaluators/dot_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "interpreter/evaluators/dot.h"
#include "interpreter/evaluators/nan.h"
#include "interpreter/gpu_bits/marks.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/kernels/tensor_core.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

struct BitsOperand {
  const TileType* type = nullptr;
  std::int64_t count = 0;  // of one matrix
};

struct BitsDot {
  BitsOperand a, b;
  std::int64_t m = 0, n = 0, k = 0, batches = 1;
  std::int64_t group = 0;  // f8: elements of K whose sum is added to the f32; 0: other types
  bool is_cut = false;     // f32 operands lose what tf32 has not
  std::optional<kernels::TensorCoreProduct> product;
};

std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Matrix number `batch` of an operand as f32.
void widen_operand(const BitsDot& dot, const BitsOperand& operand, const Tile& tile, std::int64_t batch, float* out) {
  const char* data = tile.data() + batch * operand.count * operand.type->element_bytes;
  if (operand.type->kind != ScalarKind::f32) {
    kernels::convert(operand.type->kind, ScalarKind::f32)(out, data, operand.count);
    return;
  }
  std::copy_n(reinterpret_cast<const float*>(data), operand.count, out);
  if (!dot.is_cut) return;
  constexpr std::uint32_t kBeyondTf32 = 0x1fff;
  for (std::int64_t i = 0; i < operand.count; ++i)
    out[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(out[i]) & ~kBeyondTf32);
}

// ---- f8 by wgmma (S-71): 32 products and the sum so far keep 13 bits, and a group's sum is added to the f32 ----

constexpr std::int64_t kEighths = 32;
constexpr int kKeptOfEighths = 13;

double cut_to(double value, int bits) {
  if (value == 0) return 0;
  const int exponent = std::ilogb(value);
  return std::ldexp(std::trunc(std::ldexp(value, bits - exponent)), exponent - bits);
}

double add_eighths(const float* a, const float* b, std::int64_t b_pitch, std::int64_t count, double sum) {
  int largest = sum != 0 ? std::ilogb(sum) : std::numeric_limits<int>::min();
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = a[i], y = b[i * b_pitch];
    if (x != 0 && y != 0) largest = std::max(largest, std::ilogb(x) + std::ilogb(y));
  }
  if (largest == std::numeric_limits<int>::min()) return 0;
  const double unit = std::ldexp(1.0, largest - kKeptOfEighths);
  double total = std::trunc(sum / unit);
  for (std::int64_t i = 0; i < count; ++i) total += std::trunc(double{a[i]} * double{b[i * b_pitch]} / unit);
  return cut_to(total * unit, kKeptOfEighths);
}

float dot_of_eighths(const BitsDot& dot, float start, const float* a, const float* b) {
  bool is_finite = std::isfinite(start);
  float plain = start;
  for (std::int64_t p = 0; p < dot.k; ++p) {
    const float product = a[p] * b[p * dot.n];
    is_finite = is_finite && std::isfinite(product);
    plain += product;
  }
  if (!is_finite) return std::isnan(plain) ? one_nan(plain) : plain;
  for (std::int64_t begin = 0; begin < dot.k; begin += dot.group) {
    double sum = 0;
    const std::int64_t end = std::min(dot.k, begin + dot.group);
    for (std::int64_t p = begin; p < end; p += kEighths)
      sum = add_eighths(a + p, b + p * dot.n, dot.n, std::min(kEighths, end - p), sum);
    start += static_cast<float>(sum);
  }
  return start;
}

void multiply_eighths(const BitsDot& dot, float* out, const kernels::DotStart& start, const float* a, const float* b) {
  const auto* starts = static_cast<const float*>(start.data);
  for (std::int64_t i = 0; i < dot.m * dot.n; ++i) {
    const float from = starts[start.is_uniform ? 0 : i];
    out[i] = dot_of_eighths(dot, from, a + i / dot.n * dot.k, b + i % dot.n);
  }
}

const Step* step_dot_bits(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BitsDot*>(step->record);
  const Temporary a(machine, make_contiguous(machine, machine.slots[step->operand[0]], *record.a.type));
  const Temporary b(machine, make_contiguous(machine, machine.slots[step->operand[1]], *record.b.type));
  const std::int64_t a_bytes = aligned(4 * record.a.count), b_bytes = aligned(4 * record.b.count);
  {
    const Accumulator c(machine, step);
    const std::int64_t rest = record.product.has_value() ? record.product->scratch_bytes() : 0;
    const Temporary scratch(machine, acquire_scratch(machine, a_bytes + b_bytes + rest));
    char* memory = scratch->buffer->data();
    auto* left = reinterpret_cast<float*>(memory);
    auto* right = reinterpret_cast<float*>(memory + a_bytes);
    for (std::int64_t batch = 0; batch < record.batches; ++batch) {
      widen_operand(record, record.a, *a, batch, left);
      widen_operand(record, record.b, *b, batch, right);
      auto* out = reinterpret_cast<float*>(c.place(batch));
      if (record.product.has_value())
        record.product->run(out, c.start(batch), left, right, memory + a_bytes + b_bytes);
      else
        multiply_eighths(record, out, c.start(batch), left, right);
    }
    machine.set(step->result, c.out());
  }
  return machine.finish(step);
}

}  // namespace

Step& append_dot_bits(PlanBuilder& builder, const ir::Op& op) { return builder.append_bare(step_dot_bits, op); }

bool plan_dot_bits(PlanBuilder& builder, const ir::Op& op, Step& step, std::int64_t products) {
  BitsDot record;
  record.a.type = builder.type(step.operand[0]);
  record.b.type = builder.type(step.operand[1]);
  if (!builder.admits(op, record.a.type->kind) || !builder.admits(op, record.b.type->kind)) return false;
  const auto& c = step.type->shape;
  const std::size_t rank = c.size();
  record.m = c[rank - 2];
  record.n = c[rank - 1];
  record.k = record.a.type->shape[rank - 1];
  record.batches = rank == 3 ? c[0] : 1;
  record.a.count = record.m * record.k;
  record.b.count = record.k * record.n;
  record.is_cut = record.a.type->kind == ScalarKind::f32;
  if (products == kEighths)
    record.group = op.integer_attribute("maxNumImpreciseAcc", 0);
  else
    record.product.emplace(record.m, record.n, kernels::blocks_of(products, record.k));
  constexpr std::int64_t kMultiplicationsPerCost = 4;
  step.cost = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(step.type->count * record.k / kMultiplicationsPerCost, 1, INT32_MAX));
  step.record = builder.record(record);
  return true;
}

bool evaluate_dot_or_bits(PlanBuilder& builder, const ir::Op& op) {
  const std::int64_t products = gpu_bits::marked_products(op);
  if (products <= 0) return evaluate_dot(builder, op);
  Step* step = builder.append_with_result(step_dot_bits, op);
  return step != nullptr && plan_dot_bits(builder, op, *step, products);
}

}  // namespace lockstep::interpreter
