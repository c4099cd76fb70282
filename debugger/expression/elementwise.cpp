#include "debugger/expression/elementwise.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "debugger/expression/walk.h"

namespace lockstep::debugger {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

std::vector<double> floats_of(const Tensor& a) {
  if (a.is_floating()) return a.floats;
  return {a.integers.begin(), a.integers.end()};
}

Tensor result_like(ElementClass elements, std::vector<std::int64_t> shape) {
  const ScalarKind kind = elements == ElementClass::boolean    ? ScalarKind::i1
                          : elements == ElementClass::floating ? ScalarKind::f64
                                                               : ScalarKind::i64;
  Tensor out = Tensor::like(elements, kind, std::move(shape));
  const auto count = static_cast<std::size_t>(out.count());
  if (elements == ElementClass::floating) {
    out.floats.resize(count);
  } else {
    out.integers.resize(count);
  }
  return out;
}

/// body(result number, number in a, number in b), false stops.
template <typename Body>
void walk_pair(const std::vector<std::int64_t>& shape, const Tensor& a, const Tensor& b, const Body& body) {
  std::size_t i = 0;
  walk<2>(shape, {broadcast_strides(a.shape, shape), broadcast_strides(b.shape, shape)},
          [&](const std::array<std::int64_t, 2>& at) {
            return body(i++, static_cast<std::size_t>(at[0]), static_cast<std::size_t>(at[1]));
          });
}

enum class Fault : std::uint8_t { none, overflow, zero, shift };

Fault divide(Operator op, std::int64_t a, std::int64_t b, std::int64_t& out) {
  if (b == 0) return Fault::zero;
  if (b == -1) {
    if (op == Operator::modulo) return out = 0, Fault::none;
    return __builtin_sub_overflow(std::int64_t{0}, a, &out) ? Fault::overflow : Fault::none;
  }
  const std::int64_t rest = a % b;
  const bool is_below = rest != 0 && (rest < 0) != (b < 0);
  if (op == Operator::modulo) return out = is_below ? rest + b : rest, Fault::none;
  out = a / b - (is_below ? 1 : 0);
  return Fault::none;
}
Fault power(std::int64_t a, std::int64_t exponent, std::int64_t& out) {
  out = 1;
  if (a == 0 || a == 1) return out = exponent == 0 ? 1 : a, Fault::none;
  if (a == -1) return out = exponent % 2 == 0 ? 1 : -1, Fault::none;
  if (exponent > 63) return Fault::overflow;
  for (; exponent > 0; --exponent) {
    if (__builtin_mul_overflow(out, a, &out)) return Fault::overflow;
  }
  return Fault::none;
}
Fault shift(Operator op, std::int64_t a, std::int64_t by, std::int64_t& out) {
  if (by < 0) return Fault::shift;
  if (op == Operator::shift_right) return out = a >> std::min<std::int64_t>(by, 63), Fault::none;
  out = 0;
  if (a == 0) return Fault::none;
  if (by > 62) return Fault::overflow;
  return __builtin_mul_overflow(a, std::int64_t{1} << by, &out) ? Fault::overflow : Fault::none;
}

Fault compute(Operator op, std::int64_t a, std::int64_t b, std::int64_t& out) {
  switch (op) {
    case Operator::add: return __builtin_add_overflow(a, b, &out) ? Fault::overflow : Fault::none;
    case Operator::subtract: return __builtin_sub_overflow(a, b, &out) ? Fault::overflow : Fault::none;
    case Operator::multiply: return __builtin_mul_overflow(a, b, &out) ? Fault::overflow : Fault::none;
    case Operator::floor_divide:
    case Operator::modulo: return divide(op, a, b, out);
    case Operator::power: return power(a, b, out);
    case Operator::bit_and: return out = a & b, Fault::none;
    case Operator::bit_or: return out = a | b, Fault::none;
    case Operator::bit_xor: return out = a ^ b, Fault::none;
    default: return shift(op, a, b, out);
  }
}

double python_modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}
/// The integer q with a - python_modulo(a, b) = q * b: floor(a / b) would be off where the quotient rounds up to it.
double python_quotient(double a, double b) {
  if (b == 0 || !std::isfinite(a)) return std::floor(a / b);
  const double quotient = (a - python_modulo(a, b)) / b;
  return std::isfinite(quotient) ? std::round(quotient) : quotient;
}
double compute(Operator op, double a, double b) {
  switch (op) {
    case Operator::add: return a + b;
    case Operator::subtract: return a - b;
    case Operator::multiply: return a * b;
    case Operator::divide: return a / b;
    case Operator::floor_divide: return python_quotient(a, b);
    case Operator::modulo: return python_modulo(a, b);
    default: return std::pow(a, b);
  }
}

std::string_view fault_text(Fault fault) {
  switch (fault) {
    case Fault::zero: return "integer division by zero";
    case Fault::shift: return "a shift by a negative number";
    default: return "the result does not fit into 64 bits";
  }
}

