// Arithmetic, comparison, bitwise and logical operators on tensors.
#include <fmt/format.h>

#include "frontend/semantics/semantics.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::semantics {

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

/// Triton reinterprets the operands of `not`, `and` and `or` as bools, which only one bit can be. False: reported.
bool check_bool(Reporter& report, std::string_view word, const Tensor& operand) {
  if (!operand) return false;
  if (operand.element().is_ptr() || operand.element().bit_width() != 1) {
    report.error(codes::kOperandTypes, fmt::format("`{}` takes bools, not {}", word, operand.type.to_string()),
                 "compare first, for example with != 0");
    return false;
  }
  return true;
}

void sanitize(OpBuilder& in, const Tensor& left, const Tensor& right, std::string_view operation) {
  const DType type = left.element();
  if (type.bit_width() >= 64 || !in.options().sanitize_overflow) return;
  const DType wide(Scalar::int64);
  const Tensor a = cast(in, left, wide);
  const Tensor b = cast(in, right, wide);
  const std::string_view op = operation == "add" ? "arith.addi" : operation == "sub" ? "arith.subi" : "arith.muli";
  const Tensor result = in.make(op, {a.handle, b.handle}, a.type);
  const int bits = type.bit_width();
  const Integer highest = (Integer{1} << (bits - (type.is_signed() ? 1 : 0))) - 1;
  const Integer lowest = type.is_signed() ? -(Integer{1} << (bits - 1)) : Integer{0};
  const Tensor most = scalar_constant(in, Constant::integer(highest), wide);
  const Tensor least = scalar_constant(in, Constant::integer(lowest), wide);
  const Tensor below = compare(in, ast::CompareOperator::LtE, result, most);
  const Tensor above = compare(in, ast::CompareOperator::GtE, result, least);
  const Tensor fits = bitwise(in, "arith.andi", below, above);
  if (!in.options().debug) return;
  device_assert(in, fits, fmt::format("int{} overflow detected for operation {}", bits, operation), nullptr);
}

Tensor divide(OpBuilder& in, const Value& left, const Value& right) {
  const Pair operands = pair(in, left, right, {.division = true});
  if (!operands) return {};
  Tensor a = operands->first;
  Tensor b = operands->second;
  if (a.element().is_floating() && b.element().is_int()) {
    b = cast(in, b, a.element());
  } else if (a.element().is_int() && b.element().is_floating()) {
    a = cast(in, a, b.element());
  } else if (a.element().is_int()) {
    a = cast(in, a, DType(Scalar::fp32));
    b = cast(in, b, DType(Scalar::fp32));
  }
  if (!a || !b) return {};
  return in.make("arith.divf", {a.handle, b.handle}, a.type);
}

Tensor floor_divide(OpBuilder& in, const Value& left, const Value& right) {
  const Pair operands = pair(in, left, right, {.division = true});
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (!a.element().is_int() || !b.element().is_int()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("// takes integers, not {}", a.element().name()),
                        "use tl.floor(x / y)");
    return {};
  }
  return in.make(a.element().is_signed() ? "arith.divsi" : "arith.divui", {a.handle, b.handle}, a.type);
}

Tensor modulo(OpBuilder& in, const Value& left, const Value& right) {
  const Pair operands = pair(in, left, right, {.division = true});
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (a.element().is_floating()) return in.make("arith.remf", {a.handle, b.handle}, a.type);
  return in.make(a.element().is_signed() ? "arith.remsi" : "arith.remui", {a.handle, b.handle}, a.type);
}

Pair bitwise_pair(OpBuilder& in, const Value& left, const Value& right) {
  Pair operands = pair(in, left, right);
  if (!operands) return std::nullopt;
  const DType a = operands->first.element();
  const DType b = operands->second.element();
  if (!a.is_int() || !b.is_int()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("bitwise operators take integers and booleans, not {} and {}",
                                                          describe(left), describe(right)));
    return std::nullopt;
  }
  return operands;
}

}  // namespace

