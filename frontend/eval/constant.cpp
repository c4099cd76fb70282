#include "frontend/eval/constant.h"
#include "support/ascii.h"
#include "support/floats/write_float.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "support/check.h"

namespace lockstep::frontend {

namespace {

constexpr Integer kMaximum = ~(Integer{1} << 127);
constexpr std::size_t kMaxText = 65536;
constexpr std::string_view kTooLarge = "OverflowError: integer of more than 127 bits in a compile-time expression";

Unexpected<std::string> not_constant(std::string text) { return {std::move(text)}; }

Unexpected<std::string> no_operator(std::string_view symbol, const Constant& left, const Constant& right) {
  return not_constant(fmt::format("TypeError: unsupported operand type(s) for {}: '{}' and '{}'", symbol, left.type_name(),
                             right.type_name()));
}

// By reference: the caller computes `value` in the argument before it, and arguments are evaluated in any order.
ConstantResult checked(bool overflow, const Integer& value) {
  if (overflow || value < -kMaximum) return not_constant(std::string(kTooLarge));
  return Constant::integer(value);
}

Integer floor_divide(Integer a, Integer b) {
  const Integer quotient = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? quotient - 1 : quotient;
}

ConstantResult integer_power(Integer base, Integer exponent) {
  if (exponent < 0) {
    if (base == 0) return not_constant("ZeroDivisionError: 0.0 cannot be raised to a negative power");
    return Constant::floating(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  if (base == 0 || base == 1) return Constant::integer(exponent == 0 ? 1 : base);
  if (base == -1) return Constant::integer(exponent % 2 == 0 ? 1 : -1);
  if (exponent > 127) return not_constant(std::string(kTooLarge));
  Integer result = 1;
  for (Integer i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) return not_constant(std::string(kTooLarge));
  }
  return checked(false, result);
}

ConstantResult shift(bool left, Integer value, Integer amount) {
  if (amount < 0) return not_constant("ValueError: negative shift count");
  if (!left) return Constant::integer(amount > 126 ? (value < 0 ? -1 : 0) : value >> static_cast<int>(amount));
  if (value == 0) return Constant::integer(0);
  if (amount > 126) return not_constant(std::string(kTooLarge));
  const Integer shifted = value * (Integer{1} << static_cast<int>(amount));
  const bool lost = (shifted / (Integer{1} << static_cast<int>(amount))) != value;
  return checked(lost, shifted);
}

/// Correctly rounded as Python's: exact operands in double, else refused.
ConstantResult true_division(Integer a, Integer b) {
  constexpr Integer kExact = Integer{1} << 53;
  if (a > kExact || a < -kExact || b > kExact || b < -kExact) {
    if (a % b != 0) return not_constant("OverflowError: division of integers beyond 2**53 in a compile-time expression");
    return Constant::floating(static_cast<double>(a / b));
  }
  return Constant::floating(static_cast<double>(a) / static_cast<double>(b));
}

ConstantResult integer_operation(ast::BinaryOperator op, Integer a, Integer b) {
  Integer result = 0;
  switch (op) {
    case ast::BinaryOperator::Add: return checked(__builtin_add_overflow(a, b, &result), result);
    case ast::BinaryOperator::Sub: return checked(__builtin_sub_overflow(a, b, &result), result);
    case ast::BinaryOperator::Mult: return checked(__builtin_mul_overflow(a, b, &result), result);
    case ast::BinaryOperator::Div:
      if (b == 0) return not_constant("ZeroDivisionError: division by zero");
      return true_division(a, b);
    case ast::BinaryOperator::FloorDiv:
      if (b == 0) return not_constant("ZeroDivisionError: integer division or modulo by zero");
      return Constant::integer(floor_divide(a, b));
    case ast::BinaryOperator::Mod:
      if (b == 0) return not_constant("ZeroDivisionError: integer modulo by zero");
      return Constant::integer(a - floor_divide(a, b) * b);
    case ast::BinaryOperator::Pow: return integer_power(a, b);
    case ast::BinaryOperator::LShift: return shift(true, a, b);
    case ast::BinaryOperator::RShift: return shift(false, a, b);
    case ast::BinaryOperator::BitAnd: return Constant::integer(a & b);
    case ast::BinaryOperator::BitOr: return Constant::integer(a | b);
    case ast::BinaryOperator::BitXor: return Constant::integer(a ^ b);
    case ast::BinaryOperator::MatMult: break;
  }
  return not_constant("TypeError: unsupported operand type(s) for @: 'int' and 'int'");
}

double float_modulo(double a, double b) {
  double result = std::fmod(a, b);
  if (result != 0.0 && ((result < 0) != (b < 0))) result += b;
  return result == 0.0 ? std::copysign(0.0, b) : result;
}

ConstantResult float_operation(ast::BinaryOperator op, const Constant& left, const Constant& right) {
  const double a = left.as_double();
  const double b = right.as_double();
  switch (op) {
    case ast::BinaryOperator::Add: return Constant::floating(a + b);
    case ast::BinaryOperator::Sub: return Constant::floating(a - b);
    case ast::BinaryOperator::Mult: return Constant::floating(a * b);
    case ast::BinaryOperator::Div:
      if (b == 0) return not_constant("ZeroDivisionError: float division by zero");
      return Constant::floating(a / b);
    case ast::BinaryOperator::FloorDiv:
      if (b == 0) return not_constant("ZeroDivisionError: float floor division by zero");
      return Constant::floating(std::floor((a - float_modulo(a, b)) / b + 0.5));
    case ast::BinaryOperator::Mod:
      if (b == 0) return not_constant("ZeroDivisionError: float modulo by zero");
      return Constant::floating(float_modulo(a, b));
    case ast::BinaryOperator::Pow:
      if (a == 0 && b < 0) return not_constant("ZeroDivisionError: 0.0 cannot be raised to a negative power");
      if (a < 0 && std::floor(b) != b) return not_constant("TypeError: complex numbers are not supported");
      return Constant::floating(std::pow(a, b));
    default: return no_operator(ast::operator_symbol(op), left, right);
  }
}

ConstantResult string_operation(ast::BinaryOperator op, const Constant& left, const Constant& right) {
  if (op == ast::BinaryOperator::Add && left.is_string() && right.is_string()) {
    if (left.text().size() + right.text().size() > kMaxText) return not_constant("MemoryError: string too long");
    return Constant::string(left.text() + right.text());
  }
  if (op == ast::BinaryOperator::Mult && (left.is_integral() || right.is_integral())) {
    const Integer count = left.is_integral() ? left.as_integer() : right.as_integer();
    const std::string& unit = left.is_string() ? left.text() : right.text();
    if (count > 0 && static_cast<Integer>(unit.size()) * count > static_cast<Integer>(kMaxText))
      return not_constant("MemoryError: string too long");
    std::string text;
    for (Integer i = 0; i < count; ++i) text += unit;
    return Constant::string(std::move(text));
  }
  return no_operator(ast::operator_symbol(op), left, right);
}

template <typename T>
bool ordered(ast::CompareOperator op, const T& a, const T& b) {
  switch (op) {
    case ast::CompareOperator::Lt: return a < b;
    case ast::CompareOperator::LtE: return a <= b;
    case ast::CompareOperator::Gt: return a > b;
    case ast::CompareOperator::GtE: return a >= b;
    case ast::CompareOperator::Eq: return a == b;
    default: return !(a == b);
  }
}

std::string quote(const std::string& text) {
  const char mark = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string out(1, mark);
  for (const char c : text) {
    if (c == '\\' || c == mark) out += '\\';
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\t') {
      out += "\\t";
      continue;
    }
    if (c == '\r') {
      out += "\\r";
      continue;
    }
    out += c;
  }
  return out + mark;
}

}  // namespace

Constant::Constant() = default;
Constant::Constant(const Constant& other) = default;
Constant::Constant(Constant&& other) noexcept = default;
Constant& Constant::operator=(const Constant& other) = default;
Constant& Constant::operator=(Constant&& other) noexcept = default;
Constant::~Constant() = default;
Constant::Constant(Storage storage) : storage_(std::move(storage)) {}

Constant Constant::boolean(bool value) { return Constant(Storage(std::in_place_type<bool>, value)); }
Constant Constant::integer(Integer value) { return Constant(Storage(std::in_place_type<Integer>, value)); }
Constant Constant::floating(double value) { return Constant(Storage(std::in_place_type<double>, value)); }
Constant Constant::string(std::string value) {
  return Constant(Storage(std::in_place_type<std::string>, std::move(value)));
}
Constant Constant::dtype(ValueType value) { return Constant(Storage(std::in_place_type<ValueType>, std::move(value))); }
Constant Constant::ellipsis() { return Constant(Storage(EllipsisValue{})); }
Constant Constant::member(EnumMember value) { return Constant(Storage(value)); }

std::string to_string(Integer value) {
  if (value == 0) return "0";
  std::string digits;
  for (Integer rest = value; rest != 0; rest /= 10) {
    const int digit = static_cast<int>(rest % 10);
    digits.insert(digits.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  return value < 0 ? "-" + digits : digits;
}

std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[64];
  const double magnitude = std::fabs(value);
  const bool exponent_form = magnitude != 0 && (magnitude >= 1e16 || magnitude < 1e-4);
  char* const end = write_float(buffer, buffer + sizeof buffer, value,
                                exponent_form ? std::chars_format::scientific : std::chars_format::fixed);
  std::string text(buffer, end);
  if (!exponent_form && text.find('.') == std::string::npos) text += ".0";
  return text;
}

Constant Constant::layout(LayoutPtr value) { return Constant(Storage(std::move(value))); }

Constant Constant::from_request(const ConstantValue& value) {
  switch (value.kind) {
    case ConstantValue::Kind::none: return {};
    case ConstantValue::Kind::boolean: return boolean(value.integer != 0);
    case ConstantValue::Kind::integer: return integer(value.integer);
    case ConstantValue::Kind::floating: return floating(value.floating);
    case ConstantValue::Kind::string: return string(value.text);
    case ConstantValue::Kind::dtype:
      if (const std::optional<DType> type = parse_signature_type(value.text)) return dtype(ValueType{*type, {}});
      return string(value.text);
    case ConstantValue::Kind::tuple: break;
  }
  LOCKSTEP_CHECK(false, "a tuple is a value, no constant: from_request()");
  return {};
}

Integer Constant::as_integer() const {
  return is_bool() ? Integer{std::get<bool>(storage_)} : std::get<Integer>(storage_);
}

double Constant::as_double() const {
  return is_float() ? std::get<double>(storage_) : static_cast<double>(as_integer());
}

bool Constant::truth() const {
  if (is_none()) return false;
  if (is_float()) return as_double() != 0;
  if (is_integral()) return as_integer() != 0;
  return !is_string() || !text().empty();
}

bool Constant::operator==(const Constant& other) const {
  if (is_number() && other.is_number()) {
    return is_integral() && other.is_integral() ? as_integer() == other.as_integer() : as_double() == other.as_double();
  }
  if (layout() != nullptr || other.layout() != nullptr) return same_layout(layout(), other.layout());
  return storage_ == other.storage_;
}

std::string Constant::repr() const { return is_string() ? quote(text()) : str(); }

std::string Constant::str() const {
  if (is_none()) return "None";
  if (is_bool()) return as_integer() != 0 ? "True" : "False";
  if (is_integer()) return to_string(as_integer());
  if (is_float()) return float_repr(as_double());
  if (is_string()) return text();
  if (is_dtype()) return type().is_block() ? type().to_string() : type().element.name();
  if (const EnumMember* held = enum_member()) return std::string(held->name);
  if (const LayoutPtr held = layout()) return held->repr();
  return "Ellipsis";
}

std::string_view Constant::type_name() const {
  if (is_none()) return "NoneType";
  if (is_bool()) return "bool";
  if (is_integer()) return "int";
  if (is_float()) return "float";
  if (is_string()) return "str";
  if (const EnumMember* held = enum_member()) return held->name.substr(0, held->name.find('.'));
  if (const LayoutPtr held = layout()) return layout_class(held->kind).name;
  return is_dtype() ? "dtype" : "ellipsis";
}

ConstantResult apply(ast::BinaryOperator op, const Constant& left, const Constant& right) {
  if (left.is_bool() && right.is_bool()) {
    const bool a = left.truth();
    const bool b = right.truth();
    if (op == ast::BinaryOperator::BitAnd) return Constant::boolean(a && b);
    if (op == ast::BinaryOperator::BitOr) return Constant::boolean(a || b);
    if (op == ast::BinaryOperator::BitXor) return Constant::boolean(a != b);
  }
  if (left.is_integral() && right.is_integral()) return integer_operation(op, left.as_integer(), right.as_integer());
  if (left.is_number() && right.is_number()) return float_operation(op, left, right);
  if (left.is_string() || right.is_string()) return string_operation(op, left, right);
  return no_operator(ast::operator_symbol(op), left, right);
}

ConstantResult apply(ast::UnaryOperator op, const Constant& operand) {
  if (op == ast::UnaryOperator::Not) return Constant::boolean(!operand.truth());
  if (operand.is_float() && op != ast::UnaryOperator::Invert) {
    return Constant::floating(op == ast::UnaryOperator::USub ? -operand.as_double() : operand.as_double());
  }
  if (!operand.is_integral()) {
    return not_constant(
        fmt::format("TypeError: bad operand type for unary {}: '{}'", ast::operator_symbol(op), operand.type_name()));
  }
  const Integer value = operand.as_integer();
  if (op == ast::UnaryOperator::Invert) return Constant::integer(~value);
  return Constant::integer(op == ast::UnaryOperator::USub ? -value : value);
}

ConstantResult compare(ast::CompareOperator op, const Constant& left, const Constant& right) {
  if (op == ast::CompareOperator::Eq) return Constant::boolean(left == right);
  if (op == ast::CompareOperator::NotEq) return Constant::boolean(!(left == right));
  if (left.is_integral() && right.is_integral())
    return Constant::boolean(ordered(op, left.as_integer(), right.as_integer()));
  if (left.is_number() && right.is_number()) return Constant::boolean(ordered(op, left.as_double(), right.as_double()));
  if (left.is_string() && right.is_string()) return Constant::boolean(ordered(op, left.text(), right.text()));
  return not_constant(fmt::format("TypeError: '{}' not supported between instances of '{}' and '{}'",
                             ast::operator_symbol(op), left.type_name(), right.type_name()));
}

ConstantResult to_int(const Constant& value) {
  if (value.is_integral()) return Constant::integer(value.as_integer());
  if (const EnumMember* held = value.enum_member()) return Constant::integer(held->number);
  if (value.is_float()) {
    const double number = value.as_double();
    if (std::isnan(number)) return not_constant("ValueError: cannot convert float NaN to integer");
    if (std::fabs(number) >= std::ldexp(1.0, 126)) return not_constant(std::string(kTooLarge));
    return Constant::integer(static_cast<Integer>(number));
  }
  if (value.is_string()) {
    const std::string text(trimmed(value.text()));
    char* end = nullptr;
    errno = 0;
    const long long parsed = std::strtoll(text.c_str(), &end, 10);
    if (!text.empty() && *end == '\0' && errno == 0) return Constant::integer(parsed);
  }
  return not_constant(fmt::format("ValueError: int() cannot convert {}", value.repr()));
}

ConstantResult to_float(const Constant& value) {
  if (value.is_number()) return Constant::floating(value.as_double());
  if (value.is_string()) {
    const std::string text(trimmed(value.text()));
    char* end = nullptr;
    const double parsed = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && text.find_first_of("xXpP") == std::string::npos)
      return Constant::floating(parsed);
  }
  return not_constant(fmt::format("ValueError: could not convert {} to float", value.repr()));
}

}  // namespace lockstep::frontend
