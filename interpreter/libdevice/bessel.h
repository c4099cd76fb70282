// libdevice's Bessel functions of the first and second kind, of f64. For |x| < 8 orders 0 and 1 are accurate relative
// to the result even at the zeros; elsewhere the error is small beside the function's amplitude (CUDA's own promise).
// Orders above kLargestRecurrence use asymptotic expansions (absolute error below 1e-10), so that no order takes long.
#pragma once

namespace lockstep::interpreter::libdevice {

inline constexpr int kLargestRecurrence = 2000;

double j0_f64(double x);
double j1_f64(double x);
double y0_f64(double x);  // NaN below 0
double y1_f64(double x);
double jn_f64(int n, double x);  // NaN for n < 0
double yn_f64(int n, double x);
float jn_f32(int n, float x);
float yn_f32(int n, float x);

}  // namespace lockstep::interpreter::libdevice
