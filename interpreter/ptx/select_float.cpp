// Floating-point arithmetic. f16 and bf16 compute in f32 (fma: in f64, rounded to odd) and round once; .rz, .rm and .rp
// of f32 and f64 use the processor's rounding mode. PTX's approximate and full operations are rounded correctly here,
// within its bounds; div.approx keeps its documented zeros for divisors beyond 2^126.
#include "interpreter/gpu_bits/instructions.h"
#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

int rounding_of(const Form& form) {
  if (form.has(Modifier::rz)) return FE_TOWARDZERO;
  if (form.has(Modifier::rm)) return FE_DOWNWARD;
  return form.has(Modifier::rp) ? FE_UPWARD : FE_TONEAREST;
}

bool at_most_one_rounding(const Form& form) {
  return std::popcount(form.modifiers & bits(Modifier::rn, Modifier::rz, Modifier::rm, Modifier::rp)) <= 1;
}
bool names_rounding(const Form& form) {
  return (form.modifiers & bits(Modifier::rn, Modifier::rz, Modifier::rm, Modifier::rp)) != 0;
}

/// `fn` of f32 operands with .ftz: an H200 also flushes results that only a rounding to a subnormal's precision would
/// lift to the smallest normal number.
template <auto fn>
constexpr auto kTinyIsZero = [](auto... values) {
  constexpr double kSmallest = 0x1p-126 - 0x1p-151;  // what 24 bits would round up
  const double wide = static_cast<double>(fn(static_cast<double>(values)...));
  return std::fabs(wide) < kSmallest ? static_cast<float>(std::copysign(0.0, wide)) : static_cast<float>(fn(values...));
};

/// The evaluator for a domain template and the modifiers .ftz (which uses `flushing`), .sat, .relu.
template <int operands, template <unsigned> typename D, template <typename> typename Shape, auto fn, auto flushing>
Evaluate with_post(unsigned post) {
  switch (post) {
    case kNothing: return map<operands, Shape<D<kNothing>>, fn>();
    case kFlush: return map<operands, Shape<D<kFlush>>, flushing>();
    case kSaturate: return map<operands, Shape<D<kSaturate>>, fn>();
    case kFlush | kSaturate: return map<operands, Shape<D<kFlush | kSaturate>>, flushing>();
    case kRelu: return map<operands, Shape<D<kRelu>>, fn>();
    case kFlush | kRelu: return map<operands, Shape<D<kFlush | kRelu>>, flushing>();
    default: return nullptr;
  }
}

unsigned post_of(const Form& form) {
  return (form.has(Modifier::ftz) ? kFlush : 0u) | (form.has(Modifier::sat) ? kSaturate : 0u) |
         (form.has(Modifier::relu) ? kRelu : 0u);
}

/// `fn` in the form's type, with the form's rounding.
template <int operands, auto fn>
Choice floating(const Form& form) {
  if (!at_most_one_rounding(form)) return {};
  const unsigned post = post_of(form);
  Choice choice;
  choice.rounding = rounding_of(form);
#ifdef __wasm__  // it has no other mode, and a wrong result is worse than none
  if (choice.rounding != FE_TONEAREST) return {};
#endif
  switch (form.type()) {
    case Type::f32: choice.run = with_post<operands, F32, Scalar, fn, kTinyIsZero<fn>>(post); break;
    case Type::f32x2: choice.run = with_post<operands, F32, Pair, fn, kTinyIsZero<fn>>(post); break;
    case Type::f64: choice.run = post == kNothing ? map<operands, Scalar<F64<>>, fn>() : nullptr; break;
    case Type::f16: choice.run = with_post<operands, F16, Scalar, fn, fn>(post); break;
    case Type::f16x2: choice.run = with_post<operands, F16, Pair, fn, fn>(post); break;
    case Type::bf16:
      if ((post & ~unsigned{kRelu}) == 0) choice.run = with_post<operands, BF16, Scalar, fn, fn>(post);
      break;
    case Type::bf16x2:
      if ((post & ~unsigned{kRelu}) == 0) choice.run = with_post<operands, BF16, Pair, fn, fn>(post);
      break;
    default: break;
  }
  const bool is_small = width_of(form.type()) == 16 || form.type() == Type::f16x2 || form.type() == Type::bf16x2;
  if (is_small && choice.rounding != FE_TONEAREST) return {};
  return choice;
}

constexpr auto kAddFloat = [](auto a, auto b) { return a + b; };
constexpr auto kSubFloat = [](auto a, auto b) { return a - b; };
constexpr auto kMul = [](auto a, auto b) { return a * b; };
constexpr auto kFma = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
constexpr auto kDiv = [](auto a, auto b) { return a / b; };

