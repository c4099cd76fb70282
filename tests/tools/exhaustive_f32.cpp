// Runs a function of one f32 over all 2^32 inputs (or every STRIDE-th) and compares with the C library's function of
// long double: exhaustive_f32 NAME [STRIDE]. NAME is a vector kernel (exp, exp2, log, log2, sin, cos, tan, tanh, erf,
// rsqrt, sqrt) or a libdevice symbol of f32 whose C name is the symbol without __nv_ and f. Prints one line of JSON:
// the worst error in ulp and where. Not part of CI: minutes per function.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/libdevice/catalogue.h"

namespace {

using lockstep::ScalarKind;
using lockstep::interpreter::kernels::Unary;
using Wide = long double;
namespace libdevice = lockstep::interpreter::libdevice;

struct Known {
  const char* name;
  Wide (*reference)(Wide);
  Unary kernel = Unary::absi;  // absi: no vector kernel
};
Wide reciprocal_root(Wide x) { return 1 / std::sqrt(x); }
const Known kKnown[] = {{"exp", std::exp, Unary::exp},
                        {"exp2", std::exp2, Unary::exp2},
                        {"log", std::log, Unary::log},
                        {"log2", std::log2, Unary::log2},
                        {"sin", std::sin, Unary::sin},
                        {"cos", std::cos, Unary::cos},
                        {"tan", std::tan, Unary::tan},
                        {"tanh", std::tanh, Unary::tanh},
                        {"erf", std::erf, Unary::erf},
                        {"sqrt", std::sqrt, Unary::sqrt},
                        {"rsqrt", reciprocal_root, Unary::rsqrt},
                        {"acos", std::acos},
                        {"acosh", std::acosh},
                        {"asin", std::asin},
                        {"asinh", std::asinh},
                        {"atan", std::atan},
                        {"atanh", std::atanh},
                        {"cbrt", std::cbrt},
                        {"cosh", std::cosh},
                        {"erfc", std::erfc},
                        {"expm1", std::expm1},
                        {"lgamma", std::lgamma},
                        {"log10", std::log10},
                        {"log1p", std::log1p},
                        {"sinh", std::sinh},
                        {"tgamma", std::tgamma}};

/// |got - exact| in units in the last place of f32 at `exact`; infinite where one is NaN and the other is not.
double ulp_of(float got, Wide exact) {
  if (std::isnan(got) || std::isnan(exact)) return std::isnan(got) && std::isnan(exact) ? 0 : HUGE_VAL;
  const Wide limit = std::ldexp(Wide{1}, 128);
  const Wide value = std::isinf(got) ? std::copysign(limit, static_cast<Wide>(got)) : static_cast<Wide>(got);
  const Wide target = std::fabs(exact) > limit ? std::copysign(limit, exact) : exact;
  if (value == target) return 0;
  int exponent = 0;
  std::frexp(target, &exponent);
  return static_cast<double>(std::fabs(value - target) / std::ldexp(Wide{1}, std::max(exponent - 24, -149)));
}

using Function = void (*)(void*, const void*, std::int64_t);

Function find(const Known& known) {
  if (known.kernel != Unary::absi) return lockstep::interpreter::kernels::unary(known.kernel, ScalarKind::f32);
  const libdevice::Function* row = libdevice::find(std::string("__nv_") + known.name + "f");
  return row != nullptr ? row->unary : nullptr;
}

int run(const Known& known, std::uint64_t stride) {
  const Function function = find(known);
  if (function == nullptr) return 2;
  constexpr std::size_t kChunk = 1 << 16;
  std::vector<float> x, y(kChunk);
  double worst = -1;
  float at = 0;
  std::uint64_t count = 0;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32);) {
    x.clear();
    for (; x.size() < kChunk && bits < (std::uint64_t{1} << 32); bits += stride) {
      const auto pattern = static_cast<std::uint32_t>(bits);
      float value;
      std::memcpy(&value, &pattern, sizeof value);
      x.push_back(value);
    }
    function(y.data(), x.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = ulp_of(y[i], known.reference(static_cast<Wide>(x[i])));
      if (error > worst) worst = error, at = x[i];
    }
    count += x.size();
  }
  std::printf("{\"function\": \"%s\", \"max_ulp\": %.6g, \"input\": \"%a\", \"count\": %llu}\n", known.name, worst,
              static_cast<double>(at), static_cast<unsigned long long>(count));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t stride = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (const Known& known : kKnown)
    if (argc > 1 && stride > 0 && std::string(argv[1]) == known.name) return run(known, stride);
  std::fprintf(stderr, "usage: exhaustive_f32 NAME [STRIDE]; names:");
  for (const Known& known : kKnown) std::fprintf(stderr, " %s", known.name);
  std::fprintf(stderr, "\n");
  return 2;
}
