#include "interpreter/evaluators/dot_scaled.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/evaluators/dot.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/kernels/profile_convert.h"
#include "interpreter/kernels/tensor_core.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

/// The names of a_elem_type and b_elem_type, with the attribute's values.
enum class ScaledElement : std::uint8_t { e4m3, e5m2, e2m3, e3m2, e2m1, bf16, fp16 };

struct ScaledOperand {
  Slot slot = kNoSlot, scale = kNoSlot;
  const TileType* type = nullptr;
  const TileType* scale_type = nullptr;
  ScaledElement element = ScaledElement::e4m3;
  bool is_right = false;                          // b: K runs down its rows
  bool packs_along_k = true;                      // e2m1: neighbours along K share a byte; else neighbours along M or N
  std::int64_t rows = 0, columns = 0, group = 0;  // of the matrix without packing; elements of K per scale
  std::int64_t count() const { return rows * columns; }
};

struct ScaledRecord {
  ScaledOperand a, b;
  kernels::Dot shape;
  std::optional<kernels::TensorCoreProduct> product;  // into f32
  std::optional<kernels::DotRecipe> recipe;           // into f16, which nobody measured: an ordinary dot
  ScalarKind compute = ScalarKind::bf16;
  bool is_fast = false;  // a scale of 255 is not NaN but what its bits make
  std::int64_t batches = 1;

  std::int64_t scratch_bytes() const {
    if (product.has_value()) return product->scratch_bytes();
    return recipe->prepared_bytes(kernels::Side::left) + recipe->prepared_bytes(kernels::Side::right) +
           recipe->scratch_bytes();
  }
};

