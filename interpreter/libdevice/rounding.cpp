// Compiled with -frounding-math (cmake/LockstepRooms.cmake). Operands and results pass through volatile objects, which
// keeps each operation between the two changes of the rounding mode. On a processor without such modes, results to
// nearest are moved instead (support/floats/directed_rounding.h).
#include "interpreter/libdevice/rounding.h"

#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "interpreter/evaluators/nan.h"
#ifdef __wasm__
#include "support/floats/directed_rounding.h"
#endif

namespace lockstep::interpreter::libdevice {
namespace {

#ifndef __wasm__

constexpr int mode_of(Round round) {
  return round == Round::zero ? FE_TOWARDZERO : round == Round::down ? FE_DOWNWARD : FE_UPWARD;
}

template <Round round>
class RoundingScope {
 public:
  RoundingScope() {
    if constexpr (round != Round::nearest) std::fesetround(mode_of(round));
  }
  ~RoundingScope() {
    if constexpr (round != Round::nearest) std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
};

template <Round round, class Result, class Operation, class... Operands>
Result rounded(Operation operation, Operands... operands) {
  const RoundingScope<round> scope;
  volatile Result result = operation(static_cast<volatile Operands&>(operands)...);
  return result;
}

template <Round round, class T>
T added(T a, T b) {
  return rounded<round, T>([](auto& x, auto& y) -> T { return x + y; }, a, b);
}
template <Round round, class T>
T subtracted(T a, T b) {
  return rounded<round, T>([](auto& x, auto& y) -> T { return x - y; }, a, b);
}
template <Round round, class T>
T multiplied(T a, T b) {
  return rounded<round, T>([](auto& x, auto& y) -> T { return x * y; }, a, b);
}
template <Round round, class T>
T divided(T a, T b) {
  return rounded<round, T>([](auto& x, auto& y) -> T { return x / y; }, a, b);
}
template <Round round, class T>
T fused_once(T a, T b, T c) {
  return rounded<round, T>([](auto& x, auto& y, auto& z) -> T { return std::fma(T{x}, T{y}, T{z}); }, a, b, c);
}
template <Round round, class T>
T root_of(T a) {
  return rounded<round, T>([](auto& x) -> T { return std::sqrt(T{x}); }, a);
}
template <Round round, class To, class From>
To converted(From x) {
  return rounded<round, To>([](auto& value) -> To { return static_cast<To>(value); }, x);
}

#else

template <class T>
using WideOf = std::conditional_t<std::is_same_v<T, float>, double, long double>;
static_assert(std::numeric_limits<long double>::digits >= 106);

constexpr directed::Direction direction_of(Round round) {
  return round == Round::zero   ? directed::Direction::zero
         : round == Round::down ? directed::Direction::down
                                : directed::Direction::up;
}

#define LOCKSTEP_DIRECTED(name, plain, ...)            \
  if constexpr (round == Round::nearest) return plain; \
  return directed::Arithmetic<T, WideOf<T>>::name(direction_of(round), __VA_ARGS__)
template <Round round, class T>
T added(T a, T b) {
  LOCKSTEP_DIRECTED(add, a + b, a, b);
}
template <Round round, class T>
T subtracted(T a, T b) {
  LOCKSTEP_DIRECTED(subtract, a - b, a, b);
}
template <Round round, class T>
T multiplied(T a, T b) {
  LOCKSTEP_DIRECTED(multiply, a * b, a, b);
}
template <Round round, class T>
T divided(T a, T b) {
  LOCKSTEP_DIRECTED(divide, a / b, a, b);
}
template <Round round, class T>
T fused_once(T a, T b, T c) {
  LOCKSTEP_DIRECTED(fused, std::fma(a, b, c), a, b, c);
}
template <Round round, class T>
T root_of(T a) {
  LOCKSTEP_DIRECTED(root, std::sqrt(a), a);
}
#undef LOCKSTEP_DIRECTED
template <Round round, class To, class From>
To converted(From x) {
  if constexpr (round == Round::nearest) return static_cast<To>(x);
  if (x != x) return static_cast<To>(x);
  if constexpr (std::is_floating_point_v<From>) {
    if (std::isinf(x)) return static_cast<To>(x);
  }
  return directed::Arithmetic<To, long double>::convert(direction_of(round), static_cast<long double>(x),
                                                        static_cast<To>(x));
}

#endif

template <Round round, class T>
T to_integral(T x) {
  if constexpr (round == Round::nearest) return std::nearbyint(x);
  if constexpr (round == Round::zero) return std::trunc(x);
  if constexpr (round == Round::down) return std::floor(x);
  return std::ceil(x);
}

template <class To, class From>
To saturated(From x) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(x)) {
    if (sizeof(To) == 4 && sizeof(From) == 4) return 0;
    return static_cast<To>(To{1} << (sizeof(To) * 8 - 1));
  }
  // 2^63 and similar numbers are exact in both float types, the largest integers are not.
  const From above = std::ldexp(From{1}, Limits::digits);
  if (x >= above) return Limits::max();
  if (x <= (std::is_signed_v<To> ? -above : From{0})) return Limits::min();
  return static_cast<To>(x);
}

}  // namespace

template <Round round, class T>
T add(T a, T b) {
  return added<round>(a, b);
}
template <Round round, class T>
T subtract(T a, T b) {
  return subtracted<round>(a, b);
}
template <Round round, class T>
T multiply(T a, T b) {
  return multiplied<round>(a, b);
}
template <Round round, class T>
T divide(T a, T b) {
  return divided<round>(a, b);
}
template <Round round, class T>
T fused(T a, T b, T c) {
  return one_nan(fused_once<round>(a, b, c));
}
template <Round round, class T>
T root(T a) {
  return root_of<round>(a);
}
template <Round round, class T>
T reciprocal(T a) {
  return divide<round, T>(T{1}, a);
}

template <Round round, class To, class From>
To to_float(From x) {
  return converted<round, To>(x);
}

template <Round round, class To, class From>
To to_integer(From x) {
  return saturated<To>(to_integral<round>(x));
}

template <class From>
std::int64_t round_to_i64(From x) {
  return saturated<std::int64_t>(std::round(x));
}
template std::int64_t round_to_i64(float);
template std::int64_t round_to_i64(double);

#define LOCKSTEP_ARITHMETIC(mode, type)          \
  template type add<mode>(type, type);           \
  template type subtract<mode>(type, type);      \
  template type multiply<mode>(type, type);      \
  template type divide<mode>(type, type);        \
  template type fused<mode>(type, type, type);   \
  template type root<mode>(type);                \
  template type reciprocal<mode>(type);          \
  template std::int32_t to_integer<mode>(type);  \
  template std::uint32_t to_integer<mode>(type); \
  template std::int64_t to_integer<mode>(type);  \
  template std::uint64_t to_integer<mode>(type); \
  template type to_float<mode>(std::int32_t);    \
  template type to_float<mode>(std::uint32_t);   \
  template type to_float<mode>(std::int64_t);    \
  template type to_float<mode>(std::uint64_t);
#define LOCKSTEP_MODE(mode)         \
  LOCKSTEP_ARITHMETIC(mode, float)  \
  LOCKSTEP_ARITHMETIC(mode, double) \
  template float to_float<mode>(double);
LOCKSTEP_MODE(Round::nearest)
LOCKSTEP_MODE(Round::zero)
LOCKSTEP_MODE(Round::down)
LOCKSTEP_MODE(Round::up)
#undef LOCKSTEP_MODE
#undef LOCKSTEP_ARITHMETIC

}  // namespace lockstep::interpreter::libdevice