Computed integer_binary(Operator op, const Tensor& a, const Tensor& b, std::vector<std::int64_t> shape) {
  const bool is_boolean = a.elements == ElementClass::boolean && b.elements == ElementClass::boolean &&
                          (op == Operator::bit_and || op == Operator::bit_or || op == Operator::bit_xor);
  Tensor out = result_like(is_boolean ? ElementClass::boolean : ElementClass::integer, std::move(shape));
  out.is_hex = a.is_hex || b.is_hex;
  Fault fault = Fault::none;
  std::size_t where = 0;
  walk_pair(out.shape, a, b, [&](std::size_t i, std::size_t j, std::size_t k) {
    fault = compute(op, a.integers[j], b.integers[k], out.integers[i]);
    where = i;
    return fault == Fault::none;
  });
  if (fault == Fault::none) return out;
  std::string text(fault_text(fault));
  if (!out.is_scalar()) text += " at " + index_text(index_of(static_cast<std::int64_t>(where), out.shape));
  return Unexpected{text};
}

Computed floating_binary(Operator op, const Tensor& a, const Tensor& b, std::vector<std::int64_t> shape) {
  Tensor out = result_like(ElementClass::floating, std::move(shape));
  const std::vector<double> left = floats_of(a), right = floats_of(b);
  walk_pair(out.shape, a, b, [&](std::size_t i, std::size_t j, std::size_t k) {
    out.floats[i] = compute(op, left[j], right[k]);
    return true;
  });
  return out;
}

bool is_of_bits(Operator op) {
  return op == Operator::bit_and || op == Operator::bit_or || op == Operator::bit_xor || op == Operator::shift_left ||
         op == Operator::shift_right;
}
bool has_negative(const Tensor& a) {
  return std::any_of(a.integers.begin(), a.integers.end(), [](std::int64_t e) { return e < 0; });
}

int order_of(auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; }
/// Exact: -1, 0, 1; 2: unordered.
int compare(std::int64_t a, double b) {
  if (std::isnan(b)) return 2;
  if (b >= kTwoTo63) return -1;
  if (b < -kTwoTo63) return 1;
  const double whole = std::floor(b);
  const int order = order_of(a, static_cast<std::int64_t>(whole));
  return order == 0 && whole < b ? -1 : order;
}

bool holds(Operator op, int order) {
  switch (op) {
    case Operator::equal: return order == 0;
    case Operator::not_equal: return order != 0;
    case Operator::less: return order == -1;
    case Operator::less_equal: return order == -1 || order == 0;
    case Operator::greater: return order == 1;
    default: return order == 1 || order == 0;
  }
}

}  // namespace

int compare_numbers(const Tensor& a, std::size_t i, const Tensor& b, std::size_t j) {
  if (a.is_floating() && b.is_floating()) {
    const double x = a.floats[i], y = b.floats[j];
    return std::isnan(x) || std::isnan(y) ? 2 : order_of(x, y);
  }
  if (b.is_floating()) return compare(a.integers[i], b.floats[j]);
  if (!a.is_floating()) return order_of(a.integers[i], b.integers[j]);
  const int order = compare(b.integers[j], a.floats[i]);
  return order == 2 ? 2 : -order;
}

Expected<std::vector<std::int64_t>, std::string> broadcast_shape(const std::vector<std::int64_t>& a,
                                                                 const std::vector<std::int64_t>& b) {
  const auto& longer = a.size() >= b.size() ? a : b;
  const auto& shorter = a.size() >= b.size() ? b : a;
  std::vector<std::int64_t> shape = longer;
  for (std::size_t d = 0; d < shorter.size(); ++d) {
    std::int64_t& extent = shape[d + longer.size() - shorter.size()];
    if (extent == shorter[d] || shorter[d] == 1) continue;
    if (extent != 1) return Unexpected{"shapes " + index_text(a) + " and " + index_text(b) + " do not broadcast"};
    extent = shorter[d];
  }
  if (element_count(shape) > kMaxElements)
    return Unexpected{"a result of shape " + index_text(shape) + " has too many elements (at most 4194304)"};
  return shape;
}

Computed apply_binary(Operator op, const Tensor& a, const Tensor& b) {
  if (a.elements == ElementClass::pointer || b.elements == ElementClass::pointer)
    return Unexpected{
        std::string("a pointer only takes + and - with an integer: .address, .index and .offset are numbers")};
  auto shape = broadcast_shape(a.shape, b.shape);
  if (!shape) return Unexpected{shape.error()};
  const bool has_floats = a.is_floating() || b.is_floating();
  if (is_of_bits(op)) {
    if (has_floats) return Unexpected{std::string("floats have no bit operations: bits() gives their bits")};
    return integer_binary(op, a, b, std::move(*shape));
  }
  const bool is_fraction = op == Operator::divide || (op == Operator::power && !has_floats && has_negative(b));
  if (has_floats || is_fraction) return floating_binary(op, a, b, std::move(*shape));
  return integer_binary(op, a, b, std::move(*shape));
}

