// Integer arithmetic. Results wrap; mul.hi and mad.hi keep the upper half, .wide the whole product.
#include <algorithm>
#include <limits>

#include "interpreter/ptx/instructions.h"
#include "interpreter/ptx/lanes.h"

namespace lockstep::interpreter::ptx {

namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

/// The evaluator of `fn` (generic over the element's C++ type) for an integer type; .b types count as unsigned.
template <int operands, auto fn>
Evaluate integer(Type type) {
  switch (type) {
    case Type::b16:
    case Type::u16: return map<operands, Scalar<Int<std::uint16_t>>, fn>();
    case Type::s16: return map<operands, Scalar<Int<std::int16_t>>, fn>();
    case Type::b32:
    case Type::u32: return map<operands, Scalar<Int<std::uint32_t>>, fn>();
    case Type::s32: return map<operands, Scalar<Int<std::int32_t>>, fn>();
    case Type::b64:
    case Type::u64: return map<operands, Scalar<Int<std::uint64_t>>, fn>();
    case Type::s64: return map<operands, Scalar<Int<std::int64_t>>, fn>();
    case Type::u16x2: return map<operands, Pair<Int<std::uint16_t>>, fn>();
    case Type::s16x2: return map<operands, Pair<Int<std::int16_t>>, fn>();
    default: return nullptr;
  }
}

constexpr auto kAddInteger = [](auto a, auto b) {
  using T = decltype(a);
  return static_cast<T>(std::uint64_t(a) + std::uint64_t(b));
};
constexpr auto kSubInteger = [](auto a, auto b) {
  using T = decltype(a);
  return static_cast<T>(std::uint64_t(a) - std::uint64_t(b));
};
template <typename T>
T clamp_to(std::int64_t v) {
  return static_cast<T>(std::clamp<std::int64_t>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// Product of twice the width.
template <typename T>
auto product(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, Int128, Uint128>;
    return static_cast<Uint128>(static_cast<Wide>(a) * static_cast<Wide>(b));
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint64_t>(std::int64_t{a} * std::int64_t{b});
  } else {
    return std::uint64_t{a} * std::uint64_t{b};
  }
}
constexpr auto kMulLow = [](auto a, auto b) { return static_cast<decltype(a)>(product(a, b)); };
constexpr auto kMulHigh = [](auto a, auto b) {
  using T = decltype(a);
  return static_cast<T>(product(a, b) >> (8 * sizeof(T)));
};
constexpr auto kMadLow = [](auto a, auto b, auto c) { return kAddInteger(kMulLow(a, b), c); };
constexpr auto kMadHigh = [](auto a, auto b, auto c) { return kAddInteger(kMulHigh(a, b), c); };

template <typename T>
constexpr auto kMulWide = [](std::uint64_t a, std::uint64_t b) -> std::uint64_t {
  return product(static_cast<T>(a), static_cast<T>(b)) & mask_of(16 * sizeof(T));
};
template <typename T>
constexpr auto kMadWide = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) -> std::uint64_t {
  return (product(static_cast<T>(a), static_cast<T>(b)) + c) & mask_of(16 * sizeof(T));
};

template <int operands>
Evaluate wide(Type type) {
  const auto of = [](auto zero) -> Evaluate {
    using T = decltype(zero);
    if constexpr (operands == 2) return bits2<kMulWide<T>>;
    return bits3<kMadWide<T>>;
  };
  switch (type) {
    case Type::u16: return of(std::uint16_t{});
    case Type::s16: return of(std::int16_t{});
    case Type::u32: return of(std::uint32_t{});
    case Type::s32: return of(std::int32_t{});
    default: return nullptr;
  }
}

template <typename T>
std::uint64_t product24(std::uint64_t a, std::uint64_t b) {
  const auto narrow = [](std::uint64_t v) {
    const auto up = static_cast<std::uint32_t>(v << 8);
    return std::is_signed_v<T> ? std::int64_t{static_cast<std::int32_t>(up) >> 8} : std::int64_t{up >> 8};
  };
  return static_cast<std::uint64_t>(narrow(a) * narrow(b));
}
template <typename T, bool high>
constexpr auto kMul24 = [](std::uint64_t a, std::uint64_t b) -> std::uint64_t {
  return static_cast<std::uint32_t>(product24<T>(a, b) >> (high ? 16 : 0));
};
template <typename T, bool high>
constexpr auto kMad24 = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) -> std::uint64_t {
  return static_cast<std::uint32_t>(kMul24<T, high>(a, b) + c);
};

constexpr auto kSad = [](auto a, auto b, auto c) {
  using T = decltype(a);
  const auto big = static_cast<Unsigned<T>>(std::max(a, b)), small = static_cast<Unsigned<T>>(std::min(a, b));
  return kAddInteger(static_cast<T>(static_cast<Unsigned<T>>(big - small)), c);
};

constexpr auto kMinInteger = [](auto a, auto b) { return std::min(a, b); };
constexpr auto kMaxInteger = [](auto a, auto b) { return std::max(a, b); };
template <auto fn>
Choice extreme_or_zero(Type type) {
  if (type != Type::s32 && type != Type::s16x2) return {};
  return {integer<2, [](auto a, auto b) { return std::max(fn(a, b), decltype(a){0}); }>(type)};
}

constexpr auto kDivide = [](auto a, auto b) {
  using T = decltype(a);
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
  }
  return static_cast<T>(a / b);
};
constexpr auto kRemainder = [](auto a, auto b) {
  using T = decltype(a);
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return T{0};
  }
  return static_cast<T>(a % b);
};

