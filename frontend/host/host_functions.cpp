#include "frontend/host/host_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "frontend/host/host_containers.h"
#include "frontend/host/host_operators.h"
#include "frontend/host/host_values.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

namespace {

using Arguments = std::vector<Value>;

ValueResult from_constant(ConstantResult result) {
  if (!result) return failure(result.error());
  return Value(*result);
}

ValueResult length(const Arguments& arguments) {
  if (const std::vector<Value>* elements = arguments[0].elements())
    return Value(Constant::integer(static_cast<Integer>(elements->size())));
  if (arguments[0].is_string())
    return Value(Constant::integer(static_cast<Integer>(arguments[0].constant()->text().size())));
  if (arguments[0].dict() != nullptr)
    return Value(Constant::integer(static_cast<Integer>(arguments[0].dict()->size())));
  return failure(fmt::format("TypeError: object of type {} has no len()", describe(arguments[0])));
}

ValueResult call_int(const Arguments& arguments) {
  if (arguments.empty()) return Value(Constant::integer(0));
  if (arguments[0].constant() == nullptr)
    return failure(fmt::format("TypeError: int() argument is {}", describe(arguments[0])));
  return from_constant(to_int(*arguments[0].constant()));
}

ValueResult floating(const Arguments& arguments) {
  if (arguments.empty()) return Value(Constant::floating(0));
  if (arguments[0].constant() == nullptr)
    return failure(fmt::format("TypeError: float() argument is {}", describe(arguments[0])));
  return from_constant(to_float(*arguments[0].constant()));
}

ValueResult call_bool(const Arguments& arguments) {
  const std::optional<bool> value = truth(arguments[0]);
  return value ? ValueResult(Value(Constant::boolean(*value)))
               : failure("TypeError: bool() of a value that is not constant");
}

ValueResult call_str(const Arguments& arguments) { return Value(Constant::string(python_str(arguments[0]))); }

ValueResult absolute(const Arguments& arguments) {
  const Constant* value = arguments[0].constant();
  if (value == nullptr || !value->is_number()) return failure("TypeError: bad operand type for abs()");
  if (value->is_float()) return Value(Constant::floating(std::fabs(value->as_double())));
  return Value(Constant::integer(value->as_integer() < 0 ? -value->as_integer() : value->as_integer()));
}

ValueResult extreme(const Arguments& arguments, ast::CompareOperator better) {
  const std::vector<Value>* list = arguments.size() == 1 ? arguments[0].elements() : &arguments;
  if (list == nullptr || list->empty()) return failure("TypeError: min() and max() need at least one value");
  Value best = list->front();
  for (const Value& candidate : *list) {
    const ValueResult answer = compare_host(better, candidate, best);
    if (!answer) return answer;
    if (truth(*answer).value_or(false)) best = candidate;
  }
  return best;
}

ValueResult minimum(const Arguments& arguments) { return extreme(arguments, ast::CompareOperator::Lt); }
ValueResult maximum(const Arguments& arguments) { return extreme(arguments, ast::CompareOperator::Gt); }

ValueResult sum(const Arguments& arguments) {
  const std::vector<Value>* list = arguments[0].elements();
  if (list == nullptr) return failure("TypeError: sum() needs a sequence");
  Value total = Constant::integer(0);
  for (const Value& element : *list) {
    ValueResult next = apply_host(ast::BinaryOperator::Add, total, element);
    if (!next) return next;
    total = *next;
  }
  return total;
}

ValueResult tuple(const Arguments& arguments) {
  if (arguments.empty()) return Value::tuple({});
  std::optional<std::vector<Value>> items = items_of(arguments[0]);
  return items ? ValueResult(Value::tuple(std::move(*items))) : failure("TypeError: not a sequence");
}

/// range() as the tuple of its numbers.
ValueResult integer_range(const Arguments& arguments) {
  constexpr std::size_t kMaxRange = 10'000;
  std::array<Integer, 3> parts{0, 0, 1};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Constant* part = arguments[i].constant();
    if (part == nullptr || !part->is_integral()) return failure("TypeError: range() needs integers");
    if (part->as_integer() > INT64_MAX || part->as_integer() < INT64_MIN)
      return failure("OverflowError: range() of numbers beyond 64 bits");
    parts[arguments.size() == 1 ? 1 : i] = part->as_integer();
  }
  if (parts[2] == 0) return failure("ValueError: range() arg 3 must not be zero");
  std::vector<Value> numbers;
  for (Integer i = parts[0]; parts[2] > 0 ? i < parts[1] : i > parts[1]; i += parts[2]) {
    if (numbers.size() >= kMaxRange) return failure("MemoryError: range of too many elements");
    numbers.emplace_back(Constant::integer(i));
  }
  return Value::tuple(std::move(numbers));
}