/// a * b + c of small floats: the f64 sum rounded to odd, so that a second rounding is as good as a single one.
float fma_small(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b), addend = static_cast<double>(c);
  double sum = product + addend;
  if (!std::isfinite(sum)) return static_cast<float>(sum);
  const double part = sum - product;
  const double rest = (product - (sum - part)) + (addend - part);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (rest != 0 && (bits & 1) == 0) bits += (rest > 0) == (sum > 0) ? 1u : ~std::uint64_t{0};
  sum = std::bit_cast<double>(bits);
  const auto single = static_cast<float>(sum);  // to f32, to odd again
  auto word = std::bit_cast<std::uint32_t>(single);
  if (static_cast<double>(single) == sum || !std::isfinite(single)) return single;
  if ((word & 1) == 0) word += std::fabs(static_cast<double>(single)) < std::fabs(sum) ? 1u : ~0u;
  return std::bit_cast<float>(word);
}
constexpr auto kFmaSmall = [](auto a, auto b, auto c) {
  return fma_small(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
};

constexpr auto kDivApprox = [](auto a, auto b) {
  using T = decltype(a);
  if (std::fabs(b) > T(0x1p126f) && std::isfinite(b)) {
    if (std::isnan(a)) return a;
    return std::isinf(a) ? T(std::nanf("")) : std::copysign(T(0), a) * std::copysign(T(1), b);
  }
  return a / b;
};

bool is_double_without_rounding(const Form& form) { return form.type() == Type::f64 && !names_rounding(form); }

std::uint64_t sign_of(Type type) {
  switch (type) {
    case Type::f16:
    case Type::bf16: return 0x8000;
    case Type::f16x2:
    case Type::bf16x2: return 0x80008000;
    case Type::f32: return 0x80000000;
    default: return std::uint64_t{1} << 63;
  }
}
template <std::uint64_t sign>
constexpr auto kFlipSign = [](std::uint64_t a) -> std::uint64_t { return a ^ sign; };
template <std::uint64_t sign>
constexpr auto kClearSign = [](std::uint64_t a) -> std::uint64_t { return a & ~sign; };

/// Flips or clears signs; with .ftz the result also goes through the type.
template <bool flips>
Choice change_sign(const Form& form) {
  if (form.has(Modifier::ftz)) {
    return floating<1, [](auto a) { return flips ? -a : std::fabs(a); }>(form);
  }
  switch (sign_of(form.type())) {
    case 0x8000: return {flips ? bits1<kFlipSign<0x8000>> : bits1<kClearSign<0x8000>>};
    case 0x80008000: return {flips ? bits1<kFlipSign<0x80008000>> : bits1<kClearSign<0x80008000>>};
    case 0x80000000: return {flips ? bits1<kFlipSign<0x80000000>> : bits1<kClearSign<0x80000000>>};
    default: return {flips ? bits1<kFlipSign<std::uint64_t{1} << 63>> : bits1<kClearSign<std::uint64_t{1} << 63>>};
  }
}

/// One NaN loses unless `keeps_nan`; -0 is below +0; `xorsign`: magnitudes, and the product's sign.
template <bool is_max, bool keeps_nan, bool xorsign>
constexpr auto kExtreme = [](auto a, auto b) {
  using T = decltype(a);
  const bool is_negative = std::signbit(a) != std::signbit(b);
  if constexpr (xorsign) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  T result;
  if (a != a || b != b) {
    result = keeps_nan ? a + b : (a != a ? b : a);
    if (result != result) return result;
  } else if (a == b) {
    result = std::signbit(a) == is_max ? b : a;
  } else {
    result = (a < b) != is_max ? a : b;
  }
  if constexpr (xorsign) result = std::copysign(result, is_negative ? T(-1) : T(1));
  return result;
};

template <bool is_max, bool keeps_nan>
constexpr auto kExtremeOfThree = [](auto a, auto b, auto c) {
  constexpr auto kOfTwo = kExtreme<is_max, keeps_nan, false>;
  return kOfTwo(kOfTwo(a, b), c);
};

template <bool is_max>
Choice extreme(const Form& form) {
  const bool keeps_nan = form.has(Modifier::nan), xorsign = form.has(Modifier::xorsign);
  if (form.sources == 3) {  // from sm_100 on
    if (xorsign || form.has(Modifier::abs)) return {};
    return keeps_nan ? floating<3, kExtremeOfThree<is_max, true>>(form)
                     : floating<3, kExtremeOfThree<is_max, false>>(form);
  }
  if (xorsign != form.has(Modifier::abs) || (xorsign && form.type() == Type::f64)) return {};
  if (keeps_nan)
    return xorsign ? floating<2, kExtreme<is_max, true, true>>(form) : floating<2, kExtreme<is_max, true, false>>(form);
  return xorsign ? floating<2, kExtreme<is_max, false, true>>(form) : floating<2, kExtreme<is_max, false, false>>(form);
}

}  // namespace

