// The software rounding against the processor's modes, on numbers of every exponent and on those that cancel, overflow,
// underflow or are special.
#include "support/floats/directed_rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cstdint>
#include <random>
#include <vector>

namespace lockstep {
namespace {

using directed::Direction;

// clang has no __float128 for every target; its long double is wide enough only there where it has 113 bits.
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;
#else
using Quad = long double;
#endif

template <class T>
struct Traits;
template <>
struct Traits<float> {
  using Bits = std::uint32_t;
  using Wide = double;
};
template <>
struct Traits<double> {
  using Bits = std::uint64_t;
  using Wide = Quad;
};

struct Mode {
  Direction direction;
  int mode;
};
constexpr Mode kModes[] = {
    {Direction::zero, FE_TOWARDZERO}, {Direction::down, FE_DOWNWARD}, {Direction::up, FE_UPWARD}};

template <class T, class Operation, class... Operands>
T by_processor(int mode, Operation operation, Operands... operands) {
  std::fesetround(mode);
  volatile T result = operation(static_cast<volatile Operands&>(operands)...);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T>
bool is_same(T a, T b) {
  using Bits = typename Traits<T>::Bits;
  return (a != a && b != b) || std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

template <class T>
std::vector<T> numbers(std::mt19937_64& random, std::size_t count) {
  using Limits = std::numeric_limits<T>;
  using Bits = typename Traits<T>::Bits;
  std::vector<T> all = {0,
                        -T{0},
                        1,
                        -1,
                        3,
                        T{1} / 3,
                        Limits::max(),
                        -Limits::max(),
                        Limits::min(),
                        Limits::denorm_min(),
                        -Limits::denorm_min(),
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN(),
                        Limits::epsilon()};
  while (all.size() < count) {
    const T any = std::bit_cast<T>(static_cast<Bits>(random()));
    all.push_back(any);
    all.push_back(std::nextafter(any, T{0}));            // cancels
    all.push_back(static_cast<T>(random() % 4096) / 8);  // exact results
    all.push_back(any * Limits::min());                  // subnormal
  }
  return all;
}

template <class T>
void expect_all(T a, T b, T c) {
  using Arithmetic = directed::Arithmetic<T, typename Traits<T>::Wide>;
  for (const auto& [direction, mode] : kModes) {
    const auto add = [](auto& x, auto& y) -> T { return x + y; };
    const auto subtract = [](auto& x, auto& y) -> T { return x - y; };
    const auto multiply = [](auto& x, auto& y) -> T { return x * y; };
    const auto divide = [](auto& x, auto& y) -> T { return x / y; };
    const auto root = [](auto& x) -> T { return std::sqrt(T{x}); };
    const auto fused = [](auto& x, auto& y, auto& z) -> T { return std::fma(T{x}, T{y}, T{z}); };
    const auto agree = [&](const char* what, T mine, T theirs) {
      EXPECT_TRUE(is_same(mine, theirs)) << what << ' ' << std::hexfloat << a << ' ' << b << ' ' << c << " mode "
                                         << mode << ": " << mine << ", the processor has " << theirs;
    };
    agree("add", Arithmetic::add(direction, a, b), by_processor<T>(mode, add, a, b));
    agree("subtract", Arithmetic::subtract(direction, a, b), by_processor<T>(mode, subtract, a, b));
    agree("multiply", Arithmetic::multiply(direction, a, b), by_processor<T>(mode, multiply, a, b));
    agree("divide", Arithmetic::divide(direction, a, b), by_processor<T>(mode, divide, a, b));
    agree("root", Arithmetic::root(direction, a), by_processor<T>(mode, root, a));
    agree("fused", Arithmetic::fused(direction, a, b, c), by_processor<T>(mode, fused, a, b, c));
  }
}

template <class T>
void expect_like_the_processor(std::size_t count) {
  std::mt19937_64 random(5);
  const std::vector<T> all = numbers<T>(random, count);
  for (std::size_t i = 0; i < 15; ++i) {
    for (std::size_t j = 0; j < 15; ++j) {
      for (std::size_t k = 0; k < 15; ++k) expect_all(all[i], all[j], all[k]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const T a = all[i], b = all[random() % count], c = all[random() % count];
    expect_all(a, b, c);
    expect_all(a, b, -a * b);  // what the product loses
    expect_all(a, b, a);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DirectedRounding, SinglesAreTheProcessors) { expect_like_the_processor<float>(20000); }

TEST(DirectedRounding, DoublesAreTheProcessors) {
  if (sizeof(Quad) < 16 || std::numeric_limits<double>::digits * 2 > 113) GTEST_SKIP();
  expect_like_the_processor<double>(20000);
}

/// A call that the compiler cannot look into: it would move the conversion out of the two changes of the mode.
[[gnu::noinline]] float converted(const volatile std::int64_t& integer) { return static_cast<float>(integer); }

TEST(DirectedRounding, IntegersAreConvertedAsTheProcessorDoes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto integer = static_cast<std::int64_t>(random()) >> (random() % 63);
    const volatile auto nearest = static_cast<float>(integer);  // before any mode is set
    for (const auto& [direction, mode] : kModes) {
      const volatile float mine = directed::Arithmetic<float, long double>::convert(
          direction, static_cast<long double>(integer), static_cast<float>(nearest));
      std::fesetround(mode);
      const volatile float theirs = converted(integer);
      std::fesetround(FE_TONEAREST);
      EXPECT_TRUE(is_same(static_cast<float>(mine), static_cast<float>(theirs))) << integer << " mode " << mode;
    }
  }
}

}  // namespace
}  // namespace lockstep