ValueResult constexpr_value(const Arguments& arguments) {
  const Value& value = arguments[0];
  if (value.constant() == nullptr) return value;
  return Value(*value.constant());
}

ValueResult next_power_of_two(const Arguments& arguments) {
  const Constant* value = arguments[0].constant();
  if (value == nullptr || !value->is_integral() || value->as_integer() < 0 ||
      value->as_integer() > (Integer{1} << 62)) {
    return failure("TypeError: next_power_of_2() needs an integer");
  }
  Integer power = 1;
  while (power < value->as_integer()) power *= 2;
  return Value(Constant::integer(value->as_integer() == 0 ? 0 : power));
}

ValueResult ceiling_divide(const Arguments& arguments) {
  const Constant* value = arguments[0].constant();
  const Constant* divisor = arguments[1].constant();
  if (value == nullptr || divisor == nullptr) return failure("TypeError: cdiv() of values that are not constant");
  const ConstantResult sum = apply(ast::BinaryOperator::Add, *value, *divisor);
  if (!sum) return failure(sum.error());
  const ConstantResult less = apply(ast::BinaryOperator::Sub, *sum, Constant::integer(1));
  return less ? from_constant(apply(ast::BinaryOperator::FloorDiv, *less, *divisor)) : failure(less.error());
}

/// tl.standard's compile-time helpers.
ValueResult log2_of(const Arguments& arguments) {
  const Constant* value = arguments[0].constant();
  if (value == nullptr || !value->is_integral()) return failure("TypeError: log2 needs a compile-time integer");
  Integer rest = value->as_integer();
  Integer result = 0;
  for (; rest > 1; rest >>= 1) ++result;
  return Value(Constant::integer(result));
}

ValueResult integer_dtype(const Arguments& arguments) {
  const Constant* bits = arguments[0].constant();
  const std::optional<bool> is_signed = truth(arguments[1]);
  if (bits == nullptr || !bits->is_integral() || !is_signed || bits->as_integer() < 0 || bits->as_integer() > 64) {
    return failure("TypeError: a compile-time width of an integer is needed");
  }
  const std::optional<DType> type = integer_type(static_cast<int>(bits->as_integer()), *is_signed);
  if (!type)
    return failure(
        fmt::format("ValueError: Unsupported bitwidth {} and signedness {}", bits->str(), python_str(arguments[1])));
  return Value(Constant::dtype(ValueType{*type, {}}));
}

/// The type a sum accumulates in: the requested one, else 32 bits of the same sign for narrower integers, else None.
ValueResult sum_dtype(const Arguments& arguments) {
  if (!arguments[1].is_none()) return arguments[1];
  if (!arguments[0].is_dtype()) return failure("TypeError: a dtype is needed");
  const DType& type = arguments[0].constant()->type().element;
  if (!type.is_int() || type.bit_width() >= 32) return Value(Constant());
  return Value(Constant::dtype(ValueType{DType(type.is_signed() ? Scalar::int32 : Scalar::uint32), {}}));
}

ValueResult pointer_dtype(const Arguments& arguments) {
  if (!arguments[0].is_dtype()) return failure("TypeError: element_ty must be a dtype");
  const std::optional<bool> is_const = arguments.size() > 2 ? truth(arguments[2]) : false;
  const Constant* space = arguments.size() > 1 ? arguments[1].constant() : nullptr;
  const bool has_space =
      space != nullptr && space->is_integral() && space->as_integer() >= 0 && space->as_integer() < 16;
  return Value(Constant::dtype(ValueType{
      DType::pointer_to(arguments[0].constant()->type(),
                        has_space ? static_cast<std::uint32_t>(space->as_integer()) : 1U, is_const.value_or(false)),
      {}}));
}

ValueResult environment_variable(const Arguments& arguments) {
  if (!arguments[0].is_string()) return failure("TypeError: the name of an environment variable is a string");
  const char* value = std::getenv(arguments[0].constant()->text().c_str());
  if (value != nullptr) return Value(Constant::string(value));
  return arguments.size() > 1 ? arguments[1] : Value(Constant());
}

using MathFunction = double (*)(double);
struct MathRow {
  std::string_view name;
  MathFunction function;
};
double exp2_of(double x) { return std::exp2(x); }
constexpr std::array<MathRow, 18> kMath{{
    {"math.sqrt", [](double x) { return std::sqrt(x); }},
    {"math.exp", [](double x) { return std::exp(x); }},
    {"math.exp2", exp2_of},
    {"math.log", [](double x) { return std::log(x); }},
    {"math.log2", [](double x) { return std::log2(x); }},
    {"math.log10", [](double x) { return std::log10(x); }},
    {"math.log1p", [](double x) { return std::log1p(x); }},
    {"math.sin", [](double x) { return std::sin(x); }},
    {"math.cos", [](double x) { return std::cos(x); }},
    {"math.tan", [](double x) { return std::tan(x); }},
    {"math.tanh", [](double x) { return std::tanh(x); }},
    {"math.erf", [](double x) { return std::erf(x); }},
    {"math.fabs", [](double x) { return std::fabs(x); }},
    {"math.atan", [](double x) { return std::atan(x); }},
    {"math.asin", [](double x) { return std::asin(x); }},
    {"math.acos", [](double x) { return std::acos(x); }},
    {"math.expm1", [](double x) { return std::expm1(x); }},
    {"math.cosh", [](double x) { return std::cosh(x); }},
}};