Choice select_add_float(const Form& form) { return floating<2, kAddFloat>(form); }
Choice select_sub_float(const Form& form) { return floating<2, kSubFloat>(form); }
Choice select_mul_float(const Form& form) { return floating<2, kMul>(form); }

Choice select_fma(const Form& form) {
  if (!names_rounding(form)) return {};
  const bool is_wide = form.type() == Type::f32 || form.type() == Type::f64 || form.type() == Type::f32x2;
  return is_wide ? floating<3, kFma>(form) : floating<3, kFmaSmall>(form);
}

namespace {

using gpu_bits::Subnormals;

template <std::uint32_t (*function)(std::uint32_t, Subnormals), Subnormals subnormals>
void exact_single(State& s, const Instruction& i) {
  for (int k = 0; k < s.lanes; ++k)
    s.registers[i.to[0]][k] = function(static_cast<std::uint32_t>(s.registers[i.from[0]][k]), subnormals);
}
template <std::uint32_t (*function)(std::uint32_t, Subnormals)>
Choice exact_one(const Form& form) {
  return {form.has(Modifier::ftz) ? exact_single<function, Subnormals::flush>
                                  : exact_single<function, Subnormals::keep>};
}
template <std::uint32_t (*function)(std::uint32_t, std::uint32_t, Subnormals), Subnormals subnormals>
void exact_pair(State& s, const Instruction& i) {
  for (int k = 0; k < s.lanes; ++k)
    s.registers[i.to[0]][k] = function(static_cast<std::uint32_t>(s.registers[i.from[0]][k]),
                                       static_cast<std::uint32_t>(s.registers[i.from[1]][k]), subnormals);
}
template <std::uint32_t (*function)(std::uint32_t, std::uint32_t, Subnormals)>
Choice exact_two(const Form& form) {
  return {form.has(Modifier::ftz) ? exact_pair<function, Subnormals::flush> : exact_pair<function, Subnormals::keep>};
}
bool gives_bits(const Form& form, Modifier modifier) {
  return form.gives_bits && form.type() == Type::f32 && form.has(modifier);
}

}  // namespace

Choice select_div_float(const Form& form) {
  const bool is_approx = form.has(Modifier::approx), is_full = form.has(Modifier::full);
  if ((is_approx ? 1 : 0) + (is_full ? 1 : 0) + (names_rounding(form) ? 1 : 0) != 1) return {};
  if (form.type() == Type::f64 && (is_approx || is_full)) return {};
  if (gives_bits(form, Modifier::approx)) return exact_two<gpu_bits::div_approx>(form);
  if (gives_bits(form, Modifier::full)) return exact_two<gpu_bits::div_full>(form);
  return is_approx ? floating<2, kDivApprox>(form) : floating<2, kDiv>(form);
}

Choice select_rcp(const Form& form) {
  if (is_double_without_rounding(form) && !form.has(Modifier::approx)) return {};
  if (form.type() == Type::f64 && form.has(Modifier::approx)) return {};  // 20 bits only: nobody's bound is met
  if (form.has(Modifier::approx) == names_rounding(form)) return {};
  if (gives_bits(form, Modifier::approx)) return exact_one<gpu_bits::rcp_approx>(form);
  return floating<1, [](auto a) { return decltype(a)(1) / a; }>(form);
}

Choice select_sqrt(const Form& form) {
  if (form.has(Modifier::approx) == names_rounding(form)) return {};
  if (form.type() == Type::f64 && form.has(Modifier::approx)) return {};
  if (gives_bits(form, Modifier::approx)) return exact_one<gpu_bits::sqrt_approx>(form);
  return floating<1, [](auto a) { return std::sqrt(a); }>(form);
}

Choice select_neg_float(const Form& form) { return change_sign<true>(form); }
Choice select_abs_float(const Form& form) { return change_sign<false>(form); }
Choice select_min_float(const Form& form) { return extreme<false>(form); }
Choice select_max_float(const Form& form) { return extreme<true>(form); }

Choice select_copysign(const Form& form) {
  if (form.type() == Type::f32) {
    return {
        bits2<[](std::uint64_t a, std::uint64_t b) -> std::uint64_t { return (a & 0x80000000u) | (b & 0x7fffffffu); }>};
  }
  return {bits2<[](std::uint64_t a, std::uint64_t b) -> std::uint64_t {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    return (a & kSign) | (b & ~kSign);
  }>};
}

}  // namespace lockstep::interpreter::ptx
