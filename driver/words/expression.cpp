#include "driver/words/expression.h"

#include <algorithm>
#include <array>
#include <limits>

#include "driver/words/number.h"

namespace lockstep::driver {
namespace {

using Evaluated = std::optional<std::int64_t>;
constexpr int kMaxExpressionDepth = 100;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

class Expression {
 public:
  Expression(Cursor& cursor, const GridNames& names) : cursor_(cursor), names_(names) {}
  Evaluated sum();

 private:
  Evaluated product();
  Evaluated factor();
  Evaluated primary();
  Evaluated after_word(std::string_view word, std::size_t begin);
  Evaluated call(std::string_view name, std::size_t begin);
  Evaluated attribute(std::string_view tensor, std::size_t begin);
  Evaluated apply(std::string_view name, const std::vector<std::int64_t>& arguments, std::size_t begin);
  Evaluated combine(std::string_view op, std::int64_t a, std::int64_t b, std::size_t begin);
  Evaluated divide(std::string_view op, std::int64_t a, std::int64_t b, std::size_t begin);
  Evaluated unknown_name(std::string_view word, std::size_t begin);
  std::string integer_names() const;
  Evaluated fail(std::size_t begin, DiagnosticCode code, std::string message, std::string hint = "") {
    cursor_.fail(begin, code, std::move(message), std::move(hint));
    return std::nullopt;
  }
  std::string_view take_any(std::initializer_list<std::string_view> ops) {
    for (const std::string_view op : ops) {
      if (cursor_.take(op)) return op;
    }
    return {};
  }

