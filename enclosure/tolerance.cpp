#include "enclosure/tolerance.h"
#include "support/floats/write_float.h"

#include <charconv>

namespace lockstep::enclosure {
namespace {

std::string to_text(double value) {
  char buffer[40];
  return {buffer, write_float(buffer, buffer + sizeof buffer, value)};
}

}  // namespace

// Floats: the relative part allows a few roundings in the type's own precision, as a sum in another order makes; the
// absolute part allows results that cancel, for data of order 1. 8-bit floats: the two sides may round to neighbours.
//
//   type         rtol       atol        last place of 1.0
//   f64          1e-12      1e-12       2.2e-16
//   f32          1e-5       1e-5        1.2e-7
//   f16          2^-9       2^-10       2^-10
//   bf16         2^-6       2^-7        2^-7
//   f8*          1 ULP
//   integers     exact
Tolerance Tolerance::default_for(ScalarKind kind) {
  Tolerance tolerance;
  const auto set = [&](double rtol, double atol) {
    tolerance.rtol = rtol;
    tolerance.atol = atol;
  };
  if (is_float8(kind)) tolerance.ulp = 1;
  if (kind == ScalarKind::f16) set(0x1p-9, 0x1p-10);
  if (kind == ScalarKind::bf16) set(0x1p-6, 0x1p-7);
  if (kind == ScalarKind::f32) set(1e-5, 1e-5);
  if (kind == ScalarKind::f64) set(1e-12, 1e-12);
  return tolerance;
}

Tolerance Tolerance::given(ScalarKind kind, std::optional<double> rtol, std::optional<double> atol,
                           std::optional<std::int64_t> ulp) {
  Tolerance tolerance;
  if (ulp) {
    tolerance.ulp = ulp;
    return tolerance;
  }
  tolerance = default_for(kind);
  if (rtol) tolerance.rtol = rtol;
  if (atol) tolerance.atol = atol;
  return tolerance;
}

std::string Tolerance::to_string() const {
  const std::string units = ulp ? std::to_string(*ulp) + " ULP" : "";
  if (ulp && !rtol && !atol) return units;
  if (is_exact()) return "exact";
  return (ulp ? units + " or " : "") + "rtol " + to_text(rtol.value_or(0)) + ", atol " + to_text(atol.value_or(0));
}

}  // namespace lockstep::enclosure
