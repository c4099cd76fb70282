#include "compare/interval.h"

#include <boost/numeric/interval.hpp>

namespace lockstep::compare {
namespace {

using Interval = boost::numeric::interval<double>;

// 2^64 needs two doubles; the halves are exact.
Interval enclose(std::uint64_t value) {
  const Interval high(static_cast<double>(value >> 32)), low(static_cast<double>(value & 0xffffffffU));
  return high * 4294967296.0 + low;
}

bool exceeds(const Interval& difference, const Interval& magnitude, double rtol, double atol) {
  const Interval bound = magnitude * rtol + atol;
  return difference.lower() > bound.upper();
}

}  // namespace

bool certainly_outside(double actual, double expected, double rtol, double atol) {
  return exceeds(abs(Interval(actual) - expected), abs(Interval(expected)), rtol, atol);
}

bool certainly_outside_integers(std::uint64_t difference, std::uint64_t magnitude, double rtol, double atol) {
  return exceeds(enclose(difference), enclose(magnitude), rtol, atol);
}

double quotient_width(double numerator, double denominator) {
  const Interval quotient = Interval(numerator) / denominator;
  return width(quotient);
}

}  // namespace lockstep::compare
