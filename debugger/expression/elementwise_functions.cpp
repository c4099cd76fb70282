// Functions of one tensor, element by element, and the bits of floats.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "debugger/expression/elementwise.h"
#include "debugger/expression/walk.h"
#include "support/check.h"
#include "support/float_formats.h"

namespace lockstep::debugger {
namespace {

double sign(double x) { return std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0; }
double inverse_root(double x) { return 1 / std::sqrt(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
/// Halves round to the even neighbour, as in Python.
double round_half_even(double x) { return std::nearbyint(x); }

struct FloatFunction {
  std::string_view name;
  double (*run)(double);
};
constexpr std::array<FloatFunction, 17> kFloatFunctions = {{
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"rsqrt", inverse_root},
    {"exp", [](double x) { return std::exp(x); }},
    {"exp2", [](double x) { return std::exp2(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"round", round_half_even},
    {"sigmoid", sigmoid},
    {"sign", sign},
}};
struct Test {
  std::string_view name;
  bool (*holds)(double);
};
constexpr std::array<Test, 3> kTests = {{
    {"isnan", [](double x) { return std::isnan(x); }},
    {"isinf", [](double x) { return std::isinf(x); }},
    {"isfinite", [](double x) { return std::isfinite(x); }},
}};
constexpr std::array<std::string_view, 4> kOthers = {"abs", "int", "float", "bool"};

template <typename Rows>
auto find_row(const Rows& rows, std::string_view name) {
  return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
}

Computed absolute(Tensor a) {
  a.raw.clear();
  for (double& element : a.floats) element = std::fabs(element);
  for (std::int64_t& element : a.integers) {
    if (element == std::numeric_limits<std::int64_t>::min())
      return Unexpected{std::string("the result does not fit into 64 bits")};
    element = std::abs(element);
  }
  if (a.elements == ElementClass::boolean) a.elements = ElementClass::integer;
  if (!a.is_floating()) a.kind = ScalarKind::i64;
  return a;
}

Computed to_integers(const Tensor& a) {
  Tensor out = Tensor::like(ElementClass::integer, ScalarKind::i64, a.shape);
  if (!a.is_floating()) {
    out.integers = a.integers;
    return out;
  }
  out.integers.reserve(a.floats.size());
  for (const double element : a.floats) {
    if (!(element >= -9223372036854775808.0 && element < 9223372036854775808.0))
      return Unexpected{std::string("int(): the number does not fit into 64 bits")};
    out.integers.push_back(static_cast<std::int64_t>(element));
  }
  return out;
}

Tensor map_floats(double (*run)(double), const Tensor& a) {
  Tensor out = Tensor::like(ElementClass::floating, ScalarKind::f64, a.shape);
  const auto count = static_cast<std::size_t>(a.count());
  out.floats.resize(count);
  for (std::size_t i = 0; i < count; ++i) out.floats[i] = run(a.as_double(i));
  return out;
}
Tensor map_test(bool (*holds)(double), const Tensor& a) {
  Tensor out = Tensor::like(ElementClass::boolean, ScalarKind::i1, a.shape);
  const auto count = static_cast<std::size_t>(a.count());
  out.integers.resize(count);
  for (std::size_t i = 0; i < count; ++i) out.integers[i] = holds(a.as_double(i)) ? 1 : 0;
  return out;
}

/// The rank of a float among the numbers of its format: neighbours differ by one, both zeros are 0.
std::int64_t rank_of(ScalarKind kind, double value) {
  const std::uint64_t bits = encode_float(kind, value);
  const std::uint64_t sign_bit = std::uint64_t{1} << (bit_width(kind) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign_bit - 1));
  return (bits & sign_bit) != 0 ? -magnitude : magnitude;
}
double distance(ScalarKind kind, double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
  const std::int64_t x = rank_of(kind, a), y = rank_of(kind, b);
  const std::int64_t low = std::min(x, y), high = std::max(x, y);
  return static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
}
ScalarKind coarser(const Tensor& a, const Tensor& b) {
  if (!a.is_floating()) return b.kind;
  if (!b.is_floating()) return a.kind;
  return bit_width(b.kind) < bit_width(a.kind) ? b.kind : a.kind;
}

}  // namespace

bool is_elementwise_function(std::string_view name) {
  return find_row(kFloatFunctions, name) != kFloatFunctions.end() || find_row(kTests, name) != kTests.end() ||
         std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

std::vector<std::string_view> elementwise_functions() {
  std::vector<std::string_view> names(kOthers.begin(), kOthers.end());
  for (const FloatFunction& row : kFloatFunctions) names.push_back(row.name);
  for (const Test& row : kTests) names.push_back(row.name);
  return names;
}

Computed apply_function(std::string_view name, const Tensor& a) {
  if (a.elements == ElementClass::pointer) return Unexpected{std::string("pointers are not numbers: use .address")};
  if (const auto* row = find_row(kTests, name); row != kTests.end()) return map_test(row->holds, a);
  if (name == "abs") return absolute(a);
  if (name == "int") return to_integers(a);
  if (name == "float") return map_floats([](double x) { return x; }, a);
  if (name == "bool") return map_test([](double x) { return x != 0; }, a);
  const bool keeps_integers = name == "floor" || name == "ceil" || name == "round";
  if (keeps_integers && !a.is_floating()) return to_integers(a);
  const auto* row = find_row(kFloatFunctions, name);
  LOCKSTEP_CHECK(row != kFloatFunctions.end(), "a function of the table");
  return map_floats(row->run, a);
}

Computed ulp_distance(const Tensor& a, const Tensor& b) {
  const ScalarKind kind = coarser(a, b);
  if (!is_float(kind)) return Unexpected{std::string("ulp() is about floats")};
  if (a.elements == ElementClass::pointer || b.elements == ElementClass::pointer)
    return Unexpected{std::string("ulp() is about floats")};
  auto shape = broadcast_shape(a.shape, b.shape);
  if (!shape) return Unexpected{shape.error()};
  Tensor out = Tensor::like(ElementClass::floating, ScalarKind::f64, std::move(*shape));
  out.floats.reserve(static_cast<std::size_t>(out.count()));
  walk<2>(out.shape, {broadcast_strides(a.shape, out.shape), broadcast_strides(b.shape, out.shape)},
          [&](const std::array<std::int64_t, 2>& at) {
            out.floats.push_back(distance(kind, a.as_double(static_cast<std::size_t>(at[0])),
                                          b.as_double(static_cast<std::size_t>(at[1]))));
            return true;
          });
  return out;
}

Tensor bits_of(const Tensor& a) {
  const int size = size_bytes(a.kind);
  const ScalarKind kind = size == 1   ? ScalarKind::i8
                          : size == 2 ? ScalarKind::i16
                          : size == 4 ? ScalarKind::i32
                                      : ScalarKind::i64;
  Tensor out = Tensor::like(ElementClass::integer, kind, a.shape);
  out.is_hex = true;
  const auto count = static_cast<std::size_t>(a.count());
  out.integers.resize(count);
  for (std::size_t i = 0; i < count; ++i) out.integers[i] = static_cast<std::int64_t>(a.bits_of(i));
  return out;
}

}  // namespace lockstep::debugger
