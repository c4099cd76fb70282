// Approximate functions: the interpreter's own vector kernels in f32, so that their bytes depend on nothing else; PTX's
// bounds for .approx are wider. f16 and bf16 compute in f32 and round once.
#include "interpreter/gpu_bits/instructions.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

using kernels::Unary;

template <typename D, Unary which>
void apply(State& s, const Instruction& i, int halves) {
  static const kernels::UnaryFn fn = kernels::unary(which, ScalarKind::f32);
  float values[2 * kStrip];
  const std::uint64_t* from = s.registers[i.from[0]];
  std::uint64_t* to = s.registers[i.to[0]];
  for (int k = 0; k < s.lanes; ++k) {
    for (int h = 0; h < halves; ++h) values[k * halves + h] = static_cast<float>(D::get(from[k] >> D::kBits * h));
  }
  fn(values, values, s.lanes * halves);
  for (int k = 0; k < s.lanes; ++k) {
    std::uint64_t bits = 0;
    for (int h = 0; h < halves; ++h) bits |= D::put(values[k * halves + h]) << D::kBits * h;
    to[k] = bits;
  }
}
template <typename D, Unary which>
void one(State& s, const Instruction& i) {
  apply<D, which>(s, i, 1);
}
template <typename D, Unary which>
void two(State& s, const Instruction& i) {
  apply<D, which>(s, i, 2);
}

// ---- the GPU's bits ----

using gpu_bits::Subnormals;
using Bits32 = std::uint32_t (*)(std::uint32_t, Subnormals);
using Bits16 = std::uint16_t (*)(std::uint16_t);

template <Bits32 function, Subnormals subnormals>
void exact32(State& s, const Instruction& i) {
  for (int k = 0; k < s.lanes; ++k)
    s.registers[i.to[0]][k] = function(static_cast<std::uint32_t>(s.registers[i.from[0]][k]), subnormals);
}
template <Bits32 function>
Choice exact(const Form& form) {
  return {form.has(Modifier::ftz) ? exact32<function, Subnormals::flush> : exact32<function, Subnormals::keep>};
}
template <std::uint32_t (*function)(std::uint32_t)>
std::uint32_t always(std::uint32_t x, Subnormals) {
  return function(x);
}
template <Bits16 function, int halves>
void exact16(State& s, const Instruction& i) {
  for (int k = 0; k < s.lanes; ++k) {
    const std::uint64_t from = s.registers[i.from[0]][k];
    std::uint64_t to = 0;
    for (int h = 0; h < halves; ++h) to |= std::uint64_t{function(static_cast<std::uint16_t>(from >> 16 * h))} << 16 * h;
    s.registers[i.to[0]][k] = to;
  }
}
template <Bits16 f16, Bits16 bf16>
Choice exact_halves(const Form& form) {
  switch (form.type()) {
    case Type::f16: return {exact16<f16, 1>};
    case Type::f16x2: return {exact16<f16, 2>};
    case Type::bf16: return {exact16<bf16, 1>};
    case Type::bf16x2: return {exact16<bf16, 2>};
    default: return {};
  }
}

template <Unary which>
Choice with_bits(const Form& form) {
  if (!form.has(Modifier::approx)) return {};
  if (form.type() == Type::f32) {
    if constexpr (which == Unary::rsqrt) return exact<gpu_bits::rsqrt_approx>(form);
    if constexpr (which == Unary::sin) return exact<always<gpu_bits::sin_approx>>(form);
    if constexpr (which == Unary::cos) return exact<always<gpu_bits::cos_approx>>(form);
    if constexpr (which == Unary::exp2) return exact<gpu_bits::ex2_approx>(form);
    if constexpr (which == Unary::log2) return exact<gpu_bits::lg2_approx>(form);
    if constexpr (which == Unary::tanh) return exact<always<gpu_bits::tanh_approx>>(form);
  }
  if constexpr (which == Unary::exp2) return exact_halves<gpu_bits::ex2_approx_f16, gpu_bits::ex2_approx_bf16>(form);
  if constexpr (which == Unary::tanh) return exact_halves<gpu_bits::tanh_approx_f16, gpu_bits::tanh_approx_bf16>(form);
  return {};
}

template <Unary which>
Choice approximate(const Form& form) {
  if (form.gives_bits) return with_bits<which>(form);
  if (!form.has(Modifier::approx)) return {};
  const bool flush = form.has(Modifier::ftz);
  switch (form.type()) {
    case Type::f32: return {flush ? one<F32<kFlush>, which> : one<F32<>, which>};
    case Type::f16: return {flush ? nullptr : one<F16<>, which>};
    case Type::f16x2: return {flush ? nullptr : two<F16<>, which>};
    case Type::bf16: return {one<BF16<>, which>};
    case Type::bf16x2: return {two<BF16<>, which>};
    default: return {};
  }
}

}  // namespace

Choice select_rsqrt(const Form& form) { return approximate<Unary::rsqrt>(form); }
Choice select_sin(const Form& form) { return approximate<Unary::sin>(form); }
Choice select_cos(const Form& form) { return approximate<Unary::cos>(form); }
Choice select_ex2(const Form& form) { return approximate<Unary::exp2>(form); }
Choice select_lg2(const Form& form) { return approximate<Unary::log2>(form); }
Choice select_tanh(const Form& form) { return approximate<Unary::tanh>(form); }

}  // namespace lockstep::interpreter::ptx
