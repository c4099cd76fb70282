// Functions of one number for enclosures: their shape, and the error of CUDA's version. The row of an op names its
// function (enclose_function_of<kCbrt>); libdevice's are found by their symbols. Values are the C library's in f64,
// whose errors of a few 2^-53 are added at the end. Source: CUDA C++ Programming Guide, "Mathematical Functions
// Appendix".
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct RealFunction {
  enum class Shape : std::uint8_t { rising, falling, even, sine, cosine, tangent };

  std::string_view symbol{};  // libdevice's, without __nv_ and the f of f32
  double (*value)(double) = nullptr;
  Shape shape = Shape::rising;
  double cuda_ulp = 0;                     // 0: exact
  double from = -kNoLimit, to = kNoLimit;  // the domain
  bool is_positive = false;                // no result is below 0
  bool gives_integers = false;
  bool is_exact_in_f64 = false;
  bool has_pole_at_zero = false;
  double per_unit = 0;  // S-80: up to f32 an op's error grows with its operand; beyond that cuda_ulp bounds it
};

/// S-80: a GPU's exp is ex2.approx(x * log2 e); both roundings and the constant's error grow with x.
inline constexpr double kExpPerUnit = 1.24;

inline constexpr RealFunction kCeil{
    .symbol = "ceil", .value = [](double x) { return std::ceil(x); }, .gives_integers = true};
inline constexpr RealFunction kFloor{
    .symbol = "floor", .value = [](double x) { return std::floor(x); }, .gives_integers = true};
inline constexpr RealFunction kTrunc{
    .symbol = "trunc", .value = [](double x) { return std::trunc(x); }, .gives_integers = true};
inline constexpr RealFunction kRound{
    .symbol = "round", .value = [](double x) { return std::round(x); }, .gives_integers = true};
inline constexpr RealFunction kRoundeven{
    .symbol = "rint", .value = [](double x) { return std::nearbyint(x); }, .gives_integers = true};
inline constexpr RealFunction kPreciseSqrt{
    .value = [](double x) { return std::sqrt(x); }, .from = 0, .is_positive = true};
inline constexpr RealFunction kSqrt{
    .symbol = "sqrt", .value = [](double x) { return std::sqrt(x); }, .cuda_ulp = 1, .from = 0, .is_positive = true,
    .is_exact_in_f64 = true};
inline constexpr RealFunction kRsqrt{
    .symbol = "rsqrt", .value = [](double x) { return 1 / std::sqrt(x); }, .shape = RealFunction::Shape::falling,
    .cuda_ulp = 2, .from = 0, .is_positive = true, .has_pole_at_zero = true};
inline constexpr RealFunction kCbrt{.symbol = "cbrt", .value = [](double x) { return std::cbrt(x); }, .cuda_ulp = 1};
inline constexpr RealFunction kExp{
    .symbol = "exp", .value = [](double x) { return std::exp(x); }, .cuda_ulp = 2, .is_positive = true,
    .per_unit = kExpPerUnit};
inline constexpr RealFunction kExp2{
    .symbol = "exp2", .value = [](double x) { return std::exp2(x); }, .cuda_ulp = 2, .is_positive = true};
inline constexpr RealFunction kExpm1{.symbol = "expm1", .value = [](double x) { return std::expm1(x); }, .cuda_ulp = 1};
inline constexpr RealFunction kLog{
    .symbol = "log", .value = [](double x) { return std::log(x); }, .cuda_ulp = 1, .from = 0};
inline constexpr RealFunction kLog2{
    .symbol = "log2", .value = [](double x) { return std::log2(x); }, .cuda_ulp = 1, .from = 0};
inline constexpr RealFunction kLog10{
    .symbol = "log10", .value = [](double x) { return std::log10(x); }, .cuda_ulp = 2, .from = 0};
inline constexpr RealFunction kLog1p{
    .symbol = "log1p", .value = [](double x) { return std::log1p(x); }, .cuda_ulp = 1, .from = -1};
inline constexpr RealFunction kSin{
    .symbol = "sin", .value = [](double x) { return std::sin(x); }, .shape = RealFunction::Shape::sine, .cuda_ulp = 2};
inline constexpr RealFunction kCos{
    .symbol = "cos", .value = [](double x) { return std::cos(x); }, .shape = RealFunction::Shape::cosine,
    .cuda_ulp = 2};
inline constexpr RealFunction kTan{
    .symbol = "tan", .value = [](double x) { return std::tan(x); }, .shape = RealFunction::Shape::tangent,
    .cuda_ulp = 4};
inline constexpr RealFunction kAsin{
    .symbol = "asin", .value = [](double x) { return std::asin(x); }, .cuda_ulp = 2, .from = -1, .to = 1};
inline constexpr RealFunction kAcos{
    .symbol = "acos", .value = [](double x) { return std::acos(x); }, .shape = RealFunction::Shape::falling,
    .cuda_ulp = 2, .from = -1, .to = 1};
inline constexpr RealFunction kAtan{.symbol = "atan", .value = [](double x) { return std::atan(x); }, .cuda_ulp = 2};
inline constexpr RealFunction kSinh{.symbol = "sinh", .value = [](double x) { return std::sinh(x); }, .cuda_ulp = 3};
inline constexpr RealFunction kCosh{
    .symbol = "cosh", .value = [](double x) { return std::cosh(x); }, .shape = RealFunction::Shape::even,
    .cuda_ulp = 2, .is_positive = true};
inline constexpr RealFunction kTanh{.symbol = "tanh", .value = [](double x) { return std::tanh(x); }, .cuda_ulp = 2};
inline constexpr RealFunction kErf{.symbol = "erf", .value = [](double x) { return std::erf(x); }, .cuda_ulp = 2};
inline constexpr RealFunction kErfc{
    .symbol = "erfc", .value = [](double x) { return std::erfc(x); }, .shape = RealFunction::Shape::falling,
    .cuda_ulp = 5, .is_positive = true};
inline constexpr RealFunction kAcosh{
    .symbol = "acosh", .value = [](double x) { return std::acosh(x); }, .cuda_ulp = 4, .from = 1};
inline constexpr RealFunction kAsinh{.symbol = "asinh", .value = [](double x) { return std::asinh(x); }, .cuda_ulp = 3};
inline constexpr RealFunction kAtanh{
    .symbol = "atanh", .value = [](double x) { return std::atanh(x); }, .cuda_ulp = 3, .from = -1, .to = 1};

bool enclose_function(EncloseContext& context, const ir::Op& op, const RealFunction& function);

template <const RealFunction& function>
bool enclose_function_of(EncloseContext& context, const ir::Op& op) {
  return enclose_function(context, op, function);
}

}  // namespace lockstep::enclosure