Tensor arithmetic(OpBuilder& in, ast::BinaryOperator operation, const Value& left, const Value& right) {
  if (left.is_invalid() || right.is_invalid()) return {};
  switch (operation) {
    case ast::BinaryOperator::Add: return add(in, left, right, true);
    case ast::BinaryOperator::Sub: return sub(in, left, right, true);
    case ast::BinaryOperator::Mult: return mul(in, left, right, true);
    case ast::BinaryOperator::Div: return divide(in, left, right);
    case ast::BinaryOperator::FloorDiv: return floor_divide(in, left, right);
    case ast::BinaryOperator::Mod: return modulo(in, left, right);
    case ast::BinaryOperator::BitAnd: return bitwise(in, "arith.andi", left, right);
    case ast::BinaryOperator::BitOr: return bitwise(in, "arith.ori", left, right);
    case ast::BinaryOperator::BitXor: return bitwise(in, "arith.xori", left, right);
    case ast::BinaryOperator::LShift: return bitwise(in, "arith.shli", left, right);
    case ast::BinaryOperator::RShift: {
      const Tensor* decides = left.tensor() != nullptr ? left.tensor() : right.tensor();
      return bitwise(in, decides->element().is_signed() ? "arith.shrsi" : "arith.shrui", left, right);
    }
    case ast::BinaryOperator::Pow:
    case ast::BinaryOperator::MatMult: break;
  }
  in.reporter().error(
      codes::kOperandTypes, fmt::format("tensors have no operator {}", ast::operator_symbol(operation)),
      operation == ast::BinaryOperator::MatMult ? "use tl.dot(a, b)" : "multiply, or use tl.exp2 and tl.log2");
  return {};
}

Tensor add(OpBuilder& in, const Value& left, const Value& right, bool check) {
  const Pair operands = pair(in, left, right, {.left_pointer = true, .right_pointer = true});
  if (!operands) return {};
  Tensor a = operands->first;
  Tensor b = operands->second;
  if (a.element().is_ptr() && b.element().is_ptr()) {
    in.reporter().error(codes::kOperandTypes, "two pointers cannot be added");
    return {};
  }
  if (b.element().is_ptr()) std::swap(a, b);
  if (a.element().is_ptr()) {
    if (b.element().is_unsigned() && b.element().bit_width() < 64) {
      b = in.make("arith.extui", {b.handle}, b.type.with_element(DType(Scalar::int64)));
    }
    return in.make("tt.addptr", {a.handle, b.handle}, a.type);
  }
  if (a.element().is_floating()) return in.make("arith.addf", {a.handle, b.handle}, a.type);
  if (check) sanitize(in, a, b, "add");
  return in.make("arith.addi", {a.handle, b.handle}, a.type);
}

Tensor sub(OpBuilder& in, const Value& left, const Value& right, bool check) {
  const Pair operands = pair(in, left, right, {.left_pointer = true, .right_pointer = false});
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (a.element().is_ptr()) return add(in, a, minus(in, b), false);
  if (a.element().is_floating()) return in.make("arith.subf", {a.handle, b.handle}, a.type);
  if (check) sanitize(in, a, b, "sub");
  return in.make("arith.subi", {a.handle, b.handle}, a.type);
}

Tensor mul(OpBuilder& in, const Value& left, const Value& right, bool check) {
  const Pair operands = pair(in, left, right);
  if (!operands) return {};
  const auto& [a, b] = *operands;
  if (a.element().is_floating()) return in.make("arith.mulf", {a.handle, b.handle}, a.type);
  if (check) sanitize(in, a, b, "mul");
  return in.make("arith.muli", {a.handle, b.handle}, a.type);
}

