#include "driver/arguments/philox.h"

#include <bit>
#include <cmath>

namespace lockstep::driver {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;

std::uint32_t high_word(std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); }
std::uint32_t low_word(std::uint64_t product) { return static_cast<std::uint32_t>(product); }

// High 64 bits of a 64 x 64 product, by halves: there is no standard 128-bit type.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = low_word(a), a_high = a >> 32, b_low = low_word(b), b_high = b >> 32;
  const std::uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  const std::uint64_t carry = (middle & 0xffffffffU) + a_low * b_high;
  return a_high * b_high + (middle >> 32) + (carry >> 32);
}

// Series coefficients, innermost first: 1/23, 1/21 .. 1/3, and -1/(k (k - 1)) for k = 19, 17 .. 3 and k = 20, 18 .. 2.
template <std::size_t N, typename Make>
constexpr std::array<double, N> make_table(const Make& make) {
  std::array<double, N> table{};
  for (std::size_t i = 0; i < N; ++i) table[i] = make(static_cast<int>(i));
  return table;
}
constexpr auto kOddReciprocals = make_table<11>([](int i) { return 1.0 / (23 - 2 * i); });
constexpr auto kSineFactors = make_table<9>([](int i) { return -1.0 / ((19 - 2 * i) * (18 - 2 * i)); });
constexpr auto kCosineFactors = make_table<10>([](int i) { return -1.0 / ((20 - 2 * i) * (19 - 2 * i)); });

double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

}  // namespace

PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {high_word(product1) ^ counter[1] ^ key[0], low_word(product1), high_word(product0) ^ counter[3] ^ key[1],
               low_word(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view name)
    : key_{low_word(seed), high_word(seed)}, name_hash_(stable_hash(name)) {}

std::array<std::uint64_t, 2> RandomStream::bits(std::uint64_t block) const {
  const PhiloxCounter out =
      philox({low_word(block), high_word(block), low_word(name_hash_), high_word(name_hash_)}, key_);
  return {out[0] | std::uint64_t{out[1]} << 32, out[2] | std::uint64_t{out[3]} << 32};
}

RandomStream::Pair RandomStream::uniform(std::uint64_t block) const {
  const auto words = bits(block);
  return {to_unit(words[0]), to_unit(words[1])};
}

RandomStream::Pair RandomStream::normal(std::uint64_t block) const {
  const Pair u = uniform(block);
  const double radius =
      std::sqrt(-2.0 * stable_log(1.0 - u[0]));  // 1 - u is in (0, 1]; sqrt is correctly rounded by IEEE 754
  const auto [sine, cosine] = stable_sine_cosine(u[1]);
  return {radius * cosine, radius * sine};
}

std::array<std::int64_t, 2> RandomStream::integers(std::uint64_t block, std::int64_t low, std::uint64_t range) const {
  const auto words = bits(block);
  const auto base = static_cast<std::uint64_t>(low);
  return {static_cast<std::int64_t>(base + multiply_high(words[0], range)),
          static_cast<std::int64_t>(base + multiply_high(words[1], range))};
}

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172: the series to
// s^23.
double stable_log(double x) {
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
  const auto raw = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(raw >> 52) - 1023;
  double m = std::bit_cast<double>((raw & kMantissa) | 0x3ff0000000000000U);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double series = 0;
  for (const double coefficient : kOddReciprocals) series = (series + coefficient) * z;
  constexpr double kLn2High = 0x1.62e42feep-1,
                   kLn2Low = 0x1.a39ef35793c76p-33;  // the high part times an exponent is exact
  const double e = exponent;
  return e * kLn2High + (2.0 * s + (2.0 * s * series + e * kLn2Low));
}

// t = k/4 + r with |r| <= 1/8, exact; the Taylor series at 2 pi r, |2 pi r| <= pi/4; then a rotation by k quarters.
SineCosine stable_sine_cosine(double t) {
  // At the border of two quarters, either one is right.
  const int quarter = static_cast<int>(4.0 * t + 0.5);  // NOLINT(bugprone-incorrect-roundings)
  const double x = (t - 0.25 * quarter) * 6.283185307179586476925, z = x * x;
  double sine = 0, cosine = 0;
  for (const double coefficient : kSineFactors) sine = (1.0 + sine) * (z * coefficient);
  for (const double coefficient : kCosineFactors) cosine = (1.0 + cosine) * (z * coefficient);
  sine = x + x * sine;
  cosine = 1.0 + cosine;
  switch (quarter % 4) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
  }
}

}  // namespace lockstep::driver