template <bool a_signed, bool b_signed>
constexpr auto kDp4a = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) -> std::uint64_t {
  auto sum = static_cast<std::uint32_t>(c);
  for (int i = 0; i < 4; ++i) {
    const auto x = static_cast<std::uint8_t>(a >> 8 * i), y = static_cast<std::uint8_t>(b >> 8 * i);
    const int left = a_signed ? static_cast<std::int8_t>(x) : x, right = b_signed ? static_cast<std::int8_t>(y) : y;
    sum += static_cast<std::uint32_t>(left * right);
  }
  return sum;
};
template <bool a_signed, bool b_signed, int first>
constexpr auto kDp2a = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) -> std::uint64_t {
  auto sum = static_cast<std::uint32_t>(c);
  for (int i = 0; i < 2; ++i) {
    const auto x = static_cast<std::uint16_t>(a >> 16 * i);
    const auto y = static_cast<std::uint8_t>(b >> 8 * (i + first));
    const std::int64_t left = a_signed ? static_cast<std::int16_t>(x) : x;
    sum += static_cast<std::uint32_t>(left * (b_signed ? static_cast<std::int8_t>(y) : y));
  }
  return sum;
};

template <int first>
Evaluate dp2a(bool a_signed, bool b_signed) {
  if (a_signed) return b_signed ? bits3<kDp2a<true, true, first>> : bits3<kDp2a<true, false, first>>;
  return b_signed ? bits3<kDp2a<false, true, first>> : bits3<kDp2a<false, false, first>>;
}

}  // namespace

Choice select_add_integer(const Form& form) {
  if (!form.has(Modifier::sat)) return {integer<2, kAddInteger>(form.type())};
  if (form.type() != Type::s32) return {};
  return {map2<Scalar<Int<std::int32_t>>,
               [](std::int32_t a, std::int32_t b) { return clamp_to<std::int32_t>(std::int64_t{a} + b); }>};
}

Choice select_sub_integer(const Form& form) {
  if (!form.has(Modifier::sat)) return {integer<2, kSubInteger>(form.type())};
  if (form.type() != Type::s32) return {};
  return {map2<Scalar<Int<std::int32_t>>,
               [](std::int32_t a, std::int32_t b) { return clamp_to<std::int32_t>(std::int64_t{a} - b); }>};
}

Choice select_mul_integer(const Form& form) {
  if (form.has(Modifier::wide)) return {wide<2>(form.type())};
  if (form.has(Modifier::hi)) return {integer<2, kMulHigh>(form.type())};
  return {form.has(Modifier::lo) ? integer<2, kMulLow>(form.type()) : nullptr};
}

Choice select_mad_integer(const Form& form) {
  if (form.has(Modifier::sat)) {
    if (form.type() != Type::s32 || !form.has(Modifier::hi)) return {};
    return {map3<Scalar<Int<std::int32_t>>, [](std::int32_t a, std::int32_t b, std::int32_t c) {
      return clamp_to<std::int32_t>(((std::int64_t{a} * b) >> 32) + c);
    }>};
  }
  if (form.has(Modifier::wide)) return {wide<3>(form.type())};
  if (form.has(Modifier::hi)) return {integer<3, kMadHigh>(form.type())};
  return {form.has(Modifier::lo) ? integer<3, kMadLow>(form.type()) : nullptr};
}

Choice select_mul24(const Form& form) {
  const bool high = form.has(Modifier::hi);
  if (!high && !form.has(Modifier::lo)) return {};
  if (form.type() == Type::u32)
    return {high ? bits2<kMul24<std::uint32_t, true>> : bits2<kMul24<std::uint32_t, false>>};
  return {high ? bits2<kMul24<std::int32_t, true>> : bits2<kMul24<std::int32_t, false>>};
}

Choice select_mad24(const Form& form) {
  const bool high = form.has(Modifier::hi);
  if (!high && !form.has(Modifier::lo)) return {};
  if (form.type() == Type::u32)
    return {high ? bits3<kMad24<std::uint32_t, true>> : bits3<kMad24<std::uint32_t, false>>};
  return {high ? bits3<kMad24<std::int32_t, true>> : bits3<kMad24<std::int32_t, false>>};
}

Choice select_div_integer(const Form& form) { return {integer<2, kDivide>(form.type())}; }
Choice select_rem(const Form& form) { return {integer<2, kRemainder>(form.type())}; }

Choice select_neg_integer(const Form& form) {
  return {integer<1, [](auto a) { return kSubInteger(decltype(a){0}, a); }>(form.type())};
}
Choice select_abs_integer(const Form& form) {
  return {integer<1, [](auto a) { return a < decltype(a){0} ? kSubInteger(decltype(a){0}, a) : a; }>(form.type())};
}
Choice select_min_integer(const Form& form) {
  if (form.has(Modifier::relu)) return extreme_or_zero<kMinInteger>(form.type());
  return {integer<2, kMinInteger>(form.type())};
}
Choice select_max_integer(const Form& form) {
  if (form.has(Modifier::relu)) return extreme_or_zero<kMaxInteger>(form.type());
  return {integer<2, kMaxInteger>(form.type())};
}
Choice select_sad(const Form& form) { return {integer<3, kSad>(form.type())}; }

Choice select_dp4a(const Form& form) {
  const bool a = form.type(0) == Type::s32, b = form.type(1) == Type::s32;
  if (a) return {b ? bits3<kDp4a<true, true>> : bits3<kDp4a<true, false>>};
  return {b ? bits3<kDp4a<false, true>> : bits3<kDp4a<false, false>>};
}

Choice select_dp2a(const Form& form) {
  const bool a = form.type(0) == Type::s32, b = form.type(1) == Type::s32;
  if (form.has(Modifier::hi)) return {dp2a<2>(a, b)};
  return {form.has(Modifier::lo) ? dp2a<0>(a, b) : nullptr};
}

}  // namespace lockstep::interpreter::ptx