Tensor compare(OpBuilder& in, ast::CompareOperator op, const Value& left, const Value& right) {
  const Tensor strong_left = to_tensor(in, left);
  const Tensor strong_right = to_tensor(in, right);
  if (!strong_left || !strong_right) return {};
  const Pair operands = pair(in, strong_left, strong_right);
  if (!operands) return {};
  const auto& [a, b] = *operands;
  const Comparison predicate = predicates(op);
  const ValueType result = a.type.with_element(DType(Scalar::int1));
  if (a.element().is_floating())
    return in.make("arith.cmpf", {a.handle, b.handle}, result,
                   {{"predicate", in.emitter().context().integer_attribute(in.emitter().context().integer(64),
                                                                           predicate.on_floats)}});
  const std::int64_t value = a.element().is_signed() ? predicate.on_signed : predicate.on_unsigned;
  return in.make("arith.cmpi", {a.handle, b.handle}, result,
                 {{"predicate", in.emitter().context().integer_attribute(in.emitter().context().integer(64), value)}});
}

Tensor bitwise(OpBuilder& in, std::string_view op, const Value& left, const Value& right) {
  const Pair operands = bitwise_pair(in, left, right);
  if (!operands) return {};
  return in.make(op, {operands->first.handle, operands->second.handle}, operands->first.type);
}

Tensor logical(OpBuilder& in, ast::BoolOperator op, const Tensor& left, const Tensor& right) {
  for (const Tensor* operand : {&left, &right}) {
    if (!check_bool(in.reporter(), op == ast::BoolOperator::And ? "and" : "or", *operand)) return {};
  }
  const Tensor a = bitcast(in, left, DType(Scalar::int1));
  const Tensor b = bitcast(in, right, DType(Scalar::int1));
  if (!a || !b) return {};
  return bitwise(in, op == ast::BoolOperator::And ? "arith.andi" : "arith.ori", a, b);
}

Tensor minus(OpBuilder& in, const Tensor& operand) {
  if (!operand) return {};
  if (operand.element().is_ptr()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("unary - does not take {}", operand.element().name()));
    return {};
  }
  const Tensor zero = null_constant(in, operand.element());
  return zero ? sub(in, zero, operand, true) : Tensor{};
}

Tensor invert(OpBuilder& in, const Tensor& operand) {
  if (!operand) return {};
  const DType& type = operand.element();
  if (type.is_ptr() || type.is_floating()) {
    in.reporter().error(codes::kOperandTypes, fmt::format("unary ~ does not take {}", type.name()));
    return {};
  }
  const Tensor ones{in.emitter().constant(to_ir(in.emitter().context(), type), ~std::uint64_t{0}), {type, {}}};
  return bitwise(in, "arith.xori", operand, ones);
}

Tensor logical_not(OpBuilder& in, const Tensor& operand) {
  return check_bool(in.reporter(), "not", operand) ? invert(in, bitcast(in, operand, DType(Scalar::int1))) : Tensor{};
}

Tensor fdiv(OpBuilder& in, const Tensor& left, const Tensor& right) {
  if (!left || !right) return {};
  if (!left.element().is_floating() || !right.element().is_floating()) {
    in.reporter().error(codes::kDtypeRule,
                        fmt::format("fdiv takes floats, not {} and {}", left.element().name(), right.element().name()));
    return {};
  }
  const Pair operands = pair(in, left, right, {.arithmetic = false, .division = true});
  if (!operands) return {};
  if (!(operands->first.element() == operands->second.element()))
    return incompatible(in, left.element(), right.element());
  return in.make("arith.divf", {operands->first.handle, operands->second.handle}, operands->first.type);
}

Tensor precise_divide(OpBuilder& in, const Tensor& left, const Tensor& right) {
  if (!left || !right) return {};
  const Pair operands = pair(in, left, right);
  return operands ? in.make("tt.precise_divf", {operands->first.handle, operands->second.handle}, operands->first.type)
                  : Tensor{};
}

Tensor promote_bfloat16(OpBuilder& in, const Tensor& operand) {
  return operand && operand.element().scalar() == Scalar::bf16 ? cast(in, operand, DType(Scalar::fp32)) : operand;
}

