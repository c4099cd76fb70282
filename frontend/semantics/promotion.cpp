// The common type of two operands' arithmetic, and the weak rule for Python numbers (language reference B.2, B.3).
#include <fmt/format.h>

#include "frontend/semantics/semantics.h"

namespace lockstep::frontend::semantics {

namespace {

int kind_rank(const DType& type) { return type.is_bool() ? 0 : type.is_int() ? 1 : 2; }

bool is(const DType& left, const DType& right, Scalar scalar) {
  return left.scalar() == scalar || right.scalar() == scalar;
}

Integer lowest(const DType& type) { return type.is_signed() ? -(Integer{1} << (type.bit_width() - 1)) : Integer{0}; }

Integer highest(const DType& type) { return (Integer{1} << (type.bit_width() - (type.is_signed() ? 1 : 0))) - 1; }

bool check_weak(OpBuilder& in, const Value& operand, const DType& type) {
  if (!operand.is_number() || !type.is_int()) return true;
  const Constant& number = *operand.constant();
  if (type.is_unsigned() && number.as_double() < 0) {
    in.reporter().error(codes::kScalarRange,
                        fmt::format("a negative number ({}) meets an unsigned tensor ({})", number.str(), type.name()),
                        "cast one of them explicitly");
    return false;
  }
  const bool fits = number.is_integral() ? number.as_integer() >= lowest(type) && number.as_integer() <= highest(type)
                                         : number.as_double() >= static_cast<double>(lowest(type)) &&
                                               number.as_double() <= static_cast<double>(highest(type));
  if (fits) return true;
  in.reporter().error(codes::kScalarRange,
                      fmt::format("the number {} is out of range for {}", number.str(), type.name()),
                      fmt::format("{} holds {} to {}", type.name(), to_string(lowest(type)), to_string(highest(type))));
  return false;
}

Tensor as_weak_or_cast(OpBuilder& in, const Value& operand, const Tensor& tensor, const DType& type) {
  return operand.is_number() ? scalar_constant(in, *operand.constant(), type) : cast(in, tensor, type);
}

}  // namespace

DType promote_integers(const DType& left, const DType& right) {
  const int a = left.bit_width();
  const int b = right.bit_width();
  if (left.is_signed() == right.is_signed()) return a > b ? left : right;
  if (left.is_unsigned()) return a >= b ? left : right;
  return b >= a ? right : left;
}

std::optional<DType> computation_type(OpBuilder& in, const DType& left, bool left_weak, const DType& right,
                                      bool right_weak, bool division) {
  if (left_weak != right_weak) {
    const DType& weak = left_weak ? left : right;
    const DType& strong = left_weak ? right : left;
    if (kind_rank(weak) <= kind_rank(strong)) {
      const bool is_half = strong.scalar() == Scalar::fp16 || strong.scalar() == Scalar::bf16;
      return division && is_half ? DType(Scalar::fp32) : strong;
    }
  }
  if (is(left, right, Scalar::fp64)) return DType(Scalar::fp64);
  if (is(left, right, Scalar::fp32)) return DType(Scalar::fp32);
  if (is(left, right, Scalar::fp16)) return DType(division ? Scalar::fp32 : Scalar::fp16);
  if (left.scalar() == Scalar::bf16 && right.scalar() == Scalar::bf16)
    return DType(division ? Scalar::fp32 : Scalar::bf16);
  if (is(left, right, Scalar::bf16)) return DType(Scalar::fp32);
  if (left.is_fp8() && right.is_fp8()) return left == right ? left : DType(Scalar::fp16);
  if (!left.is_int() || !right.is_int()) {
    in.reporter().error(codes::kOperandTypes,
                        fmt::format("operands of types {} and {} have no common type", left.name(), right.name()),
                        "cast one of them first, for example with .to(tl.float32)");
    return std::nullopt;
  }
  if (division && left.is_signed() != right.is_signed()) {
    in.reporter().error(
        codes::kOperandTypes,
        fmt::format("/, // and % do not take {} and {}: one is signed, the other is not", left.name(), right.name()),
        "cast them to the same signedness");
    return std::nullopt;
  }
  return promote_integers(left, right);
}

Tensor incompatible(OpBuilder& in, const DType& left, const DType& right) {
  in.reporter().error(codes::kOperandTypes,
                      fmt::format("invalid operands of types {} and {}", left.name(), right.name()));
  return {};
}

std::optional<TensorPair> pair(OpBuilder& in, const Value& left, const Value& right, PairRules rules) {
  const Tensor a = to_tensor(in, left);
  const Tensor b = to_tensor(in, right);
  if (!a || !b) return std::nullopt;
  const DType& x = a.element();
  const DType& y = b.element();
  const bool bad_left = x.is_ptr() && (!rules.left_pointer || (y.is_ptr() && !(x == y)) || y.is_floating());
  const bool bad_right = y.is_ptr() && (!rules.right_pointer || (x.is_ptr() && !(x == y)) || x.is_floating());
  if (bad_left || bad_right) {
    incompatible(in, x, y);
    return std::nullopt;
  }
  if (!rules.arithmetic || x.is_ptr() || y.is_ptr()) return broadcast_pair(in, a, b);
  const std::optional<DType> type = computation_type(in, x, left.is_number(), y, right.is_number(), rules.division);
  if (!type || !check_weak(in, left, *type) || !check_weak(in, right, *type)) return std::nullopt;
  const Tensor first = as_weak_or_cast(in, left, a, *type);
  const Tensor second = as_weak_or_cast(in, right, b, *type);
  if (!first || !second) return std::nullopt;
  return broadcast_pair(in, first, second);
}

}  // namespace lockstep::frontend::semantics
