#include "interpreter/libdevice/special.h"

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "interpreter/libdevice/elementary.h"

namespace lockstep::interpreter::libdevice {
namespace {

namespace policies = boost::math::policies;
using QuietWide =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::underflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>, policies::promote_double<false>>;

constexpr Wide kRootTwo = 1.41421356237309504880168872420969808L;
constexpr Wide kInverseRootPi = 0.564189583547756286948079451560772586L;

/// x*x as an exact sum of two numbers.
struct Square {
  Wide high, low;
};
Square square(Wide x) {
  // The top 31 bits of x, so that their square and the product with the rest are exact.
  const Wide scaled = x * 4294967297.0L;
  const Wide top = scaled - (scaled - x);
  const Wide rest = x - top;
  return {top * top, (x + top) * rest};
}
/// e^(factor x^2) for factors +-1 and +-1/2.
Wide exp_of_square(Wide x, Wide factor) {
  const Square parts = square(x);
  return std::exp(factor * parts.high) * std::exp(factor * parts.low);
}

/// e^(x^2) erfc(x) for x >= 0.
Wide scaled_erfc(Wide x) {
  if (x < 8) return exp_of_square(x, 1) * std::erfc(x);
  // Continued fraction of Laplace, from the inside.
  Wide tail = x;
  for (int k = 60; k >= 1; --k) tail = x + (static_cast<Wide>(k) / 2) / tail;
  return kInverseRootPi / tail;
}

}  // namespace

double erfcx_f64(double x) {
  if (std::isnan(x)) return x;
  const Wide wide = x;
  if (x >= 0) return static_cast<double>(std::isinf(x) ? 0 : scaled_erfc(wide));
  if (x < -27) return kInfinity<double>;
  return static_cast<double>(x > -1 ? exp_of_square(wide, 1) * std::erfc(wide)
                                    : 2 * exp_of_square(wide, 1) - scaled_erfc(-wide));
}

double normcdf_f64(double x) {
  if (std::isnan(x)) return x;
  const Wide wide = x;
  if (x > -1) return static_cast<double>(std::erfc(-wide / kRootTwo) / 2);
  if (x < -40) return 0;
  return static_cast<double>(exp_of_square(wide, -0.5L) * scaled_erfc(-wide / kRootTwo) / 2);
}

double erfinv_f64(double x) {
  if (!(std::fabs(x) <= 1)) return kNan<double>;
  if (std::fabs(x) == 1) return std::copysign(kInfinity<double>, x);
  if (std::fabs(x) < 1e-150) return static_cast<double>(static_cast<Wide>(x) / (2 * kInverseRootPi));
  return static_cast<double>(boost::math::erf_inv(static_cast<Wide>(x), QuietWide()));
}

namespace {
/// erfcinv of [0, 2] in long double.
Wide inverse_erfc(Wide x) {
  if (!(x >= 0 && x <= 2)) return kNan<Wide>;
  if (x == 0) return kInfinity<Wide>;
  if (x == 2) return -kInfinity<Wide>;
  return boost::math::erfc_inv(x, QuietWide());
}
}  // namespace

double erfcinv_f64(double x) { return static_cast<double>(inverse_erfc(x)); }

double normcdfinv_f64(double x) { return static_cast<double>(-kRootTwo * inverse_erfc(2 * static_cast<Wide>(x))); }

double lgamma_f64(double x) {
#if defined(__APPLE__)
  return static_cast<double>(std::lgamma(static_cast<Wide>(x)));  // its sign goes to a variable that nobody reads
#else
  int sign = 0;
  return static_cast<double>(::lgammal_r(static_cast<Wide>(x), &sign));
#endif
}

double tgamma_f64(double x) {
  if (x < 0 && x == std::trunc(x)) return kNan<double>;
  return static_cast<double>(std::tgamma(static_cast<Wide>(x)));
}

double cyl_bessel_i0_f64(double x) {
  if (std::isnan(x) || std::isinf(x)) return std::fabs(x);
  if (std::fabs(x) > 720) return kInfinity<double>;
  return static_cast<double>(boost::math::cyl_bessel_i(0, static_cast<Wide>(std::fabs(x)), QuietWide()));
}

double cyl_bessel_i1_f64(double x) {
  if (std::isnan(x) || std::isinf(x)) return x;
  if (std::fabs(x) > 720) return std::copysign(kInfinity<double>, x);
  if (std::fabs(x) < 1e-100) return x / 2;
  return std::copysign(static_cast<double>(boost::math::cyl_bessel_i(1, static_cast<Wide>(std::fabs(x)), QuietWide())), x);
}

}  // namespace lockstep::interpreter::libdevice
