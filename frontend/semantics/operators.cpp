// Arithmetic, comparison, bitwise and logical operators on tensors.
#include <fmt/format.h>

#include "frontend/semantics/semantics.h"

namespace lockstep::frontend {

namespace {

using Pair = std::optional<TensorPair>;

struct Comparison {
  std::int64_t on_floats, on_signed, on_unsigned;
};

// Values of the predicates of arith.cmpf and arith.cmpi.
Comparison predicates(ast::CompareOperator op) {
  switch (op) {
    case ast::CompareOperator::Eq: return {1, 0, 0};
    case ast::CompareOperator::NotEq: return {13, 1, 1};
    case ast::CompareOperator::Lt: return {4, 2, 6};
    case ast::CompareOperator::LtE: return {5, 3, 7};
    case ast::CompareOperator::Gt: return {2, 4, 8};
    default: return {3, 5, 9};
  }
}

}  // namespace

Tensor Semantics::arithmetic(ast::BinaryOperator operation, const Value& left, const Value& right) {
  if (left.is_invalid() || right.is_invalid()) return {};
  switch (operation) {
    case ast::BinaryOperator::Add: return add(left, right, true);
    case ast::BinaryOperator::Sub: return sub(left, right, true);
    case ast::BinaryOperator::Mult: return mul(left, right, true);
    case ast::BinaryOperator::Div: return divide(left, right);
    case ast::BinaryOperator::FloorDiv: return floor_divide(left, right);
    case ast::BinaryOperator::Mod: return modulo(left, right);
    case ast::BinaryOperator::BitAnd: return bitwise("arith.andi", left, right);
    case ast::BinaryOperator::BitOr: return bitwise("arith.ori", left, right);
    case ast::BinaryOperator::BitXor: return bitwise("arith.xori", left, right);
    case ast::BinaryOperator::LShift: return bitwise("arith.shli", left, right);
    case ast::BinaryOperator::RShift: {
      const Tensor* decides = left.tensor() != nullptr ? left.tensor() : right.tensor();
      return bitwise(decides->element().is_signed() ? "arith.shrsi" : "arith.shrui", left, right);
    }
    case ast::BinaryOperator::Pow:
    case ast::BinaryOperator::MatMult: break;
  }
  report_.error(
      codes::kOperandTypes, fmt::format("tensors have no operator {}", ast::operator_symbol(operation)),
      operation == ast::BinaryOperator::MatMult ? "use tl.dot(a, b)" : "multiply, or use tl.exp2 and tl.log2");
  return {};
}

void Semantics::sanitize(const Tensor& left, const Tensor& right, std::string_view operation) {
  const DType type = left.element();
  if (type.bit_width() >= 64 || !options_.sanitize_overflow) return;
  const DType wide(Scalar::int64);
  const Tensor a = cast(left, wide);
  const Tensor b = cast(right, wide);
  const std::string_view op = operation == "add" ? "arith.addi" : operation == "sub" ? "arith.subi" : "arith.muli";
  const Tensor result = make(op, {a.handle, b.handle}, a.type);
  const int bits = type.bit_width();
  const Integer highest = (Integer{1} << (bits - (type.is_signed() ? 1 : 0))) - 1;
  const Integer lowest = type.is_signed() ? -(Integer{1} << (bits - 1)) : Integer{0};
  const Tensor most = scalar_constant(Constant::integer(highest), wide);
  const Tensor least = scalar_constant(Constant::integer(lowest), wide);
  const Tensor below = compare(ast::CompareOperator::LtE, result, most);
  const Tensor above = compare(ast::CompareOperator::GtE, result, least);
  const Tensor fits = bitwise("arith.andi", below, above);
  if (!options_.debug) return;
  device_assert(fits, fmt::format("int{} overflow detected for operation {}", bits, operation), nullptr);
}

Tensor Semantics::add(const Value& left, const Value& right, bool check) {
  const Pair operands = pair(left, right, {.left_pointer = true, .right_pointer = true});
  if (!operands) return {};
  Tensor a = operands->first;
  Tensor b = operands->second;
  if (a.element().is_ptr() && b.element().is_ptr()) {
    report_.error(codes::kOperandTypes, "two pointers cannot be added");
    return {};
  }
  if (b.element().is_ptr()) std::swap(a, b);
  if (a.element().is_ptr()) {
    if (b.element().is_unsigned() && b.element().bit_width() < 64) {
      b = make("arith.extui", {b.handle}, b.type.with_element(DType(Scalar::int64)));
    }
    return make("tt.addptr", {a.handle, b.handle}, a.type);
  }
  if (a.element().is_floating()) return make("arith.addf", {a.handle, b.handle}, a.type);
  if (check) sanitize(a, b, "add");
  return make("arith.addi", {a.handle, b.handle}, a.type);
}

Tensor Semantics::sub(const Value& left, const Value& right, bool check) {
  const Pair operands = pair(left, right, {.left_pointer = true, .right_pointer = false});
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (a.element().is_ptr()) return add(a, minus(b), false);
  if (a.element().is_floating()) return make("arith.subf", {a.handle, b.handle}, a.type);
  if (check) sanitize(a, b, "sub");
  return make("arith.subi", {a.handle, b.handle}, a.type);
}

Tensor Semantics::mul(const Value& left, const Value& right, bool check) {
  const Pair operands = pair(left, right);
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (a.element().is_floating()) return make("arith.mulf", {a.handle, b.handle}, a.type);
  if (check) sanitize(a, b, "mul");
  return make("arith.muli", {a.handle, b.handle}, a.type);
}

Tensor Semantics::divide(const Value& left, const Value& right) {
  const Pair operands = pair(left, right, {.division = true});
  if (!operands) return {};
  Tensor a = operands->first;
  Tensor b = operands->second;
  if (a.element().is_floating() && b.element().is_int()) {
    b = cast(b, a.element());
  } else if (a.element().is_int() && b.element().is_floating()) {
    a = cast(a, b.element());
  } else if (a.element().is_int()) {
    a = cast(a, DType(Scalar::fp32));
    b = cast(b, DType(Scalar::fp32));
  }
  if (!a || !b) return {};
  return make("arith.divf", {a.handle, b.handle}, a.type);
}

Tensor Semantics::floor_divide(const Value& left, const Value& right) {
  const Pair operands = pair(left, right, {.division = true});
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (!a.element().is_int() || !b.element().is_int()) {
    report_.error(codes::kOperandTypes, fmt::format("// takes integers, not {}", a.element().name()),
                  "use tl.floor(x / y)");
    return {};
  }
  return make(a.element().is_signed() ? "arith.divsi" : "arith.divui", {a.handle, b.handle}, a.type);
}

Tensor Semantics::modulo(const Value& left, const Value& right) {
  const Pair operands = pair(left, right, {.division = true});
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (a.element().is_floating()) return make("arith.remf", {a.handle, b.handle}, a.type);
  return make(a.element().is_signed() ? "arith.remsi" : "arith.remui", {a.handle, b.handle}, a.type);
}

Tensor Semantics::compare(ast::CompareOperator op, const Value& left, const Value& right) {
  const Tensor strong_left = to_tensor(left);
  const Tensor strong_right = to_tensor(right);
  if (!strong_left || !strong_right) return {};
  const Pair operands = pair(strong_left, strong_right);
  if (!operands) return {};
  const auto& [a, b] = *operands;
  const Comparison predicate = predicates(op);
  const ValueType result = a.type.with_element(DType(Scalar::int1));
  if (a.element().is_floating())
    return make("arith.cmpf", {a.handle, b.handle}, result,
                {{"predicate", emit_.context().integer_attribute(emit_.context().integer(64), predicate.on_floats)}});
  const std::int64_t value = a.element().is_signed() ? predicate.on_signed : predicate.on_unsigned;
  return make("arith.cmpi", {a.handle, b.handle}, result,
              {{"predicate", emit_.context().integer_attribute(emit_.context().integer(64), value)}});
}

Pair Semantics::bitwise_pair(const Value& left, const Value& right) {
  Pair operands = pair(left, right);
  if (!operands) return std::nullopt;
  const DType a = operands->first.element();
  const DType b = operands->second.element();
  if (!a.is_int() || !b.is_int()) {
    report_.error(codes::kOperandTypes, fmt::format("bitwise operators take integers and booleans, not {} and {}",
                                                    left.describe(), right.describe()));
    return std::nullopt;
  }
  return operands;
}

Tensor Semantics::bitwise(std::string_view op, const Value& left, const Value& right) {
  const Pair operands = bitwise_pair(left, right);
  if (!operands) return {};
  return make(op, {operands->first.handle, operands->second.handle}, operands->first.type);
}

/// Triton reinterprets what `not`, `and` and `or` take as bools, which only one bit can be. False: reported.
static bool check_bool(Reporter& report, std::string_view word, const Tensor& operand) {
  if (!operand) return false;
  if (operand.element().is_ptr() || operand.element().bit_width() != 1) {
    report.error(codes::kOperandTypes, fmt::format("`{}` takes bools, not {}", word, operand.type.to_string()),
                 "compare first, for example with != 0");
    return false;
  }
  return true;
}

Tensor Semantics::logical(ast::BoolOperator op, const Tensor& left, const Tensor& right) {
  for (const Tensor* operand : {&left, &right}) {
    if (!check_bool(report_, op == ast::BoolOperator::And ? "and" : "or", *operand)) return {};
  }
  const Tensor a = bitcast(left, DType(Scalar::int1));
  const Tensor b = bitcast(right, DType(Scalar::int1));
  if (!a || !b) return {};
  return bitwise(op == ast::BoolOperator::And ? "arith.andi" : "arith.ori", a, b);
}

Tensor Semantics::minus(const Tensor& operand) {
  if (!operand) return {};
  if (operand.element().is_ptr()) {
    report_.error(codes::kOperandTypes, fmt::format("unary - does not take {}", operand.element().name()));
    return {};
  }
  const Tensor zero = null_constant(operand.element());
  return zero ? sub(zero, operand, true) : Tensor{};
}

Tensor Semantics::invert(const Tensor& operand) {
  if (!operand) return {};
  const DType& type = operand.element();
  if (type.is_ptr() || type.is_floating()) {
    report_.error(codes::kOperandTypes, fmt::format("unary ~ does not take {}", type.name()));
    return {};
  }
  const Tensor ones{emit_.constant(to_ir(emit_.context(), type), ~std::uint64_t{0}), {type, {}}};
  return bitwise("arith.xori", operand, ones);
}

Tensor Semantics::logical_not(const Tensor& operand) {
  return check_bool(report_, "not", operand) ? invert(bitcast(operand, DType(Scalar::int1))) : Tensor{};
}

Tensor Semantics::fdiv(const Tensor& left, const Tensor& right) {
  if (!left || !right) return {};
  if (!left.element().is_floating() || !right.element().is_floating()) {
    report_.error(codes::kDtypeRule,
                  fmt::format("fdiv takes floats, not {} and {}", left.element().name(), right.element().name()));
    return {};
  }
  const Pair operands = pair(left, right, {.arithmetic = false, .division = true});
  if (!operands) return {};
  if (!(operands->first.element() == operands->second.element())) return incompatible(left.element(), right.element());
  return make("arith.divf", {operands->first.handle, operands->second.handle}, operands->first.type);
}

Tensor Semantics::precise_divide(const Tensor& left, const Tensor& right) {
  if (!left || !right) return {};
  const Pair operands = pair(left, right);
  return operands ? make("tt.precise_divf", {operands->first.handle, operands->second.handle}, operands->first.type)
                  : Tensor{};
}

Tensor Semantics::promote_bfloat16(const Tensor& operand) {
  return operand && operand.element().scalar() == Scalar::bf16 ? cast(operand, DType(Scalar::fp32)) : operand;
}

Tensor Semantics::extremum(bool is_maximum, const Tensor& left, const Tensor& right, std::int64_t nan) {
  if (!left || !right) return {};
  const Pair operands = pair(left, right);
  if (!operands) return {};
  const auto& [a, b] = *operands;
  const DType& type = a.element();
  std::string_view op;
  if (type.is_floating()) {
    op = nan != 0 ? (is_maximum ? "arith.maximumf" : "arith.minimumf")
                  : (is_maximum ? "arith.maxnumf" : "arith.minnumf");
  } else {
    op = type.is_signed() ? (is_maximum ? "arith.maxsi" : "arith.minsi") : (is_maximum ? "arith.maxui" : "arith.minui");
  }
  return make(op, {a.handle, b.handle}, a.type);
}

Tensor Semantics::clamp(const Tensor& value, const Tensor& low, const Tensor& high, std::int64_t nan) {
  if (!value || !low || !high) return {};
  const Pair bounds = pair(low, high);
  const Pair lower = bounds ? pair(value, bounds->first) : std::nullopt;
  const Pair upper = lower ? pair(lower->first, bounds->second) : std::nullopt;
  if (!upper) return {};
  const Tensor& x = upper->first;
  if (!x.element().is_floating()) {
    report_.error(codes::kDtypeRule, fmt::format("tl.clamp takes floats, not {}", x.element().name()),
                  "use tl.minimum(tl.maximum(x, low), high)");
    return {};
  }
  if (!(lower->second.type == x.type)) return incompatible(lower->second.element(), x.element());
  return make("tt.clampf", {x.handle, lower->second.handle, upper->second.handle}, x.type,
              {integer("propagateNan", nan)});
}

Tensor Semantics::where(const Tensor& condition, const Value& left, const Value& right) {
  Tensor chosen = cast(condition, DType(Scalar::int1));
  if (!chosen || left.is_invalid() || right.is_invalid()) return {};
  Pair values = pair(left, right, {.left_pointer = true, .right_pointer = true});
  if (!values) return {};
  const Pair first = broadcast_pair(chosen, values->first);
  if (!first) return {};
  if (chosen.is_block()) {
    values = broadcast_pair(first->second, values->second);
    if (!values) return {};
  }
  chosen = first->first;
  return make("arith.select", {chosen.handle, values->first.handle, values->second.handle}, values->first.type);
}

Tensor Semantics::umulhi(const Tensor& left, const Tensor& right) {
  if (!left || !right) return {};
  const Pair operands = pair(left, right);
  return operands ? make("tt.mulhiui", {operands->first.handle, operands->second.handle}, operands->first.type)
                  : Tensor{};
}

Tensor Semantics::fma(const Tensor& x, const Tensor& y, const Tensor& z) {
  if (!x || !y || !z) return {};
  const Pair factors = pair(x, y);
  const Pair first = factors ? pair(z, factors->first) : std::nullopt;
  const Pair second = first ? pair(first->first, factors->second) : std::nullopt;
  if (!second) return {};
  if (!first->second.element().is_floating()) {
    report_.error(codes::kDtypeRule, fmt::format("tl.fma takes floats, not {}", first->second.element().name()),
                  "write x * y + z");
    return {};
  }
  return make("math.fma", {first->second.handle, second->second.handle, second->first.handle}, first->second.type);
}

Tensor Semantics::absolute(const Tensor& operand) {
  if (!operand || operand.element().is_unsigned()) return operand;
  if (operand.element().scalar() == Scalar::fp8e4b15 || operand.element().is_ptr())
    return incompatible(operand.element(), operand.element());
  return make(operand.element().is_floating() ? "math.absf" : "math.absi", {operand.handle}, operand.type);
}

Tensor Semantics::unary(std::string_view op, const Tensor& operand) {
  return operand ? make(op, {operand.handle}, operand.type) : Tensor{};
}

void Semantics::device_assert(const Tensor& condition, const std::string& message, const Tensor* mask) {
  if (!options_.keeps_asserts || !condition) return;
  Tensor holds = condition;
  if (mask != nullptr) holds = bitwise("arith.ori", condition, logical_not(*mask));
  if (holds) emit_.create("tt.assert", {holds.handle}, {}, {{"message", emit_.context().string(message)}});
}

}  // namespace lockstep::frontend