  Cursor& cursor_;
  const GridNames& names_;
  int depth_ = 0;
};

Evaluated Expression::sum() {
  cursor_.skip_spaces();
  const std::size_t begin = cursor_.position();
  Evaluated left = product();
  while (left) {
    const std::string_view op = take_any({"+", "-"});
    if (op.empty()) break;
    const Evaluated right = product();
    left = right ? combine(op, *left, *right, begin) : std::nullopt;
  }
  return left;
}

Evaluated Expression::product() {
  cursor_.skip_spaces();
  const std::size_t begin = cursor_.position();
  Evaluated left = factor();
  while (left) {
    const std::string_view op = take_any({"//", "*", "/", "%"});
    if (op.empty()) break;
    const Evaluated right = factor();
    left = right ? combine(op, *left, *right, begin) : std::nullopt;
  }
  return left;
}

Evaluated Expression::factor() {
  cursor_.skip_spaces();
  const std::size_t begin = cursor_.position();
  bool negative = false;
  while (const char* sign = cursor_.peek() == '-' ? "-" : cursor_.peek() == '+' ? "+" : nullptr) {
    negative ^= *sign == '-';
    cursor_.move_to(cursor_.position() + 1);
    cursor_.skip_spaces();
  }
  if (++depth_ > kMaxExpressionDepth) return fail(begin, "LS2020", "the expression is nested too deeply");
  const Evaluated value = primary();
  --depth_;
  if (!value || !negative) return value;
  return combine("-", 0, *value, begin);
}

Evaluated Expression::primary() {
  const std::size_t begin = cursor_.position();
  if (cursor_.take("(")) {
    const Evaluated inner = sum();
    return inner && cursor_.expect(")") ? inner : std::nullopt;
  }
  if (const std::string_view word = cursor_.take_word(); !word.empty()) return after_word(word, begin);
  if (!number_is_next(cursor_)) return fail(begin, "LS2020", "expected a number, a name or '('");
  const std::optional<ScalarValue> number = take_number(cursor_);
  if (!number) return std::nullopt;
  if (number->kind != ScalarValue::Kind::integer) return fail(begin, "LS2020", "only integers can be used here");
  if (number->is_unsigned_64) return fail(begin, "LS2022", "the number does not fit 64 bits with a sign");
  return number->integer;
}

Evaluated Expression::after_word(std::string_view word, std::size_t begin) {
  if ((word == "triton" || word == "tl") && cursor_.take(".")) word = cursor_.take_word();
  if (cursor_.take("(")) return call(word, begin);
  if (cursor_.take(".")) return attribute(word, begin);
  const auto found = names_.integers.find(word);
  return found != names_.integers.end() ? Evaluated(found->second) : unknown_name(word, begin);
}

std::string Expression::integer_names() const {
  std::string all;
  for (const auto& [name, value] : names_.integers) all += (all.empty() ? "" : ", ") + name;
  return all;
}

Evaluated Expression::unknown_name(std::string_view word, std::size_t begin) {
  const std::string name(word);
  if (names_.shapes.find(word) != names_.shapes.end()) {
    return fail(begin, "LS2021", "'" + name + "' is a tensor", "write " + name + ".shape[0] or " + name + ".numel");
  }
  std::vector<std::string_view> known;
  known.reserve(names_.integers.size() + names_.shapes.size());
  for (const auto& [key, value] : names_.integers) known.push_back(key);
  for (const auto& [key, value] : names_.shapes) known.push_back(key);
  const std::string_view near = nearest(word, known);
  return fail(begin, "LS2021", "'" + name + "' is not an integer argument",
              !near.empty()           ? "did you mean '" + std::string(near) + "'?"
              : names_.integers.empty() ? "use numbers, or give " + name + " as an integer argument: " + name + "=64"
                                        : "this command's integer arguments are " + integer_names());
}

Evaluated Expression::call(std::string_view name, std::size_t begin) {
  std::vector<std::int64_t> arguments;
  constexpr std::size_t kMaxArguments = 64;
  while (!cursor_.take(")")) {
    if (!arguments.empty() && !cursor_.expect(",")) return std::nullopt;
    const Evaluated value = sum();
    if (!value) return std::nullopt;
    arguments.push_back(*value);
    if (arguments.size() > kMaxArguments) return fail(begin, "LS2020", "too many arguments");
  }
  return apply(name, arguments, begin);
}

Evaluated Expression::apply(std::string_view name, const std::vector<std::int64_t>& a, std::size_t begin) {
  if (name == "cdiv" && a.size() == 2) {
    const Evaluated rounded_down = divide("//", a[0], a[1], begin);
    return rounded_down && a[0] % a[1] != 0 ? combine("+", *rounded_down, 1, begin) : rounded_down;
  }
  if (name == "next_power_of_2" && a.size() == 1) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 62;
    if (a[0] > kLargest) return fail(begin, "LS2022", "the next power of 2 does not fit 64 bits");
    std::int64_t power = 1;
    while (power < a[0]) power *= 2;
    return a[0] <= 0 ? 0 : power;
  }
  if (name == "min" && !a.empty()) return *std::min_element(a.begin(), a.end());
  if (name == "max" && !a.empty()) return *std::max_element(a.begin(), a.end());
  constexpr std::array<std::string_view, 4> kFunctions{"cdiv", "next_power_of_2", "min", "max"};
  if (std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end()) {
    return fail(begin, "LS2020", "wrong number of arguments for '" + std::string(name) + "'",
                "cdiv(a, b), next_power_of_2(n), min(a, ...), max(a, ...)");
  }
  const std::string_view near = nearest(name, kFunctions);
  return fail(begin, "LS2021", "unknown function '" + std::string(name) + "'",
              near.empty() ? "known: cdiv, next_power_of_2, min, max" : "did you mean '" + std::string(near) + "'?");
}

Evaluated Expression::attribute(std::string_view tensor, std::size_t begin) {
  const auto found = names_.shapes.find(tensor);
  const std::string_view member = cursor_.take_word();
  if (found == names_.shapes.end()) return unknown_name(tensor, begin);
  const std::vector<std::int64_t>& shape = found->second;
  if (member == "numel") {
    if (cursor_.take("(") && !cursor_.expect(")")) return std::nullopt;
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) {
      if (__builtin_mul_overflow(count, extent, &count))
        return fail(begin, "LS2022", "the product does not fit 64 bits");
    }
    return count;
  }
  if (member != "shape") return fail(begin, "LS2020", "expected .shape[i] or .numel");
  if (!cursor_.expect("[")) return std::nullopt;
  Evaluated index = sum();
  if (!index || !cursor_.expect("]")) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (*index < 0) *index += *index >= -rank ? rank : 0;
  if (*index < 0 || *index >= rank) {
    return fail(begin, "LS2022", "'" + std::string(tensor) + "' has " + std::to_string(rank) + " dimensions");
  }
  return shape[static_cast<std::size_t>(*index)];
}

Evaluated Expression::combine(std::string_view op, std::int64_t a, std::int64_t b, std::size_t begin) {
  std::int64_t result = 0;
  bool overflow = false;
  if (op == "+")
    overflow = __builtin_add_overflow(a, b, &result);
  else if (op == "-")
    overflow = __builtin_sub_overflow(a, b, &result);
  else if (op == "*")
    overflow = __builtin_mul_overflow(a, b, &result);
  else
    return divide(op, a, b, begin);
  return overflow ? fail(begin, "LS2022", "the result does not fit 64 bits") : Evaluated(result);
}

Evaluated Expression::divide(std::string_view op, std::int64_t a, std::int64_t b, std::size_t begin) {
  if (b == 0) return fail(begin, "LS2022", "division by zero");
  if (b == -1) return op == "%" ? Evaluated(0) : combine("-", 0, a, begin);  // INT64_MIN / -1 does not fit
  if (op == "/" && a % b != 0) {
    return fail(begin, "LS2022", std::to_string(a) + " / " + std::to_string(b) + " is not a whole number",
                "write // to round down or cdiv(a, b) to round up");
  }
  return op == "%" ? a - floor_divide(a, b) * b : floor_divide(a, b);
}

}  // namespace

std::optional<std::int64_t> take_expression(Cursor& cursor, const GridNames& names) {
  return Expression(cursor, names).sum();
}

}  // namespace lockstep::driver