ValueResult call_math(const MathRow& row, const Arguments& arguments) {
  const Constant* value = arguments[0].constant();
  if (value == nullptr || !value->is_number())
    return failure(fmt::format("TypeError: {}() needs a compile-time number", row.name));
  const double argument = value->as_double();
  const double result = row.function(argument);
  if (std::isnan(result) && !std::isnan(argument)) return failure("ValueError: math domain error");
  if (std::isinf(result) && !std::isinf(argument)) return failure("OverflowError: math range error");
  return Value(Constant::floating(result));
}

ValueResult round_toward(const Arguments& arguments, bool up) {
  const Constant* value = arguments[0].constant();
  if (value == nullptr || !value->is_number()) return failure("TypeError: a compile-time number is needed");
  if (value->is_integral()) return Value(Constant::integer(value->as_integer()));
  const double number = value->as_double();
  return from_constant(to_int(Constant::floating(up ? std::ceil(number) : std::floor(number))));
}

struct HostRow {
  std::string_view name;
  std::size_t least;
  std::size_t most;
  ValueResult (*call)(const Arguments&);
};
constexpr std::size_t kMany = 1000;
constexpr std::array<HostRow, 23> kHost{{
    {"python.range", 1, 3, integer_range},
    {"os.getenv", 1, 2, environment_variable},
    {"len", 1, 1, length},
    {"int", 0, 1, call_int},
    {"float", 0, 1, floating},
    {"bool", 1, 1, call_bool},
    {"str", 1, 1, call_str},
    {"abs", 1, 1, absolute},
    {"min", 1, kMany, minimum},
    {"max", 1, kMany, maximum},
    {"sum", 1, 1, sum},
    {"tuple", 0, 1, tuple},
    {"list", 0, 1, tuple},
    {"constexpr", 1, 1, constexpr_value},
    {"triton.next_power_of_2", 1, 1, next_power_of_two},
    {"triton.cdiv", 2, 2, ceiling_divide},
    {"lockstep.log2", 1, 1, log2_of},
    {"lockstep.integer_dtype", 2, 2, integer_dtype},
    {"lockstep.sum_dtype", 2, 2, sum_dtype},
    {"pointer_type", 1, 3, pointer_dtype},
    {"math.ceil", 1, 1, [](const Arguments& a) { return round_toward(a, true); }},
    {"math.floor", 1, 1, [](const Arguments& a) { return round_toward(a, false); }},
    {"repr", 1, 1,
     [](const Arguments& a) -> ValueResult {
       return Value(Constant::string(a[0].constant() != nullptr ? a[0].constant()->repr() : python_str(a[0])));
     }},
}};

}  // namespace

bool is_host_function(const std::string& name) {
  const auto named = [&](const auto& row) { return row.name == name; };
  return std::any_of(kHost.begin(), kHost.end(), named) || std::any_of(kMath.begin(), kMath.end(), named);
}

ValueResult call_host_function(const std::string& name, const Arguments& arguments) {
  for (const MathRow& row : kMath) {
    if (row.name != name) continue;
    if (arguments.size() != 1) return failure(fmt::format("TypeError: {}() takes one argument", name));
    return call_math(row, arguments);
  }
  for (const HostRow& row : kHost) {
    if (row.name != name) continue;
    if (arguments.size() < row.least || arguments.size() > row.most)
      return failure(fmt::format("TypeError: {}() got {} arguments", name, arguments.size()));
    return row.call(arguments);
  }
  return failure(fmt::format("'{}' is not known at compile time", name));
}

std::optional<Value> math_attribute(const std::string& name) {
  if (name == "pi") return Value(Constant::floating(std::numbers::pi));
  if (name == "e") return Value(Constant::floating(std::numbers::e));
  if (name == "tau") return Value(Constant::floating(2 * std::numbers::pi));
  if (name == "inf") return Value(Constant::floating(std::numeric_limits<double>::infinity()));
  if (name == "nan") return Value(Constant::floating(std::numeric_limits<double>::quiet_NaN()));
  if (is_host_function("math." + name)) return Value(HostFunction{"math." + name});
  return std::nullopt;
}

}  // namespace lockstep::frontend
