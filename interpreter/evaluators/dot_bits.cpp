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
  bool is_half = false;    // the result is f16
  bool is_cut = false;     // f32 operands lose what tf32 has not
  std::optional<kernels::TensorCoreProduct> product;
  std::vector<kernels::TensorCoreProduct> blocks;  // instead of `product` for f16: after each, sums are rounded
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

/// `kept`: bits after the leading one of what it gives.
double add_eighths(const float* a, const float* b, std::int64_t b_pitch, std::int64_t count, double sum, int kept) {
  int largest = sum != 0 ? std::ilogb(sum) : std::numeric_limits<int>::min();
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = a[i], y = b[i * b_pitch];
    if (x != 0 && y != 0) largest = std::max(largest, std::ilogb(x) + std::ilogb(y));
  }
  if (largest == std::numeric_limits<int>::min()) return 0;
  const double unit = std::ldexp(1.0, largest - kKeptOfEighths);
  double total = std::trunc(sum / unit);
  for (std::int64_t i = 0; i < count; ++i) total += std::trunc(double{a[i]} * double{b[i * b_pitch]} / unit);
  return cut_to(total * unit, kept);
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
      sum = add_eighths(a + p, b + p * dot.n, dot.n, std::min(kEighths, end - p), sum, kKeptOfEighths);
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

// ---- f16 results (S-71): each instruction's sums are rounded ----

struct HalfScratch {
  float *left, *right, *sums;
  char* rest;
};

/// One instruction's 32 elements of K from `first` on.
void add_eighths_to(const BitsDot& dot, const HalfScratch& memory, std::int64_t first) {
  constexpr int kKeptOfSum = 23;
  const std::int64_t count = std::min(kEighths, dot.k - first);
  for (std::int64_t i = 0; i < dot.m * dot.n; ++i) {
    const float *a = memory.left + i / dot.n * dot.k + first, *b = memory.right + first * dot.n + i % dot.n;
    float plain = memory.sums[i];
    bool is_finite = std::isfinite(plain);
    for (std::int64_t p = 0; p < count; ++p) {
      const float product = a[p] * b[p * dot.n];
      is_finite = is_finite && std::isfinite(product);
      plain += product;
    }
    memory.sums[i] =
        is_finite ? static_cast<float>(add_eighths(a, b, dot.n, count, memory.sums[i], kKeptOfSum)) : plain;
  }
}

void multiply_into_halves(const BitsDot& dot, char* out, const kernels::DotStart& start, const HalfScratch& memory) {
  const std::int64_t count = dot.m * dot.n;
  const auto widen = kernels::convert(ScalarKind::f16, ScalarKind::f32);
  const auto narrow = kernels::convert(ScalarKind::f32, ScalarKind::f16);
  widen(memory.sums, start.data, start.is_uniform ? 1 : count);
  if (start.is_uniform) std::fill_n(memory.sums + 1, count - 1, memory.sums[0]);
  const auto round = [&] {
    narrow(out, memory.sums, count);
    widen(memory.sums, out, count);
  };
  for (const kernels::TensorCoreProduct& block : dot.blocks) {
    block.run(memory.sums, {memory.sums, false}, memory.left, memory.right, memory.rest);
    round();
  }
  for (std::int64_t first = 0; dot.blocks.empty() && first < dot.k; first += kEighths) {
    add_eighths_to(dot, memory, first);
    round();
  }
}

constexpr std::int64_t kBlock = 16;  // elements of K that an instruction takes

const Step* step_dot_bits(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const BitsDot*>(step->record);
  const Temporary a(machine, make_contiguous(machine, machine.slots[step->operand[0]], *record.a.type));
  const Temporary b(machine, make_contiguous(machine, machine.slots[step->operand[1]], *record.b.type));
  const std::int64_t a_bytes = aligned(4 * record.a.count), b_bytes = aligned(4 * record.b.count);
  {
    const Accumulator c(machine, step);
    const std::int64_t sums = record.is_half ? aligned(4 * record.m * record.n) : 0;
    const std::int64_t rest = record.product.has_value()  ? record.product->scratch_bytes()
                              : record.blocks.empty() ? 0
                                                      : record.blocks.front().scratch_bytes();
    const Temporary scratch(machine, acquire_scratch(machine, a_bytes + b_bytes + sums + rest));
    char* memory = scratch->buffer->data();
    auto* left = reinterpret_cast<float*>(memory);
    auto* right = reinterpret_cast<float*>(memory + a_bytes);
    for (std::int64_t batch = 0; batch < record.batches; ++batch) {
      widen_operand(record, record.a, *a, batch, left);
      widen_operand(record, record.b, *b, batch, right);
      auto* out = reinterpret_cast<float*>(c.place(batch));
      char* behind = memory + a_bytes + b_bytes;
      if (record.is_half)
        multiply_into_halves(record, c.place(batch), c.start(batch),
                             {left, right, reinterpret_cast<float*>(behind), behind + sums});
      else if (record.product.has_value())
        record.product->run(out, c.start(batch), left, right, memory + a_bytes + b_bytes);
      else
        multiply_eighths(record, out, c.start(batch), left, right);
    }
    machine.set(step->result, c.out());
  }
  return machine.finish(step);
}

}  // namespace

namespace {

void plan_blocks(BitsDot& record, std::int64_t products) {
  // f8 by mma.sync goes through f16, in the order in which threads hold it.
  const std::vector<std::int64_t> order = record.a.type->element_bytes == 1
                                              ? kernels::contraction_order(kernels::Contraction::warp, record.k)
                                              : kernels::blocks_of(products, record.k);
  if (!record.is_half) {
    record.product.emplace(record.m, record.n, order);
    return;
  }
  const auto size = static_cast<std::ptrdiff_t>(std::min<std::size_t>(kBlock, order.size()));
  for (auto at = order.begin(); at != order.end(); at += std::min(size, order.end() - at))
    record.blocks.emplace_back(record.m, record.n,
                               std::vector<std::int64_t>(at, at + std::min(size, order.end() - at)));
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
  record.is_half = step.type->kind == ScalarKind::f16;
  record.is_cut = record.a.type->kind == ScalarKind::f32;
  if (products == kEighths)
    record.group = op.integer_attribute("maxNumImpreciseAcc", 0);
  else
    plan_blocks(record, products);
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
