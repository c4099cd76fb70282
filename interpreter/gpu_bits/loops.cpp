#include "interpreter/gpu_bits/loops.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "interpreter/gpu_bits/library.h"
#include "interpreter/libdevice/extern.h"
#include "interpreter/libdevice/rows.h"
#include "ir/op_def.h"

namespace lockstep::interpreter::gpu_bits {
namespace {

using Single = float (*)(float);
using Pair = float (*)(float, float);

float settled_nan(float x) { return one_nan(x); }

template <Single function>
void single_loop(void* out, const void* a, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    libdevice::set_element<float>(out, i, settled_nan(function(libdevice::element<float>(a, i))));
}
template <Pair function>
void pair_loop(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto x = libdevice::element<float>(a, i * a_step), y = libdevice::element<float>(b, i * b_step);
    libdevice::set_element<float>(out, i, settled_nan(function(x, y)));
  }
}

/// f16 and bf16 by way of f32, rounded once.
constexpr std::int64_t kNarrowStrip = 256;
constexpr std::int64_t kNarrowBytes = 2;

template <ScalarKind kind>
void load_narrow(float* strip, const void* from, std::int64_t begin, std::int64_t count, int step) {
  const auto widen = kernels::convert(kind, ScalarKind::f32);
  widen(strip, static_cast<const char*>(from) + begin * step * kNarrowBytes, step != 0 ? count : 1);
  if (step == 0) std::fill_n(strip + 1, count - 1, strip[0]);
}
template <Single function, ScalarKind kind>
void narrow_single_loop(void* out, const void* a, std::int64_t n) {
  float x[kNarrowStrip];
  for (std::int64_t begin = 0; begin < n; begin += kNarrowStrip) {
    const std::int64_t count = std::min(kNarrowStrip, n - begin);
    load_narrow<kind>(x, a, begin, count, 1);
    single_loop<function>(x, x, count);
    kernels::convert(ScalarKind::f32, kind)(static_cast<char*>(out) + begin * kNarrowBytes, x, count);
  }
}
template <Pair function, ScalarKind kind>
void narrow_pair_loop(void* out, const void* a, const void* b, std::int64_t n, int a_step, int b_step) {
  float x[kNarrowStrip], y[kNarrowStrip];
  for (std::int64_t begin = 0; begin < n; begin += kNarrowStrip) {
    const std::int64_t count = std::min(kNarrowStrip, n - begin);
    load_narrow<kind>(x, a, begin, count, a_step);
    load_narrow<kind>(y, b, begin, count, b_step);
    pair_loop<function>(x, x, y, count, 1, 1);
    kernels::convert(ScalarKind::f32, kind)(static_cast<char*>(out) + begin * kNarrowBytes, x, count);
  }
}

template <class Loop>
struct Model {
  std::string_view name;  // of an op, or libdevice's symbol
  Loop f32, f16, bf16;
};
template <Single function>
constexpr Model<kernels::UnaryFn> model(std::string_view name) {
  return {name, single_loop<function>, narrow_single_loop<function, ScalarKind::f16>,
          narrow_single_loop<function, ScalarKind::bf16>};
}
template <Pair function>
constexpr Model<kernels::BinaryFn> model(std::string_view name) {
  return {name, pair_loop<function>, narrow_pair_loop<function, ScalarKind::f16>,
          narrow_pair_loop<function, ScalarKind::bf16>};
}

constexpr Model<kernels::UnaryFn> kSingles[] = {
    model<exp_bits>("math.exp"),
    model<exp2_bits>("math.exp2"),
    model<log_bits>("math.log"),
    model<log2_bits>("math.log2"),
    model<sin_bits>("math.sin"),
    model<cos_bits>("math.cos"),
    model<erf_bits>("math.erf"),
    model<sqrt_bits>("math.sqrt"),
    model<rsqrt_bits>("math.rsqrt"),
    model<expf_bits>("__nv_expf"),
    model<exp2_bits>("__nv_exp2f"),
    model<expm1f_bits>("__nv_expm1f"),
    model<log_bits>("__nv_logf"),
    model<log2_bits>("__nv_log2f"),
    model<log10f_bits>("__nv_log10f"),
    model<log1pf_bits>("__nv_log1pf"),
    model<sin_bits>("__nv_sinf"),
    model<cos_bits>("__nv_cosf"),
    model<erf_bits>("__nv_erff"),
    model<tanhf_bits>("__nv_tanhf"),
    model<sqrt_bits>("__nv_sqrtf"),
    model<rsqrt_bits>("__nv_rsqrtf"),
    model<fast_expf_bits>("__nv_fast_expf"),
    model<fast_logf_bits>("__nv_fast_logf"),
    model<fast_log2f_bits>("__nv_fast_log2f"),
    model<fast_sinf_bits>("__nv_fast_sinf"),
    model<fast_cosf_bits>("__nv_fast_cosf"),
};
constexpr Model<kernels::BinaryFn> kPairs[] = {
    model<divide_bits>("arith.divf"),
    model<remainder_bits>("arith.remf"),
    model<fast_dividef_bits>("__nv_fast_fdividef"),
};

/// Null: no model is known.
template <class Loop, std::size_t count>
Loop loop_of(const Model<Loop> (&models)[count], const ir::Op& op) {
  const std::string_view symbol = libdevice::extern_text(op, "symbol");
  const bool is_library = !symbol.empty() && libdevice::is_libdevice(op);
  const std::string_view name = is_library ? symbol : op.spelling();
  const auto found = std::find_if(std::begin(models), std::end(models), [&](const Model<Loop>& one) { return one.name == name; });
  if (found == std::end(models) || op.result_count() != 1) return nullptr;
  const auto kind = op.result()->type().element().scalar_kind();
  if (kind == ScalarKind::f32) return found->f32;
  if (kind == ScalarKind::f16) return found->f16;
  return kind == ScalarKind::bf16 ? found->bf16 : nullptr;
}

}  // namespace

bool choose_loop(Elementwise& made, const ir::Op& op) {
  if (const auto unary = loop_of(kSingles, op)) {
    made.arity = Elementwise::Arity::unary;
    made.unary = unary;
    return true;
  }
  const auto binary = loop_of(kPairs, op);
  if (binary == nullptr) return false;
  made.arity = Elementwise::Arity::binary;
  made.binary = binary;
  return true;
}

bool has_loop(const ir::Op& op) {
  return loop_of(kSingles, op) != nullptr || loop_of(kPairs, op) != nullptr;
}

}  // namespace lockstep::interpreter::gpu_bits
