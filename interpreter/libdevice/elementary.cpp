#include "interpreter/libdevice/elementary.h"

#include <bit>
#include <cstdint>

namespace lockstep::interpreter::libdevice {
namespace {

constexpr Wide kPi = 3.14159265358979323846264338327950288L;

/// x = 2k + quarter/2 + rest with |rest| <= 1/4, exact.
struct HalfTurns {
  double rest;
  int quarter;  // 0..3
};
HalfTurns reduce(double x) {
  const double turn = std::remainder(x, 2.0);  // in [-1, 1]
  const double halves = std::nearbyint(turn * 2);
  return {turn - halves / 2, static_cast<int>(halves) & 3};
}
double sine_of(double rest) { return static_cast<double>(std::sin(kPi * static_cast<Wide>(rest))); }
double cosine_of(double rest) { return static_cast<double>(std::cos(kPi * static_cast<Wide>(rest))); }

}  // namespace

double exp10_f64(double x) {
  if (!(std::fabs(x) <= 330)) return x != x ? x : (x < 0 ? 0.0 : kInfinity<double>);
  // log2(10) in two parts; the first has 11 bits, so its product with x is exact.
  constexpr Wide kTop = 3.322265625L, kRest = -3.37530112637652129680570510609824135e-4L;
  const Wide product = static_cast<Wide>(x) * kTop;
  const Wide whole = std::nearbyint(product);
  const Wide power = (product - whole) + static_cast<Wide>(x) * kRest;
  return static_cast<double>(std::ldexp(std::exp2(power), static_cast<int>(whole)));
}

double sinpi_f64(double x) {
  if (!std::isfinite(x)) return kNan<double>;
  if (x == std::trunc(x)) return std::copysign(0.0, x);
  const HalfTurns turns = reduce(x);
  const double value = (turns.quarter & 1) != 0 ? cosine_of(turns.rest) : sine_of(turns.rest);
  return (turns.quarter & 2) != 0 ? -value : value;
}

double cospi_f64(double x) {
  if (!std::isfinite(x)) return kNan<double>;
  const HalfTurns turns = reduce(x);
  if (turns.rest == 0 && (turns.quarter & 1) != 0) return 0.0;
  const double value = (turns.quarter & 1) != 0 ? sine_of(turns.rest) : cosine_of(turns.rest);
  return ((turns.quarter + 1) & 2) != 0 ? -value : value;
}

double rcp64h(double x) {
  constexpr std::uint64_t kTop = 0xffffffff00000000u;
  constexpr double kSmallestNormal = std::numeric_limits<double>::min();
  const double top = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & kTop);
  if (std::isnan(x)) return kNan<double>;
  const double inverse = 1 / (std::fabs(top) < kSmallestNormal ? std::copysign(0.0, top) : top);
  if (std::isinf(inverse)) return inverse;
  if (std::fabs(inverse) < kSmallestNormal) return std::copysign(0.0, inverse);
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(inverse) + 0x80000000u) & kTop);
}

}  // namespace lockstep::interpreter::libdevice