Computed apply_comparison(Operator op, const Tensor& a, const Tensor& b) {
  auto shape = broadcast_shape(a.shape, b.shape);
  if (!shape) return Unexpected{shape.error()};
  Tensor out = result_like(ElementClass::boolean, std::move(*shape));
  walk_pair(out.shape, a, b, [&](std::size_t i, std::size_t j, std::size_t k) {
    out.integers[i] = holds(op, compare_numbers(a, j, b, k)) ? 1 : 0;
    return true;
  });
  return out;
}

Computed apply_unary(Operator op, const Tensor& a) {
  if (a.elements == ElementClass::pointer) return Unexpected{std::string("pointers have no arithmetic here")};
  Tensor out = a;
  out.raw.clear();
  if (op == Operator::logical_not || (op == Operator::invert && a.elements == ElementClass::boolean)) {
    out = result_like(ElementClass::boolean, a.shape);
    for (std::size_t i = 0; i < out.integers.size(); ++i) out.integers[i] = a.as_double(i) == 0 ? 1 : 0;
    return out;
  }
  if (out.elements == ElementClass::boolean) {
    out.elements = ElementClass::integer;
    out.kind = ScalarKind::i64;
  }
  if (op == Operator::plus) return out;
  if (op == Operator::invert) {
    if (a.is_floating()) return Unexpected{std::string("floats have no bit operations: bits() gives their bits")};
    for (std::int64_t& element : out.integers) element = ~element;
    return out;
  }
  for (double& element : out.floats) element = -element;
  for (std::int64_t& element : out.integers) {
    if (__builtin_sub_overflow(std::int64_t{0}, element, &element))
      return Unexpected{std::string("the result does not fit into 64 bits")};
  }
  if (!out.is_floating()) out.kind = ScalarKind::i64;
  return out;
}

namespace {

/// Converts both to one class, so that one tensor can hold elements of either; keeps a common kind.
Tensor result_of_both(const Tensor& a, const Tensor& b, std::vector<std::int64_t> shape) {
  const bool is_same = a.elements == b.elements && a.kind == b.kind;
  if (is_same) {
    Tensor out = Tensor::like(a.elements, a.kind, std::move(shape));
    const auto count = static_cast<std::size_t>(out.count());
    out.is_floating() ? out.floats.resize(count) : out.integers.resize(count);
    out.provenance = a.provenance == b.provenance ? a.provenance : -1;
    out.is_hex = a.is_hex && b.is_hex;
    return out;
  }
  const bool has_floats = a.is_floating() || b.is_floating();
  return result_like(has_floats ? ElementClass::floating : ElementClass::integer, std::move(shape));
}
void take_element(Tensor& out, std::size_t i, const Tensor& from, std::size_t j) {
  if (out.is_floating()) {
    out.floats[i] = from.as_double(j);
  } else {
    out.integers[i] = from.integers[j];
  }
}

}  // namespace

Computed select(const Tensor& condition, const Tensor& a, const Tensor& b) {
  if ((a.elements == ElementClass::pointer) != (b.elements == ElementClass::pointer))
    return Unexpected{std::string("where() cannot mix pointers and numbers")};
  auto shape = broadcast_shape(a.shape, b.shape);
  if (shape) shape = broadcast_shape(condition.shape, *shape);
  if (!shape) return Unexpected{shape.error()};
  Tensor out = result_of_both(a, b, std::move(*shape));
  std::size_t i = 0;
  walk<3>(out.shape,
          {broadcast_strides(condition.shape, out.shape), broadcast_strides(a.shape, out.shape),
           broadcast_strides(b.shape, out.shape)},
          [&](const std::array<std::int64_t, 3>& at) {
            const bool is_first = condition.as_double(static_cast<std::size_t>(at[0])) != 0;
            take_element(out, i++, is_first ? a : b, static_cast<std::size_t>(is_first ? at[1] : at[2]));
            return true;
          });
  return out;
}

Computed pick(bool greater, const Tensor& a, const Tensor& b) {
  if (a.elements == ElementClass::pointer || b.elements == ElementClass::pointer)
    return Unexpected{std::string("pointers have no arithmetic here")};
  auto shape = broadcast_shape(a.shape, b.shape);
  if (!shape) return Unexpected{shape.error()};
  Tensor out = result_of_both(a, b, std::move(*shape));
  walk_pair(out.shape, a, b, [&](std::size_t i, std::size_t j, std::size_t k) {
    const int order = compare_numbers(a, j, b, k);
    const bool is_first = order == 2 ? std::isnan(a.as_double(j)) : order == 0 || (order == 1) == greater;
    take_element(out, i, is_first ? a : b, is_first ? j : k);
    return true;
  });
  return out;
}

}  // namespace lockstep::debugger
