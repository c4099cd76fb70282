#include "enclosure/rules/widen.h"

#include <algorithm>

namespace lockstep::enclosure {

namespace {

constexpr double kLeastNormal = 0x1p-126;
constexpr double kFarthest = 150;

/// The power of two at or below a number; infinity for one that is not finite.
double leading_power(double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0x7ff0000000000000);
}

/// The reach of a format's errors.
struct Reach {
  double unit = 0;        // last place of 1
  double least_unit = 0;  // of subnormals
  double edge = 0;        // from here on an error may reach infinity
  double factor = 1;      // covers the roundings of the widening itself
  double more = 0;        // ulp; the same where the format is f64
};

Reach reach_of(ScalarKind kind, double ulp) {
  const bool is_wide = kind == ScalarKind::f64;
  const Format format = format_of(is_wide || is_float8(kind) ? kind : ScalarKind::f32);
  Reach reach;
  reach.unit = std::ldexp(1.0, 1 - format.precision);
  reach.least_unit = std::ldexp(1.0, format.least_exponent + 1 - format.precision);
  reach.edge = format.largest - (ulp + 2) * ulp_at(format, format.largest);
  reach.factor = is_wide ? 1 : 1 + 0x1p-20;
  reach.more = is_wide ? 1 : 0;
  return reach;
}

double moved(const Reach& reach, double ulp, double end, double direction) {
  const double by = std::max(leading_power(end) * reach.unit, reach.least_unit) * (ulp * reach.factor + reach.more);
  const double result = end + direction * by;
  return end - end == 0 ? result : end;
}

Interval at_the_edge(const Reach& reach, const Interval& exact, Interval out) {
  if (exact.is_unbounded() || exact.is_nan()) return exact;
  if (exact.high == -kInfinite) out.high = -reach.edge;
  if (exact.low == kInfinite) out.low = reach.edge;
  if (exact.high >= reach.edge) out.high = kInfinite;
  if (exact.low <= -reach.edge) out.low = -kInfinite;
  return out;
}

}  // namespace

Interval with_flushed(const Interval& value) {
  if (value.is_unbounded() || value.is_nan()) return value;
  Interval out = value;
  if (out.low > 0 && out.low < kLeastNormal) out.low = 0;
  if (out.high < 0 && out.high > -kLeastNormal) out.high = 0;
  return out;
}

void widen(ScalarKind kind, const ErrorOf& error, Bounds& bounds, const Bounds* argument) {
  const double most = error.ulp + error.per_unit * kFarthest;
  if (most == 0) return;
  const Reach reach = reach_of(kind, most);
  const bool has_edge = !is_float8(kind);
  const std::int64_t count = bounds.count();
  double *low = bounds.low(), *high = bounds.high();
  for (std::int64_t i = 0; i < count; ++i) {
    double ulp = error.ulp;
    if (argument != nullptr) {
      const double far = std::max(std::fabs(argument->low()[i]), std::fabs(argument->high()[i]));
      ulp += error.per_unit * (far < kFarthest ? far : kFarthest);
    }
    const Interval exact{low[i], high[i]};
    Interval out{moved(reach, ulp, exact.low, -1), moved(reach, ulp, exact.high, 1)};
    if (has_edge && !(exact.low > -reach.edge && exact.high < reach.edge)) [[unlikely]]
      out = at_the_edge(reach, exact, out);
    if (error.flushes) out = with_flushed(out);
    low[i] = out.low;
    high[i] = out.high;
  }
}

}  // namespace lockstep::enclosure
