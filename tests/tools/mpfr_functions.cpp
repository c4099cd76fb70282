#include "mpfr_functions.h"

#include <cmath>
#include <map>

namespace {

constexpr auto kRound = MPFR_RNDN;
using Operands = std::vector<double>;

Real operator+(const Real& a, const Real& b) {
  Real r;
  mpfr_add(r.get(), a.get(), b.get(), kRound);
  return r;
}
Real operator-(const Real& a, const Real& b) {
  Real r;
  mpfr_sub(r.get(), a.get(), b.get(), kRound);
  return r;
}
Real operator*(const Real& a, const Real& b) {
  Real r;
  mpfr_mul(r.get(), a.get(), b.get(), kRound);
  return r;
}
Real operator/(const Real& a, const Real& b) {
  Real r;
  mpfr_div(r.get(), a.get(), b.get(), kRound);
  return r;
}
template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
Real apply(const Real& x) {
  Real r;
  function(r.get(), x.get(), kRound);
  return r;
}
Real root(double x) { return apply<mpfr_sqrt>(Real(x)); }
Real pi() {
  Real r;
  mpfr_const_pi(r.get(), kRound);
  return r;
}
Real infinity(int sign) {
  Real r;
  mpfr_set_inf(r.get(), sign);
  return r;
}
Real nan() {
  Real r;
  mpfr_set_nan(r.get());
  return r;
}

// ---- what MPFR has ----

template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void direct(Real& r, const Operands& x, double) {
  function(r.get(), Real(x[0]).get(), kRound);
}
template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
void direct2(Real& r, const Operands& x, double) {
  function(r.get(), Real(x[0]).get(), Real(x[1]).get(), kRound);
}
int log_gamma(mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign = 0;
  return mpfr_lgamma(r, &sign, x, mode);
}
void fma(Real& r, const Operands& x, double) {
  mpfr_fma(r.get(), Real(x[0]).get(), Real(x[1]).get(), Real(x[2]).get(), kRound);
}
void gamma(Real& r, const Operands& x, double) {
  // Beyond these the result is far outside every type, and MPFR takes long.
  if (x[0] > 300 && std::isfinite(x[0])) return void(r = infinity(1));
  if (x[0] < -300 && std::isfinite(x[0]) && x[0] != std::trunc(x[0])) return void(r = Real(0));
  mpfr_gamma(r.get(), Real(x[0]).get(), kRound);
}
/// exp and its like: arguments that only say "far too large" are cut.
template <int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void exponential(Real& r, const Operands& x, double) {
  const double limited = std::isfinite(x[0]) ? std::fmin(std::fmax(x[0], -1e6), 1e6) : x[0];
  function(r.get(), Real(limited).get(), kRound);
}
void rsqrt(Real& r, const Operands& x, double) {
  mpfr_rec_sqrt(r.get(), Real(x[0]).get(), kRound);
  if (x[0] == 0 && std::signbit(x[0])) r = infinity(-1);
}
void rcbrt(Real& r, const Operands& x, double) {
  r = x[0] == 0 ? infinity(std::signbit(x[0]) ? -1 : 1) : Real(1) / apply<mpfr_cbrt>(Real(x[0]));
}

// ---- circular functions of pi x ----

void sinpi(Real& r, const Operands& x, double) { r = apply<mpfr_sin>(pi() * Real(std::fmod(x[0], 2.0))); }
void cospi(Real& r, const Operands& x, double) { r = apply<mpfr_cos>(pi() * Real(std::fmod(x[0], 2.0))); }
/// Whole and half numbers exactly: a zero of 320 bits would be 1e-96.
template <void (*function)(Real&, const Operands&, double)>
void exact_zeros(Real& r, const Operands& x, double got) {
  function(r, x, got);
  if (std::isfinite(x[0]) && std::fabs(mpfr_get_d(r.get(), kRound)) < 1e-80 && std::fabs(x[0]) > 1e-70) r = Real(0);
}

// ---- norms ----

template <bool is_reciprocal>
void norm(Real& r, const Operands& x, double) {
  Real sum(0);
  bool has_infinity = false;
  for (const double value : x) {
    sum = sum + Real(value) * Real(value);
    has_infinity = has_infinity || std::isinf(value);
  }
  r = has_infinity ? infinity(1) : apply<mpfr_sqrt>(sum);
  if (is_reciprocal) r = Real(1) / r;
}

// ---- error functions ----

/// e^(x^2) erfc(x).
void erfcx(Real& r, const Operands& x, double) {
  const Real value(x[0]);
  if (x[0] > 1e4) {
    const Real inverse = Real(1) / (Real(2) * value * value);
    Real sum(1), term(1);
    for (int k = 1; k < 16; ++k) {
      term = term * inverse * Real(1 - 2 * k);
      sum = sum + term;
    }
    r = sum / (value * apply<mpfr_sqrt>(pi()));
    return;
  }
  r = x[0] < -1e4 ? infinity(1) : apply<mpfr_exp>(value * value) * apply<mpfr_erfc>(value);
}
Real normal(const Real& x) { return apply<mpfr_erfc>(Real(-1) * x / root(2)) / Real(2); }
Real normal_density(const Real& x) { return apply<mpfr_exp>(x * x / Real(-2)) / apply<mpfr_sqrt>(Real(2) * pi()); }
Real erf_density(const Real& x) { return Real(2) * apply<mpfr_exp>(Real(-1) * x * x) / apply<mpfr_sqrt>(pi()); }
Real minus_erf_density(const Real& x) { return Real(-1) * erf_density(x); }
void normcdf(Real& r, const Operands& x, double) {
  r = std::fabs(x[0]) > 1e4 ? Real(x[0] > 0 ? 1 : 0) : normal(Real(x[0]));
}

/// Solves f(y) = x from y = got.
template <Real (*function)(const Real&), Real (*derivative)(const Real&)>
Real invert(double x, double got) {
  if (!std::isfinite(got)) return nan();
  Real y(got);
  Real step(0);
  for (int i = 0; i < 6; ++i) {
    step = (function(y) - Real(x)) / derivative(y);
    y = y - step;
    // Convergence is quadratic: after a step below 2^-40 of y the error is below 2^-75 of it.
    if (mpfr_zero_p(step.get()) != 0 || mpfr_get_exp(step.get()) < mpfr_get_exp(y.get()) - 40) return y;
  }
  return nan();
}
void erfinv(Real& r, const Operands& x, double got) {
  r = nan();
  if (std::fabs(x[0]) == 1) r = infinity(x[0] > 0 ? 1 : -1);
  if (x[0] == 0) r = Real(0);
  if (std::fabs(x[0]) < 1 && x[0] != 0) r = invert<apply<mpfr_erf>, erf_density>(x[0], got);
}
void erfcinv(Real& r, const Operands& x, double got) {
  r = nan();
  if (x[0] == 0 || x[0] == 2) r = infinity(x[0] == 0 ? 1 : -1);
  if (x[0] == 1) r = Real(0);
  if (x[0] > 0 && x[0] < 2 && x[0] != 1) r = invert<apply<mpfr_erfc>, minus_erf_density>(x[0], got);
}
void normcdfinv(Real& r, const Operands& x, double got) {
  r = nan();
  if (x[0] == 0 || x[0] == 1) r = infinity(x[0] == 0 ? -1 : 1);
  if (x[0] == 0.5) r = Real(0);
  if (x[0] > 0 && x[0] < 1 && x[0] != 0.5) r = invert<normal, normal_density>(x[0], got);
}

// ---- Bessel functions ----

template <int order>
void modified_bessel(Real& r, const Operands& x, double) {
  if (!std::isfinite(x[0]) || std::fabs(x[0]) > 800) {
    r = std::isnan(x[0]) ? nan() : infinity(order == 1 && x[0] < 0 ? -1 : 1);
    return;
  }
  const Real quarter = Real(x[0]) * Real(x[0]) / Real(4);
  Real term = order == 0 ? Real(1) : Real(x[0]) / Real(2);
  r = term;
  for (int k = 1; k < 3000 && mpfr_zero_p(term.get()) == 0; ++k) {
    term = term * quarter / Real(static_cast<double>(k) * (k + order));
    r = r + term;
    if (mpfr_zero_p(term.get()) != 0 || mpfr_get_exp(term.get()) < mpfr_get_exp(r.get()) - Real::kBits) break;
  }
}
void jn(Real& r, const Operands& x, double) {
  r = x[0] < 0 ? nan() : r;
  if (x[0] >= 0) mpfr_jn(r.get(), static_cast<long>(x[0]), Real(x[1]).get(), kRound);
}
void yn(Real& r, const Operands& x, double) {
  r = x[0] < 0 ? nan() : r;
  if (x[0] >= 0) mpfr_yn(r.get(), static_cast<long>(x[0]), Real(x[1]).get(), kRound);
}

}  // namespace