constexpr float kE2m1[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
float decode_e2m1(unsigned nibble) { return (nibble & 8) != 0 ? -kE2m1[nibble & 7] : kE2m1[nibble & 7]; }

/// The low nibble comes first along the packed dimension.
void unpack_e2m1(const ScaledOperand& operand, const std::uint8_t* in, float* out) {
  const bool along_columns = operand.packs_along_k != operand.is_right;
  const std::int64_t pitch = along_columns ? operand.columns / 2 : operand.columns;
  for (std::int64_t i = 0; i < operand.rows; ++i) {
    for (std::int64_t j = 0; j < operand.columns; ++j) {
      const std::int64_t place = along_columns ? i * pitch + j / 2 : i / 2 * pitch + j;
      const bool is_high = ((along_columns ? j : i) & 1) != 0;
      out[i * operand.columns + j] = decode_e2m1(is_high ? in[place] >> 4 : in[place] & 15u);
    }
  }
}

/// In the same way as tt.fp_to_fp to the compute kind, and from there to f32: bf16 from f8E5M2 keeps no infinity
/// (S-75).
void widen_e5m2_through_bf16(const void* in, float* out, std::int64_t n) {
  constexpr std::int64_t kStrip = 256;
  std::array<std::uint16_t, kStrip> strip{};
  const auto narrow = kernels::find_profile_convert(ScalarKind::f8E5M2, ScalarKind::bf16, {}, TargetProfile());
  for (std::int64_t begin = 0; begin < n; begin += kStrip) {
    const std::int64_t count = std::min(kStrip, n - begin);
    narrow(strip.data(), static_cast<const char*>(in) + begin, count);
    kernels::convert(ScalarKind::bf16, ScalarKind::f32)(out + begin, strip.data(), count);
  }
}

ScalarKind kind_of(ScaledElement element) {
  switch (element) {
    case ScaledElement::e4m3: return ScalarKind::f8E4M3FN;
    case ScaledElement::e5m2: return ScalarKind::f8E5M2;
    case ScaledElement::fp16: return ScalarKind::f16;
    case ScaledElement::bf16: return ScalarKind::bf16;
    default: return ScalarKind::i8;
  }
}

void widen(const ScaledRecord& record, const ScaledOperand& operand, const char* in, float* out) {
  if (operand.element == ScaledElement::e2m1)
    return unpack_e2m1(operand, reinterpret_cast<const std::uint8_t*>(in), out);
  if (operand.element == ScaledElement::e5m2 && record.compute == ScalarKind::bf16)
    return widen_e5m2_through_bf16(in, out, operand.count());
  kernels::convert(kind_of(operand.element), ScalarKind::f32)(out, in, operand.count());
}

using ScaleFactors = std::array<float, 256>;

/// What each scale byte is as a float of 8 bits.
void decode_bytes(ScalarKind scale_kind, std::span<float, 256> factors) {
  std::array<std::uint8_t, 256> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  kernels::convert(scale_kind, ScalarKind::f32)(factors.data(), bytes.data(), 256);
}

/// The 256 possible factors of a scale byte, in the compute kind.
void make_factors(const ScaledRecord& record, ScalarKind scale_kind, std::span<float, 256> factors) {
  if (scale_kind == ScalarKind::f8E4M3FN) return decode_bytes(scale_kind, factors);
  // The byte is an f32 exponent: 0 gives zero and 255 infinity, not 2^-127 and NaN.
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::bit_cast<float>(static_cast<std::uint32_t>(i) << 23);
  if (record.compute == ScalarKind::f16) {
    std::array<std::uint16_t, 256> rounded{};
    kernels::convert(ScalarKind::f32, ScalarKind::f16)(rounded.data(), factors.data(), 256);
    kernels::convert(ScalarKind::f16, ScalarKind::f32)(factors.data(), rounded.data(), 256);
  }
  if (!record.is_fast) factors[255] = std::numeric_limits<float>::quiet_NaN();
}

void apply_scales(const ScaledOperand& operand, const std::uint8_t* scales, std::span<const float, 256> factors,
                  float* values) {
  const std::int64_t groups = operand.scale_type->shape.back();
  for (std::int64_t i = 0; i < operand.rows; ++i) {
    float* line = values + i * operand.columns;
    if (operand.is_right) {
      for (std::int64_t j = 0; j < operand.columns; ++j) line[j] *= factors[scales[j * groups + i / operand.group]];
    } else {
      for (std::int64_t j = 0; j < operand.columns; ++j) line[j] *= factors[scales[i * groups + j / operand.group]];
    }
  }
}

constexpr std::int64_t kRowAlignment = 64;
std::int64_t padded(std::int64_t bytes) { return (bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment; }

/// The operand's matrix number `batch`, scaled and rounded to the compute kind, as f32 at `out`.
void prepare(const ScaledRecord& record, const ScaledOperand& operand, const Tile& tile, const Tile& scale,
             std::int64_t batch, float* out) {
  const std::int64_t bytes = operand.type->bytes() / record.batches;
  widen(record, operand, tile.data() + batch * bytes, out);
  if (operand.scale_type == nullptr) return;
  ScaleFactors factors{};
  make_factors(record, operand.scale_type->kind, factors);
  const auto* scales = reinterpret_cast<const std::uint8_t*>(scale.data());
  apply_scales(operand, scales + batch * (operand.scale_type->count / record.batches), factors, out);
  constexpr std::int64_t kStrip = 512;
  std::array<std::uint16_t, kStrip> strip{};
  for (std::int64_t begin = 0; begin < operand.count(); begin += kStrip) {
    const std::int64_t count = std::min(kStrip, operand.count() - begin);
    kernels::convert(ScalarKind::f32, record.compute)(strip.data(), out + begin, count);
    kernels::convert(record.compute, ScalarKind::f32)(out + begin, strip.data(), count);
  }
}

Tile contiguous_scale(Machine& machine, const ScaledOperand& operand) {
  if (operand.scale_type == nullptr) return {};
  return make_contiguous(machine, machine.slots[operand.scale], *operand.scale_type);
}

void multiply(const ScaledRecord& record, char* out, const kernels::DotStart& start, const float* left,
              const float* right, char* scratch) {
  if (record.product.has_value())
    return record.product->run(reinterpret_cast<float*>(out), start, left, right, scratch);
  const kernels::DotRecipe& recipe = *record.recipe;
  const std::int64_t a_bytes = recipe.prepared_bytes(kernels::Side::left);
  const auto a = recipe.prepare(kernels::Side::left, {left, ScalarKind::f32, record.a.columns, 1}, scratch);
  const auto b = recipe.prepare(kernels::Side::right, {right, ScalarKind::f32, record.b.columns, 1}, scratch + a_bytes);
  recipe.run(out, start, a, b, scratch + a_bytes + recipe.prepared_bytes(kernels::Side::right));
}

const Step* step_dot_scaled(Machine& machine, const Step* step) {
  const auto& record = *static_cast<const ScaledRecord*>(step->record);
  const Temporary a(machine, make_contiguous(machine, machine.slots[record.a.slot], *record.a.type));
  const Temporary b(machine, make_contiguous(machine, machine.slots[record.b.slot], *record.b.type));
  const Temporary a_scale(machine, contiguous_scale(machine, record.a));
  const Temporary b_scale(machine, contiguous_scale(machine, record.b));
  const std::int64_t a_bytes = padded(4 * record.a.count()), b_bytes = padded(4 * record.b.count());
  {
    const Accumulator c(machine, step);
    const Temporary scratch(machine, acquire_scratch(machine, a_bytes + b_bytes + record.scratch_bytes()));
    char* memory = scratch->buffer->data();
    auto* left = reinterpret_cast<float*>(memory);
    auto* right = reinterpret_cast<float*>(memory + a_bytes);
    for (std::int64_t batch = 0; batch < record.batches; ++batch) {
      prepare(record, record.a, *a, *a_scale, batch, left);
      prepare(record, record.b, *b, *b_scale, batch, right);
      multiply(record, c.place(batch), c.start(batch), left, right, memory + a_bytes + b_bytes);
    }
    machine.set(step->result, c.out());
  }
  return machine.finish(step);
}

// ---- factors of a product of sm_100 ----

struct ScaledFactor {
  ScaledOperand operand;
  ScaleFactors factors{};  // of the scale bytes
};

/// As PTX has them: a byte is a float, or an exponent (0 is 2^-127, 255 NaN).
ScaleFactors scale_factors(ScalarKind scale_kind) {
  ScaleFactors factors{};
  if (scale_kind == ScalarKind::f8E4M3FN) {
    decode_bytes(scale_kind, factors);
  } else {
    for (std::size_t i = 0; i < 255; ++i) factors[i] = std::ldexp(1.0f, static_cast<int>(i) - 127);
    factors[255] = std::numeric_limits<float>::quiet_NaN();
  }
  return factors;
}

/// Operands of the step: the factor, its scales. Its elements times their scales, in f32, without a rounding in between.
const Step* step_scaled_factor(Machine& machine, const Step* step) {
  const auto& [operand, factors] = *static_cast<const ScaledFactor*>(step->record);
  const Temporary values(machine, make_contiguous(machine, machine.slots[step->operand[0]], *operand.type));
  const Temporary scales(machine, make_contiguous(machine, machine.slots[step->operand[1]], *operand.scale_type));
  const Tile made = machine.allocate(*step->type);
  auto* out = reinterpret_cast<float*>(made.data());
  if (operand.element == ScaledElement::e2m1) {
    unpack_e2m1(operand, reinterpret_cast<const std::uint8_t*>(values->data()), out);
  } else {
    kernels::convert(kind_of(operand.element), ScalarKind::f32)(out, values->data(), operand.count());
  }
  apply_scales(operand, reinterpret_cast<const std::uint8_t*>(scales->data()), factors, out);
  machine.set(step->result, made);
  return machine.finish(step);
}

// ---- planning ----

bool check_element(PlanBuilder& builder, const ir::Op& op, const ScaledOperand& operand) {
  if (operand.element > ScaledElement::fp16) return builder.error(op, "unknown element type");
  if (operand.element == ScaledElement::e2m3 || operand.element == ScaledElement::e3m2)
    return builder.unsupported(op, "e2m3 and e3m2 operands are");
  const ScalarKind kind = operand.type->kind, wanted = kind_of(operand.element);
  if (kind != wanted && !(kind == ScalarKind::i8 && is_float8(wanted)))
    return builder.error(op, "an operand's type is not its element type");
  return builder.admits(op, wanted);
}

/// Shape without packing, and the scale's groups. `outer`: M of a or N of b.
bool measure(PlanBuilder& builder, const ir::Op& op, ScaledOperand& operand, std::int64_t outer) {
  const std::size_t rank = operand.type->shape.size();
  const bool is_packed = operand.element == ScaledElement::e2m1;
  const bool packs_rows = is_packed && operand.packs_along_k == operand.is_right;
  const bool packs_columns = is_packed && operand.packs_along_k != operand.is_right;
  operand.rows = operand.type->shape[rank - 2] * (packs_rows ? 2 : 1);
  operand.columns = operand.type->shape[rank - 1] * (packs_columns ? 2 : 1);
  if ((operand.is_right ? operand.columns : operand.rows) != outer)
    return builder.error(op, "the operands' shapes do not fit");
  if (operand.scale_type == nullptr) return true;
  const std::int64_t k = operand.is_right ? operand.rows : operand.columns;
  const auto& scale = operand.scale_type->shape;
  if (scale.size() != rank || scale[rank - 2] != outer || k % scale[rank - 1] != 0 ||
      (rank == 3 && scale[0] != operand.type->shape[0]))
    return builder.error(op, "a scale's shape does not fit its operand");
  operand.group = k / scale[rank - 1];
  if (operand.group != 16 && operand.group != 32) return builder.error(op, "a scale is for 16 or 32 elements along K");
  const ScalarKind kind = operand.scale_type->kind;
  return kind == ScalarKind::i8 || kind == ScalarKind::f8E4M3FN ||
         builder.unsupported(op, "scales of type " + std::string(spelling(kind)) + " are");
}

bool fill_operand(PlanBuilder& builder, const ir::Op& op, ScaledOperand& operand, std::size_t index) {
  operand.is_right = index == 1;
  operand.slot = builder.operand(op, index);
  operand.type = builder.type(operand.slot);
  operand.element = static_cast<ScaledElement>(op.integer_attribute(index == 0 ? "a_elem_type" : "b_elem_type", 0));
  operand.packs_along_k = op.integer_attribute(index == 0 ? "lhs_k_pack" : "rhs_k_pack", 1) != 0;
  if (const ir::Value* scale = op.operand_or_null(index + 3)) {
    operand.scale = builder.slot_of(scale);
    if (operand.scale == kNoSlot) return false;
    operand.scale_type = builder.type(operand.scale);
  }
  return check_element(builder, op, operand);
}

}  // namespace

Slot append_scaled_factor(PlanBuilder& builder, const ir::Op& op, std::size_t index, Slot value, Slot scales,
                          std::int64_t outer) {
  ScaledOperand operand;
  operand.is_right = index == 1;
  operand.type = builder.type(value);
  operand.scale_type = builder.type(scales);
  operand.element = static_cast<ScaledElement>(op.integer_attribute(index == 0 ? "a_type" : "b_type", 0));
  if (!check_element(builder, op, operand) || !measure(builder, op, operand, outer)) return kNoSlot;
  const std::vector<std::int64_t> shape{operand.rows, operand.columns};
  const Slot made = builder.new_slot(builder.tile_type(ScalarKind::f32, shape));
  Step& step = builder.append_bare(step_scaled_factor, op);
  step.operand = {value, scales, kNoSlot, kNoSlot};
  step.operand_count = 2;
  step.dies = 3;
  step.result = made;
  step.type = builder.type(made);
  step.record = builder.record(ScaledFactor{operand, scale_factors(operand.scale_type->kind)});
  return made;
}

namespace {

bool measure_all(PlanBuilder& builder, const ir::Op& op, ScaledRecord& record, const TileType& c) {
  const std::size_t rank = c.shape.size();
  if ((rank != 2 && rank != 3) || record.a.type->shape.size() != rank || record.b.type->shape.size() != rank)
    return builder.error(op, "operands must be matrices or batches of matrices");
  const std::int64_t m = c.shape[rank - 2], n = c.shape[rank - 1];
  if (!measure(builder, op, record.a, m) || !measure(builder, op, record.b, n)) return false;
  record.batches = rank == 3 ? c.shape[0] : 1;
  if (record.a.columns != record.b.rows ||
      (rank == 3 && (record.a.type->shape[0] != c.shape[0] || record.b.type->shape[0] != c.shape[0])))
    return builder.error(op, "the operands' shapes do not fit");
  record.shape = {c.kind, kernels::DotPrecision::ieee, m, n, record.a.columns};
  return true;
}

/// How sm_90 multiplies: by whole warp groups if the tile is large enough. Triton transposes a product if only b is
/// scaled. Source: Triton 3.6's TTGIR for a multiple of four warps, and the H200's bits (S-74).
kernels::Contraction contraction_of(const ScaledRecord& record) {
  const bool is_transposed = record.a.scale_type == nullptr && record.b.scale_type != nullptr;
  const std::int64_t rows = is_transposed ? record.shape.n : record.shape.m;
  const std::int64_t columns = is_transposed ? record.shape.m : record.shape.n;
  if (rows >= 64 && columns >= 16) return kernels::Contraction::warp_group;
  const bool has_f4 = record.a.element == ScaledElement::e2m1 || record.b.element == ScaledElement::e2m1;
  return has_f4 ? kernels::Contraction::warp_of_f4 : kernels::Contraction::warp;
}

}  // namespace

bool evaluate_dot_scaled(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_dot_scaled, op);
  if (step == nullptr) return false;
  ScaledRecord record;
  if (!fill_operand(builder, op, record.a, 0) || !fill_operand(builder, op, record.b, 1)) return false;
  if (!measure_all(builder, op, record, *step->type)) return false;
  const bool has_f16 = record.a.element == ScaledElement::fp16 || record.b.element == ScaledElement::fp16;
  const bool has_bf16 = record.a.element == ScaledElement::bf16 || record.b.element == ScaledElement::bf16;
  if (has_f16 && has_bf16) return builder.unsupported(op, "fp16 with bf16 is");
  record.compute = has_f16 ? ScalarKind::f16 : ScalarKind::bf16;
  record.is_fast = op.integer_attribute("fastMath", 0) != 0;
  if (!kernels::dot_is_supported(step->type->kind, record.compute, record.compute))
    return builder.unsupported(op, "into " + op.result(0)->type().to_string() + " is");
  const kernels::Dot& shape = record.shape;
  if (shape.result == ScalarKind::f32)
    record.product.emplace(shape.m, shape.n, kernels::contraction_order(contraction_of(record), shape.k));
  else
    record.recipe.emplace(shape, ScalarKind::f32, ScalarKind::f32);
  step->record = builder.record(record);
  return true;
}

}  // namespace lockstep::interpreter