Tensor extremum(OpBuilder& in, bool is_maximum, const Tensor& left, const Tensor& right, std::int64_t nan) {
  if (!left || !right) return {};
  const Pair operands = pair(in, left, right);
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
  return in.make(op, {a.handle, b.handle}, a.type);
}

Tensor clamp(OpBuilder& in, const Tensor& value, const Tensor& low, const Tensor& high, std::int64_t nan) {
  if (!value || !low || !high) return {};
  const Pair bounds = pair(in, low, high);
  const Pair lower = bounds ? pair(in, value, bounds->first) : std::nullopt;
  const Pair upper = lower ? pair(in, lower->first, bounds->second) : std::nullopt;
  if (!upper) return {};
  const Tensor& x = upper->first;
  if (!x.element().is_floating()) {
    in.reporter().error(codes::kDtypeRule, fmt::format("tl.clamp takes floats, not {}", x.element().name()),
                        "use tl.minimum(tl.maximum(x, low), high)");
    return {};
  }
  if (!(lower->second.type == x.type)) return incompatible(in, lower->second.element(), x.element());
  return in.make("tt.clampf", {x.handle, lower->second.handle, upper->second.handle}, x.type,
                 {in.integer("propagateNan", nan)});
}

Tensor where(OpBuilder& in, const Tensor& condition, const Value& left, const Value& right) {
  Tensor chosen = cast(in, condition, DType(Scalar::int1));
  if (!chosen || left.is_invalid() || right.is_invalid()) return {};
  Pair values = pair(in, left, right, {.left_pointer = true, .right_pointer = true});
  if (!values) return {};
  const Pair first = broadcast_pair(in, chosen, values->first);
  if (!first) return {};
  if (chosen.is_block()) {
    values = broadcast_pair(in, first->second, values->second);
    if (!values) return {};
  }
  chosen = first->first;
  return in.make("arith.select", {chosen.handle, values->first.handle, values->second.handle}, values->first.type);
}

Tensor umulhi(OpBuilder& in, const Tensor& left, const Tensor& right) {
  if (!left || !right) return {};
  const Pair operands = pair(in, left, right);
  return operands ? in.make("tt.mulhiui", {operands->first.handle, operands->second.handle}, operands->first.type)
                  : Tensor{};
}

Tensor fma(OpBuilder& in, const Tensor& x, const Tensor& y, const Tensor& z) {
  if (!x || !y || !z) return {};
  const Pair factors = pair(in, x, y);
  const Pair first = factors ? pair(in, z, factors->first) : std::nullopt;
  const Pair second = first ? pair(in, first->first, factors->second) : std::nullopt;
  if (!second) return {};
  if (!first->second.element().is_floating()) {
    in.reporter().error(codes::kDtypeRule, fmt::format("tl.fma takes floats, not {}", first->second.element().name()),
                        "write x * y + z");
    return {};
  }
  return in.make("math.fma", {first->second.handle, second->second.handle, second->first.handle}, first->second.type);
}

Tensor absolute(OpBuilder& in, const Tensor& operand) {
  if (!operand || operand.element().is_unsigned()) return operand;
  if (operand.element().scalar() == Scalar::fp8e4b15 || operand.element().is_ptr())
    return incompatible(in, operand.element(), operand.element());
  return in.make(operand.element().is_floating() ? "math.absf" : "math.absi", {operand.handle}, operand.type);
}

Tensor unary(OpBuilder& in, std::string_view op, const Tensor& operand) {
  return operand ? in.make(op, {operand.handle}, operand.type) : Tensor{};
}

void device_assert(OpBuilder& in, const Tensor& condition, const std::string& message, const Tensor* mask) {
  if (!in.options().keeps_asserts || !condition) return;
  Tensor holds = condition;
  if (mask != nullptr) holds = bitwise(in, "arith.ori", condition, logical_not(in, *mask));
  if (holds)
    in.emitter().create("tt.assert", {holds.handle}, {}, {{"message", in.emitter().context().string(message)}});
}

}  // namespace lockstep::frontend::semantics