Reference find_reference(const std::string& name) {
  static const std::map<std::string, Reference> kReferences = {{"acos", direct<mpfr_acos>},
                                                               {"acosh", direct<mpfr_acosh>},
                                                               {"asin", direct<mpfr_asin>},
                                                               {"asinh", direct<mpfr_asinh>},
                                                               {"atan", direct<mpfr_atan>},
                                                               {"atan2", direct2<mpfr_atan2>},
                                                               {"atanh", direct<mpfr_atanh>},
                                                               {"cbrt", direct<mpfr_cbrt>},
                                                               {"cos", direct<mpfr_cos>},
                                                               {"cosh", exponential<mpfr_cosh>},
                                                               {"cospi", exact_zeros<cospi>},
                                                               {"cyl_bessel_i0", modified_bessel<0>},
                                                               {"cyl_bessel_i1", modified_bessel<1>},
                                                               {"div", direct2<mpfr_div>},
                                                               {"erf", direct<mpfr_erf>},
                                                               {"erfc", direct<mpfr_erfc>},
                                                               {"erfcinv", erfcinv},
                                                               {"erfcx", erfcx},
                                                               {"erfinv", erfinv},
                                                               {"exp", exponential<mpfr_exp>},
                                                               {"exp10", exponential<mpfr_exp10>},
                                                               {"exp2", exponential<mpfr_exp2>},
                                                               {"expm1", exponential<mpfr_expm1>},
                                                               {"fma", fma},
                                                               {"hypot", norm<false>},
                                                               {"j0", direct<mpfr_j0>},
                                                               {"j1", direct<mpfr_j1>},
                                                               {"jn", jn},
                                                               {"lgamma", direct<log_gamma>},
                                                               {"log", direct<mpfr_log>},
                                                               {"log10", direct<mpfr_log10>},
                                                               {"log1p", direct<mpfr_log1p>},
                                                               {"log2", direct<mpfr_log2>},
                                                               {"norm3d", norm<false>},
                                                               {"norm4d", norm<false>},
                                                               {"normcdf", normcdf},
                                                               {"normcdfinv", normcdfinv},
                                                               {"pow", direct2<mpfr_pow>},
                                                               {"powi", direct2<mpfr_pow>},
                                                               {"rcbrt", rcbrt},
                                                               {"rhypot", norm<true>},
                                                               {"rnorm3d", norm<true>},
                                                               {"rnorm4d", norm<true>},
                                                               {"rsqrt", rsqrt},
                                                               {"sin", direct<mpfr_sin>},
                                                               {"sinh", exponential<mpfr_sinh>},
                                                               {"sinpi", exact_zeros<sinpi>},
                                                               {"sqrt", direct<mpfr_sqrt>},
                                                               {"tan", direct<mpfr_tan>},
                                                               {"tanh", direct<mpfr_tanh>},
                                                               {"tgamma", gamma},
                                                               {"y0", direct<mpfr_y0>},
                                                               {"y1", direct<mpfr_y1>},
                                                               {"yn", yn}};
  const auto found = kReferences.find(name);
  return found == kReferences.end() ? nullptr : found->second;
}
