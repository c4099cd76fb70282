// The reference functions of mpfr_ulp: by name, at 320 bits. Each gets its operands as doubles (exact for every kind)
// and the result to be judged: inverse functions start Newton's iteration there and check that it converged. Not here:
// reading files, measuring.
#pragma once

#include <mpfr.h>

#include <string>
#include <vector>

class Real {
 public:
  static constexpr mpfr_prec_t kBits = 320;
  Real() { mpfr_init2(value_, kBits); }
  explicit Real(double x) : Real() { mpfr_set_d(value_, x, MPFR_RNDN); }
  Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

using Reference = void (*)(Real& result, const std::vector<double>& operands, double got);
/// Null if there is no such function.
Reference find_reference(const std::string& name);
