// Approximate functions: the interpreter's own vector kernels in f32, so that their bytes depend on nothing else; PTX's
// bounds for .approx are wider. f16 and bf16 compute in f32 and round once.
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

template <Unary which>
Choice approximate(const Form& form) {
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
