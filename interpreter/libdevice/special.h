// libdevice's error functions, normal distribution, gamma and modified Bessel functions of f64. Computed in long double
// (see elementary.h) by the C library, Boost.Math and continued fractions, and rounded once. Outside a function's
// domain the result is NaN, as CUDA documents. The only user of Boost.Math is special.cpp.
#pragma once

namespace lockstep::interpreter::libdevice {

double erfinv_f64(double x);   // [-1, 1]
double erfcinv_f64(double x);  // [0, 2]
double erfcx_f64(double x);    // e^(x^2) erfc(x)
double normcdf_f64(double x);
double normcdfinv_f64(double x);  // [0, 1]
double lgamma_f64(double x);      // log |gamma(x)|
double tgamma_f64(double x);
double cyl_bessel_i0_f64(double x);
double cyl_bessel_i1_f64(double x);

}  // namespace lockstep::interpreter::libdevice
